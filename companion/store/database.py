"""How the databases are spoken to: SQLite's pragmas and locks, and the one way to change anything.

Every change is one transaction, and this module is the only one that commits.
"""

from __future__ import annotations

import random
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from functools import wraps
from importlib import import_module
from typing import Any, ParamSpec, TypeVar

from sqlalchemy import Connection, Engine, event
from sqlalchemy.exc import DBAPIError

from .faults import is_retryable
from .models import db

Given = ParamSpec("Given")
Made = TypeVar("Made")

_CHANGES = "companion_changes"
_TRIES = 6
_LONGEST_PAUSE = 0.02  # seconds, before the second try; twice as long before each further one
_LONGEST_SWITCH = 5  # seconds
# SQLite's writers queue here: in SQLite's busy handler the slowest of eight would wait seven times as long
_writers = threading.Lock()


def prepare(engine: Engine) -> None:
    """Set SQLite up so that what is committed is on the disk, and PostgreSQL so that nobody waits for ever."""
    if engine.dialect.name == "sqlite":
        event.listen(engine, "connect", _set_pragmas)
        event.listen(engine, "begin", _begin)
    else:
        event.listen(engine, "connect", _set_time_limits)


def _set_time_limits(connection: Any, _record: object) -> None:
    # a host that lost its power in the middle of a change would hold a session's lock for hours
    with connection.cursor() as cursor:
        cursor.execute("SET idle_in_transaction_session_timeout = '30s'")
        cursor.execute("SET lock_timeout = '5s'")
    connection.commit()


def _set_pragmas(connection: Any, _record: object) -> None:
    connection.isolation_level = None  # the driver begins nothing by itself; `_begin` does
    cursor = connection.cursor()
    for pragma in ("busy_timeout=5000", "synchronous=FULL", "foreign_keys=ON", "recursive_triggers=ON"):
        cursor.execute(f"PRAGMA {pragma}")
    _write_ahead(cursor)
    cursor.close()


def _write_ahead(cursor: sqlite3.Cursor) -> None:
    # a file is switched to it once; of processes that do so at once SQLite refuses all but one, without waiting
    latest = time.monotonic() + _LONGEST_SWITCH
    while True:
        try:
            cursor.execute("PRAGMA journal_mode=WAL")
            return
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or time.monotonic() > latest:
                raise
        time.sleep(0.01)


def _begin(connection: Connection) -> None:
    # a reader that turns writer later would fail with "database is locked"; who changes something says so first
    if connection.get_execution_options().get(_CHANGES):
        connection.exec_driver_sql("BEGIN IMMEDIATE")
    else:
        # touches no file, so that it cannot fail; every page begins with it, and the driver alone is quicker
        driver: Any = connection.connection.dbapi_connection
        driver.execute("BEGIN")


def is_sqlite() -> bool:
    """Tell whether the database is SQLite, where one writes at a time."""
    return str(db.engine.dialect.name) == "sqlite"


def insert_into(table: type[Any], dialect: str) -> Any:
    """Make an INSERT that can say what to do with a row that is there already: each database has its own."""
    return import_module(f"sqlalchemy.dialects.{dialect}").insert(table)


def _queue() -> AbstractContextManager[object]:
    return _writers if is_sqlite() else nullcontext()


@contextmanager
def transaction() -> Iterator[None]:
    """Change the database: all of it, or after an exception nothing."""
    with _queue():
        db.session.rollback()  # ends a transaction that only read
        try:
            db.session.connection(execution_options={_CHANGES: True})
            yield
            db.session.commit()
        except BaseException:
            db.session.rollback()
            raise


@contextmanager
def snapshot() -> Iterator[None]:
    """Read as the database is at one moment, whatever others change meanwhile; SQLite reads so anyway."""
    db.session.rollback()
    if db.engine.dialect.name == "postgresql":
        db.session.connection(execution_options={"isolation_level": "REPEATABLE READ"})
    try:
        yield
    finally:
        db.session.rollback()


def end_reading(_error: BaseException | None) -> None:
    """Close the session after a request; a dead connection must not spoil a finished response."""
    if not db.session.registry.has():
        return
    try:
        db.session.close()
    except DBAPIError:
        db.session().invalidate()


def retry_transaction(change: Callable[Given, Made]) -> Callable[Given, Made]:
    """Make a function that is one transaction run again, whole, when the database gives it up for another's sake.

    PostgreSQL does that with deadlocks, and with what it cannot put in an order with what others do at the same time.
    """

    @wraps(change)
    def tried(*given: Given.args, **named: Given.kwargs) -> Made:
        for attempt in range(1, _TRIES):
            try:
                return change(*given, **named)
            except DBAPIError as error:
                if not is_retryable(error):
                    raise
            time.sleep(random.uniform(0, _LONGEST_PAUSE * 2**attempt))
        return change(*given, **named)

    return tried
