"""Draws what `evaluate.py` found: how far to trust the confidence, what is mixed up, and the worst photographs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PIL import Image, ImageDraw, ImageFont, ImageOps

if TYPE_CHECKING:  # see `evaluate.py`
    from companion.camera.readings import Detection

_SIDE, _EDGE = 480, 60  # of the diagram, in pixels
_MAX_SIDE = 900  # pixels of a marked photograph
_INK, _LINE, _RIGHT, _WRONG = "#222222", "#bbbbbb", "#1f8a4c", "#c8102e"


def draw_calibration(bands: Mapping[float, Sequence[int]], path: Path) -> None:
    """Draw how many of the readings in each band of confidence are right; a perfect confidence is the diagonal.

    `bands` has the readings and the right ones by the band's least confidence. A dot's area grows with its readings.
    """
    image = Image.new("RGB", (_SIDE + 2 * _EDGE, _SIDE + 2 * _EDGE), "white")
    draw, font = ImageDraw.Draw(image), ImageFont.load_default(14)

    def at(x: float, y: float) -> tuple[float, float]:
        return _EDGE + x * _SIDE, _EDGE + (1 - y) * _SIDE

    for tenth in range(11):
        share = tenth / 10
        draw.line([at(share, 0), at(share, 1)], _LINE)
        draw.line([at(0, share), at(1, share)], _LINE)
        draw.text((at(share, 0)[0], at(share, 0)[1] + 14), f"{share:.1f}", _INK, font, "mm")
        draw.text((at(0, share)[0] - 20, at(0, share)[1]), f"{share:.0%}", _INK, font, "mm")
    draw.line([at(0, 0), at(1, 1)], _INK, 2)
    draw.text((_EDGE + _SIDE / 2, 2 * _EDGE + _SIDE - 18), "confidence, and right readings", _INK, font, "mm")
    ends = [*list(bands)[1:], 1.0]
    for (least, (count, right)), end in zip(bands.items(), ends, strict=True):
        if count:
            x, y = at((least + end) / 2, right / count)
            radius = 3 + count**0.5 / 1.5
            draw.ellipse([x - radius, y - radius, x + radius, y + radius], outline=_WRONG, width=2)
            draw.text((x, y - radius - 9), f"{right}/{count}", _INK, font, "mm")
    image.save(path)


def confusions(mixed: Mapping[tuple[str, str], int]) -> str:
    """Write which rank or suit was read as which, as a table: a line for each that was there."""
    there = sorted({was for was, _ in mixed})
    taken = sorted({read for _, read in mixed})
    lines = ["there \\ read " + "".join(f"{read:>5}" for read in taken)]
    lines += [f"{was:<12} " + "".join(f"{mixed.get((was, read), 0) or '':>5}" for read in taken) for was in there]
    return "\n".join(lines)


def mark(
    photo: Path, readings: Iterable[Detection], there: Collection[str], missed: Collection[str], path: Path
) -> None:
    """Save a photograph with its readings, wrong ones in red, and what was missed above it."""
    with Image.open(photo) as opened:
        image = ImageOps.exif_transpose(opened).convert("RGB")
    scale = min(1.0, _MAX_SIDE / max(image.size))
    image = image.resize((round(image.width * scale), round(image.height * scale)))
    font = ImageFont.load_default(18)
    draw = ImageDraw.Draw(image)
    for reading in readings:
        x, y, width, height = (number * scale for number in reading.box)
        colour = _RIGHT if reading.piece.text in there else _WRONG
        draw.rectangle([x, y, x + width, y + height], outline=colour, width=3)
        draw.text((x, y - 2), f"{reading.piece.text} {reading.confidence:.2f}", colour, font, "ls")
    told = ImageOps.expand(image, (0, 30, 0, 0), "white")
    text = f"{photo.name}: missed {', '.join(sorted(missed)) or 'nothing'}"
    ImageDraw.Draw(told).text((6, 15), text, _INK, font, "lm")
    told.save(path)


def pairs(missed: Collection[str], wrong: Collection[str]) -> Counter[tuple[str, str]]:
    """Count which rank or suit was probably read as which: a missed card and a wrong one that share the other half."""
    found: Counter[tuple[str, str]] = Counter()
    for read in wrong:
        for was in missed:
            if "-" in read:
                found[was, read] += was[0] == read[0] or was[-1] == read[-1]
            elif was[-1] == read[-1]:
                found[was[:-1], read[:-1]] += 1
            elif was[:-1] == read[:-1]:
                found[was[-1], read[-1]] += 1
    return +found
