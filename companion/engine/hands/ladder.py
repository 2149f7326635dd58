"""The ranking of hands that a table plays by, as shown on a page. The games build it."""

from __future__ import annotations

from dataclasses import dataclass

from ..messages import Message
from ..pieces.sets import Piece

# how many cards make a hand of these kinds
_MADE_OF = {"four-of-a-kind": 4, "three-of-a-kind": 3, "two-pairs": 4, "pair": 2, "high-card": 1}


@dataclass(frozen=True, slots=True)
class Rung:
    """A kind of hand, with an example from the table's deck; `notes` are its house rules about that kind.

    The last `kickers` cards of the example don't make the hand: at most they break ties.
    """

    name: Message
    example: tuple[Piece, ...] = ()
    notes: tuple[Message, ...] = ()
    kickers: int = 0

    @classmethod
    def of(cls, category: str, name: Message, example: tuple[Piece, ...], notes: tuple[Message, ...] = ()) -> Rung:
        """Make the rung of a category, by its key; the cards that make the hand come first in the example."""
        return cls(name, example, notes, len(example) - _MADE_OF.get(category, len(example)))


@dataclass(frozen=True, slots=True)
class Ladder:
    """The ranking of hands at a table.

    `rungs` go from high to low. `points_example` is a hand to count, None in games without points. `tie_breakers` apply
    in order to hands of the same kind and ranks; their examples are the cards that decide, best first.
    """

    rungs: tuple[Rung, ...] = ()
    points_example: tuple[Piece, ...] | None = None
    tie_breakers: tuple[Rung, ...] = ()
    notes: tuple[Message, ...] = ()
