"""Opens the database for a command, and says which one it is. Only serving the app makes or upgrades a database."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from flask import Flask
from sqlalchemy import func, select

from companion import create_app
from companion.store.audit import rounds_of_absent_games
from companion.store.models import Line, db


@contextmanager
def existing_database(*, makes: bool = False) -> Iterator[Flask]:
    """Open the app within its context, and print which database it has, with its rounds, beside the command's output.

    Raises Unusable without a database, or with an empty or older one, unless `makes`.
    """
    with open_database(makes=makes) as app:
        rounds = db.session.scalar(select(func.count()).select_from(Line).where(Line.game.is_not(None)))
        print(f"Database: {db.engine.url.render_as_string()}, {rounds_of(rounds or 0)}", file=sys.stderr)
        print(*(f"{line}\n" for line in own_games(app)), sep="", end="", file=sys.stderr)
        yield app


def own_games(app: Flask) -> list[str]:
    """Say which games of the instance folder are in use, and why others aren't."""
    loaded = app.extensions["own_games"]
    names = ", ".join(game.name for game in loaded.games)
    return [*([f"This table's own games: {names}."] if names else []), *loaded.left_out]


def not_settled_again(group_id: int | None = None) -> Iterator[str]:
    """Yield a sentence for each game that isn't installed, about its rounds in the database or in a group."""
    for key, rounds in rounds_of_absent_games(group_id).items():
        what = "wasn't" if rounds == 1 else "weren't"
        why = f"the game {key} isn't installed here, so only sums, pot and nets were checked"
        yield f"{rounds_of(rounds)} {what} settled again: {why}."


@contextmanager
def open_database(*, makes: bool = False) -> Iterator[Flask]:
    """Open the app within its context, without a word."""
    app = create_app({"MAKES_DATABASE": makes})
    with app.app_context():
        yield app


def rounds_of(number: int) -> str:
    """Return a number of rounds in words."""
    return f"{number:,} round{'' if number == 1 else 's'}"
