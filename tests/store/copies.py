"""Copies of what many tests begin with: it is made once per run (and worker), and a copy takes a millisecond."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import Any, TypeVar

from companion.store.db.news import unchanged
from companion.store.models import db

Made = TypeVar("Made")
_kept: dict[object, tuple[bytes, Any]] = {}


def _database() -> Path:
    """Return the app's SQLite file after closing all connections; the last one folds the journal into it."""
    db.session.remove()
    db.engine.dispose()
    return Path(str(db.engine.url.database))


def put(content: bytes) -> None:
    """Put a database's content in the place of the app's SQLite file; emptying all tables takes five times as long."""
    _database().write_bytes(content)
    unchanged().forget(())
    unchanged().take_changed()


def kept(kind: object, make: Callable[[], Made]) -> Made:
    """Return what `make` returns, which changes the app's empty database; on SQLite, later copies of both.

    What it returns has to hold keys and ids, and no rows.
    """
    if db.engine.dialect.name != "sqlite":
        return make()
    if kind in _kept:
        content, made = _kept[kind]
        put(content)
        return deepcopy(made)
    made = make()
    _kept[kind] = _database().read_bytes(), deepcopy(made)
    return made
