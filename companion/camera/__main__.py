"""Reads hands from picture files: `python -m companion.camera FILE... --pieces french --size 5`.

Prints one JSON line per file; a file that can't be read has an "error" and no pieces.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from companion.engine.cards import FRENCH_WITH_JOKER, SPANISH_40
from companion.engine.dominoes import DOMINOES
from companion.engine.pieces import PieceSet

from . import PhotoError, read_hand

SETS: dict[str, PieceSet[Any]] = {"french": FRENCH_WITH_JOKER, "dominoes": DOMINOES, "spanish": SPANISH_40}


def line_of(file: Path, pieces: PieceSet[Any], size: int) -> dict[str, object]:
    """Return the JSON line of one file, for a hand of `size` pieces; boxes are x, y, width, height in pixels."""
    try:
        readings = read_hand(file, pieces, size)
    except PhotoError as error:
        return {"file": str(file), "pieces": [], "error": str(error.message)}
    except OSError as error:
        return {"file": str(file), "pieces": [], "error": error.strerror or str(error)}
    found = [{"piece": r.piece.text, "confidence": round(r.confidence, 3), "box": list(r.box)} for r in readings]
    return {"file": str(file), "pieces": found}


def main() -> None:
    """Read the files named on the command line, one after another."""
    parser = argparse.ArgumentParser(prog="python -m companion.camera", description=__doc__)
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE")
    parser.add_argument("--pieces", choices=list(SETS), default="french")
    parser.add_argument("--size", type=int, required=True, help="how many pieces the hand holds")
    options = parser.parse_args()
    for file in options.files:
        print(json.dumps(line_of(file, SETS[options.pieces], options.size)), flush=True)


if __name__ == "__main__":
    main()
