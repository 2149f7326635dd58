"""Domino tiles as pictures: ivory, black or coloured, pips engraved or painted, with a divider. All drawn here."""

from __future__ import annotations

import random

import cv2
import numpy as np
from decks import Face, Mark

SIDE = 128
_L, _M, _H = 0.0, 0.5, 1.0
LAYOUTS = {  # x across the tile, y along it
    0: [[]],
    1: [[(_M, _M)]],
    2: [[(_L, _L), (_H, _H)], [(_L, _H), (_H, _L)]],
    3: [[(_L, _L), (_M, _M), (_H, _H)], [(_L, _H), (_M, _M), (_H, _L)]],
    4: [[(_L, _L), (_L, _H), (_H, _L), (_H, _H)]],
    5: [[(_L, _L), (_L, _H), (_H, _L), (_H, _H), (_M, _M)]],
    6: [[(x, y) for x in (_L, _H) for y in (_L, _M, _H)], [(x, y) for x in (_L, _M, _H) for y in (_L, _H)]],
}
PIP_COLORS = [(30, 60, 150), (20, 110, 50), (190, 30, 50), (110, 50, 130), (60, 60, 80), (240, 160, 20), (20, 20, 20)]


class TileSet:
    """One set of tiles: its colours and measures are drawn once."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        kind = rng.random()
        white = rng.randint(215, 255)
        if kind < 0.5:
            self.body = (white, white - rng.randint(0, 14), white - rng.randint(0, 45))
            self.ink = [(rng.randint(5, 60),) * 3] * 7
        elif kind < 0.75:
            self.body = (rng.randint(5, 60), rng.randint(5, 55), rng.randint(5, 60))
            self.ink = [(white, white, white - rng.randint(0, 60))] * 7
        else:
            self.body = tuple(rng.randint(20, 250) for _ in range(3))
            dark = sum(self.body) > 380
            ink = tuple(rng.randint(0, 90) if dark else rng.randint(190, 255) for _ in range(3))
            if rng.random() < 0.4:
                ink = tuple((c + rng.choice([110, 150])) % 256 for c in self.body)
            self.ink = [ink] * 7
        self.bar_ink = self.ink[0]
        if sum(self.body) > 500 and rng.random() < 0.5:
            self.ink = rng.sample(PIP_COLORS, 7)
            if rng.random() < 0.5:
                self.bar_ink = rng.choice(self.ink)
        self.radius = SIDE * rng.uniform(0.065, 0.13)
        self.inset = rng.uniform(0.2, 0.27)
        self.bar = (SIDE * rng.uniform(0.55, 0.98), SIDE * rng.uniform(0.02, 0.07))
        self.spinner = rng.random() < 0.25
        self.engraved = rng.random() < 0.6
        self.long_six = rng.random() < 0.9
        self.corner = int(SIDE * rng.uniform(0.04, 0.2))
        self.frame = rng.random() < 0.12
        self.thick = rng.uniform(0.0, 0.5) if rng.random() < 0.75 else 0.0
        self.ratio = rng.uniform(0.9, 1.1)  # half a tile's length to its width

    def tile(self, ends: tuple[int, int]) -> Face:
        """Give a tile standing upright, the first end on top."""
        rng, w, h = self.rng, SIDE, int(2 * SIDE * self.ratio)
        picture = np.empty((h, w, 3), np.uint8)
        picture[:] = self.body
        shade = np.linspace(rng.uniform(0.9, 1), rng.uniform(0.9, 1), h)[:, None, None]
        picture = (picture * shade).astype(np.uint8)
        if self.frame:
            cv2.rectangle(picture, (7, 7), (w - 8, h - 8), self.ink[1], 2)
        x0, x1 = int(w / 2 - self.bar[0] / 2), int(w / 2 + self.bar[0] / 2)
        thick = max(2, int(self.bar[1]))
        cv2.rectangle(picture, (x0, h // 2 - thick // 2), (x1, h // 2 + (thick + 1) // 2), self.bar_ink, -1)
        if self.spinner:
            cv2.circle(picture, (w // 2, h // 2), int(SIDE * 0.07), rng.choice([(200, 170, 80), (180, 180, 185)]), -1)
        light = rng.uniform(0, 6.28)
        for half, value in enumerate(ends):
            layouts = LAYOUTS[value]
            layout = layouts[0 if self.long_six else 1] if value == 6 else rng.choice(layouts)
            for x, y in layout:
                at = (
                    w * (self.inset + x * (1 - 2 * self.inset)),
                    h / 2 * (half + self.inset + y * (1 - 2 * self.inset)),
                )
                self._pip(picture, at, self.ink[value], light)
        outline = np.zeros((h, w), np.uint8)
        r = self.corner
        cv2.rectangle(outline, (r, 0), (w - r, h), 255, -1)
        cv2.rectangle(outline, (0, r), (w, h - r), 255, -1)
        for x in (r, w - r):
            for y in (r, h - r):
                cv2.circle(outline, (x, y), r, 255, -1)
        whole = ((0, 0, w, h / 2), (0, h / 2, w, h))
        marks = [
            Mark(1, ends[0], -1, (w / 2, h / 4), (0, 1), (whole[0], whole[0]), SIDE / 2),
            Mark(1, ends[1], -1, (w / 2, 3 * h / 4), (0, -1), (whole[1], whole[1]), SIDE / 2),
        ]
        return Face(picture, outline, marks)

    def _pip(self, picture: np.ndarray, at: tuple[float, float], ink: tuple[int, ...], light: float) -> None:
        x, y, r = round(at[0]), round(at[1]), max(4, round(self.radius))
        cv2.circle(picture, (x, y), r, ink, -1, cv2.LINE_AA)
        if not self.engraved:
            return
        darker = tuple(int(c * 0.6) for c in ink)
        dx, dy = np.cos(light) * r * 0.4, np.sin(light) * r * 0.4
        cv2.ellipse(picture, (x, y), (r, r), np.degrees(light), 100, 260, darker, 2, cv2.LINE_AA)
        if self.rng.random() < 0.45:  # the lamp mirrored in the hollow
            gleam = tuple(int(c + (255 - c) * self.rng.uniform(0.3, 0.95)) for c in ink)
            cv2.circle(picture, (round(x + dx), round(y + dy)), max(2, int(r * self.rng.uniform(0.2, 0.6))), gleam, -1)
