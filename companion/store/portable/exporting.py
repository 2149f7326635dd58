"""Exports a group with all its history as a JSON file."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import select

from ..db.database import execute, snapshot
from ..models import Group, TypedText
from .format.kinds import Row, Scope
from .format.table import Stored, Table
from .format.tables import GROUP, HANDLES_KEY, TURN_KEYS
from .group_file import FORMAT, VERSION, canonical_json, in_batches


def export_group(public_id: str, *, has_handles: bool = False, has_turn: bool = True) -> bytes:
    """Return the file of a group, from a consistent snapshot; the same group gives the same bytes on any server.

    How players get paid is only in it with `has_handles`; where the group is written, with `has_turn`.
    """
    with snapshot():
        stored, here = load_group(public_id)
        if not has_handles:
            stored[HANDLES_KEY] = {}
        document = document_of(stored, here)
        return canonical_json(document if has_turn else without_turn(document))


def load_group(public_id: str) -> tuple[Stored, Scope]:
    """Load a group's rows and what people typed; its own row is stored under "group" as that of owner 0.

    Without the ORM, which takes three times as long and as much memory.
    """
    (group,) = execute(select(Group.__table__).where(Group.public_id == public_id))
    stored: Stored = {"group": {0: [group]}}
    _load(group.id, GROUP, [group.id], stored)
    return stored, Scope({"typed": _texts(group.id)})


def document_of(stored: Stored, here: Scope) -> Row:
    """Return the document of a loaded group."""
    (group,) = stored["group"][0]
    return {"format": FORMAT, "version": VERSION, "group": GROUP.dump(group, here, stored)}


def without_turn(document: Row) -> Row:
    """Return the document of a group without where it is written."""
    group = {key: value for key, value in document["group"].items() if key not in TURN_KEYS}
    return {**document, "group": group}


def _texts(group_id: int) -> dict[str, str]:
    query = select(TypedText.id, TypedText.text).where(TypedText.group_id == group_id)
    return {str(id_): text for id_, text in execute(query)}


def _load(group_id: int, table: Table, owners: Sequence[int], stored: Stored) -> None:
    """Load a group's rows in all tables below this one, one table at a time."""
    for key, child in table.tables.items():
        columns = child.model.__table__.c
        by_owner: dict[int, list[Any]] = {}
        ids = []
        for some in in_batches(owners):
            of_these = (columns.group_id == group_id, columns[child.owner].in_(some))
            query = select(child.model.__table__).where(*of_these).order_by(columns[child.order])
            for row in execute(query):
                by_owner.setdefault(getattr(row, child.owner), []).append(row)
                if child.tables:
                    ids.append(row.id)
        stored[key] = by_owner
        _load(group_id, child, ids, stored)
