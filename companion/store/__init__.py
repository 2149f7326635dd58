"""What is kept: groups, sessions, their rounds and the ledger. It asks the contract what a round comes to."""

from __future__ import annotations

from flask import Flask

from .database import end_reading, prepare
from .models import db
from .startup import needs_upgrade, newest, version


def init_app(app: Flask) -> None:
    """Bind the database, check it and bring it to the newest version; raises Unusable where it is unfit."""
    db.init_app(app)
    app.teardown_appcontext(end_reading)
    with app.app_context():
        prepare(db.engine)
        try:
            if needs_upgrade(db.engine):
                from .upgrading import bring_to_newest

                bring_to_newest(app)
        except BaseException:
            db.engine.dispose()
            raise


def is_ready() -> bool:
    """Tell whether the database answers, in the version of this app; raises what SQLAlchemy does where it is away."""
    with db.engine.connect() as connection:
        return version(connection) == newest()
