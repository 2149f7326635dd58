"""Finds spots in the pixels: corners of cards or halves of tiles, each with probabilities of what it is."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from . import network
from .network import Floats, Task
from .photograph import Photograph

Sizes = tuple[tuple[int, ...], ...]
# pixels of the longer side; the network recognizes corners 9 to 32 pixels high. At the later sizes a picture is only
# looked at if the first don't show all pieces for sure
SIZES: Sizes = ((832,), (512,), (1280,), (320,))
SIZES_OF_TABLE: Sizes = ((1920, 1280, 832, 512),)
SIZES_OF_TABLE_FRAME: Sizes = ((1280, 832, 512),)
SIZES_OF_FRAME: Sizes = ((832,), (512,))  # of a viewfinder, which the hand fills
MIN_HEAT = 0.25
SPOTS_EACH, SPOTS_MORE = 3, 12  # spots to look at again: this many per piece of the hand, plus this many
PATCH = 64  # width and height in pixels of a patch cut out for the second look
LOOKS = (13, 17, 22)  # heights of a rank in such a patch, in pixels; each spot is looked at once in each
CORNER_LOOKS = (0.9 * network.RANK_HEIGHT, 1.1 * network.RANK_HEIGHT)  # the same for the second network
FIRST_WEIGHT = 0.7  # of what the first network takes a corner for, beside the second
_AT_A_TIME = 12
_EDGE = 64
# (percentile of a patch's pixels, brightness to give it) for ink and for paper; the minimum difference between them
_INK, _PAPER, _MIN_CONTRAST = (2, 20), (95, 235), 25


Point = tuple[float, float]


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


def spots(photograph: Photograph, task: Task, size: int, sizes: Sizes) -> Iterator[list[Spot]]:
    """Find corners of cards or halves of tiles; then look at each again, upright and at several sizes.

    Gives those of the first sizes, and if asked for more, those of the next sizes as well. No spot is looked at twice.
    """
    found: list[Spot] = []
    seen: dict[int, Spot] = {}
    levels: list[Level] = []
    for some in sizes:
        found += [spot for longest in some for spot in _find_at_size(photograph.pixels, longest, task)]
        candidates = _without_overlaps(found)[: SPOTS_EACH * size + SPOTS_MORE]
        new = [spot for spot in candidates if id(spot) not in seen]
        if new:
            levels = levels or [Level(photograph.pixels)]  # not before: finding takes the most memory
            seen.update(zip(map(id, new), _look_again(levels, new, task), strict=True))
        yield [seen[id(spot)] for spot in candidates]


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
    heat, found = network.find(picture, task, MIN_HEAT)
    rows, columns = np.nonzero(heat > MIN_HEAT)
    highest = (heat == _highest_near(heat))[rows, columns]
    rows, columns, here = rows[highest], columns[highest], found[:, highest]
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
        return shares(network.output(here, task, network.PIP))
    ranks, suits = (shares(network.output(here, task, which)) for which in (network.RANK, network.SUIT))
    return as_cards(ranks, suits)


def as_cards(ranks: Floats, suits: Floats) -> Floats:
    """Turn probabilities of ranks and of suits (one row per place) into those of 52 cards and the joker."""
    cards = (ranks[:, :13, None] * suits[:, None, :]).reshape(len(ranks), 52)
    return np.concatenate([cards, ranks[:, 13:]], axis=1)


def parts_of(chances: Floats) -> tuple[Floats, Floats]:
    """Return the probabilities of ranks and of suits (one row per place), given those of cards."""
    cards = chances[:, :52].reshape(len(chances), 13, 4)
    ranks = np.concatenate([cards.sum(2), chances[:, 52:]], axis=1)
    suits: Floats = cards.sum(1) / (cards.sum((1, 2))[:, None] + np.float32(1e-9))
    return ranks, suits


def _highest_near(heat: Floats) -> Floats:
    padded = np.pad(heat, 2, constant_values=-1)
    lines = np.max([padded[k : k + heat.shape[0]] for k in range(5)], axis=0)
    highest: Floats = np.max([lines[:, k : k + heat.shape[1]] for k in range(5)], axis=0)
    return highest


def _without_overlaps(candidates: list[Spot]) -> list[Spot]:
    """Keep the most certain of overlapping spots, in descending order of certainty."""
    kept: list[Spot] = []
    for spot in sorted(candidates, key=lambda spot: -spot.real * float(spot.chances.max()) ** 0.5):
        if all(np.hypot(spot.x - k.x, spot.y - k.y) > 0.75 * max(min(spot.size, k.size), 4) for k in kept):
            kept.append(spot)
    return kept


def _look_again(levels: list[Level], candidates: list[Spot], task: Task) -> list[Spot]:
    """Combine the first look with later ones by averaging the logarithms of the probabilities.

    For half a tile, every look also says which way its other half is. A second network looks at corners as well.
    """
    logs = np.log(np.stack([spot.chances for spot in candidates]) + 1e-6)
    real = np.array([spot.real for spot in candidates], np.float32)
    ways = np.array([spot.up for spot in candidates], np.float32)
    for high in LOOKS:
        patches = [_patch(levels, spot, high, (PATCH, PATCH)) for spot in candidates]
        for first in range(0, len(candidates), _AT_A_TIME):
            features = network.features(patches[first : first + _AT_A_TIME], task)
            heat, here = _middle(features, task)
            part = slice(first, first + _AT_A_TIME)
            logs[part] += np.log(_chances(here, task) + 1e-6)
            real[part] += heat
            if task is network.TILES:
                ways[part] += _turned_back(network.output(here, task, task.place), candidates[part])
    looks = 1 + len(LOOKS)
    chances = shares((logs / looks).T)
    real /= looks
    if task is not network.TILES:
        chances, real = _asked_of_second(levels, candidates, chances)
    ways /= np.linalg.norm(ways, axis=1, keepdims=True) + 1e-6
    return [
        replace(spot, real=float(real[k]), chances=chances[k], up=(float(ways[k, 0]), float(ways[k, 1])))
        for k, spot in enumerate(candidates)
    ]


def _asked_of_second(levels: list[Level], candidates: list[Spot], chances: Floats) -> tuple[Floats, Floats]:
    """Weigh in what the second network takes corners for, and whether it takes them for corners."""
    there, named = (
        np.zeros(len(candidates), np.float32),
        np.zeros((network.RANKS + network.SUITS, len(candidates)), np.float32),
    )
    for high in CORNER_LOOKS:
        for first in range(0, len(candidates), _AT_A_TIME):
            part = slice(first, first + _AT_A_TIME)
            heat, what = network.corners([_patch(levels, spot, high, network.CORNER) for spot in candidates[part]])
            there[part] += heat / len(CORNER_LOOKS)
            named[:, part] += what / len(CORNER_LOOKS)
    ranks, suits = parts_of(chances)
    ranks = shares(named[: network.RANKS] + FIRST_WEIGHT * np.log(ranks + 1e-4).T)
    suits = shares(named[network.RANKS :] + FIRST_WEIGHT * np.log(suits + 1e-4).T)
    real: Floats = np.sqrt(network.chance(there) * np.array([spot.real for spot in candidates], np.float32))
    return as_cards(ranks, suits), real


def _turned_back(places: Floats, candidates: list[Spot]) -> Floats:
    """Convert directions in upright patches back to directions in the picture."""
    x, y = places[0], places[1]
    long = np.hypot(x, y) + 1e-6
    up_x, up_y = np.array([spot.up for spot in candidates], np.float32).T
    turned: Floats = np.stack([-x * up_y - y * up_x, x * up_x - y * up_y], axis=1) / long[:, None]
    return turned


def _middle(features: Floats, task: Task) -> tuple[Floats, Floats]:
    """Return, for each patch, the probability and the features of the most likely place near its middle."""
    half, reach = PATCH // task.stride // 2, 12 // task.stride
    near = features[:, :, half - reach : half + reach, half - reach : half + reach]
    near = near.reshape(len(features), features.shape[1], -1)
    heat = network.chance(network.output(near, task, network.THERE)[0])
    best = heat.argmax(1)
    each = np.arange(len(best))
    return heat[each, best], near[:, each, best]


class Level:
    """The picture reduced to a half, a quarter and so on, extended beyond its edge."""

    def __init__(self, pixels: NDArray[np.uint8]) -> None:
        self.pixels = pixels
        self.image = Image.fromarray(np.pad(pixels, ((_EDGE, _EDGE), (_EDGE, _EDGE), (0, 0)), "edge"))

    def halved(self) -> Level:
        return Level(np.asarray(Image.fromarray(self.pixels).reduce(2)))


def _patch(levels: list[Level], spot: Spot, high: float, shape: tuple[int, int]) -> NDArray[np.uint8]:
    """Cut out a spot, upright and scaled to a rank's height."""
    step = spot.size / high
    right, down = (-spot.up[1] * step, spot.up[0] * step), (-spot.up[0] * step, -spot.up[1] * step)
    return cut(levels, (spot.x, spot.y), right, down, shape)


def cut(levels: list[Level], middle: Point, right: Point, down: Point, shape: tuple[int, int]) -> NDArray[np.uint8]:
    """Cut out a patch in even light around a point, given its pixels' steps; large ones are of a smaller picture."""
    step = float(np.sqrt(np.hypot(*right) * np.hypot(*down))) + 1e-6
    level = max(0, round(float(np.log2(step / 1.2))))
    while len(levels) <= level:
        levels.append(levels[-1].halved())
    (right_x, right_y), (down_x, down_y) = ((x / 2**level, y / 2**level) for x, y in (right, down))
    x, y = ((at + 0.5) / 2**level + _EDGE for at in middle)
    high, wide = shape
    affine = (
        *(right_x, down_x, x - right_x * wide / 2 - down_x * high / 2),
        *(right_y, down_y, y - right_y * wide / 2 - down_y * high / 2),
    )
    how = Image.Resampling.BILINEAR
    patch = levels[level].image.transform((wide, high), Image.Transform.AFFINE, affine, how)
    return _with_even_light(np.asarray(patch))


def _with_even_light(patch: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Stretch a patch's brightness so that paper is white and ink dark, whatever the light, glare or shade."""
    levels = np.sort(patch[::2, ::2].reshape(-1, 3), axis=0).astype(np.float32)
    ink, paper = levels[len(levels) * _INK[0] // 100].min(), levels[len(levels) * _PAPER[0] // 100]
    contrast = paper - ink
    if contrast.min() < _MIN_CONTRAST:
        return patch
    evened = np.clip((patch - ink) * ((_PAPER[1] - _INK[1]) / contrast) + _INK[1], 0, 255)
    return np.asarray(evened, np.uint8)


def shares(logits: Floats) -> Floats:
    """Turn outputs (one column per place) into probabilities (one row per place)."""
    powers = np.exp(logits - logits.max(0))
    shares: Floats = powers / powers.sum(0)
    return shares.T
