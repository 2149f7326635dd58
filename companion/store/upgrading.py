"""Brings the database to the newest version. It loads Alembic, a third of a start, so it is imported when needed."""

from __future__ import annotations

from flask import Flask
from flask_migrate import Migrate, upgrade

from .models import db
from .startup import MIGRATIONS


def bring_to_newest(app: Flask) -> None:
    """Run the migrations that the app's database has not seen; inside of the app's context."""
    know_migrations(app)
    upgrade()


def know_migrations(app: Flask) -> None:
    """Tell Flask-Migrate of the app, and where its migrations are."""
    Migrate(app, db, directory=str(MIGRATIONS), render_as_batch=True)
