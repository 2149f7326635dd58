"""Before the app starts: checks that the database answers, is intact and isn't newer than the app, and migrates it."""

from __future__ import annotations

import re
import sys
import time
from contextlib import suppress
from pathlib import Path
from threading import Timer
from typing import NoReturn

from flask import Flask, current_app
from sqlalchemy import Connection, Engine, inspect
from sqlalchemy.exc import DBAPIError

from companion.folders import command

from ..models import db
from .database import sqlite_file
from .faults import fault

MIGRATIONS = Path(__file__).resolve().parents[2] / "migrations"
_RESTORE = f"Restore a backup: {command('restore FILE')}"
WHICH = "Commands need the settings with which the app is served: COMPANION_INSTANCE or DATABASE_URL."
_OTHERS = 0o007  # the rights of all other users; a group's, such as that of backups, is the owner's decision
_MAX_WAIT = 1.0  # seconds, while another process creates the file
_CHECKED_AT_ONCE = 2 * 1024 * 1024  # bytes; checking them takes some 5 ms
_CHECKED_AFTER = 2.0  # seconds, so that the first pages come first


class Unusable(Exception):  # noqa: N818 - a refusal shown to the user, not a bug
    """A database that the app can't start with; the message says why and what to do."""


class Newer(Unusable):
    """A database of a newer version of the app."""


def refuse_emptied(engine: Engine) -> None:
    """Raise Unusable for a zero-byte SQLite file if the app has run before.

    SQLite would treat the file as a new database. If another process is just creating it, wait for that.
    """
    file = Path(engine.url.database or "")
    latest = time.monotonic() + _MAX_WAIT
    while engine.dialect.name == "sqlite" and file.is_file() and not file.stat().st_size:
        if time.monotonic() > latest:
            text = f"The database {file} is empty (0 bytes), though the app has run here before. {_RESTORE}"
            raise Unusable(f"{text}. Or delete the empty file to start with a new database.")
        time.sleep(0.05)


def make_file(engine: Engine, instance: Path) -> None:
    """Create an SQLite database's file, readable only by its owner, and the instance folder, if they are missing."""
    file = sqlite_file(engine.url)
    if file is None:
        return
    if file.parent == instance:
        instance.mkdir(0o700, parents=True, exist_ok=True)
    with suppress(OSError):  # if it is missing after all, opening it says why
        file.touch(0o600)


def make_private(engine: Engine, instance: Path) -> list[Path]:
    """Take the rights of other users from what earlier versions left readable; returns those files."""
    if sys.platform == "win32":
        return []
    paths = [instance / "secret_key", instance / "certificate.pem"]
    file = sqlite_file(engine.url)
    if file is not None and file.parent.is_dir():
        ours = re.compile(rf"{re.escape(file.stem)}(-.+)?{re.escape(file.suffix)}(-\w+)?")
        paths += [path for path in file.parent.iterdir() if ours.fullmatch(path.name)]
    readable = []
    for path in paths:
        with suppress(OSError):  # it is gone, or belongs to somebody else
            if path.stat().st_mode & _OTHERS:
                path.chmod(0o600)
                readable.append(path)
    return readable


def needs_upgrade(engine: Engine) -> bool:
    """Check the database, and return whether it is empty or has an older version; raises Unusable.

    Where there are threads, a large SQLite file is only opened here; see `check_large_file`.
    """
    place = engine.url.render_as_string()  # without the password
    try:
        with engine.connect() as connection:
            if connection.dialect.name == "sqlite" and not _is_large(engine):
                _must_be_whole(connection, place)
            current = version(connection)
        if engine.dialect.name == "sqlite" and current:
            _must_be_writable(engine)
    except DBAPIError as error:
        raise Unusable(_sentence(error, place)) from error
    return needs_migrating(current)


def must_exist(engine: Engine) -> None:
    """Raise Unusable if an SQLite database's file is missing."""
    file = sqlite_file(engine.url)
    if file is not None and not file.exists():
        raise Unusable(f"There is no database at {file}. {WHICH}")


def refuse_to_migrate(engine: Engine) -> NoReturn:
    """Raise Unusable for a database that is empty or older than the app, which only serving the app changes."""
    with engine.connect() as connection:
        current = version(connection)
    place = engine.url.render_as_string()
    if current is None:
        raise Unusable(f"The database {place} is empty: the app hasn't run on it yet. {WHICH}")
    text = f"The database {place} has an older version ({current}; this app: {newest()})"
    raise Unusable(f"{text}. Restart the app first: it upgrades its database.")


def _is_large(engine: Engine) -> bool:
    file = Path(engine.url.database or "")
    return current_app.config["PLATFORM"].threads and file.is_file() and file.stat().st_size > _CHECKED_AT_ONCE


def check_large_file(app: Flask, after: float = _CHECKED_AFTER) -> Timer | None:
    """Check a large SQLite file in the background, and log any damage; returns None if the file isn't large.

    Otherwise the start would have to wait: with a million rounds, five seconds.
    """
    engine = db.engine
    if engine.dialect.name != "sqlite" or not _is_large(engine):
        return None

    def check() -> None:
        try:
            with engine.connect() as connection:
                _must_be_whole(connection, engine.url.render_as_string())
        except Unusable as damaged:
            app.logger.critical(damaged)
        except DBAPIError as error:
            app.logger.critical(_sentence(error, engine.url.render_as_string()))

    timer = Timer(after, check)
    timer.daemon = True
    timer.start()
    return timer


def newest() -> str:
    """Return the newest database version this app knows."""
    return max(_known_versions())


def _known_versions() -> set[str]:
    """List the known versions, from the names of the migrations: 0001_groups_nights_and_ledgers.py."""
    return {file.name.partition("_")[0] for file in MIGRATIONS.glob("versions/[0-9]*.py")}


def version(connection: Connection) -> str | None:
    """Return a database's version; None if it is empty."""
    if not inspect(connection).has_table("alembic_version"):
        return None
    current: str | None = connection.exec_driver_sql("SELECT version_num FROM alembic_version").scalar_one_or_none()
    return current


def needs_migrating(current: str | None) -> bool:
    """Return whether a version is older than the newest; raises Unusable if this app doesn't know it."""
    if current is not None and current not in _known_versions():
        text = f"The database is of a newer version of this app ({current}; this one knows those up to {newest()})."
        raise Newer(f"{text} Update the app, or restore a backup of the older one: {command('restore FILE')}")
    return current != newest()


def migrate(app: Flask) -> None:
    """Run the pending migrations in one transaction; raises Unusable if one fails. Needs an app context."""
    from flask_migrate import upgrade

    register_migrations(app)
    try:
        upgrade()
    except DBAPIError as error:
        said = str(error.orig).strip().partition("\n")[0]
        text = f"The database {db.engine.url.render_as_string()} couldn't be upgraded, and is as it was: {said}."
        raise Unusable(f"{text} If a dump was restored over another database, restore it to an empty one.") from error


def register_migrations(app: Flask) -> None:
    """Register the app and its migrations with Flask-Migrate."""
    from flask_migrate import Migrate  # loading it takes a third of the startup time

    Migrate(app, db, directory=str(MIGRATIONS), render_as_batch=True)


def _must_be_whole(connection: Connection, place: str) -> None:
    verdict = connection.exec_driver_sql("PRAGMA quick_check(1)").scalar_one()
    if verdict != "ok":
        raise Unusable(f"The database {place} is damaged: {verdict.splitlines()[0]}. {_RESTORE}")


def _must_be_writable(engine: Engine) -> None:
    with engine.connect().execution_options(companion_changes=True) as connection:
        connection.exec_driver_sql("UPDATE alembic_version SET version_num = version_num")
        connection.rollback()


def _sentence(error: DBAPIError, place: str) -> str:
    said = str(error.orig).strip().partition("\n")[0]
    code = getattr(error.orig, "sqlite_errorname", None)
    if code is None:
        return f"The database {place} does not answer: {said}. Check DATABASE_URL, and that the server runs."
    if code.startswith(("SQLITE_CORRUPT", "SQLITE_NOTADB")):
        return f"The database {place} is damaged: {said}. {_RESTORE}"
    if fault(error):
        rights = "Check that its folder exists, has room, and that this user may write in it and in the file."
        return f"The database {place} cannot be used: {said}. {rights}"
    return f"The database {place} doesn't belong to this app: {said}. Choose another with DATABASE_URL."
