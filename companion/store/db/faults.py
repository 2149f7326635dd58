"""Problems with the database itself: unreachable, full, read-only, busy or damaged, by the drivers' error codes."""

from __future__ import annotations

import sqlite3

from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from companion.engine.messages import Message

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


def fault(error: BaseException) -> Message | None:
    """Explain what is wrong with the database and what to do; None if the error is a bug of ours.

    The error is SQLAlchemy's, or a driver's that didn't come through SQLAlchemy.
    """
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
    """Return whether the error is a deadlock or serialization failure, so that the transaction should be rerun."""
    return _state(error.orig) in _RETRYABLE


def _state(cause: BaseException | None) -> str | None:
    return getattr(cause, "sqlstate", None)
