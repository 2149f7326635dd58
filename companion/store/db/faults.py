"""What the database's errors mean: it is unreachable, full, read-only, busy or damaged, or a row broke a constraint.

They are told apart by the drivers' error codes.
"""

from __future__ import annotations

import sqlite3
from typing import Any

from sqlalchemy.exc import DBAPIError, IntegrityError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from companion.engine.messages import Message

from ..models import db

_AWAY = Message(
    "The database isn't responding, so this may not have been saved. Send it again in a moment; it is only booked once."
)
_BUSY = Message("The database is busy, so nothing was saved. Send it again in a moment.")
_FULL = Message(
    "The disk with the database is full, so nothing was saved. Ask the person who runs this app to free some space, "
    "then send it again."
)
_READ_ONLY = Message(
    "The database is read-only at the moment, so nothing was saved. Ask the person who runs this app to make it "
    "writable, then send it again."
)
_DAMAGED = Message(
    "The database file is damaged, so nothing was saved. The person who runs this app can restore a backup: companion "
    "restore FILE"
)
# where nobody else runs the app: on the phone that lies in the middle of the table
_ON_ONE_PHONE = {
    _FULL: Message(
        "This phone's storage is full, so nothing was saved. Delete photos, videos or apps that you don't need, then "
        "send it again."
    ),
    _DAMAGED: Message(
        "The file of your nights is damaged, so nothing was saved. If you have a copy of the group, delete this site's "
        "data in the browser's settings, open the app again and import the copy. What is in no copy is lost then."
    ),
}
# https://www.sqlite.org/rescode.html
_SQLITE = {
    sqlite3.SQLITE_BUSY: _BUSY,
    sqlite3.SQLITE_LOCKED: _BUSY,
    sqlite3.SQLITE_PROTOCOL: _BUSY,
    sqlite3.SQLITE_READONLY: _READ_ONLY,
    sqlite3.SQLITE_PERM: _READ_ONLY,
    sqlite3.SQLITE_IOERR: _AWAY,
    sqlite3.SQLITE_NOMEM: _AWAY,
    sqlite3.SQLITE_CANTOPEN: _AWAY,
    sqlite3.SQLITE_FULL: _FULL,
    sqlite3.SQLITE_CORRUPT: _DAMAGED,
    sqlite3.SQLITE_NOTADB: _DAMAGED,
}
# https://www.postgresql.org/docs/current/errcodes-appendix.html, by code or by class
_RETRYABLE = ("40001", "40P01")  # serialization_failure, deadlock_detected
_KEYS = ("uq_", "pk_", "ix_")  # how the names of unique keys begin
_POSTGRESQL = {
    "25006": _READ_ONLY,
    "53100": _FULL,
    "55P03": _BUSY,
    **dict.fromkeys(_RETRYABLE, _BUSY),
    "08": _AWAY,
    "25P03": _AWAY,
    "53": _AWAY,
    "57": _AWAY,
    "58": _AWAY,
}


def fault(error: BaseException, *, is_one_phone: bool = False) -> Message | None:
    """Explain what is wrong with the database and what to do; None if the error is a bug of ours.

    The error is SQLAlchemy's, or a driver's that didn't come through SQLAlchemy. With `is_one_phone`, whoever holds the
    phone is the one who can do something.
    """
    message = _of(error)
    return _ON_ONE_PHONE.get(message, message) if is_one_phone and message is not None else message


def _of(error: BaseException) -> Message | None:
    if isinstance(error, PoolTimeout):
        return _BUSY
    cause = error.orig if isinstance(error, DBAPIError) else error
    code = getattr(cause, "sqlite_errorcode", None)
    if code is not None:
        return _SQLITE.get(code & 0xFF)
    state = _state(cause)
    if state is None:
        # the names of all drivers' errors (PEP 249)
        kinds = {kind.__name__ for kind in type(cause).__mro__}
        return _AWAY if kinds & {"OperationalError", "InterfaceError"} else None
    return _POSTGRESQL.get(state) or _POSTGRESQL.get(state[:2])


def is_retryable(error: DBAPIError) -> bool:
    """Return whether the transaction should be rerun: after a deadlock, a serialization failure, or a key used twice.

    Somebody else used the key at the same moment. Rerun, the transaction sees that, or takes another random code.
    """
    return _state(error.orig) in _RETRYABLE or broken_constraint(error).startswith(_KEYS)


def broken_constraint(error: BaseException) -> str:
    """Return the constraint that a row broke, by its name in the models, such as "uq_night_public_id".

    For a missing value it is the column, such as "night.game". Empty for other errors, and where SQLite doesn't say
    which row is missing that the new one refers to.
    """
    if not isinstance(error, IntegrityError):
        return ""
    cause: Any = error.orig
    if _state(cause) is not None:
        diagnostics = cause.diag
        return diagnostics.constraint_name or f"{diagnostics.table_name}.{diagnostics.column_name}"
    kind, _, what = str(cause).partition(" constraint failed: ")
    return _key_of(what.split(", ")) if kind == "UNIQUE" else what


def _key_of(columns: list[str]) -> str:
    """Return the name of the unique key with these columns, each given as "table.column"."""
    table = db.metadata.tables[columns[0].partition(".")[0]]
    named: list[Any] = [*table.constraints, *table.indexes]
    keys = (key for key in named if str(key.name).startswith(_KEYS))
    return next(str(key.name) for key in keys if {str(column) for column in key.columns} == set(columns))


def _state(cause: BaseException | None) -> str | None:
    return getattr(cause, "sqlstate", None)
