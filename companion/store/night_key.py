"""The key of a night's rows: its group's id and its own. Every statement about a night has both."""

from __future__ import annotations

from typing import Any, Protocol

from sqlalchemy import ColumnElement, and_, bindparam


class HasKey(Protocol):
    """A session, or `ANY_NIGHT`."""

    group_id: Any
    id: Any


class _AnyNight:
    group_id: Any = bindparam("group")
    id: Any = bindparam("session")


ANY_NIGHT: HasKey = _AnyNight()  # in a prepared statement, which is run with the `values_of_night` of a session


def of_night(table: Any, night: HasKey) -> tuple[ColumnElement[bool], ColumnElement[bool]]:
    """Return the conditions for a night's rows in a table."""
    return table.group_id == night.group_id, table.session_id == night.id


def values_of_night(session: HasKey) -> dict[str, int]:
    """Return the parameters of a prepared statement about `ANY_NIGHT`."""
    return {"group": session.group_id, "session": session.id}


def columns_of_night(session: HasKey) -> dict[str, int]:
    """Return the columns that a new row of a night begins with."""
    return {"group_id": session.group_id, "session_id": session.id}


def of_same_group(table: Any, other: Any, condition: ColumnElement[bool]) -> ColumnElement[bool]:
    """Return the condition that joins rows of two tables, which are of the same group."""
    return and_(table.group_id == other.group_id, condition)
