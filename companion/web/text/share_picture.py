"""The layout of the picture of a night that players share: positions, colours and lines of text for `night/end.svg`.

The picture is used outside the app, so it can't use the pages' style sheets. SVG doesn't wrap text either: the text is
broken into lines here, by estimates of its width in the widest of the usual fonts. Nothing is ever shortened. Lengths
are in pixels of the picture, which is WIDTH wide and at least HEIGHT high.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from unicodedata import combining, normalize

from flask import current_app

from companion.engine.pieces.sets import Piece

from ..http.files.snapshot import read_all
from .pieces import face

WIDTH, HEIGHT = 1080, 1350  # the height is the least: with more to show, the picture is higher
# the names in `tokens.css` of the suits' colours
_INKS = {
    "spades": "spade",
    "hearts": "heart",
    "cups": "heart",
    "diamonds": "diamond",
    "swords": "diamond",
    "clubs": "club",
    "batons": "club",
    "joker": "joker",
    "coins": "gold",
}
_TOKEN = re.compile(r"--([a-z0-9-]+): (?:var\(--light, )?(?:var\(--([a-z0-9-]+)\)|(#[0-9a-f]+))")
_CHIP = re.compile(r"\.player-\d \{ --chip: (#\w+);(?: --on-chip: (#\w+);)? \}")
# a character's width by its height in DejaVu, which is wider than the fonts of phones
_WIDTHS = {
    char: wide
    for chars, wide in (
        (" \u00a0.,:;'’|!·iIjl", 0.34),
        ("frt()[]-", 0.45),
        ("cszJ", 0.55),
        ("aeovxyk", 0.62),
        ("mwMW@%&…—", 1),
    )
    for char in chars
}
_USUAL, _CAPITAL, _WIDEST = 0.65, 0.79, 1.2
_FIRST_WIDEST = "\u1100"  # Chinese, Japanese, Korean and emoji
_BOLD, _BOOK = 1.11, 1.05  # how much wider bold text is, and text in the serif font
_PARTS = re.compile("[^ -]*-+|[^ -]+ ?| ")
_WIDEST_CARD, _BESIDE = 84, 8


@dataclass(frozen=True)
class Colours:
    """The colours of the pages in light mode.

    `chips` are those of players and of the letters on them, `inks` those of cards by suit, `tokens` all that have a
    name, with underscores.
    """

    tokens: dict[str, str]
    chips: list[tuple[str, str]]
    inks: dict[str, str]


def colours() -> Colours:
    """Return the colours, which the picture can't take from the style sheets itself."""
    return _colours(str(current_app.static_folder))


@cache
def _colours(folder: str) -> Colours:
    tokens, players = (read_all(folder)[f"styles/components/{name}.css"].decode() for name in ("tokens", "player"))
    named: dict[str, str] = {}
    for name, same_as, colour in _TOKEN.findall(tokens):
        named.setdefault(name.replace("-", "_"), colour or named[same_as.replace("-", "_")])
    chips = [(chip, letter or "#fff") for chip, letter in _CHIP.findall(players)]
    return Colours(named, chips, {suit: named[name] for suit, name in _INKS.items()})


@dataclass(frozen=True)
class Step:
    """A step of the podium: the centre and the radius of the player's chip on it."""

    x: int
    y: int
    radius: int


_STEPS = (Step(540, 490, 88), Step(260, 530, 60), Step(820, 530, 60))


def step(at: int, place: int) -> Step:
    """Return the podium's step for the player at position `at`, counted from 0; equal places are equally high."""
    return replace(_STEPS[place - 1], x=_STEPS[at].x)


@dataclass(frozen=True)
class PlacedPiece:
    """A card or tile of the best hand, and its distance from the hand's left edge."""

    piece: Piece
    x: float


@dataclass(frozen=True)
class TextLines:
    """A text broken into lines, and the font size at which each of them fits."""

    lines: list[str]
    size: float

    @property
    def more(self) -> float:
        """The height of the lines after the first one."""
        return (len(self.lines) - 1) * self.step

    @property
    def step(self) -> float:
        """The distance of two lines."""
        return round(self.size * 1.2, 1)


def width_of(text: str, weight: int = 400, *, is_book: bool = False) -> float:
    """Estimate the width of a text of font size 1; phones' fonts are rather narrower."""
    wide = sum(_width(char) for char in normalize("NFD", text) if not combining(char))
    return wide * (_BOLD if weight > 400 else 1) * (_BOOK if is_book else 1)


def _width(char: str) -> float:
    """Estimate a character's width."""
    if char >= _FIRST_WIDEST:
        return _WIDEST
    return _WIDTHS.get(char, _CAPITAL if char.isupper() or char in "+\u2212" else _USUAL)


def fitted(texts: Iterable[str], size: float, width: float, weight: int = 400, *, is_book: bool = False) -> float:
    """Return the font size at which each of some texts fits on a line of a width: `size`, or less if necessary."""
    longest = max((width_of(text, weight, is_book=is_book) for text in texts), default=0)
    return round(min(size, width / (longest or 1)), 1)


def widest(texts: Iterable[str], size: float) -> float:
    """Return the width of a column of amounts in the bold serif font."""
    return max((width_of(text, 700, is_book=True) * size for text in texts), default=0)


def wrapped(
    texts: Sequence[str],
    sizes: Sequence[float],
    width: float,
    weight: int = 400,
    *,
    most: int = 2,
    is_book: bool = False,
) -> list[TextLines]:
    """Break texts into lines of a width, all in the same font size.

    That is the first of `sizes` at which none has more than `most` lines or a word that is broken, else the last one.
    """
    for size in sizes:
        room = width / size / (_BOLD if weight > 400 else 1) / (_BOOK if is_book else 1)
        broken = [_broken(text, room) for text in texts]
        if all(len(lines) <= most and not was_hard for lines, was_hard in broken):
            break
    return [TextLines(lines, size) for lines, _ in broken]


def _broken(text: str, room: float) -> tuple[list[str], bool]:
    """Break a text at spaces and hyphens, too long parts at no-break spaces, and longer words anywhere.

    Returns the lines, and whether a word was broken.
    """
    lines, was_hard = [""], False
    for part in _PARTS.findall(text):
        fits = width_of(part.rstrip(" ")) <= room
        for word in [part] if fits else re.split(r"(?<=\u00a0)", part):
            is_short = width_of(word.strip()) <= room
            was_hard |= not is_short
            for piece in [word] if is_short else word:
                if lines[-1] and width_of(lines[-1] + piece.strip()) > room:
                    lines.append("")
                lines[-1] += piece
    return [line.strip() for line in lines], was_hard


def laid_out(cards: Sequence[Piece], width: float) -> tuple[float, list[PlacedPiece]]:
    """Lay out a hand in a row of a given width; returns a card's width and the cards, which overlap if necessary."""
    if not cards:
        return 0, []
    shape = 1.85 if face(cards[0]).kind == "tile" else 1
    wide = min(_WIDEST_CARD, (width - _BESIDE * 4) / 5) * shape
    step = min(wide + _BESIDE, (width - wide) / max(len(cards) - 1, 1))
    return round(wide, 1), [PlacedPiece(piece, round(at * step, 1)) for at, piece in enumerate(cards)]
