"""Least deadwood of any cards of the 52: sets of three or four of a rank, runs of three or more of a suit.

A hand is a number with a bit for each card, thirteen for each suit, the ace lowest. What is loose in a suit, once the
sets are taken away, is read from a table, as every stretch of three or more neighbours is worth melding whole. There is
a table for each place that the ace may have in a run. A set none of whose cards could be in a run is taken; with the
others every way to take or leave them is tried, rank by rank from the ace up. Where that becomes many ways, only the
best is kept of those that later ranks cannot tell apart. Rule: KR-2, KR-10.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache, lru_cache, partial, reduce
from itertools import chain
from operator import or_
from typing import Literal, NamedTuple, get_args

from .cards import FRENCH, Card

Ace = Literal["low", "high-or-low", "round-the-corner"]
ACES: tuple[Ace, ...] = get_args(Ace)

_SUIT = (1 << 13) - 1
_EVERY_SUIT = 1 | 1 << 13 | 1 << 26 | 1 << 39
_ACE, _KING = 1, 1 << 12
_FEW = 64  # ways; no hand of ten cards has as many
_MOST_KEPT = 1 << 14  # of the sets that hands were laid out in
Suits = tuple[int, int, int, int]  # the ranks held in each suit, as bits


class Arrangement(NamedTuple):
    """A hand laid out: `deadwood` is the value of the unmatched cards. Ace 1, 2 to 10 their number, J Q K 10."""

    deadwood: int
    melds: tuple[tuple[Card, ...], ...]
    unmatched: tuple[Card, ...]


Melds = tuple[tuple[Card, ...], ...]


class Runs(NamedTuple):
    """Which runs there are, by the ranks held in a suit, as bits.

    `possible` are the ranks that can be in a run, `loose` is the fewest points that runs leave, and `found` gives the
    runs that leave them, in the suit whose ace has some bit. `lows` tells by the four lowest ranks what of them matters
    to the highest.
    """

    possible: Sequence[int]
    loose: Sequence[int]
    lows: Sequence[int]
    found: Callable[[int, int], Melds]


def value(card: Card) -> int:
    """Give a card's points. Rule: KR-1."""
    return min(card.rank, 10)


def _in_runs(line: int) -> int:
    """Which of the bits of a line have two neighbours in a row, or stand between two."""
    middles = line & line << 1 & line >> 1
    return middles | middles << 1 | middles >> 1


def _lines(held: int, ace: Ace) -> tuple[int, ...]:
    """Lay the ranks of a suit in a line, each once, so that its runs are stretches; bit 13 is the ace again.

    A line for each place of the ace that may be the best.
    """
    if ace == "high-or-low" and held & _ACE:
        return held, held ^ _ACE | _ACE << 13
    if ace == "round-the-corner" and held & _KING:
        around = held & ~(held + 1)  # the ace and what follows it go on where the king ends
        return (held ^ around | around << 13,)
    return (held,)


def _points() -> list[int]:
    """The points of the cards of a suit, by the ranks held."""
    points = [0]
    for card in FRENCH.groups[0]:
        points += [value(card) + others for others in points]
    return points


_POINTS = _points()
_BITS = [1 << card.index for card in FRENCH.pieces]


def _ranks(line: int) -> int:
    return (line | line >> 13) & _SUIT


def _melded(held: int, ace: Ace) -> int:
    """The line of the runs that leave the fewest points."""
    return max(map(_in_runs, _lines(held, ace)), key=lambda line: _POINTS[_ranks(line)])


# by the last three ranks of some, the highest being the last bit: how many stand without a gap at their end
_HIGHS = [(high >> 2) + (high >> 1 == 3) + (high == 7) << 3 for high in range(8)]


# by how many ranks are held from the ace up without a gap: what a run over the king may make of it
_LOWS: Mapping[Ace, Sequence[int]] = {
    "low": (0, 0, 0, 0, 0),
    "high-or-low": (0, 1, 1, 2, 3),  # the ace is loose, in a run that breaks without it, or can be spared
    "round-the-corner": (0, 1, 2, 3, 3),
}


@cache
def runs_with(ace: Ace) -> Runs:
    """Make the tables of the runs in which the ace has these places. Rule: KR-10."""
    every = range(_SUIT + 1)
    if ace == "low":
        possible = [_in_runs(held) for held in every]
        loose = [_POINTS[held ^ in_runs] for held, in_runs in enumerate(possible)]
    else:
        possible = [reduce(or_, (_ranks(_in_runs(line)) for line in _lines(held, ace))) for held in every]
        loose = [_POINTS[held ^ _ranks(_melded(held, ace))] for held in every]
    lows = [_LOWS[ace][(low & ~(low + 1)).bit_count()] for low in range(16)]
    return Runs(possible, loose, lows, cache(partial(_runs, ace)))


def _runs(ace: Ace, first: int, held: int) -> Melds:
    """Find the runs among the ranks held in the suit whose ace has the bit `first`."""
    suit = FRENCH.pieces[first : first + 13]
    line = _melded(held, ace)
    found = []
    while line:
        above = line + (line & -line)  # the lowest stretch goes over into the bit above it
        stretch = line & ~above
        found.append(tuple(card for at, card in enumerate((*suit, *suit)) if stretch >> at & 1))
        line &= above
    return tuple(found)


LOW = runs_with("low")


def least_deadwood(hand: Sequence[Card], runs: Runs = LOW) -> Arrangement:
    """Arrange any cards of the 52, each of them once, so that their deadwood is the lowest possible.

    Of several such arrangements any one; sets come before runs, the unmatched cards as they are held.
    """
    held = sum([_BITS[card.index] for card in hand])
    assert held.bit_count() == len(hand), "a card stands twice"
    possible, loose, _, found = runs
    a, b, c, d = held & _SUIT, held >> 13 & _SUIT, held >> 26 & _SUIT, held >> 39
    threes = a & b & (c | d) | c & d & (a | b)
    melds: Melds = ()
    if threes:
        in_runs = possible[a] | possible[b] | possible[c] | possible[d]
        rest = ~threes | in_runs
        a, b, c, d = a & rest, b & rest, c & rest, d & rest
        if threes & in_runs:
            ways = _ways((a, b, c, d), threes & in_runs, runs)
            _, a, b, c, d = min([(loose[a] + loose[b] + loose[c] + loose[d], a, b, c, d) for a, b, c, d in ways])
        melds = _sets(held ^ (a | b << 13 | c << 26 | d << 39))
    deadwood = loose[a] + loose[b] + loose[c] + loose[d]
    if possible[a]:
        melds += found(0, a)
    if possible[b]:
        melds += found(13, b)
    if possible[c]:
        melds += found(26, c)
    if possible[d]:
        melds += found(39, d)
    if not melds:
        return Arrangement(deadwood, (), tuple(hand))
    melded = {*chain(*melds)}
    return Arrangement(deadwood, melds, tuple([card for card in hand if card not in melded]))


def _ways(suits: Suits, sets: int, runs: Runs) -> list[Suits]:
    """List what is left in the suits for every way to take or leave the sets of some ranks."""
    ways = [suits]
    while sets:
        if len(ways) > _FEW:
            ways = _best_ways(ways, sets, runs)
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


def _best_ways(ways: list[Suits], sets: int, runs: Runs) -> list[Suits]:
    """Keep the best of the ways that come out alike, whatever sets are taken of the ranks that are still to be tried.

    In a suit this depends on the cards that may go on below the next of these ranks, two or more being enough, and on
    those that may follow a king. Ways that are sure to leave no less than the best
    one does are left out as well.
    """
    possible, loose, lows, _ = runs
    below = (sets & -sets) - 1
    down = below.bit_length()
    best: dict[tuple[int, ...], tuple[int, int, Suits]] = {}
    for way in ways:
        a, b, c, d = way
        points = loose[a] + loose[b] + loose[c] + loose[d]
        ends = (
            _HIGHS[a << 3 >> down & 7] | lows[a & below & 15],
            _HIGHS[b << 3 >> down & 7] | lows[b & below & 15],
            _HIGHS[c << 3 >> down & 7] | lows[c & below & 15],
            _HIGHS[d << 3 >> down & 7] | lows[d & below & 15],
        )
        if ends not in best or points < best[ends][0]:
            sure = sum([_POINTS[suit & ~possible[suit] & below] for suit in way])
            best[ends] = points, sure, way
    least, _, way = min(best.values())
    return [way, *(other for _, sure, other in best.values() if sure < least and other != way)]


@lru_cache(_MOST_KEPT)
def _sets(cards: int) -> Melds:
    """Part the cards of sets by their ranks."""
    columns = (cards & _EVERY_SUIT << rank for rank in range(13))
    return tuple(_meld(column) for column in columns if column)


@cache
def _meld(cards: int) -> tuple[Card, ...]:
    return tuple(card for card in FRENCH.pieces if cards >> card.index & 1)
