"""The four ways to identify a player, and conversions between them.

- The id is the number of the player's row. Database tables and changes of seats use it.
- The account key is the id as text. Stored documents, the ledger, the cells of a draft, forms and URLs use it.
- The name is unique in a group and may change. Documents that people type and read use it.
- The seat number is text too; "0" is the round's first player. The fields of a round's form use it.
"""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import event, select
from sqlalchemy.orm import InstanceState

from .models import Group, Player, PlaySession, Seat
from .night_key import ANY_NIGHT, of_night, values_of_night
from .prepared import Prepared, Rows

_SEATED = Prepared(
    select(Seat.player_id, Player.name, Seat.state, Seat.phone)
    .join(Seat.player)
    .where(*of_night(Seat, ANY_NIGHT))
    .order_by(Seat.position)
)
_READ = "companion.seated"  # an attribute of a session


def _seated(session: PlaySession) -> Rows:
    """Return (player id, name, state, phone) of each seat in order, read once until the session is read again.

    Every page asks for it several times, and the ORM takes eight times as long as the statement.
    """
    if _READ not in session.__dict__:
        session.__dict__[_READ] = _SEATED.rows(values_of_night(session))
    rows: Rows = session.__dict__[_READ]
    return rows


@event.listens_for(PlaySession, "expire", raw=True)
def _forget(session: InstanceState[PlaySession], _attributes: object) -> None:
    session.dict.pop(_READ, None)  # the dictionary of an object that is gone is empty


def key_of(seat: Seat) -> str:
    """Return the account key of the player in a session's seat."""
    return str(seat.player_id)


def keys_of(session: PlaySession, *states: str) -> list[str]:
    """List the players' account keys in seat order, optionally only those whose seat is in one of these states."""
    return [str(player) for player, _name, state, _phone in _seated(session) if not states or state in states]


def names_of(session: PlaySession) -> dict[str, str]:
    """Return the players' names by account key."""
    return {str(player): name for player, name, _state, _phone in _seated(session)}


def key_of_phone(session: PlaySession, phone: str) -> str | None:
    """Return the account key of the player whose seat a phone has taken, or None."""
    return next((str(player) for player, _name, _state, taken in _seated(session) if taken == phone), None)


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
