"""Render scenes into shards to train from: shard K holds the scenes of seed K, whenever it is made.

python tests/camera/training/generate.py --fonts FONTS --folder SHARDS --first 0 --last 15
"""

from __future__ import annotations

import argparse
import os
import random
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from decks import Deck
from scenes import COLUMNS, SIDE, compose
from tiles import TileSet

SCENES = 1000
MAX_MARKS = 32
SCENES_A_PACK = 6


@dataclass(frozen=True)
class Mix:
    """What a shard's scenes show: the shares of cards, tiles, hands with jokers, packs with other letters."""

    cards: float = 0.64
    tiles: float = 0.32
    jokers: float = 0.25
    foreign: float = 0.14
    courts: float = 0.0


MIXES: dict[str | None, Mix] = {
    None: Mix(),
    "tiles": Mix(0.08, 0.89),
    "cards": Mix(0.93, 0.04, jokers=0.3, foreign=0.3),
}
MIXES["courts"] = Mix(0.93, 0.04, jokers=0.2, foreign=0.45, courts=0.6)


def shard(seed: int, fonts: Path, folder: Path, mix: Mix, scenes: int) -> None:
    """Render one shard; what is there already is left."""
    done = folder / f"labels_{seed:03}.npy"
    if done.exists():
        return
    rng = random.Random(seed)
    pictures = np.lib.format.open_memmap(
        folder / f"pictures_{seed:03}.npy", mode="w+", dtype=np.uint8, shape=(scenes, SIDE, SIDE, 3)
    )
    labels = np.full((scenes, MAX_MARKS, COLUMNS), -1, np.float32)
    decks = [Deck(rng, fonts, mix.foreign) for _ in range(4)]
    tiles = [TileSet(rng) for _ in range(4)]
    made = 0
    while made < scenes:
        if rng.random() < 1 / SCENES_A_PACK:
            decks[rng.randrange(4)] = Deck(rng, fonts, mix.foreign)
            tiles[rng.randrange(4)] = TileSet(rng)
        kind, pieces = rng.random(), mix.cards + mix.tiles
        deck = rng.choice(decks) if kind < mix.cards else None
        scene = compose(rng, deck, rng.choice(tiles) if mix.cards <= kind < pieces else None, mix.jokers, mix.courts)
        if kind < pieces and not (scene.labels[:, 8:10].min(1) > 0.4).any() and rng.random() < 0.8:
            continue  # nothing to be read: few of these are enough
        rows = scene.labels[:MAX_MARKS]
        pictures[made], labels[made, : len(rows)] = scene.picture, rows
        made += 1
    pictures.flush()
    np.save(folder / f"new_{seed:03}.npy", labels)
    os.replace(folder / f"new_{seed:03}.npy", done)


def main() -> None:
    """Render the shards asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--fonts", type=Path, default=Path("/usr/share/fonts"))
    parser.add_argument("--folder", type=Path, required=True)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--last", type=int, default=15)
    parser.add_argument("--scenes", type=int, default=SCENES, help="in each shard")
    parser.add_argument("--only", choices=["tiles", "cards", "courts"])
    options = parser.parse_args()
    cv2.setNumThreads(1)
    options.folder.mkdir(parents=True, exist_ok=True)
    for seed in range(options.first, options.last + 1):
        shard(seed, options.fonts, options.folder, MIXES[options.only], options.scenes)
        print("shard", seed, flush=True)


if __name__ == "__main__":
    main()
