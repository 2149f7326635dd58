"""The migrations, up from an empty database and down again; the result matches the models exactly.

A made-up further one shows that an older database is upgraded.
"""

from __future__ import annotations

import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import flask_migrate
import pytest
from click.testing import CliRunner
from databases import DATABASES, EmptyDatabase
from flask import Flask
from flask.cli import FlaskGroup
from nights import PlayedNight
from sqlalchemy import Connection, Engine, event, inspect
from waiting import MAX_SECONDS

from companion import create_app
from companion.store.audit import audit
from companion.store.db import database
from companion.store.db.startup import Unusable, newest, register_migrations, version
from companion.store.models import db

CHECKOUT = Path(__file__).resolve().parents[2]
TABLES = set(db.metadata.tables)
LEDGER_S_TRIGGERS = 8


@pytest.fixture(params=DATABASES)
def settings(request: pytest.FixtureRequest, empty_database: EmptyDatabase) -> dict[str, object]:
    """Return an app's settings with an empty database."""
    return empty_database(request.param)


@pytest.fixture(params=DATABASES)
def made(request: pytest.FixtureRequest, made_database: EmptyDatabase) -> dict[str, object]:
    """Return an app's settings with a copy of a database that was empty before the app started on it."""
    return made_database(request.param)


@pytest.fixture
def fresh(made: dict[str, object]) -> Iterator[Flask]:
    """Return an app on such a copy."""
    for app in opened(made):
        register_migrations(app)  # which a database of the newest version has not asked for
        yield app


def opened(settings: dict[str, object]) -> Iterator[Flask]:
    """Yield an app within its context."""
    app = create_app(settings)
    with app.app_context():
        try:
            yield app
        finally:
            db.session.remove()
            db.engine.dispose()


def tables() -> set[str]:
    return set(inspect(db.engine).get_table_names())


def test_the_server_starts_without_the_commands_of_flask_db(
    fresh: Flask, made: dict[str, object], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(sys.modules, "flask_migrate")
    for _ in opened(made):
        assert "flask_migrate" not in sys.modules


def test_flask_db_is_a_command_though_nothing_needs_migrating(
    fresh: Flask, made: dict[str, object], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(sys.modules, "flask_migrate")
    app = None

    def make() -> Flask:
        nonlocal app
        app = create_app(made)
        return app

    found = CliRunner().invoke(FlaskGroup(create_app=make), ["db", "current"])
    assert app is not None
    with app.app_context():
        db.engine.dispose()
    assert found.exit_code == 0


def test_an_empty_database_is_brought_to_the_newest_version(fresh: Flask) -> None:
    assert tables() == TABLES | {"alembic_version"}
    flask_migrate.check()
    assert list(audit()) == []


def test_an_upgrade_is_one_transaction(settings: dict[str, object], second_migration: Callable[[], Path]) -> None:
    second_migration()
    # with a commit between two steps, another process that starts would begin its own steps in the middle
    commits: list[Connection] = []
    noted = commits.append
    event.listen(Engine, "commit", noted)
    try:
        for _ in opened(settings):
            pass
    finally:
        event.remove(Engine, "commit", noted)
    assert len(commits) == 1


def test_a_second_start_changes_nothing(fresh: Flask, made: dict[str, object]) -> None:
    night = PlayedNight("Ana", "Beto", "Caro")
    night.do("lost Ana Beto")
    db.session.rollback()
    for _ in opened(made):
        assert night.standings() == "Ana -4, Beto 2, Caro -1, pot 3"


def test_a_dump_restored_over_a_newer_database_is_told(fresh: Flask, made: dict[str, object]) -> None:
    with db.engine.begin() as connection:
        connection.execute(db.text("UPDATE alembic_version SET version_num = '0003'"))
    with pytest.raises(
        Unusable, match=r"couldn't be upgraded, and is as it was: .*(already exists|duplicate column).*to an empty one"
    ):
        list(opened(made))
    with db.engine.connect() as connection:
        assert version(connection) == "0003"


@pytest.mark.parametrize("steps", ["", "lost Ana Beto; won Ana; fix 1 won Ana"], ids=["empty", "a night"])
def test_down_to_nothing_and_up_again(fresh: Flask, steps: str) -> None:
    PlayedNight("Ana", "Beto", "Caro").do(steps)
    db.session.remove()
    flask_migrate.downgrade(revision="base")
    assert tables() == {"alembic_version"}
    flask_migrate.upgrade()
    assert tables() == TABLES | {"alembic_version"}
    flask_migrate.check()


def triggers() -> int:
    query = "SELECT count(DISTINCT name) FROM sqlite_master WHERE type = 'trigger'"
    if db.engine.dialect.name == "postgresql":
        query = "SELECT count(*) FROM pg_trigger WHERE NOT tgisinternal"
    return int(db.session.execute(db.text(query)).scalar_one())


def test_a_night_outlasts_an_upgrade(
    fresh: Flask, made: dict[str, object], second_migration: Callable[[], Path]
) -> None:
    night = PlayedNight("Ana", "Beto", "Caro")
    night.do("lost Ana Beto; won Ana; fix 1 won Ana")
    standings = night.standings()
    db.session.remove()
    db.engine.dispose()
    second_migration()
    for _ in opened(made):
        with db.engine.connect() as connection:
            assert version(connection) == newest() == "0016"
        assert "motto" in {column["name"] for column in inspect(db.engine).get_columns("player_group")}
        assert night.standings() == standings
        assert triggers() == LEDGER_S_TRIGGERS
        assert list(audit()) == []


def test_constraints_have_the_names_that_the_models_give_them(fresh: Flask) -> None:
    found, on_sqlite = inspect(db.engine), db.engine.dialect.name == "sqlite"
    for name, table in db.metadata.tables.items():
        expected = {str(constraint.name) for constraint in table.constraints}
        kinds = [found.get_unique_constraints, found.get_foreign_keys, found.get_check_constraints]
        there = {str(one["name"]) for kind in kinds for one in kind(name)}
        primary, wanted = found.get_pk_constraint(name), [column.name for column in table.primary_key]
        if on_sqlite and {"id", "group_id"} == set(wanted):
            there.discard(f"uq_{name}_{'_'.join(wanted)}")
            wanted = ["id"]
        assert there | {str(primary["name"])} == expected, name
        assert primary["constrained_columns"] == wanted, name


@pytest.mark.thorough
@pytest.mark.parametrize("kind", DATABASES)
@pytest.mark.parametrize("before", ["empty", "older"])
def test_processes_that_start_at_once_share_an_upgrade(
    empty_database: EmptyDatabase,
    made_database: EmptyDatabase,
    second_migration: Callable[[], Path],
    before: str,
    kind: str,
) -> None:
    settings = (empty_database if before == "empty" else made_database)(kind)
    code = (
        "import sys; from pathlib import Path; from companion import create_app;"
        "from companion.store.db import startup;"
        "startup.MIGRATIONS = Path(sys.argv[3]);"
        "create_app({'INSTANCE': sys.argv[1], 'SQLALCHEMY_DATABASE_URI': sys.argv[2]}); print('started')"
    )
    place = [str(settings["INSTANCE"]), str(settings["SQLALCHEMY_DATABASE_URI"])]
    command = [sys.executable, "-c", code, *place, str(second_migration())]

    def start(_: int) -> str:
        done = subprocess.run(command, cwd=CHECKOUT, capture_output=True, text=True, timeout=MAX_SECONDS)
        return done.stdout or done.stderr.splitlines()[-1]

    with ThreadPoolExecutor(2) as pool:
        assert set(pool.map(start, range(2))) == {"started\n"}


def test_a_start_waits_for_one_that_makes_the_same_file(tmp_path: Path) -> None:
    path = tmp_path / "companion.db"
    other = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    other.execute("BEGIN IMMEDIATE")
    end = threading.Timer(0.3, other.rollback)
    end.start()
    for _ in opened({"INSTANCE": tmp_path, "SQLALCHEMY_DATABASE_URI": f"sqlite:///{path}"}):
        assert tables() == TABLES | {"alembic_version"}
    end.join()
    other.close()


def test_a_start_says_that_another_program_holds_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(database, "_MAX_SWITCH", 0)
    path = tmp_path / "companion.db"
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(Unusable, match="cannot be used: database is locked"):
            create_app({"INSTANCE": tmp_path, "SQLALCHEMY_DATABASE_URI": f"sqlite:///{path}"})
