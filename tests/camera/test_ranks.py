"""The audit of ranks: clean cards in several hands of letters, each at two widths; which ranks are read.

The letters are strokes drawn here, and Pillow's own font; `training/audit.py` does the same for any fonts.
"""

from __future__ import annotations

import io
import math
import random
from collections.abc import Callable

import pytest
from PIL import Image, ImageDraw, ImageFilter, ImageFont

from companion.camera import read_hand
from companion.engine.pieces.cards import FRENCH

pytestmark = pytest.mark.thorough

RANKS = "A23456789TJQK"
INK = {"c": (25, 25, 28), "d": (200, 25, 35), "h": (200, 25, 35), "s": (25, 25, 28)}
HIGH = 120
Line = list[tuple[float, float]]
Draw = Callable[[str], Image.Image]


def arc(x: float, y: float, rx: float, ry: float, first: float, last: float) -> Line:
    turns = [math.radians(first + (last - first) * k / 40) for k in range(41)]
    return [(x + rx * math.cos(turn), y + ry * math.sin(turn)) for turn in turns]


ROUND = arc(0.5, 0.5, 0.45, 0.5, 0, 360)
SIX = [[(0.8, 0.04), (0.4, 0.2), (0.1, 0.45), (0.05, 0.68)], arc(0.5, 0.68, 0.45, 0.32, 0, 360)]
STROKES: dict[str, list[Line]] = {
    "A": [[(0, 1), (0.5, 0), (1, 1)], [(0.18, 0.65), (0.82, 0.65)]],
    "2": [[*arc(0.5, 0.28, 0.42, 0.28, 180, 380), (0.05, 1), (0.95, 1)]],
    "3": [[*arc(0.48, 0.24, 0.42, 0.24, 200, 450), *arc(0.48, 0.74, 0.47, 0.26, 270, 520)]],
    "flat 3": [[(0.05, 0), (0.92, 0), (0.4, 0.42), *arc(0.45, 0.71, 0.5, 0.29, 260, 520)]],
    "4": [[(0.72, 1), (0.72, 0), (0.03, 0.7), (1, 0.7)]],
    "open 4": [[(0.25, 0), (0.05, 0.62), (1, 0.62)], [(0.72, 0.3), (0.72, 1)]],
    "5": [[(0.9, 0), (0.2, 0), (0.13, 0.46), *arc(0.46, 0.67, 0.46, 0.33, 225, 510)]],
    "slim 5": [[(0.95, 0), (0.25, 0), (0.18, 0.42), *arc(0.45, 0.7, 0.5, 0.3, 240, 500)]],
    "6": SIX,
    "7": [[(0.05, 0), (0.95, 0), (0.36, 1)]],
    "barred 7": [[(0.05, 0.14), (0.05, 0), (0.95, 0), (0.4, 1)], [(0.3, 0.5), (0.85, 0.5)]],
    "8": [arc(0.5, 0.23, 0.4, 0.23, 0, 360), arc(0.5, 0.73, 0.47, 0.27, 0, 360)],
    "9": [[(1 - x, 1 - y) for x, y in line] for line in SIX],
    "T": [[(0.08, 0), (0.08, 1)], [(0.4 + 0.6 * x, y) for x, y in ROUND]],
    "wide T": [[(-0.05, 0.16), (0.1, 0), (0.1, 1)], [(0.35 + 0.95 * x, y) for x, y in ROUND]],
    "J": [[(0.75, 0), *arc(0.38, 0.72, 0.37, 0.28, 0, 175)]],
    "serif J": [[(0.75, 0), *arc(0.38, 0.72, 0.37, 0.28, 0, 160)], [(0.45, 0), (1, 0)]],
    "Q": [ROUND, [(0.55, 0.7), (1, 1.05)]],
    "K": [[(0.1, 0), (0.1, 1)], [(0.92, 0), (0.1, 0.6)], [(0.4, 0.38), (0.97, 1)]],
}
OTHER = {"3": "flat 3", "4": "open 4", "5": "slim 5", "7": "barred 7", "T": "wide T", "J": "serif J"}


def strokes(thick: int, other: bool) -> Draw:
    """Letters of one width of stroke; `other` has the rarer shapes."""

    def draw(rank: str) -> Image.Image:
        mask = Image.new("L", (260, 200))
        pen = ImageDraw.Draw(mask)
        for line in STROKES[OTHER.get(rank, rank) if other else rank]:
            points = [(60 + 80 * x, 40 + HIGH * y) for x, y in line]
            pen.line(points, fill=255, width=thick, joint="curve")
            for x, y in points:
                pen.ellipse((x - thick / 2, y - thick / 2, x + thick / 2, y + thick / 2), fill=255)
        return mask.crop(mask.getbbox())

    return draw


def typeset(rank: str) -> Image.Image:
    mask = Image.new("L", (400, 260))
    ImageDraw.Draw(mask).text((60, 20), "10" if rank == "T" else rank, font=ImageFont.load_default(140), fill=255)
    return mask.crop(mask.getbbox())


PACKS: dict[str, Draw] = {
    "thin": strokes(13, other=False),
    "thick": strokes(26, other=False),
    "thin, rarer shapes": strokes(13, other=True),
    "thick, rarer shapes": strokes(26, other=True),
    "Pillow's font": typeset,
}


def suit(letter: str) -> Image.Image:
    mask = Image.new("L", (100, 110))
    pen = ImageDraw.Draw(mask)
    if letter == "d":
        pen.polygon([(50, 2), (92, 55), (50, 108), (8, 55)], fill=255)
        return mask
    lobes = {"c": ((50, 28), (26, 62), (74, 62)), "h": ((28, 32), (72, 32)), "s": ((28, 62), (72, 62))}[letter]
    for x, y in lobes:
        pen.ellipse((x - 24, y - 24, x + 24, y + 24), fill=255)
    if letter == "h":
        pen.polygon([(7, 42), (50, 105), (93, 42), (50, 28)], fill=255)
    else:
        if letter == "s":
            pen.polygon([(7, 52), (50, 2), (93, 52), (50, 70)], fill=255)
        pen.polygon([(46, 50), (54, 50), (66, 106), (34, 106)], fill=255)
    return mask


def card(rank: str, letter: str, draw: Draw, squeeze: float, high: int = 26) -> Image.Image:
    picture, ink = Image.new("RGB", (170, 238), (248, 246, 240)), INK[letter]
    mask = draw(rank)
    mask = mask.resize((max(4, round(mask.width * squeeze * high / mask.height)), high), Image.Resampling.LANCZOS)
    small, large = (suit(letter).resize((side, round(side * 1.1))) for side in (19, 52))
    for _ in range(2):
        picture.paste(ink, (18 - mask.width // 2, 10), mask)
        picture.paste(ink, (18 - small.width // 2, 14 + high), small)
        picture = picture.rotate(180)
    picture.paste(ink, ((170 - large.width) // 2, (238 - large.height) // 2), large)
    return picture


def missed(draw: Draw, squeeze: float) -> list[str]:
    """Read one card of each rank; return the ranks that aren't read."""
    chance = random.Random(5)
    table = Image.new("RGB", (1280, 960), (30, 85, 55))
    names = [rank + chance.choice("cdhs") for rank in RANKS]
    for at, name in enumerate(names):
        laid = card(name[0], name[1], draw, squeeze).convert("RGBA")
        laid = laid.rotate(chance.uniform(-12, 12), expand=True, resample=Image.Resampling.BICUBIC)
        table.paste(laid, (20 + at % 6 * 205, 30 + at // 6 * 300), laid)
    file = io.BytesIO()
    table.filter(ImageFilter.GaussianBlur(0.8)).save(file, "JPEG", quality=88)
    read = {reading.piece.text for reading in read_hand(file.getvalue(), FRENCH, 13)[:13]}
    return sorted({FRENCH.spellings[name].text for name in names} - read)


@pytest.mark.parametrize("squeeze", [1.0, 0.75], ids=["wide", "narrow"])
@pytest.mark.parametrize("pack", PACKS)
def test_ranks_are_read_in_every_hand_of_letters(pack: str, squeeze: float) -> None:
    found = missed(PACKS[pack], squeeze)
    assert len(found) <= 1, found
