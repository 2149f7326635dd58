"""Groups the cards or tiles of a whole table into hands: by the gaps between them, and by how many a hand takes."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

from .cutting import cut, spanning
from .finding import Point
from .outlines import Outline, gap

# the smallest gap between hands, in widths of a card, and if all hands are whole; gaps below NO_GAP count as NO_GAP;
# the ratio is to the largest gap within a hand
MIN_GAP, MIN_WHOLE_GAP, NO_GAP, MIN_RATIO = 0.45, 0.1, 0.2, 1.25
IN_LINE = 0.4  # hands are in one row or column if it is no wider than this fraction of its length


def group_into_hands(pieces: Sequence[Outline], sizes: Sequence[int]) -> list[list[int]]:
    """Split pieces, given by their index, into hands.

    A gap that gives whole hands of all `sizes` decides. Otherwise, unless the clearest gap gives whole hands of some of
    them, as many pieces as all hands take are cut into hands of these sizes. They may be fewer by less than a hand and
    by at most a quarter, because not all were recognized, or more by one for each hand, because something else was.
    """
    edges = sorted(spanning(range(len(pieces)), [[gap(a, b) for b in pieces] for a in pieces]))
    at = len(pieces) - len(sizes)
    if 0 <= at < len(edges) and edges[at][0] >= MIN_WHOLE_GAP:
        groups = _connect(len(pieces), edges[:at])
        if sorted(map(len, groups)) == sorted(sizes):
            return groups
    groups = _connect(len(pieces), edges[: _clearest(edges)])
    more = len(pieces) - sum(sizes)
    is_about_all = -min(sizes) < more <= len(sizes) and -4 * more <= sum(sizes)
    if Counter(map(len, groups)) <= Counter(sizes) or not is_about_all:
        return groups
    return cut(pieces, [size + (more > 0) for size in sizes])


def _clearest(edges: Sequence[tuple[float, int, int]]) -> int:
    """Return which of the sorted gaps is the smallest between hands: one clearly wider than those before it."""
    clearest, best = len(edges), MIN_RATIO
    for at, (apart, _, _) in enumerate(edges):
        ratio = apart / max(NO_GAP, edges[at - 1][0] if at else 0.0)
        if apart >= MIN_GAP and ratio >= best:
            clearest, best = at, ratio
    return clearest


def _connect(count: int, edges: Sequence[tuple[float, int, int]]) -> list[list[int]]:
    group = list(range(count))
    for _, a, b in edges:
        old, new = group[b], group[a]
        group = [new if number == old else number for number in group]
    return [[at for at in range(count) if group[at] == number] for number in dict.fromkeys(group)]


def by_seat(groups: Sequence[list[int]], pieces: Sequence[Outline]) -> list[list[int]]:
    """Order groups as players sit round the table: clockwise from the bottom of the picture.

    Hands in one row are ordered from left to right, in one column from the bottom up.
    """
    if not groups:
        return []
    middles = [_middle([pieces[at] for at in group]) for group in groups]
    width, height = (max(m[k] for m in middles) - min(m[k] for m in middles) for k in (0, 1))
    if height < IN_LINE * width:
        order = sorted(range(len(groups)), key=lambda at: middles[at][0])
    elif width < IN_LINE * height:
        order = sorted(range(len(groups)), key=lambda at: -middles[at][1])
    else:
        centre = [(max(m[k] for m in middles) + min(m[k] for m in middles)) / 2 for k in (0, 1)]
        turns = [math.atan2(centre[0] - x, y - centre[1]) for x, y in middles]  # from the bottom, clockwise
        first = min(range(len(groups)), key=lambda at: (round(abs(turns[at]), 1), -turns[at]))
        order = sorted(range(len(groups)), key=lambda at: (turns[at] - turns[first]) % (2 * math.pi))
    return [groups[at] for at in order]


def _middle(group: Sequence[Outline]) -> Point:
    return sum(piece.x for piece in group) / len(group), sum(piece.y for piece in group) / len(group)
