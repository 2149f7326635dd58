"""Hands of five in a row, with a lamp or a window mirrored in them. Only to measure with: never trained on."""

from __future__ import annotations

import math
import random

import cv2
import numpy as np
from decks import Deck
from scenes import Layout, Scene
from tables import Light, photograph, table

FIVE = 5
MAX_LIGHT = 150  # on a corner: with more, its black ink is as light as paper in the shade
SMALLEST = 9  # a rank's height in pixels
Point = tuple[float, float]


def row_under_glare(rng: random.Random, deck: Deck, side: int) -> Scene | None:
    """Render one; None where a card has no corner left that could be read by eye."""
    noise = np.random.default_rng(rng.getrandbits(32))
    step = deck.width * (rng.uniform(0.3, 0.8) if rng.random() < 0.5 else rng.uniform(1.02, 1.15))
    scale = 0.9 * side / (4 * step + 1.15 * deck.height)
    turn = rng.gauss(0, 0.15) + rng.choice([0, 0, 0, 0, math.pi])
    along = [(number - 2) * step * scale for number in range(FIVE)]
    places = [
        (x * math.cos(turn), x * math.sin(turn) + rng.gauss(0, 0.02) * deck.height * scale, turn + rng.gauss(0, 0.03))
        for x in along
    ]
    dealt = rng.sample([(rank, suit) for rank in range(13) for suit in range(4)], FIVE)
    layout = Layout([deck.card(*name) for name in dealt], places, scale, rng, side, centred=True)
    picture = table(side, rng, noise)
    labels = layout.labels(layout.draw(picture))
    middle = np.array([deck.width / 2, deck.height / 2, 1])
    centres = [(float(x / w), float(y / w)) for x, y, w in (warp @ middle for warp in layout.warps)]
    light = mirrored(side, deck.width * scale, centres, rng)
    picture += light[..., None]
    can_be_read = (labels[:, 8:10].min(1) > 0.6) & (np.array([_light_at(light, row) for row in labels]) < MAX_LIGHT)
    size = deck.size * scale
    if len({tuple(row) for row in labels[can_be_read][:, 1:3]}) < FIVE or size < SMALLEST:
        return None
    return Scene(photograph(picture, size, rng, noise), labels)


def mirrored(side: int, wide: float, cards: list[Point], rng: random.Random) -> Light:
    """Mirror lamps and windows in cards of a width, and often a soft sheen over several of them."""
    light = np.zeros((side, side), np.float32)
    for _ in range(rng.randint(1, 3)):
        x, y = rng.choice(cards)
        at = (round(x + rng.gauss(0, 0.4) * wide), round(y + rng.gauss(0, 0.5) * wide))
        axes = (rng.uniform(0.25, 0.9) * wide, rng.uniform(0.12, 0.5) * wide)
        _add(light, at, axes, rng, rng.uniform(0.03, 0.25) * wide, rng.uniform(90, 260))
    if rng.random() < 0.5:
        x, y = rng.choice(cards)
        axes = (rng.uniform(1.5, 3) * wide, rng.uniform(0.7, 1.5) * wide)
        _add(light, (round(x), round(y)), axes, rng, 0.5 * wide, rng.uniform(20, 90))
    return light


def _add(light: Light, at: tuple[int, int], axes: Point, rng: random.Random, blur: float, strength: float) -> None:
    """Add a lamp's ellipse or a window's rectangle."""
    shape, degrees = np.zeros_like(light), rng.uniform(0, 180)
    if rng.random() < 0.6:
        cv2.ellipse(shape, at, (round(axes[0]), round(axes[1])), degrees, 0, 360, 1.0, -1)
    else:
        corners = cv2.boxPoints((at, (2 * axes[0], 2 * axes[1]), degrees))
        cv2.fillPoly(shape, [corners.astype(np.int32)], 1.0)
    light += cv2.GaussianBlur(shape, (0, 0), blur) * strength


def _light_at(light: Light, label: Light) -> float:
    """Give the light on a corner: the mean over its rank and suit."""
    x, y, size = label[3], label[4], label[7]
    top, left = max(0, int(y - size)), max(0, int(x - size))
    return float(light[top : int(y + size) + 1, left : int(x + size) + 1].mean())
