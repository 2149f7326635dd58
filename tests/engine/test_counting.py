"""Counted hands against published tables, and against dealing every hand of a deck."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from itertools import combinations
from math import comb

import pytest

from companion.engine.betting.draw_game import order_of
from companion.engine.hands.counting import deal_tally, patterns, poker_tally, tally
from companion.engine.hands.poker import FRENCH_ORDER, HIGH_TO_LOW, PokerOrder
from companion.engine.hands.strength import Reading, Strength
from companion.engine.messages import Message
from companion.engine.pieces.cards import (
    FRENCH,
    FRENCH_WITH_JOKER,
    SPANISH_40,
    SPANISH_48,
    Card,
    CardSet,
    french,
    spanish,
)

SEVEN_RANKS = spanish(range(1, 8))
TWO_JOKERS = french(2)


def some(cards: CardSet, *texts: str) -> list[Card]:
    return [card for card in cards.pieces if card.text in texts or card.text[0] in texts]


# set, wild, counts of the categories from five of a kind down to high card
PUBLISHED = {
    "52 cards": (FRENCH, [], "0 4 36 624 3744 5108 10200 54912 123552 1098240 1302540"),
    # 204 straight flushes are 24 royal and 180 others
    "53 with a joker": (FRENCH_WITH_JOKER, [], "13 24 180 3120 6552 7804 20532 137280 123552 1268088 1302540"),
    "54 with two jokers": (TWO_JOKERS, [], "78 84 540 9360 9360 11388 34704 232968 123552 1437936 1302540"),
    # video poker's table: natural and wild royals 4 + 480; five of a kind with the four deuces 624 + 48
    "deuces wild": (FRENCH, ["2"], "672 484 2068 31552 12672 14472 62232 355080"),
}


def by_category(order: PokerOrder) -> Counter[str]:
    found: Counter[str] = Counter()
    for hand, _, number in patterns(order.cards, order.wild, 5):
        found[order.strength(hand).category] += number
    return found


@pytest.mark.parametrize(("cards", "wild", "counts"), PUBLISHED.values(), ids=PUBLISHED)
def test_categories_are_the_published_ones(cards: CardSet, wild: Sequence[str], counts: str) -> None:
    order = PokerOrder(cards, some(cards, *wild))
    found = by_category(order)
    assert poker_tally(order).of == found.total() == comb(len(cards), 5)
    for category, number in zip(HIGH_TO_LOW, map(int, counts.split()), strict=False):
        assert found[category] == number, category


def dealt(cards: CardSet, size: int) -> list[tuple[Card, ...]]:
    deck = [card for card in cards.pieces for _ in range(cards.copies.get(card, 1))]
    return list(combinations(deck, size))


def pattern(hand: Sequence[Card], wild: Collection[Card]) -> tuple[tuple[int, ...], int, bool]:
    natural = [card for card in hand if card not in wild]
    heights = tuple(sorted(card.height for card in natural))
    return heights, len(hand) - len(natural), len({card.suit for card in natural}) == 1


BY_HAND = {
    "a wild card in a suit": (SEVEN_RANKS, ["2o"], 6),
    "a whole rank wild": (SEVEN_RANKS, ["3"], 5),
    "two wild cards of different ranks": (SEVEN_RANKS, ["2o", "4b"], 5),
    "nothing wild": (SEVEN_RANKS, [], 5),
    "two jokers": (TWO_JOKERS, ["Jk"], 3),
}


@pytest.mark.parametrize(("cards", "wild", "size"), BY_HAND.values(), ids=BY_HAND)
def test_patterns_are_those_of_all_hands(cards: CardSet, wild: Sequence[str], size: int) -> None:
    wilds = frozenset(some(cards, *wild))
    counted = [(pattern(hand, wilds), number) for hand, _, number in patterns(cards, wilds, size)]
    found = dict(counted)
    assert len(found) == len(counted)
    assert found == Counter(pattern(hand, wilds) for hand in dealt(cards, size))


@pytest.mark.thorough
@pytest.mark.parametrize("wild", [[], ["2o"]], ids=["plain", "2o"])
def test_strengths_of_all_658008_hands_of_40_spanish_cards(wild: list[str]) -> None:
    order = PokerOrder(SPANISH_40, some(SPANISH_40, *wild))
    counts = Counter(map(order.strength, combinations(SPANISH_40.pieces, 5)))
    counted: Counter[object] = Counter()
    for hand, _, number in patterns(SPANISH_40, order.wild, 5):
        counted[order.strength(hand)] += number
    assert counted == counts
    # as strong or stronger: for one hand of every hundredth strength
    ranked = sorted(counts)
    examples = {order.strength(hand): hand for hand, _, _ in patterns(SPANISH_40, order.wild, 5)}
    for strength in ranked[::100]:
        rarity = poker_tally(order).rarity(order.read(examples[strength]))
        assert rarity.at_least == sum(number for other, number in counts.items() if other >= strength)


@pytest.mark.thorough
def test_48_spanish_cards_by_combinatorics() -> None:
    found = by_category(PokerOrder(SPANISH_48))
    straights = 12 - 3
    assert found["four-of-a-kind"] == 12 * 44
    assert found["full-house"] == 12 * 4 * 11 * 6
    assert found["flush"] == 4 * (comb(12, 5) - straights)
    assert found["straight"] == straights * (4**5 - 4)
    assert found.total() == comb(48, 5)


def test_a_poker_order_is_tallied_once() -> None:
    order = PokerOrder(SEVEN_RANKS)
    assert poker_tally(order) is poker_tally(order)


def best_suit(hand: Sequence[Card]) -> Strength:
    """Evaluate a hand's best suit, as in Thirty-one; this depends on more than the pattern."""
    points = Counter[str]()
    for card in hand:
        points[card.suit] += card.height + 2
    return Strength(0, "points", (max(points.values()),))


def test_a_strength_that_needs_more_than_the_pattern_is_refused() -> None:
    with pytest.raises(AssertionError, match="deal_tally"):
        tally(SEVEN_RANKS, (), 3, best_suit)


def test_deal_tally_counts_hands_one_by_one() -> None:
    found = deal_tally(SEVEN_RANKS, 3, best_suit)
    by_hand = Counter(best_suit(hand).ranks for hand in dealt(SEVEN_RANKS, 3))
    best = max(by_hand)
    assert found.of == sum(by_hand.values()) == comb(28, 3)
    rarest = found.rarity(Reading(Strength(0, "points", best), Message("points"), Message("points")))
    assert rarest.at_least == by_hand[best]


def test_a_hand_is_as_strong_after_the_count_as_before() -> None:
    order, hand = PokerOrder(SPANISH_40), SPANISH_40.pieces[:5]
    before = order.strength(hand)
    poker_tally(order)
    assert [len(table) for table in order._tables] == [0, 0]  # megabytes, kept for nothing
    assert order.strength(hand) == before


def test_a_draw_with_nothing_wild_is_counted_once_with_the_other_games() -> None:
    assert order_of(FRENCH, "none", True) is order_of(FRENCH, "none", False, "bug") is FRENCH_ORDER
    assert order_of(FRENCH, "2", True) is not FRENCH_ORDER
