"""Render whole hands that were never trained on, to measure with: a folder in the form that evaluate.py reads.

python tests/camera/training/samples.py --out FOLDER --cards 100 --dominoes 50
python tests/camera/training/samples.py --out tests/camera/samples --cards 8 --dominoes 4 --side 500 --quality 40
(the hands with jokers beside them: --cards 4 --dominoes 0 --jokers 1 --foreign 0.5)
python tests/camera/training/samples.py --out FOLDER --cards 0 --dominoes 0 --rows 120
"""

from __future__ import annotations

import argparse
import json
import random
from pathlib import Path

import cv2
from decks import JOKER, Deck
from glyphs import RANKS, SUITS
from rows import row_under_glare
from scenes import Scene, hand
from tiles import TileSet

SEED, SEED_OF_ROWS = 900_000, 920_000  # beyond the seeds of every shard


def labels_of(scene: Scene, cards: bool) -> list[str]:
    """Name the pieces of a scene: Ah, 10c; or 26 for a tile, whose halves follow each other."""
    if cards:
        names = {"Jk" if row[1] == JOKER else RANKS[int(row[1])] + SUITS[int(row[2])] for row in scene.labels}
        return sorted(names)
    ends = [int(row[1]) for row in scene.labels]
    return [f"{min(pair)}{max(pair)}" for pair in zip(ends[::2], ends[1::2], strict=True)]


def main() -> None:
    """Render the hands asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--fonts", type=Path, default=Path("/usr/share/fonts"))
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--cards", type=int, default=100)
    parser.add_argument("--dominoes", type=int, default=50)
    parser.add_argument("--rows", type=int, default=0, help="rows of five under glare, beside the other hands")
    parser.add_argument("--side", type=int, default=960)
    parser.add_argument("--quality", type=int, default=88)
    parser.add_argument("--jokers", type=float, default=0.0, help="the share of hands with a joker")
    parser.add_argument("--foreign", type=float, default=0.14, help="the share of packs with other letters")
    options = parser.parse_args()
    for what, wanted in (("cards", options.cards), ("dominoes", options.dominoes)):
        rng, entries = random.Random(SEED), {}
        (options.out / what).mkdir(parents=True, exist_ok=True)
        while len(entries) < wanted:
            count = rng.randint(4, 8) if what == "cards" else rng.randint(3, 7)
            deck = Deck(rng, options.fonts, options.foreign) if what == "cards" else None
            scene = hand(rng, deck, None if deck else TileSet(rng), count, options.side, options.jokers)
            if scene:
                entries |= saved(scene, f"rendered_{len(entries):03}", "rendered", what, options)
        rng, rows = random.Random(SEED_OF_ROWS), {}
        while what == "cards" and len(rows) < options.rows:
            scene = row_under_glare(rng, Deck(rng, options.fonts, options.foreign), options.side)
            if scene:
                rows |= saved(scene, f"row_{len(rows):03}", "row under glare", what, options)
        (options.out / f"{what}.json").write_text(json.dumps({**entries, **rows}, indent=1) + "\n")


def saved(scene: Scene, stem: str, kind: str, what: str, options: argparse.Namespace) -> dict[str, object]:
    """Save a scene's picture; gives its entry."""
    name, picture = f"{stem}.jpg", cv2.cvtColor(scene.picture, cv2.COLOR_RGB2BGR)
    cv2.imwrite(str(options.out / what / name), picture, [cv2.IMWRITE_JPEG_QUALITY, options.quality])
    return {name: {"cards" if what == "cards" else "tiles": labels_of(scene, what == "cards"), "kind": kind}}


if __name__ == "__main__":
    main()
