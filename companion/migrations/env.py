"""Runs the migrations on the app's own database."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from alembic import context
from flask import current_app
from sqlalchemy import Connection

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


def run() -> None:
    """Bring the database to the wanted version, in one transaction where it can."""
    with database.engine.connect() as connection, _without_foreign_keys(connection):
        connection = connection.execution_options(companion_changes=True)
        if connection.dialect.name == "postgresql":
            # processes that start at once wait for the one that migrates
            connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_LOCK})")
        context.configure(
            connection=connection,
            target_metadata=database.metadata,
            **current_app.extensions["migrate"].configure_args,
        )
        with context.begin_transaction():
            context.run_migrations()
        connection.commit()


run()
