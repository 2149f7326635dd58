"""Runs the migrations on the app's own database."""

from __future__ import annotations

from alembic import context
from flask import current_app

database = current_app.extensions["migrate"].db


def run() -> None:
    """Bring the database to the wanted version, in one transaction where it can."""
    with database.engine.connect().execution_options(companion_changes=True) as connection:
        context.configure(
            connection=connection,
            target_metadata=database.metadata,
            **current_app.extensions["migrate"].configure_args,
        )
        with context.begin_transaction():
            context.run_migrations()
        connection.commit()


run()
