"""Writes the group of a file to the database in many short transactions, so that others can save in between.

Until the last one, nobody can open the group: it has no link and isn't marked complete. If the import fails, what it
wrote is deleted right away; if it is killed, before the next import.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any

from sqlalchemy import Executable, select
from sqlalchemy.exc import DBAPIError, IntegrityError

from companion.engine.messages import Message

from ..db.database import execute, retry_transaction, transaction
from ..db.faults import broken_constraint
from ..db.locks import held
from ..groups.deleting import erase
from ..groups.links import add_links, free_join_code, hashed
from ..models import Group, Link, Night, Paid, SettleUp, db
from ..refusals import Conflict, Refused
from .copying import copied
from .exporting import export_group, without_turn
from .format.kinds import Row
from .format.misfits import InvalidFile
from .group_file import FileLimits, GroupFile, canonical_json, in_batches, read
from .writing import Writer

_LOCK = "import"
_BATCH = 300  # rows per transaction, which takes about 5 ms
_REST = 0.005  # seconds between two transactions, so that others can write
_TURN = 0.0005  # seconds
_TAKEN = Message("A night, plan or link in this file already belongs to another group here; export the group again")
Differs = Callable[[Group, GroupFile], None]  # what is done with a file of a group that is other here
_UNIQUE = (Night.public_id, Night.submission_key, SettleUp.public_id, SettleUp.submission_key)
_OF_OTHERS = ("uq_night_", "uq_settle_up_", "uq_paid_", "uq_link_secret_hash")  # begin the keys that all groups share


def import_group(
    content: bytes,
    secret: str,
    limits: FileLimits | None = None,
    *,
    differs: Differs | None = None,
    is_copy: bool = False,
) -> tuple[Group, bool]:
    """Import a group from a file. Returns the group, and whether it was new; `secret` then becomes its link's secret.

    If the same group with the same content exists already, nothing is changed, and the secret opens nothing. With
    different content it is up to `differs`, or it is refused. As a copy it is a group of its own. Raises Refused if the
    file is invalid or exceeds `limits`, and Conflict if the group is refused, or another import is running.
    """
    with held(_LOCK) as is_mine:
        if not is_mine:
            raise Conflict(Message("Another group is being imported. Wait a minute, then try again"))
        with _short_turns():
            file = read(content, limits)
            return _import(copied(file) if is_copy else file, secret, differs or _refused)


@contextmanager
def _short_turns() -> Iterator[None]:
    """Let other threads compute after a tenth of the usual time: a save takes many turns, an import all it gets."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(_TURN)
    try:
        yield
    finally:
        sys.setswitchinterval(before)


def _refused(group: Group, file: GroupFile) -> None:
    text = (
        "The group {name} already exists here with different content. Nothing was changed. To see the file's "
        "version, import it as a copy; to keep this one, export it from here"
    )
    raise Conflict(Message(text, name=group.name))


def _import(file: GroupFile, secret: str, differs: Differs) -> tuple[Group, bool]:
    _erase_unfinished()
    public_id = file.group["id"]
    group: Group | None = db.session.scalar(select(Group).where(Group.public_id == public_id))
    if group is not None:
        known = canonical_json(without_turn(file.document))
        stored = (export_group(public_id, has_handles=has, has_turn=False) for has in (False, True))
        if (file.group["turn"] or 0) > group.turn or known not in stored:
            differs(group, file)
        return group, False
    _must_be_free(file.group, secret)
    try:
        return _put(file, secret), True
    except BaseException as error:
        with suppress(DBAPIError):
            _erase_unfinished()
        if isinstance(error, IntegrityError):
            raise refusal_of(error) from error
        raise


def refusal_of(error: IntegrityError) -> Refused:
    """Return how a constraint that a file breaks is told."""
    constraint = broken_constraint(error)
    if constraint.startswith(_OF_OTHERS):  # somebody was quicker than this import
        return Conflict(_TAKEN)
    return InvalidFile(Message("the database refuses it ({constraint})", constraint=constraint))


def _put(file: GroupFile, secret: str) -> Group:
    return _open_group(Writer(file, _in_steps).put(), secret)


def _must_be_free(group: Row, secret: str) -> None:
    """Refuse a file if part of it is already here in another group."""
    nights, plans = group["nights"], group["plans"]
    paid = [tick["key"] for plan in plans for payment in plan["payments"] for tick in payment["paid"]]
    wanted = [[row[key] for row in rows] for rows in (nights, plans) for key in ("id", "key")]
    columns = [*_UNIQUE, Paid.submission_key, Link.secret_hash]
    for column, values in zip(columns, [*wanted, paid, [hashed(secret)]], strict=True):
        for some in in_batches(values):
            if db.session.scalar(select(column).where(column.in_(some)).limit(1)) is not None:
                raise Conflict(_TAKEN)


@retry_transaction
def _erase_unfinished() -> None:
    """Delete what a killed import left behind; the caller holds the lock, so no import is running."""
    query = select(Group).where(Group.is_complete.is_(False), Group.deleted_at.is_(None))
    if db.session.scalar(query) is not None:
        with transaction():
            for group in db.session.scalars(query).all():
                erase(group)


def _in_steps(statement: Executable, rows: Iterable[Row]) -> list[Any]:
    """Execute a statement for many rows, in short transactions; returns what the statement returns."""
    returned: list[Any] = []
    for some in in_batches(rows, _BATCH):
        returned += _step(statement, some)
        time.sleep(_REST)
    return returned


@retry_transaction
def _step(statement: Executable, rows: list[Row]) -> Sequence[Any]:
    with transaction():
        done = execute(statement, rows)
        return done.all() if done.returns_rows else ()


@retry_transaction
def _open_group(group_id: int, secret: str) -> Group:
    """Mark a fully written group as complete, so that it can be opened, and give its open nights join codes."""
    with transaction():
        group = db.session.get_one(Group, group_id)
        add_links(group, secret)
        for night in db.session.scalars(select(Night).where(Night.group_id == group_id, Night.closed_at.is_(None))):
            night.join_code = free_join_code()
        group.is_complete = True
    return group
