"""Odds in words, and what a tally of strengths says about a hand."""

from __future__ import annotations

import pytest

from companion.engine.messages import Message
from companion.engine.rarity import HandCounts, Rarity, odds
from companion.engine.strength import Reading, Strength

ODDS = [
    (4, 2_598_960, "1 in 649,740"),
    (3744, 2_598_960, "1 in 694"),  # 694.17
    (2, 9, "1 in 5"),  # 4.5, half up
    (4, 17, "1 in 4"),  # 4.25
    (2, 7, "1 in 4"),  # 3.5, half up
    (3, 10, "3 in 10"),
    (1_098_240, 2_598_960, "4 in 10"),  # 42.3 %
    (9, 20, "5 in 10"),  # 45 %, half up
    (94, 100, "9 in 10"),
    (95, 100, "more than 9 in 10"),
    (99_999, 100_000, "more than 9 in 10"),
    (7, 7, "every hand"),
    (10**9, 15_820_024_220, "1 in 16"),
]


@pytest.mark.parametrize(("hands", "of", "words"), ODDS)
def test_odds(hands: int, of: int, words: str) -> None:
    assert str(odds(hands, of)) == words


def reading(category: str, *ranks: int) -> Reading:
    level = ("low", "points", "high").index(category)
    return Reading(Strength(level, category, ranks), Message(category), Message(f"{category} {ranks[0]}"))


KINDS = {"high 2": 1, "high 1": 9, "low 2": 40, "low 1": 950}
POINTS = {"points 3": 2, "points 2": 98, "points 1": 900}


def hand_of(text: str) -> Reading:
    category, rank = text.split()
    return reading(category, int(rank))


RARITIES = [
    (KINDS, "high 2", (10, 1), "high: 1 in 100; this hand or better: 1 in 1,000"),
    (KINDS, "high 1", (10, 10), "high: 1 in 100"),
    (KINDS, "low 2", (990, 50), "low: more than 9 in 10; this hand or better: 1 in 20"),
    (KINDS, "low 1", (990, 1000), "low: more than 9 in 10"),
    # where there is but one category the points are what is rare, and fewer hands are as good
    (POINTS, "points 3", (2, 2), "points 3: 1 in 500"),
    (POINTS, "points 2", (100, 100), "points 2 or better: 1 in 10"),
    (POINTS, "points 1", (1000, 1000), "points 1 or better: every hand"),
]


@pytest.mark.parametrize(("counts", "hand", "numbers", "words"), RARITIES)
def test_rarity_of_a_hand(counts: dict[str, int], hand: str, numbers: tuple[int, int], words: str) -> None:
    found = HandCounts({hand_of(text).strength: number for text, number in counts.items()}).rarity(hand_of(hand))
    assert (found.alike, found.at_least, found.of) == (*numbers, 1000)
    assert str(found.words) == words


def test_categories_of_one_level_are_equally_good() -> None:
    one, other = Strength(1, "this win", ()), Strength(1, "that win", ())
    tally = HandCounts({one: 3, other: 7, Strength(0, "none", ()): 90})
    found = [tally.rarity(Reading(s, Message(s.category), Message(s.category))) for s in (one, other)]
    assert [(rarity.alike, rarity.at_least) for rarity in found] == [(3, 10), (7, 10)]


def test_odds_of_the_kind_and_of_this_hand_or_better() -> None:
    rarity = Rarity(Message("full house"), 3744, 4417, 2_598_960)
    assert (str(rarity.odds), str(rarity.odds_at_least)) == ("1 in 694", "1 in 588")
