"""Backups of an SQLite database: complete, consistent even while the app runs, and restored in one step."""

from __future__ import annotations

import os
import sqlite3
import sys
from contextlib import closing, suppress
from datetime import UTC, datetime
from pathlib import Path

from companion.config import rename_without_overwriting

from ..models import db
from .startup import Unusable, needs_migrating

# of version 0001
_FIRST_TABLES = {"player_group", "night", "player", "change", "line", "revision", "transfer"}


def copy(database: Path, target: Path) -> None:
    """Copy a database, even while in use, to a new file of its owner's alone, which appears complete or not at all.

    Raises FileExistsError if the file exists, other OSErrors, and sqlite3.Error.
    """
    draft = target.with_name(f"{target.name}.{os.getpid()}.part")
    try:
        with suppress(OSError):  # opening it says what is wrong
            draft.touch(0o600)
        with closing(_opened(database)) as source, closing(_opened(draft)) as made:
            source.backup(made)
            made.execute("PRAGMA journal_mode=DELETE")  # keep everything in one file
        with draft.open("rb+") as file:  # Windows only flushes writable files
            os.fsync(file.fileno())
        rename_without_overwriting(draft, target)
    finally:
        draft.unlink(missing_ok=True)
    _sync(target.parent)


def rounds_in(database: Path) -> int:
    """Count the rounds in a database; 0 if it is older than its column for the games."""
    with closing(_opened(database)) as connection, suppress(sqlite3.Error):
        (rounds,) = connection.execute("SELECT count(*) FROM line WHERE game IS NOT NULL").fetchone()
        return int(rounds)
    return 0


def copy_beside(database: Path, occasion: str) -> Path:
    """Copy a database to the same folder, named after the occasion and the time."""
    target = _beside(database, occasion)
    copy(database, target)
    return target


def restore(backup: Path, database: Path) -> Path | None:
    """Replace a database by a backup in one step, even while the app runs; returns the copy of the previous database.

    A damaged database is moved aside instead. Raises Unusable if the file isn't a backup, or is newer than the app.
    """
    _must_be_backup(backup)
    kept = _keep_current(database) if database.exists() else None
    if not database.exists():
        database.touch(0o600)
    with closing(_opened(backup)) as source, closing(_opened(database)) as target:
        target.execute("PRAGMA synchronous=FULL")
        source.backup(target)
    _sync(database.parent)
    return kept


def _must_be_backup(backup: Path) -> None:
    if not backup.is_file():
        raise Unusable(f"There is no file {backup}.")
    try:
        with closing(_opened(backup)) as connection:
            (verdict,) = connection.execute("PRAGMA integrity_check(1)").fetchone()
            (version,) = connection.execute("SELECT version_num FROM alembic_version").fetchone() or (None,)
            rows = connection.execute("SELECT m.name, c.name FROM sqlite_master m, pragma_table_info(m.name) c")
            there = set(rows.fetchall())
    except sqlite3.Error as error:
        raise Unusable(f"{backup} isn't a backup of this app: {error}. Choose another file.") from error
    if verdict != "ok":
        raise Unusable(f"{backup} is damaged: {verdict}. Choose another backup.")
    lacks = sorted(_columns(is_newest=not needs_migrating(version)) - there)
    if lacks:
        raise Unusable(f"{backup} isn't a backup of this app: it has no {'.'.join(lacks[0])}. Choose another file.")


def _columns(*, is_newest: bool) -> set[tuple[str, str]]:
    """List the columns of this app's tables; of an older version, only the keys of its first tables."""
    tables = db.metadata.tables.values()
    if is_newest:
        return {(table.name, column.name) for table in tables for column in table.columns}
    return {(table.name, "id") for table in tables if table.name in _FIRST_TABLES}


def _keep_current(database: Path) -> Path:
    try:
        with closing(_opened(database)) as connection:
            (verdict,) = connection.execute("PRAGMA quick_check(1)").fetchone()
    except sqlite3.DatabaseError as error:
        verdict = str(error)
    if verdict == "ok":
        return copy_beside(database, "before-restore")
    aside = _beside(database, "damaged")
    for end in ("", "-wal", "-shm"):
        there = database.with_name(database.name + end)
        if there.exists():
            there.rename(aside.with_name(aside.name + end))
    return aside


def _beside(database: Path, occasion: str) -> Path:
    return database.with_name(f"{database.stem}-{occasion}-{datetime.now(UTC):%Y%m%dT%H%M%S%fZ}{database.suffix}")


def _opened(path: Path) -> sqlite3.Connection:
    """Open an existing database; never creates one."""
    return sqlite3.connect(f"{path.absolute().as_uri()}?mode=rw", uri=True, timeout=10)


def _sync(folder: Path) -> None:
    """Flush a folder's directory entries to disk. Windows can't open folders, and doesn't need this."""
    if sys.platform == "win32":
        return
    opened = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)
