"""Measure what a second photograph of a hand brings, on labelled photographs that are made worse twice.

    OPENBLAS_NUM_THREADS=1 python tests/camera/training/two_photos.py FOLDER...

FOLDER holds `cards.json` and the folder `cards` (see `evaluate.py`). Each hand of 4 to 8 cards is made steep, blurred,
dark and grainy, at random but reproducibly, once for each photograph; what the second shows is counted alone and
together with the first.
"""

from __future__ import annotations

import io
import json
import random
import sys
from itertools import product
from pathlib import Path

import numpy as np
from PIL import Image, ImageFilter

from companion.camera import read_hand
from companion.camera.readings import MIN_CONFIDENCE, SURE, Detection, together
from companion.engine.pieces.cards import FRENCH_WITH_JOKER

SIDE = 1280  # as the phone sends it
SEEDS = (7, 8)  # each hand is measured with both


def worse(picture: Image.Image, chosen: random.Random) -> bytes:
    """Return a picture as it comes out in a bad moment, as a JPEG."""
    wide, high = picture.size
    far = chosen.uniform(0.1, 0.28)  # of the far side's length, missing at each end
    corners = {
        "top": [(wide * far, 0), (wide * (1 - far), 0), (wide, high), (0, high)],
        "bottom": [(0, 0), (wide, 0), (wide * (1 - far), high), (wide * far, high)],
        "left": [(0, high * far), (wide, 0), (wide, high), (0, high * (1 - far))],
        "right": [(0, 0), (wide, high * far), (wide, high * (1 - far)), (0, high)],
    }[chosen.choice(["top", "bottom", "left", "right"])]
    rows, to = [], []
    for (x, y), (u, v) in zip([(0, 0), (wide, 0), (wide, high), (0, high)], corners, strict=True):
        rows += [[u, v, 1, 0, 0, 0, -x * u, -x * v], [0, 0, 0, u, v, 1, -y * u, -y * v]]
        to += [x, y]
    shape = np.linalg.solve(np.array(rows, float), np.array(to, float)).tolist()
    steep = picture.transform((wide, high), Image.Transform.PERSPECTIVE, shape, Image.Resampling.BILINEAR)
    blurred = steep.filter(ImageFilter.GaussianBlur(max(wide, high) / SIDE * chosen.uniform(1, 3)))
    dark = np.asarray(blurred).astype(float) * chosen.uniform(0.3, 0.8)
    grain = np.random.default_rng(chosen.randrange(10**9)).normal(0, 12, dark.shape)
    file = io.BytesIO()
    Image.fromarray((dark + grain).clip(0, 255).astype("uint8")).save(file, "JPEG", quality=85)
    return file.getvalue()


def read_of(readings: list[Detection], size: int) -> list[Detection]:
    """Return what would be proposed."""
    return [reading for reading in readings[:size] if reading.confidence >= MIN_CONFIDENCE]


def main() -> None:
    """Measure, and print the figures."""
    totals = {"the second alone": [0] * 5, "both together": [0] * 5}
    chosen = random.Random()
    for seed, folder in product(SEEDS, map(Path, sys.argv[1:])):
        if folder == Path(sys.argv[1]):
            chosen.seed(seed)
        for name, entry in json.loads((folder / "cards.json").read_text()).items():
            there = sorted(FRENCH_WITH_JOKER.spellings[card].text for card in entry["cards"])
            if not 4 <= len(there) <= 8:
                continue
            with Image.open(folder / "cards" / name) as file:
                picture = file.convert("RGB")
            picture.thumbnail((SIDE, SIDE))
            first, second = (read_hand(worse(picture, chosen), FRENCH_WITH_JOKER, len(there)) for _ in range(2))
            before = [(reading.piece, reading.confidence) for reading in read_of(first, len(there))]
            both = together(before, second, len(there))
            for total, readings in zip(totals.values(), (second, both), strict=True):
                read = [(reading.piece.text, reading.confidence >= SURE) for reading in read_of(readings, len(there))]
                cards = [card for card, _ in read]
                wrong = sum(is_sure and card not in there for card, is_sure in read)
                whole = sorted(cards) == there
                figures = (len(there), len({*cards} & {*there}), whole, sum(is_sure for _, is_sure in read), wrong)
                total[:] = [sum(pair) for pair in zip(total, figures, strict=True)]
    for what, (cards, right, whole, sure, wrong) in totals.items():
        print(f"{what}: {right} of {cards} cards, {whole} hands all right, {sure} sure, {wrong} of them wrong")


if __name__ == "__main__":
    main()
