"""Combines spots into pieces: the two corners of a card, the two halves of a tile."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from companion.engine.pieces.dominoes import Tile
from companion.engine.pieces.sets import Piece, PieceSet

from .finding import Point, Spot
from .network import PIPS, Floats
from .photograph import Photograph
from .readings import Box

SUITS = "cdhs"
RANKS = "A23456789TJQK"
# the distance between two corners of a card: along its long side in rank heights; across it as a fraction of the first
CORNERS_ALONG, CORNERS_SLANT = (3.0, 13.0), (0.4, 1.0)
MIN_ALIKE = 0.18  # how alike the chances of two corners of a card must be
# of a third and a fourth corner: how often any of them is wrong altogether
WRONG = 0.01
MIN_REAL = 0.5  # of a third and a fourth corner: the probability that it is a corner at all
AT_CORNER = 0.2  # how far from its place another corner of the card may be, as a fraction of the diagonal
# how well two halves of a tile must point at each other: the cosine of the angle between a half's direction and the
# line to the other half; the minimum of each, and of their sum
MIN_TOWARDS, MIN_TOGETHER = -0.3, 1.0


@dataclass(frozen=True)
class Find:
    """A card or tile found in the picture, before matching it to the set.

    `real` is the probability that it is a piece at all, `chances` those of each piece (see `pieces_by_index`).
    """

    spots: tuple[Spot, ...]
    real: float
    chances: Floats


def pieces_by_index(pieces: PieceSet[Any]) -> list[Piece | None]:
    """Return the piece for each index of a Find's probabilities; None for pieces the set doesn't have."""
    if isinstance(pieces.pieces[0], Tile):
        pairs = [(a, b) for a in range(PIPS) for b in range(PIPS)]
        return [pieces.find(f"{min(pair)}-{max(pair)}") for pair in pairs]
    return [*(pieces.find(rank + suit) for rank in RANKS for suit in SUITS), pieces.find("Jk")]


def cards(spots: Sequence[Spot]) -> list[Find]:
    """Bring together the corners of each card; a corner without a partner is a card by itself."""
    finds = _paired(spots, _corner_pairs(spots))
    alone = [find.spots[0] for find in finds if len(find.spots) == 1 and find.real >= MIN_REAL]
    others = [find for find in finds if len(find.spots) > 1 or find.real < MIN_REAL]
    return _joined(others + _paired(alone, _corner_pairs(alone, mirrored=True)))


def _paired(spots: Sequence[Spot], pairs: Iterable[tuple[float, int, int]]) -> list[Find]:
    """Make a card of each pair, the most alike first, and of each corner that is left."""
    used: set[int] = set()
    finds = []
    for _, i, j in sorted(pairs, key=lambda pair: -pair[0]):
        if not used & {i, j}:
            used |= {i, j}
            finds.append(_together((spots[i], spots[j])))
    return finds + [_together((spot,)) for k, spot in enumerate(spots) if k not in used]


def _together(spots: tuple[Spot, ...]) -> Find:
    """Make a card of corners that see it independently of each other."""
    doubt = np.float32(WRONG if len(spots) > 2 else 0)
    chances = np.prod([spot.chances + doubt for spot in spots], axis=0) + np.float32(1e-9)
    real = 1 - float(np.prod([1 - spot.real for spot in spots]))
    return Find(spots, real, chances / chances.sum())


def _joined(finds: Sequence[Find]) -> list[Find]:
    """Join what lies at the other two corners of a card: packs with four indices show it up to four times."""
    left = list(finds)
    cards = []
    while left:
        card = left.pop(0)
        others = [other for other in left if _is_same_card(card, other)]
        for other in others:
            card = _together((*card.spots, *other.spots))
            left = [find for find in left if find is not other]
        cards.append(card)
    return cards


def _is_same_card(card: Find, other: Find) -> bool:
    """Return whether another find lies at free corners of a card: both of them, or one that shows the same card."""
    if len(card.spots) < 2 or other.real < MIN_REAL or not all(_is_at_corner(card, spot) for spot in other.spots):
        return False
    return len(other.spots) > 1 or float(np.sqrt(card.chances * other.chances).sum()) > MIN_ALIKE


def up_of(find: Find) -> Point:
    """Return which way is up for a card of which both corners were found, or for a tile."""
    a, b = find.spots[:2]
    x, y = a.up[0] - b.up[0], a.up[1] - b.up[1]
    long = math.hypot(x, y) or 1.0
    return x / long, y / long


def _is_at_corner(card: Find, spot: Spot) -> bool:
    """Return whether a corner lies where a card, of which two opposite corners are known, has its other two."""
    (a, b), up = card.spots[:2], up_of(card)
    dx, dy = b.x - a.x, b.y - a.y
    across, diagonal = -dx * up[1] + dy * up[0], float(np.hypot(dx, dy))
    beside = (-up[1] * across, up[0] * across)
    places = ((a.x + beside[0], a.y + beside[1], 1), (b.x - beside[0], b.y - beside[1], -1))
    return any(
        np.hypot(spot.x - x, spot.y - y) < AT_CORNER * diagonal
        and way * (spot.up[0] * up[0] + spot.up[1] * up[1]) > 0.7
        and 0.55 < spot.size / a.size < 1.8
        for x, y, way in places
    )


def _corner_pairs(spots: Sequence[Spot], mirrored: bool = False) -> Iterable[tuple[float, int, int]]:
    """Yield pairs that could be two corners of a card: opposite directions, a card's distance, similar odds."""
    for i, a in enumerate(spots):
        for j in range(i + 1, len(spots)):
            b = spots[j]
            if a.up[0] * b.up[0] + a.up[1] * b.up[1] > -0.85 or not 0.55 < a.size / b.size < 1.8:
                continue
            up = (a.up[0] - b.up[0]) / 2, (a.up[1] - b.up[1]) / 2
            dx, dy = b.x - a.x, b.y - a.y
            across, along = -dx * up[1] + dy * up[0], -(dx * up[0] + dy * up[1])
            across = -across if mirrored else across
            if across <= 0 or along <= 0:
                continue
            slant, heights = across / along, along * 2 / (a.size + b.size)
            if CORNERS_ALONG[0] < heights < CORNERS_ALONG[1] and CORNERS_SLANT[0] < slant < CORNERS_SLANT[1]:
                alike = float(np.sqrt(a.chances * b.chances).sum()) - 0.04 * abs(slant - 0.65)
                if alike > MIN_ALIKE:
                    yield alike, i, j


def tiles(spots: Sequence[Spot]) -> list[Find]:
    """Pair up the halves of each tile; a half without a partner is dropped."""
    used: set[int] = set()
    finds = []
    for _, i, j in sorted(_half_pairs(spots)):
        if not used & {i, j}:
            used |= {i, j}
            a, b = spots[i], spots[j]
            finds.append(Find((a, b), float(np.sqrt(a.real * b.real)), np.outer(a.chances, b.chances).ravel()))
    return finds


def _half_pairs(spots: Sequence[Spot]) -> Iterable[tuple[float, int, int]]:
    """Yield pairs that could be halves of one tile: they roughly point at each other, a tile's width apart."""
    for i, a in enumerate(spots):
        for j in range(i + 1, len(spots)):
            b = spots[j]
            dx, dy = b.x - a.x, b.y - a.y
            away = float(np.hypot(dx, dy)) + 1e-6
            towards = (a.up[0] * dx + a.up[1] * dy) / away, -(b.up[0] * dx + b.up[1] * dy) / away
            reach = away / (a.size + b.size)
            if (
                min(towards) > MIN_TOWARDS
                and sum(towards) > MIN_TOGETHER
                and 0.6 < reach < 1.5
                and 0.6 < a.size / b.size < 1.67
            ):
                yield abs(float(np.log(reach))) + 2 - sum(towards) + 1 - a.real * b.real, i, j


def box_of(find: Find, photograph: Photograph, tile: bool) -> Box:
    """Return the position in the original picture: of the whole tile, or of a card's most certain corner."""
    spots = find.spots if tile else (max(find.spots, key=lambda spot: spot.real * float(spot.chances.max())),)
    across, along = (1.0, 1.0) if tile else (0.8, 1.2)
    xs, ys = [], []
    for spot in spots:
        wide = spot.size * (across * abs(spot.up[1]) + along * abs(spot.up[0]))
        high = spot.size * (across * abs(spot.up[0]) + along * abs(spot.up[1]))
        xs += [spot.x - wide, spot.x + wide]
        ys += [spot.y - high, spot.y + high]
    high, wide = photograph.pixels.shape[:2]
    left, right = (round(min(max(x, 0), wide) * photograph.scale) for x in (min(xs), max(xs)))
    top, bottom = (round(min(max(y, 0), high) * photograph.scale) for y in (min(ys), max(ys)))
    return left, top, right - left, bottom - top
