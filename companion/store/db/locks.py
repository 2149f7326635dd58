"""Locks across all threads and processes of the app; the system releases them if a process dies."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from sqlite3 import SQLITE_BUSY

from sqlalchemy import NullPool, create_engine, func, select
from sqlalchemy.exc import DBAPIError, OperationalError

from ..models import db
from .database import is_sqlite


@contextmanager
def held(name: str) -> Iterator[bool]:
    """Try to take a lock; yields False at once if somebody else holds it."""
    with _beside_sqlite(name) if is_sqlite() else _in_postgresql(name) as is_mine:
        yield is_mine


@contextmanager
def _beside_sqlite(name: str) -> Iterator[bool]:
    """Lock an empty SQLite file next to the database, because SQLite's file locks work on every system."""
    url = db.engine.url
    file = url.set(database=f"{url.database}-{name}")
    with suppress(OSError):  # connecting says what is wrong
        Path(f"{url.database}-{name}").touch(0o600)
    engine = create_engine(file, poolclass=NullPool, connect_args={"timeout": 0, "isolation_level": None})
    with engine.connect() as connection:
        try:
            connection.exec_driver_sql("BEGIN EXCLUSIVE")
        except OperationalError as error:
            if getattr(error.orig, "sqlite_errorcode", None) != SQLITE_BUSY:
                raise
            yield False
        else:
            yield True


@contextmanager
def _in_postgresql(name: str) -> Iterator[bool]:
    """Take an advisory lock on a separate connection; closing it releases the lock, even if it has died."""
    number = zlib.crc32(name.encode())
    with closing(db.engine.connect().execution_options(isolation_level="AUTOCOMMIT")) as connection:
        is_mine = bool(connection.scalar(select(func.pg_try_advisory_lock(number))))
        connection.detach()
        try:
            yield is_mine
        finally:
            if is_mine:
                with suppress(DBAPIError):  # the server notices a closed connection only a moment later
                    connection.execute(select(func.pg_advisory_unlock(number)))
