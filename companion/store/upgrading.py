"""Migrates the database. Imported only when needed, because loading Alembic takes a third of the startup time."""

from __future__ import annotations

from flask import Flask
from flask_migrate import Migrate, upgrade

from .models import db
from .startup import MIGRATIONS


def bring_to_newest(app: Flask) -> None:
    """Run the pending migrations; needs an app context."""
    know_migrations(app)
    upgrade()


def know_migrations(app: Flask) -> None:
    """Register the app and its migrations with Flask-Migrate."""
    Migrate(app, db, directory=str(MIGRATIONS), render_as_batch=True)
