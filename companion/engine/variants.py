"""A game under other house rules: which options change its set of cards, and which set an example needs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

from .game import AnyGame
from .options import Option, options_of
from .pieces import Piece, PieceSet


def variants(game: AnyGame) -> Iterator[tuple[Option | None, Any]]:
    """Yield a game's default options, and then every set of options that differs from it in one choice or toggle."""
    default = game.options()
    yield None, default
    for option in options_of(game.options):
        values = option.choices if option.kind == "choice" else (False, True) if option.kind == "toggle" else ()
        for value in values:
            changed = game.options(**{option.key: value})
            if value != option.default and not any(game.check_options(changed)):
                yield option, changed


@cache
def options_that_change_the_set(game: AnyGame) -> frozenset[str]:
    """Name the options by which other cards or tiles are played with."""
    usual = game.pieces(game.options())
    return frozenset(option.key for option, changed in variants(game) if option and game.pieces(changed) is not usual)


def read_example(game: AnyGame, text: str) -> tuple[Piece, ...]:
    """Read an example hand by the first variant's set that has all its cards; raises StopIteration if none has."""
    sets: Iterator[PieceSet[Any]] = (game.pieces(options) for _, options in variants(game))
    found = ([pieces.find(token) for token in pieces.tokens(text)] for pieces in sets)
    return next(hand for hand in map(_complete, found) if hand)


def _complete(hand: Sequence[Piece | None]) -> tuple[Piece, ...] | None:
    pieces = tuple(piece for piece in hand if piece is not None)
    return pieces if len(pieces) == len(hand) else None
