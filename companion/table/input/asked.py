"""The action that a button at the table asks for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from companion.engine.messages import Message

from ..cells import ORDER
from ..hand import HandInPlay


@dataclass(frozen=True)
class Asked:
    """The action that a button asks for: `do`, the player it is for, and its details.

    `what` says what is counted. `amount` is that of a bet in units, on top of the call; a message if none could be
    read. `mark` is that of the state the phone showed; if the hand has moved on since, the action is refused. `keeps`:
    the phone keeps score, so it may act for anybody. `is_own`: its page is that of the own hand.
    """

    do: str
    player: str = ""
    what: str = ""
    amount: int | Message = 0
    mark: str = ""
    keeps: bool = False
    is_own: bool = False


def begun_with(hand: HandInPlay) -> dict[str, Any]:
    """Return the table's cell that says who played when the hand began."""
    return {ORDER: ".".join(hand.players)}
