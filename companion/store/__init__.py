"""Storage: groups, nights, their rounds and the ledger. How a round settles is up to the contract and the games.

The rooms, from the bottom up; each imports only from those listed before it:

- `models`: the tables
- `db`: the connection, transactions, faults, startup, backups, locks, counters
- `log`: the truth: what lines move (`replay`), the transfers (`ledger`), what people typed, forms sent again, and the
  events that webhooks wait for (`deliveries`)
- `history`: results of rounds and their sums, so that a long history opens fast
- `groups`: groups, their links and saved house rules; deleting a group
- `money`: stacks, what is owed, plans to settle up
- `night`: a night: `change` makes a change exactly once, `play` adds its lines, `revising` corrects and voids them; the
  round being entered (`drafts`, `hand_in_play`; what may be done in it is up to `companion.table`), phones, chips, what
  pages read of it
- `portable`: a group as a file, which `format` describes

Beside them: `audit` checks a whole database, `upkeep` notes when; `night_key` for statements about a night, `refusals`
are shared.
"""

from __future__ import annotations

from pathlib import Path

import click
from flask import Flask
from flask.cli import ScriptInfo
from sqlalchemy.exc import SQLAlchemyError

from .db import news
from .db.database import end_reading, prepare
from .db.startup import (
    check_large_file,
    make_file,
    make_private,
    migrate,
    must_exist,
    needs_upgrade,
    newest,
    refuse_emptied,
    refuse_to_migrate,
    register_migrations,
    version,
)
from .models import db


def init_app(app: Flask) -> None:
    """Prepare the connection to the database, without opening it."""
    db.init_app(app)
    app.teardown_appcontext(end_reading)
    with app.app_context():
        prepare(db.engine)
        news.init_app(app)
    if _is_loaded_by_flask_command():  # for `flask db`; the server starts faster without it
        register_migrations(app)


def open_database(app: Flask) -> None:
    """Check the database, and make it or migrate it to the newest version; raises Unusable if that fails.

    With `MAKES_DATABASE` off, one that is missing, empty or older is Unusable as well.
    """
    with app.app_context():
        if app.secret_key:
            refuse_emptied(db.engine)
        if app.config["MAKES_DATABASE"]:
            make_file(db.engine, Path(app.instance_path))
            for file in make_private(db.engine, Path(app.instance_path)):
                app.logger.warning("Other users of this computer could read %s; they no longer can", file)
        else:
            must_exist(db.engine)
        try:
            if needs_upgrade(db.engine):
                if not app.config["MAKES_DATABASE"]:
                    refuse_to_migrate(db.engine)
                migrate(app)
        except BaseException:
            db.engine.dispose()
            raise
        check_large_file(app)


def _is_loaded_by_flask_command() -> bool:
    """Return whether Flask's own command, such as `flask --app companion db`, is loading the app."""
    context = click.get_current_context(silent=True)
    return context is not None and isinstance(context.obj, ScriptInfo)


def is_ready() -> bool:
    """Return whether the database has this app's version; raises SQLAlchemy's error if it is unreachable."""
    with db.engine.connect() as connection:
        return version(connection) == newest()


def is_replaced() -> bool:
    """Return whether the database is another version's, or empty: it is being restored or migrated by somebody else."""
    try:
        return not is_ready()
    except SQLAlchemyError:
        return True
