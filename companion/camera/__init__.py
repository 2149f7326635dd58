"""Recognizes the hand in a photograph: cards or domino tiles, each with a confidence.

NumPy and Pillow are loaded only with the first photograph: most rounds are typed, and the app starts faster without
them.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Sequence
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, BinaryIO

from companion.engine.messages import Message
from companion.engine.pieces.cards import Card
from companion.engine.pieces.sets import Piece, PieceSet

from .photograph import MAX_BYTES, PhotoError

if TYPE_CHECKING:
    from .readings import DetectedGroup, Detection

__all__ = [
    "MAX_BYTES",
    "PhotoError",
    "can_read",
    "glance_at_hand",
    "glance_at_table",
    "is_installed",
    "read_hand",
    "read_table",
    "unreadable",
]


@cache
def is_installed() -> bool:
    """Return whether NumPy and Pillow are installed, without loading them."""
    return all(find_spec(name) for name in ("numpy", "PIL"))


def unreadable(pieces: PieceSet[Any]) -> Message:
    """Return the error for a set whose hands can't be read."""
    return Message("These {pieces} can't be read from a photo yet. Tap them instead.", pieces=Message(pieces.noun[1]))


def can_read(pieces: PieceSet[Any]) -> bool:
    """Return whether hands of a set can be read: so far French cards and domino tiles."""
    first = pieces.pieces[0]
    return not isinstance(first, Card) or first.family == "french"


def read_hand(
    image: bytes | Path | BinaryIO, pieces: PieceSet[Any], size: int, held: Iterable[Piece] = ()
) -> list[Detection]:
    """Read a photographed hand of `size` pieces, most confident first; pieces in other hands are left out.

    If more pieces were seen, more readings than `size` are returned; a picture without pieces gives none. Raises
    PhotoError if the picture can't be decoded, the set can't be read, or NumPy or Pillow isn't installed.
    """
    readings: list[Detection] = _reader(pieces).read(image, pieces, size, held)
    return readings


def glance_at_hand(
    image: bytes | Path | BinaryIO, pieces: PieceSet[Any], size: int, held: Iterable[Piece] = ()
) -> list[Detection]:
    """Read a frame of a viewfinder as `read_hand` does, in less than half of the time.

    Pieces that are small in the picture are missed.
    """
    readings: list[Detection] = _reader(pieces).glance(image, pieces, size, held)
    return readings


def read_table(
    image: bytes | Path | BinaryIO, pieces: PieceSet[Any], sizes: Sequence[int], held: Iterable[Piece] = ()
) -> list[DetectedGroup]:
    """Read several hands laid apart in one photograph; `sizes` says how many pieces each hand takes.

    The groups come clockwise from the bottom of the picture, or from the left if they lie in a row. Their number and
    sizes are what is in the picture and may differ from `sizes`. No piece is given more often than the set has it, over
    the whole table. Raises PhotoError as `read_hand` does.
    """
    groups: list[DetectedGroup] = _reader(pieces).read_groups(image, pieces, sizes, held)
    return groups


def glance_at_table(
    image: bytes | Path | BinaryIO, pieces: PieceSet[Any], sizes: Sequence[int], held: Iterable[Piece] = ()
) -> list[DetectedGroup]:
    """Read a frame of a viewfinder over the table as `read_table` does, in half of the time."""
    groups: list[DetectedGroup] = _reader(pieces).glance_at_groups(image, pieces, sizes, held)
    return groups


def _reader(pieces: PieceSet[Any]) -> ModuleType:
    """Load the module that reads photographs; raises PhotoError if it can't be loaded or can't read this set."""
    if not can_read(pieces):
        raise PhotoError("deck-not-read", unreadable(pieces))
    if "numpy" not in sys.modules:
        # several threads spin while they wait for each other: on a busy machine that takes ten times the processor
        # time, and it takes memory and holds up other requests
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    try:
        return import_module(".recognition", __package__)
    except ModuleNotFoundError as error:
        message = Message("Photos can't be read on this computer: NumPy and Pillow aren't installed. Tap the cards.")
        raise PhotoError("not-installed", message) from error
