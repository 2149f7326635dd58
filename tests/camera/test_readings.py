"""Two pictures of one hand: what they say together."""

from __future__ import annotations

import pytest

from companion.camera.readings import Before, Detection, shows_same_hand, together
from companion.engine.pieces.cards import FRENCH_WITH_JOKER
from companion.engine.pieces.sets import Piece

BOX = (1, 2, 3, 4)


def piece(text: str) -> Piece:
    found = FRENCH_WITH_JOKER.find(text)
    assert found is not None
    return found


def before(*said: str) -> Before:
    return [(piece(text), float(chance)) for text, chance in map(str.split, said)]


def now(*said: str) -> list[Detection]:
    return [Detection(one, chance, BOX) for one, chance in before(*said)]


@pytest.mark.parametrize(
    "first, second, size, read",
    [
        (["9s 0.7"], ["9s 0.8"], 1, ["9s 0.8"]),
        (["8c 0.7", "9s 0.9"], ["9s 0.95", "3c 0.8"], 2, ["9s 0.95", "3c 0.8"]),
        (["8c 0.7", "9s 0.9"], ["9s 0.9"], 2, ["9s 0.9", "8c 0.7"]),
        (["8c 0.7", "9s 0.9", "Kd 0.98"], ["9s 0.9", "3c 0.99"], 3, ["3c 0.99", "9s 0.9", "Kd 0.85"]),
        (["8c 0.5", "9s 0.9"], ["9s 0.9", "3c 0.99"], 2, ["3c 0.99", "9s 0.9"]),
        (["8c 0.95", "9s 0.95"], ["3c 0.99", "Kd 0.98"], 2, ["3c 0.85", "Kd 0.85"]),
        (["8c 0.9"], ["8c 0.9", "3c 0.7"], 1, ["8c 0.9"]),
        ([], ["9s 0.9", "8c 0.6"], 5, ["9s 0.9", "8c 0.6"]),
        (["8c 0.6"], ["9s 0.6"], 2, ["9s 0.6", "8c 0.6"]),
        (["Jk 0.5", "Jk 0.8"], ["Jk 0.5"], 2, ["Jk 0.8", "Jk 0.5"]),
        (["9s 1"], ["9s 0.2"], 1, ["9s 1"]),
    ],
)
def test_two_pictures_are_read_together(first: list[str], second: list[str], size: int, read: list[str]) -> None:
    found = together(before(*first), now(*second), size)
    assert [f"{one.piece.text} {round(one.confidence, 9):g}" for one in found] == read


def test_what_only_the_first_picture_shows_has_no_place() -> None:
    found = together(before("8c 0.7"), now("9s 0.6"), 2)
    assert [(one.piece.text, one.box) for one in found] == [("8c", None), ("9s", BOX)]


@pytest.mark.parametrize(
    "first, second, same",
    [
        ("9s 8s 7s 6s", "9s 8s", True),
        ("9s 8s 7s 6s", "9s 2s 3s 4s", False),
        ("", "9s", True),
        ("Jk Jk Jk", "Jk", False),
    ],
)
def test_half_of_a_hand_tells_it_from_another(first: str, second: str, same: bool) -> None:
    assert shows_same_hand([(piece(text), 1.0) for text in first.split()], map(piece, second.split())) is same
