"""The kinds of hands as a table ranks them under its house rules. A game makes the list; pages draw it."""

from __future__ import annotations

from dataclasses import dataclass

from .messages import Message
from .pieces import Piece


@dataclass(frozen=True, slots=True)
class Rung:
    """A kind of hand with an example from the table's own cards; `notes` are what its house rules say of that kind."""

    name: Message
    example: tuple[Piece, ...] = ()
    notes: tuple[Message, ...] = ()


@dataclass(frozen=True, slots=True)
class Ladder:
    """What hands are worth at a table.

    `rungs` go from high to low. In a game of points `counted` is an example of a hand, else None. `equal_hands` say
    what decides between hands of the same kind and ranks, first things first; their examples are cards in that order.
    """

    rungs: tuple[Rung, ...] = ()
    counted: tuple[Piece, ...] | None = None
    equal_hands: tuple[Rung, ...] = ()
    notes: tuple[Message, ...] = ()
