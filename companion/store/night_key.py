"""The key of a night's rows: its group's id and its own. Every statement about a night has both."""

from __future__ import annotations

from typing import Any, Protocol

from sqlalchemy import ColumnElement, and_, bindparam, select

from .models import Night


class HasKey(Protocol):
    """A night, what is known of one, or `ANY_NIGHT`."""

    @property
    def group_id(self) -> Any: ...

    @property
    def id(self) -> Any: ...


class _AnyNight:
    group_id: Any = bindparam("group")
    id: Any = bindparam("night")


ANY_NIGHT: HasKey = _AnyNight()  # in a statement built once, executed with the `values_of_night` of a night


def of_night(table: Any, night: HasKey) -> tuple[ColumnElement[bool], ColumnElement[bool]]:
    """Return the conditions for a night's rows in a table."""
    return table.group_id == night.group_id, table.night_id == night.id


def values_of_night(night: HasKey) -> dict[str, int]:
    """Return the parameters of a statement about `ANY_NIGHT`."""
    return {"group": night.group_id, "night": night.id}


def in_newest_nights(table: Any, group_id: Any, most: int) -> tuple[ColumnElement[bool], ColumnElement[bool]]:
    """Return the conditions for the rows of a group's newest nights.

    By the order of all its rows, a database of many groups would be read from its end.
    """
    nights = select(Night.id).where(Night.group_id == group_id).order_by(Night.id.desc()).limit(most)
    return table.group_id == group_id, table.night_id.in_(nights.scalar_subquery())


def columns_of_night(night: HasKey) -> dict[str, int]:
    """Return the columns that a new row of a night begins with."""
    return {"group_id": night.group_id, "night_id": night.id}


def of_same_group(table: Any, other: Any, condition: ColumnElement[bool]) -> ColumnElement[bool]:
    """Return the condition that joins rows of two tables, which are of the same group."""
    return and_(table.group_id == other.group_id, condition)
