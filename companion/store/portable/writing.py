"""A stored group as a document, and back into a database that does not have it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from sqlalchemy import insert, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import selectinload
from sqlalchemy.orm.strategy_options import _AbstractLoad

from companion.engine.messages import Message

from .. import recording
from ..database import begun_anew, snapshot, transaction
from ..links import add_links
from ..models import Group, Line, PlaySession, Revision, db
from ..refusals import Conflict
from .fields import IdMaps
from .reading import FORMAT, VERSION, Row, canonical, read
from .tables import GROUP, Table


def export_group(public_id: str) -> bytes:
    """Write a group as it is at one moment, with all its history; the same group gives the same bytes anywhere."""
    with snapshot():
        return _exported(public_id)


def _exported(public_id: str) -> bytes:
    query = select(Group).where(Group.public_id == public_id).options(*_loaded(GROUP))
    group = db.session.scalars(query.execution_options(populate_existing=True)).one()
    return canonical({"format": FORMAT, "version": VERSION, "group": _written(GROUP, group, 0, {})})


def _loaded(table: Table) -> list[_AbstractLoad]:
    """Load all that lies in a table's rows, a query a table."""
    return [selectinload(getattr(table.model, child.key)).options(*_loaded(child)) for child in table.tables]


def _written(table: Table, row: Any, at: int, ids: IdMaps) -> Row:
    found = {field.key: field.write(row, at, ids) for field in table.fields}
    inside = {**ids, **{child.identity.kind: {} for child in table.tables if child.identity}}
    for child in table.tables:
        rows = getattr(row, child.key)
        if child.identity:
            for number, one in enumerate(rows):
                inside[child.identity.kind][_id(one)] = child.identity.write(one, number, inside)
        found[child.key] = [_written(child, one, number, inside) for number, one in enumerate(rows)]
    return found


def _id(row: Any) -> str:
    """Give a row's id as ids have it; a seat is only looked for by what it is called."""
    return str(getattr(row, "id", ""))


def import_group(content: bytes, secret: str) -> tuple[Group, bool]:
    """Put a file's group in, opened by a secret; tells whether it was new.

    A group that is here already and says the same is left as it is, and the secret opens nothing. Raises Refused for
    a file that does not fit, Conflict where the group here says something else.
    """
    document = read(content)
    return _import(document, secret)


@begun_anew
def _import(document: Row, secret: str) -> tuple[Group, bool]:
    public_id = document["group"]["id"]
    with suppress(IntegrityError), transaction():
        if _find(public_id) is None:
            made = _put_group(document["group"], secret)
            db.session.flush()
            return made, True
    found = _find(public_id)
    if found is None:
        text = "A night, a plan or a link of this file is here already, in another group; export the group anew"
        raise Conflict(Message(text))
    if export_group(public_id) != canonical(document):
        text = (
            "The group {name} is here already, and says something else than this file. Nothing was changed; to look at"
            " the file's version, import it into an empty server, to keep this one's, export it from here"
        )
        raise Conflict(Message(text, name=found.name))
    again = _find(public_id)
    assert again is not None
    return again, False


def _find(public_id: str) -> Group | None:
    found: Group | None = db.session.scalar(select(Group).where(Group.public_id == public_id))
    return found


@dataclass(frozen=True, slots=True)
class _Job:
    """A row of the file that is to be put in, at a place of its list."""

    row: Row
    at: int
    owner: int | None
    ids: IdMaps


def _put_group(row: Row, secret: str) -> Group:
    _put(GROUP, [_Job(row, 0, None, {})])
    group = _find(row["id"])
    assert group is not None
    add_links(group, secret)
    newest = select(Revision.id).where(Revision.line_id == Line.id).order_by(Revision.number.desc()).limit(1)
    sessions = select(PlaySession.id).where(PlaySession.group_id == group.id)
    db.session.execute(
        update(Line).where(Line.session_id.in_(sessions)).values(current_id=newest.scalar_subquery()),
        execution_options={"synchronize_session": False},
    )
    recording.rebuild(group)
    return group


def _put(table: Table, jobs: Sequence[_Job]) -> None:
    """Insert the rows of a table, then all that lies in them, table by table."""
    if not jobs:
        return
    columns = [_columns(table, job) for job in jobs]
    if not hasattr(table.model, "id"):
        db.session.execute(insert(table.model), columns)
        return
    added = insert(table.model).returning(table.model.id, sort_by_parameter_order=True)
    ids = list(db.session.scalars(added, columns))
    for job, id in zip(jobs, ids, strict=True):
        if table.identity:
            job.ids[table.identity.kind][job.row[table.identity.key]] = str(id)
    for field in table.fields:
        if field.is_self_reference:
            late = [field.put(job.row[field.key], job.ids) for job in jobs]
            values = [{"id": id, field.column: value} for id, value in zip(ids, late, strict=True)]
            db.session.execute(update(table.model), values)
    inside = [{**job.ids, **{child.identity.kind: {} for child in table.tables if child.identity}} for job in jobs]
    for child in table.tables:
        _put(child, list(_jobs(child, jobs, ids, inside)))


def _jobs(child: Table, jobs: Sequence[_Job], ids: Sequence[int], inside: Sequence[IdMaps]) -> Iterator[_Job]:
    for job, id, ids in zip(jobs, ids, inside, strict=True):
        for at, row in enumerate(job.row[child.key]):
            yield _Job(row, at, id, ids)


def _columns(table: Table, job: _Job) -> dict[str, Any]:
    row = job.row
    put = {f.column: f.put(row[f.key], job.ids) for f in table.fields if f.column and not f.is_self_reference}
    owner = {table.owner: job.owner} if table.owner else {}
    return {**put, **owner, **table.more(row, job.at)}
