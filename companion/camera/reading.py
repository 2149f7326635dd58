"""The reading of a photograph: which pieces lie there, how sure that is, and where."""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from companion.engine.dominoes import Tile
from companion.engine.pieces import Piece, PieceSet

from . import hands
from .finding import spots
from .hands import Box, Find
from .network import CARDS, TILES
from .photograph import decode

LEAST_CONFIDENCE = 0.15
# what the network says of itself, and the share that was right: it is surer than it sounds, but for the doubtful ones
CALIBRATION = ((0.0, 0.3, 0.5, 0.6, 0.7, 0.84, 0.95, 1.0), (0.0, 0.15, 0.55, 0.72, 0.83, 0.9, 0.97, 0.99))


@dataclass(frozen=True)
class Reading:
    """A piece seen in the picture, how sure that is from 0 to 1, and its box: x, y, width, height in pixels."""

    piece: Piece
    confidence: float
    box: Box


def read(source: bytes | Path | BinaryIO, pieces: PieceSet[Any], size: int) -> list[Reading]:
    """Read the hand of a photograph, surest first; see `companion.camera.read_hand`."""
    photograph = decode(source)
    tiles = isinstance(pieces.pieces[0], Tile)
    found = spots(photograph, TILES if tiles else CARDS, size)
    finds = hands.tiles(found) if tiles else hands.cards(found)
    best = _once_each(finds, pieces, size)
    return [Reading(piece, sure, hands.box_of(find, photograph, tiles)) for piece, sure, find in best]


def _once_each(finds: list[Find], pieces: PieceSet[Any], size: int) -> list[tuple[Piece, float, Find]]:
    """Give each find its likeliest piece, no piece more often than the set has it.

    Two finds of one piece are most often its two corners. Only while the hand is not full is the second one taken for
    the next likeliest piece.
    """
    names = hands.names_of(pieces)
    wishes = []
    for find in finds:
        chances: dict[Piece, float] = defaultdict(float)
        for piece, chance in zip(names, find.chances.tolist(), strict=True):
            if piece is not None:
                chances[piece] += chance
        wishes.append((find, sorted(chances.items(), key=lambda pair: -pair[1])))
    taken: dict[Piece, list[tuple[float, Find]]] = defaultdict(list)
    spare = []
    for find, liked in sorted(wishes, key=lambda wish: -_confidence(wish[0], wish[1][0][1])):
        piece, chance = liked[0]
        sure = _confidence(find, chance)
        if sure < LEAST_CONFIDENCE:
            continue
        if len(taken[piece]) < pieces.copies.get(piece, 1):
            taken[piece].append((sure, find))
        else:
            spare.append((find, liked))
    missing = size - sum(map(len, taken.values()))
    for find, liked in spare:
        piece, chance = next(((p, c) for p, c in liked if not taken.get(p)), liked[0])
        if missing > 0 and (sure := _confidence(find, chance)) >= LEAST_CONFIDENCE / 2:
            taken[piece].append((sure, find))
            missing -= 1
    found = [(piece, sure, find) for piece, several in taken.items() for sure, find in several]
    return sorted(found, key=lambda item: -item[1])


def _confidence(find: Find, chance: float) -> float:
    """Tell how sure a reading is: how likely it is a piece at all, and that it is this one."""
    return float(np.interp(find.real * math.sqrt(max(chance, 0.0)), *CALIBRATION))
