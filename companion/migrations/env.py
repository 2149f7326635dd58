"""Runs the migrations on the app's own database."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from alembic import context
from flask import current_app
from sqlalchemy import Connection

from companion.store.db.backup import copy_beside

_LOCK = 7401  # any number of our own
_MAX_WAIT = 120_000  # milliseconds
database = current_app.extensions["migrate"].db


@contextmanager
def _sqlite_prepared(connection: Connection) -> Iterator[None]:
    """Let SQLite replace tables that others refer to, and wait while another process migrates.

    SQLite ignores these settings within a transaction, so they come before it.
    """
    if connection.dialect.name != "sqlite":
        yield
        return
    driver = connection.connection.driver_connection
    assert driver is not None
    (usual,) = driver.execute("PRAGMA busy_timeout").fetchone()
    driver.execute("PRAGMA foreign_keys=OFF")
    driver.execute(f"PRAGMA busy_timeout={_MAX_WAIT}")
    try:
        yield
    finally:
        driver.execute("PRAGMA foreign_keys=ON")
        driver.execute(f"PRAGMA busy_timeout={usual}")


def _copy_first(connection: Connection) -> None:
    """Copy an SQLite database before it is migrated, unless it has no groups.

    The transaction has begun already, so nobody writes meanwhile, and a second process finds nothing left to migrate.
    """
    version, newest = context.get_context().get_current_revision(), context.get_head_revision()
    if connection.dialect.name != "sqlite" or version in (None, newest):
        return
    if connection.exec_driver_sql("SELECT EXISTS (SELECT 1 FROM player_group)").scalar():
        copy_beside(Path(str(connection.engine.url.database)), f"before-{newest}")


def _is_compared(it: Any, name: str | None, kind: str, is_in_database: bool, _model: object) -> bool:
    """Return whether Alembic compares an object with the models.

    Not the unique constraints that SQLite has in place of a primary key with the group's id (models/base.py).
    """
    if not is_in_database or kind != "unique_constraint":
        return True
    return name not in {f"uq_{it.table.name}_{key}" for key in ("id_group_id", "group_id_id")}


def run() -> None:
    """Migrate the database in one transaction; other processes that start at the same time wait until it ends."""
    with database.engine.connect() as connection, _sqlite_prepared(connection):
        connection.execution_options(companion_changes=True)
        # begun before Alembic does: on SQLite, it would commit each step, and other processes could get in between
        with connection.begin():
            if connection.dialect.name == "postgresql":
                connection.exec_driver_sql("SET LOCAL lock_timeout = 0")
                connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_LOCK})")
            context.configure(
                connection=connection,
                target_metadata=database.metadata,
                include_object=_is_compared,
                **current_app.extensions["migrate"].configure_args,
            )
            _copy_first(connection)
            version = context.get_context().get_current_revision()
            context.run_migrations()
            reached = context.get_context().get_current_revision()
    if version != reached and None not in (version, reached):  # not of a new database
        current_app.logger.warning("Migrated the database from version %s to %s", version, reached)


run()
