"""Database access: SQLite's pragmas, atomic transactions, reads that don't wait for a writer."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from flask import Flask
from nights import PlayedNight
from sqlalchemy import func, select, text
from sqlalchemy.exc import OperationalError
from waiting import MAX_SECONDS

from companion import store
from companion.store.db import database
from companion.store.history import recording
from companion.store.log import ledger
from companion.store.models import BookedTransfer, Change, Line, Night, db
from companion.store.night import play

ON_SQLITE = pytest.mark.parametrize("app", ["sqlite"], indirect=True)
FULL = 2
PRAGMAS = [("journal_mode", "wal"), ("synchronous", FULL), ("foreign_keys", 1), ("busy_timeout", 5000)]


@ON_SQLITE
@pytest.mark.parametrize(("pragma", "value"), PRAGMAS)
def test_sqlite_keeps_what_is_committed(app: Flask, pragma: str, value: object) -> None:
    with db.engine.connect() as one, db.engine.connect() as another:
        for connection in (one, another):
            assert connection.execute(text(f"PRAGMA {pragma}")).scalar_one() == value


def count(table: type) -> int:
    return db.session.scalars(select(func.count()).select_from(table)).one()


FAILING = [
    (play, "must_leave_a_pot"),
    (ledger, "add_change"),
    (ledger.Accounts, "id_of"),
    (ledger, "_revise"),
    (ledger, "_update_balances"),
    (recording, "record"),
]


@pytest.mark.parametrize(("module", "failing"), FAILING, ids=[name for _, name in FAILING])
def test_an_error_in_the_middle_leaves_nothing(
    night: PlayedNight, monkeypatch: pytest.MonkeyPatch, module: object, failing: str
) -> None:
    night.do("lost Ana Beto; lost Beto Caro; won Ana")
    before = [count(table) for table in (Change, Line, BookedTransfer)], night.standings(), night.revisions()
    real = getattr(module, failing)

    def fails_after(*given: object, **named: object) -> None:
        real(*given, **named)
        raise RuntimeError("power cut")

    with monkeypatch.context() as patch:
        patch.setattr(module, failing, fails_after)
        for step in ("won Ana", "fix 1 won Ana"):
            with pytest.raises(RuntimeError, match="power cut"):
                night.do(step)
    assert ([count(table) for table in (Change, Line, BookedTransfer)], night.standings(), night.revisions()) == before
    night.do("won Ana")
    assert len(night.revisions()) == 4


def test_an_error_in_a_transaction_leaves_nothing(night: PlayedNight) -> None:
    with pytest.raises(RuntimeError), database.transaction():
        night.night.stake_units = 7
        db.session.flush()
        raise RuntimeError
    assert night.night.stake_units == 1


def test_what_was_only_read_is_not_kept_back_by_a_writer(app: Flask, night: PlayedNight) -> None:
    night.do("won Ana")
    with database.transaction():
        night.night.stake_units = 7
        db.session.flush()
        seen = at_once_reading(app, night.public_id)
    assert seen == 1
    assert night.night.stake_units == 7


def at_once_reading(app: Flask, public_id: str) -> int:
    """Read the stakes in a separate thread."""

    def read() -> int:
        with app.app_context():
            return db.session.scalars(select(Night.stake_units).where(Night.public_id == public_id)).one()

    with ThreadPoolExecutor(1) as pool:
        return pool.submit(read).result(timeout=MAX_SECONDS)


def test_a_connection_is_returned_without_a_transaction() -> None:
    """One whose COMMIT failed would keep the lock for writing."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        connection.execute("BEGIN IMMEDIATE")
        for returned in (connection, connection, None):
            database._end_transaction(returned, cast(Any, SimpleNamespace(info={})))
            assert not connection.in_transaction


def test_a_database_that_cannot_be_asked_for_its_version_is_being_replaced(
    app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    def is_ready() -> bool:
        raise OperationalError("SELECT", None, Exception("away"))

    assert not store.is_replaced()
    monkeypatch.setattr(store, "is_ready", is_ready)
    assert store.is_replaced()


@pytest.mark.thorough
def test_the_first_page_comes_before_sqlalchemy_works_out_the_tables(tmp_path: Path) -> None:
    # which takes 35 of some 500 milliseconds; one statement for `joinedload` at the top of a module is enough
    code = (
        "import sys; from companion import create_app; from companion.store.models import Night;"
        "app = create_app({'INSTANCE': sys.argv[1]});"
        "print(app.test_client().get('/').status_code, Night.__mapper__.configured)"
    )
    done = subprocess.run([sys.executable, "-c", code, tmp_path], capture_output=True, text=True, timeout=MAX_SECONDS)
    assert done.stdout == "200 False\n", done.stderr
