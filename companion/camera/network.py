"""The networks, in plain NumPy: one finds corners of cards, another halves of domino tiles; both also classify them.

A third looks again at corners of cards and at the faces between them.

Arrays of pictures are float32 with shape (channels, pictures, height, width).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
WEIGHTS = Path(__file__).with_name("weights-4.npz")
GRAIN = 16  # the width and height of a picture must be multiples of this
RANKS, SUITS, PIPS = 14, 4, 7  # number of classes; the last rank is the joker


@dataclass(frozen=True)
class Task:
    """A network's task: to find cards or tiles.

    The names of the network's layers begin with `prefix`; `layer` is the last one. `stride` is the distance in pixels
    between two places that it classifies. `place` is the range of outputs for direction and size.
    """

    prefix: str
    layer: str
    stride: int
    place: tuple[int, int]


CARDS, TILES = Task("", "head", 4, (19, 22)), Task("tiles.", "tile", 8, (8, 11))
THERE, RANK, SUIT, PIP = (0, 1), (1, 15), (15, 19), (1, 8)
CORNER, FACE = (56, 48), (56, 40)  # height and width in pixels of a corner and of a face for the second look
RANK_HEIGHT = 16  # of a rank in such a corner, in pixels
_COLUMNS = 250_000  # maximum size of the right-hand matrix of a product, so that it fits into the processor's cache
_STRIP = 40  # rows of features computed at a time in the layers that need the most memory


@lru_cache(maxsize=1)
def weights() -> dict[str, Floats]:
    """Load the weights once, as matrices with one row per output."""
    with np.load(WEIGHTS, allow_pickle=False) as file:
        loaded = {name: file[name].astype(np.float32) for name in file.files}
    return {name: _as_matrix(array) for name, array in loaded.items()}


def _as_matrix(array: Floats) -> Floats:
    if array.ndim != 4:
        return array
    # columns are ordered by neighbour (nine of them), then by input
    return np.ascontiguousarray(array.transpose(0, 2, 3, 1).reshape(array.shape[0], -1))


def _convolve(x: Floats, layer: str, stride: int = 1, spread: int = 1) -> Floats:
    """Apply a 3 x 3 convolution with ReLU."""
    matrix, bias = weights()[f"{layer}.weight"], weights()[f"{layer}.bias"]
    inputs, count, high, wide = x.shape
    rows, columns = (high - 1) // stride + 1, (wide - 1) // stride + 1
    result = np.empty((len(matrix), count, rows, columns), np.float32)
    band = max(1, _COLUMNS // (columns * count * inputs * 9))
    part = band * max(1, _STRIP // band)  # rows whose input is copied with a border at a time
    for top in range(0, rows, band):
        if top % part == 0:
            padded = _padded(x, top * stride, (min(rows, top + part) - 1) * stride + 1, spread)
        here = min(band, rows - top)
        column = np.empty((9, inputs, count, here, columns), np.float32)
        for neighbour in range(9):
            down, across = neighbour // 3 * spread + top % part * stride, neighbour % 3 * spread
            column[neighbour] = padded[
                :,
                :,
                down : down + (here - 1) * stride + 1 : stride,
                across : across + (columns - 1) * stride + 1 : stride,
            ]
        product = matrix @ column.reshape(9 * inputs, -1)
        product += bias[:, None]
        result[:, :, top : top + here] = np.maximum(product, 0, out=product).reshape(-1, count, here, columns)
    return result


def _padded(x: Floats, top: int, bottom: int, spread: int) -> Floats:
    """Return rows of pictures with what is around them: zeros beyond the edges."""
    first, last = max(0, top - spread), min(x.shape[2], bottom + spread)
    above = first - (top - spread)
    padded = np.zeros((*x.shape[:2], bottom - top + 2 * spread, x.shape[3] + 2 * spread), np.float32)
    padded[:, :, above : above + last - first, spread:-spread] = x[:, :, first:last]
    return padded


def _mix(x: Floats, layer: str) -> Floats:
    """Apply a 1 x 1 convolution and ReLU."""
    matrix, bias = weights()[f"{layer}.weight"], weights()[f"{layer}.bias"]
    product = matrix @ x.reshape(len(x), -1)
    product += bias[:, None]
    np.maximum(product, 0, out=product)
    return product.reshape(len(matrix), *x.shape[1:])


def _doubled(x: Floats) -> Floats:
    return x.repeat(2, 2).repeat(2, 3)


def features(pictures: Sequence[NDArray[np.uint8]], task: Task) -> Floats:
    """Compute the features of equally sized pictures, each of shape (height, width, 3), for cards or for tiles."""
    return np.concatenate(list(_features_in_strips(np.stack(pictures), task)), axis=2)


def find(picture: NDArray[np.uint8], task: Task, least: float) -> tuple[Floats, Floats]:
    """Compute for each place of a picture the chance that something is there, and the features where it is > `least`.

    The features of all places at once would need more memory than anything else.
    """
    chances, found = [], []
    for strip in _features_in_strips(picture[None], task):
        chances.append(chance(output(strip[:, 0], task, THERE)[0]))
        found.append(strip[:, 0, chances[-1] > least])
    return np.concatenate(chances), np.concatenate(found, axis=1)


def chance(logit: Floats) -> Floats:
    """Turn outputs into probabilities."""
    chance: Floats = (1 / (1 + np.exp(-np.clip(logit, -30, 30)))).astype(np.float32)
    return chance


def _features_in_strips(pictures: NDArray[np.uint8], task: Task) -> Iterator[Floats]:
    """Compute the features in strips of rows, from above, because all of them need the most memory."""
    net = task.prefix
    fine = _begin(pictures, net)
    middle = _convolve(_convolve(fine, f"{net}d1", 2), f"{net}r2")
    coarse = _convolve(_convolve(middle, f"{net}d2", 2), f"{net}r3")
    coarse = _convolve(coarse, f"{net}r4", spread=2)
    y = _doubled(_mix(coarse, f"{net}u2"))
    y += middle
    if task is TILES:
        y = _convolve(y, f"{net}v2")
        yield _convolve(_convolve(np.concatenate([middle, y]), f"{net}t1"), f"{net}t2")
    else:
        del middle, coarse
        yield from _end(_mix(_convolve(y, f"{net}v2"), "u1"), fine)


def output(seen: Floats, task: Task, which: tuple[int, int]) -> Floats:
    """Compute the outputs `which` (first, end) of the last layer, given features of shape (channels, …)."""
    rows = slice(*which)
    matrix, bias = (weights()[f"{task.prefix}{task.layer}.{part}"][rows] for part in ("weight", "bias"))
    product: Floats = np.tensordot(matrix, seen, 1)
    return product + bias.reshape(-1, *[1] * (seen.ndim - 1))


def corners(patches: Sequence[NDArray[np.uint8]]) -> tuple[Floats, Floats]:
    """Look at corners, upright and of size CORNER: whether each is one, and its ranks and suits (rows), as logits."""
    x = _normalized(np.stack(patches))
    for layer, stride in (("k1", 2), ("k2", 1), ("k3", 2), ("k4", 1), ("k5", 2), ("k6", 1)):
        x = _convolve(x, f"second.{layer}", stride)
    outputs = _finish(_mix(x, "second.k7"), "second.k8", "second.k9")
    return outputs[0], outputs[1:]


def faces(patches: Sequence[NDArray[np.uint8]]) -> Floats:
    """Look at faces of size FACE: ranks and suits (rows), as logits to add to those of corners."""
    x = _normalized(np.stack(patches))
    for layer, stride in (("f1", 2), ("f2", 2), ("f3", 1), ("f4", 2)):
        x = _convolve(x, f"second.{layer}", stride)
    return _finish(_mix(x, "second.f5"), "second.f6", "second.f7")


def _finish(x: Floats, layer: str, last: str) -> Floats:
    """Apply a layer that sees all places at once, then the last one."""
    x = _mix(np.ascontiguousarray(x.transpose(2, 3, 0, 1)).reshape(-1, x.shape[1]), layer)
    product: Floats = weights()[f"{last}.weight"] @ x
    return product + weights()[f"{last}.bias"][:, None]


def _normalized(pictures: NDArray[np.uint8]) -> Floats:
    x = np.ascontiguousarray(pictures.transpose(3, 0, 1, 2), np.float32)
    x *= np.float32(1 / 255)
    x -= np.float32(0.5)
    return x


def _strips(rows: int, margin: int) -> Iterator[tuple[int, int, int, int]]:
    """Split rows into strips: first row and end of each, without and with up to `margin` more rows on both sides."""
    for top in range(0, rows, _STRIP):
        bottom = min(rows, top + _STRIP)
        yield top, bottom, max(0, top - margin), min(rows, bottom + margin)


def _begin(pictures: NDArray[np.uint8], net: str) -> Floats:
    """Apply the first three layers strip by strip, because they need the most memory."""
    count, high, wide = pictures.shape[:3]
    result = np.empty((len(weights()[f"{net}r1.weight"]), count, high // 4, wide // 4), np.float32)
    for top, bottom, first, last in _strips(high // 4, 3):
        strip = pictures[:, first * 4 : last * 4]
        x = _convolve(_convolve(_convolve(_normalized(strip), f"{net}c1", 2), f"{net}c2", 2), f"{net}r1")
        result[:, :, top:bottom] = x[:, :, top - first : bottom - first]
    return result


def _end(y: Floats, fine: Floats) -> Iterator[Floats]:
    """Apply the last layer strip by strip to the coarse features and the fine ones from the beginning."""
    for top, bottom, first, last in _strips(y.shape[2], 1):
        x = _doubled(y[:, :, first:last])
        x += fine[:, :, 2 * first : 2 * last]
        yield _convolve(x, "v1")[:, :, 2 * (top - first) : 2 * (bottom - first)]
