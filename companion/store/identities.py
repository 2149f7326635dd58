"""How a player is identified, and what is known of a night's players by key.

- The id is the number of the player's row. Database tables and changes of seats use it.
- The key is the id as text, a `PlayerKey`. Everything else uses it: documents, the ledger, the draft, forms and URLs.
- The name is unique in a group and may change. It is put in where a person reads it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import bindparam, event, select
from sqlalchemy.orm import InstanceState

from companion.engine.players import PlayerKey

from .db.database import execute
from .models import Group, Night, Player, Seat
from .night_key import ANY_NIGHT, of_night, values_of_night

_SEATED = (
    select(Seat.player_id, Player.name, Seat.state, Seat.phone)
    .join(Seat.player)
    .where(*of_night(Seat, ANY_NIGHT))
    .order_by(Seat.position)
)
_IN_GROUP = select(Player.id, Player.name).where(Player.group_id == bindparam("group")).order_by(Player.id)
_READ = "companion.read"  # an attribute of a night or a group


def _seated(night: Night) -> Sequence[Any]:
    """Return (player id, name, state, phone) of each seat in order, read once until the night is read again.

    Every page asks for it several times, and the ORM takes eight times as long as the statement.
    """
    if _READ not in night.__dict__:
        night.__dict__[_READ] = execute(_SEATED, values_of_night(night)).all()
    rows: Sequence[Any] = night.__dict__[_READ]
    return rows


@event.listens_for(Night, "expire", raw=True)
@event.listens_for(Group, "expire", raw=True)
def _forget(state: InstanceState[Any], _attributes: object) -> None:
    state.dict.pop(_READ, None)  # the dictionary of an object that is gone is empty


def key_of(seat: Seat) -> PlayerKey:
    """Return the key of the player in a night's seat."""
    return PlayerKey(seat.player_id)


def keys_of(night: Night, *states: str) -> list[PlayerKey]:
    """List the players' keys in seat order, optionally only those whose seat is in one of these states."""
    return [PlayerKey(player) for player, _name, state, _phone in _seated(night) if not states or state in states]


def names_of(night: Night) -> dict[str, str]:
    """Return the players' names by key."""
    return {PlayerKey(player): name for player, name, _state, _phone in _seated(night)}


def without_phones(night: Night) -> list[PlayerKey]:
    """Return the keys of those in the round who have no phone of their own, in order of seats."""
    return [PlayerKey(player) for player, _name, state, taken in _seated(night) if state == "in" and taken is None]


def key_of_phone(night: Night, phone: str) -> PlayerKey | None:
    """Return the key of the player whose seat a phone has taken, or None."""
    return next((PlayerKey(player) for player, _name, _state, taken in _seated(night) if taken == phone), None)


def names_in(group: Group) -> dict[str, str]:
    """Return the names of a group's players by key; their order, which never changes, gives their colours.

    Unless the players are loaded, their names are read once by a statement, as those of a night are.
    """
    if "players" in group.__dict__:
        return {PlayerKey(player.id): player.name for player in group.players}
    if _READ not in group.__dict__:
        group.__dict__[_READ] = execute(_IN_GROUP, {"group": group.id}).all()
    return {PlayerKey(player): name for player, name in group.__dict__[_READ]}
