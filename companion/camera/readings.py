"""What was read in a photograph, and what two photographs of one hand say together."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest

from companion.engine.pieces import Piece

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

    Each picture errs by itself: a piece read in both is wrong only if both readings are. Of equally sure ones those of
    the second picture come first. What only the first shows has no box.
    """
    first: dict[Piece, list[float]] = defaultdict(list)
    second: dict[Piece, list[Detection]] = defaultdict(list)
    for piece, confidence in before:
        first[piece].append(confidence)
    for reading in now:
        second[reading.piece].append(reading)
    readings = []
    for piece in dict.fromkeys([*second, *first]):
        for earlier, found in zip_longest(sorted(first[piece], reverse=True), second[piece]):
            reading = found or Detection(piece, 0.0, None)
            readings.append(replace(reading, confidence=1 - (1 - (earlier or 0.0)) * (1 - reading.confidence)))
    return sorted(readings, key=lambda reading: -reading.confidence)[:size]
