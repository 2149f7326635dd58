"""The layout of the picture of a night that players share: positions, colours and text sizes for `night_end.svg`.

The picture is used outside the app, so it can't use the pages' style sheets. SVG doesn't wrap text either. Lengths are
in pixels of the WIDTH x HEIGHT picture.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from companion.engine.pieces import Piece

from .charts import shortened as shortened  # used by the template
from .pieces import face

WIDTH, HEIGHT = 1080, 1350
# a player's chip and the letter on it, the same colours as in `styles/components/player.css`
CHIPS = (
    ("#a81f37", "#fff"),
    ("#1f55b5", "#fff"),
    ("#eeb32b", "#241703"),
    ("#0b7a70", "#fff"),
    ("#9a72da", "#14081f"),
    ("#f08a4b", "#241703"),
    ("#86cbee", "#10222c"),
    ("#5b3a1e", "#fff"),
    ("#f3b3c6", "#3a0f1d"),
    ("#3a3f4a", "#fff"),
)
# the same colours as in `styles/components/card.css`
INKS = {
    "spades": "#17191c",
    "hearts": "#bf1d22",
    "cups": "#bf1d22",
    "diamonds": "#0d56bd",
    "swords": "#0d56bd",
    "clubs": "#1c7430",
    "batons": "#1c7430",
    "joker": "#6d3aa3",
    "coins": "#775000",
}
MOST_ROWS = 4  # rows of payments; the turning point gets a row if there are fewer
_CHARACTER, _WIDE_CHARACTER = 0.56, 0.7  # a character's width by its height, in most fonts and in a bold serif font
_WIDEST_CARD, _BESIDE = 84, 8


@dataclass(frozen=True)
class Step:
    """A step of the podium: the centre and the radius of the player's chip on it."""

    x: int
    y: int
    radius: int


_STEPS = (Step(540, 490, 88), Step(260, 530, 60), Step(820, 530, 60))


def step(at: int, place: int) -> Step:
    """Return the podium's step for the player `at` a position from 0; equal places are equally high."""
    return replace(_STEPS[place - 1], x=_STEPS[at].x)


@dataclass(frozen=True)
class PlacedPiece:
    """A card or tile of the best hand, and its distance from the hand's left edge."""

    piece: Piece
    x: float


def fitted(text: str, size: float, width: float, *, is_wide: bool = False) -> float:
    """Return the font size at which a text fits into a width: `size`, or less if necessary."""
    character = _WIDE_CHARACTER if is_wide else _CHARACTER
    return round(min(size, width / (character * max(len(text), 1))), 1)


def laid_out(cards: Sequence[Piece], width: float) -> tuple[float, list[PlacedPiece]]:
    """Lay out a hand in a row of a given width; returns a card's width and the cards, which overlap if necessary."""
    if not cards:
        return 0, []
    shape = 1.85 if face(cards[0]).kind == "tile" else 1
    wide = min(_WIDEST_CARD, (width - _BESIDE * 4) / 5) * shape
    step = min(wide + _BESIDE, (width - wide) / max(len(cards) - 1, 1))
    return round(wide, 1), [PlacedPiece(piece, round(at * step, 1)) for at, piece in enumerate(cards)]
