"""Opens the database for a command, and says which one it is. Only serving the app makes or upgrades a database."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from flask import Flask
from sqlalchemy import func, select

from companion import create_app
from companion.store.models import Line, db


@contextmanager
def existing_database(*, makes: bool = False) -> Iterator[Flask]:
    """Open the app within its context, and print which database it has, with its rounds, beside the command's output.

    Raises Unusable without a database, or with an empty or older one, unless `makes`.
    """
    app = create_app({"MAKES_DATABASE": makes})
    with app.app_context():
        rounds = db.session.scalar(select(func.count()).select_from(Line).where(Line.game.is_not(None)))
        print(f"Database: {db.engine.url.render_as_string()}, {rounds_of(rounds or 0)}", file=sys.stderr)
        yield app


def rounds_of(number: int) -> str:
    """Return a number of rounds in words."""
    return f"{number:,} round{'' if number == 1 else 's'}"
