"""Least deadwood of a rummy hand: sets of three or four of a rank, runs of three or more of a suit, ace low.

A hand is a number with a bit for each card, thirteen for each suit, the ace lowest. Every stretch of three or more
neighbours is worth melding whole, so what is loose in a suit, once the sets are taken away, is read from a table. A set
none of whose cards could be in a run is taken; with the others every way to take or leave them is tried. Rule: KR-2.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import chain
from typing import NamedTuple

from .cards import FRENCH, Card
from .pieces import ByText

_SUIT = (1 << 13) - 1
_EVERY_SUIT = 1 | 1 << 13 | 1 << 26 | 1 << 39
Suits = tuple[int, int, int, int]  # the ranks held in each suit, as bits


class Arrangement(NamedTuple):
    """A hand laid out: `deadwood` is the value of the unmatched cards. Ace 1, 2 to 10 their number, J Q K 10."""

    deadwood: int
    melds: tuple[tuple[Card, ...], ...]
    unmatched: tuple[Card, ...]


def value(card: Card) -> int:
    """Give a card's points. Rule: KR-1."""
    return min(card.rank, 10)


def _in_runs(held: int) -> int:
    """Which of the ranks held in a suit have two neighbours in a row, or stand between two."""
    middles = held & held << 1 & held >> 1
    return middles | middles << 1 | middles >> 1


def _points() -> list[int]:
    """The points of the cards of a suit, by the ranks held."""
    points = [0]
    for card in FRENCH.groups[0]:
        points += [value(card) + others for others in points]
    return points


# of a suit, by the ranks held: those in its runs, and the points of the others
_IN_RUNS = [_in_runs(held) for held in range(_SUIT + 1)]
_POINTS = _points()
_LOOSE = [_POINTS[held ^ melded] for held, melded in enumerate(_IN_RUNS)]
_BITS = [1 << card.index for card in FRENCH.pieces]
_bit_of = ByText(FRENCH, dict(zip(FRENCH.pieces, _BITS, strict=True))).__getitem__
_card_of = ByText(FRENCH, {card: card for card in FRENCH.pieces}).__getitem__


def deadwood_of(typed: str | Sequence[str]) -> int:
    """Give the least deadwood of cards as they are written: a text for each, in any accepted spelling, or in one line.

    Raises BadHandError for a text that is no card and for a card that stands twice.
    """
    texts = FRENCH.tokens(typed) if isinstance(typed, str) else typed
    held = sum(map(_bit_of, texts))
    if held.bit_count() < len(texts):
        FRENCH.check_copies(texts)
    return _least(held)[0]


def least_deadwood_of(typed: str | Sequence[str]) -> Arrangement:
    """Arrange cards as they are written; see `deadwood_of` and `least_deadwood`."""
    texts = FRENCH.tokens(typed) if isinstance(typed, str) else typed
    return least_deadwood(tuple(map(_card_of, texts)))


def least_deadwood(hand: Sequence[Card]) -> Arrangement:
    """Arrange cards of the 52 so that their deadwood is the lowest possible.

    Of several such arrangements any one; sets come before runs, the unmatched cards as they are held. Raises
    BadHandError for a card that stands twice.
    """
    held = sum([_BITS[card.index] for card in hand])
    if held.bit_count() < len(hand):
        FRENCH.check_copies([card.text for card in hand])
    deadwood, a, b, c, d, threes = _least(held)
    melds = _sets(held ^ (a | b << 13 | c << 26 | d << 39)) if threes else ()
    if _IN_RUNS[a]:
        melds += _runs(0, a)
    if _IN_RUNS[b]:
        melds += _runs(13, b)
    if _IN_RUNS[c]:
        melds += _runs(26, c)
    if _IN_RUNS[d]:
        melds += _runs(39, d)
    if not melds:
        return Arrangement(deadwood, (), tuple(hand))
    melded = {*chain(*melds)}
    return Arrangement(deadwood, melds, tuple([card for card in hand if card not in melded]))


def _least(held: int) -> tuple[int, int, int, int, int, int]:
    """Find the least deadwood, what is left in each suit when the sets that give it are taken away, and the ranks
    that are held three or four times.
    """
    a, b, c, d = held & _SUIT, held >> 13 & _SUIT, held >> 26 & _SUIT, held >> 39
    threes = a & b & (c | d) | c & d & (a | b)
    if threes:
        runs = _IN_RUNS[a] | _IN_RUNS[b] | _IN_RUNS[c] | _IN_RUNS[d]
        rest = ~threes | runs
        a, b, c, d = a & rest, b & rest, c & rest, d & rest
        if threes & runs:
            ways = _ways((a, b, c, d), threes & runs)
            return *min([(_LOOSE[a] + _LOOSE[b] + _LOOSE[c] + _LOOSE[d], a, b, c, d) for a, b, c, d in ways]), threes
    return _LOOSE[a] + _LOOSE[b] + _LOOSE[c] + _LOOSE[d], a, b, c, d, threes


def _ways(suits: Suits, sets: int) -> list[Suits]:
    """List what is left in the suits for every way to take or leave the sets of some ranks."""
    ways = [suits]
    while sets:
        rank = sets & -sets
        sets ^= rank
        others = ~rank
        taken = [(a & others, b & others, c & others, d & others) for a, b, c, d in ways]
        a, b, c, d = suits
        if a & b & c & d & rank:  # three of the four are a set as well
            taken += [
                left
                for a, b, c, d in taken
                for left in ((a | rank, b, c, d), (a, b | rank, c, d), (a, b, c | rank, d), (a, b, c, d | rank))
            ]
        ways += taken
    return ways


@cache
def _sets(cards: int) -> tuple[tuple[Card, ...], ...]:
    """Part the cards of sets by their ranks."""
    columns = (cards & _EVERY_SUIT << rank for rank in range(13))
    return tuple(_meld(column) for column in columns if column)


@cache
def _runs(first: int, held: int) -> tuple[tuple[Card, ...], ...]:
    """Find the runs among the ranks held in the suit whose ace has the bit `first`."""
    ranks = _IN_RUNS[held]
    found = []
    while ranks:
        above = ranks + (ranks & -ranks)  # the lowest stretch goes over into the rank above it
        found.append(_meld((ranks & ~above) << first))
        ranks &= above
    return tuple(found)


@cache
def _meld(cards: int) -> tuple[Card, ...]:
    return tuple(card for card in FRENCH.pieces if cards >> card.index & 1)
