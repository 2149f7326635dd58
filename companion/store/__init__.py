"""What is kept: groups, sessions, their rounds and the ledger. It asks the contract what a round comes to."""

from __future__ import annotations

from pathlib import Path

from flask import Flask
from flask_migrate import Migrate, upgrade

from .database import prepare_sqlite
from .models import db

migrate = Migrate()
_MIGRATIONS = Path(__file__).resolve().parent.parent / "migrations"


def init_app(app: Flask) -> None:
    """Bind the database and bring it to the newest version."""
    db.init_app(app)
    migrate.init_app(app, db, directory=str(_MIGRATIONS), render_as_batch=True)
    with app.app_context():
        prepare_sqlite(db.engine)
        upgrade()
