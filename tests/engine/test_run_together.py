"""Hands typed without gaps, in every set: read as the same hand, or not at all."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.engine.pieces.cards import FRENCH, FRENCH_WITH_JOKER, SPANISH_40, SPANISH_48, french
from companion.engine.pieces.dominoes import DOMINOES
from companion.engine.pieces.sets import PieceSet

SETS: dict[str, PieceSet[Any]] = {
    "52": FRENCH,
    "53": FRENCH_WITH_JOKER,
    "54": french(2),
    "spanish-40": SPANISH_40,
    "spanish-48": SPANISH_48,
    "dominoes": DOMINOES,
}
EVERY_SET = pytest.mark.parametrize("pieces", SETS.values(), ids=SETS)
LONG = 20_000  # cards; the longest form that the app accepts has fewer


@EVERY_SET
@given(data=st.data())
def test_a_hand_is_the_same_without_gaps(pieces: PieceSet[Any], data: st.DataObject) -> None:
    """Joins canonical or other spellings, with some gaps left out."""
    spelled = data.draw(st.lists(st.sampled_from(sorted(pieces.spellings)), min_size=1, max_size=12))
    gaps = data.draw(
        st.lists(st.sampled_from(["", "", "", " ", ",", " , "]), min_size=len(spelled), max_size=len(spelled))
    )
    typed = "".join(text + gap for text, gap in zip(spelled, gaps, strict=True))
    assert pieces.hand(typed) == tuple(pieces.find(text) for text in spelled)


@EVERY_SET
@given(data=st.data())
def test_no_text_can_be_read_in_two_ways(pieces: PieceSet[Any], data: st.DataObject) -> None:
    """Counts the ways of splitting a text into pieces of the notation, and into spellings of the set."""
    alphabet = sorted({character for text in pieces.spellings for character in text} | set("0123456789-[]x"))
    parts = st.sampled_from(sorted(pieces.spellings)) | st.sampled_from(alphabet)
    text = "".join(data.draw(st.lists(parts, min_size=1, max_size=8)))
    one = re.compile(pieces.notation, re.IGNORECASE)
    ways = [1]  # of reading the first characters
    for end in range(1, len(text) + 1):
        ways.append(sum(ways[at] for at in range(max(end - 5, 0), end) if one.fullmatch(text, at, end)))
    assert ways[-1] < 2
    tokens = pieces.tokens(text)
    assert (len(tokens) > 1 or bool(one.fullmatch(text))) == bool(ways[-1])
    assert "".join(tokens) == text


@EVERY_SET
def test_every_spelling_is_in_the_notation(pieces: PieceSet[Any]) -> None:
    assert all(re.fullmatch(pieces.notation, text, re.IGNORECASE) for text in pieces.spellings)


@EVERY_SET
@pytest.mark.parametrize("end", ["", "x"])
def test_a_long_text_is_read_once(pieces: PieceSet[Any], end: str) -> None:
    text = pieces.pieces[0].text * LONG + end
    assert len(pieces.tokens(text)) == (1 if end else LONG)
