"""Domino tiles and the 20-tile set: double six without blanks and without [1-1]. No game's rules."""

from __future__ import annotations

from dataclasses import dataclass

from ..messages import Message
from .sets import Piece, PieceSet, spelling_table


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Tile(Piece):
    """A tile and its two ends; `low` is never above `high`."""

    low: int
    high: int

    @property
    def is_double(self) -> bool:
        return self.low == self.high

    def has(self, number: int) -> bool:
        """Return whether either end shows the number."""
        return number in (self.low, self.high)

    def other(self, number: int) -> int:
        """Return the end opposite `number`; on a double it is the number itself."""
        return self.low + self.high - number


def _spellings(tile: Tile) -> list[str]:
    ends = [(tile.low, tile.high), (tile.high, tile.low)]
    return [form.format(*pair) for pair in ends for form in ("{}-{}", "{}{}", "[{}-{}]", "{}:{}")]


TILES = tuple(
    Tile(f"{low}-{high}", Message("tile with {low} and {high}", low=low, high=high), low, high)
    for low in range(1, 7)
    for high in range(low, 7)
    if high > 1
)

DOMINOES = PieceSet[Tile](
    groups=(TILES,),
    spellings=spelling_table((tile, _spellings(tile)) for tile in TILES),
    noun=("tile", "tiles"),
    columns=5,
    copies={},
    notation=r"\[[0-6]-[0-6]\]|[0-6][-:]?[0-6]",
)
