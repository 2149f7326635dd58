"""Writes the group of a file to the database in many short transactions, so that others can save in between.

Until the last one, nobody can open the group: it has no link and isn't marked complete. If the import fails, what it
wrote is deleted right away; if it is killed, before the next import.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import Executable, bindparam, insert, select, update
from sqlalchemy.exc import DBAPIError, IntegrityError

from companion.engine.messages import Message

from ..db.database import execute, retry_transaction, transaction
from ..db.faults import broken_constraint
from ..db.locks import held
from ..groups.deleting import erase
from ..groups.links import add_links, free_join_code, hashed
from ..history.tallies import Played, Sums, counted_as
from ..log.ledger import MAKE_CURRENT
from ..log.typed import digest_of, texts_in
from ..models import Duel, Group, Link, Night, Paid, Result, SettleUp, Tally, TypedText, db
from ..refusals import Conflict
from .exporting import export_group
from .group_file import FileLimits, GroupFile, canonical_json, in_batches, read
from .kinds import Ids, Row, Scope
from .misfits import InvalidFile
from .table import Table
from .tables import GROUP, clock_of_night

_LOCK = "import"
_BATCH = 300  # rows per transaction, which takes about 5 ms
_REST = 0.005  # seconds between two transactions, so that others can write
_TURN = 0.0005  # seconds
_REPLACE = (
    update(SettleUp)
    .where(SettleUp.group_id == bindparam("group"), SettleUp.id == bindparam("plan"))
    .values(replaced_by_id=bindparam("later"))
)
_TAKEN = Message("A night, plan or link in this file already belongs to another group here; export the group again")
_UNIQUE = (Night.public_id, Night.submission_key, SettleUp.public_id, SettleUp.submission_key)
_OF_OTHERS = ("uq_night_", "uq_settle_up_", "uq_paid_", "uq_link_secret_hash")  # begin the keys that all groups share


def import_group(content: bytes, secret: str, limits: FileLimits | None = None) -> tuple[Group, bool]:
    """Import a group from a file. Returns the group, and whether it was new; `secret` then becomes its link's secret.

    If the same group with the same content exists already, nothing is changed, and the secret opens nothing. Raises
    Refused if the file is invalid or exceeds `limits`, and Conflict if the group exists with different content, or
    another import is running.
    """
    with held(_LOCK) as is_mine:
        if not is_mine:
            raise Conflict(Message("Another group is being imported. Wait a minute, then try again"))
        with _short_turns():
            return _import(read(content, limits), secret)


@contextmanager
def _short_turns() -> Iterator[None]:
    """Let other threads compute after a tenth of the usual time: a save takes many turns, an import all it gets."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(_TURN)
    try:
        yield
    finally:
        sys.setswitchinterval(before)


def _import(file: GroupFile, secret: str) -> tuple[Group, bool]:
    _erase_unfinished()
    public_id = file.group["id"]
    found: Group | None = db.session.scalar(select(Group).where(Group.public_id == public_id))
    if found is not None:
        known = canonical_json(file.document)
        if known not in (export_group(public_id, has_handles=has) for has in (False, True)):
            text = (
                "The group {name} already exists here with different content. Nothing was changed. To see the file's "
                "version, import it into an empty server; to keep this one, export it from here"
            )
            raise Conflict(Message(text, name=found.name))
        return found, False
    _must_be_free(file.group, secret)
    try:
        return _Import(file).put(secret), True
    except BaseException as error:
        with suppress(DBAPIError):
            _erase_unfinished()
        if isinstance(error, IntegrityError):
            constraint = broken_constraint(error)
            if constraint.startswith(_OF_OTHERS):  # somebody was quicker than this import
                raise Conflict(_TAKEN) from error
            raise InvalidFile(Message("the database refuses it ({constraint})", constraint=constraint)) from error
        raise


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


@dataclass(slots=True)
class _Job:
    """A row of the file with its index in its list; `id` is set once it is inserted."""

    row: Row
    at: int
    owner: _Job | None
    ids: Ids
    id: int = 0


class _Import:
    """The import of one group."""

    def __init__(self, file: GroupFile) -> None:
        self._group, self._results = file.group, file.results
        self._jobs: dict[str, list[_Job]] = {}
        self._texts: dict[Any, Any] = {}  # what people typed → its id

    def put(self, secret: str) -> Group:
        """Write the group, table by table, and open it."""
        self._put("group", GROUP, [_Job(self._group, 0, None, {"typed": self._texts})])
        newest = {job.owner.id: job.id for job in self._jobs["revisions"] if job.owner}
        of_group = {"group": self._jobs["group"][0].id}
        _in_steps(MAKE_CURRENT, [{**of_group, "line": line, "revision": found} for line, found in newest.items()])
        replaced = [(job.id, job.ids["plans"].get(job.row["replaced_by"])) for job in self._jobs["plans"]]
        _in_steps(_REPLACE, [{**of_group, "plan": plan, "later": int(later)} for plan, later in replaced if later])
        sums = Sums()
        _in_steps(insert(Result), self._result_rows(sums))
        _in_steps(insert(Tally), sums.tally_rows())
        _in_steps(insert(Duel), sums.duel_rows())
        return _open_group(self._jobs["group"][0].id, secret)

    def _put(self, key: str, table: Table, jobs: list[_Job]) -> None:
        """Insert the rows of a table, then those of the tables below it."""
        self._jobs[key] = jobs
        group_id = self._jobs["group"][0].id
        rows = (_columns(table, job, group_id) for job in jobs)
        if not hasattr(table.model, "id"):
            _in_steps(insert(table.model), rows)
            return
        added = insert(table.model).returning(table.model.id, sort_by_parameter_order=True)
        for job, (id_,) in zip(jobs, _in_steps(added, rows), strict=True):
            job.id = id_
            if table is GROUP:
                self._put_texts(id_)
            if table.names:
                job.ids[key][job.row[table.names[0]]] = str(id_)
        inside = [{**job.ids, **{child: {} for child in table.tables}} for job in jobs]
        for child, below in table.tables.items():
            inserted_next: list[_Job] = []
            for job, ids in zip(jobs, inside, strict=True):
                inserted_next += [_Job(row, at, job, ids) for at, row in enumerate(job.row[child])]
            self._put(child, below, inserted_next)

    def _put_texts(self, group_id: int) -> None:
        """Insert what people typed, to which changes and revisions refer."""
        texts = list(dict.fromkeys(_typed_in(self._group)))
        rows = ({"group_id": group_id, "digest": digest_of(text), "text": text} for text in texts)
        added = insert(TypedText).returning(TypedText.id, sort_by_parameter_order=True)
        self._texts |= {text: id_ for text, (id_,) in zip(texts, _in_steps(added, rows), strict=True)}

    def _result_rows(self, sums: Sums) -> Iterator[Row]:
        """Yield the rows of the rounds' results, and add them to the sums."""
        players = [job.id for job in self._jobs["players"]]
        for job in self._jobs["lines"]:
            night = job.owner
            assert night is not None and night.owner is not None
            parts = self._results.get((night.row["id"], job.row["number"]))
            if parts is not None:
                document = job.row["revisions"][-1]["document"]
                played = Played(
                    job.id,
                    night.owner.id,
                    night.id,
                    job.row["number"],
                    counted_as({**document, "called": self._texts.get(document.get("called", ""))}),
                    month=clock_of_night(night.row)[1],
                    currency=night.row["currency"] or "",
                    # the file's number of the player becomes the player's id
                    parts=tuple(replace(part, player_id=players[part.player_id - 1]) for part in parts),
                )
                sums.add(played)
                yield from played.rows()


def _typed_in(group: Row) -> Iterator[str]:
    for night in group["nights"]:
        for change in night["changes"]:
            yield from (text for text in (change["device"], *texts_in(change["content"])) if text)
        for revision in (revision for line in night["lines"] for revision in line["revisions"]):
            yield from texts_in(revision["document"])


def _columns(table: Table, job: _Job, group_id: int) -> Row:
    row, here = job.row, Scope(job.ids)
    put = {column: kind.put(row[key], here) for column, (key, kind) in table.columns.items()}
    owner = {"group_id": group_id, table.owner: job.owner.id} if job.owner else {}
    position = {"position": job.at} if table.order == "position" else {}
    return {**put, **owner, **position, **table.more(row)}


def _in_steps(statement: Executable, rows: Iterable[Row]) -> list[Any]:
    """Execute a statement for many rows, in short transactions; returns what the statement returns."""
    found: list[Any] = []
    for some in in_batches(rows, _BATCH):
        found += _step(statement, some)
        time.sleep(_REST)
    return found


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
