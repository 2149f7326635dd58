"""All paths through a hand, made of the actions the table declares: every state names the next step on each screen.

From each one the round can be settled by tapping what the state lines say, on the players' phones or the scorekeeper's.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import product
from random import Random
from typing import Any

import pytest
from sample_rounds import ROUNDS
from test_hand_actions import PLAYERS, Before, buttons

from companion.contract import may_reveal_hands, read_round
from companion.engine.game import AnyGame
from companion.engine.players import PlayerKey
from companion.games import all_games
from companion.table import showing
from companion.table.actions import ACTIONS, carry_out
from companion.table.cells import BETS, TABLE, Cells, Values, values_in, written
from companion.table.entering import Typed, accepted
from companion.table.hand import HandInPlay
from companion.table.next_round import NextRound
from companion.table.next_step import next_step
from companion.table.refusals import Refused
from companion.table.sight import see
from companion.table.steps import KEEPER, PLACES, Button, Look, NextStep

ANA, BETO, CARO = PLAYERS
MOST = 16  # states from which each game is played to its end at each kind of table, drawn from thousands
MOST_STEPS = 40
# hands of which everybody may knock or call with any, and the first part of one
HANDS = {
    "dompe": ("7c 7d 7h 2s 3d", "8s 8h 8d Kc 3c", "9s 9h 9d 4c 5c"),
    "domino-poker": ("2-2 3-3 4-4 5-5 6-6", "1-6 2-6 3-6 4-6 5-6", "1-2 1-3 1-4 2-5 3-4"),
    "draw-poker": ("2c 2d 2h 2s 3c", "As Ks Qs Js Ts", "Ad 9h 9c 4s 5d"),
    "five-card-draw": ("2c 2d 2h 2s 3c", "As Ks Qs Js Ts", "Ad 9h 9c 4s 5d"),
    "guts": ("As Ks Qs", "Ah Kh Qh", "Ad Kd Qd"),
    "thirty-one": ("As Ks Qs", "Ah Kh Qh", "Ad Kd Qd"),
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
    def device(self) -> str:
        return "keeper" if self.keeps else str(self.me)


SCREEN = Phone(None, "screen")
TABLES = {
    "one phone for all": (Phone(None, "keeper"), SCREEN),
    "a phone for each": (*(Phone(player, "player") for player in PLAYERS), Phone(None, "keeper"), SCREEN),
    "the keeper plays": (
        Phone(ANA, "player"),
        Phone(BETO, "player"),
        Phone(CARO, "host"),
        Phone(CARO, "keeper"),
        SCREEN,
    ),
    "the keeper plays, with one phone": (Phone(CARO, "host"), Phone(CARO, "keeper"), SCREEN),
}


@dataclass(frozen=True)
class State:
    """A hand: what was entered, and whether the hands lie face up."""

    game: AnyGame
    cells: Cells
    is_shown: bool = False

    def seen(self, phone: Phone) -> HandInPlay:
        sight = see(self.cells, phone.device, is_shown=self.is_shown)
        return HandInPlay(NextRound(Before(self.game.key), self.game, sight, phone.me))

    def step(self, phone: Phone) -> NextStep:
        return next_step(self.seen(phone), phone.look)

    def after(self, changes: Values, phone: Phone) -> State:
        """Return the state after a change; the hands turn over once all are in, as the pages let them."""
        changed = replace(self, cells=written(self.cells, changes, phone.device))
        hand = changed.seen(phone)
        is_any_in = any(showing.size_of(hand, player) for player in PLAYERS)
        waits = showing.is_betting(hand) or showing.lacking(hand) or showing.must_stay_down(hand)
        return replace(changed, is_shown=self.is_shown or bool(is_any_in and not waits))

    def typed(self, phone: Phone, cells: Values) -> State:
        round = self.seen(phone).round
        typed = Typed(self.game.key, round.players, cells, phone.keeps)
        return self.after(accepted(typed, round), phone)

    @property
    def mark(self) -> str:
        return json.dumps([values_in(self.cells), self.is_shown], sort_keys=True)


def hand_of(game: AnyGame, player: PlayerKey) -> str:
    return HANDS.get(game.key, OTHERS)[PLAYERS.index(player)]


def entries(state: State, phone: Phone) -> Iterator[Values]:
    """Yield what may be typed on a phone: hands whole, begun and cleared; the scorekeeper's answers."""
    game, seats = state.game, PLAYERS if phone.keeps else [phone.me]
    for player in filter(None, seats):
        whole = hand_of(game, player)
        yield from ({player: {"hand": hand}} for hand in (whole, whole[:5], ""))
    for question in game.questions if phone.keeps else ():
        if question.kind == "player":
            yield from ({TABLE: {question.key: answer}} for answer in (*PLAYERS, "nobody", ""))
        elif question.kind in ("players", "winners"):
            yield from ({player: {question.key: tick}} for player, tick in product(PLAYERS, (True, False)))
        elif question.kind == "bets":
            yield from ({TABLE: {BETS: line}} for line in ("", "check", "fold; fold"))


def moves(state: State, phone: Phone) -> Iterator[State]:
    """Yield what any tap on a phone makes of the state; refused ones nothing."""
    if phone.look == "screen":
        return
    yield from (state.typed(phone, cells) for cells in entries(state, phone))
    hand = state.seen(phone)
    for asked in buttons(hand, phone.keeps):
        try:
            yield state.after(carry_out(hand.round, asked), phone)
        except Refused:
            continue
    if phone.keeps and not (showing.is_betting(hand) or showing.asks_who_knocked(hand)):
        yield replace(state, is_shown=True)


def tap(state: State, phone: Phone, step: Button) -> State:
    """Do what a button of the state line says; in the places, what is asked for there."""
    hand = state.seen(phone)
    if step.do in ACTIONS:
        asked = next(one for one in buttons(hand, phone.keeps) if (one.do, one.player) == (step.do, step.player))
        return state.after(carry_out(hand.round, asked), phone)
    if step.do == "show":
        showing.must_not_be_betting(hand)
        showing.must_know_who_knocked(hand)
        return replace(state, is_shown=True)
    if step.do == "hand":
        assert phone.me is not None
        return state.typed(phone, {phone.me: {"hand": hand_of(state.game, phone.me)}})
    if step.do == "table":
        assert phone.keeps
        keeper = replace(phone, look="keeper")
        main = state.step(keeper).main
        assert main is not None
        return tap(state, keeper, main)
    assert step.do == "hands", step
    missing = {player: {"hand": hand_of(state.game, player)} for player in showing.lacking(hand)}
    question = next((q.key for q in state.game.questions if q.kind == "player"), None)
    told = {TABLE: {question: str(ANA)}} if question is not None and showing.asks_who_knocked(hand) else {}
    bets = {TABLE: {BETS: "fold; fold"}} if showing.is_betting(hand) else {}
    return state.typed(phone, {**missing, **told, **bets})


def is_settled(state: State) -> bool:
    """Return whether the round as entered settles."""
    hand = state.seen(Phone(None, "keeper"))
    values, round = values_in(state.cells), dict[str, Any]()
    follows = {key for question in state.game.questions for key in question.instead_of} if hand.played else set()
    for question in (q for q in state.game.questions if q.key not in follows):
        if question.kind == "player":
            round[question.key] = hand.round.player(values.get(TABLE, {}).get(question.key))
        elif question.kind in ("players", "winners"):
            round[question.key] = [player for player in PLAYERS if values.get(player, {}).get(question.key) is True]
    must = showing.must_show(hand)
    round["hands"] = {player: values[player]["hand"] for player in must}
    round |= hand.played.actions if hand.played else {}
    document = {"game": state.game.key, "players": hand.players, "dealer": hand.dealer, "round": round}
    found = read_round(document, are_keys=True)
    # a mistake in what was entered, such as a knock by somebody who dropped, is told when it is settled
    return all(problem.code not in ("missing-hand", "missing-field") for problem in found.problems)


def settle(state: State, phones: tuple[Phone, ...], *, first: str) -> None:
    """Tap what the state lines say until one says "Settle": of the phones that can act, those that look so first."""
    path = []
    for _ in range(MOST_STEPS):
        steps = [(phone, state.step(phone)) for phone in sorted(phones, key=lambda phone: phone.look != first)]
        ready = [(phone, step.main) for phone, step in steps if step.main and moves_on(state, phone, step.main)]
        ready = ready or [(phone, step.quiet) for phone, step in steps if step.quiet]
        assert ready, path
        phone, step = ready[0]
        path.append((phone.look, step.do, step.player))
        if step.do == "settle":
            assert is_settled(state), path
            return
        state = tap(state, phone, step)
    raise AssertionError(path)


def moves_on(state: State, phone: Phone, step: Button) -> bool:
    """Return whether a step moves the hand on."""
    return step.do == "settle" or tap(state, phone, step).mark != state.mark


def check(state: State, phones: tuple[Phone, ...]) -> None:
    """Every screen says what is next; whoever one waits for has a button for it."""
    steps = {phone: state.step(phone) for phone in phones}
    for phone, step in steps.items():
        assert str(step.sentence)
        buttons_of = [one for one in (step.main, step.quiet) if one is not None]
        assert step.waits_for or buttons_of, (phone, step)
        assert phone.look != "screen" or not buttons_of
        for button in buttons_of:
            assert button.do in PLACES or button.do in ACTIONS
            if button.do in ACTIONS:
                tap(state, phone, button)  # isn't refused
        for player in step.waits_for:
            own = [steps[one] for one in phones if one.look == "player" and one.me == player]
            own += [steps[one] for one in phones if one.look == "keeper"] if player == KEEPER or not own else []
            assert all(one.main or one.quiet for one in own), (phone, step, own)
    assert steps[next(phone for phone in phones if phone.look == "keeper")].main is not None


@pytest.mark.parametrize("phones", TABLES.values(), ids=TABLES)
@pytest.mark.parametrize("game", [game for game in all_games().values() if game.has_hands], ids=lambda game: game.key)
def test_every_state_names_the_next_step_and_can_be_settled(game: AnyGame, phones: tuple[Phone, ...]) -> None:
    random, first = Random(46), State(game, {})
    known, open_states = {first.mark}, [first]
    for _ in range(MOST):
        state = open_states.pop(random.randrange(len(open_states)))
        check(state, phones)
        for way in ("player", "host", "keeper"):
            settle(state, phones, first=way)
        for phone in phones:
            for after in moves(state, phone):
                if after.mark not in known:
                    known.add(after.mark)
                    open_states.append(after)


@pytest.mark.parametrize("phones", TABLES.values(), ids=TABLES)
def test_without_hands_the_scorekeeper_says_who_won(phones: tuple[Phone, ...]) -> None:
    state = State(next(game for game in all_games().values() if not game.has_hands), {})
    for phone in phones:
        step = state.step(phone)
        assert str(step.sentence) == "9 deals"
        assert step.waits_for == (KEEPER,)
        assert (step.main is not None and step.main.do == "hands") == phone.keeps
        assert (step.note is None) == phone.keeps
    assert not may_reveal_hands(read_round(ROUNDS[state.game.key]), {})
