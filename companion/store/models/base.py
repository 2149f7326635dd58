"""The base of all tables: the database object, keys with the group's id, UTC times, and random codes and ids."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta, timezone
from typing import TYPE_CHECKING, Any, ClassVar

from flask_sqlalchemy import SQLAlchemy
from sqlalchemy import DateTime, Dialect, Executable, ForeignKeyConstraint, MetaData, TypeDecorator
from sqlalchemy.orm import DeclarativeBase, InstanceState, Mapped, mapped_column
from sqlalchemy.types import TypeEngine

_READ = "companion.read"  # an attribute of a row


class UtcDateTime(TypeDecorator[datetime]):
    """A time in UTC. SQLite drops the time zone, and PostgreSQL returns the time in the zone of its own settings."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


def now() -> datetime:
    """Return the current time in UTC."""
    return datetime.now(UTC)


def offset_here(moment: datetime) -> int:
    """Return how many seconds this computer's clock is ahead of UTC at a moment."""
    ahead = moment.astimezone().utcoffset()
    return int(ahead.total_seconds()) if ahead is not None else 0


def by_clock(moment: datetime, offset: int) -> datetime:
    """Return a moment as a clock shows it that is `offset` seconds ahead of UTC."""
    return moment.astimezone(timezone(timedelta(seconds=offset)))


def next_at(clock: datetime, time: str) -> datetime:
    """Return the first moment after what a clock shows at which it shows a time such as "01:00"."""
    hours, minutes = map(int, time.split(":"))
    moment = clock.replace(hour=hours, minute=minutes, second=0, microsecond=0)
    return moment if moment > clock else moment + timedelta(days=1)


def month_of(moment: datetime, offset: int) -> str:
    """Return the month ("2026-11") of a moment by a clock that is `offset` seconds ahead of UTC."""
    return f"{by_clock(moment, offset):%Y-%m}"


# no vowels, so that codes don't spell words; no characters that are easily confused when spoken or written
_CODE_LETTERS = "CDFHJKMNPRTWXY3479"


def new_join_code() -> str:
    """Return a random join code: six letters and digits, of 34 million possible ones. It may be in use already."""
    return "".join(secrets.choice(_CODE_LETTERS) for _ in range(6))


def new_public_id() -> str:
    """Return a random id for use in URLs. It can't be guessed, but isn't a secret: it gives nobody access."""
    return secrets.token_urlsafe(9)


class Base(DeclarativeBase):
    """The base class of all tables. It names every constraint, so that migrations can refer to it."""

    metadata = MetaData(
        naming_convention={
            "ix": "ix_%(column_0_N_label)s",
            "uq": "uq_%(table_name)s_%(column_0_N_name)s",
            "ck": "ck_%(table_name)s_%(constraint_name)s",
            "fk": "fk_%(table_name)s_%(column_0_N_name)s",
            "pk": "pk_%(table_name)s",
        }
    )


db = SQLAlchemy(model_class=Base)

if TYPE_CHECKING:
    Model = Base
else:
    Model = db.Model  # created at runtime, so type checkers don't know it


def read_once(row: Any, statement: Executable, values: dict[str, int]) -> Sequence[Any]:
    """Return what a statement reads about a row, until the row is read again: see `forget`.

    Every page asks for it several times, and the ORM takes eight times as long as the statement.
    """
    if _READ not in row.__dict__:
        row.__dict__[_READ] = db.session.connection().execute(statement, values).all()
    rows: Sequence[Any] = row.__dict__[_READ]
    return rows


def forget(state: InstanceState[Any], _attributes: object) -> None:
    """Forget what was read about a row, whose attributes will be read again."""
    state.dict.pop(_READ, None)  # the dictionary of an object that is gone is empty


def personal(kind: TypeEngine[Any], *, erased: str | None = None, **options: Any) -> Any:
    """Return a column for what people typed, or what identifies them or their phones: `deleting` empties it.

    Then it is null if it may be, otherwise an empty text, or what the row's column `erased` has.
    """
    return mapped_column(kind, info={"personal": True, "erased": erased}, **options)


def impersonal(kind: TypeEngine[Any], **options: Any) -> Any:
    """Return a column for text or JSON that nobody typed, except for cards and other answers of fixed form."""
    return mapped_column(kind, info={"personal": False}, **options)


class OfGroup:
    """A row of a group. The group's id is part of its key, and of each key by which one row refers to another.

    So a statement about a group says which, and groups can be spread over several servers
    (`tests/benchmarks/README.md`). It comes last in the keys: SQLite assumes that few rows share the first column of an
    index, and would read all rows of a group to find those of one night. See `asked_for_by_group` for the exceptions.
    """

    group_id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False, sort_order=1)

    goes_with_group: ClassVar[bool] = False  # whether its rows are deleted with the group


class WithId(OfGroup):
    """A row of a group with an id, which is unique in the whole table.

    SQLite generates ids only if they alone are the primary key, so there the key with the group is a unique constraint.
    """

    id: Mapped[int] = mapped_column(primary_key=True, autoincrement=True, sort_order=-1)


def asked_for_by_group() -> Mapped[int]:
    """Return the column of the group's id for a table whose rows pages ask for by group: it comes first in the key."""
    return mapped_column(primary_key=True, autoincrement=False, sort_order=-2)


def refers(column: str, table: str, *, use_alter: bool = False) -> ForeignKeyConstraint:
    """Return the foreign key for a column that has the id of another row of the same group."""
    return ForeignKeyConstraint([column, "group_id"], [f"{table}.id", f"{table}.group_id"], use_alter=use_alter)


def belongs_to_group() -> ForeignKeyConstraint:
    """Return the foreign key of a row that refers to its group directly."""
    return ForeignKeyConstraint(["group_id"], ["player_group.id"])
