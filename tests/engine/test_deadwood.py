"""Counted deadwood against every hand of small decks, and all fully melded hands."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from math import comb

import pytest

from companion.engine.hands.deadwood import deadwood_counts
from companion.engine.hands.melds import least_deadwood
from companion.engine.pieces.cards import FRENCH

POINTS = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10)

SMALL = [
    # ranks from, to; size
    (1, 4, 8),
    (1, 4, 10),
    (1, 5, 7),
    (1, 7, 5),
    (9, 13, 7),
    (6, 11, 5),
    (1, 13, 3),
]


@pytest.mark.parametrize(("first", "last", "size"), SMALL)
def test_every_hand_of_a_small_deck(first: int, last: int, size: int) -> None:
    cards = [card for card in FRENCH.pieces if first <= card.rank <= last]
    expected = Counter(least_deadwood(hand).deadwood for hand in combinations(cards, size))
    assert deadwood_counts(size, POINTS[first - 1 : last]) == expected


def melded_hands(*sizes: int) -> set[int]:
    """All hands, as bits, that consist entirely of melds of these sizes."""
    melds: dict[int, list[int]] = {size: [] for size in sizes}
    for size in melds:
        runs = [[(suit, low + step) for step in range(size)] for suit in range(4) for low in range(14 - size)]
        sets = [[(suit, rank) for suit in suits] for rank in range(13) for suits in combinations(range(4), size)]
        melds[size] = [sum(1 << suit * 13 + rank for suit, rank in meld) for meld in runs + sets]
    hands = {0}
    for size in sizes:
        hands = {hand | meld for hand in hands for meld in melds[size] if not hand & meld}
    return hands


MELDED = [
    # a longer run is left out where it falls apart into shorter ones
    (7, [(3, 4)], 4_100),
    pytest.param(10, [(3, 3, 4), (5, 5)], 136_694, marks=pytest.mark.thorough),
]


@pytest.mark.parametrize(("size", "melds", "number"), MELDED)
def test_hands_without_deadwood(size: int, melds: list[tuple[int, ...]], number: int) -> None:
    assert len(set().union(*(melded_hands(*sizes) for sizes in melds))) == number
    assert deadwood_counts(size)[0] == number


def test_seven_cards_as_counted_by_dealing_all_133784560() -> None:
    found = deadwood_counts(7)
    assert sum(found.values()) == comb(52, 7) == 133_784_560
    dealt = {1: 13_968, 10: 111_472, 11: 83_464, 23: 1_067_968, 46: 6_022_964, 61: 756_264, 70: 1_824}
    assert {deadwood: found[deadwood] for deadwood in dealt} == dealt
    assert min(found) == 0
    assert max(found) == 70
