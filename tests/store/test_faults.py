"""Database faults are distinguished from bugs of the app, and retryable ones are retried."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier
from typing import Any

import pytest
from flask import Flask
from nights import PlayedNight
from sqlalchemy import create_engine, text
from sqlalchemy.exc import DBAPIError, IntegrityError, SQLAlchemyError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from waiting import MAX_SECONDS

from companion.store.audit import audit
from companion.store.db.database import retry_transaction, transaction
from companion.store.db.faults import fault
from companion.store.groups import groups
from companion.store.log import ledger
from companion.store.models import db
from companion.store.night import change as store
from companion.store.night import play

pytestmark = pytest.mark.quick  # what only PostgreSQL reaches

ON_POSTGRESQL = pytest.mark.parametrize("app", ["postgresql"], indirect=True)
AWAY, BUSY, FULL, READ_ONLY, DAMAGED = "isn't responding", "is busy", "is full", "read-only", "is damaged"


def run(uri: str, *statements: str) -> SQLAlchemyError:
    """Run statements until one fails; returns the error."""
    engine = create_engine(uri)
    with pytest.raises(SQLAlchemyError) as caught, engine.connect() as connection:
        for statement in statements:
            connection.exec_driver_sql(statement)
    engine.dispose()
    return caught.value


def locked(file: Path) -> SQLAlchemyError:
    with sqlite3.connect(file, isolation_level=None) as other:
        other.execute("BEGIN EXCLUSIVE")
        error = run(f"sqlite:///{file}?timeout=0", "INSERT INTO t VALUES (1)")
    other.close()
    return error


def damaged(file: Path) -> SQLAlchemyError:
    file.write_bytes(b"no database" * 1000)
    return run(f"sqlite:///{file}", "SELECT * FROM t")


def full(file: Path) -> SQLAlchemyError:
    fill = "INSERT INTO t SELECT randomblob(9999) FROM (VALUES (1), (2), (3))"
    return run(f"sqlite:///{file}", "PRAGMA max_page_count=4", fill)


ON_SQLITE: list[tuple[str, Callable[[Path], SQLAlchemyError]]] = [
    (READ_ONLY, lambda file: run(f"sqlite:///{file}", "PRAGMA query_only=ON", "INSERT INTO t VALUES (1)")),
    (READ_ONLY, lambda file: run(f"sqlite:///file:{file}?mode=ro&uri=true", "INSERT INTO t VALUES (1)")),
    (AWAY, lambda file: run(f"sqlite:///{file}/nowhere/a.db", "SELECT 1")),
    (FULL, full),
    (BUSY, locked),
    (DAMAGED, damaged),
]


@pytest.mark.parametrize(("said", "broken"), ON_SQLITE, ids=["asked", "opened", "gone", "full", "busy", "damaged"])
def test_a_fault_of_sqlite_has_its_words(tmp_path: Path, said: str, broken: Callable[[Path], SQLAlchemyError]) -> None:
    file = tmp_path / "a.db"
    with sqlite3.connect(file) as connection:
        connection.execute("CREATE TABLE t (x)")
    connection.close()
    assert said in str(fault(broken(file)))


CODES = [
    ("40001", BUSY),
    ("40P01", BUSY),
    ("55P03", BUSY),
    ("25006", READ_ONLY),
    ("53100", FULL),
    ("53300", AWAY),
    ("57P01", AWAY),
    ("58030", AWAY),
    ("25P03", AWAY),
    ("42P01", None),
    ("22012", None),
]


def fail(code: str) -> None:
    db.session.execute(text(f"DO $$ BEGIN RAISE EXCEPTION 'as told' USING ERRCODE = '{code}'; END $$"))


@ON_POSTGRESQL
@pytest.mark.parametrize(("code", "said"), CODES, ids=[code for code, _ in CODES])
def test_a_fault_of_postgresql_has_its_words(app: Flask, code: str, said: str | None) -> None:
    with pytest.raises(DBAPIError) as caught:
        fail(code)
    db.session.rollback()
    found = fault(caught.value)
    assert (found is None) if said is None else (said in str(found))


def test_a_server_that_is_not_there_does_not_answer() -> None:
    assert AWAY in str(fault(run("postgresql+psycopg://nobody@127.0.0.1:1/nothing", "SELECT 1")))


def test_no_connection_left_is_busy_and_other_errors_are_ours(app: Flask) -> None:
    assert BUSY in str(fault(PoolTimeout()))
    assert fault(SQLAlchemyError()) is None
    assert fault(run(app.config["SQLALCHEMY_DATABASE_URI"], "SELECT nonsense")) is None


@ON_POSTGRESQL
@pytest.mark.parametrize(
    ("code", "failures", "tries"), [("40001", 2, 3), ("40P01", 1, 2), ("40001", 9, 6), ("22012", 9, 1)]
)
def test_what_the_database_gave_up_is_begun_anew(app: Flask, code: str, failures: int, tries: int) -> None:
    tried = 0

    @retry_transaction
    def change() -> str:
        nonlocal tried
        with transaction():
            tried += 1
            if tried <= failures:
                fail(code)
        return "done"

    if failures < tries:
        assert change() == "done"
    else:
        with pytest.raises(DBAPIError):
            change()
    assert tried == tries


@ON_POSTGRESQL
def test_a_round_that_was_given_up_is_booked_once(night: PlayedNight, monkeypatch: pytest.MonkeyPatch) -> None:
    real, codes = ledger._revise, ["40001", "40P01"]

    def given_up(*given: Any, **named: Any) -> Any:
        revised = real(*given, **named)
        if codes:
            fail(codes.pop())
        return revised

    monkeypatch.setattr(ledger, "_revise", given_up)
    night.do("won Ana; fix 1 won Beto")
    assert (night.revisions(), codes) == ([2], [])
    assert night.standings() == "Ana -1, Beto 2, Caro -1"
    assert list(audit()) == []


@ON_POSTGRESQL
def test_of_two_that_wait_for_each_other_both_are_done(app: Flask) -> None:
    ids = [PlayedNight("Ana", "Beto").public_id, PlayedNight("Ana", "Beto").public_id]
    db.session.rollback()
    both_hold_one, tries = Barrier(2), []

    @retry_transaction
    def change(first: str, second: str) -> None:
        with transaction():
            store.locked(first).stake_units += 1
            db.session.flush()
            tries.append(first)
            if len(tries) <= 2:
                both_hold_one.wait(timeout=MAX_SECONDS)
            store.locked(second).stake_units += 1

    def run_in_context(order: list[str]) -> None:
        with app.app_context():
            change(*order)

    with ThreadPoolExecutor(2) as pool:
        list(pool.map(run_in_context, [ids, ids[::-1]]))
    assert len(tries) == 3
    assert [play.find_night(one).stake_units for one in ids] == [3, 3]  # type: ignore[union-attr]


def test_a_random_code_that_was_taken_meanwhile_is_replaced(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    first = PlayedNight("Ana", "Beto")
    ids, codes = iter([first.public_id, "second", "third"]), iter(["one", str(first.night.join_code), "three"])
    monkeypatch.setattr(groups, "new_public_id", lambda: next(ids))
    monkeypatch.setattr(groups, "free_join_code", lambda: next(codes))
    made = groups.start_night(first.group, [int(first.ids[name]) for name in ("Ana", "Beto")], "knock", {}, "a key")
    assert (made.public_id, made.join_code) == ("third", "three")


def test_an_error_of_ours_is_raised_at_once(app: Flask) -> None:
    tried = []

    @retry_transaction
    def change() -> None:
        tried.append(1)
        with transaction():
            db.session.execute(text("INSERT INTO player_group (id) VALUES (1)"))

    with pytest.raises(IntegrityError):
        change()
    assert tried == [1]


@ON_POSTGRESQL
def test_a_connection_that_died_after_reading_ends_quietly(app: Flask) -> None:
    with app.app_context():
        reading = db.session.scalar(text("SELECT pg_backend_pid()"))
        with db.engine.connect() as other:
            other.execute(text("SELECT pg_terminate_backend(:reading, 5000)"), {"reading": reading})
    assert db.session.scalar(text("SELECT 1")) == 1
