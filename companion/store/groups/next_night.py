"""A group's next night: when and where it is to be, and who comes. Opening a night at that time takes it over."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import delete, select

from companion.engine.messages import Message

from ..db.database import execute, retry_transaction, transaction
from ..log.sent_forms import is_new
from ..models import Coming, Group, NextNight, db, new_public_id, now
from ..refusals import Refused, Sent
from .deleting import must_stand
from .turns import must_be_written_here

MAX_PLACE_LENGTH = 100
CLOCK = re.compile(r"([01][0-9]|2[0-3]):[0-5][0-9]", re.ASCII)
_EARLY = timedelta(hours=12)  # a night that is opened not earlier than this before the time is the planned one
_MAX_AHEAD = timedelta(days=3 * 366)


@dataclass(frozen=True, slots=True)
class Planned:
    """When a night is to be, with how many seconds that clock is ahead of UTC; where; and its last round ("01:00")."""

    at: datetime
    utc_offset: int
    place: str = ""
    last_round: str | None = None


def next_night(group: Group) -> NextNight | None:
    """Return the night that a group plans, or None."""
    return db.session.scalar(select(NextNight).where(NextNight.group_id == group.id))


def answers(group: Group) -> dict[int, bool]:
    """Return who comes and who can't, by player id; others haven't said."""
    query = select(Coming.player_id, Coming.comes).where(Coming.group_id == group.id)
    comes: dict[int, bool] = dict(execute(query).all())
    return comes


def who_comes(group: Group, planned: NextNight | None, moment: datetime) -> list[int]:
    """Return who comes to the planned night, if one opened at a moment would be that one; else nobody."""
    if planned is None or not is_due(planned, moment):
        return []
    return [player for player, comes in answers(group).items() if comes]


def is_due(planned: NextNight, moment: datetime) -> bool:
    """Return whether a night opened at a moment is the planned one."""
    return moment >= planned.at - _EARLY


@retry_transaction
def plan_night(group: Group, planned: Planned, sent: Sent) -> None:
    """Plan the next night, or change when and where it is; who comes stays. Raises Refused for a time that can't be."""
    with transaction():
        must_stand(group)
        if not is_new(group.id, sent.key, ["next", planned.at.isoformat(), planned.place, planned.last_round]):
            return
        must_be_written_here(group)
        if not now() - _EARLY < planned.at < now() + _MAX_AHEAD:
            raise Refused(Message("Choose a day from today on, in the next three years"))
        if planned.last_round is not None and not CLOCK.fullmatch(planned.last_round):
            raise Refused(Message("The last round is at a time like 01:00"))
        night = next_night(group)
        if night is None:
            night = NextNight(group_id=group.id, public_id=new_public_id(), revision=-1)
            db.session.add(night)
        night.at, night.utc_offset = planned.at, planned.utc_offset
        night.place, night.last_round = planned.place[:MAX_PLACE_LENGTH], planned.last_round
        night.revision += 1


@retry_transaction
def answer(group: Group, player_id: int, comes: bool, sent: Sent) -> None:
    """Note whether a player comes. Raises Refused if no night is planned, or the player isn't of the group."""
    with transaction():
        must_stand(group)
        if not is_new(group.id, sent.key, ["comes", player_id, comes]):
            return
        must_be_written_here(group)
        if next_night(group) is None:
            raise Refused(Message("No night is planned any more"))
        if player_id not in [player.id for player in group.players if not player.retired]:
            raise Refused(Message("Only players of this group can sit at its table"))
        execute(delete(Coming).where(Coming.group_id == group.id, Coming.player_id == player_id))
        db.session.add(Coming(group_id=group.id, player_id=player_id, comes=comes))


@retry_transaction
def cancel(group: Group, sent: Sent) -> None:
    """Call the planned night off."""
    with transaction():
        must_stand(group)
        if is_new(group.id, sent.key, ["called off"]):
            must_be_written_here(group)
            forget(group)


def forget(group: Group) -> None:
    """Within a transaction, delete the planned night and who comes."""
    for table in (Coming, NextNight):
        execute(delete(table).where(table.group_id == group.id))
    db.session.expire_all()
