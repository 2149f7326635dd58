"""The four ways to identify a player, and conversions between them.

- The id is the number of the player's row. Database tables and changes of seats use it.
- The account key is the id as text. Stored documents, the ledger, the cells of a draft, forms and URLs use it.
- The name is unique in a group and may change. Documents that people type and read use it.
- The seat number is text too; "0" is the round's first player. The fields of a round's form use it.
"""

from __future__ import annotations

from collections.abc import Sequence

from .models import Group, PlaySession, Seat


def key_of(seat: Seat) -> str:
    """Return the account key of the player in a session's seat."""
    return str(seat.player_id)


def keys_of(session: PlaySession, *states: str) -> list[str]:
    """List the players' account keys in seat order, optionally only those whose seat is in one of these states."""
    return [key_of(seat) for seat in session.seats if not states or seat.state in states]


def names_of(session: PlaySession) -> dict[str, str]:
    """Return the players' names by account key."""
    return {key_of(seat): seat.player.name for seat in session.seats}


def names_in(group: Group) -> dict[str, str]:
    """Return the names of a group's players by account key; their order, which never changes, gives their colours."""
    return {str(player.id): player.name for player in group.players}


def keys_by_name(session: PlaySession) -> dict[str, str]:
    """Return the players' account keys by name."""
    return {name: player for player, name in names_of(session).items()}


def seat_number_of(player: str, players: Sequence[str]) -> str:
    """Return a player's seat number; `player` and `players` are either all keys or all names."""
    return str(players.index(player))


def player_in_seat(number: str | None, players: Sequence[str]) -> str | None:
    """Return the player in a seat; anything that isn't a seat number, such as "nobody", is returned unchanged."""
    return {str(seat): player for seat, player in enumerate(players)}.get(number or "", number)
