"""Counts all the hands of a set of cards by their strength, without dealing them one by one.

What makes a hand of cards strong is which ranks it has how often, how many wild cards, and whether the natural cards
are all of one suit; so one hand of each such pattern is read, and the hands like it are counted by combinations.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator
from functools import cache
from itertools import combinations_with_replacement
from math import comb, prod

from .cards import Card, CardSet
from .poker import PokerOrder
from .rarity import Tally
from .strength import Strength

Hand = tuple[Card, ...]


@cache
def poker_tally(order: PokerOrder) -> Tally:
    """Count all five-card hands of an order's set of cards."""
    return tally(order.cards, order.wild, 5, order.strength)


def tally(cards: CardSet, wild: Collection[Card], size: int, strength: Callable[[Hand], Strength]) -> Tally:
    """Count all hands of a size by a strength that needs no more than their pattern."""
    counts: Counter[Strength] = Counter()
    for hand, number in patterns(cards, wild, size):
        counts[strength(hand)] += number
    return Tally(counts)


def patterns(cards: CardSet, wild: Collection[Card], size: int) -> Iterator[tuple[Hand, int]]:
    """Yield one hand of every pattern with how many hands have it. There are fewer wild cards than a hand has."""
    wilds = tuple(card for card in cards.pieces if card in wild for _ in range(cards.copies.get(card, 1)))
    natural = [[card for card in rank if card not in wild] for rank in _by_rank(cards)]
    for number in range(len(wilds) + 1):
        ways = comb(len(wilds), number)
        for hand, hands in _natural_patterns([rank for rank in natural if rank], size - number, cards.suits):
            yield (*hand, *wilds[:number]), ways * hands


def _by_rank(cards: CardSet) -> list[list[Card]]:
    return [[card for card in cards.pieces if card.height == height] for height in range(cards.heights)]


def _natural_patterns(ranks: list[list[Card]], size: int, suits: str) -> Iterator[tuple[Hand, int]]:
    """Yield a hand of one suit and one of mixed suits, where there are such, for all ranks that a hand may have."""
    for chosen in combinations_with_replacement(range(len(ranks)), size):
        times = Counter(chosen)
        if any(n > len(ranks[at]) for at, n in times.items()):
            continue
        suited = []
        if len(times) == size:
            held = [{card.suit: card for card in ranks[at]} for at in times]
            suited = [tuple(rank[suit] for rank in held) for suit in suits if all(suit in rank for rank in held)]
        if suited:
            yield suited[0], len(suited)
        mixed = prod(comb(len(ranks[at]), n) for at, n in times.items()) - len(suited)
        if mixed:
            *others, last = times
            # the first cards of a rank are of its first suits, the last ones of its last
            yield (*(c for at in others for c in ranks[at][: times[at]]), *ranks[last][-times[last] :]), mixed
