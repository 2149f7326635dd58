"""How cards and tiles look on a page, and what the templates draw them with."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

from flask import Flask, current_app
from markupsafe import Markup

from companion.engine.cards import Card
from companion.engine.dominoes import Tile
from companion.engine.pieces import Piece

_TEXT_STYLE = "\ufe0e"  # asks phones for the plain symbol instead of an emoji
_SYMBOLS = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}
_SPANISH_SUITS = {"o": "coins", "c": "cups", "e": "swords", "b": "clubs"}
_FRENCH_SUITS = {"c": "clubs", "d": "diamonds", "h": "hearts", "s": "spades"}


@dataclass(frozen=True)
class Face:
    """What is drawn of a piece: `kind` is "card", "spanish", "joker" or "tile"; `suit` names the symbol or colour."""

    kind: str
    rank: str = ""
    suit: str = ""
    symbol: str = ""
    ends: tuple[int, int] | None = None


def face(piece: Piece) -> Face:
    """Tell how a piece is drawn."""
    if isinstance(piece, Tile):
        return Face("tile", ends=(piece.low, piece.high))
    assert isinstance(piece, Card)
    if piece.is_joker:
        return Face("joker", "★")
    rank, suit = piece.text[:-1], piece.suit
    if piece.family == "spanish":
        return Face("spanish", rank, _SPANISH_SUITS[suit])
    return Face("card", "10" if rank == "T" else rank, _FRENCH_SUITS[suit], _SYMBOLS[suit] + _TEXT_STYLE)


@cache
def drawn(piece: Piece) -> Markup:
    """Draw a piece, as `_pieces.html` has it, once in the life of the process: a page may hold hundreds."""
    macros: Any = current_app.jinja_env.get_template("_pieces.html").module
    return Markup(macros.drawn(piece))


def init_app(app: Flask) -> None:
    """Give the templates what they draw and write with."""
    app.jinja_env.globals["face"] = face
    app.jinja_env.globals["drawn"] = drawn
