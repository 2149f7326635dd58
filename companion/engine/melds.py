"""Least deadwood of a rummy hand: sets of three or four of a rank, runs of three or more of a suit, ace low.

Every stretch of three or more neighbours is worth melding whole, so what runs bring is read from a table by the
ranks held in a suit; only which sets to take is tried, and a hand of ten has at most three ranks to try. Rule: KR-2.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from .cards import Card

Holding = frozenset[Card]


@dataclass(frozen=True, slots=True)
class Arrangement:
    """A hand laid out: `deadwood` is the value of the unmatched cards. Ace 1, 2 to 10 their number, J Q K 10."""

    deadwood: int
    melds: tuple[tuple[Card, ...], ...]
    unmatched: tuple[Card, ...]


def value(card: Card) -> int:
    """Give a card's points. Rule: KR-1."""
    return min(card.rank, 10)


def least_deadwood(hand: Sequence[Card]) -> Arrangement:
    """Arrange a hand of 52-card cards so that its deadwood is the lowest possible.

    Of several such arrangements any one; sets come before runs, the unmatched cards as they are held.
    """
    by_rank: dict[int, list[Card]] = {}
    for card in hand:
        by_rank.setdefault(card.rank, []).append(card)
    sets = [tuple(cards) for cards in by_rank.values() if len(cards) >= 3]
    _, melds = max(_choices(frozenset(hand), sets), key=lambda choice: choice[0])
    melded = {card for meld in melds for card in meld}
    unmatched = tuple(card for card in hand if card not in melded)
    return Arrangement(sum(map(value, unmatched)), melds, unmatched)


def _choices(left: Holding, sets: Sequence[tuple[Card, ...]]) -> Iterator[tuple[int, tuple[tuple[Card, ...], ...]]]:
    """Yield what can be melded, as points and melds, for every way to take or leave the sets of these ranks."""
    if not sets:
        runs = tuple(_runs(left))
        yield sum(value(card) for run in runs for card in run), runs
        return
    yield from _choices(left, sets[1:])
    same = sets[0]
    wholes = [same] if len(same) == 3 else [same, *(tuple(c for c in same if c is not out) for out in same)]
    for taken in wholes:
        points = len(taken) * value(taken[0])
        for more, melds in _choices(left.difference(taken), sets[1:]):
            yield points + more, (taken, *melds)


def _runs(cards: Holding) -> Iterator[tuple[Card, ...]]:
    by_suit: dict[str, dict[int, Card]] = {}
    for card in cards:
        by_suit.setdefault(card.suit, {})[card.rank] = card
    for suit in sorted(by_suit):
        by_number = by_suit[suit]
        for first, end in _stretches(sum(1 << rank for rank in by_number)):
            yield tuple(by_number[rank] for rank in range(first, end))


@cache
def _stretches(ranks: int) -> tuple[tuple[int, int], ...]:
    """Find the stretches of three or more neighbours among the ranks given as bits, as (first, end)."""
    found = []
    first = 1
    while ranks >> first:
        end = first
        while ranks >> end & 1:
            end += 1
        if end - first >= 3:
            found.append((first, end))
        first = end + 1
    return tuple(found)
