"""Recognizes the pieces in a photograph: which it shows, how confident that is, and where they are."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence, Set
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from companion.engine.pieces.dominoes import Tile
from companion.engine.pieces.sets import Piece, PieceSet

from . import faces, groups, hands
from .finding import SIZES, SIZES_OF_FRAME, SIZES_OF_TABLE, SIZES_OF_TABLE_FRAME, Sizes, Spot, spots
from .hands import Find
from .network import CARDS, PIPS, TILES
from .outlines import Outline, gap, outlines
from .photograph import MAX_SIDE_OF_TABLE, Photograph, decode
from .readings import MIN_CONFIDENCE as MIN_SHOWN
from .readings import SURE, Box, DetectedGroup, Detection

MIN_CONFIDENCE = 0.15  # of a piece; half of it while the hand is incomplete
MIN_REAL = 0.6  # of the probability that it is a piece at all; with less it doesn't connect two hands
ENOUGH_OF_TILES = 0.85  # confidence of a whole hand that is looked at no more; that of cards is SURE
SURELY_TWO, TWO_APART = 0.9, 20  # a card's two corners are less than TWO_APART rank heights apart
# the networks' own confidence, and about the fraction of such readings that were right: for cards, in drawn hands of
# packs never trained on, or less where photographs were read worse; for tiles, in photographs
CALIBRATION = (
    (0.0, 0.3, 0.45, 0.55, 0.65, 0.75, 0.86, 0.95, 1.0),
    (0.0, 0.3, 0.5, 0.68, 0.78, 0.83, 0.9, 0.97, 0.99),
)
CALIBRATION_OF_TILES = ((0.0, 0.3, 0.5, 0.6, 0.7, 0.84, 0.95, 1.0), (0.0, 0.15, 0.55, 0.72, 0.83, 0.9, 0.97, 0.99))


def read(
    source: bytes | Path | BinaryIO, pieces: PieceSet[Any], size: int, held: Iterable[Piece] = ()
) -> list[Detection]:
    """Read the hand in a photograph, most confident first; see `companion.camera.read_hand`."""
    return [detection for detection, _ in _detect(decode(source), pieces, size, held, SIZES)]


def glance(
    source: bytes | Path | BinaryIO, pieces: PieceSet[Any], size: int, held: Iterable[Piece] = ()
) -> list[Detection]:
    """Read the hand in a frame of a viewfinder; see `companion.camera.glance_at_hand`."""
    photograph = decode(source, max(SIZES_OF_FRAME[0]))
    return [detection for detection, _ in _detect(photograph, pieces, size, held, SIZES_OF_FRAME)]


def _detect(
    photograph: Photograph, pieces: PieceSet[Any], size: int, held: Iterable[Piece], sizes: Sizes
) -> list[tuple[Detection, Find]]:
    """Detect `size` pieces in a picture, most confident first, each with its find.

    It is reduced to the first of `sizes`, and to the next unless these show exactly so many pieces and all for sure.
    """
    detected: list[tuple[Detection, Find]] = []
    task, enough = (TILES, ENOUGH_OF_TILES) if isinstance(pieces.pieces[0], Tile) else (CARDS, SURE)
    for candidates in spots(photograph, task, size, sizes):
        detected = _among(candidates, photograph, pieces, size, held)
        shown = [detection.confidence for detection, _ in detected if detection.confidence >= MIN_SHOWN]
        if len(shown) == size and all(confidence >= enough for confidence in shown):
            break
    return detected


def _among(
    candidates: list[Spot], photograph: Photograph, pieces: PieceSet[Any], size: int, held: Iterable[Piece]
) -> list[tuple[Detection, Find]]:
    """Detect `size` pieces among the spots that were found."""
    tiles = isinstance(pieces.pieces[0], Tile)
    finds = hands.tiles(candidates) if tiles else faces.with_faces(photograph.pixels, hands.cards(candidates))
    left, names = _count_available(pieces, held), hands.pieces_by_index(pieces)
    taken, spare = _assign_pieces(finds, left, names, size)
    free = {piece for piece, count in left.items() if count > len(taken[piece])}
    twice = {piece for piece, find in spare if all(_are_two(find, other) for _, other in taken[piece])}
    detected = [
        (Detection(piece, sure, hands.box_of(find, photograph, tiles), piece in twice, _other(find, free, names)), find)
        for piece, several in taken.items()
        for sure, find in several
    ]
    return sorted(detected, key=lambda detection: -detection[0].confidence)


def read_groups(
    source: bytes | Path | BinaryIO, pieces: PieceSet[Any], sizes: Sequence[int], held: Iterable[Piece] = ()
) -> list[DetectedGroup]:
    """Read the hands in a photograph of the table; see `companion.camera.read_table`."""
    return _groups(decode(source, MAX_SIDE_OF_TABLE), pieces, sizes, held, SIZES_OF_TABLE)


def glance_at_groups(
    source: bytes | Path | BinaryIO, pieces: PieceSet[Any], sizes: Sequence[int], held: Iterable[Piece] = ()
) -> list[DetectedGroup]:
    """Read the hands in a frame of a viewfinder over the table; see `companion.camera.glance_at_table`."""
    photograph = decode(source, max(SIZES_OF_TABLE_FRAME[0]))
    return _groups(photograph, pieces, sizes, held, SIZES_OF_TABLE_FRAME)


def _groups(
    photograph: Photograph, pieces: PieceSet[Any], sizes: Sequence[int], held: Iterable[Piece], looks: Sizes
) -> list[DetectedGroup]:
    """Detect pieces in a picture that is reduced to `looks`, and group them into hands of `sizes`."""
    detected = _detect(photograph, pieces, sum(sizes), held, looks)
    finds = [find for _, find in detected]
    places = outlines(finds, isinstance(pieces.pieces[0], Tile))
    # an uncertain find joins a hand it is close to, but must not connect two hands
    clear = [at for at, find in enumerate(finds) if find.real >= MIN_REAL]
    clear_places = [places[at] for at in clear]
    found_groups = groups.by_seat(groups.group_into_hands(clear_places, sizes), clear_places) if clear else []
    members = [[clear[at] for at in group] for group in found_groups]
    for at, find in enumerate(finds):
        if find.real < MIN_REAL and members:
            apart, nearest = min((gap(places[at], places[c]), k) for k, m in enumerate(members) for c in m)
            if apart < groups.MIN_GAP:
                members[nearest].append(at)
    return [
        DetectedGroup(
            tuple(detected[at][0] for at in sorted(group)),
            _around([places[at] for at in group], photograph),
        )
        for group in members
    ]


def _around(places: Sequence[Outline], photograph: Photograph) -> Box:
    """Return the box around pieces, in the pixels of the file."""
    points = [point for place in places for point in place.points()]
    high, wide = photograph.pixels.shape[:2]
    left, right = (round(min(max(f(x for x, _ in points), 0), wide) * photograph.scale) for f in (min, max))
    top, bottom = (round(min(max(f(y for _, y in points), 0), high) * photograph.scale) for f in (min, max))
    return left, top, right - left, bottom - top


def _count_available(pieces: PieceSet[Any], held: Iterable[Piece]) -> dict[Piece, int]:
    """Count how many of each piece aren't in other hands."""
    elsewhere = Counter(held)
    return {piece: pieces.copies.get(piece, 1) - elsewhere[piece] for piece in pieces.pieces}


def _assign_pieces(
    finds: list[Find], left: dict[Piece, int], names: list[Piece | None], size: int
) -> tuple[dict[Piece, list[tuple[float, Find]]], list[tuple[Piece, Find]]]:
    """Assign confident finds their most likely piece, using no piece more often than is available.

    Two finds of one piece are usually its two corners. Only while the hand is incomplete does the second find get its
    next most likely piece. Also returns the certain finds whose piece was already used up, with that piece.
    """
    wishes = []
    possible = {piece for piece, count in left.items() if count > 0}
    for find in finds:
        if liked := _liked(find, possible, names):
            wishes.append((find, liked))
    taken: dict[Piece, list[tuple[float, Find]]] = defaultdict(list)
    spare = []
    for find, liked in sorted(wishes, key=lambda wish: -_confidence(wish[0], wish[1][0][1])):
        piece, chance = liked[0]
        sure = _confidence(find, chance)
        if sure < MIN_CONFIDENCE:
            continue
        if len(taken[piece]) < left[piece]:
            taken[piece].append((sure, find))
        else:
            spare.append((find, liked))
    missing = size - sum(map(len, taken.values()))
    for find, liked in spare:
        piece, chance = next(((p, c) for p, c in liked if not taken.get(p)), liked[0])
        if missing > 0 and (sure := _confidence(find, chance)) >= MIN_CONFIDENCE / 2:
            taken[piece].append((sure, find))
            missing -= 1
    once_more = [(liked[0][0], find) for find, liked in spare if _confidence(find, liked[0][1]) >= SURELY_TWO]
    return taken, once_more


def _other(find: Find, free: Set[Piece], names: Sequence[Piece | None]) -> Piece | None:
    """Return which of the pieces that nothing else was read as a find is most likely, unless that is unlikely too."""
    likely = [piece for piece, chance in _liked(find, free, names)[:1] if _confidence(find, chance) >= MIN_CONFIDENCE]
    return likely[0] if likely else None


def _liked(find: Find, possible: Set[Piece], names: Sequence[Piece | None]) -> list[tuple[Piece, float]]:
    """Return the possible pieces with their chances of being a find, the likeliest first."""
    chances: dict[Piece, float] = defaultdict(float)
    for piece, chance in zip(names, find.chances.tolist(), strict=True):
        if piece is not None and piece in possible:
            chances[piece] += chance
    return sorted(chances.items(), key=lambda pair: -pair[1])


def _are_two(find: Find, other: Find) -> bool:
    """Return whether two finds of one piece are too far apart to be corners of one card."""
    return all(
        math.hypot(a.x - b.x, a.y - b.y) > TWO_APART * max(a.size, b.size) for a in find.spots for b in other.spots
    )


def _confidence(find: Find, chance: float) -> float:
    """Return a reading's confidence: that it is a piece at all, and that it is this one."""
    calibration = CALIBRATION_OF_TILES if len(find.chances) == PIPS * PIPS else CALIBRATION
    return float(np.interp(find.real * math.sqrt(max(chance, 0.0)), *calibration))
