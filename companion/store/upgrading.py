"""Migrates the database. Imported only when needed, because loading Alembic takes a third of the startup time."""

from __future__ import annotations

from flask import Flask
from flask_migrate import Migrate, upgrade

from .models import db
from .startup import MIGRATIONS


def migrate(app: Flask) -> None:
    """Run the pending migrations; needs an app context."""
    register_migrations(app)
    upgrade()


def register_migrations(app: Flask) -> None:
    """Register the app and its migrations with Flask-Migrate."""
    Migrate(app, db, directory=str(MIGRATIONS), render_as_batch=True)
