"""Compares pictures of pages with the last accepted ones: which differ, and where.

A picture is cut into squares; neighbouring squares with a pixel that changed make one box. What differs by less than a
rounding of anti-aliased edges counts as the same.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from PIL import Image, ImageChops, ImageDraw

_SQUARE = 16  # pixels
_SAME = 24  # of 255
_RED = (220, 20, 60)
Box = tuple[int, int, int, int]


@dataclass(frozen=True)
class Difference:
    """A picture that is not as it was accepted: what about it, and the boxes that changed."""

    name: str
    what: str
    boxes: tuple[Box, ...] = ()


def boxes_of(before: Image.Image, after: Image.Image) -> list[Box]:
    """Find the boxes in which two pictures differ; beyond the edge of the smaller one everything does."""
    size = max(before.width, after.width), max(before.height, after.height)
    whole = [Image.new("RGB", size, _RED) for _ in range(2)]
    for canvas, picture in zip(whole, (before, after), strict=True):
        canvas.paste(picture.convert("RGB"))
    changed = ImageChops.difference(*whole).convert("L").point(lambda value: 255 * (value > _SAME))
    squares = -(-size[0] // _SQUARE), -(-size[1] // _SQUARE)
    lit = set()
    for x in range(squares[0]):
        for y in range(squares[1]):
            place = (x * _SQUARE, y * _SQUARE, min((x + 1) * _SQUARE, size[0]), min((y + 1) * _SQUARE, size[1]))
            if changed.crop(place).getbbox():
                lit.add((x, y))
    return [_scaled(group, size) for group in _groups(lit)]


def _groups(squares: set[tuple[int, int]]) -> Iterator[set[tuple[int, int]]]:
    """Yield the squares that touch each other."""
    left = set(squares)
    while left:
        group, edge = set[tuple[int, int]](), [left.pop()]
        while edge:
            x, y = edge.pop()
            group.add((x, y))
            near = {(x + dx, y + dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1)} & left
            left -= near
            edge.extend(near)
        yield group


def _scaled(group: set[tuple[int, int]], size: tuple[int, int]) -> Box:
    across, down = [x for x, _ in group], [y for _, y in group]
    right, bottom = (max(across) + 1) * _SQUARE, (max(down) + 1) * _SQUARE
    return min(across) * _SQUARE, min(down) * _SQUARE, min(right, size[0]), min(bottom, size[1])


def compared(accepted: Path, today: Path, shown: Path) -> Iterator[Difference]:
    """Compare two folders of pictures; what changed is drawn into a third, before and after side by side."""
    shutil.rmtree(shown, ignore_errors=True)
    shown.mkdir(parents=True)
    for new in sorted(today.glob("*.png")):
        old = accepted / new.name
        if not old.exists():
            yield Difference(new.stem, "new")
            continue
        if old.read_bytes() == new.read_bytes():
            continue
        with Image.open(old) as opened, Image.open(new) as other:
            before, after = opened.convert("RGB"), other.convert("RGB")
        boxes = boxes_of(before, after)
        if boxes:
            _side_by_side(before, after, boxes).save(shown / new.name)
            yield Difference(new.stem, f"{len(boxes)} boxes", tuple(boxes))


def _side_by_side(before: Image.Image, after: Image.Image, boxes: list[Box]) -> Image.Image:
    """Draw both with what changed framed in red."""
    gap = _SQUARE
    drawn = Image.new("RGB", (before.width + after.width + gap, max(before.height, after.height)), "white")
    for left, picture in ((0, before), (before.width + gap, after)):
        drawn.paste(picture, (left, 0))
        pen = ImageDraw.Draw(drawn)
        for x, y, right, bottom in boxes:
            pen.rectangle((left + x, y, left + right - 1, bottom - 1), outline=_RED, width=2)
    return drawn
