"""Storage: groups, sessions, their rounds and the ledger. How a round settles is up to the contract and the games.

- the log: `change` makes a change exactly once, `play` changes the lines, `replay` works out what they move, `ledger`
  writes it; `before_round`, `night` and `audit` read it
- a night: `night_changes`, `phones`, `chips` and `stacks`
- the round being entered: `drafts`, `hand_in_play`; what may be done in it is up to `companion.table`
- a group: `groups`, `links`, `rule_sets`, `settle_up` with `debts`, `deleting`, `demo`; as a file: `portable`
- history: `recording` keeps the sums in `tallies`, `history` reads them
- the database: `models`, `database`, `prepared`, `faults`, `startup`, `backup`, `locks`; rate limits: `attempts`,
  `limit_storage`
- shared: `identities` of players, `night_key` for statements about a night, `refusals`
"""

from __future__ import annotations

from pathlib import Path

import click
from flask import Flask
from flask.cli import ScriptInfo
from sqlalchemy.exc import SQLAlchemyError

from .database import end_reading, prepare
from .models import db
from .startup import (
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


def init_app(app: Flask) -> None:
    """Connect the database, check it, and make it or migrate it to the newest version; raises Unusable if that fails.

    With `MAKES_DATABASE` off, one that is missing, empty or older is Unusable as well.
    """
    db.init_app(app)
    app.teardown_appcontext(end_reading)
    with app.app_context():
        prepare(db.engine)
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
    if _is_loaded_by_flask_command():  # for `flask db`; the server starts faster without it
        register_migrations(app)


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
