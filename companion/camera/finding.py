"""Finds spots in the pixels: corners of cards or halves of tiles, each with probabilities of what it is."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from . import network
from .network import Floats, Task
from .photograph import Photograph

SIZES = (1280, 832, 512, 320)  # pixels of the longer side; the network recognizes corners 9 to 32 pixels high
SIZES_OF_TABLE = (1920, 1280, 832, 512)
MIN_HEAT = 0.25
SPOTS_EACH, SPOTS_MORE = 3, 12  # spots to look at again: this many per piece of the hand, plus this many
PATCH = 64  # width and height in pixels of a patch cut out for the second look
LOOKS = (13, 17, 22)  # heights of a rank in such a patch, in pixels; each spot is looked at once in each
_AT_A_TIME = 12
_EDGE = 64
# (percentile of a patch's pixels, brightness to give it) for ink and for paper; the minimum difference between them
_INK, _PAPER, _MIN_CONTRAST = (2, 20), (95, 235), 25


@dataclass(frozen=True)
class Spot:
    """A corner of a card or half of a tile: its position, which way is up, and the height of a rank, in pixels.

    `chances` are the probabilities of what it can be; `real` is the probability that it is a spot at all.
    """

    x: float
    y: float
    up: tuple[float, float]
    size: float
    real: float
    chances: Floats


def spots(photograph: Photograph, task: Task, size: int, sizes: tuple[int, ...]) -> list[Spot]:
    """Find corners of cards or halves of tiles; then look at each again, upright and at several sizes."""
    found = _without_overlaps([spot for longest in sizes for spot in _find_at_size(photograph.pixels, longest, task)])[
        : SPOTS_EACH * size + SPOTS_MORE
    ]
    return _look_again(photograph.pixels, found, task) if found else []


def _resized(pixels: NDArray[np.uint8], longest: int) -> tuple[NDArray[np.uint8], float]:
    """Return the picture at a size, with its edge repeated up to a multiple of the network's grain."""
    high, wide = pixels.shape[:2]
    scale = longest / max(high, wide)
    size = max(1, round(wide * scale)), max(1, round(high * scale))
    how = Image.Resampling.BOX if scale < 1 else Image.Resampling.BILINEAR
    small = np.asarray(Image.fromarray(pixels).resize(size, how))
    return np.pad(small, ((0, -size[1] % network.GRAIN), (0, -size[0] % network.GRAIN), (0, 0)), "edge"), scale


def _find_at_size(pixels: NDArray[np.uint8], longest: int, task: Task) -> list[Spot]:
    picture, scale = _resized(pixels, longest)
    features = network.features([picture], task)[:, 0]
    heat = _chance(network.output(features, task, network.THERE)[0])
    rows, columns = np.nonzero((heat > MIN_HEAT) & (heat == _highest_near(heat)))
    here = features[:, rows, columns]
    up_x, up_y, size = network.output(here, task, task.place)
    sizes = 16 * np.exp(np.clip(size, -2, 2)) / scale
    chances, turns = _chances(here, task), np.hypot(up_x, up_y) + 1e-6
    middle = (task.stride - 1) / 2
    return [
        Spot(
            float(columns[k] * task.stride + middle) / scale,
            float(rows[k] * task.stride + middle) / scale,
            (float(up_x[k] / turns[k]), float(up_y[k] / turns[k])),
            float(sizes[k]),
            float(heat[rows[k], columns[k]]),
            chances[k],
        )
        for k in range(len(rows))
    ]


def _chances(here: Floats, task: Task) -> Floats:
    """Return the probabilities at each place: of 0 to 6 pips, or of 52 cards (four suits per rank) and the joker."""
    if task is network.TILES:
        return _shares(network.output(here, task, network.PIP))
    ranks, suits = (_shares(network.output(here, task, which)) for which in (network.RANK, network.SUIT))
    cards = (ranks[:, :13, None] * suits[:, None, :]).reshape(len(ranks), 52)
    return np.concatenate([cards, ranks[:, 13:]], axis=1)


def _highest_near(heat: Floats) -> Floats:
    padded = np.pad(heat, 2, constant_values=-1)
    lines = np.max([padded[k : k + heat.shape[0]] for k in range(5)], axis=0)
    highest: Floats = np.max([lines[:, k : k + heat.shape[1]] for k in range(5)], axis=0)
    return highest


def _without_overlaps(found: list[Spot]) -> list[Spot]:
    """Keep the most certain of overlapping spots, in descending order of certainty."""
    kept: list[Spot] = []
    for spot in sorted(found, key=lambda spot: -spot.real * float(spot.chances.max()) ** 0.5):
        if all(np.hypot(spot.x - k.x, spot.y - k.y) > 0.75 * max(min(spot.size, k.size), 4) for k in kept):
            kept.append(spot)
    return kept


def _look_again(pixels: NDArray[np.uint8], found: list[Spot], task: Task) -> list[Spot]:
    """Combine the first look with later ones by averaging the logarithms of the probabilities.

    For half a tile, every look also says which way its other half is.
    """
    logs = np.log(np.stack([spot.chances for spot in found]) + 1e-6)
    real = np.array([spot.real for spot in found], np.float32)
    ways = np.array([spot.up for spot in found], np.float32)
    levels = [_Level(pixels)]
    for high in LOOKS:
        patches = [_with_even_light(_patch(levels, spot, high)) for spot in found]
        for first in range(0, len(found), _AT_A_TIME):
            features = network.features(patches[first : first + _AT_A_TIME], task)
            heat, here = _middle(features, task)
            part = slice(first, first + _AT_A_TIME)
            logs[part] += np.log(_chances(here, task) + 1e-6)
            real[part] += heat
            if task is network.TILES:
                ways[part] += _turned_back(network.output(here, task, task.place), found[part])
    looks = 1 + len(LOOKS)
    chances = _shares((logs / looks).T)
    ways /= np.linalg.norm(ways, axis=1, keepdims=True) + 1e-6
    return [
        replace(spot, real=float(real[k]) / looks, chances=chances[k], up=(float(ways[k, 0]), float(ways[k, 1])))
        for k, spot in enumerate(found)
    ]


def _turned_back(places: Floats, found: list[Spot]) -> Floats:
    """Convert directions in upright patches back to directions in the picture."""
    x, y = places[0], places[1]
    long = np.hypot(x, y) + 1e-6
    up_x, up_y = np.array([spot.up for spot in found], np.float32).T
    turned: Floats = np.stack([-x * up_y - y * up_x, x * up_x - y * up_y], axis=1) / long[:, None]
    return turned


def _middle(features: Floats, task: Task) -> tuple[Floats, Floats]:
    """Return, for each patch, the probability and the features of the most likely place near its middle."""
    half, reach = PATCH // task.stride // 2, 12 // task.stride
    near = features[:, :, half - reach : half + reach, half - reach : half + reach]
    near = near.reshape(len(features), features.shape[1], -1)
    heat = _chance(network.output(near, task, network.THERE)[0])
    best = heat.argmax(1)
    each = np.arange(len(best))
    return heat[each, best], near[:, each, best]


class _Level:
    """The picture reduced to a half, a quarter and so on, extended beyond its edge."""

    def __init__(self, pixels: NDArray[np.uint8]) -> None:
        self.pixels = pixels
        self.image = Image.fromarray(np.pad(pixels, ((_EDGE, _EDGE), (_EDGE, _EDGE), (0, 0)), "edge"))

    def halved(self) -> _Level:
        return _Level(np.asarray(Image.fromarray(self.pixels).reduce(2)))


def _patch(levels: list[_Level], spot: Spot, high: int) -> NDArray[np.uint8]:
    """Cut out a spot, upright and scaled to a rank's height, using a reduced picture if the spot is large."""
    level = max(0, round(float(np.log2(spot.size / (1.2 * high)))))
    while len(levels) <= level:
        levels.append(levels[-1].halved())
    step = spot.size / high / 2**level
    x, y = (spot.x + 0.5) / 2**level + _EDGE, (spot.y + 0.5) / 2**level + _EDGE
    right, down = (-spot.up[1] * step, spot.up[0] * step), (-spot.up[0] * step, -spot.up[1] * step)
    middle = PATCH / 2
    affine = (
        *(right[0], down[0], x - (right[0] + down[0]) * middle),
        *(right[1], down[1], y - (right[1] + down[1]) * middle),
    )
    how = Image.Resampling.BILINEAR
    return np.asarray(levels[level].image.transform((PATCH, PATCH), Image.Transform.AFFINE, affine, how))


def _with_even_light(patch: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Stretch a patch's brightness so that paper is white and ink dark, whatever the light, glare or shade."""
    levels = np.sort(patch[::2, ::2].reshape(-1, 3), axis=0).astype(np.float32)
    ink, paper = levels[len(levels) * _INK[0] // 100].min(), levels[len(levels) * _PAPER[0] // 100]
    contrast = paper - ink
    if contrast.min() < _MIN_CONTRAST:
        return patch
    evened = np.clip((patch - ink) * ((_PAPER[1] - _INK[1]) / contrast) + _INK[1], 0, 255)
    return np.asarray(evened, np.uint8)


def _chance(logit: Floats) -> Floats:
    chance: Floats = (1 / (1 + np.exp(-np.clip(logit, -30, 30)))).astype(np.float32)
    return chance


def _shares(logits: Floats) -> Floats:
    """Turn outputs (one column per place) into probabilities (one row per place)."""
    powers = np.exp(logits - logits.max(0))
    shares: Floats = powers / powers.sum(0)
    return shares.T
