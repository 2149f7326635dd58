"""Storage: groups, sessions, their rounds and the ledger. What a round comes to is the contract's business."""

from __future__ import annotations

import sys

from flask import Flask

from .database import end_reading, prepare
from .models import db
from .startup import needs_upgrade, newest, refuse_emptied, version


def init_app(app: Flask) -> None:
    """Connect the database, check it, and migrate it to the newest version; raises Unusable if that fails."""
    db.init_app(app)
    app.teardown_appcontext(end_reading)
    with app.app_context():
        prepare(db.engine)
        if app.secret_key:
            refuse_emptied(db.engine)
        try:
            if needs_upgrade(db.engine):
                from .upgrading import bring_to_newest

                bring_to_newest(app)
        except BaseException:
            db.engine.dispose()
            raise
    if "flask_migrate" in sys.modules:  # loaded by `flask db`; it would slow down the start
        from .upgrading import know_migrations

        know_migrations(app)


def is_ready() -> bool:
    """Return whether the database has this app's version; raises SQLAlchemy's error if it is unreachable."""
    with db.engine.connect() as connection:
        return version(connection) == newest()
