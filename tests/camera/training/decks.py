"""Packs of French cards as pictures: indices, pips, invented court cards, jokers and backs. All drawn here."""

from __future__ import annotations

import random
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from glyphs import LETTERS, RANKS, SUITS, Mask, Pen, cap, choose_font, fonts, star, suit_mask, typeset, wobbled
from numpy.typing import NDArray

Picture = NDArray[np.uint8]
Color = tuple[int, int, int]
JOKER = 13
_ROW = {0: [0.5], 2: [0.0, 1.0]}
PIPS = {
    1: [(0.5, 0.5)],
    2: [(0.5, 0.0), (0.5, 1.0)],
    3: [(0.5, 0.0), (0.5, 0.5), (0.5, 1.0)],
    4: [(0, 0), (1, 0), (0, 1), (1, 1)],
    5: [(0, 0), (1, 0), (0, 1), (1, 1), (0.5, 0.5)],
    6: [(0, 0), (1, 0), (0, 0.5), (1, 0.5), (0, 1), (1, 1)],
}
PIPS[7] = [*PIPS[6], (0.5, 0.25)]
PIPS[8] = [*PIPS[7], (0.5, 0.75)]
_EIGHT = [(x, y) for y in (0, 0.333, 0.667, 1) for x in (0, 1)]
PIPS[9] = [*_EIGHT, (0.5, 0.5)]
PIPS[10] = [*_EIGHT, (0.5, 0.167), (0.5, 0.833)]


@dataclass
class Mark:
    """Where an index (or the half of a tile) lies on its piece: centre, the way up, the parts it is read by.

    `value` is the rank, 0 for the ace to 12 for the king and 13 for the joker, or the number of pips. `parts` are the
    boxes of the rank and of the suit; `size` is the height of the rank.
    """

    kind: int
    value: int
    suit: int
    centre: tuple[float, float]
    up: tuple[int, int]
    parts: tuple[tuple[float, float, float, float], ...]
    size: float


@dataclass
class Face:
    """A piece as seen from above: its picture, its outline as a mask, its marks."""

    picture: Picture
    outline: Mask
    marks: list[Mark]


def paste(
    picture: Picture, mask: Mask, at: tuple[float, float], size: tuple[float, float], color: Color, turned: bool = False
) -> None:
    """Print a mask in a colour, centred at a point."""
    w, h = (max(3, round(side)) for side in size)
    shape = cv2.resize(mask, (w, h), interpolation=cv2.INTER_AREA)
    shape = shape[::-1, ::-1] if turned else shape
    x, y = round(at[0] - w / 2), round(at[1] - h / 2)
    x0, y0, x1, y1 = max(0, x), max(0, y), min(picture.shape[1], x + w), min(picture.shape[0], y + h)
    if x1 > x0 and y1 > y0:
        alpha = shape[y0 - y : y1 - y, x0 - x : x1 - x, None] / 255.0
        under = picture[y0:y1, x0:x1]
        picture[y0:y1, x0:x1] = (under * (1 - alpha) + np.array(color) * alpha).astype(np.uint8)


def turned(picture: Picture) -> Picture:
    """Look at a picture from its other end; a view, so what is printed on it stays."""
    return picture[::-1, ::-1]


class Deck:
    """One pack: its letters, symbols, colours and measures are drawn once; its cards when they are asked for.

    `foreign` is the probability of German or French letters.
    """

    height = 400

    def __init__(self, rng: random.Random, folder: Path, foreign: float = 0.14) -> None:
        self.rng, self.foreign = rng, foreign
        self.width = int(400 * rng.choice([0.643, 0.69, 0.714, 0.714, 0.714]))
        files, symbols = fonts(folder)
        self._cards: dict[tuple[int, int], Face] = {}
        self._ranks(files)
        self.symbols = {suit: suit_mask(suit, rng, symbols) for suit in SUITS}
        own = rng.random() < 0.4
        self.pips = {suit: suit_mask(suit, rng, symbols) for suit in SUITS} if own else self.symbols
        self._colors()
        self._measures()
        self.word = typeset("JOKER", choose_font(files, rng), 60) if files else None
        self.letters = [typeset(letter, choose_font(files, rng), 60) for letter in "JOKER"] if files else []
        self.joker_kind = rng.choice(["column", "column", "star", "cap", "word", "letter", "star"])
        # most packs have the usual pips; some one large pip, a large rank, or a picture on every card
        self.faces = rng.choices(["pips", "large", "rank", "picture"], [86, 5, 3, 6])[0]
        self.pip_size = rng.uniform(0.13, 0.24)
        self.pip_places = rng.uniform(0.34, 0.46), rng.uniform(0.56, 0.72)

    def _ranks(self, files: tuple[str, ...]) -> None:
        rng = self.rng
        language = rng.choices(list(LETTERS), [1 - self.foreign, self.foreign * 4 / 7, self.foreign * 3 / 7])[0]
        shown = [*RANKS[:10], *LETTERS[language]]
        if language == "french" and rng.random() < 0.4:
            shown[0] = "1"
        aspect = rng.uniform(0.42, 0.85)
        pen = Pen(rng) if rng.random() < 0.45 or not files else None
        font = "" if pen else choose_font(files, rng)
        swell = rng.choice([3, 5, 7]) if pen is None and rng.random() < 0.35 else 0
        bends = rng.random() < 0.5
        ten = aspect * rng.uniform(1.0, 1.9)
        self.ranks: list[tuple[Mask, float]] = []
        for text in shown:
            mask = pen.draw(text) if pen else self._ten(font) if text == "10" else typeset(text, font)
            if swell:
                thicker = cv2.dilate if rng.random() < 0.65 else cv2.erode
                other = thicker(np.pad(mask, 6), np.ones((swell, swell), np.uint8))
                mask = other if (other > 127).mean() > 0.08 else mask
            if bends:
                mask = wobbled(mask, rng)
            wide = mask.shape[1] / mask.shape[0]
            if text == "10":
                wide = min(wide * 1.1, ten)
            else:
                wide = min(min(max(wide, 0.3), 1.1) * aspect / 0.66, aspect * 1.25)
            self.ranks.append((mask, wide))

    def _ten(self, font: str) -> Mask:
        one, zero = typeset("1", font), typeset("0", font)
        high = max(one.shape[0], zero.shape[0])
        gap = np.zeros((high, max(2, int(high * self.rng.uniform(0.04, 0.14)))), np.uint8)
        return np.hstack([cv2.resize(one, (one.shape[1], high)), gap, cv2.resize(zero, (zero.shape[1], high))])

    def _colors(self) -> None:
        rng = self.rng
        red = (rng.randint(165, 235), rng.randint(5, 60), rng.randint(5, 60))
        black = (rng.randint(5, 45),) * 3
        self.colors: dict[str, Color] = {"c": black, "s": black, "d": red, "h": red}
        if rng.random() < 0.1:
            self.colors["d"] = (rng.randint(0, 60), rng.randint(60, 130), rng.randint(160, 230))
            self.colors["c"] = (rng.randint(0, 50), rng.randint(100, 150), rng.randint(20, 80))
        white = rng.randint(236, 255)
        self.paper: Color = (white, white - rng.randint(0, 6), white - rng.randint(0, 16))
        self.robes: list[Color] = [
            *((rng.randint(0, 255), rng.randint(0, 255), rng.randint(0, 255)) for _ in range(4)),
            *(red, black, (240, 200, 40), (30, 60, 160)),
        ]

    def _measures(self) -> None:
        rng, w, h = self.rng, self.width, self.height
        self.size = h * (rng.uniform(0.07, 0.125) if rng.random() < 0.66 else rng.uniform(0.12, 0.23))
        self.suit_width = min(
            rng.uniform(0.55, 1.0) * self.size * rng.uniform(0.85, 1.05), (0.15 if self.size < 0.13 * h else 0.2) * w
        )
        self.gap = rng.uniform(0.04, 0.3) * self.size
        widest = max(self.suit_width, *(wide * self.size for k, (_, wide) in enumerate(self.ranks) if k != 9))
        margin = rng.uniform(0.075, 0.115) * w + max(0.0, (self.size - 0.125 * h) * 0.35)
        self.left = max(margin, widest / 2 + rng.uniform(0.012, 0.03) * w)
        self.top = rng.uniform(0.025, 0.06) * h
        self.four_corners = rng.random() < 0.25

    def blank(self) -> Picture:
        """Give a card with nothing printed on it."""
        picture = np.empty((self.height, self.width, 3), np.uint8)
        picture[:] = self.paper
        return picture

    def outline(self) -> Mask:
        """Give the card's outline with its rounded corners."""
        w, h, mask = self.width, self.height, np.zeros((self.height, self.width), np.uint8)
        r = int(0.06 * w)
        cv2.rectangle(mask, (r, 0), (w - r, h), 255, -1)
        cv2.rectangle(mask, (0, r), (w, h - r), 255, -1)
        for x in (r, w - r):
            for y in (r, h - r):
                cv2.circle(mask, (x, y), r, 255, -1)
        return mask

    def card(self, rank: int, suit: int) -> Face:
        """Give a card's face; rank 13 is a joker, whose suit 0 to 3 only chooses its colour."""
        if (rank, suit) not in self._cards:
            self._cards[rank, suit] = self._joker(suit) if rank == JOKER else self._card(rank, suit)
        return self._cards[rank, suit]

    def _card(self, rank: int, suit: int) -> Face:
        rng, letter = self.rng, SUITS[suit]
        picture = self.blank()
        if self.faces == "picture" or (self.faces != "pips" and rank > 9):
            self._court(picture, letter)
        elif self.faces != "pips":
            shown = self.pips[letter] if self.faces == "large" else self.ranks[rank][0]
            high = rng.uniform(0.25, 0.5) * self.height
            wide = min(high * shown.shape[1] / shown.shape[0], 0.65 * self.width)
            paste(picture, shown, (self.width / 2, self.height / 2), (wide, high), self.colors[letter])
        elif rank == 0:
            self._ace(picture, letter)
        elif rank < 10:
            self._pips(picture, rank + 1, letter)
        else:
            self._court(picture, letter)
        color = self.colors[letter]
        mask, wide = self.ranks[rank]
        symbol = self.symbols[letter]
        rank_width = min(wide * self.size, 2 * (self.left - 0.008 * self.width))
        suit_height = min(self.suit_width * symbol.shape[0] / symbol.shape[1], self.suit_width * 1.25)
        bottom = self.top + self.size + self.gap + suit_height
        half = max(rank_width, self.suit_width) / 2
        self._clear_corners(picture, self.left + half, bottom)

        def index(onto: Picture, x: float) -> None:
            paste(onto, mask, (x, self.top + self.size / 2), (rank_width, self.size), color)
            paste(onto, symbol, (x, bottom - suit_height / 2), (self.suit_width, suit_height), color)

        sides = (self.left, self.width - self.left) if self.four_corners else (self.left,)
        for _ in range(2):
            for x in sides:
                index(picture, x)
            picture = turned(picture)
        parts = (
            (-rank_width / 2, self.top, rank_width / 2, self.top + self.size),
            (-self.suit_width / 2, bottom - suit_height, self.suit_width / 2, bottom),
        )
        if rng.random() < 0.3:
            cv2.rectangle(picture, (0, 0), (self.width - 1, self.height - 1), (190, 190, 185), 1)
        return Face(picture, self.outline(), self._marks(rank, suit, sides, parts))

    def _marks(
        self,
        rank: int,
        suit: int,
        sides: tuple[float, ...],
        parts: tuple[tuple[float, float, float, float], ...],
    ) -> list[Mark]:
        marks, middle = [], (parts[0][1] + parts[-1][3]) / 2
        for x in sides:
            there = tuple((x + a, b, x + c, d) for a, b, c, d in parts)
            marks.append(Mark(0, rank, suit, (x, middle), (0, -1), there, self.size))
            w, h = self.width, self.height
            across = tuple((w - c, h - d, w - a, h - b) for a, b, c, d in there)
            marks.append(Mark(0, rank, suit, (w - x, h - middle), (0, 1), across, self.size))
        return marks

    def _clear_corners(self, picture: Picture, right: float, bottom: float) -> None:
        r, b = int(right + 4), int(bottom + 4)
        picture[:b, :r] = picture[-b:, -r:] = self.paper
        if self.four_corners:
            picture[:b, -r:] = picture[-b:, :r] = self.paper

    def _ace(self, picture: Picture, letter: str) -> None:
        rng, w, h = self.rng, self.width, self.height
        wide = rng.uniform(0.18, 0.6) if letter == "s" else rng.uniform(0.14, 0.3)
        paste(picture, self.pips[letter], (w / 2, h / 2), (wide * w, wide * w * 1.1), self.colors[letter])
        if letter == "s" and rng.random() < 0.6:
            for _ in range(30):
                at = int(w / 2 + rng.gauss(0, 0.13 * w)), int(h / 2 + rng.gauss(0, 0.13 * w))
                color = self.paper if rng.random() < 0.6 else self.colors[letter]
                cv2.circle(picture, at, rng.randint(1, 7), color, rng.choice([-1, 1, 2]))

    def _pips(self, picture: Picture, count: int, letter: str) -> None:
        w, h = self.width, self.height
        size, (across, along) = self.pip_size * w, self.pip_places
        if self.size > 0.16 * h:  # a large index leaves less room
            across, along = min(across, 0.36), along * 0.9
        for x, y in PIPS[count]:
            at = (0.5 + across * (x - 0.5)) * w, (0.5 + along * (y - 0.5)) * h
            paste(picture, self.pips[letter], at, (size, size * 1.1), self.colors[letter], turned=y > 0.51)

    def _court(self, picture: Picture, letter: str) -> None:
        rng, w, h = self.rng, self.width, self.height
        x0, y0 = int(rng.uniform(0.16, 0.22) * w), int(rng.uniform(0.07, 0.11) * h)
        self._figure(picture[: h // 2], x0, y0)
        if rng.random() < 0.8:
            size = 0.14 * w
            paste(picture, self.pips[letter], (x0 + 0.1 * w, y0 + 0.055 * h), (size, size * 1.1), self.colors[letter])
        picture[h - h // 2 :] = picture[: h // 2][::-1, ::-1]
        if rng.random() < 0.85:
            color = rng.choice(self.robes) if rng.random() < 0.5 else (30, 30, 90)
            cv2.rectangle(picture, (x0, y0), (w - x0, h - y0), color, rng.randint(1, 2))

    def _figure(self, half: Picture, x0: int, y0: int) -> None:
        """Fill a frame with colourful shapes and a head: enough of a court card for a network that reads corners."""
        rng, (h, w) = self.rng, half.shape[:2]
        for _ in range(rng.randint(14, 34)):
            color, t = rng.choice(self.robes), rng.random()
            x, y = rng.randint(x0, w - x0), rng.randint(y0, h)
            if t < 0.4:
                corners = [(x + rng.randint(-40, 40), y + rng.randint(-40, 40)) for _ in range(rng.randint(3, 6))]
                cv2.fillPoly(half, [np.array(corners, np.int32)], color)
            elif t < 0.7:
                cv2.circle(half, (x, y), rng.randint(3, 30), color, rng.choice([-1, 2, 3]))
            else:
                cv2.line(half, (x, y), (x + rng.randint(-60, 60), y + rng.randint(-60, 60)), color, rng.randint(1, 5))
        cv2.ellipse(half, (w // 2 + rng.randint(-15, 15), y0 + 45), (20, 26), 0, 0, 360, (235, 200, 170), -1)
        for _ in range(3):
            cv2.circle(half, (w // 2 + rng.randint(-12, 12), y0 + 45 + rng.randint(-8, 12)), 2, (20, 20, 20), -1)
        half[:, :x0] = half[:, w - x0 :] = self.paper
        half[:y0] = self.paper

    def _joker(self, suit: int) -> Face:
        rng, kind = self.rng, self.joker_kind
        picture = self.blank()
        color = self.colors["h" if suit in (1, 2) else "s"] if rng.random() < 0.8 else rng.choice(self.robes)
        self._figure(picture, int(0.2 * self.width), int(0.1 * self.height))
        if kind in ("column", "word", "letter") and not self.letters:
            kind = "star"
        size = self.size
        boxes: list[tuple[Mask, float, float, float, float]] = []  # mask, x and y from the index' left top, w, h
        if kind == "column":
            each = size * rng.uniform(0.36, 0.62)
            for k, mask in enumerate(self.letters):
                boxes.append((mask, 0.0, k * each * 1.15, min(each * mask.shape[1] / mask.shape[0], each), each))
        elif kind == "word" and self.word is not None:
            mask = np.ascontiguousarray(np.rot90(self.word, rng.choice([1, 3])))
            long = size * rng.uniform(1.8, 2.6)
            boxes.append((mask, 0.0, 0.0, long * mask.shape[1] / mask.shape[0], long))
        else:
            drawn = star(rng) if kind == "star" else cap(rng) if kind == "cap" else self.letters[0]
            high = size * rng.uniform(0.7, 1.1)
            boxes.append((drawn, 0.0, 0.0, min(high * drawn.shape[1] / drawn.shape[0], high * 1.1), high))
            if rng.random() < 0.5 and self.word is not None:
                wide = min(high * rng.uniform(1.0, 1.4), 2 * self.left)
                boxes.append((self.word, 0.0, high * 1.15, wide, wide * self.word.shape[0] / self.word.shape[1]))
        bottom = self.top + max(y + h for _, _, y, _, h in boxes)
        half = max(w for _, _, _, w, _ in boxes) / 2
        x = max(self.left, half + 3)
        self._clear_corners(picture, x + half, bottom)
        for _ in range(2):
            for mask, dx, dy, w, h in boxes:
                paste(picture, mask, (x + dx, self.top + dy + h / 2), (w, h), color)
            picture = turned(picture)
        middle = (self.top + bottom) / 2
        parts = ((-half, self.top, half, middle), (-half, middle, half, bottom))
        return Face(picture, self.outline(), self._marks(JOKER, -1, (x,), parts))

    def back(self) -> Face:
        """Give the back of a card."""
        rng, w, h, picture = self.rng, self.width, self.height, self.blank()
        color = rng.choice([(170, 20, 30), (20, 40, 140), (20, 90, 50), (40, 40, 40), rng.choice(self.robes)])
        edge = rng.choice([0, rng.randint(8, 20)])
        cv2.rectangle(picture, (edge, edge), (w - edge, h - edge), color, -1)
        step, kind = rng.randint(10, 24), rng.random()
        for y in range(edge, h - edge, step):
            if kind < 0.4:
                cv2.line(picture, (edge, y), (w - edge, y + rng.randint(-30, 30)), self.paper, 1)
            elif kind < 0.8:
                for x in range(edge, w - edge, step):
                    cv2.circle(picture, (x, y), step // 3, self.paper, rng.choice([1, -1]))
        if rng.random() < 0.5:
            cv2.circle(picture, (w // 2, h // 2), rng.randint(30, 80), self.paper, rng.choice([2, 5, -1]))
        if edge:
            picture[:edge] = picture[-edge:] = self.paper
            picture[:, :edge] = picture[:, -edge:] = self.paper
        return Face(picture, self.outline(), [])
