"""Reads hands from picture files: `python -m companion.camera FILE... --pieces french --size 5`.

Prints one JSON line per file; a file that can't be read has an "error" and no pieces. With `--table 5,5,5` instead of
`--size` a file shows a table of hands of so many pieces, and its line has "groups" of pieces.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.engine.pieces.cards import FRENCH_WITH_JOKER, SPANISH_40
from companion.engine.pieces.dominoes import DOMINOES
from companion.engine.pieces.sets import PieceSet

from . import PhotoError, read_hand, read_table

if TYPE_CHECKING:
    from .readings import Detection

SETS: dict[str, PieceSet[Any]] = {"french": FRENCH_WITH_JOKER, "dominoes": DOMINOES, "spanish": SPANISH_40}


def line_of(file: Path, pieces: PieceSet[Any], size: int = 0, table: Sequence[int] = ()) -> dict[str, object]:
    """Return the JSON line of one file, for a hand or a table of hands; boxes are x, y, width, height in pixels."""
    what = "groups" if table else "pieces"
    try:
        if table:
            groups = read_table(file, pieces, table)
            return {"file": str(file), what: [{"pieces": as_objects(g.readings), "box": list(g.box)} for g in groups]}
        return {"file": str(file), what: as_objects(read_hand(file, pieces, size))}
    except PhotoError as error:
        return {"file": str(file), what: [], "error": str(error.message)}
    except OSError as error:
        return {"file": str(file), what: [], "error": error.strerror or str(error)}


def as_objects(readings: Sequence[Detection]) -> list[dict[str, object]]:
    """Return what was read, as JSON."""
    return [{"piece": r.piece.text, "confidence": round(r.confidence, 3), "box": list(r.box or ())} for r in readings]


def sizes(text: str) -> list[int]:
    """Return the sizes of hands, given as 5,5,5."""
    return [int(size) for size in text.split(",")]


def main() -> None:
    """Read the files named on the command line, one after another."""
    parser = argparse.ArgumentParser(prog="python -m companion.camera", description=__doc__)
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE")
    parser.add_argument("--pieces", choices=list(SETS), default="french")
    shown = parser.add_mutually_exclusive_group(required=True)
    shown.add_argument("--size", type=int, help="how many pieces the hand holds")
    shown.add_argument("--table", type=sizes, metavar="SIZES", help="how many pieces each hand of a table holds: 5,5,5")
    options = parser.parse_args()
    for file in options.files:
        print(json.dumps(line_of(file, SETS[options.pieces], options.size, options.table or ())), flush=True)


if __name__ == "__main__":
    main()
