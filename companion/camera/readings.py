"""What was read in a photograph, and what two photographs of one hand say together."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest

from companion.engine.pieces.sets import Piece

SURE, MIN_CONFIDENCE = 0.9, 0.6  # a less sure reading is to be looked at, one below the minimum isn't proposed
IN_DOUBT = 0.85  # at most, of a reading that the other picture contradicts
Box = tuple[int, int, int, int]  # left, top, width and height in pixels
Before = Sequence[tuple[Piece, float]]  # the pieces read in an earlier picture, each with its confidence


@dataclass(frozen=True)
class Detection:
    """A piece seen in the picture, with a confidence from 0 to 1 and its box.

    `box` is None for a piece that only an earlier picture of the hand showed. `twice`: it was seen more often than is
    left in the set, too far apart to be one card, so another deck or another hand is in the picture. `other` is what it
    may be instead, if that isn't out of the question.
    """

    piece: Piece
    confidence: float
    box: Box | None
    twice: bool = False
    other: Piece | None = None


@dataclass(frozen=True)
class DetectedGroup:
    """Pieces that lie together, most confident first, and the box around them in the picture."""

    readings: tuple[Detection, ...]
    box: Box


def shows_same_hand(before: Before, now: Iterable[Piece]) -> bool:
    """Return whether at least half of the pieces that were read before are among those of another picture."""
    again = Counter(piece for piece, _ in before) & Counter(now)
    return 2 * again.total() >= len(before)


def together(before: Before, now: Iterable[Detection], size: int) -> list[Detection]:
    """Return the `size` surest pieces of two pictures of one hand, most confident first.

    A piece is as sure as in the better picture, not surer: both may misread it alike. Of equally sure ones those of the
    second picture come first. Where the pictures show more pieces than the hand has, they contradict each other: as
    many pieces of only one picture, the least sure ones, are in doubt. What only the first shows has no box.
    """
    first: dict[Piece, list[float]] = defaultdict(list)
    second: dict[Piece, list[Detection]] = defaultdict(list)
    for piece, confidence in before:
        first[piece].append(confidence)
    for reading in now:
        second[reading.piece].append(reading)
    readings = []
    for piece in dict.fromkeys([*second, *first]):
        for earlier, later in zip_longest(sorted(first[piece], reverse=True), second[piece]):
            reading = later or Detection(piece, 0.0, None)
            readings.append(replace(reading, confidence=max(earlier or 0.0, reading.confidence)))
    readings.sort(key=lambda reading: -reading.confidence)
    contradicted = sum(reading.confidence >= MIN_CONFIDENCE for reading in readings[size:])
    kept = readings[:size]
    alone = [at for at, reading in enumerate(kept) if not first[reading.piece] or not second[reading.piece]]
    for at in alone[max(0, len(alone) - contradicted) :]:
        kept[at] = replace(kept[at], confidence=min(kept[at].confidence, IN_DOUBT))
    return sorted(kept, key=lambda reading: -reading.confidence)
