"""How cards and tiles look on a page, and the template functions that draw them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

from flask import Flask, current_app
from markupsafe import Markup

from companion.engine.messages import Message
from companion.engine.pieces.cards import Card
from companion.engine.pieces.dominoes import Tile
from companion.engine.pieces.sets import Piece, PieceSet

from .language import locale, say

_TEXT_STYLE = "\ufe0e"  # asks phones for the plain symbol instead of an emoji
_SYMBOLS = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}
_SPANISH_SUITS = {"o": "coins", "c": "cups", "e": "swords", "b": "batons"}
_FRENCH_SUITS = {"c": "clubs", "d": "diamonds", "h": "hearts", "s": "spades"}


@dataclass(frozen=True)
class Face:
    """How a piece is drawn: `kind` is "card", "spanish", "joker" or "tile".

    `suit` names the colour, and the shape in the page's SVG sprite; a joker's is "joker". `ends` are a tile's.
    """

    kind: str
    rank: str = ""
    suit: str = ""
    ends: tuple[int, int] | None = None


def face(piece: Piece) -> Face:
    """Return how a piece is drawn."""
    if isinstance(piece, Tile):
        return Face("tile", ends=(piece.low, piece.high))
    assert isinstance(piece, Card)
    if piece.is_joker:
        return Face("joker", suit="joker")
    rank, suit = piece.text[:-1], piece.suit
    if piece.family == "spanish":
        return Face("spanish", rank, _SPANISH_SUITS[suit])
    return Face("card", "10" if rank == "T" else rank, _FRENCH_SUITS[suit])


def as_text(piece: Piece) -> str:
    """Write a piece as text: "10♥", "2-6"; Spanish cards and jokers by name."""
    seen = face(piece)
    if seen.kind == "card":
        return f"{seen.rank}{_SYMBOLS[piece.text[-1]]}{_TEXT_STYLE}"
    return piece.text if seen.ends else say(piece.name)


@cache
def drawing(piece: Piece) -> Markup:
    """Render a piece for the eyes alone; cached, because a page may have hundreds."""
    return Markup(_macros().drawing(piece))


def drawn(piece: Piece) -> Markup:
    """Render a piece, with its name for screen readers."""
    return _drawn(piece, str(locale()))


@cache
def _drawn(piece: Piece, _language: str) -> Markup:
    return Markup('{}<span class="unseen">{}</span>').format(drawing(piece), say(piece.name))


def keyboard(pieces: PieceSet[Any], name: str, held: Sequence[str]) -> Markup:
    """Render a hand's keys for phones without the script; cached, because they are most of a round's page."""
    return _keyboard(pieces, name, tuple(held), str(locale()))


@lru_cache(maxsize=60)
def _keyboard(pieces: PieceSet[Any], name: str, held: tuple[str, ...], _language: str) -> Markup:
    return Markup(_macros().keyboard(pieces, name, held))


def _macros() -> Any:
    return current_app.jinja_env.get_template("components/pieces.html").module


def select_options(choices: Mapping[str, Message | str], chosen: object) -> Markup:
    """Render a select's options, cached because there are 150 currencies."""
    return _options(tuple(choices.items()), chosen, str(locale()))


@lru_cache(maxsize=100)
def _options(choices: tuple[tuple[str, Message | str], ...], chosen: object, _language: str) -> Markup:
    option = Markup('<option value="{}"{}>{}</option>')
    return Markup().join(option.format(value, " selected" * (value == chosen), say(name)) for value, name in choices)


def init_app(app: Flask) -> None:
    app.jinja_env.globals.update(
        face=face, drawing=drawing, drawn=drawn, keyboard=keyboard, select_options=select_options
    )
