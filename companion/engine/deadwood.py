"""Counts all the rummy hands of a size by their least deadwood, exactly and without dealing them. Rule: KR-2.

The ranks are gone through from the ace up. At each, every suit's card is held or not, and what is held so far can be
laid out in several ways: each leaves the four suits in some state and costs the points of the cards left unmatched. For
the ranks to come it only matters which states can be reached at which least cost. There are few such layouts (at most
a few hundred a rank for hands of ten), and the hands that lead to each are counted by their size and their points.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations, product

from .cards import FRENCH
from .melds import value

# A suit's state, as bits for what may come next: 1 a card that is not part of a run, or none; 2 a run's second card;
# 4 its third or a later one. A state does for all that one with some of its bits does, and with a long run open (all
# three bits) a next card costs nothing.
_CLOSED, _ONE_CARD, _TWO_CARDS, _LONG_RUN = 0b001, 0b010, 0b110, 0b111
_NEXT = {_CLOSED: _ONE_CARD, _ONE_CARD: _TWO_CARDS, _TWO_CARDS: _LONG_RUN, _LONG_RUN: _LONG_RUN}
_SUITS = range(4)
_HOLDINGS = [suits for number in range(5) for suits in combinations(_SUITS, number)]

States = tuple[int, ...]  # of the four suits, which are interchangeable
Layouts = tuple[tuple[States, int], ...]  # with the points that each costs more than the cheapest
Ways = Counter[tuple[int, int]]  # how many hands by (cards, points of the cheapest layout)


def deadwood_counts(size: int, points: Sequence[int] = tuple(map(value, FRENCH.groups[0]))) -> dict[int, int]:
    """Give how many hands of a size have which least deadwood; `points` of a card by rank, from the ace up."""
    start: Layouts = (((_CLOSED,) * 4, 0),)
    reached: dict[Layouts, Ways] = {start: Counter({(0, 0): 1})}
    for worth in points:
        reached = _deal_rank(reached, worth, size)
    found: Counter[int] = Counter()
    for layouts, ways in reached.items():
        finished = min(cost for states, cost in layouts if all(state & _CLOSED for state in states))
        for (cards, deadwood), hands in ways.items():
            if cards == size:
                found[deadwood + finished] += hands
    return dict(sorted(found.items()))


def _deal_rank(reached: dict[Layouts, Ways], worth: int, size: int) -> dict[Layouts, Ways]:
    """Go on by one rank, with every choice of suits held, as far as the hand is not too large."""
    after: dict[Layouts, Ways] = {}
    for layouts, ways in reached.items():
        room = size - min(cards for cards, _ in ways)
        for held, alike in _holdings(layouts):
            if len(held) > room:
                continue
            later, cost = _lay_out(layouts, held, worth)
            more = after.setdefault(later, Counter())
            for (cards, deadwood), hands in ways.items():
                if cards + len(held) <= size:
                    more[cards + len(held), deadwood + cost] += alike * hands
    return after


def _holdings(layouts: Layouts) -> tuple[tuple[tuple[int, ...], int], ...]:
    """List the choices of suits to hold, one for all that differ only in suits which stand alike, with their number."""
    columns = list(zip(*(states for states, _ in layouts), strict=True))
    kinds = {tuple(sorted(columns[suit] for suit in held)): held for held in _HOLDINGS}
    numbers = Counter(tuple(sorted(columns[suit] for suit in held)) for held in _HOLDINGS)
    return tuple((held, numbers[kind]) for kind, held in kinds.items())


def _lay_out(layouts: Layouts, held: tuple[int, ...], worth: int) -> tuple[Layouts, int]:
    """Lay out a rank's cards after those before it; gives the new layouts and the points of the cheapest."""
    sets = [(), *combinations(held, 3), *combinations(held, 4)]
    least: dict[States, int] = {}
    for states, cost in layouts:
        for melded in sets:
            loose = [suit in held and suit not in melded for suit in _SUITS]
            for after, added in _next_states(states, tuple(loose), worth):
                least[after] = min(cost + added, least.get(after, cost + added))
    return _tidied(least)


@cache
def _next_states(states: States, loose: tuple[bool, ...], worth: int) -> tuple[tuple[States, int], ...]:
    """Give all states to go on to, with the points left unmatched; `loose` tells the suits with a card not in a set."""
    choices = [list(_choices(state, card, worth)) for state, card in zip(states, loose, strict=True)]
    return tuple((tuple(state for state, _ in one), sum(cost for _, cost in one)) for one in product(*choices))


def _choices(state: int, card: bool, worth: int) -> Iterator[tuple[int, int]]:
    """Yield what a suit may go on to; a run that was begun is no layout unless it gets its three cards."""
    if card:
        yield _NEXT[state], 0
    if state == _CLOSED or (not card and state == _LONG_RUN):
        yield _CLOSED, worth if card else 0


def _tidied(least: dict[States, int]) -> tuple[Layouts, int]:
    """Leave out layouts that others do as well as for no more points, and bring the suits into one order."""
    kept: dict[int, States] = {}  # by the bits of all four suits
    for states in sorted(least, key=lambda states: (least[states], -sum(states))):
        bits = sum(state << 3 * suit for suit, state in enumerate(states))
        if not any(better & bits == bits for better in kept):
            kept[bits] = states
    costs = [least[states] for states in kept.values()]
    suits = sorted(zip(*kept.values(), strict=True))
    layouts = zip(zip(*suits, strict=True), (cost - costs[0] for cost in costs), strict=True)
    return tuple(sorted(layouts)), costs[0]
