"""What cards and tiles share: a set of pieces, how they are written, and how a typed hand is taken apart."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from .messages import Message


@dataclass(frozen=True, slots=True, eq=False)
class Piece:
    """A card or a tile. There is one object for each, so they are compared by identity.

    `text` is its canonical notation, `name` what a person calls it.
    """

    text: str
    name: Message

    def __repr__(self) -> str:
        return self.text


P = TypeVar("P", bound=Piece)

_GAPS = re.compile(r"[\s,]+")
# what phones make of a typed suit symbol or hyphen
_PHONE_HABITS = str.maketrans({"\ufe0e": None, "\ufe0f": None, "\u2013": "-", "\u2014": "-", "\u2011": "-"})


@dataclass(frozen=True, eq=False)
class PieceSet(Generic[P]):
    """The pieces of a game: which there are, how they are written and drawn.

    `groups` hold every different piece once, a suit a group, in the order of the keys on the page; `copies` says how
    many there are of a piece that is in the set more than once. `spellings` are all accepted notations but for the
    case of letters. `run_together` matches a token that is several pieces without gaps, and parts it.
    `noun` is what one piece is called, `singular and plural`; `columns` how many keys stand in a row.
    """

    groups: tuple[tuple[P, ...], ...]
    spellings: Mapping[str, P]
    noun: tuple[str, str]
    columns: int
    copies: Mapping[P, int]
    run_together: Callable[[str], Sequence[str]] | None = None

    @property
    def pieces(self) -> tuple[P, ...]:
        """Every different piece once."""
        return tuple(piece for group in self.groups for piece in group)

    def __len__(self) -> int:
        return sum(self.copies.get(piece, 1) for piece in self.pieces)

    def find(self, token: object) -> P | None:
        """Find the piece that a token of any accepted spelling names; None when the set has no such piece."""
        if not isinstance(token, str):
            return None
        return self.spellings.get(token) or self.spellings.get(token.strip().translate(_PHONE_HABITS).lower())

    def tokens(self, text: str) -> list[str]:
        """Take a typed hand apart into the tokens for one piece each."""
        tokens = [token for token in _GAPS.split(text.translate(_PHONE_HABITS)) if token]
        if self.run_together is None:
            return tokens
        return [part for token in tokens for part in self.run_together(token) or (token,)]


def spelled(pieces: Iterable[tuple[P, Iterable[str]]]) -> dict[str, P]:
    """Make the table of spellings: each piece's canonical text as it is, and every other one in lower case."""
    table: dict[str, P] = {}
    for piece, others in pieces:
        for text in (piece.text, piece.text.lower(), *(other.lower() for other in others)):
            assert table.setdefault(text, piece) is piece, text
    return table
