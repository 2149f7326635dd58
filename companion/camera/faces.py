"""Weighs in what lies between the corners of a card: how many pips, of which suit, or a court."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from . import network, outlines
from .finding import Level, Point, as_cards, cut, parts_of, shares
from .hands import Find, up_of
from .network import Floats

INNER = (0.72, 0.84)  # the part of a card's width and height that is looked at: what is left of the corners
# the network is less sure of real courts than of the drawn ones it learned from: if both corners are in sight, a face
# with so much ink (from, to) that is called a court by such a logit (from, to) is one more likely, by up to BONUS
COURT, INK, BONUS = (-2.5, -0.5), (0.4, 0.55), 2.5
COURTS = slice(10, 13)
DARK = 170  # ink is what has less than this in one colour
_LEAST = np.float32(1e-7)


def with_faces(pixels: NDArray[np.uint8], finds: Sequence[Find]) -> list[Find]:
    """Combine what the corners of each card say with what its face says; a covered face says nothing."""
    if not finds:
        return []
    usual, levels = outlines.usual_height(finds), [Level(pixels)]
    faces = [_face(levels, find, usual) for find in finds]
    said = network.faces(faces)
    for at, (find, face) in enumerate(zip(finds, faces, strict=True)):
        if len(find.spots) > 1:
            said[COURTS, at] += _bonus(face, said[: network.RANKS, at])
    ranks, suits = parts_of(np.stack([find.chances for find in finds]))
    both = [
        shares(np.log(known + _LEAST).T + face)
        for known, face in ((ranks, said[: network.RANKS]), (suits, said[network.RANKS :]))
    ]
    return [replace(find, chances=chances) for find, chances in zip(finds, as_cards(*both), strict=True)]


def _bonus(face: NDArray[np.uint8], ranks: Floats) -> float:
    """Return how much likelier a court is than the network says."""
    court = float(np.logaddexp.reduce(ranks[COURTS]) - np.logaddexp.reduce(ranks[: COURTS.start]))
    ink = float((face.min(axis=2) < DARK).mean())
    return BONUS * float(np.interp(court, COURT, (0, 1)) * np.interp(ink, INK, (0, 1)))


def _face(levels: list[Level], find: Find, usual: float) -> NDArray[np.uint8]:
    """Cut out a card's face: between its two corners, or beside the one that was found."""
    spot = find.spots[0]
    if len(find.spots) > 1:
        other, up, high = find.spots[1], up_of(find), outlines.height_of(find)
        dx, dy = other.x - spot.x, other.y - spot.y
        wide = abs(-dx * up[1] + dy * up[0]) / outlines.ACROSS
        middle: Point = ((spot.x + other.x) / 2, (spot.y + other.y) / 2)
    else:
        up, high, wide = spot.up, usual, outlines.USUAL_WIDTH * usual
        middle = outlines.middle_beside(spot, usual)
    across, down = INNER[0] * wide / network.FACE[1], INNER[1] * high / network.FACE[0]
    return cut(levels, middle, (-up[1] * across, up[0] * across), (-up[0] * down, -up[1] * down), network.FACE)
