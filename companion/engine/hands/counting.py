"""Count every hand of a deck by strength, without dealing them one by one.

In most games a hand's strength depends only on its pattern: how often each rank occurs, how many wild cards it has, and
whether its natural cards share a suit. So one hand of each pattern is evaluated, and the hands like it are counted with
combinations. In a game where only part of a suit counts, every hand has to be dealt: `deal_tally`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator
from functools import cache
from itertools import combinations, combinations_with_replacement
from math import comb, prod

from ..pieces.cards import Card, CardSet
from .poker import PokerOrder
from .rarity import HandCounts
from .strength import Strength

Hand = tuple[Card, ...]


@cache
def poker_tally(order: PokerOrder) -> HandCounts:
    """Count all five-card hands of a poker order's deck."""
    return tally_by(order, 5, order.strength)


def tally_by(order: PokerOrder, size: int, evaluate: Callable[[Hand], Strength]) -> HandCounts:
    """Count all hands of a poker order's deck, evaluated with its help, and free the memory that this took."""
    counts = tally(order.cards, order.wild, size, evaluate)
    order.empty_tables()
    return counts


def tally(cards: CardSet, wild: Collection[Card], size: int, evaluate: Callable[[Hand], Strength]) -> HandCounts:
    """Count all hands of a size by strength; asserts for each pattern that two of its hands are equally strong."""
    counts: Counter[Strength] = Counter()
    for hand, twin, number in patterns(cards, wild, size):
        strength = evaluate(hand)
        assert twin == hand or evaluate(twin) == strength, "this strength needs more than the pattern: use deal_tally"
        counts[strength] += number
    return HandCounts(counts)


def deal_tally(cards: CardSet, size: int, evaluate: Callable[[Hand], Strength]) -> HandCounts:
    """Count all hands of a size one by one, for strengths that need more than the pattern.

    Fast enough for hands of three or four cards.
    """
    deck = [card for card in cards.pieces for _ in range(cards.copies.get(card, 1))]
    return HandCounts(Counter(map(evaluate, combinations(deck, size))))


def patterns(cards: CardSet, wild: Collection[Card], size: int) -> Iterator[tuple[Hand, Hand, int]]:
    """Yield, for each pattern, two hands that have it (in different suits if possible), and how many hands have it."""
    wilds = tuple(card for card in cards.pieces if card in wild for _ in range(cards.copies.get(card, 1)))
    natural = [[card for card in rank if card not in wild] for rank in _by_rank(cards)]
    for number in range(min(len(wilds), size) + 1):
        ways = comb(len(wilds), number)
        for hand, twin, hands in _natural_patterns([rank for rank in natural if rank], size - number, cards.suits):
            yield (*hand, *wilds[:number]), (*twin, *wilds[:number]), ways * hands


def _by_rank(cards: CardSet) -> list[list[Card]]:
    return [[card for card in cards.pieces if card.height == height] for height in range(cards.heights)]


def _natural_patterns(ranks: list[list[Card]], size: int, suits: str) -> Iterator[tuple[Hand, Hand, int]]:
    """Yield the patterns without wild cards: for each choice of ranks, the one-suit hands, then the mixed ones."""
    if not size:
        yield (), (), 1
        return
    for chosen in combinations_with_replacement(range(len(ranks)), size):
        times = Counter(chosen)
        if any(n > len(ranks[at]) for at, n in times.items()):
            continue
        suited = []
        if len(times) == size:
            held = [{card.suit: card for card in ranks[at]} for at in times]
            suited = [tuple(rank[suit] for rank in held) for suit in suits if all(suit in rank for rank in held)]
        if suited:
            yield suited[0], suited[-1], len(suited)
        mixed = prod(comb(len(ranks[at]), n) for at, n in times.items()) - len(suited)
        if mixed:
            # two hands whose suits are split differently; each rank lists its cards by suit
            yield _mixed(times, ranks, max(times)), _mixed(times, ranks, min(times)), mixed


def _mixed(times: Counter[int], ranks: list[list[Card]], apart: int) -> Hand:
    """Build a hand from the first suits of each rank, except for the rank `apart`, which takes the last suits."""
    return tuple(c for at, n in times.items() for c in (ranks[at][-n:] if at == apart else ranks[at][:n]))
