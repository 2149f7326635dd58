"""How the databases are spoken to: SQLite's pragmas and locks, and the one way to change anything.

Every change is one transaction, and this module is the only one that commits.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from sqlalchemy import Connection, Engine, event

from .models import db

_CHANGES = "companion_changes"
# writers queue here: in SQLite's busy handler the slowest of eight would wait seven times as long
_writers = threading.Lock()


def prepare_sqlite(engine: Engine) -> None:
    """Set SQLite up so that what is committed is on the disk; leaves other databases as they are."""
    if engine.dialect.name != "sqlite":
        return
    event.listen(engine, "connect", _set_pragmas)
    event.listen(engine, "begin", _begin)


def _set_pragmas(connection: Any, _record: object) -> None:
    connection.isolation_level = None  # the driver begins nothing by itself; `_begin` does
    cursor = connection.cursor()
    for pragma in (
        "journal_mode=WAL",
        "synchronous=FULL",
        "foreign_keys=ON",
        "recursive_triggers=ON",
        "busy_timeout=5000",
    ):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def _begin(connection: Connection) -> None:
    # a reader that turns writer later would fail with "database is locked"; who changes something says so first
    changes = connection.get_execution_options().get(_CHANGES)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if changes else "BEGIN")


@contextmanager
def transaction() -> Iterator[None]:
    """Change the database: all of it, or after an exception nothing."""
    with _writers:
        db.session.rollback()  # ends a transaction that only read
        try:
            db.session.connection(execution_options={_CHANGES: True})
            yield
            db.session.commit()
        except BaseException:
            db.session.rollback()
            raise
