"""Scenes as a phone sees them: fans, rows, hands laid apart, tiles; and where each index stands in the picture.

python tests/camera/training/scenes.py --sheet FILE.png    shows 40 of them
"""

from __future__ import annotations

import argparse
import math
import random
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from decks import JOKER, Deck, Face, Mark
from numpy.typing import NDArray
from tables import finger, photograph, table
from tiles import TileSet

SIDE = 256
# kind, value, suit, x, y, up x, up y, size, share of the rank in sight, share of the suit in sight; and for cards x, y,
# up x, up y and size of the opposite corner, in sight or not, and the share of the face in sight
COLUMNS = 16
SMALLEST, LARGEST = 8.0, 36.0
LEAST = 6.5  # a corner that is smaller in the picture, for the steepness, can't be read
Place = tuple[float, float, float]  # x, y and the turn


@dataclass
class Scene:
    """A picture and its labels, one row of COLUMNS each."""

    picture: NDArray[np.uint8]
    labels: NDArray[np.float32]


def card_places(w: float, h: float, rng: random.Random) -> list[Place]:
    """Lay cards of a width and height as people do: a fan, a row, a grid, anyhow."""
    kind, turn = rng.random(), rng.uniform(0, 2 * math.pi)
    if kind < 0.48:
        tight = rng.random() < 0.55
        count = rng.randint(6, 14) if tight else rng.randint(3, 9)
        radius = h * rng.uniform(0.6, 1.5)
        step = rng.uniform(0.085, 0.22) * w / radius if tight else math.radians(rng.uniform(5, 19))
        step *= rng.choice([1, 1, 1, 1, -1])
        middle = (count - 1) / 2
        angles = [(i - middle) * step + turn + rng.gauss(0, 0.14) * abs(step) for i in range(count)]
        return [
            (math.sin(a) * radius * (1 + rng.gauss(0, 0.01)), -math.cos(a) * radius, a + rng.gauss(0, 0.025))
            for a in angles
        ]
    if kind < 0.72:
        count, step = rng.randint(2, 10), w * rng.uniform(0.13, 0.6)
        places = [(i * step, rng.gauss(0, 0.03) * h, rng.gauss(0, 0.05)) for i in range(count)]
    elif kind < 0.88:
        columns, count = rng.randint(1, 5), rng.randint(1, 10)
        places = [
            (
                (i % columns) * w * 1.12 + rng.gauss(0, 0.02) * w,
                (i // columns) * h * 1.1,
                rng.gauss(0, 0.08) + (math.pi if rng.random() < 0.3 else 0),
            )
            for i in range(count)
        ]
    else:
        count = rng.randint(1, 7)
        return [
            (rng.uniform(-1, 1) * SIDE * 0.6, rng.uniform(-1, 1) * SIDE * 0.6, rng.uniform(0, 2 * math.pi))
            for _ in range(count)
        ]
    c, s = math.cos(turn), math.sin(turn)
    return [(x * c - y * s, x * s + y * c, t + turn) for x, y, t in places]


def tile_places(w: float, h: float, rng: random.Random) -> list[Place]:
    """Lay tiles: a hand standing in a row, a chain with tiles across, or anyhow."""
    kind, turn, count = rng.random(), rng.uniform(0, 2 * math.pi), rng.randint(1, 9)
    if kind < 0.35:
        gap = rng.uniform(1.0, 1.3)
        places = [(i * w * gap, rng.gauss(0, 0.02) * h, rng.gauss(0, 0.03)) for i in range(count)]
    elif kind < 0.6:
        places, x, loose = [], 0.0, rng.uniform(1.0, 1.08)
        for _ in range(count):
            across = rng.random() < 0.3
            long = (w if across else h) * loose
            places.append((x + long / 2, rng.gauss(0, 0.04) * w, 0.0 if across else math.pi / 2))
            x += long
    elif kind < 0.75:
        places = [((i % 3) * h * 1.1, (i // 3) * w * 1.25, math.pi / 2 + rng.gauss(0, 0.06)) for i in range(count)]
    else:
        reach, places = 0.75 * SIDE, []
        for _ in range(40):
            x, y = rng.uniform(-reach, reach), rng.uniform(-reach, reach)
            if all(math.hypot(x - a, y - b) > h * rng.uniform(0.75, 1.1) for a, b, _ in places):
                places.append((x, y, rng.uniform(0, 2 * math.pi)))
        places = places[:14]
    c, s = math.cos(turn), math.sin(turn)
    return [(x * c - y * s, x * s + y * c, t + turn) for x, y, t in places]


def _hand(deck: Deck, count: int, rng: random.Random, jokers: float, courts: float) -> list[Face]:
    names = [(rank, suit) for rank in range(13) for suit in range(4)]
    picked = rng.sample(names, count)
    if courts and rng.random() < courts:
        picked[rng.randrange(count)] = (rng.choice([11, 11, 11, 10, 12]), rng.randrange(4))
    faces = [deck.card(*name) for name in picked]
    if rng.random() < jokers:
        faces[rng.randrange(count)] = deck.card(JOKER, rng.randrange(4))
    if rng.random() < 0.12:
        faces[rng.randrange(count)] = deck.back()
    return faces


def _camera(rng: random.Random, side: int) -> NDArray[np.float64]:
    """Choose how the camera looks at the table: a tilt, a slant, a squeeze."""
    tilt, shear = np.eye(3), np.eye(3)
    strength = rng.uniform(0, 0.0018) * SIDE / side if rng.random() < 0.6 else 0.0
    angle = rng.uniform(0, 2 * math.pi)
    tilt[2, :2] = strength * math.cos(angle), strength * math.sin(angle)
    shear[0, 1] = rng.gauss(0, 0.08)
    shear[1, 1] = rng.uniform(0.5, 1.05) if rng.random() < 0.6 else 1.0
    there, back = np.eye(3), np.eye(3)
    there[:2, 2], back[:2, 2] = side / 2, -side / 2
    return there @ tilt @ shear @ back


class Layout:
    """Faces at their places, seen through a camera; in the middle if `centred`, else one index is in the picture."""

    def __init__(
        self, faces: list[Face], places: list[Place], scale: float, rng: random.Random, side: int, centred: bool
    ) -> None:
        self.faces, self.rng, self.scale, self.side = faces, rng, scale, side
        self.warps = []
        for face, (x, y, turn) in zip(faces, places, strict=True):
            h, w = face.outline.shape
            c, s = math.cos(turn) * scale, math.sin(turn) * scale
            self.warps.append(
                np.array([[c, -s, x - (c * w / 2 - s * h / 2)], [s, c, y - (s * w / 2 + c * h / 2)], [0, 0, 1]])
            )
        chosen = rng.randrange(len(faces))
        marks = faces[chosen].marks
        focus = marks[0].centre if marks else (50.0, 50.0)
        at = self.warps[chosen] @ np.array([*focus, 1])
        move = np.eye(3)
        if centred:
            move[:2, 2] = side / 2
        else:
            move[:2, 2] = side * rng.uniform(0.2, 0.8) - at[0], side * rng.uniform(0.2, 0.8) - at[1]
        view = _camera(rng, side) @ move
        self.warps = [view @ warp for warp in self.warps]

    def draw(self, onto: NDArray[np.float32], thick: float = 0.0) -> NDArray[np.int16]:
        """Draw the pieces one over the other; gives the number of the piece seen at each pixel."""
        rng, owner = self.rng, np.full((self.side, self.side), -1, np.int16)
        shadow = np.array([[1, 0, rng.uniform(-4, 4)], [0, 1, rng.uniform(-4, 4)]], np.float32)
        depth = rng.uniform(0.1, 0.6)
        lean = rng.uniform(0, 2 * math.pi)
        side = np.array([[1, 0, math.cos(lean) * thick], [0, 1, math.sin(lean) * thick]], np.float32)
        edge_light = rng.uniform(0.55, 0.9)
        how = cv2.INTER_AREA if self.scale < 0.5 else cv2.INTER_LINEAR
        for number, (face, warp) in enumerate(zip(self.faces, self.warps, strict=True)):
            h, w = face.outline.shape
            corners = warp @ np.array([[0, w, w, 0], [0, 0, h, h], [1, 1, 1, 1]])
            corners = corners[:2] / corners[2]
            reach = 10 + int(thick)
            x0, y0 = np.clip(corners.min(1) - reach, 0, self.side).astype(int)
            x1, y1 = np.clip(corners.max(1) + reach, 0, self.side).astype(int)
            if x1 - x0 < 2 or y1 - y0 < 2:
                continue
            there, size = np.eye(3), (int(x1 - x0), int(y1 - y0))
            there[:2, 2] = -x0, -y0
            seen = cv2.warpPerspective(face.picture, there @ warp, size, flags=how).astype(np.float32)
            mask = cv2.warpPerspective(face.outline, there @ warp, size)
            under, owned = onto[y0:y1, x0:x1], owner[y0:y1, x0:x1]
            dark = cv2.GaussianBlur(cv2.warpAffine(mask, shadow, size), (0, 0), 2.5)[..., None]
            under *= 1 - dark * (depth / 255)
            if thick:
                edge = mask
                for part in (0.33, 0.66, 1.0):
                    moved = side.copy()
                    moved[:, 2] *= part
                    edge = np.maximum(edge, cv2.warpAffine(mask, moved, size))
                tone = face.picture[4, face.picture.shape[1] // 2] * edge_light
                under[:] = under * (1 - edge[..., None] / np.float32(255)) + tone * (edge[..., None] / np.float32(255))
                owned[edge > 127] = -1
            alpha = mask[..., None] * np.float32(1 / 255)
            under *= 1 - alpha
            under += seen * (alpha * np.float32(rng.uniform(0.92, 1)))
            owned[mask > 127] = number
        return owner

    def labels(self, owner: NDArray[np.int16]) -> NDArray[np.float32]:
        """Give a row for each mark whose centre lies in the picture."""
        rows = []
        for number, (face, warp) in enumerate(zip(self.faces, self.warps, strict=True)):
            seen = [_seen(warp, mark) for mark in face.marks]
            high, wide = face.outline.shape
            inner = (0.2 * wide, 0.15 * high, 0.8 * wide, 0.85 * high)
            shown = _share(owner, number, warp, inner)
            for at, (mark, (x, y, up_x, up_y, size)) in enumerate(zip(face.marks, seen, strict=True)):
                if 0 <= x < self.side and 0 <= y < self.side and size > LEAST:
                    sight = [_share(owner, number, warp, part) for part in mark.parts]
                    rows.append(
                        (mark.kind, mark.value, mark.suit, x, y, up_x, up_y, size, *sight, *seen[at ^ 1], shown)
                    )
        return np.array(rows, np.float32).reshape(-1, COLUMNS)


def _seen(warp: NDArray[np.float64], mark: Mark) -> tuple[float, float, float, float, float]:
    """Give where a mark is in the picture, which way is up, and the height of its rank."""
    x, y = _project(warp, mark.centre)
    ahead = _project(warp, (mark.centre[0] + mark.up[0] * 10, mark.centre[1] + mark.up[1] * 10))
    up_x, up_y = ahead[0] - x, ahead[1] - y
    long = math.hypot(up_x, up_y) or 1e-6
    return x, y, up_x / long, up_y / long, mark.size * long / 10


def _project(warp: NDArray[np.float64], at: tuple[float, float]) -> tuple[float, float]:
    x, y, w = warp @ np.array([*at, 1])
    return float(x / w), float(y / w)


def _share(owner: NDArray[np.int16], number: int, warp: NDArray[np.float64], part: tuple[float, ...]) -> float:
    """Give the share of a part of a piece that is in sight."""
    x, y = (a.ravel() for a in np.meshgrid(np.linspace(part[0], part[2], 7), np.linspace(part[1], part[3], 7)))
    at = warp @ np.stack([x, y, np.ones_like(x)])
    u, v = np.round(at[:2] / at[2]).astype(int)
    inside = (u >= 0) & (u < owner.shape[1]) & (v >= 0) & (v < owner.shape[0])
    return float((owner[v[inside], u[inside]] == number).sum() / len(u))


def compose(
    rng: random.Random, deck: Deck | None, tiles: TileSet | None, jokers: float = 0.25, courts: float = 0.0
) -> Scene:
    """Render one scene of a pack of cards, of a set of tiles, or of neither.

    `jokers` is the share with a joker; so many more as `courts` says have one more court, mostly a queen.
    """
    noise = np.random.default_rng(rng.getrandbits(32))
    size = math.exp(rng.uniform(math.log(SMALLEST), math.log(LARGEST)))
    picture = table(SIDE, rng, noise)
    cover = np.zeros((SIDE, SIDE), bool)
    labels = np.zeros((0, COLUMNS), np.float32)
    if deck or tiles:
        thick = 0.0
        if deck:
            scale = size / deck.size
            places = card_places(deck.width * scale, deck.height * scale, rng)
            faces = _hand(deck, len(places), rng, jokers, courts)
        else:
            assert tiles
            scale = 2 * size / 128
            places = tile_places(2 * size, 4 * size * tiles.ratio, rng)
            faces = [tiles.tile((rng.randint(0, 6), rng.randint(0, 6))) for _ in places]
            thick = tiles.thick * size * 2
        layout = Layout(faces, places, scale, rng, SIDE, centred=False)
        owner = layout.draw(picture, thick)
        if rng.random() < 0.15:
            finger(picture, cover, rng)
        owner[cover] = -1
        labels = layout.labels(owner)
    return Scene(photograph(picture, size, rng, noise), labels)


def hand(
    rng: random.Random, deck: Deck | None, tiles: TileSet | None, count: int, side: int, jokers: float = 0.0
) -> Scene | None:
    """Render a whole hand in the middle of a larger picture; None where a piece can't be read even by eye.

    `jokers` is the share of hands of cards with one.
    """
    noise = np.random.default_rng(rng.getrandbits(32))
    w, h = (deck.width, deck.height) if deck else (128.0, 256.0)
    places = []
    while len(places) != count:
        places = card_places(w, h, rng) if deck else tile_places(w, h, rng)
    spots = np.array([place[:2] for place in places])
    middle, reach = (spots.min(0) + spots.max(0)) / 2, np.ptp(spots, axis=0).max() + 1.15 * h
    scale = 0.9 * side / reach
    moved = [((x - middle[0]) * scale, (y - middle[1]) * scale, turn) for x, y, turn in places]
    if deck:
        faces = [deck.card(*name) for name in rng.sample([(r, s) for r in range(13) for s in range(4)], count)]
        if jokers and rng.random() < jokers:
            faces[rng.randrange(count)] = deck.card(JOKER, rng.randrange(4))
    else:
        assert tiles
        faces = [tiles.tile(ends) for ends in rng.sample([(a, b) for b in range(2, 7) for a in range(1, b + 1)], count)]
    size = (deck.size if deck else 64) * scale
    layout = Layout(faces, moved, scale, rng, side, centred=True)
    picture = table(side, rng, noise)
    owner = layout.draw(picture, tiles.thick * 2 * size if tiles and not deck else 0.0)
    labels = layout.labels(owner)
    needed = {tuple(row) for row in labels[labels[:, 8:10].min(1) > 0.6][:, 1:3]}
    whole = len(needed) == count if deck else (labels[:, 8:10].min(1) > 0.6).sum() == 2 * count
    return Scene(photograph(picture, size, rng, noise), labels) if whole and size > 9 else None


def main() -> None:
    """Show a sheet of scenes, with their marks."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--fonts", type=Path, default=Path("/usr/share/fonts"))
    parser.add_argument("--sheet", type=Path, required=True)
    parser.add_argument("--seed", type=int, default=3)
    options = parser.parse_args()
    rng, rows = random.Random(options.seed), []
    for row in range(5):
        line = []
        for _ in range(8):
            cards = row < 3
            scene = compose(rng, Deck(rng, options.fonts) if cards else None, None if cards else TileSet(rng))
            big = cv2.resize(scene.picture, None, fx=2, fy=2)
            for label in scene.labels:
                x, y = int(label[3] * 2), int(label[4] * 2)
                end = (int(x + label[5] * label[7] * 2), int(y + label[6] * label[7] * 2))
                color = (
                    (0, 255, 0) if min(label[8:10]) > 0.85 else (255, 160, 0) if min(label[8:10]) > 0.4 else (255, 0, 0)
                )
                cv2.line(big, (x, y), end, color, 1)
            line.append(big)
        rows.append(np.hstack(line))
    cv2.imwrite(str(options.sheet), cv2.cvtColor(np.vstack(rows), cv2.COLOR_RGB2BGR))


if __name__ == "__main__":
    main()
