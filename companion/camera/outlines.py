"""Where pieces lie in the picture: the rectangle of each, and how far apart two of them are."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from .finding import Point, Spot
from .hands import Find, up_of

# the part of a card's width and height that its corner marks span, margins excluded
ACROSS, ALONG = 0.78, 0.91
MARK = 1.9  # what both corner marks add to the distance between their middles, in rank heights
USUAL_HEIGHT, USUAL_WIDTH = 8.5, 0.7  # of a card: in rank heights, and as a fraction of the card's height
# how much the heights of cards in a picture differ, and of packs in rank heights, as logarithms; corners that make a
# card taller or shorter than usual by more than the ratio belong to different cards
ALIKE, PACKS_ALIKE, MAX_RATIO = 0.08, 0.25, 1.3
INNER = 0.85  # outlines are reduced to this, because their position is known only to about a tenth of a card


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


def height_of(find: Find) -> float:
    """Return a card's height in pixels, by how far its two indices, which both were found, lie apart along it."""
    a, b = find.spots[:2]
    up = up_of(find)
    along = abs((b.x - a.x) * up[0] + (b.y - a.y) * up[1])
    return (along + MARK * _rank(find)) / ALONG


def _card(find: Find, usual: float) -> Outline:
    if len(find.spots) > 1 and 1 / MAX_RATIO < height_of(find) / usual < MAX_RATIO:
        (a, b), up, high = find.spots[:2], up_of(find), height_of(find)
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
