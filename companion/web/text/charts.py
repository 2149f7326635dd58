"""The geometry of charts: turns numbers into points of an SVG, which templates draw. Style sheets add the colours."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

WIDTH = 360
_LEFT, _TOP, _HEIGHT, _BOTTOM = 6, 20, 190, 20
_START = 44  # x where the curves start; the amounts of the levels are to the left of it
_LABEL = 16  # height of a line of text
_MAX_LABEL_LENGTH = 12  # characters
_CHARACTER, _BESIDE = 7.2, 14  # width of a character, and of the gaps around a curve's label
_MARKS = 5  # per curve
_STYLES = 12  # line styles, distinguished by marks and dashes; enough for every player in a group
_FLOW_LEFT, _FLOW_RIGHT, _FLOW_HEIGHT = 100, 260, 130
_GAP, _HEAD = 4.0, 20.0
_SPARK_WIDTH, _SPARK_HEIGHT, _SPARK_POINTS = 80, 20, 25

Point = tuple[float, float]


@dataclass(frozen=True)
class Curve:
    """One line: the points of its `path` as a polyline, its `marks`, and the name at its end.

    `player` is the number whose chip has the line's colour, None for an account that isn't a player's.
    """

    name: str
    label: str
    style: int
    player: int | None
    path: str
    marks: list[Point]
    label_y: float
    last: int


@dataclass(frozen=True)
class LineChart:
    """Several lines over the same steps. `levels` are heights with their amounts; `steps` are the first and last step.

    The level lines go from `left` to `right`, the curves from `start`.
    """

    curves: list[Curve]
    levels: list[tuple[float, int]]
    steps: tuple[str, str]
    left: float
    start: float
    right: float
    bottom: float
    width: int = WIDTH
    height: int = _TOP + _HEIGHT + _BOTTOM


def line_chart(values: Mapping[str, Sequence[int]], steps: tuple[str, str], people: Collection[str] = ()) -> LineChart:
    """Draw each name's values, one per step; curves are sorted by final value, highest first.

    `people` are the names of the group's players, whose order gives their colours.
    """
    colours = {name: at for at, name in enumerate(people)}
    numbers = [number for line in values.values() for number in line]
    low, high = min([0, *numbers]), max([0, *numbers])
    length = max(len(line) for line in values.values())
    right = WIDTH - _BESIDE - _CHARACTER * max(len(shortened(name)) for name in values)

    def place(at: int, value: int) -> Point:
        x = _START + (right - _START) * at / max(length - 1, 1)
        return round(x, 1), round(_TOP + _HEIGHT * (high - value) / max(high - low, 1), 1)

    styles = {name: at % _STYLES for at, name in enumerate(values)}
    ranked = sorted(values, key=lambda name: -values[name][-1])
    labels = _apart([place(0, values[name][-1])[1] for name in ranked])
    curves = []
    for name, label_y in zip(ranked, labels, strict=True):
        points = [place(at, value) for at, value in enumerate(values[name])]
        path = " ".join(f"{x:g},{y:g}" for x, y in points)
        marks = _some(points, styles[name])
        about = name, shortened(name), styles[name], colours.get(name)
        curves.append(Curve(*about, path, marks, label_y, values[name][-1]))
    levels = [(place(0, value)[1], value) for value in sorted({low, 0, high})]
    return LineChart(curves, levels, steps, _LEFT, _START, right, _TOP + _HEIGHT)


def shortened(text: str, longest: int = _MAX_LABEL_LENGTH) -> str:
    """Shorten a text, with an ellipsis; by default to fit beside a chart."""
    return text if len(text) <= longest else text[: longest - 1].rstrip() + "…"


def _some(points: list[Point], style: int) -> list[Point]:
    """Choose the points to mark: a few, at different steps for each line, and the last."""
    every = max(len(points) // _MARKS, 1)
    return [*points[1 + style % every : -every : every], points[-1]]


def _apart(heights: list[float]) -> list[float]:
    """Move labels, given from top to bottom, so that they don't overlap and stay on the chart."""
    moved: list[float] = []
    for height in heights:
        moved.append(max(height, moved[-1] + _LABEL) if moved else height)
    lowest = float(_TOP + _HEIGHT)
    for at in reversed(range(len(moved))):
        moved[at] = min(moved[at], lowest)
        lowest = moved[at] - _LABEL
    return moved


@dataclass(frozen=True)
class Band:
    """An amount that went from one account to another, drawn as a curve of proportional width in the giver's colour."""

    path: str
    width: float
    player: int | None


@dataclass(frozen=True)
class Flow:
    """A chart with givers on the left and takers on the right; each has the height of its middle, and its label."""

    bands: list[Band]
    givers: list[tuple[float, str]]
    takers: list[tuple[float, str]]
    height: float
    width: int = WIDTH
    left: int = _FLOW_LEFT
    right: int = _FLOW_RIGHT


def flow(amounts: Mapping[tuple[str, str], int], names: Mapping[str, str], people: Collection[str] = ()) -> Flow:
    """Draw amounts by (giver, taker), both sides in the order of `names`; `people` as in a line chart, but keys."""
    colours = {key: at for at, key in enumerate(people)}
    scale = _FLOW_HEIGHT / max(sum(amounts.values()), 1)
    order = list(names)
    by_giver, by_taker = ({key: 0.0 for key in order if any(pair[side] == key for pair in amounts)} for side in (0, 1))
    for (giver, taker), amount in amounts.items():
        by_giver[giver] += amount * scale
        by_taker[taker] += amount * scale
    out, into = _stacked(by_giver), _stacked(by_taker)
    bands = []
    for giver, taker in sorted(amounts, key=lambda pair: (order.index(pair[0]), order.index(pair[1]))):
        width = amounts[giver, taker] * scale
        start, end = round(out[giver] + width / 2, 1), round(into[taker] + width / 2, 1)
        out[giver] += width
        into[taker] += width
        middle = (_FLOW_LEFT + _FLOW_RIGHT) // 2
        path = f"M{_FLOW_LEFT} {start}C{middle} {start} {middle} {end} {_FLOW_RIGHT} {end}"
        bands.append(Band(path, round(max(width, 1), 1), colours.get(giver)))
    givers, takers = (
        [(round(bottom - sizes[key] / 2, 1), shortened(names[key])) for key, bottom in ends.items()]
        for sizes, ends in ((by_giver, out), (by_taker, into))
    )
    height = max(_HEAD + sum(max(size, _LABEL) + _GAP for size in sizes.values()) for sizes in (by_giver, by_taker))
    return Flow(bands, givers, takers, round(height, 1))


def _stacked(sizes: Mapping[str, float]) -> dict[str, float]:
    """Stack bars, each with room for its label; returns their tops."""
    tops, at = {}, _HEAD
    for key, size in sizes.items():
        room = max(size, _LABEL)
        tops[key] = at + (room - size) / 2
        at += room + _GAP
    return tops


@dataclass(frozen=True)
class Spark:
    """A small line without a scale; `zero` is the height of 0."""

    path: str
    zero: float
    width: int = _SPARK_WIDTH
    height: int = _SPARK_HEIGHT


def spark(values: Sequence[int]) -> Spark:
    """Draw values as a small line for use within a row of text; at most 25 points, including the last."""
    if len(values) > _SPARK_POINTS:
        values = [values[at * (len(values) - 1) // (_SPARK_POINTS - 1)] for at in range(_SPARK_POINTS)]
    low, high = min([0, *values]), max([0, *values])

    def y(value: int) -> float:
        return round(2 + (_SPARK_HEIGHT - 4) * (high - value) / max(high - low, 1), 1)

    across = [round(_SPARK_WIDTH * at / max(len(values) - 1, 1), 1) for at in range(len(values))]
    return Spark(" ".join(f"{x:g},{y(value):g}" for x, value in zip(across, values, strict=True)), y(0))
