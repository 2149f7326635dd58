"""The 20 tiles, and every accepted spelling of a tile from the contract's notation."""

from __future__ import annotations

import pytest

from companion.engine.pieces.dominoes import DOMINOES, TILES

TWENTY = "1-2 1-3 1-4 1-5 1-6 2-2 2-3 2-4 2-5 2-6 3-3 3-4 3-5 3-6 4-4 4-5 4-6 5-5 5-6 6-6"


def test_the_set_is_double_six_without_blanks_and_double_one() -> None:
    assert [tile.text for tile in TILES] == TWENTY.split()
    assert DOMINOES.pieces == TILES
    assert len(DOMINOES) == 20


@pytest.mark.parametrize("text", TWENTY.split())
def test_every_spelling_of_a_tile(text: str) -> None:
    tile = DOMINOES.find(text)
    assert tile is not None
    assert repr(tile) == text
    for low, high in [(text[0], text[2]), (text[2], text[0])]:
        for dash in "-\u2011\u2013\u2014":
            assert DOMINOES.find(f"{low}{dash}{high}") is tile
        for spelling in (f"{low}{high}", f"[{low}-{high}]", f"{low}:{high}", f" {low}-{high} "):
            assert DOMINOES.find(spelling) is tile, spelling


REFUSED = """1-1 11 [1-1] 1:1 0-0 0-3 3-0 6-0 7-2 2-7 2 - 26- -26 2--6 2/6 2.6 [26] [2:6] [2-6 2-6] (2-6) 2-6-1 262 02-6
    Ah 1o [2-6][3-3] 2-63-3 2633 ２-６ ٢-٦"""


@pytest.mark.parametrize("token", [*REFUSED.split(), "", "2 6", "2 - 6"])
def test_tiles_outside_the_set_are_not_found(token: str) -> None:
    assert DOMINOES.find(token) is None


@pytest.mark.parametrize("token", [26, 2.6, None, True, (2, 6), [2, 6]], ids=repr)
def test_text_that_is_not_a_tile_is_not_found(token: object) -> None:
    assert DOMINOES.find(token) is None


@pytest.mark.parametrize("typed", ["[6-2], 33 5:4,\n1–2 6-6", "[6-2][3-3][5-4][1-2][6-6]", "6-2335:41−266"], ids=ascii)
def test_typed_hand(typed: str) -> None:
    found = [DOMINOES.find(token) for token in DOMINOES.tokens(typed)]
    assert [tile and tile.text for tile in found] == ["2-6", "3-3", "4-5", "1-2", "6-6"]


def test_tiles_of_other_sets_are_split_off_too() -> None:
    assert DOMINOES.tokens("1-11-2") == ["1-1", "1-2"]
    assert DOMINOES.tokens("[0-6]26") == ["[0-6]", "26"]


@pytest.mark.parametrize(
    ("text", "double", "numbers", "others"),
    [
        ("2-6", False, {2, 6}, {2: 6, 6: 2}),
        ("1-2", False, {1, 2}, {1: 2, 2: 1}),
        ("4-4", True, {4}, {4: 4}),
    ],
)
def test_a_tile_belongs_to_the_suit_of_each_number(
    text: str, double: bool, numbers: set[int], others: dict[int, int]
) -> None:
    tile = DOMINOES.find(text)
    assert tile is not None
    assert tile.is_double is double
    assert {n for n in range(7) if tile.has(n)} == numbers
    assert {n: tile.other(n) for n in numbers} == others
    assert str(tile.name) == f"tile with {text[0]} and {text[-1]}"
