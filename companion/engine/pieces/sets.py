"""What cards and tiles have in common: sets of pieces, their notation, and how a typed hand is split into pieces."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Generic, TypeVar

from ..messages import Message


@dataclass(frozen=True, slots=True, eq=False)
class Piece:
    """A card or tile. There is one object for each, so pieces are compared by identity.

    `text` is the canonical notation, `name` is what a person calls it.
    """

    text: str
    name: Message

    @property
    def symbol(self) -> str:
        """The notation to show people, which may use suit symbols."""
        return self.text

    def __repr__(self) -> str:
        return self.text


P = TypeVar("P", bound=Piece)


_GAPS = re.compile(r"[\s,]+")
# what phone keyboards turn suit symbols and hyphens into
_PHONE_HABITS = str.maketrans(
    {"\ufe0e": None, "\ufe0f": None} | dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2212", "-")
)


@dataclass(frozen=True, eq=False)
class PieceSet(Generic[P]):
    """The deck or set of tiles of a game.

    `groups` list each different piece once, one suit per group, in the order of the keys on the page. `copies` has the
    number of each piece that occurs more than once. `spellings` maps all accepted notations to pieces (see
    `spelling_table`). `notation` is a regular expression, for JavaScript too, of how a piece is written in any case; it
    includes pieces of similar sets, so that a message can say which one this set doesn't have. Pieces without gaps
    ("AsKd") are split by it, so it must allow no text to be split in two ways. `noun` is the name of a piece, singular
    and plural. `columns` is how many keys are in a row.
    """

    groups: tuple[tuple[P, ...], ...]
    spellings: Mapping[str, P]
    noun: tuple[str, str]
    columns: int
    copies: Mapping[P, int]
    notation: str

    @cached_property
    def pieces(self) -> tuple[P, ...]:
        """Each different piece, once."""
        return tuple(piece for group in self.groups for piece in group)

    def __len__(self) -> int:
        return len(self.pieces) + sum(copies - 1 for copies in self.copies.values())

    def find(self, token: object) -> P | None:
        """Return the piece a token names in any accepted spelling; None if the set has no such piece."""
        try:
            return self.spellings[token]  # type: ignore[index]  # fast path
        except (KeyError, TypeError):
            return self.spellings.get(_undo_phone_habits(token).strip().lower()) if isinstance(token, str) else None

    def hand(self, text: str) -> tuple[P, ...] | None:
        """Parse a typed hand; None if a token isn't a piece of this set."""
        pieces = [self.find(token) for token in self.tokens(text)]
        return tuple(piece for piece in pieces if piece is not None) if None not in pieces else None

    def tokens(self, text: str) -> list[str]:
        """Split a typed hand into tokens, one per piece."""
        tokens = [token for token in _GAPS.split(_undo_phone_habits(text)) if token]
        split = ([token] if token in self.spellings else self._run_together(token) for token in tokens)
        return [part for parts in split for part in parts]

    def is_unclear(self, token: str) -> bool:
        """Return whether a token that is no piece may be several run together, one of them misspelt."""
        match = self._one.search(token)
        return match is not None and match[0] != token

    def _run_together(self, token: str) -> list[str]:
        """Split a token into pieces without gaps between them; one that isn't just pieces stays whole."""
        return self._one.findall(token) if self._several.fullmatch(token) else [token]

    @cached_property
    def _one(self) -> re.Pattern[str]:
        return re.compile(self.notation, re.IGNORECASE)

    @cached_property
    def _several(self) -> re.Pattern[str]:
        return re.compile(f"(?:{self.notation})++", re.IGNORECASE)


# of a game that is entered without hands
NO_PIECES: PieceSet[Piece] = PieceSet((), {}, ("card", "cards"), 1, {}, "(?!)")


def _undo_phone_habits(text: str) -> str:
    return text if text.isascii() else text.translate(_PHONE_HABITS)


def spelling_table(pieces: Iterable[tuple[P, Iterable[str]]]) -> dict[str, P]:
    """Build the lookup table of spellings: each as given, in lower case and in upper case."""
    table: dict[str, P] = {}
    for piece, others in pieces:
        for text in (piece.text, *others):
            for cased in (text, text.lower(), text.upper()):
                assert table.setdefault(cased, piece) is piece, cased
    return table
