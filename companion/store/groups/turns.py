"""Where a group is being written: here, or elsewhere since it was handed over.

`turn` counts how often that changed. The group's file has it too, so a place that takes in a file with a higher turn
than its own knows who writes now: whoever takes in the file that was handed over, else the place that wrote the file.
What isn't in the file (links, tokens) can be changed everywhere.
"""

from __future__ import annotations

from typing import Literal

from sqlalchemy import select, update

from companion.engine.messages import Message

from ..db.database import execute, retry_transaction, transaction
from ..log.sent_forms import is_new
from ..models import Group, Night, SettleUp, db, now
from ..refusals import Elsewhere, Sent
from .deleting import must_stand

MAX_TURN = 10**9
Place = Literal["here", "elsewhere"]
ELSEWHERE = Message(
    "This group was handed over: score is kept elsewhere now, so nothing was changed here. The scorekeeper can take it "
    "back on the group's page"
)


def must_be_written_here(group: Group) -> None:
    """Raise Elsewhere if the group was handed over; the caller has locked it, or one of its nights."""
    if group.handed_over_at is not None:
        raise Elsewhere(ELSEWHERE)


def lock_all_of(group: Group) -> None:
    """Within a transaction, keep others from changing any of a group's nights and plans, or the group itself."""
    must_stand(group)
    for table in (Night, SettleUp):
        execute(select(table.id).where(table.group_id == group.id).order_by(table.id).with_for_update())


@retry_transaction
def hand_over(group: Group, sent: Sent) -> None:
    """Let the group be written elsewhere: by whoever takes in its file from now on."""
    with transaction():
        lock_all_of(group)
        if is_new(group.id, sent.key, ["hand over"]) and group.handed_over_at is None:
            _change(group, group.turn + 1, "elsewhere")


@retry_transaction
def write_here(group: Group, sent: Sent) -> None:
    """Let a group that was handed over be written here all the same, without the file of the other place."""
    with transaction():
        lock_all_of(group)
        if is_new(group.id, sent.key, ["write here"]) and group.handed_over_at is not None:
            _change(group, group.turn + 1, "here")


def take_turn(group: Group, turn: int, *, is_handed_over: bool) -> Place | None:
    """Within a transaction that locked all of a group, note what a file says; returns where it is written from now on.

    Returns None if the file has no higher turn, which changes nothing.
    """
    if turn <= group.turn:
        return None
    place: Place = "here" if is_handed_over else "elsewhere"
    _change(group, turn, place)
    return place


def _change(group: Group, turn: int, place: Place) -> None:
    group.turn = min(turn, MAX_TURN)
    group.handed_over_at = None if place == "here" else group.handed_over_at or now()
    db.session.flush()
    # phones read their pages again, and a form that waits for its night's lock sees that it has changed
    execute(update(Night).where(Night.group_id == group.id).values(version=Night.version + 1))
    db.session.expire_all()
