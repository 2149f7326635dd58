"""The ranking of hands that a table plays by, as shown on a page. The games build it."""

from __future__ import annotations

from dataclasses import dataclass

from .messages import Message
from .pieces import Piece


@dataclass(frozen=True, slots=True)
class Rung:
    """A kind of hand, with an example from the table's deck; `notes` are its house rules about that kind."""

    name: Message
    example: tuple[Piece, ...] = ()
    notes: tuple[Message, ...] = ()


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
