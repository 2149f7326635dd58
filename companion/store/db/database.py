"""Database access: SQLite's pragmas and locking, and transactions.

Every change is one transaction, and only this module commits.
"""

from __future__ import annotations

import os
import random
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from functools import wraps
from importlib import import_module
from pathlib import Path
from typing import Any, ParamSpec, TypeVar, cast

from sqlalchemy import URL, Connection, CursorResult, Engine, Executable, event
from sqlalchemy.exc import DBAPIError, DisconnectionError
from sqlalchemy.pool import ConnectionPoolEntry

from ..models import db
from .alone import ALONE, connect_alone
from .faults import is_retryable
from .news import told_of_changes
from .pace import changes

Given = ParamSpec("Given")
Made = TypeVar("Made")

_CHANGES = "companion_changes"
_UNSYNCED = "companion_unsynced"  # of a connection: its transaction may be lost in a power cut
_PLACE = "companion_place"  # of a connection: its SQLite file, and that file's number in the file system
_PRAGMAS = ("busy_timeout=5000", "synchronous=FULL", "foreign_keys=ON", "recursive_triggers=ON")
_TRIES = 6
_MAX_PAUSE = 0.04  # seconds, before the second try; twice as long before each further one
_MAX_SWITCH = 5  # seconds
# SQLite's writers queue here; with SQLite's own busy handler, the slowest of eight waits seven times as long
_writers = threading.Lock()


def prepare(engine: Engine) -> None:
    """Configure SQLite to flush commits to disk, and PostgreSQL not to wait forever or for a dead connection."""
    if engine.dialect.name == "sqlite":
        event.listen(engine, "do_connect", _open_existing(engine))
        event.listen(engine, "connect", _set_pragmas)
        event.listen(engine, "checkout", _must_be_in_place)
        event.listen(engine, "begin", _begin)
        event.listen(engine, "checkin", _end_transaction)
    else:
        event.listen(engine, "connect", _set_time_limits)
        event.listen(engine, "engine_connect", _replace_if_dead)


def _set_time_limits(connection: Any, _record: object) -> None:
    # a client that lost power during a change would otherwise hold a night's lock for hours
    with connection.cursor() as cursor:
        cursor.execute("SET idle_in_transaction_session_timeout = '30s'")
        cursor.execute("SET lock_timeout = '5s'")
    connection.commit()


def _replace_if_dead(connection: Connection) -> None:
    # SQLAlchemy's pool_pre_ping does the same, but also before each `quick_read`
    if connection.get_execution_options().get(ALONE):
        return
    driver = connection.dialect.loaded_dbapi
    try:
        connection.dialect.do_ping(cast(Any, connection.connection.dbapi_connection))
    except driver.Error:
        connection.engine.dispose()  # if PostgreSQL was restarted, all others are dead as well
        connection.invalidate()  # the first statement makes a new one


def sqlite_file(url: URL) -> Path | None:
    """Return the file of an SQLite database; None for one in memory, one given as a URI, or another kind."""
    if url.get_backend_name() != "sqlite" or "uri" in url.query or url.database in (None, "", ":memory:"):
        return None
    return Path(str(url.database))


def _open_existing(engine: Engine) -> Callable[..., Any]:
    """Return how to connect to SQLite: only to a file that is there, or an empty one would take its place."""
    place = sqlite_file(engine.url)

    def connect(dialect: Any, record: ConnectionPoolEntry, arguments: Any, options: Any) -> Any:
        if place is None:
            return None
        uri = f"{place.absolute().as_uri()}?mode=rw"
        opened = dialect.loaded_dbapi.connect(uri, *arguments[1:], **options, uri=True)
        record.info[_PLACE] = place, _number_of(place)
        return opened

    return connect


def _number_of(place: Path) -> int | None:
    try:
        return os.stat(place).st_ino
    except FileNotFoundError:
        return None


def _must_be_in_place(_connection: object, record: ConnectionPoolEntry, _fairy: object) -> None:
    # what is written to a file that was moved or deleted would be lost
    if _PLACE in record.info:
        place, number = record.info[_PLACE]
        if _number_of(place) != number:
            raise DisconnectionError(f"{place} was replaced")


def _set_pragmas(connection: Any, _record: object) -> None:
    connection.isolation_level = None  # the driver must not begin transactions; `_begin` does
    cursor = connection.cursor()
    for pragma in _PRAGMAS:
        cursor.execute(f"PRAGMA {pragma}")
    _write_ahead(cursor)
    cursor.close()


def _write_ahead(cursor: sqlite3.Cursor) -> None:
    # a file is switched to WAL only once; if several processes try at once, SQLite fails all but one without waiting
    latest = time.monotonic() + _MAX_SWITCH
    while True:
        try:
            cursor.execute("PRAGMA journal_mode=WAL")
            return
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or time.monotonic() > latest:
                raise
        time.sleep(0.01)


def _begin(connection: Connection) -> None:
    # a read transaction that writes later could fail with "database is locked", so writers lock from the start
    options = connection.get_execution_options()
    if options.get(_CHANGES):
        if options.get(_UNSYNCED):
            connection.connection.info[_UNSYNCED] = True
            connection.exec_driver_sql("PRAGMA synchronous=NORMAL")
        connection.exec_driver_sql("BEGIN IMMEDIATE")
    elif not options.get(ALONE):
        # touches no file, so it can't fail; every page begins with this, and the driver is faster than SQLAlchemy
        driver: Any = connection.connection.dbapi_connection
        driver.execute("BEGIN")


def _end_transaction(connection: sqlite3.Connection | None, record: ConnectionPoolEntry) -> None:
    if connection is None:
        return
    # after a failed COMMIT, SQLAlchemy returns the connection with its transaction, and so with the lock for writing
    if connection.in_transaction:
        connection.rollback()
    if record.info.pop(_UNSYNCED, False):
        connection.execute("PRAGMA synchronous=FULL")


def dialect_name() -> str:
    """Return the kind of database: "sqlite" or "postgresql"."""
    return str(db.engine.dialect.name)


def is_sqlite() -> bool:
    """Return whether the database is SQLite, where only one writer is active at a time."""
    return dialect_name() == "sqlite"


def insert_into(table: type[Any], dialect: str) -> Any:
    """Return the dialect's INSERT, which supports ON CONFLICT."""
    return import_module(f"sqlalchemy.dialects.{dialect}").insert(table)


def quick_read(statement: Executable, values: Any) -> Sequence[Any]:
    """Return a statement's rows with a single message to the server, for what phones ask all the time.

    It takes a connection without a ping or a transaction. If that fails, the statement is executed the usual way: that
    replaces a dead connection or raises the error.
    """
    try:
        with connect_alone(db.engine) as connection:
            return connection.execute(statement, values).all()
    except DBAPIError:
        return execute(statement, values).all()


def execute(statement: Executable, values: Any = None) -> CursorResult[*tuple[Any, ...]]:
    """Execute a statement directly on the connection, without the ORM, which would take twice as long."""
    return db.session.connection().execute(statement, values)


def execute_many(statement: Executable, rows: Sequence[Any]) -> None:
    """Execute a statement once for each of these sets of values, if there are any."""
    if rows:
        execute(statement, rows)


@contextmanager
def transaction(
    *, rereads: bool = True, keeps: bool = False, concerns_phones: bool = True, synced: bool = True
) -> Iterator[None]:
    """Run the block as one transaction: commit everything, or after an exception nothing.

    What was loaded before is read again when it is used. Without `rereads` it isn't, and the block must find out
    whether it is still current, as `change.locked` does. With `keeps`, what is loaded stays loaded after the
    transaction, so whatever the block changes must be changed in the loaded objects as well. Unless it
    `concerns_phones`, those that poll don't look for news, and what can wait doesn't give way to it. Unless it is
    `synced`, SQLite doesn't wait for the disk: a power cut may lose it, but nothing else.
    """
    if concerns_phones:
        changes.note()
    with told_of_changes(concerns_phones=concerns_phones), _writers if is_sqlite() else nullcontext():
        _end_read_transaction(forgets=rereads)
        try:
            db.session.connection(execution_options={_CHANGES: True, _UNSYNCED: not synced})
            yield
            db.session().expire_on_commit = not keeps
            db.session.commit()
        except BaseException:
            db.session.rollback()
            raise
        finally:
            db.session().expire_on_commit = True
            if concerns_phones:
                changes.note()


def _end_read_transaction(*, forgets: bool) -> None:
    if forgets:
        db.session.rollback()
    elif db.session().in_transaction():
        db.session().expire_on_commit = False
        db.session.commit()


@contextmanager
def snapshot() -> Iterator[None]:
    """Read a consistent snapshot, whatever is changed meanwhile; SQLite does so by default."""
    db.session.rollback()
    if not is_sqlite():
        db.session.connection(execution_options={"isolation_level": "REPEATABLE READ"})
    try:
        yield
    finally:
        db.session.rollback()


def end_reading(_error: BaseException | None) -> None:
    """Close the night after a request; a dead connection must not spoil a finished response."""
    if not db.session.registry.has():
        return
    try:
        db.session.close()
    except DBAPIError:
        db.session().invalidate()


def retry_transaction(change: Callable[Given, Made]) -> Callable[Given, Made]:
    """Rerun a function that is one transaction after a deadlock or serialization failure.

    PostgreSQL reports these when a transaction conflicts with a concurrent one.
    """

    @wraps(change)
    def tried(*arguments: Given.args, **named: Given.kwargs) -> Made:
        for attempt in range(1, _TRIES):
            try:
                return change(*arguments, **named)
            except DBAPIError as error:
                if not is_retryable(error):
                    raise
            time.sleep(random.uniform(0, _MAX_PAUSE * 2 ** (attempt - 1)))
        return change(*arguments, **named)

    return tried
