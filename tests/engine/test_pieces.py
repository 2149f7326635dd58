"""Pieces: identity, copies, and a table of spellings without collisions."""

from __future__ import annotations

import pytest

from companion.engine.messages import Message
from companion.engine.pieces.sets import Piece, PieceSet, spelling_table

ONE, TWO = Piece("X1", Message("one")), Piece("X2", Message("two"))


def piece_set(**more: object) -> PieceSet[Piece]:
    about = {"noun": ("piece", "pieces"), "columns": 2, "copies": {}, "notation": "X[0-9]", **more}
    return PieceSet(groups=((ONE,), (TWO,)), spellings=spelling_table([(ONE, ["Uno"]), (TWO, [])]), **about)


def test_pieces_are_compared_by_identity() -> None:
    assert Piece("X1", Message("one")) != ONE
    assert len({ONE, TWO, Piece("X1", Message("one"))}) == 3
    assert (repr(ONE), ONE.symbol) == ("X1", "X1")


@pytest.mark.parametrize(("copies", "size"), [({}, 2), ({ONE: 2}, 3), ({ONE: 4, TWO: 3}, 7)])
def test_size_counts_copies(copies: dict[Piece, int], size: int) -> None:
    pieces = piece_set(copies=copies)
    assert len(pieces) == size
    assert pieces.pieces == (ONE, TWO)


def test_spelling_table_has_each_text_as_given_and_in_each_case() -> None:
    ones = dict.fromkeys(["X1", "x1", "Uno", "uno", "UNO"], ONE)
    assert spelling_table([(ONE, ["Uno", "x1"]), (TWO, [])]) == {**ones, "X2": TWO, "x2": TWO}


@pytest.mark.parametrize("other", ["X1", "x1", "UNO"])
def test_one_spelling_cannot_name_two_pieces(other: str) -> None:
    with pytest.raises(AssertionError):
        spelling_table([(ONE, ["uno"]), (TWO, [other])])


def test_tokens_are_split_only_if_they_are_nothing_but_pieces() -> None:
    assert " ".join(piece_set().tokens("X1X2 X1,abc x2X9X1 X1X X1-X2")) == "X1 X2 X1 abc x2 X9 X1 X1X X1-X2"


def test_a_known_spelling_is_not_split() -> None:
    assert piece_set(notation="u|n|o").tokens("uno Uno uNo un") == ["uno", "Uno", "u", "N", "o", "u", "n"]


@pytest.mark.parametrize(("token", "is_unclear"), [("abc", False), ("X9", False), ("X1X", True), ("-x1", True)])
def test_a_token_with_a_piece_in_it_may_be_several(token: str, is_unclear: bool) -> None:
    assert piece_set().is_unclear(token) == is_unclear


@pytest.mark.parametrize("text", ["X1", "x1", "UNO", " uNo ", "X1\ufe0f"], ids=ascii)
def test_piece_of_any_spelling(text: str) -> None:
    assert piece_set().find(text) is ONE


@pytest.mark.parametrize("text", ["X3", "", "X1X2"])
def test_unknown_tokens_are_no_piece(text: str) -> None:
    assert piece_set().find(text) is None
