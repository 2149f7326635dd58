"""Odds in words, and what a tally of strengths says about a hand."""

from __future__ import annotations

import pytest

from companion.engine.hands.rarity import HandCounts, odds
from companion.engine.hands.strength import Reading, Strength
from companion.engine.messages import Message

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
    level = ("low", "high").index(category)
    return Reading(Strength(level, category, ranks), Message(category), Message(f"{category} {ranks[0]}"))


COUNTS = {"high 2": 1, "high 1": 9, "low 2": 290, "low 1": 660, "low 0": 40}
AT_LEAST = [
    ("high 2", 1, "1 in 1,000 hands is this good"),
    ("high 1", 10, "1 in 100 hands is this good"),
    ("low 2", 300, "3 in 10 hands are this good"),
    ("low 1", 960, "more than 9 in 10 hands are this good"),
    ("low 0", 1000, "every hand is this good"),
]


def hand_of(text: str) -> Reading:
    category, rank = text.split()
    return reading(category, int(rank))


@pytest.mark.parametrize(("hand", "at_least", "sentence"), AT_LEAST)
def test_rarity_of_a_hand(hand: str, at_least: int, sentence: str) -> None:
    found = HandCounts({hand_of(text).strength: number for text, number in COUNTS.items()}).rarity(hand_of(hand))
    assert (found.at_least, found.of, str(found.sentence)) == (at_least, 1000, sentence)
    assert sentence.startswith(str(found.odds))


def test_categories_of_one_level_are_equally_good() -> None:
    one, other = Strength(1, "this win", ()), Strength(1, "that win", ())
    tally = HandCounts({one: 3, other: 7, Strength(0, "none", ()): 90})
    found = [tally.rarity(Reading(s, Message(s.category), Message(s.category))) for s in (one, other)]
    assert [rarity.at_least for rarity in found] == [10, 10]
