"""Where things stand on the picture of a night that is shared: measures and sizes of text, which the template draws.

A picture of its own has no style sheet of the page: colours are written into it, and no text breaks by itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from companion.engine.pieces import Piece

from .pieces import face

WIDTH, HEIGHT = 1080, 1350
# as in `styles/components/player.css`: the chip and what is written on it
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
# as in `styles/components/card.css`
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
MOST_ROWS = 4  # payments, and the turning point where there is room
_CHARACTER, _WIDE_CHARACTER = 0.56, 0.7  # the width of one, of its height: of most faces, and of a bold book face
_WIDEST_CARD, _BESIDE = 84, 8


@dataclass(frozen=True)
class Step:
    """A step of the podium: where it stands, how high, and the size of its chip."""

    x: int
    y: int
    radius: int


STEPS = (Step(540, 490, 88), Step(260, 530, 60), Step(820, 530, 60))


@dataclass(frozen=True)
class Laid:
    """A card or tile of the best hand, and how far from the left it lies."""

    piece: Piece
    x: float


def fitted(text: str, size: float, width: float, *, is_wide: bool = False) -> float:
    """Give the size of text that is to be no wider than so much: the usual one, or less."""
    character = _WIDE_CHARACTER if is_wide else _CHARACTER
    return round(min(size, width / (character * max(len(text), 1))), 1)


def cut(text: str, longest: int) -> str:
    """Shorten a text that no size would make readable."""
    return text if len(text) <= longest else text[: longest - 1].rstrip() + "…"


def laid_out(cards: Sequence[Piece], width: float) -> tuple[float, list[Laid]]:
    """Lay a hand in a row: the width of a card, and the cards; many lie partly on each other."""
    if not cards:
        return 0, []
    shape = 1.85 if face(cards[0]).kind == "tile" else 1
    wide = min(_WIDEST_CARD, (width - _BESIDE * 4) / 5) * shape
    step = min(wide + _BESIDE, (width - wide) / max(len(cards) - 1, 1))
    return round(wide, 1), [Laid(piece, round(at * step, 1)) for at, piece in enumerate(cards)]
