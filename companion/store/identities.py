"""How a player is identified, and what is known of a session's players by key.

- The id is the number of the player's row. Database tables and changes of seats use it.
- The key is the id as text, a `PlayerKey`. Everything else uses it: documents, the ledger, the draft, forms and URLs.
- The name is unique in a group and may change. It is put in where a person reads it.
"""

from __future__ import annotations

from sqlalchemy import event, select
from sqlalchemy.orm import InstanceState

from companion.engine.players import PlayerKey

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


def key_of(seat: Seat) -> PlayerKey:
    """Return the key of the player in a session's seat."""
    return PlayerKey(seat.player_id)


def keys_of(session: PlaySession, *states: str) -> list[PlayerKey]:
    """List the players' keys in seat order, optionally only those whose seat is in one of these states."""
    return [PlayerKey(player) for player, _name, state, _phone in _seated(session) if not states or state in states]


def names_of(session: PlaySession) -> dict[str, str]:
    """Return the players' names by key."""
    return {PlayerKey(player): name for player, name, _state, _phone in _seated(session)}


def key_of_phone(session: PlaySession, phone: str) -> PlayerKey | None:
    """Return the key of the player whose seat a phone has taken, or None."""
    return next((PlayerKey(player) for player, _name, _state, taken in _seated(session) if taken == phone), None)


def names_in(group: Group) -> dict[str, str]:
    """Return the names of a group's players by key; their order, which never changes, gives their colours."""
    return {PlayerKey(player.id): player.name for player in group.players}
