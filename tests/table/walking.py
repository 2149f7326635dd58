"""The states of a hand at the table, and what any tap makes of them: for tests that walk through all of them."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping
from contextlib import suppress
from copy import copy
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from test_hand_actions import PLAYERS, Before, buttons

from companion.engine.game import AnyGame
from companion.engine.players import PlayerKey
from companion.table import showing
from companion.table.cells import (
    ASKED_BACK,
    BETS,
    BETS_ORDER,
    BETTING,
    BY_HAND,
    DEALT,
    GAME,
    HAND,
    IS_IN,
    KIND,
    ORDER,
    TABLE,
    TURN,
    Cells,
    Values,
    each,
    values_in,
    written,
)
from companion.table.decisions import at_once, decision_question
from companion.table.guidance.next_step import next_step
from companion.table.hand import HandInPlay
from companion.table.input import ACTIONS, Asked, Typed, accepted, carry_out
from companion.table.input.actions import BET_KINDS, TURNS
from companion.table.next_round import NextRound
from companion.table.refusals import Refused
from companion.table.sight import see
from companion.table.steps import Button, Look, NextStep

ANA, BETO, CARO = PLAYERS
# hands of which everybody may knock or call with any, and the first part of one
DECISIONS = ("in", "out")
HANDS = {
    "dompe": ("7c 7d 7h 2s 3d", "8s 8h 8d Kc 3c", "9s 9h 9d 4c 5c"),
    "domino-poker": ("2-2 3-3 4-4 5-5 6-6", "1-6 2-6 3-6 4-6 5-6", "1-2 1-3 1-4 2-5 3-4"),
    "draw-poker": ("2c 2d 2h 2s 3c", "As Ks Qs Js Ts", "Ad 9h 9c 4s 5d"),
    "five-card-draw": ("2c 2d 2h 2s 3c", "As Ks Qs Js Ts", "Ad 9h 9c 4s 5d"),
    "guts": ("As Ks Qs", "Ah Kh Qh", "Ad Kd Qd"),
    "thirty-one": ("As Ks Qs", "Ah Kh Qh", "Ad Kd Qd"),
    "gin-rummy": ("4s 4h 4d 6c 7c 8c Js Jh Jd 9d", "As 2s 3s Kh Kd Ks Qs Qh Qd 9s", "2c 2d 2h 3c 3d 3h 5c 5d 5h Ac"),
    "knock-rummy": ("4s 4h 4d 6c 7c 8c 2d", "As 2s 3s 9h 9d 9c Ac", "5c 5h 5d Ts Js Qs Ah"),
}
OTHERS = ("9s 9h 9d 4c 4d", "Ah Kh 8h 5h 3h", "8c 8d Js 7d 4h")


@dataclass(frozen=True)
class Phone:
    """A phone at the table: whose it is, and what it looks at."""

    me: PlayerKey | None
    look: Look

    @property
    def keeps(self) -> bool:
        return self.look in ("host", "keeper")

    @property
    def device(self) -> str | None:
        """The phone that writes; a screen for all sees what everybody may."""
        return None if self.look == "screen" else str(self.me or "middle")


MIDDLE, SCREEN = Phone(None, "keeper"), Phone(None, "screen")
OWN = {player: Phone(player, "player") for player in PLAYERS}
HOSTS = {player: (Phone(player, "host"), Phone(player, "keeper")) for player in PLAYERS}


@dataclass(frozen=True, eq=False)
class State:
    """A hand: what was entered, and whether the hands lie face up. It keeps what is worked out of it."""

    game: AnyGame
    in_front: Mapping[str, int] | None
    cells: Cells = field(default_factory=dict)
    is_shown: bool = False
    known: dict[object, State] = field(default_factory=dict)  # states by what was entered, and by their marks

    @cached_property
    def hand(self) -> HandInPlay:
        return HandInPlay(self._round(None))

    def _round(self, device: str | None) -> NextRound[Before]:
        before = Before(self.game.key, in_front=self.in_front)
        decision = at_once(self.game, before, values_in(self.cells))
        return NextRound(before, self.game, see(self.cells, device, is_shown=self.is_shown, at_once=decision))

    def seen(self, me: PlayerKey | None, device: str | None = None) -> HandInPlay:
        """Return the hand as somebody sees it.

        Nothing that is kept depends on who that is, as cards aren't read; but what all decide at once is secret.
        """
        if self.hand.round.undecided:
            round = self._round(device)
            round.me = me
            return HandInPlay(round)
        hand = copy(self.hand)
        hand.round = copy(hand.round)
        hand.round.me = me
        return hand

    @cached_property
    def steps(self) -> Mapping[Phone, NextStep]:
        """What every phone says; each is worked out when it is looked at."""
        return Steps(self)

    @cached_property
    def tapped(self) -> dict[tuple[Phone, Button], State]:
        """What is known of where buttons of the state line lead."""
        return {}

    def after(self, changes: Values, device: str | None = "", *, is_shown: bool = False) -> State:
        """Return the state after a change; the hands turn over once all are in, as the pages let them."""
        cells, is_shown = written(self.cells, changes, device or ""), is_shown or self.is_shown
        is_secret = decision_question(self.game) is not None
        secrets = frozenset((player, _secrets(cells.get(player, {}))) for player in PLAYERS if is_secret)
        entered = (is_shown, frozenset(cell for cell in each(values_in(cells)) if cell[2]), secrets)
        if entered not in self.known:
            changed = State(self.game, self.in_front, cells, is_shown, self.known)
            hand = changed.hand
            is_any_in = any(showing.size_of(hand, player) for player in PLAYERS)
            waits = showing.is_betting(hand) or showing.lacking(hand) or showing.must_stay_down(hand)
            if is_any_in and not waits and not is_shown:
                changed = State(self.game, self.in_front, cells, True, self.known)
            self.known[entered] = self.known.setdefault(changed.mark, changed)
        return self.known[entered]

    def typed(self, phone: Phone, cells: Values) -> State:
        round = self.seen(phone.me, phone.device).round
        return self.after(accepted(Typed(self.game.key, round.players, cells, phone.keeps), round), phone.device)

    @cached_property
    def mark(self) -> tuple[object, ...]:
        """Everything that a next step can depend on; what has no effect now can be entered again later.

        After a knock, seats are counted from who knocked: what happens to one knocker happens to all.
        """
        hand, seat = self.hand, dict(zip(PLAYERS, "123", strict=True))
        if hand.knocked:  # who deals counts no more
            first = PLAYERS.index(hand.knocked)
            seat = dict(zip((*PLAYERS[first:], *PLAYERS[:first]), "123", strict=True))
        cells = each(values_in(self.cells))
        kept = (
            (seat.get(owner, ""), key, seat.get(value, value))
            for owner, key, value in cells
            if value and key not in _SKIPPED
        )
        turns = tuple(
            (turn.state, str(hand.round.entered(turn.player, TURN)).endswith(BY_HAND)) for turn in hand.last_turns
        )
        begun = {player for player in PLAYERS if showing.size_of(hand, player)}
        lacking = "".join(sorted(seat[player] for player in showing.lacking(hand)))
        hands = (lacking, not begun.isdisjoint(showing.must_show(hand)))
        is_dealt = bool(begun or hand.is_begun or hand.round.entered(TABLE, DEALT))
        played = (hand.is_on_phones, is_dealt, turns) if not self.is_shown else ()
        asked_back = None if self.is_shown else hand.asked_back
        undecided = hand.round.undecided
        secrets = {(player, _secrets(self.cells.get(player, {}))) for player in PLAYERS if undecided}
        return (self.is_shown, played, hands, _betting(hand), asked_back, frozenset(kept), frozenset(secrets))


def _secrets(asked: Mapping[str, Any]) -> frozenset[object]:
    """Return what only the phones know that it was entered on: a decision, and how many cards a hand has."""
    decided = ((key, *asked[key]) for key in ("out", IS_IN) if key in asked and asked[key][0])
    return frozenset([*decided, *((HAND, len(text.split()), device) for text, device in [asked.get(HAND, ("", ""))])])


_SKIPPED = (HAND, IS_IN, KIND, TURN, DEALT, BETS, ORDER, BETS_ORDER, BETTING, GAME, ASKED_BACK)


class Steps(dict[Phone, NextStep]):
    """What phones say in a state."""

    def __init__(self, state: State) -> None:
        super().__init__()
        self._state = state

    def __missing__(self, phone: Phone) -> NextStep:
        self[phone] = next_step(self._state.seen(phone.me, phone.device), phone.look)
        return self[phone]


def _betting(hand: HandInPlay) -> tuple[object, ...]:
    """Return the state of the betting: whose turn it is, and who has still to act; with stacks, what everybody paid."""
    played = hand.played
    if played is None or played.state is None:
        return (played is None,)
    state, most = played.state, max(played.state["paid"].values())
    kinds = tuple(offer.action for offer in played.offers)
    paid = state["paid"].items()
    even = tuple(player for player, units in paid if units == most) if played.chips_left is None else tuple(paid)
    return (*(str(state[key]) for key in ("round", "turn", "folded", "all_in")), kinds, even, bool(hand.bets))


def reached(game: AnyGame, in_front: Mapping[str, int] | None) -> list[State]:
    """Return every state of a hand that can be reached."""
    first = State(game, in_front).after({})
    states, open_states = {first.mark: first}, deque([first])
    while open_states:
        for after in moves(open_states.popleft()):
            if after.mark not in states:
                states[after.mark] = after
                open_states.append(after)
    return list(states.values())


def hand_of(game: AnyGame, player: PlayerKey) -> str:
    return HANDS.get(game.key, OTHERS)[PLAYERS.index(player)]


def entries(state: State, phone: Phone) -> Iterator[Values]:
    """Yield what may be typed on a phone: hands whole, begun and cleared; the scorekeeper's answers.

    Limits, without which there would be ten times as many states: of what differs only in whose it is, one is tried (a
    hand that is begun or sent before the bets are over or all have decided, a tick, an answer); who won is told once
    the hands are shown.
    """
    game, hand = state.game, state.hand
    is_betting = showing.is_betting(hand) or bool(hand.round.undecided)
    for player in filter(None, PLAYERS if phone.keeps else [phone.me]):
        whole = hand_of(game, player)
        typed = (whole, "") if player != BETO or is_betting else (whole, whole[:5], "")
        yield from ({player: {"hand": text}} for text in typed if player == BETO or not is_betting)
    for question in game.questions if phone.keeps else ():
        if question.kind == "player":
            first = hand.players[0]
            answers = (first, "nobody", "") if question.explicit else (first, "")
            yield from ({TABLE: {question.key: answer}} for answer in answers)
        elif question.kind == "players":
            is_due = (question == decision_question(game)) == bool(hand.round.undecided)
            if is_due and not hand.played and (hand.knocked or not hand.knock_word):
                yield from ({BETO: {question.key: tick}} for tick in (True, False))
        elif question.kind == "winners":
            yield from ({BETO: {question.key: tick}} for tick in (True, False) if state.is_shown)
        elif question.kind == "bets":
            yield from ({TABLE: {BETS: line}} for line in ("", "check", "fold; fold"))


def moves(state: State) -> Iterator[State]:
    """Yield what any tap at the table makes of the state; refused ones nothing.

    The scorekeeper may do what each player may. Only the own phone makes a last turn of a hand, or asks to undo a bet.
    """
    for phone in (MIDDLE, *OWN.values()):
        hand = state.seen(phone.me, phone.device)
        if phone.keeps or hand.knocked or (hand.round.undecided and phone.me == BETO):
            yield from (state.typed(phone, cells) for cells in entries(state, phone))
        for asked in buttons(hand, phone.keeps) if not state.is_shown else ():
            if is_tried(asked, hand, phone):
                with suppress(Refused):
                    yield state.after(carry_out(hand.round, asked), phone.device)
    hand = state.hand
    if not (showing.is_betting(hand) or showing.asks_who_knocked(hand) or hand.round.undecided):
        yield state.after({}, is_shown=True)


def is_tried(asked: Asked, hand: HandInPlay, phone: Phone) -> bool:
    """Return whether a request can change the state, and no other phone's request changes it alike.

    Limits: bets are undone while no hand is in but one, decisions while none is; only players make these.
    """
    if asked.do in ("undo", "allow") and any(showing.size_of(hand, player) for player in (ANA, CARO)):
        return False
    if asked.do == "over" and hand.round.decided and (not hand.round.undecided or hand.round.hands):
        return False
    if phone.me is not None:
        return asked.player == phone.me and (asked.do in DECISIONS or (asked.do == "undo" and phone.me == BETO))
    if asked.do in BET_KINDS:
        return hand.played is not None and asked.player == hand.turn and asked.amount == 1
    if asked.do in TURNS:
        return any(turn.player == asked.player for turn in hand.last_turns)
    is_for_all = asked.do in ("dealt", "over", "undo", "keep", "allow")
    return asked.do not in ("count", "game", *DECISIONS) and (not is_for_all or asked.player == PLAYERS[0])


def tap(state: State, phone: Phone, step: Button) -> State:
    """Do what a button of the state line says; in the places, what is asked for there."""
    if (phone, step) not in state.tapped:
        state.tapped[phone, step] = _tap(state, phone, step)
    return state.tapped[phone, step]


def _tap(state: State, phone: Phone, step: Button) -> State:
    hand = state.seen(phone.me, phone.device)
    if step.do in ACTIONS:
        asked = Asked(step.do, str(step.player), "", 1, hand.mark, phone.keeps)
        return state.after(carry_out(hand.round, asked), phone.device)
    if step.do == "show":
        showing.must_not_be_betting(hand)
        showing.must_be_decided(hand)
        showing.must_know_who_knocked(hand)
        return state.after({}, is_shown=True)
    if step.do == "hand":
        assert phone.me is not None
        return state.typed(phone, {phone.me: {"hand": hand_of(state.game, phone.me)}})
    if step.do == "table":
        assert phone.keeps
        keeper = replace(phone, look="keeper")
        there = state.steps[keeper]
        on = there.main or there.quiet
        assert on is not None
        return tap(state, keeper, on)
    assert step.do == "hands", step
    lacking = showing.lacking(hand) if not hand.round.undecided else map(PlayerKey, hand.round.undecided)
    missing = {player: {"hand": hand_of(state.game, player)} for player in lacking}
    question = next((q.key for q in state.game.questions if q.kind == "player"), None)
    told = {TABLE: {question: str(hand.players[0])}} if question is not None and showing.asks_who_knocked(hand) else {}
    folds = {TABLE: {BETS: "fold; fold"}} if showing.is_betting(hand) else {}
    return state.typed(phone, {**missing, **told, **folds})
