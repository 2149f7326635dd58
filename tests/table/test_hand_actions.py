"""Every action in every state of a hand that can be reached: what it changes, or why it can't be done."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import pytest

from companion.engine.game import AnyGame
from companion.engine.messages import Message
from companion.engine.players import PlayerKey
from companion.games import all_games
from companion.table.cells import DEALT, GAME, HAND, TABLE, Cells, values_in, written
from companion.table.decisions import at_once
from companion.table.hand import HandInPlay
from companion.table.input import ACTIONS, Asked, carry_out
from companion.table.next_round import NextRound, RoundBefore
from companion.table.refusals import Refused
from companion.table.sight import see

PLAYERS = [PlayerKey(key) for key in ("7", "8", "9")]
MOST = 30  # states of each game, from the beginning of the hand
AMOUNTS = (1, 3)


@dataclass
class Before:
    """A night before its first round."""

    game: str
    number: int = 1
    seated: Sequence[PlayerKey] = tuple(PLAYERS)
    present: Sequence[PlayerKey] = tuple(PLAYERS)
    pot: int = 0
    in_front: Mapping[str, int] | None = None
    dealer: PlayerKey | None = None
    last: RoundBefore | None = None
    called: str = ""
    dealer_chooses: bool = False
    changed: Mapping[str, Any] = field(default_factory=dict)

    @property
    def dealers(self) -> Sequence[PlayerKey]:
        return [self.dealer] if self.dealer else []

    def stake(self, game: str) -> int:
        return 1

    def rules(self, game: str) -> Mapping[str, Any]:
        return self.changed

    def kept(self, game: str) -> Mapping[str, int]:
        return {}


def round_of(
    game: AnyGame, cells: Cells, me: PlayerKey | None = None, device: str | None = None, **before: Any
) -> NextRound[Before]:
    known = Before(game.key, **before)
    sight = see(cells, device, is_shown=False, at_once=at_once(game, known, values_in(cells)))
    return NextRound(known, game, sight, me)


def buttons(hand: HandInPlay, keeps: bool) -> Iterator[Asked]:
    """Yield every request that a phone can send, whether or not its page shows the button."""
    whats = [f"{counter.key}-{step}" for counter in hand.counters for step in ("more", "2", "less", "")] or [""]
    for do in ACTIONS:
        for player in PLAYERS:
            for what in whats if do == "count" else ("",):
                for amount in AMOUNTS if do in ("bet", "raise", "allin") else AMOUNTS[:1]:
                    yield Asked(do, player, what, amount, hand.mark, keeps)


def walk(game: AnyGame, **before: Any) -> Iterator[tuple[Cells, NextRound[Before], Asked, Cells | None]]:
    """Try every button in each state; yields the state, the round as tried, and the state after it, None if refused."""
    states: deque[Cells] = deque([{}])
    known = {HandInPlay(round_of(game, {}, **before)).mark}
    while states:
        cells = states.popleft()
        for me, keeps in ((PLAYERS[0], False), (PLAYERS[1], False), (None, True), (PLAYERS[2], True)):
            round = round_of(game, cells, me, **before)
            for asked in buttons(HandInPlay(round), keeps):
                try:
                    after: Cells | None = written(cells, carry_out(round, asked), "phone")
                except Refused as refused:
                    assert refused.message.template
                    after = None
                yield cells, round, asked, after
                if after is not None:
                    mark = HandInPlay(round_of(game, after, **before)).mark
                    if mark not in known and len(known) < MOST:
                        known.add(mark)
                        states.append(after)


@pytest.mark.parametrize("game", all_games().values(), ids=all_games())
def test_every_action_leads_to_a_state_or_says_why_not(game: AnyGame) -> None:
    done = set()
    for _, round, asked, after in walk(game):
        if after is None:
            continue
        done.add(asked.do)
        hand = HandInPlay(round_of(game, after))
        shown = [getattr(hand, name) for name in dir(HandInPlay) if not name.startswith("_") and name != "offer"]
        assert shown and hand.problem is None
        assert hand.turn is None or hand.turn in PLAYERS
        # nobody acts for others but the scorekeeper, and bets are made by whose turn it is
        assert asked.keeps or asked.player == round.me
        if asked.do in ("fold", "check", "call", "bet", "raise", "allin", "done"):
            assert asked.player == HandInPlay(round).turn or (asked.keeps and asked.do == "done")
        if ACTIONS[asked.do].is_keepers:
            assert asked.keeps
    assert done or not game.has_hands
    questions = {question.kind for question in game.questions}
    assert {"knocks", "unknock"} <= done or not HandInPlay(round_of(game, {})).knock_word
    assert {"fold", "bet", "undo"} <= done or "bets" not in questions


@pytest.mark.parametrize("game", all_games().values(), ids=all_games())
def test_starting_over_leaves_the_cards_alone(game: AnyGame) -> None:
    for cells, round, asked, after in walk(game):
        if asked.do == "over" and after is not None:
            held = written(cells, {"7": {HAND: "9s"}}, "phone")
            over = written(held, carry_out(replaced(round, held), asked), "phone")
            hand = HandInPlay(round_of(game, over))
            assert (hand.is_begun, hand.bets, hand.knocked, hand.out, hand.asked_back) == (False, (), None, (), None)
            assert over["7"][HAND] == ["9s", "phone"]


def replaced(round: NextRound[Before], cells: Cells) -> NextRound[Before]:
    return NextRound(round.before, round.game, see(cells, None, is_shown=False), round.me)


def test_a_hand_that_moved_on_is_refused_but_not_what_is_counted() -> None:
    counted = {game: HandInPlay(round_of(game, {})).counters for game in all_games().values()}
    game, counter = next((game, counters[0]) for game, counters in counted.items() if counters)
    round = round_of(game, {}, PLAYERS[0])
    with pytest.raises(Refused, match="moved on"):
        carry_out(round, Asked("fold", "7", mark="of before"))
    assert carry_out(round, Asked("count", "7", f"{counter.key}-more", mark="of before")) == {"7": {counter.key: "1"}}


def test_only_the_scorekeeper_changes_the_game() -> None:
    poker, knock = all_games()["knock-poker"], all_games()["knock"]
    cells = {TABLE: {GAME: ["knock-poker", "phone"]}}
    round = round_of(knock, cells, PLAYERS[0])
    asked = Asked("knocks", "7", mark=HandInPlay(round).mark)
    with pytest.raises(Refused) as refused:
        carry_out(round, asked)
    text = "The table is playing {game} now; check where it stands"
    assert refused.value.message == Message(text, game=Message(poker.name))
    assert carry_out(round, replace(asked, keeps=True))[TABLE][GAME] == "knock"


def test_after_a_knock_in_a_game_without_last_turns_hands_are_entered(monkeypatch: pytest.MonkeyPatch) -> None:
    game = all_games()["knock"]
    monkeypatch.setattr(type(game), "last_turns", lambda _game, _round: None)
    hand = HandInPlay(round_of(game, {TABLE: {"knocker": ["8", "phone"]}}))
    assert (hand.knocked, hand.last_turns, hand.is_over, hand.turn) == ("8", (), True, None)


def test_nothing_is_counted_while_too_few_play() -> None:
    games = all_games().values()
    assert any(HandInPlay(round_of(game, {})).counters for game in games)
    alone = [HandInPlay(round_of(game, {}, seated=PLAYERS[:1], present=PLAYERS[:1])).counters for game in games]
    assert alone == [()] * len(alone)


def test_gu_3_all_decide_at_once_and_then_only_the_scorekeeper_changes_it() -> None:
    game, cells = all_games()["guts"], dict[str, Any]()
    for player, do in zip(PLAYERS, ("in", "out", "in"), strict=True):
        round = round_of(game, cells, player, device=player)
        cells = written(cells, carry_out(round, Asked(do, player)), player)
    hand = HandInPlay(round_of(game, cells))
    assert (hand.round.undecided, hand.out) == ((), (PLAYERS[1],))
    changed = Asked("in", PLAYERS[1])
    with pytest.raises(Refused, match="All have decided"):
        carry_out(round_of(game, cells, PLAYERS[1]), changed)
    kept = written(cells, carry_out(round_of(game, cells), replace(changed, keeps=True)), "keeper")
    assert HandInPlay(round_of(game, kept)).out == ()
    with pytest.raises(Refused, match="That isn't decided in Knock Poker"):
        carry_out(round_of(all_games()["knock-poker"], {}, PLAYERS[0]), Asked("in", PLAYERS[0]))
    over = carry_out(round_of(game, cells), Asked("over", PLAYERS[0], mark=hand.mark, keeps=True))
    assert round_of(game, written(cells, over, "keeper")).undecided == tuple(PLAYERS)


# what was done before, by whom | who now shows a winning hand, and why not; None: they may. Rules: DO-6, DO-7, TH-5
OUTRIGHT = [
    ("dompe", [], "8", None),
    ("dompe", [("outright", "7")], "8", "already shows a winning hand"),
    ("dompe", [("knocks", "8")], "7", None),
    ("dompe", [("knocks", "8")], "9", "It is 7's turn"),
    ("dompe", [("knocks", "9")], "7", "That can't be done in this turn"),
    ("thirty-one", [], "9", None),
    ("thirty-one", [("knocks", "8")], "9", "It is 9's turn|That can't be done"),
    ("knock-poker", [], "8", "Nobody wins outright in Knock Poker"),
]


@pytest.mark.parametrize(("key", "done", "player", "why_not"), OUTRIGHT)
def test_who_may_show_a_hand_that_wins_outright(
    key: str, done: list[tuple[str, str]], player: str, why_not: str | None
) -> None:
    game, cells = all_games()[key], dict[str, Any]()
    for do, by in done:
        round = round_of(game, cells, PlayerKey(by))
        cells = written(cells, carry_out(round, Asked(do, by, mark=HandInPlay(round).mark)), by)
    round = round_of(game, cells, PlayerKey(player))
    asked = Asked("outright", player, mark=HandInPlay(round).mark)
    if why_not is not None:
        with pytest.raises(Refused, match=why_not):
            carry_out(round, asked)
        return
    hand = HandInPlay(round_of(game, written(cells, carry_out(round, asked), player)))
    assert (hand.outright, hand.turn, hand.last_turns, hand.is_over) == (player, None, (), True)


def test_do_6_only_who_shows_a_winning_hand_takes_it_back_and_nobody_the_call_before_it() -> None:
    game, cells = all_games()["dompe"], dict[str, Any]()
    for do, by in (("knocks", "8"), ("outright", "7")):
        round = round_of(game, cells, PlayerKey(by))
        cells = written(cells, carry_out(round, Asked(do, by, mark=HandInPlay(round).mark)), by)
    round = round_of(game, cells, PlayerKey("8"))
    for do, why in (("cover", "Only the player who shows"), ("unknock", "already shows a winning hand")):
        with pytest.raises(Refused, match=why):
            carry_out(round, Asked(do, "8", mark=HandInPlay(round).mark))
    round = round_of(game, cells, PlayerKey("7"))
    back = written(cells, carry_out(round, Asked("cover", "7", mark=HandInPlay(round).mark)), "7")
    hand = HandInPlay(round_of(game, back))
    assert (hand.outright, hand.knocked, hand.turn) == (None, "8", "7")


def test_once_the_cards_are_dealt_the_game_changes_only_by_choice() -> None:
    knock = all_games()["knock"]
    round = round_of(knock, {TABLE: {GAME: ["knock-poker", "phone"], DEALT: ["yes", "phone"]}})
    mark = HandInPlay(round).mark
    with pytest.raises(Refused, match="is playing Knock Poker now"):
        carry_out(round, Asked("knocks", "8", mark=mark, keeps=True))
    assert carry_out(round, Asked("game", keeps=True))[TABLE][GAME] == "knock"


def test_who_joins_in_the_middle_of_a_hand_sits_it_out() -> None:
    guts, newcomer = all_games()["guts"], PlayerKey("10")
    begun = {TABLE: {"order": [".".join(PLAYERS), "7"]}}
    joined = {"present": [*PLAYERS, newcomer], "dealer": newcomer}
    hand = HandInPlay(round_of(guts, begun, newcomer, **joined))
    assert (list(hand.players), hand.round.undecided, hand.round.my_seat) == (list(PLAYERS), tuple(PLAYERS), None)
    assert (hand.dealer, hand.problem) == (PLAYERS[-1], None)
    assert HandInPlay(round_of(guts, {}, newcomer, **joined)).round.undecided == (*PLAYERS, newcomer)
    moved = HandInPlay(round_of(guts, begun, present=[*reversed(PLAYERS), newcomer]))
    assert str(moved.moved) == "The seats were changed during this hand"
