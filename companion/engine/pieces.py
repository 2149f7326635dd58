"""What cards and tiles share: a set of pieces, how they are written, and how a typed hand is taken apart."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Generic, TypeVar

from .messages import Message


@dataclass(frozen=True, slots=True, eq=False)
class Piece:
    """A card or a tile. There is one object for each, so they are compared by identity.

    `text` is its canonical notation, `name` what a person calls it.
    """

    text: str
    name: Message

    @property
    def symbol(self) -> str:
        """The piece as people write it in a sentence."""
        return self.text

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
    many there are of a piece that is in the set more than once. `spellings` are all accepted notations, in the usual
    cases of letters. `run_together` matches a token that is several pieces without gaps, and parts it.
    `noun` is what one piece is called, `singular and plural`; `columns` how many keys stand in a row.
    """

    groups: tuple[tuple[P, ...], ...]
    spellings: Mapping[str, P]
    noun: tuple[str, str]
    columns: int
    copies: Mapping[P, int]
    run_together: Callable[[str], Sequence[str]] | None = None

    @cached_property
    def pieces(self) -> tuple[P, ...]:
        """Every different piece once."""
        return tuple(piece for group in self.groups for piece in group)

    def __len__(self) -> int:
        return len(self.pieces) + sum(copies - 1 for copies in self.copies.values())

    def find(self, token: object) -> P | None:
        """Find the piece that a token of any accepted spelling names; None when the set has no such piece."""
        try:
            return self.spellings[token]  # type: ignore[index]  # the usual spellings, quickly
        except (KeyError, TypeError):
            return self.spellings.get(_typed_plainly(token).strip().lower()) if isinstance(token, str) else None

    def hand(self, text: str) -> tuple[P, ...] | None:
        """Read a hand of this set; None where one of its pieces is not in the set."""
        found = [self.find(token) for token in self.tokens(text)]
        return tuple(piece for piece in found if piece is not None) if None not in found else None

    def tokens(self, text: str) -> list[str]:
        """Take a typed hand apart into the tokens for one piece each."""
        tokens = [token for token in _GAPS.split(_typed_plainly(text)) if token]
        if self.run_together is None:
            return tokens
        parted = ((token,) if token in self.spellings else self.run_together(token) or (token,) for token in tokens)
        return [part for parts in parted for part in parts]


def _typed_plainly(text: str) -> str:
    return text if text.isascii() else text.translate(_PHONE_HABITS)


def spelled(pieces: Iterable[tuple[P, Iterable[str]]]) -> dict[str, P]:
    """Make the table of spellings: each as it is, in lower and in upper case."""
    table: dict[str, P] = {}
    for piece, others in pieces:
        for text in (piece.text, *others):
            for cased in (text, text.lower(), text.upper()):
                assert table.setdefault(cased, piece) is piece, cased
    return table
