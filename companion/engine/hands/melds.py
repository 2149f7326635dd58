"""Find the least deadwood of any cards from the 52: sets of three or four of a rank, runs of three or more in a suit.

A hand is an integer with one bit per card, thirteen bits per suit, the ace lowest. Once the sets are removed, a table
gives each suit's deadwood: melding every stretch of three or more neighbours completely is always best. There is one
table for each option of where the ace may be in a run. A set whose cards can't be in any run is always taken. For the
other sets, every combination of taking and leaving them is tried, rank by rank from the ace up. When the combinations
become many, only the best of those that look the same to the remaining ranks is kept. Rule: KR-2, KR-10.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache, lru_cache, partial, reduce
from itertools import chain
from operator import or_
from typing import Literal, NamedTuple

from ..pieces.cards import FRENCH, Card

Ace = Literal["low", "high-or-low", "round-the-corner"]

_SUIT = (1 << 13) - 1
_EVERY_SUIT = 1 | 1 << 13 | 1 << 26 | 1 << 39
_ACE, _KING = 1, 1 << 12
_FEW = 64  # ways; no hand of ten cards has as many
_MAX_KEPT = 1 << 14  # entries in the cache of sets
Suits = tuple[int, int, int, int]  # the ranks held in each suit, as bits


class Arrangement(NamedTuple):
    """A hand laid out; `deadwood` is the points of the unmatched cards. Ace 1, 2 to 10 their number, J Q K 10."""

    deadwood: int
    melds: tuple[tuple[Card, ...], ...]
    unmatched: tuple[Card, ...]


Melds = tuple[tuple[Card, ...], ...]


class Runs(NamedTuple):
    """Tables for the runs of one suit, indexed by the ranks held as bits.

    `possible` are the ranks that can be in a run, `loose` is the fewest points that runs can leave over. `list_runs`
    lists such runs for the suit that starts at a given card index. `lows` says what the four lowest ranks held can mean
    to a run over the king.
    """

    possible: Sequence[int]
    loose: Sequence[int]
    lows: Sequence[int]
    list_runs: Callable[[int, int], Melds]


def value(card: Card) -> int:
    """Return a card's points. Rule: KR-1."""
    return min(card.rank, 10)


def _in_runs(line: int) -> int:
    """Return the bits that lie in a row of three or more set bits, as the cards of a run do."""
    middles = line & line << 1 & line >> 1
    return middles | middles << 1 | middles >> 1


def _lines(held: int, ace: Ace) -> tuple[int, ...]:
    """Lay out a suit's ranks so that its runs are stretches of neighbouring bits; bit 13 stands for a high ace.

    Returns one line for each position of the ace that could be best; each rank occurs once per line.
    """
    if ace == "high-or-low" and held & _ACE:
        return held, held ^ _ACE | _ACE << 13
    if ace == "round-the-corner" and held & _KING:
        around = held & ~(held + 1)  # the ace and the ranks adjoining it continue after the king
        return (held ^ around | around << 13,)
    return (held,)


def _points() -> list[int]:
    """List the points of a suit's cards, by the ranks held."""
    points = [0]
    for card in FRENCH.groups[0]:
        points += [value(card) + others for others in points]
    return points


_POINTS = _points()
_BITS = [1 << card.index for card in FRENCH.pieces]


def _ranks(line: int) -> int:
    return (line | line >> 13) & _SUIT


def _melded(held: int, ace: Ace) -> int:
    """Return the line of those runs that leave the fewest points."""
    return max(map(_in_runs, _lines(held, ace)), key=lambda line: _POINTS[_ranks(line)])


# by the three ranks below some rank (the highest is the last bit): how many of them adjoin it without a gap
_HIGHS = [(high >> 2) + (high >> 1 == 3) + (high == 7) << 3 for high in range(8)]


# by how many ranks are held from the ace up without a gap: what a run over the king could use
_LOWS: Mapping[Ace, Sequence[int]] = {
    "low": (0, 0, 0, 0, 0),
    "high-or-low": (0, 1, 1, 2, 3),  # the ace is loose, in a run that breaks without it, or can be spared
    "round-the-corner": (0, 1, 2, 3, 3),
}


@cache
def runs_with(ace: Ace) -> Runs:
    """Build the tables of runs for one option of where the ace may be. Rule: KR-10."""
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
    """Return the best runs among the ranks held in the suit whose ace has index `first`."""
    suit = FRENCH.pieces[first : first + 13]
    line = _melded(held, ace)
    melds = []
    while line:
        above = line + (line & -line)  # the lowest stretch carries over into the bit above it
        stretch = line & ~above
        melds.append(tuple(card for at, card in enumerate((*suit, *suit)) if stretch >> at & 1))
        line &= above
    return tuple(melds)


LOW = runs_with("low")


def least_deadwood(hand: Sequence[Card], runs: Runs = LOW) -> Arrangement:
    """Arrange different cards of the 52 so that their deadwood is as low as possible.

    If several arrangements are equally good, any of them is returned. Sets come before runs; unmatched cards keep the
    hand's order.
    """
    held = sum([_BITS[card.index] for card in hand])
    assert held.bit_count() == len(hand), "duplicate card"
    possible, loose, _, list_runs = runs
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
        melds += list_runs(0, a)
    if possible[b]:
        melds += list_runs(13, b)
    if possible[c]:
        melds += list_runs(26, c)
    if possible[d]:
        melds += list_runs(39, d)
    if not melds:
        return Arrangement(deadwood, (), tuple(hand))
    melded = {*chain(*melds)}
    return Arrangement(deadwood, melds, tuple([card for card in hand if card not in melded]))


def _ways(suits: Suits, sets: int, runs: Runs) -> list[Suits]:
    """List what remains in the suits for every combination of taking and leaving the sets of some ranks."""
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
    """Drop every way to lay down sets that another way beats or equals, whichever of the remaining sets follow.

    Two ways can be compared if the remaining sets affect both alike. In each suit, that depends on the cards just below
    the next of the remaining ranks, which a run could continue (two or more are equivalent), and on the low cards that
    could follow a king. Ways that can't beat the best one are dropped too.
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


@lru_cache(_MAX_KEPT)
def _sets(cards: int) -> Melds:
    """Split the cards of all sets into one meld per rank."""
    columns = (cards & _EVERY_SUIT << rank for rank in range(13))
    return tuple(_meld(column) for column in columns if column)


@cache
def _meld(cards: int) -> tuple[Card, ...]:
    return tuple(card for card in FRENCH.pieces if cards >> card.index & 1)
