"""The migrations: from nothing to the newest version and back, to exactly the tables of the models."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import flask_migrate
import old_nights
import pytest
from conftest import DATABASES, EmptyDatabase
from flask import Flask
from nights import Night
from sqlalchemy import inspect

from companion import create_app
from companion.store import play
from companion.store.audit import audit
from companion.store.models import PlaySession, db

CHECKOUT = Path(__file__).resolve().parents[2]
TABLES = set(db.metadata.tables)
VERSIONS = CHECKOUT / "companion" / "migrations" / "versions"
REVISIONS = sorted(path.name.partition("_")[0] for path in VERSIONS.glob("[0-9]*.py"))
FIRST = REVISIONS[0]


@pytest.fixture(params=DATABASES)
def settings(request: pytest.FixtureRequest, empty_database: EmptyDatabase) -> dict[str, object]:
    return empty_database(request.param)


@pytest.fixture
def fresh(settings: dict[str, object]) -> Iterator[Flask]:
    """Give an app whose database was empty before it."""
    app = create_app(settings)
    with app.app_context():
        yield app
        db.session.remove()
        db.engine.dispose()


def tables() -> set[str]:
    return set(inspect(db.engine).get_table_names())


def test_an_empty_database_is_brought_to_the_newest_version(fresh: Flask) -> None:
    assert tables() == TABLES | {"alembic_version"}
    flask_migrate.check()


def test_a_second_start_changes_nothing(fresh: Flask, settings: dict[str, object]) -> None:
    night = Night("Ana", "Beto", "Caro")
    night.do("lost Ana Beto")
    db.session.rollback()
    again = create_app(settings)
    with again.app_context():
        assert night.standings() == "Ana -4, Beto 2, Caro -1, pot 3"
        db.session.remove()
        db.engine.dispose()


def test_down_to_nothing_and_up_again(fresh: Flask) -> None:
    flask_migrate.downgrade(revision="base")
    assert tables() == {"alembic_version"}
    flask_migrate.upgrade()
    assert tables() == TABLES | {"alembic_version"}
    flask_migrate.check()


def test_down_to_nothing_where_there_was_a_night(fresh: Flask) -> None:
    Night("Ana", "Beto", "Caro").do("lost Ana Beto; won Ana; fix 1 won Ana")
    db.session.remove()
    flask_migrate.downgrade(revision="base")
    assert tables() == {"alembic_version"}


def reach(revision: str) -> None:
    """Go from nothing to a revision, with a night that was written when the first one was the newest."""
    flask_migrate.downgrade(revision="base")
    flask_migrate.upgrade(revision=FIRST)
    with db.engine.begin() as connection:
        for statement in old_nights.STATEMENTS:
            connection.exec_driver_sql(statement)
    flask_migrate.upgrade(revision=revision)


@pytest.mark.parametrize("revision", REVISIONS)
def test_a_night_outlasts_every_upgrade(fresh: Flask, settings: dict[str, object], revision: str) -> None:
    reach(revision)
    db.engine.dispose()
    with create_app(settings).app_context():
        flask_migrate.check()
        (session,) = db.session.scalars(db.select(PlaySession))
        assert (session.group.name, [seat.player.name for seat in session.seats]) == ("Friday", ["Ana", "Beto"])
        assert play.balances(session) == {"1": -1, "2": 1, "pot": 0}
        (line,) = session.lines
        assert [r.document["round"]["knocker"] for r in line.revisions] == ["1", "2"]
        assert list(audit()) == []
        db.session.remove()
        db.engine.dispose()


def test_the_ledger_s_triggers_outlast_every_upgrade(fresh: Flask) -> None:
    query = "SELECT count(DISTINCT name) FROM sqlite_master WHERE type = 'trigger'"
    if db.engine.dialect.name == "postgresql":
        query = "SELECT count(*) FROM pg_trigger WHERE NOT tgisinternal"
    for revision in REVISIONS:
        if revision >= "0003":
            reach(revision)
            assert db.session.scalar(db.text(query)) == 8, revision
            db.session.remove()


def test_constraints_have_the_names_that_the_models_give_them(fresh: Flask) -> None:
    found = inspect(db.engine)
    for name, table in db.metadata.tables.items():
        expected = {str(constraint.name) for constraint in table.constraints}
        kinds = [found.get_unique_constraints, found.get_foreign_keys, found.get_check_constraints]
        there = {str(one["name"]) for kind in kinds for one in kind(name)}
        there.add(str(found.get_pk_constraint(name)["name"]))
        assert there == expected, name


def test_processes_that_start_at_once_share_an_empty_database(settings: dict[str, object]) -> None:
    code = (
        "import sys; from companion import create_app;"
        "create_app({'INSTANCE': sys.argv[1], 'SQLALCHEMY_DATABASE_URI': sys.argv[2]}); print('started')"
    )
    command = [sys.executable, "-c", code, str(settings["INSTANCE"]), str(settings["SQLALCHEMY_DATABASE_URI"])]

    def start(_: int) -> str:
        done = subprocess.run(command, cwd=CHECKOUT, capture_output=True, text=True, timeout=60)
        return done.stdout or done.stderr

    with ThreadPoolExecutor(2) as pool:
        assert set(pool.map(start, range(2))) == {"started\n"}


def test_the_audit_of_an_empty_database_finds_nothing(fresh: Flask) -> None:
    assert list(audit()) == []
