"""Rank letters, suit symbols and joker marks as masks: from free fonts, and drawn here with a random pen."""

from __future__ import annotations

import math
import random
from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

Mask = NDArray[np.uint8]
RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
SUITS = "cdhs"
LETTERS = {  # the court letters of English, German, French and Italian packs, by how often they are drawn
    "english": ("J", "Q", "K"),
    "german": ("B", "D", "K"),
    "french": ("V", "D", "R"),
}
SYMBOLS = {"c": "\u2663", "d": "\u2666", "h": "\u2665", "s": "\u2660"}
SYMBOL_FONTS = (
    "DejaVuSans.ttf",
    "DejaVuSans-Bold.ttf",
    "FreeSerif.ttf",
    "FreeSans.ttf",
    "Symbola_hint.ttf",
    "DejaVuSerif.ttf",
    "FreeMono.ttf",
    "LinLibertine_R.otf",
)
UNFIT = ("Italic", "Oblique", "Thin", "Light", "Hairline", "Symbol", "Z003", "D050", "Math", "BasI", "BasBI", "Keyb")
UNFIT_ENDS = ("It", "BI", "I", "RI", "RZ", "RBI", "RZI", "-Swash", "MI", "aBI", "aRI", "Dings", "Symbols")
POINTS = 120


@lru_cache
def fonts(folder: Path) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Find the upright text fonts below a folder, and those that hold the suit symbols."""
    files = sorted(path for path in folder.rglob("*.[to]tf"))
    upright = [f for f in files if not any(word in f.name for word in UNFIT) and not f.stem.endswith(UNFIT_ENDS)]
    readable = [str(f) for f in upright if _draws_latin(str(f))]
    return tuple(readable), tuple(str(f) for f in files if f.name in SYMBOL_FONTS)


def choose_font(files: tuple[str, ...], rng: random.Random) -> str:
    """Choose a family first, then one of its weights: else the families with most files would rule."""
    families = _families(files)
    return rng.choice(families[rng.randrange(len(families))])


@lru_cache
def _families(files: tuple[str, ...]) -> list[list[str]]:
    found: dict[str, list[str]] = {}
    for file in files:
        found.setdefault(Path(file).name[:6], []).append(file)
    return list(found.values())


def _draws_latin(path: str) -> bool:
    try:
        font = ImageFont.truetype(path, 40)
        masks = [bytes(font.getmask(letter)) for letter in "A0123456789JQKBDVREO"]
    except OSError:
        return False
    return len({masks[at] for at in (0, 9, 12, 13)}) == 4 and all(any(mask) for mask in masks)


def cropped(mask: Mask) -> Mask:
    """Cut the empty margin off a mask."""
    rows, columns = np.where(mask > 40)
    return mask[rows.min() : rows.max() + 1, columns.min() : columns.max() + 1]


def typeset(text: str, font: str, size: int = 120) -> Mask:
    """Set a text in a font and cut it out."""
    drawn = Image.new("L", (size * (len(text) + 2), size * 2), 0)
    ImageDraw.Draw(drawn).text((size // 2, size // 4), text, font=ImageFont.truetype(font, size), fill=255)
    return cropped(np.array(drawn))


def wobbled(mask: Mask, rng: random.Random) -> Mask:
    """Bend a mask a little, so that no two packs are printed with the same shapes."""
    high, edge = len(mask), 8
    padded = np.pad(mask, edge)
    reach = 0.035 * high
    bend = np.array([[rng.gauss(0, reach) for _ in range(16)] for _ in range(2)], np.float32).reshape(2, 4, 4)
    dx, dy = (cv2.resize(part, padded.shape[::-1], interpolation=cv2.INTER_CUBIC) for part in bend)
    x, y = np.meshgrid(np.arange(padded.shape[1], dtype=np.float32), np.arange(padded.shape[0], dtype=np.float32))
    bent = cv2.remap(padded, x + dx, y + dy, cv2.INTER_LINEAR)
    return cropped(bent) if (bent > 60).any() else mask


def _arc(x: float, y: float, rx: float, ry: float, start: float, end: float) -> list[tuple[float, float]]:
    angles = np.radians(np.linspace(start, end, 40))
    return [(x + rx * math.cos(a), y + ry * math.sin(a)) for a in angles]


def _curve(*p: tuple[float, float]) -> list[tuple[float, float]]:
    """A cubic Bézier curve."""
    a, b, c, d = map(np.array, p)
    return [
        tuple(a * (1 - t) ** 3 + 3 * b * t * (1 - t) ** 2 + 3 * c * t * t * (1 - t) + d * t**3)
        for t in np.linspace(0, 1, 30)
    ]


def _digit(rank: str, rng: random.Random) -> list[list[tuple[float, float]]]:
    r = rng.random()
    if rank == "2":
        top = _arc(0.5, 0.28, 0.44, rng.uniform(0.24, 0.32), rng.uniform(165, 200), 375 + 15 * rng.random())
        left = rng.uniform(0.0, 0.08)
        foot = [(left, 1.0), (0.97, 1.0)]
        if r < 0.2:  # a foot with a wave
            foot = [(left, 0.96), *_curve((left, 0.96), (0.3, 0.82), (0.6, 1.05), (0.98, 0.92))]
        return [[*top, *foot]] + ([[(0.97, 1.0), (1.0, 0.84)]] if 0.2 < r < 0.45 else [])
    if rank == "3":
        bowl = _arc(0.48, 0.7, 0.47, 0.3, 270 if r < 0.55 else 235, rng.uniform(495, 535))
        if r < 0.55:
            return [[*_arc(0.48, 0.24, rng.uniform(0.36, 0.45), 0.24, rng.uniform(185, 215), 450), *bowl]]
        x = rng.uniform(0.3, 0.5)
        flat = [[(0.05, 0.0), (0.92, 0.0), (x, 0.42), *_arc(0.45, 0.7, 0.5, 0.3, 260, rng.uniform(495, 530))]]
        return flat + ([[(0.05, 0.0), (0.05, 0.14)]] if r > 0.8 else [])
    if rank == "4":
        x = rng.uniform(0.58, 0.84)
        bar = rng.uniform(0.58, 0.8)
        right = rng.choice([1.0, 1.0, x + 0.06])
        if r < 0.3:  # open at the top
            lean, top = rng.uniform(0.02, 0.4), rng.uniform(0.0, 0.45)
            return [[(lean, 0.0), (rng.uniform(0.0, 0.06), bar), (right, bar)], [(x, top), (x, 1.0)]]
        return [[(x, 1.0), (x, 0.0), (0.03, bar), (right, bar)]]
    if rank == "5":
        back, bend, wide = rng.uniform(0.08, 0.26), rng.uniform(0.38, 0.5), rng.uniform(0.74, 1.0)
        middle = (bend + 1) / 2 + rng.uniform(-0.05, 0.02)
        bowl = _arc(0.46, middle, 0.47, 1 - middle, rng.uniform(205, 250), rng.uniform(490, 530))
        flag = [(wide, 0.0), (back, 0.0)] if r < 0.8 else _curve((wide, 0.0), (0.7, 0.09), (0.4, 0.04), (back, 0.04))
        return [[*flag, (back - rng.uniform(0.0, 0.1), bend + 0.06), *bowl]]
    if rank in "69":
        tail = (
            _curve((rng.uniform(0.75, 0.92), rng.uniform(0.05, 0.2)), (0.6, -0.12), (0.05, 0.0), (0.05, 0.68))
            if r < 0.6
            else _curve((rng.uniform(0.6, 0.85), 0.0), (0.4, 0.25), (0.1, 0.4), (0.05, 0.68))
        )
        high = rng.uniform(0.26, 0.34)
        six = [tail, _arc(0.5, 1 - high, 0.45, high, 0, 360)]
        return six if rank == "6" else [[(1 - x, 1 - y) for x, y in line] for line in six]
    if rank == "7":
        foot = rng.uniform(0.2, 0.45)
        down = [(0.95, 0.0), *_curve((0.95, 0.0), (0.7, 0.3), (0.4, 0.6), (foot, 1.0))] if r < 0.5 else [(foot, 1.0)]
        marks = [[(0.05, 0.0), (0.05, rng.uniform(0.1, 0.2))]] if rng.random() < 0.5 else []
        if rng.random() < 0.2:  # a bar through it
            marks.append([(0.28, 0.52), (0.85, 0.46)])
        return [[(0.05, 0.0), (0.95, 0.0), *down], *marks]
    if rank == "8":
        waist, upper = rng.uniform(0.4, 0.5), rng.uniform(0.34, 0.46)
        return [
            _arc(0.5, waist / 2, upper, waist / 2, 0, 360),
            _arc(0.5, (1 + waist) / 2, 0.47, (1 - waist) / 2, 0, 360),
        ]
    if rank == "1":
        return _one(rng, 0.5)
    middle = rng.uniform(0.6, 0.72)
    round_ = 1 - middle
    if rng.random() < 0.4:  # straight sides
        zero = [
            *_arc(middle, 0.25, round_, 0.25, 180, 360),
            *_arc(middle, 0.75, round_, 0.25, 0, 180),
            (middle - round_, 0.25),
        ]
    else:
        zero = _arc(middle, 0.5, round_, 0.5, 0, 360)
    return [*_one(rng, rng.uniform(0.04, 0.12)), zero]


def _one(rng: random.Random, x: float) -> list[list[tuple[float, float]]]:
    r, stem = rng.random(), [(x, 0.0), (x, 1.0)]
    lines = [stem] if r < 0.5 else [[(x - 0.12, rng.uniform(0.1, 0.2)), *stem]]
    return lines + ([[(x - 0.12, 1.0), (x + 0.12, 1.0)]] if rng.random() < 0.35 else [])


def _letter(rank: str, rng: random.Random) -> list[list[tuple[float, float]]]:
    r = rng.random()
    if rank == "A":
        bar = rng.uniform(0.58, 0.72)
        return [[(0.0, 1.0), (0.5, 0.0), (1.0, 1.0)], [(bar / 2 - bar + 0.5, bar), (0.5 + bar / 2, bar)]]
    if rank == "J":
        x = rng.uniform(0.62, 0.85)
        low = rng.uniform(0.18, 0.32)
        hook = _arc(x / 2, 1 - low, x / 2, low, 0, rng.uniform(120, 190))
        top = (
            [[(x - 0.32, 0.0), (min(1.0, x + 0.25), 0.0)]]
            if r < 0.5
            else [[(x - 0.3, 0.0), (x, 0.0)]]
            if r < 0.7
            else []
        )
        return [[(x, 0.0), *hook], *top]
    if rank == "Q":
        tails = (
            [(0.5, 0.68), (1.0, 1.03)],
            _curve((0.12, 0.92), (0.3, 0.55), (0.6, 0.95), (1.0, 0.95)),
            _curve((0.25, 0.72), (0.55, 0.55), (0.6, 1.15), (1.05, 0.98)),
            [(0.68, 0.72), (0.92, 1.05)],
            _curve((0.45, 0.95), (0.5, 1.2), (0.8, 1.1), (1.0, 1.1)),
        )
        round_ = _arc(0.5, 0.48, 0.46, 0.48, 0, 360)
        if r < 0.35:  # a tail with a loop, as on many American packs
            x, y, wide = rng.uniform(0.15, 0.4), rng.uniform(0.78, 0.92), rng.uniform(0.1, 0.2)
            loop = _arc(x, y, wide, rng.uniform(0.06, 0.12), rng.uniform(0, 120), rng.uniform(330, 380))
            end = (rng.uniform(0.9, 1.15), rng.uniform(0.88, 1.08))
            return [round_, [*loop, *_curve(loop[-1], (0.6, y), (0.7, 1.1), end)]]
        if r < 0.5:  # a wave across
            return [
                round_,
                _curve((-0.08, rng.uniform(0.82, 1.0)), (0.3, 0.6), (0.5, 1.15), (1.1, rng.uniform(0.85, 1))),
            ]
        return [round_, rng.choice(tails)]
    if rank == "K":
        joint = rng.uniform(0.5, 0.68)
        leg = (0.1 + 0.8 * 0.4, joint * 0.6)
        return [[(0.1, 0.0), (0.1, 1.0)], [(0.92, 0.0), (0.1, joint)], [leg if r < 0.7 else (0.1, joint), (0.97, 1.0)]]
    if rank in "BR":
        upper = [(0.1, 0.0), (0.45, 0.0), *_arc(0.5, 0.25, 0.38, 0.25, -90, 90), (0.1, 0.5)]
        lower = [*_arc(0.5, 0.75, 0.45, 0.25, -90, 90), (0.1, 1.0)] if rank == "B" else [(0.5, 0.5), (0.97, 1.0)]
        return [[(0.1, 0.0), (0.1, 1.0)], upper, lower]
    if rank == "D":
        return [[(0.1, 0.0), (0.1, 1.0), (0.4, 1.0), *_arc(0.4, 0.5, 0.55, 0.5, 90, -90), (0.1, 0.0)]]
    return [[(0.0, 0.0), (0.5, 1.0), (1.0, 0.0)]]  # V


class Pen:
    """One hand for all ranks of a pack: the width of the stroke, its contrast, the nib, and its serifs."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.width = rng.uniform(0.08, 0.26)
        self.contrast = rng.uniform(0.45, 1.25)
        self.serif = rng.uniform(0.1, 0.26) if rng.random() < 0.5 else 0.0
        # a broad nib: how thin its strokes are across, and how it is held (0: upright strokes are thick)
        self.thin = rng.uniform(0.2, 0.8) if rng.random() < 0.5 else 1.0
        self.held = rng.choice([0.0, 0.0, rng.uniform(-40, 40)])

    def draw(self, rank: str) -> Mask:
        """Draw a rank letter as a mask."""
        high, wide, edge = 120, int(120 * self.contrast), 30
        lines = _digit(rank, self.rng) if rank[0].isdigit() else _letter(rank, self.rng)
        if rank == "10":
            wide = int(wide * self.rng.uniform(1.1, 1.6))
        mask = np.zeros((high + 2 * edge, wide + 2 * edge), np.uint8)
        thick = max(5, int(self.width * high * (0.8 if rank == "10" else 1)))
        with_nib = self.thin < 1.0
        for line in lines:
            points = np.array([(edge + x * wide, edge + y * high) for x, y in line], np.float32)
            pixels = [np.round(points).astype(np.int32)]
            cv2.polylines(mask, pixels, False, 255, 2 if with_nib else thick, cv2.LINE_AA)
        if with_nib:
            side = thick | 1
            nib = np.zeros((side, side), np.uint8)
            axes = (side // 2, max(1, round(side // 2 * self.thin)))
            cv2.ellipse(nib, (side // 2, side // 2), axes, self.held, 0, 360, 1, -1)
            mask = cv2.dilate(mask, nib)
        if self.serif and rank in ("A", "K", "B", "R", "V", "J", "4", "7"):
            self._feet(mask, lines, (wide, high, edge, thick))
        return cropped(mask)

    def _feet(self, mask: Mask, lines: list[list[tuple[float, float]]], box: tuple[int, int, int, int]) -> None:
        wide, high, edge, thick = box
        for line in lines:
            for x, y in (line[0], line[-1]):
                if y in (0.0, 1.0):
                    at = (edge + int(x * wide), edge + int(y * high))
                    half = int(self.serif * wide)
                    cv2.line(mask, (at[0] - half, at[1]), (at[0] + half, at[1]), 255, max(3, int(thick * 0.55)))


def suit_mask(suit: str, rng: random.Random, symbol_fonts: tuple[str, ...]) -> Mask:
    """Draw a suit symbol: a font's now and then, else one of ours with its own proportions."""
    if symbol_fonts and rng.random() < 0.4:
        for _ in range(4):
            mask = typeset(SYMBOLS[suit], rng.choice(symbol_fonts))
            if mask.size > 2500 and (mask > 127).mean() > 0.35 and abs(mask.shape[0] / mask.shape[1] - 1) < 0.5:
                return mask
    mask = np.zeros((200, 200), np.uint8)
    {"d": _diamond, "h": _heart, "s": _spade, "c": _club}[suit](mask, rng)
    return cropped(mask)


def _fill(mask: Mask, points: list[tuple[float, float]] | NDArray[np.float64]) -> None:
    cv2.fillPoly(mask, [np.array(points).astype(np.int32)], 255, cv2.LINE_AA)


def _diamond(mask: Mask, rng: random.Random) -> None:
    hollow, wide = rng.uniform(0, 0.22), rng.uniform(0.68, 0.95)
    points = []
    for corner in range(4):
        a, b = (np.array([math.sin(k * math.pi / 2), -math.cos(k * math.pi / 2)]) for k in (corner, corner + 1))
        for t in np.linspace(0, 1, 12, endpoint=False):
            p = (a * (1 - t) + b * t) * (1 - hollow * math.sin(math.pi * t))
            points.append((100 + p[0] * 90 * wide, 100 + p[1] * 90))
    _fill(mask, points)


def _lobes() -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    t = np.linspace(0, 2 * math.pi, POINTS)
    return 16 * np.sin(t) ** 3, 13 * np.cos(t) - 5 * np.cos(2 * t) - 2 * np.cos(3 * t) - np.cos(4 * t)


def _heart(mask: Mask, rng: random.Random) -> None:
    x, y = _lobes()
    _fill(mask, np.stack([100 + x * 5.2 * rng.uniform(0.85, 1.1), 95 - y * 5.2], 1))


def _foot(mask: Mask, rng: random.Random, top: int, least: int, most: int) -> None:
    base, waist = rng.uniform(least, most), rng.randint(4, 8)
    _fill(
        mask,
        [(100 - waist, top), (100 + waist, top), (108, 168), (100 + base, 189), (100 - base, 189), (92, 168)],
    )


def _spade(mask: Mask, rng: random.Random) -> None:
    x, y = _lobes()
    _fill(mask, np.stack([100 + x * 5.2 * rng.uniform(0.85, 1.1), 82 + y * 4.4], 1))
    _foot(mask, rng, 120, 14, 36)


def _club(mask: Mask, rng: random.Random) -> None:
    radius, spread = rng.uniform(32, 42), rng.uniform(36, 46)
    for x, y in ((0, -1.05), (-1, 0.35), (1, 0.35)):
        cv2.circle(mask, (int(100 + x * spread), int(92 + y * spread)), int(radius), 255, -1)
    if rng.random() < 0.7:
        cv2.circle(mask, (100, 95), 18, 255, -1)
    _foot(mask, rng, 100, 12, 32)


def star(rng: random.Random) -> Mask:
    """Draw a star of five or more points."""
    mask = np.zeros((200, 200), np.uint8)
    points, inner = rng.choice([5, 5, 5, 6, 8]), rng.uniform(0.35, 0.5)
    turns = [
        (
            100 + 90 * (inner if k % 2 else 1) * math.sin(k * math.pi / points),
            100 - 90 * (inner if k % 2 else 1) * math.cos(k * math.pi / points),
        )
        for k in range(2 * points)
    ]
    _fill(mask, turns)
    return cropped(mask)


def cap(rng: random.Random) -> Mask:
    """Draw a jester's cap with its bells."""
    mask = np.zeros((200, 200), np.uint8)
    tips = [
        (rng.randint(5, 30), rng.randint(60, 110)),
        (100 + rng.randint(-15, 15), rng.randint(8, 40)),
        (rng.randint(170, 195), rng.randint(60, 110)),
    ]
    base = [(50, 180), (150, 180)]
    for tip, (left, right) in zip(tips, ((50, 100), (70, 130), (100, 150)), strict=True):
        _fill(
            mask,
            [
                *_curve(base[0], (left, 120), (tip[0], tip[1] - 30), tip),
                *_curve(tip, (right, 100), (right, 130), base[1]),
            ],
        )
        cv2.circle(mask, tip, rng.randint(9, 16), 255, -1)
    cv2.line(mask, (45, 188), (155, 188), 255, rng.randint(8, 16))
    return cropped(mask)
