"""A stored group as a document."""

from __future__ import annotations

from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import selectinload
from sqlalchemy.orm.strategy_options import _AbstractLoad

from ..database import snapshot
from ..models import Group, db
from .fields import IdMaps
from .reading import FORMAT, VERSION, Row, canonical
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
