"""Seats that changed during a hand: who left or sits elsewhere, and what the table can do about it."""

from __future__ import annotations

from collections.abc import Iterable

from companion.engine.messages import Message

from .cells import BETS, BETS_ORDER, ORDER, TABLE
from .next_round import Before, NextRound

_SEATS_CHANGED = Message("The seats were changed during this hand")


def moved_since(round: NextRound[Before]) -> Message | None:
    """Say how the seats have changed since the hand in play began; None if they haven't."""
    before = _order_before(round)
    if not before or before == ".".join(round.players):
        return None
    began, players = before.split("."), round.players
    gone = [player for player in round.before.seated if player in began and player not in players]
    if gone:
        return Message("{players} left the table during this hand", players=tuple(sorted(gone, key=began.index)))
    return _SEATS_CHANGED


def bets_under_other_seats(round: NextRound[Before], players: Iterable[str]) -> Message | None:
    """Say that bets were made by players who sat otherwise than these; None if they weren't.

    Whose they are follows from the seats.
    """
    before = _order_before(round)
    if not before or before == ".".join(players):
        return None
    return with_advice(moved_since(round) or _SEATS_CHANGED)


def _order_before(round: NextRound[Before]) -> str:
    """Return the players in seat order when the hand began, separated by dots; "" if that makes no difference."""
    has_bets = round.entered(TABLE, BETS) and round.has_bets
    return str(round.entered(TABLE, ORDER) or (round.entered(TABLE, BETS_ORDER) if has_bets else "") or "")


def with_advice(moved: Message) -> Message:
    """Add what the table can do about a change of seats."""
    if "players" in moved.values:
        return Message("{what}. Let them back in under People, or start the hand over.", what=moved)
    return Message("{what}. Put them back under People, or start the hand over.", what=moved)
