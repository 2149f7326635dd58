"""Rounds with betting: impossible totals, and who takes which part of the pot."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

import pytest
from tables import each_row

from companion.engine.betting.actions import Limits
from companion.engine.betting.settling import (
    BetRules,
    check_limits,
    check_paid,
    play_bets,
    settle_bets,
    stayed,
    who_must_show,
)
from companion.engine.game import AnyRound, Round
from companion.engine.hands.strength import Reading, ShownHand, Strength, assign_places
from companion.engine.messages import Message
from companion.engine.questions.entry import folded, paid

RULES = BetRules(bets="R-bets", pot="R-pot", tied_pot="R-tied", side_pot="R-side")


@dataclass(frozen=True)
class Options:
    """The options of a game with betting."""

    ante: int = 1
    all_in: bool = False
    minimum_bet: int = 0
    maximum_bet: int = 0
    minimum_raise: int = 0
    maximum_raise: int = 0
    most_raises: int = 0
    odd_chips: str = "turn-order"


@dataclass(frozen=True)
class Entry:
    """The questions of a game with betting."""

    paid: dict[str, int] = paid("DP-1")  # noqa: RUF009
    folded: tuple[str, ...] = folded("DP-1")


def round_of(typed: str, pot: int = 0, all_in: bool = False) -> AnyRound:
    """Make a round from "A10 B4 C6x" (paid; x for folded). D deals; the ante is 1 stake of 2 units."""
    paid = {name: int(units) for name, units in re.findall(r"(\w)(\d+)", typed)}
    folded = tuple(re.findall(r"(\w)\d*x", typed))
    players = tuple(re.findall(r"[A-Z]", typed))
    return Round(players, players[-1], players, 2, pot, Options(1, all_in), Entry(paid, folded), {})


def shown(typed: str, order: tuple[str, ...]) -> tuple[ShownHand, ...]:
    """Rank the hands in "A9 B5"; a higher number is a better hand."""
    values = {name: int(number) for name, number in re.findall(r"(\w)(\d+)", typed)}
    readings = {
        name: Reading(
            Strength(1, "pair", (value,)),
            Message("pair"),
            Message("pair of {n}", n=value),
            (Message("a {n}", n=value),),
        )
        for name, value in values.items()
    }
    return assign_places(order, dict.fromkeys(readings, ()), readings)


@pytest.mark.parametrize(
    ("typed", "left", "show"),
    [("A5 B5 C5", "ABC", "ABC"), ("A5 B5x C5", "AC", "AC"), ("A5 B5x C5x", "A", ""), ("A5x B5x", "", "")],
)
def test_c_5_players_who_stayed_show_unless_alone(typed: str, left: str, show: str) -> None:
    assert "".join(stayed(round_of(typed))) == left
    assert "".join(who_must_show(round_of(typed))) == show


PAID = {
    # who paid what, with all-in or not, field and code of each problem
    "all the same": ("A5 B5 C5", False, ""),
    "only the ante": ("A2 B2", False, ""),
    "folded less": ("A5 B5 C2x", False, ""),
    "folded the same": ("A5 B5 C5x", False, ""),
    "one left": ("A5 B3x", False, ""),
    "stayed for less": ("A5 B4 C5", False, "paid.B unequal-bets"),
    "stayed for less, all-in": ("A5 B4 C5", True, ""),
    "folded but paid more": ("A5 B5 C6x", False, "paid.C unequal-bets"),
    "folded but paid more, all-in": ("A5 B4 C6x", True, "paid.C unequal-bets"),
    "folded more than the lowest, all-in": ("A5 B4 C5x", True, ""),
    "less than the ante": ("A1 B1", False, "paid.A bad-value, paid.B bad-value"),
    "less than the ante, all-in": ("A1 B5", True, ""),
    "folded for less than the ante": ("A5 B5 C1x", False, "paid.C bad-value"),
    "folded for less than the ante, all-in": ("A5 B5 C1x", True, "paid.C bad-value"),
    "everybody folded": ("A5x B5x", False, "folded bad-value"),
    "everybody folded for too little": ("A1x B5x", False, "folded bad-value, paid.A bad-value"),
    "what is not said is not judged": ("A5 B C6x", False, "paid.C unequal-bets"),
    "nothing said of those who stayed": ("A B C6x", False, ""),
    "several at once": ("A1 B5 C9x", False, "paid.A bad-value, paid.A unequal-bets, paid.C unequal-bets"),
}


@pytest.mark.parametrize(("typed", "all_in", "problems"), PAID.values(), ids=PAID)
def test_dp_1_impossible_totals_are_problems(typed: str, all_in: bool, problems: str) -> None:
    found = list(check_paid(round_of(typed, all_in=all_in)))
    assert ", ".join(f"{p.field.removeprefix('round.')} {p.code}" for p in found) == problems
    assert all(str(problem.message) for problem in found)


# limits of a bet, limits of a raise | the fields at which they cross
CROSSING = [
    ((3, 0), (0, 0), ""),
    ((0, 3), (0, 0), ""),
    ((3, 3), (0, 0), ""),
    ((1000, 1), (0, 0), "maximum_bet"),
    ((0, 0), (3, 3), ""),
    ((0, 0), (3, 2), "maximum_raise"),
    ((3, 0), (0, 2), "maximum_raise"),
    ((3, 0), (2, 0), ""),
    ((0, 3), (4, 0), "minimum_raise"),
    ((2, 3), (0, 1), "maximum_raise"),
    ((2, 3), (1, 9), ""),
    ((3, 2), (0, 0), "maximum_bet"),
    ((3, 2), (2, 3), "maximum_bet"),
    ((3, 2), (0, 2), "maximum_bet maximum_raise"),
    ((3, 2), (5, 4), "maximum_bet maximum_raise"),
]


@pytest.mark.parametrize(("bets", "raises", "fields"), CROSSING)
def test_dp_8_dp_9_crossed_limits_are_a_problem(bets: tuple[int, int], raises: tuple[int, int], fields: str) -> None:
    found = list(check_limits(Options(1, False, *bets, *raises)))
    assert [(p.field, p.code) for p in found] == [(f"rules.{field}", "bad-value") for field in fields.split()]
    assert all(str(problem.message) for problem in found)


def test_c_1_limits_of_bets_are_stakes() -> None:
    round = round_of("A B C")
    limited = replace(round, options=Options(2, True, 3, 5, 4, 6, 7))
    state = play_bets(limited, {"bets": ()}, caller_may_raise=False).state
    assert dict(state.paid) == {"A": 4, "B": 4, "C": 4}
    assert state.limits == Limits(6, 10, True, False, minimum_raise=8, maximum_raise=12, most_raises=7)


# who paid what | opening pot | house rule | hands | winners | what the pot pays | what decided
SETTLED = """
one left | A5 B3x C2x | 4 | | | A | A14 R-pot | Everyone else folded, so A takes the pot
best hand | A5 B5 C2x | 4 | | A3 B9 | B | B16 R-pot | B's pair beats A's pair: a 9 against a 3
tie | A5 B5 C3x | 0 | | A9 B9 | AB | A7 R-tied, B6 R-tied | A and B tie with pair of 9
returned | A9 B5 | 0 | all-in | A9 B3 | A | A10 R-side, A4 R-side back | A's pair beats B's pair: a 9 against a 3
returned to the loser | A9 B5 | 0 | all-in | A3 B9 | B | B10 R-side, A4 R-side back
    | B's pair beats A's pair: a 9 against a 3
side pot | A5 B9 C9 | 0 | all-in | A9 B5 C3 | AB | A15 R-side, B8 R-side | A's pair beats B's pair: a 9 against a 5
side pot of one who stayed | A5 B9 C7x | 0 | all-in | A9 B5 | AB | A15 R-side, B6 R-side
    | A's pair beats B's pair: a 9 against a 5
shared side pot | A5 B8 C8 | 1 | all-in | A3 B9 C9 | BC | B8 R-side, C8 R-side, B3 R-side, C3 R-side
    | B and C tie with pair of 9
"""


@each_row(SETTLED)
def test_dp_7_parts_go_to_the_best_hand_that_paid_into_them(row: tuple[str, ...]) -> None:
    _, typed, pot, rule, hands, winners, paid_out, decided = row
    round = round_of(typed, int(pot), rule == "all-in")
    settled = settle_bets(round, shown(hands, round.turn_order), RULES)
    out = [t for t in settled.transfers if t.giver == "pot"]
    assert "".join(settled.winners) == winners
    texts = [f"{t.taker}{t.amount} {t.rule}{' back' if t.reason.key == 'returned' else ''}" for t in out]
    assert ", ".join(texts) == paid_out
    assert str(settled.decided_by).split(";")[0] == decided
    assert settled.pot_in == sum(round.entry.paid.values())
    assert settled.pot_closing == 0
    assert all(str(t.because) for t in settled.transfers)


def test_c_3_odd_units_of_a_tie_can_stay_in_the_pot() -> None:
    usual = round_of("A5 B5 C3x")
    round = replace(usual, options=Options(odd_chips="stay-in-pot"))
    settled = settle_bets(round, shown("A9 B9", round.turn_order), RULES)
    assert [t.amount for t in settled.transfers if t.giver == "pot"] == [6, 6]
    assert settled.pot_closing == 1


def test_dp_1_antes_and_then_bets_in_turn_order() -> None:
    settled = settle_bets(round_of("A5 B2x C3x"), (), RULES)
    put_in = [f"{t.giver}{t.amount} {t.reason.key} {t.rule}" for t in settled.transfers if t.taker == "pot"]
    assert put_in == ["A2 ante R-bets", "B2 ante R-bets", "C2 ante R-bets", "A3 bets R-bets", "C1 bets R-bets"]


@pytest.mark.parametrize(
    ("typed", "hands", "also"),
    [("A5 B9 C9", "A9 B5 C3", "B wins "), ("A5 B8 C8 D2x", "A9 B5 C5", "B and C win ")],
    ids=["one", "two"],
)
def test_other_winners_are_named_grammatically(typed: str, hands: str, also: str) -> None:
    round = round_of(typed, all_in=True)
    said = str(settle_bets(round, shown(hands, round.turn_order), RULES).decided_by)
    assert also in said[said.index(";") :]
