"""Groups the cards or tiles of a whole table into hands, by the gaps between them."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import median

from .finding import Spot
from .hands import Find

Point = tuple[float, float]
# the part of a card's width and height that its corner marks span, margins excluded
ACROSS, ALONG = 0.78, 0.91
MARK = 1.9  # what both corner marks add to the distance between their middles, in rank heights
USUAL_HEIGHT, USUAL_WIDTH = 8.5, 0.7  # of a card: in rank heights, and as a fraction of the card's height
# how much the heights of cards in a picture differ, and of packs in rank heights, as logarithms; corners that make a
# card taller or shorter than usual by more than the ratio belong to different cards
ALIKE, PACKS_ALIKE, MAX_RATIO = 0.08, 0.25, 1.3
INNER = 0.85  # outlines are reduced to this, because their position is known only to about a tenth of a card
# the smallest gap between hands, in widths of a card: in general, if it gives the expected number of hands, and if each
# hand also has all its cards; gaps below NO_GAP count as NO_GAP. The ratios are to the largest gap within a hand
MIN_GAP, MIN_EXPECTED_GAP, MIN_WHOLE_GAP, NO_GAP = 0.45, 0.25, 0.1, 0.2
MIN_RATIO, MIN_EXPECTED_RATIO = 1.25, 1.1
MAX_PARTS = 12  # parts to combine into hands; more would take too long to try
IN_LINE = 0.4  # hands are in one row or column if it is no wider than this fraction of its length


@dataclass(frozen=True)
class Outline:
    """The rectangle of a piece in the picture: its middle, which way is up, and half its width and height."""

    x: float
    y: float
    up: Point
    half_width: float
    half_height: float

    def points(self) -> list[Point]:
        """Return the middle, the corners, and the middles of the sides."""
        steps = [(0, 0), *((x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if x or y)]
        wide, high, (up_x, up_y) = self.half_width, self.half_height, self.up
        return [
            (self.x - up_y * wide * right + up_x * high * up, self.y + up_x * wide * right + up_y * high * up)
            for right, up in steps
        ]

    def distance(self, point: Point) -> float:
        """Return how far a point is outside."""
        dx, dy = point[0] - self.x, point[1] - self.y
        right, up = -dx * self.up[1] + dy * self.up[0], dx * self.up[0] + dy * self.up[1]
        return math.hypot(max(0.0, abs(right) - self.half_width), max(0.0, abs(up) - self.half_height))


def outlines(finds: Sequence[Find], tiles: bool) -> list[Outline]:
    """Return where each piece lies; a card of which only one corner was found is assumed to be of the usual size."""
    if tiles:
        return [_tile(find) for find in finds]
    usual = usual_height(finds)
    return [_card(find, usual) for find in finds]


def usual_height(finds: Sequence[Find]) -> float:
    """Return the likeliest height of a card, from cards of which both corners were found and from packs in general.

    A pair of corners may belong to two cards, so a few pairs don't outweigh the usual height.
    """
    usual = USUAL_HEIGHT * median([_rank(find) for find in finds] or [1.0])
    heights = [height_of(find) for find in finds if len(find.spots) > 1]

    def agreement(height: float) -> float:
        return math.exp(-((math.log(height / usual) / PACKS_ALIKE) ** 2) / 2) + sum(
            math.exp(-((math.log(height / other) / ALIKE) ** 2) / 2) for other in heights
        )

    return max([usual, *heights], key=agreement)


def _rank(find: Find) -> float:
    return sum(spot.size for spot in find.spots) / len(find.spots)


def up_of(find: Find) -> Point:
    """Return which way is up for a card of which both corners were found, or for a tile."""
    a, b = find.spots
    x, y = a.up[0] - b.up[0], a.up[1] - b.up[1]
    long = math.hypot(x, y) or 1.0
    return x / long, y / long


def height_of(find: Find) -> float:
    """Return a card's height in pixels, by how far its two indices, which both were found, lie apart along it."""
    a, b = find.spots
    up = up_of(find)
    along = abs((b.x - a.x) * up[0] + (b.y - a.y) * up[1])
    return (along + MARK * _rank(find)) / ALONG


def _card(find: Find, usual: float) -> Outline:
    if len(find.spots) > 1 and 1 / MAX_RATIO < height_of(find) / usual < MAX_RATIO:
        (a, b), up, high = find.spots, up_of(find), height_of(find)
        wide = abs(-(b.x - a.x) * up[1] + (b.y - a.y) * up[0]) / ACROSS
        return Outline((a.x + b.x) / 2, (a.y + b.y) / 2, up, INNER * wide / 2, INNER * high / 2)
    spot = find.spots[0]
    return Outline(*middle_beside(spot, usual), spot.up, INNER * USUAL_WIDTH * usual / 2, INNER * usual / 2)


def middle_beside(spot: Spot, usual: float) -> Point:
    """Return where the middle of a card is of which one corner was found, and whose height is as usual."""
    right, down = ACROSS * USUAL_WIDTH * usual / 2, max(0.0, ALONG * usual - MARK * spot.size) / 2
    return spot.x - spot.up[1] * right - spot.up[0] * down, spot.y + spot.up[0] * right - spot.up[1] * down


def _tile(find: Find) -> Outline:
    a, b = find.spots
    away = math.hypot(b.x - a.x, b.y - a.y) or 1.0
    return Outline((a.x + b.x) / 2, (a.y + b.y) / 2, ((a.x - b.x) / away, (a.y - b.y) / away), away / 2, away)


def gap(a: Outline, b: Outline) -> float:
    """Return how far apart two pieces are, in widths of a piece; 0 if they touch or overlap."""
    apart = min(*(a.distance(point) for point in b.points()), *(b.distance(point) for point in a.points()))
    return apart / (a.half_width + b.half_width)


def group_into_hands(pieces: Sequence[Outline], sizes: Sequence[int]) -> list[list[int]]:
    """Split pieces, given by their index, into hands at gaps that are clearly wider than those within the hands.

    A gap that gives as many groups as there are `sizes`, of about those sizes, decides. Otherwise the clearest gap
    does; if that gives too many groups, they are combined into hands of about those sizes, if possible.
    """
    edges = sorted(_spanning(range(len(pieces)), lambda a, b: gap(pieces[a], pieces[b])))
    clearest, best = len(edges), MIN_RATIO
    for at, (apart, _, _) in enumerate(edges):
        ratio = apart / max(NO_GAP, edges[at - 1][0] if at else 0.0)
        if len(pieces) - at == len(sizes):
            groups = _connect(len(pieces), edges[:at])
            counts = sorted(map(len, groups))
            is_whole = counts == sorted(sizes)
            is_near = counts[-1] <= max(sizes) + 1 and 2 * counts[0] >= min(sizes) and ratio >= MIN_EXPECTED_RATIO
            if (is_whole and apart >= MIN_WHOLE_GAP) or (is_near and apart >= MIN_EXPECTED_GAP):
                return groups
        if apart >= MIN_GAP and ratio >= best:
            clearest, best = at, ratio
    groups = _connect(len(pieces), edges[:clearest])
    return _combine_parts(groups, pieces, sizes) if len(sizes) < len(groups) <= MAX_PARTS else groups


def _combine_parts(parts: list[list[int]], pieces: Sequence[Outline], sizes: Sequence[int]) -> list[list[int]]:
    """Combine parts into the expected number of hands with the smallest total gap; return the parts if impossible.

    A hand may have one piece too few or too many: one wasn't recognized, or something else was taken for one.
    """
    fitting = {size - missing for size in sizes for missing in (-1, 0, 1)}
    near = [[min(gap(pieces[a], pieces[b]) for a in one for b in other) for other in parts] for one in parts]
    hands: dict[int, float] = {}  # total gap of each set of parts (as bits) that may be a hand
    for chosen in range(1, 1 << len(parts)):
        members = [at for at in range(len(parts)) if chosen >> at & 1]
        if sum(len(parts[at]) for at in members) in fitting:
            hands[chosen] = sum(apart for apart, _, _ in _spanning(members, lambda a, b: near[a][b]))
    ways: dict[int, tuple[float, list[int]]] = {0: (0.0, [])}  # by parts used so far: the smallest gap, and the hands
    for _ in sizes:
        longer: dict[int, tuple[float, list[int]]] = {}
        for used, (gaps, made) in ways.items():
            first = ~used & (used + 1)  # the next hand has the first unused part, so that each way is tried once
            for hand, more in hands.items():
                if hand & first and not hand & used and gaps + more < longer.get(hand | used, (math.inf, []))[0]:
                    longer[hand | used] = gaps + more, [*made, hand]
        ways = longer
    _, found = ways.get((1 << len(parts)) - 1, (0.0, [1 << at for at in range(len(parts))]))
    return [[piece for at, part in enumerate(parts) if hand >> at & 1 for piece in part] for hand in found]


def _spanning(members: Sequence[int], apart: Callable[[int, int], float]) -> list[tuple[float, int, int]]:
    """Return the gaps that connect all members with the least distance (a minimum spanning tree)."""
    near = {number: (apart(members[0], number), members[0]) for number in members[1:]}
    edges = []
    while near:
        new = min(near, key=lambda number: near[number])
        distance, other = near.pop(new)
        edges.append((distance, other, new))
        for number in near:
            near[number] = min(near[number], (apart(new, number), new))
    return edges


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
