"""Database maintenance commands: check, migrate, audit, backup and restore."""

from __future__ import annotations

import json
import os
import re
import sqlite3
import subprocess
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path

import click
from sqlalchemy.engine import URL, make_url

from companion import __version__
from companion.config import read_settings, rename_without_overwriting
from companion.store import upkeep
from companion.store.db import backup as backups
from companion.store.db.database import transaction
from companion.store.db.startup import WHICH, Unusable, version
from companion.store.groups.groups import all_groups
from companion.store.models import db, now

from ..existing import existing_database, not_settled_again, open_database, rounds_of
from ..whole_numbers import WholeNumber

_NAME = "companion-%Y%m%dT%H%M%S%fZ"
_COPY = re.compile(r"companion-\d{8}T\d{12}Z\.(db|dump)")
_FILE = click.argument("file", type=click.Path(path_type=Path))


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print a JSON object.")
def check(as_json: bool) -> int:
    """Check the settings and the database without changing anything.

    Exit status 1 if a setting is wrong, or if the database is missing, damaged, older or newer than this app.
    """
    with existing_database() as app, db.engine.connect() as connection:
        report: dict[str, object] = {
            "version": __version__,
            "database": db.engine.url.render_as_string(),
            "database_version": version(connection),
            "instance": app.instance_path,
            "public_url": app.config["PUBLIC_URL"] or None,
        }
        done = upkeep.last_done(connection)
    for kind in ("audit", "backup"):
        report[f"last_{kind}"] = f"{done[kind].at:%Y-%m-%dT%H:%M:%SZ}" if kind in done else None
        report[f"{kind}_days_ago"] = (now() - done[kind].at).days if kind in done else None
    report["audit_errors"] = done["audit"].errors if "audit" in done else None
    lines = (f"{name}: {'none' if value is None else value}" for name, value in report.items())
    print(json.dumps(report) if as_json else "\n".join(lines))
    return 0


@click.command()
def migrate() -> int:
    """Make the database, or upgrade it to this version, without serving the app."""
    with existing_database(makes=True), db.engine.connect() as connection:
        print(f"The database has version {version(connection)}.")
    return 0


@click.command()
def audit() -> int:
    """Settle every stored round again and compare the results with the database."""
    with existing_database():
        return _audit()


@click.command()
def recount() -> int:
    """Work out all results again from the log, such as after a game's file was added to the instance folder."""
    from companion.store.history.recording import rebuild

    with existing_database():
        for group in all_groups():
            with transaction():
                rebuild(group)
    print("All results are worked out again.")
    return 0


def _audit() -> int:
    """Print every inconsistency in the database; returns 1 if there is any."""
    from companion.store.audit import audit as find_errors

    wrong = list(find_errors())
    upkeep.note("audit", len(wrong))
    print(*(f"{line}\n" for line in not_settled_again()), sep="", end="")
    print(*wrong, f"{len(wrong)} errors found." if wrong else "No errors in any round, balance or pot.", sep="\n")
    return 1 if wrong else 0


@click.command()
@_FILE
@click.option("--keep", type=WholeNumber(1), help="FILE is a folder of backups; keep this many of them.")
def backup(file: Path, keep: int | None) -> int:
    """Copy the database to a new file, even while the app runs.

    That of PostgreSQL is dumped with pg_dump, for pg_restore.
    """
    if keep is None:
        _copy(file)
    else:
        _copy_keeping(file, keep)
    return 0


def _copy(file: Path) -> None:
    url = _database()
    if url.get_backend_name() == "sqlite":
        _copy_sqlite(file)
    else:
        _dump(url, file)
    with suppress(Unusable), open_database():  # a database that this version has yet to upgrade can't store it
        upkeep.note("backup")


def _dump(url: URL, file: Path) -> None:
    """Write PostgreSQL's own format; the file appears under its name only when it is whole."""
    place = url.set(drivername="postgresql", password=None).render_as_string()
    password = {"PGPASSWORD": str(url.password)} if url.password else {}
    part = file.with_name(f"{file.name}.part")
    part.touch(0o600)
    command = ["pg_dump", "--format=custom", "--no-password", f"--file={part}", f"--dbname={place}"]
    try:
        subprocess.run(command, env=os.environ | password, check=True)
        rename_without_overwriting(part, file)
    except FileNotFoundError as error:
        raise Unusable(
            "Dumping PostgreSQL needs pg_dump. Install it with: apt-get install postgresql-client"
        ) from error
    except subprocess.CalledProcessError as error:
        raise Unusable(f"pg_dump failed, so {file} wasn't written; what it said is above.") from error
    finally:
        part.unlink(missing_ok=True)
    print(f"Dumped {place} to {file}.")


def _copy_sqlite(file: Path) -> None:
    database = _sqlite_file("")
    if not database.exists():
        raise Unusable(f"There is no database at {database}. {WHICH}")
    try:
        backups.copy(database, file)
    except sqlite3.Error as error:
        raise Unusable(
            f"{database} couldn't be copied to {file}: {error}. Check the free space and the permissions there."
        ) from error
    print(f"Copied {rounds_of(backups.rounds_in(file))} of {database} to {file}.", end=" ")
    print(f"Back up the key that signs cookies separately: {database.parent}/secret_key")


def _copy_keeping(folder: Path, number: int) -> None:
    """Copy the database into a folder, named by the time, and delete all but the newest `number` copies."""
    folder.mkdir(parents=True, exist_ok=True)
    earlier = sorted(file.name for file in folder.iterdir() if _COPY.fullmatch(file.name))
    at = datetime.now(UTC)
    if earlier and f"{at:{_NAME}}" <= earlier[-1].partition(".")[0]:
        # the clock was set back: this copy is the newest all the same
        at = datetime.strptime(earlier[-1].partition(".")[0], _NAME).replace(tzinfo=UTC) + timedelta(microseconds=1)
    _copy(folder / f"{at:{_NAME}}.{'db' if _database().get_backend_name() == 'sqlite' else 'dump'}")
    copies = sorted(file for file in folder.iterdir() if _COPY.fullmatch(file.name))
    for kept in copies[-number:]:
        kept.chmod(0o600)  # earlier versions left them readable
    for old in copies[:-number]:
        old.unlink()
        print(f"Deleted {old}, keeping the {number} newest.")


@click.command()
@_FILE
def restore(file: Path) -> int:
    """Replace the database by a backup.

    The old database is kept in a file next to it.
    """
    database = _sqlite_file("pg_restore, into an empty database")
    database.parent.mkdir(parents=True, exist_ok=True)
    kept = backups.restore(file, database)
    print(
        f"Restored {rounds_of(backups.rounds_in(database))} to {database} from {file}."
        + (f" The old database is in {kept}." if kept else "")
    )
    with existing_database(makes=True):  # which migrates it to this version of the app
        return _audit()


def _database() -> URL:
    return make_url(str(read_settings()["SQLALCHEMY_DATABASE_URI"]))


def _sqlite_file(otherwise: str) -> Path:
    """Return the SQLite database's file. For other databases raises Unusable, naming the tool to use instead."""
    url = _database()
    if url.get_backend_name() != "sqlite" or not url.database:
        raise Unusable(f"The database {url.render_as_string()} isn't SQLite. Use its own tool: {otherwise}")
    return Path(url.database)
