"""What all tables share: the database, times in UTC, and codes and ids that can't be guessed."""

from __future__ import annotations

import secrets
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from flask_sqlalchemy import SQLAlchemy
from sqlalchemy import DateTime, Dialect, MetaData, TypeDecorator
from sqlalchemy.orm import DeclarativeBase


class UtcDateTime(TypeDecorator[datetime]):
    """A time in UTC; SQLite drops the time zone, so it is added back."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        return value.replace(tzinfo=UTC) if value is not None and value.tzinfo is None else value


def now() -> datetime:
    """Return the current time in UTC."""
    return datetime.now(UTC)


# no vowels, so that no words come up; nothing that is mistaken for something else, said or written
_CODE_LETTERS = "CDFHJKMNPRTWXY3479"


def new_join_code() -> str:
    """Make a join code of six letters and digits: one of 34 million."""
    return "".join(secrets.choice(_CODE_LETTERS) for _ in range(6))


def new_public_id() -> str:
    """Make an id for an address. It can't be guessed, but knowing it doesn't open anything."""
    return secrets.token_urlsafe(9)


class Base(DeclarativeBase):
    """Names every constraint, so that migrations can speak of it."""

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
    Model = db.Model  # made when the module is loaded, so no type checker sees it
