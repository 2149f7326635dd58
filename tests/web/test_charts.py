"""Chart geometry: inside the frame, higher for more, and without overlapping names."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.web.text.charts import flow, line_chart, shortened, spark

NAMES = ["Ana", "Beto", "Caro", "Dani", "Eva", "Fabi", "Gus", "Hugo", "Ines", "Juan", "Karla", "Luis"]
NUMBERS = st.integers(-(10**12), 10**12)


@given(
    st.integers(1, 40).flatmap(
        lambda steps: st.lists(st.lists(NUMBERS, min_size=steps, max_size=steps), min_size=1, max_size=12)
    )
)
def test_lines_stay_in_the_frame_and_names_apart(values: list[list[int]]) -> None:
    given_values = dict(zip(NAMES, values, strict=False))
    chart = line_chart(given_values, ("start", "end"))
    assert [curve.last for curve in chart.curves] == sorted((line[-1] for line in values), reverse=True)
    for curve in chart.curves:
        points = [tuple(map(float, point.split(","))) for point in curve.path.split()]
        assert len(points) == len(given_values[curve.name])
        assert all(0 <= x <= chart.right and 0 <= y <= chart.bottom for x, y in points)
        assert set(curve.marks) <= set(points)
        assert curve.marks[-1] == points[-1]
    labels = [curve.label_y for curve in chart.curves]
    assert all(below - above >= 13.9 for above, below in pairwise(labels))
    assert all(0 < label <= chart.bottom for label in labels)
    assert len({curve.style for curve in chart.curves}) == len(chart.curves)


def test_more_is_higher_and_nothing_is_a_level() -> None:
    chart = line_chart({"Ana": [0, 5], "Beto": [0, -5]}, ("start", "end"))
    assert [amount for _, amount in chart.levels] == [-5, 0, 5]
    heights = [height for height, _ in chart.levels]
    assert heights == sorted(heights, reverse=True)


@given(
    st.dictionaries(
        st.tuples(st.sampled_from(NAMES), st.sampled_from(NAMES)), st.integers(1, 10**12), min_size=1, max_size=20
    )
)
def test_a_flow_draws_every_amount_once(amounts: dict[tuple[str, str], int]) -> None:
    drawn = flow(amounts, {name: name for name in NAMES})
    assert len(drawn.bands) == len(amounts)
    assert {name for _, name in drawn.givers} == {giver for giver, _ in amounts}
    assert {name for _, name in drawn.takers} == {taker for _, taker in amounts}
    for side in (drawn.givers, drawn.takers):
        heights = [height for height, _ in side]
        assert all(below - above >= 13.9 for above, below in pairwise(heights))
        assert all(0 < height <= drawn.height for height in heights)


@given(st.lists(NUMBERS, min_size=1, max_size=500))
def test_a_sparkline_stays_in_its_frame(values: list[int]) -> None:
    drawn = spark(values)
    points = [tuple(map(float, point.split(","))) for point in drawn.path.split()]
    assert len(points) == min(len(values), 25)
    assert points[0][1] == points[-1][1] or values[0] != values[-1]
    assert all(0 <= x <= drawn.width and 0 <= y <= drawn.height for x, y in points)
    assert 0 <= drawn.zero <= drawn.height


@pytest.mark.parametrize(
    ("name", "label"), [("Ana", "Ana"), ("Guillermo", "Guillermo"), ("Maximiliana I", "Maximiliana…")]
)
def test_long_names_are_shortened(name: str, label: str) -> None:
    assert shortened(name) == label


def test_lines_and_bands_have_the_colours_of_the_players_chips() -> None:
    chart = line_chart({"Caro": [0, 5], "Ana": [0, -4], "Pot": [0, -1]}, ("", ""), ("Ana", "Beto", "Caro"))
    assert [(curve.name, curve.player) for curve in chart.curves] == [("Caro", 2), ("Pot", None), ("Ana", 0)]
    drawn = flow({("7", "pot"): 1, ("pot", "9"): 2}, {"9": "Ana", "7": "Beto", "pot": "Pot"}, ("7", "8", "9"))
    assert [band.player for band in drawn.bands] == [0, None]
