"""Betting rounds, action by action, against tables and an independent implementation of the rules."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tables import each_row

from companion.engine.allowed import ACTIONS, Action
from companion.engine.betting.actions import Betting, BettingRound, Limits, add_action, first_round, play
from companion.engine.money.pots import MAX_UNITS

LIMITS = {
    "FREE": Limits(0, 0, False, True),  # DP-8 without limits
    "BOUND": Limits(2, 6, False, True),
    "FIXED": Limits(5, 5, False, True),
    "ALL_IN": Limits(0, 0, True, True),
    "ALL_IN_BOUND": Limits(3, 6, True, True),
    "DRAW": Limits(0, 0, False, False),  # DR-7: who has called may not raise
    "DRAW_ALL_IN": Limits(0, 0, True, False),
    "RAISES": Limits(2, 6, False, True, minimum_raise=3, maximum_raise=4),  # DP-9
    "LARGER": Limits(0, 2, False, True, maximum_raise=5),
    "LARGER_ALL_IN": Limits(0, 2, True, True, maximum_raise=5),
    "ONE_RAISE": Limits(0, 0, True, True, most_raises=1),
}


def actions(text: str) -> list[Action]:
    """Parse "A check, B bet 4"."""
    words = [item.split() for item in text.split(",") if item.strip()]
    return [Action(player, kind, int(rest[0]) if rest else 0) for player, kind, *rest in words]  # type: ignore[arg-type]


def played(text: str, limits: str, players: str = "AB", ante: int = 1) -> Betting:
    """Play the bets; those after an exchange follow a slash."""
    lists = [actions(part) for part in text.split("/")]
    return play(dict(zip(("bets", "later"), lists, strict=False)), first_round(tuple(players), ante, LIMITS[limits]))


def stakes(state: BettingRound) -> str:
    """Write what each player has paid: "A5 B1x C3!", with x for folded and ! for all-in."""
    marks = dict.fromkeys(state.folded, "x") | dict.fromkeys(state.all_in, "!")
    return " ".join(f"{player}{state.paid[player]}{marks.get(player, '')}" for player in state.order)


def allowed_words(state: BettingRound) -> str:
    """Write what the player whose turn it is may do: "A check, bet 1+, fold"."""
    texts = []
    for allowed in state.allowed_actions():
        bounds = f"{allowed.least}+" if allowed.most is None else f"{allowed.least}-{allowed.most}"
        texts.append(allowed.kind if allowed.most == 0 else f"{allowed.kind} {bounds}")
    return f"{state.turn} {', '.join(texts)}" if state.turn else ""


# the sentence of DP-8 or DR-7: players, limits, actions, stakes then, what the next may do ("" when it is over)
TOLD = """
the ante is in, dealer's left begins | ABC | FREE | | A1 B1 C1 | A check, bet 1+, fold
all check | ABC | FREE | A check, B check, C check | A1 B1 C1
check while nobody has bet | ABC | FREE | A check | A1 B1 C1 | B check, bet 1+, fold
check, bet 4, call | AB | FREE | A check, B bet 4, A call | A5 B5
call puts in what is missing | ABC | FREE | A bet 4 | A5 B1 C1 | B call 4-4, raise 5+, fold
a raise puts in more than a call | ABC | FREE | A bet 4, B raise 6 | A5 B7 C1 | C call 6-6, raise 7+, fold
again and again | AB | FREE | A bet 1, B raise 2, A raise 2, B raise 2 | A4 B5 | A call 1-1, raise 2+, fold
who checked answers a bet | ABC | FREE | A check, B bet 2, C fold | A1 B3 C1x | A call 2-2, raise 3+, fold
a raise has limits of its own | AB | RAISES | A bet 2 | A3 B1 | B call 2-2, raise 5-6, fold
which don't bind a bet | AB | RAISES | | A1 B1 | A check, bet 2-6, fold
a raise that may be larger than a bet | AB | LARGER | A bet 2 | A3 B1 | B call 2-2, raise 3-7, fold
an all-in up to the largest raise | AB | LARGER_ALL_IN | A bet 2 | A3 B1 | B call 2-2, raise 3-7, fold, all-in 1-7
the first bet isn't a raise | AB | ONE_RAISE | A bet 2 | A3 B1 | B call 2-2, raise 3+, fold, all-in 1+
no raise is left | AB | ONE_RAISE | A bet 2, B raise 4 | A3 B5 | A call 2-2, fold, all-in 1-2
a first bet by all-in isn't a raise either | ABC | ONE_RAISE | A all-in 2, B raise 4 | A3! B5 C1
    | C call 4-4, fold, all-in 1-4
an all-in that raises counts | ABC | ONE_RAISE | A bet 2, B all-in 3 | A3 B4! C1 | C call 3-3, fold, all-in 1-3
an all-in that only calls doesn't | ABC | ONE_RAISE | A bet 2, B all-in 2 | A3 B3! C1
    | C call 2-2, raise 3+, fold, all-in 1+
the next round has its raises again | AB | ONE_RAISE | A bet 2, B raise 4, A call / A bet 1 | A6 B5
    | B call 1-1, raise 2+, fold, all-in 1+
everyone left has put in the same | ABC | FREE | A bet 2, B call, C fold | A3 B3 C1x
past those who folded | ABC | FREE | A fold, B bet 1, C raise 2 | A1x B2 C3 | B call 1-1, raise 2+, fold
one is left | ABC | FREE | A fold, B fold | A1x B1x C1
one is left after a bet | ABC | FREE | A bet 9, B fold, C fold | A10 B1x C1x
who called may raise | ABC | FREE | A bet 1, B call, C raise 2, A fold | A2x B2 C3 | B call 1-1, raise 2+, fold
a minimum and a maximum | AB | BOUND | | A1 B1 | A check, bet 2-6, fold
of the raise above the call | AB | BOUND | A bet 5 | A6 B1 | B call 5-5, raise 7-11, fold
all-in | AB | ALL_IN | | A1 B1 | A check, bet 1+, fold, all-in 1+
all-in for less | ABC | ALL_IN | A bet 4, B all-in 3 | A5 B4! C1 | C call 4-4, raise 5+, fold, all-in 1+
all-in for less ends it | AB | ALL_IN | A bet 4, B all-in 3 | A5 B4!
all-in for the call | ABC | ALL_IN | A bet 4, B all-in 4, C call | A5 B5! C5
all-in for more | AB | ALL_IN | A bet 4, B all-in 6 | A5 B7! | A call 2-2, raise 3+, fold, all-in 1+
past those all-in | ABC | ALL_IN | A all-in 2, B call, C raise 3 | A3! B3 C4 | B call 1-1, raise 2+, fold, all-in 1+
everyone is all-in | AB | ALL_IN | A all-in 2, B all-in 9 | A3! B10!
below the minimum | AB | ALL_IN_BOUND | A all-in 1 | A2! B1 | B call 1-1, raise 4-7, fold, all-in 1-7
a raise below the minimum | AB | ALL_IN_BOUND | A bet 3, B all-in 4 | A4 B5! | A call 1-1, raise 4-7, fold, all-in 1-7
all-in by the ante takes no turn | ABC | ALL_IN | B all-in-by-ante, A bet 4 | A5 B1! C1
    | C call 4-4, raise 5+, fold, all-in 1+
all-in by the ante in turn | ABC | ALL_IN | A all-in-by-ante | A1! B1 C1 | B check, bet 1+, fold, all-in 1+
all-in by the ante leaves one who could bet | AB | ALL_IN | A all-in-by-ante | A1! B1
everyone is all-in by the ante | AB | ALL_IN | B all-in-by-ante, A all-in-by-ante | A1! B1!
all-in by the ante, after the exchange | ABC | DRAW_ALL_IN | C all-in-by-ante, A bet 2, B call / A check | A3 B3 C1!
    | B check, bet 1+, fold, all-in 1+
who called may not raise | ABC | DRAW | A bet 1, B call, C raise 2, A fold | A2x B2 C3 | B call 1-1, fold
who called may only fill up | ABC | DRAW_ALL_IN | A bet 1, B call, C raise 5, A call | A6 B2 C6
    | B call 4-4, fold, all-in 1-4
who checked may raise | AB | DRAW | A check, B bet 1 | A1 B2 | A call 1-1, raise 2+, fold
who bet may raise | AB | DRAW | A bet 1, B raise 3 | A2 B4 | A call 2-2, raise 3+, fold
nobody raises their own raise | ABC | DRAW | A bet 1, B raise 2, C call, A call | A3 B3 C3
a raise called or folded to | ABC | DRAW | A bet 1, B raise 2, C fold, A call | A3 B3 C1x
again from dealer's left | ABC | DRAW | A check, B bet 1, C call, A call / | A2 B2 C2 | A check, bet 1+, fold
again past the folded | ABC | DRAW | A fold, B bet 1, C call / | A1x B2 C2 | B check, bet 1+, fold
a call before the exchange forbids nothing | AB | DRAW | A bet 1, B call / A bet 1 | A3 B2
    | B call 1-1, raise 2+, fold
again past those all-in | ABC | DRAW_ALL_IN | A all-in 2, B call, C call / B bet 3 | A3! B6 C3
    | C call 3-3, raise 4+, fold, all-in 1+
no second round for one left | AB | DRAW | A fold / | A1x B1
no second round with one who could bet | AB | DRAW_ALL_IN | A all-in 2, B call / | A3! B3
no second round with none | AB | DRAW_ALL_IN | A all-in 2, B all-in 2 / | A3! B3!
a fold leaves one who could bet | ABC | DRAW_ALL_IN | A all-in 2, B call, C call / B fold | A3! B3x C3
"""


@each_row(TOLD)
def test_dp_8_dr_7_actions_are_played(row: tuple[str, ...]) -> None:
    _, players, limits, text, paid, next_may = (*row, "")[:6]
    betting = played(text, limits, players)
    assert betting.problem is None
    assert stakes(betting.state) == paid
    assert allowed_words(betting.state) == next_may
    assert betting.is_over == (next_may == "")
    assert [p.code for p in betting.problems()] == ([] if betting.is_over else ["missing-field"])
    assert betting.answers == {"paid": betting.state.paid, "folded": betting.state.folded}


BEGIN = "A may check, bet 1 or more, or fold"
# players, limits, actions, the place of the first that is not allowed, what is said
REFUSED = f"""
out of turn | ABC | FREE | A bet 4, C call | bets.1
    | It is B's turn, not C's; B may call 4, raise with 5 or more, or fold
out of turn at the start | AB | FREE | B check | bets.0 | It is A's turn, not B's; {BEGIN}
check after a bet | AB | FREE | A bet 4, B check | bets.1
    | B can't check here; B may call 4, raise with 5 or more, or fold
bet after a bet | AB | FREE | A bet 4, B bet 6 | bets.1
    | B can't bet here; B may call 4, raise with 5 or more, or fold
call without a bet | AB | FREE | A call | bets.0 | A can't call here; {BEGIN}
all-in without the house rule | AB | FREE | A all-in 2 | bets.0 | A can't go all-in here; {BEGIN}
all-in by the ante, told too late | ABC | ALL_IN | A check, C all-in-by-ante | bets.1
    | It is B's turn, not C's; B may check, bet 1 or more, fold, or go all-in
all-in with nothing in turn | ABC | ALL_IN | A check, B all-in-by-ante | bets.1
    | B can't be all-in by the ante here; B may check, bet 1 or more, fold, or go all-in
all-in by the ante, after the exchange only | AB | DRAW_ALL_IN | A bet 1, B call / A all-in-by-ante | later.0
    | A can't be all-in by the ante here; A may check, bet 1 or more, fold, or go all-in
all-in by the ante without the house rule | AB | FREE | A all-in-by-ante | bets.0
    | A can't be all-in by the ante here; {BEGIN}
raise of a call | AB | FREE | A bet 4, B raise 4 | bets.1
    | B can't raise with 4 here; B may call 4, raise with 5 or more, or fold
after an all-in | ABC | ALL_IN | A all-in 2, B call, C raise 3, A call | bets.3
    | It is B's turn, not A's; B may call 1, raise with 2 or more, fold, or go all-in
bet below the minimum | AB | BOUND | A bet 1 | bets.0 | A can't bet with 1 here; A may check, bet 2 to 6, or fold
raise above the maximum | AB | BOUND | A bet 3, B raise 10 | bets.1
    | B can't raise with 10 here; B may call 3, raise with 5 to 9, or fold
all-in above the maximum | AB | ALL_IN_BOUND | A all-in 7 | bets.0
    | A can't go all-in with 7 here; A may check, bet 3 to 6, fold, or go all-in with 6 at most
one amount only | AB | FIXED | A bet 6 | bets.0 | A can't bet with 6 here; A may check, bet 5, or fold
who called raises | ABC | DRAW | A bet 1, B call, C raise 2, A fold, B raise 2 | bets.4
    | B can't raise here; B may call 1 or fold
who called raises by all-in | ABC | DRAW_ALL_IN | A bet 1, B call, C raise 2, A fold, B all-in 2 | bets.4
    | B can't go all-in with 2 here; B may call 1, fold, or go all-in with 1 at most
the own raise | AB | DRAW | A bet 1, B raise 2, A call, B raise 2 | bets.3
    | The betting is over: everyone left has put in the same or is all-in; take out B's action
after the end | AB | FREE | A check, B check, A bet 2 | bets.2
    | The betting is over: everyone left has put in the same or is all-in; take out A's action
with one left | AB | FREE | A fold, B check | bets.1
    | Everyone but B folded, so the betting is over; take out B's action
a second round with one left | AB | DRAW | A fold / B check | later.0
    | Everyone but B folded, so the betting is over; take out B's action
a second round with one who could bet | AB | DRAW_ALL_IN | A all-in 2, B call / B check | later.0
    | The betting is over: everyone left has put in the same or is all-in; take out B's action
only the first is told | AB | DRAW | A call, B raise 0 / C fold | bets.0 | A can't call here; {BEGIN}
more than anybody can pay | AB | FREE | A bet {MAX_UNITS} | bets.0
    | A would have put in more than 1,000,000,000,000 in total; fix the amount
"""


@each_row(REFUSED)
def test_dp_8_dr_7_refused(row: tuple[str, ...]) -> None:
    _, players, limits, text, place, said = row
    betting = played(text, limits, players)
    assert betting.problems() == (betting.problem,)
    assert betting.problem is not None
    assert (betting.problem.field, betting.problem.code) == (f"round.{place}", "illegal-bet")
    assert str(betting.problem.message) == said
    assert not betting.is_over


@pytest.mark.parametrize(
    ("text", "key", "said"),
    [
        ("", "bets", f"The betting is not over: it is A's turn, and {BEGIN}; add what is missing"),
        ("A check / ", "bets", "it is B's turn"),
        ("A check, B bet 2 / A check, B check", "bets", "A may call 2, raise with 3 or more, or fold"),
        ("A check, B check / A bet 1", "later", "it is B's turn, and B may call 1"),
    ],
)
def test_dp_8_missing_actions_name_whose_turn_it_is(text: str, key: str, said: str) -> None:
    (problem,) = played(text, "DRAW").problems()
    assert (problem.field, problem.code) == (f"round.{key}", "missing-field")
    assert said in str(problem.message)


def test_the_most_anybody_can_pay() -> None:
    betting = played(f"A bet {MAX_UNITS - 1}, B call", "FREE")
    assert betting.is_over
    assert stakes(betting.state) == f"A{MAX_UNITS} B{MAX_UNITS}"


def test_without_an_ante_all_may_check() -> None:
    assert stakes(played("A check, B check", "FREE", ante=0).state) == "A0 B0"


@dataclass
class Table:
    """An independent implementation of the rules: chips in front of seats, and a button that moves around the table."""

    seats: str
    ante: int
    limits: Limits
    before: dict[str, int] = field(default_factory=dict)
    out: set[str] = field(default_factory=set)
    broke: set[str] = field(default_factory=set)
    spoke: list[Action] = field(default_factory=list)
    jumps: int = 0

    def __post_init__(self) -> None:
        self.before = dict.fromkeys(self.seats, self.ante)

    def in_turn(self) -> str | None:
        left = [p for p in self.seats if p not in self.out]
        free = [p for p in left if p not in self.broke]
        level = max(self.before.values())
        quiet = [p for p in free if p not in {action.player for action in self.spoke} or self.before[p] < level]
        nobody_to_answer = len(free) == 1 and self.before[free[0]] == level
        if len(left) == 1 or not quiet or nobody_to_answer:
            return None
        at = self.seats.index(self.spoke[-1].player) + 1 if self.spoke else 0
        return next(p for p in (self.seats * 2)[at:] if p in free)

    def allows(self, action: Action) -> bool:
        if action.player != self.in_turn():
            return False
        to_call = max(self.before.values()) - self.before[action.player]
        above = action.units - to_call
        has_bet = any(a.kind in ("bet", "raise", "all-in") for a in self.spoke)
        has_called = Action(action.player, "call") in self.spoke
        small, large = self.limits.minimum, self.limits.maximum
        if has_bet:
            small, large = self.limits.minimum_raise or small, self.limits.maximum_raise or large
        none_left = self.limits.most_raises and self.jumps > self.limits.most_raises
        may_go_higher = not (has_bet and none_left) and (self.limits.caller_may_raise or not has_called)
        match action.kind:
            case "fold":
                return True
            case "check":
                return not has_bet
            case "call":
                return has_bet
            case "bet":
                return not has_bet and above >= max(small, 1) and (not large or above <= large)
            case "raise":
                return has_bet and may_go_higher and above >= max(small, 1) and (not large or above <= large)
        if not self.limits.all_in or action.units < 1:
            return False
        return above <= 0 or (may_go_higher and (not large or above <= large))

    def do(self, action: Action) -> None:
        level = max(self.before.values())
        to_call = level - self.before[action.player]
        self.before[action.player] += to_call if action.kind == "call" else action.units
        self.jumps += self.before[action.player] > level  # the first bet is one of them
        if action.kind == "fold":
            self.out.add(action.player)
        if action.kind == "all-in":
            self.broke.add(action.player)
        self.spoke.append(action)


ANY_LIMITS = st.builds(
    Limits,
    st.sampled_from([0, 2]),
    st.sampled_from([0, 3]),
    st.booleans(),
    st.booleans(),
    st.sampled_from([0, 1, 3]),
    st.sampled_from([0, 3, 5]),
    st.sampled_from([0, 0, 1, 2]),
)


def every_action(players: str) -> Iterator[Action]:
    for player in players:
        for kind in ACTIONS:
            amounts = range(1, 9) if kind in ("bet", "raise", "all-in") else [0]
            yield from (Action(player, kind, units) for units in amounts)


@given(st.data())
def test_dp_8_dr_7_allowed_actions_match_an_independent_implementation(data: st.DataObject) -> None:
    players = "ABCD"[: data.draw(st.integers(2, 4))]
    limits = data.draw(ANY_LIMITS)
    state = first_round(tuple(players), 1, limits)
    table = Table(players, 1, limits)
    for lap in range(2):
        for _ in range(12):
            assert state.turn == table.in_turn()
            right = [action for action in every_action(players) if table.allows(action)]
            assert [action for action in every_action(players) if state.refusal(action) is None] == right
            if not right:
                break
            action = data.draw(st.sampled_from(right))
            state = state.after(action)
            table.do(action)
            assert dict(state.paid) == table.before
        if state.turn is not None or lap:
            return
        state = state.next_betting_round()
        table.spoke.clear()
        table.jumps = 0


@pytest.mark.parametrize("limits", ["FREE", "BOUND", "ALL_IN", "ALL_IN_BOUND", "DRAW", "DRAW_ALL_IN"])
def test_adding_actions_one_by_one_equals_playing_them_all(limits: str) -> None:
    random, keys = Random(1), ("bets", "later")
    for players in ("AB", "ABC", "ABCDEF") * 15:
        start = first_round(tuple(players), 1, LIMITS[limits])
        told: dict[str, list[Action]] = {key: [] for key in keys}
        now = play(told, start)
        while not now.is_over:
            player = now.state.turn
            assert player is not None
            action = Action(player, random.choice(ACTIONS), random.choice([0, 1, 2, 3, 5, 8]))
            then = add_action(now, action, keys)
            before = now.key
            told[before].append(action)
            whole = play(told, start)
            if then is None:
                assert whole.problem is not None
                told[before].pop()
            else:
                assert then == whole
                now = then
            if len(told[before]) > 40:
                break
        else:
            assert add_action(now, Action(players[0], "check"), keys) is None
