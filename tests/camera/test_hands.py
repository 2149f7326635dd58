"""Corners become cards and halves become tiles; no piece is given twice."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pytest

from companion.camera import hands, recognition
from companion.camera.finding import Spot
from companion.camera.photograph import Photograph
from companion.engine.pieces.cards import FRENCH, FRENCH_WITH_JOKER, Card, CardSet
from companion.engine.pieces.dominoes import DOMINOES
from companion.engine.pieces.sets import Piece, PieceSet

NAMES = [rank + suit for rank in hands.RANKS for suit in hands.SUITS] + ["Jk"]


def corner(x: float, y: float, chances: Mapping[str, float], turn: float = 0.0, real: float = 1.0) -> Spot:
    """A corner that stands upright, or is turned by so many degrees."""
    values = np.full(53, 1e-4, np.float32)
    for text, chance in chances.items():
        values[NAMES.index(text)] = chance
    up = math.sin(math.radians(turn)), -math.cos(math.radians(turn))
    return Spot(x, y, up, 10.0, real, values / values.sum())


def half(x: float, y: float, pips: int, up: tuple[float, float]) -> Spot:
    values = np.full(7, 0.01, np.float32)
    values[pips] = 1
    return Spot(x, y, up, 20.0, 1.0, values / values.sum())


def held(pieces: CardSet, text: str) -> list[Card]:
    return [pieces.spellings[token] for token in text.split()]


def texts(finds: list[hands.Find], size: int, jokers: bool = False, elsewhere: str = "") -> list[str]:
    pieces = FRENCH_WITH_JOKER if jokers else FRENCH
    return [text for text, _ in best(finds, pieces, size, held(pieces, elsewhere))]


def best(finds: list[hands.Find], pieces: PieceSet[Any], size: int, held: Sequence[Piece] = ()) -> list[Any]:
    taken, _ = recognition._assign_pieces(
        finds, recognition._count_available(pieces, held), hands.pieces_by_index(pieces), size
    )
    found = [(sure, piece.text) for piece, several in taken.items() for sure, _ in several]
    return [(text, sure) for sure, text in sorted(found, reverse=True)]


@pytest.mark.parametrize("turn", [0, 30, 90, 180, 271])
def test_two_corners_of_a_card_are_one_card(turn: float) -> None:
    c, s = math.cos(math.radians(turn)), math.sin(math.radians(turn))
    across, along = 50.0, 75.0
    there = corner(across * c - along * s, across * s + along * c, {"Kh": 0.6, "Qh": 0.4}, turn + 180)
    (find,) = hands.cards([corner(0, 0, {"Qh": 0.7, "Kh": 0.3}, turn), there])
    assert len(find.spots) == 2
    assert NAMES[int(find.chances.argmax())] == "Qh"


@pytest.mark.parametrize(
    "other",
    [
        corner(50, 75, {"Qh": 1}, 0),
        corner(50, 75, {"5c": 1}, 180),
        corner(500, 750, {"Qh": 1}, 180),
        corner(20, 10, {"Qh": 1}, 180),
    ],
    ids=["the same way up", "another card", "too far", "too near"],
)
def test_corners_of_two_cards_stay_apart(other: Spot) -> None:
    assert len(hands.cards([corner(0, 0, {"Qh": 1}), other])) == 2


def test_each_card_is_assigned_once_most_confident_first() -> None:
    finds = hands.cards([corner(0, 0, {"Qh": 1}, real=0.8), corner(0, 300, {"Qh": 1}), corner(0, 600, {"2c": 0.9})])
    assert sorted(texts(finds, 2)) == ["2c", "Qh"]


def test_a_second_corner_of_a_card_is_taken_for_another_only_while_one_is_missing() -> None:
    finds = hands.cards([corner(0, 0, {"Qh": 1}), corner(0, 300, {"Qh": 0.5, "Kh": 0.45})])
    assert texts(finds, 1) == ["Qh"]
    assert texts(finds, 2) == ["Qh", "Kh"]


def test_jokers_are_read_only_if_the_set_has_them() -> None:
    finds = hands.cards([corner(0, 0, {"Jk": 0.8, "Js": 0.2})])
    assert texts(finds, 1, jokers=True) == ["Jk"]
    assert texts(finds, 1) == ["Js"]


def test_halves_that_point_at_each_other_are_a_tile() -> None:
    row = [half(0, 0, 5, (0, 1)), half(0, 40, 2, (0, -1)), half(44, 0, 3, (0, 1)), half(44, 40, 3, (0, -1))]
    assert sorted(text for text, _ in best(hands.tiles(row), DOMINOES, 2)) == ["2-5", "3-3"]


@pytest.mark.parametrize(
    ("x", "box"), [(100, (160, 160, 80, 160)), (10, (0, 160, 60, 160)), (190, (340, 160, 60, 160))]
)
def test_a_box_is_in_the_pixels_of_the_file_and_within_it(x: float, box: hands.Box) -> None:
    (tile,) = hands.tiles([half(x, 100, 5, (0, 1)), half(x, 140, 2, (0, -1))])
    photograph = Photograph(np.zeros((200, 200, 3), np.uint8), 2.0)
    assert hands.box_of(tile, photograph, True) == box


def test_tiles_with_a_blank_are_not_of_the_set() -> None:
    tiles = hands.tiles([half(0, 0, 0, (0, 1)), half(0, 40, 4, (0, -1))])
    assert [text for text, sure in best(tiles, DOMINOES, 1) if sure > 0.5] == []


@pytest.mark.parametrize(
    "other",
    [half(0, 40, 2, (0, 1)), half(0, 40, 2, (1, 0)), half(0, 90, 2, (0, -1)), half(40, 0, 2, (-1, 0))],
    ids=["pointing away", "pointing aside", "too far", "not where the first points"],
)
def test_halves_of_two_tiles_stay_apart(other: Spot) -> None:
    assert hands.tiles([half(0, 0, 5, (0, 1)), other]) == []


def test_without_spots_there_is_no_hand() -> None:
    assert hands.cards([]) == hands.tiles([]) == []
    assert texts([], 5) == []


def test_cards_held_by_others_become_the_next_likeliest_or_nothing() -> None:
    finds = hands.cards([corner(0, 0, {"Qh": 0.6, "Kh": 0.4}), corner(900, 0, {"2c": 1.0})])
    assert texts(finds, 5) == ["2c", "Qh"]
    assert texts(finds, 5, elsewhere="Qh 2c") == ["Kh"]
    joker = hands.cards([corner(0, 0, {"Jk": 1.0})])
    assert texts(joker, 5, jokers=True) == ["Jk"]
    assert texts(joker, 5, jokers=True, elsewhere="Jk") == []


@pytest.mark.parametrize(("away", "twice"), [(120, False), (700, True)])
def test_a_card_seen_twice_is_two_where_it_is_too_far_from_itself(away: int, twice: bool) -> None:
    finds = hands.cards([corner(0, 0, {"Ah": 1.0}), corner(away, 0, {"Ah": 1.0})])
    taken, spare = recognition._assign_pieces(
        finds, recognition._count_available(FRENCH, ()), hands.pieces_by_index(FRENCH), 1
    )
    ((piece, find),) = spare
    assert (piece.text, recognition._are_two(find, taken[piece][0][1])) == ("Ah", twice)


def test_what_an_unsure_card_may_be_instead_is_a_piece_that_is_left() -> None:
    (find,) = hands.cards([corner(0, 0, {"8c": 0.6, "3c": 0.3})])
    names, pieces = hands.pieces_by_index(FRENCH), {*FRENCH.pieces}
    eight, three = held(FRENCH, "8c 3c")
    assert recognition._other(find, pieces - {eight}, names) == three
    assert recognition._other(find, pieces - {eight, three}, names) is None
    assert recognition._other(find, set(), names) is None  # a picture of the whole set
