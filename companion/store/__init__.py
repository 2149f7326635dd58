"""What is kept: groups, sessions, their rounds and the ledger. It asks the contract what a round comes to."""

from __future__ import annotations

import sys

from flask import Flask

from .database import end_reading, prepare
from .models import db
from .startup import needs_upgrade, newest, refuse_emptied, version


def init_app(app: Flask) -> None:
    """Bind the database, check it and bring it to the newest version; raises Unusable where it is unfit."""
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
    if "flask_migrate" in sys.modules:  # `flask db` loads it, and asks the app; otherwise it would slow down the start
        from .upgrading import know_migrations

        know_migrations(app)


def is_ready() -> bool:
    """Tell whether the database answers, in the version of this app; raises what SQLAlchemy does where it is away."""
    with db.engine.connect() as connection:
        return version(connection) == newest()
