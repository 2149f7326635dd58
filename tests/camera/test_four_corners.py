"""A card with an index in all four corners is one card, however many of them are seen."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
from test_hands import NAMES, corner

from companion.camera import hands, outlines
from companion.camera.finding import Spot

WIDE, HIGH = 50.0, 75.0


def four(turn: float = 0.0, **other: dict[str, float]) -> dict[str, Spot]:
    """The corners of a queen of hearts, turned by so many degrees; some are taken for something else."""
    c, s = math.cos(math.radians(turn)), math.sin(math.radians(turn))
    places = {"a": (0, 0, 0), "b": (WIDE, HIGH, 180), "c": (WIDE, 0, 0), "d": (0, HIGH, 180)}
    return {
        name: corner(x * c - y * s, x * s + y * c, other.get(name, {"Qh": 0.95}), turn + up)
        for name, (x, y, up) in places.items()
    }


@pytest.mark.parametrize("turn", [0, 30, 90, 180, 271])
@pytest.mark.parametrize("seen", ["abcd", "abc", "abd", "cd", "cda"])
def test_corners_of_one_card_are_joined(turn: float, seen: str) -> None:
    corners = four(turn)
    (find,) = hands.cards([corners[name] for name in seen])
    assert len(find.spots) == len(seen)
    assert NAMES[int(find.chances.argmax())] == "Qh"
    (place,) = outlines.outlines([find], False)
    assert (abs(place.half_width), place.half_height) == pytest.approx((27.2, 44.0), abs=1)


def test_two_corners_that_are_misread_are_outvoted() -> None:
    corners = four(a={"Th": 0.7, "Qh": 0.02}, b={"4h": 0.4, "Th": 0.4, "Qh": 0.02})
    (find,) = hands.cards(list(corners.values()))
    assert NAMES[int(find.chances.argmax())] == "Qh"


def test_what_is_no_corner_joins_nothing() -> None:
    corners = four()
    weak = replace(corners["c"], real=0.4)
    assert len(hands.cards([corners["a"], corners["b"], weak])) == 2
    assert len(hands.cards([weak, corners["d"]])) == 2


@pytest.mark.parametrize(
    "other",
    [
        corner(WIDE, 0, {"7c": 1.0}),
        corner(WIDE, 0, {"Qh": 1.0}, 180),
        corner(2 * WIDE, 0, {"Qh": 1.0}),
    ],
    ids=["another card", "the other way up", "too far"],
)
def test_a_card_beside_it_stays_apart(other: Spot) -> None:
    corners = four()
    assert len(hands.cards([corners["a"], corners["b"], other])) == 2
