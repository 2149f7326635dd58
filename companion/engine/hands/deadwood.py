"""Count all rummy hands of a size by their least deadwood, exactly and without dealing them. Rule: KR-2.

The ranks are processed from the ace up. For each, every suit's card is either held or not. The cards so far can be laid
out in several ways, and each layout leaves the four suits in some state and costs the points of its unmatched cards.
Only the reachable states and their lowest costs matter for the later ranks. There are few such sets of layouts (a few
hundred per rank for ten-card hands), and for each the hands are counted by size and points.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations, product

from ..pieces.cards import FRENCH
from .melds import value

# A suit's state, as bits for what may come next: 1 a card outside a run, or none; 2 a run's second card; 4 its third
# or a later one. A state can do all that a subset of its bits can; with a long run open (all three bits) the next card
# costs nothing.
_CLOSED, _ONE_CARD, _TWO_CARDS, _LONG_RUN = 0b001, 0b010, 0b110, 0b111
_NEXT = {_CLOSED: _ONE_CARD, _ONE_CARD: _TWO_CARDS, _TWO_CARDS: _LONG_RUN, _LONG_RUN: _LONG_RUN}
_SUITS = range(4)
_HOLDINGS = [suits for number in range(5) for suits in combinations(_SUITS, number)]

States = tuple[int, ...]  # one per suit; suits are interchangeable
Layouts = tuple[tuple[States, int], ...]  # with what each costs above the cheapest, in points
Ways = Counter[tuple[int, int]]  # number of hands by (cards held, points of the cheapest layout)


def deadwood_counts(size: int, points: Sequence[int] = tuple(map(value, FRENCH.groups[0]))) -> dict[int, int]:
    """Count the hands of a size by their least deadwood; `points` are a card's points by rank, from the ace up."""
    start: Layouts = (((_CLOSED,) * 4, 0),)
    reached: dict[Layouts, Ways] = {start: Counter({(0, 0): 1})}
    for worth in points:
        reached = _deal_rank(reached, worth, size)
    counts: Counter[int] = Counter()
    for layouts, ways in reached.items():
        finished = min(cost for states, cost in layouts if all(state & _CLOSED for state in states))
        for (cards, deadwood), hands in ways.items():
            if cards == size:
                counts[deadwood + finished] += hands
    return dict(sorted(counts.items()))


def _deal_rank(reached: dict[Layouts, Ways], worth: int, size: int) -> dict[Layouts, Ways]:
    """Add one rank, with every choice of suits held that keeps the hand within its size."""
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
    _next_states.cache_clear()  # megabytes, of which the next rank needs little
    return after


def _holdings(layouts: Layouts) -> tuple[tuple[tuple[int, ...], int], ...]:
    """List the choices of suits to hold, each with how many it stands for: suits in the same state are alike."""
    columns = list(zip(*(states for states, _ in layouts), strict=True))
    kinds = {tuple(sorted(columns[suit] for suit in held)): held for held in _HOLDINGS}
    numbers = Counter(tuple(sorted(columns[suit] for suit in held)) for held in _HOLDINGS)
    return tuple((held, numbers[kind]) for kind, held in kinds.items())


def _lay_out(layouts: Layouts, held: tuple[int, ...], worth: int) -> tuple[Layouts, int]:
    """Extend the layouts by one rank's cards; returns the new layouts, and the points of the cheapest one."""
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
    """List the next states with the points left unmatched; `loose` marks the suits whose card isn't in a set."""
    choices = [list(_choices(state, card, worth)) for state, card in zip(states, loose, strict=True)]
    return tuple((tuple(state for state, _ in choice), sum(cost for _, cost in choice)) for choice in product(*choices))


def _choices(state: int, card: bool, worth: int) -> Iterator[tuple[int, int]]:
    """Yield (next state, cost) for one suit. A run that was begun must reach three cards."""
    if card:
        yield _NEXT[state], 0
    if state == _CLOSED or (not card and state == _LONG_RUN):
        yield _CLOSED, worth if card else 0


def _tidied(least: dict[States, int]) -> tuple[Layouts, int]:
    """Drop layouts that another one matches in every state at no more cost, and sort the suits.

    Suits are interchangeable. Also returns the points of the cheapest layout.
    """
    kept: dict[int, States] = {}  # by the bits of all four suits
    for states in sorted(least, key=lambda states: (least[states], -sum(states))):
        bits = sum(state << 3 * suit for suit, state in enumerate(states))
        if not any(better & bits == bits for better in kept):
            kept[bits] = states
    costs = [least[states] for states in kept.values()]
    suits = sorted(zip(*kept.values(), strict=True))
    layouts = zip(zip(*suits, strict=True), (cost - costs[0] for cost in costs), strict=True)
    return tuple(sorted(layouts)), costs[0]
