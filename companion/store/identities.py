"""A player's four identities, and how one is turned into another.

| identity | is | used in |
|---|---|---|
| id | the number of the player's row | tables of the database, what changes the seats |
| account key | the id as text | stored documents, the ledger, the cells of a draft, forms and addresses |
| name | unique in a group; may be changed | documents that people type and read |
| seat number | as text, "0" is the first of those who play the round | fields and radio groups of a round's form |
"""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import bindparam, select

from .models import Player, PlaySession, Seat, db

_KEYS_BY_NAME = select(Player.name, Seat.player_id).join(Seat.player).where(Seat.session_id == bindparam("session"))


def key_of(seat: Seat) -> str:
    """Give the account key of the player who has a seat in a session."""
    return str(seat.player_id)


def keys_of(session: PlaySession, *states: str) -> list[str]:
    """List the players' account keys in seat order, or only of those whose seat is in one of the states."""
    return [key_of(seat) for seat in session.seats if not states or seat.state in states]


def names_of(session: PlaySession) -> dict[str, str]:
    """Give the players' names by their account key."""
    return {key_of(seat): seat.player.name for seat in session.seats}


def keys_by_name(session: PlaySession) -> dict[str, str]:
    """Give the players' account keys by their names, which is all that saving a round asks of the seats."""
    rows = db.session.connection().execute(_KEYS_BY_NAME, {"session": session.id})
    return {name: str(player) for name, player in rows}


def seat_number_of(player: str, players: Sequence[str]) -> str:
    """Give the seat number of one of the round's players, all of them by their keys, or all by their names."""
    return str(players.index(player))


def player_in_seat(number: str | None, players: Sequence[str]) -> str | None:
    """Give the player of a seat number; what is no seat's is given back as it is, such as "nobody"."""
    return {str(seat): player for seat, player in enumerate(players)}.get(number or "", number)
