"""Runs the migrations on the app's own database."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from alembic import context
from flask import current_app
from sqlalchemy import Connection

from companion.store.backup import copy_beside

_LOCK = 7401  # any number of our own
database = current_app.extensions["migrate"].db


@contextmanager
def _without_foreign_keys(connection: Connection) -> Iterator[None]:
    """Let SQLite replace tables that others point at; it heeds this only outside of a transaction."""
    if connection.dialect.name != "sqlite":
        yield
        return
    driver = connection.connection.driver_connection
    assert driver is not None
    driver.execute("PRAGMA foreign_keys=OFF")
    try:
        yield
    finally:
        driver.execute("PRAGMA foreign_keys=ON")


def _copy_first(connection: Connection) -> None:
    """Copy an SQLite database that holds something before it is brought to another version.

    Whoever migrates has begun its transaction: nobody writes meanwhile, and a second process finds nothing to do.
    """
    found, newest = context.get_context().get_current_revision(), context.get_head_revision()
    if connection.dialect.name != "sqlite" or found in (None, newest):
        return
    if connection.exec_driver_sql("SELECT EXISTS (SELECT 1 FROM player_group)").scalar():
        copy_beside(Path(str(connection.engine.url.database)), f"before-{newest}")


def run() -> None:
    """Bring the database to the wanted version, in one transaction where it can."""
    with database.engine.connect() as connection, _without_foreign_keys(connection):
        connection = connection.execution_options(companion_changes=True)
        if connection.dialect.name == "postgresql":
            # processes that start at once wait for the one that migrates
            connection.exec_driver_sql("SET LOCAL lock_timeout = 0")
            connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_LOCK})")
        context.configure(
            connection=connection,
            target_metadata=database.metadata,
            **current_app.extensions["migrate"].configure_args,
        )
        _copy_first(connection)
        with context.begin_transaction():
            context.run_migrations()
        connection.commit()


run()
