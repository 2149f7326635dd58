"""The migrations, up from an empty database and down again; the result matches the models exactly."""

from __future__ import annotations

import hashlib
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from datetime import UTC, datetime
from importlib import import_module
from pathlib import Path

import flask_migrate
import old_nights
import pytest
from click.testing import CliRunner
from databases import DATABASES, EmptyDatabase
from flask import Flask
from flask.cli import FlaskGroup
from nights import Night
from sqlalchemy import Connection, Engine, create_engine, event, inspect
from waiting import MAX_SECONDS

from companion import create_app
from companion.store import database, groups, ledger, links, play
from companion.store.audit import audit
from companion.store.before_round import BeforeRound
from companion.store.models import PlaySession, db
from companion.store.startup import Unusable, register_migrations

CHECKOUT = Path(__file__).resolve().parents[2]
TABLES = set(db.metadata.tables)
VERSIONS = CHECKOUT / "companion" / "migrations" / "versions"
REVISIONS = sorted(path.name.partition("_")[0] for path in VERSIONS.glob("[0-9]*.py"))
FIRST = REVISIONS[0]
OldDatabase = Callable[[str], dict[str, object]]
LEDGER_S_TRIGGERS = 8  # from 0003 on


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
        yield app
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


def test_an_upgrade_is_one_transaction(settings: dict[str, object]) -> None:
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
    night = Night("Ana", "Beto", "Caro")
    night.do("lost Ana Beto")
    db.session.rollback()
    for _ in opened(made):
        assert night.standings() == "Ana -4, Beto 2, Caro -1, pot 3"


@pytest.mark.parametrize("steps", ["", "lost Ana Beto; won Ana; fix 1 won Ana"], ids=["empty", "a night"])
def test_down_to_nothing_and_up_again(fresh: Flask, steps: str) -> None:
    Night("Ana", "Beto", "Caro").do(steps)
    db.session.remove()
    flask_migrate.downgrade(revision="base")
    assert tables() == {"alembic_version"}
    flask_migrate.upgrade()
    assert tables() == TABLES | {"alembic_version"}
    flask_migrate.check()


@pytest.fixture(scope="module", params=DATABASES)
def old(request: pytest.FixtureRequest, empty_database: EmptyDatabase, made_database: EmptyDatabase) -> OldDatabase:
    """Return an app's settings with a new database of a revision; a night was written at the first one."""
    settings, copies = made_database(request.param), {}
    app = create_app(settings)
    register_migrations(app)
    with app.app_context():
        flask_migrate.downgrade(revision="base")
        for revision in REVISIONS:
            flask_migrate.upgrade(revision=revision)
            if revision == FIRST:
                write(db.engine, old_nights.STATEMENTS)
            assert triggers() == (LEDGER_S_TRIGGERS if revision >= "0003" else 0)
            db.session.remove()
            db.engine.dispose()
            copies[revision] = empty_database(request.param, settings["INSTANCE"])["INSTANCE"]
    return lambda revision: empty_database(request.param, copies[revision])


def write(engine: Engine, statements: list[str]) -> None:
    with engine.begin() as connection:
        for statement in statements:
            connection.exec_driver_sql(statement)


def triggers() -> int:
    query = "SELECT count(DISTINCT name) FROM sqlite_master WHERE type = 'trigger'"
    if db.engine.dialect.name == "postgresql":
        query = "SELECT count(*) FROM pg_trigger WHERE NOT tgisinternal"
    return int(db.session.execute(db.text(query)).scalar_one())


@pytest.mark.parametrize("revision", REVISIONS)
def test_a_night_outlasts_every_upgrade(old: OldDatabase, revision: str) -> None:
    for app in opened(old(revision)):
        register_migrations(app)  # which a database of the newest version has not asked for
        flask_migrate.check()
        (session,) = db.session.scalars(db.select(PlaySession))
        assert (session.group.name, [seat.player.name for seat in session.seats]) == ("Friday", ["Ana", "Beto"])
        assert ledger.balances(session) == {"1": -1, "2": 1, "pot": 0}
        (line,) = session.lines
        assert [r.document["round"]["knocker"] for r in line.revisions] == ["1", "2"]
        assert session.month == "2026-01"
        assert f"{session.began:%Y-%m}" == session.month
        assert list(audit()) == []
        assert triggers() == LEDGER_S_TRIGGERS


# the computer's time zone, when a night began in UTC, its month, and the clock it has then
CLOCKS = [
    ("UTC0", "2026-11-01T04:30", "2026-11", 0),
    ("PST8", "2026-11-15T04:30", "2026-11", -8),
    ("PST8", "2026-11-01T04:30", "2026-10", -8),
    ("PST8", "2026-11-01T04:30", "2026-11", -4),  # it was summed up in UTC
    ("<+09>-9", "2026-10-31T20:00", "2026-10", 3),
    ("PST8", "2026-11-01T04:30", "2026-05", -8),  # no clock shows that
]


@pytest.mark.parametrize(("zone", "began", "month", "hours"), CLOCKS)
def test_a_night_from_before_has_a_clock_that_shows_its_month(
    clock_of: Callable[[str], None], zone: str, began: str, month: str, hours: int
) -> None:
    clock_of(zone)
    migration = import_module("companion.migrations.versions.0015_clocks_of_nights")
    assert migration._offset(datetime.fromisoformat(began).replace(tzinfo=UTC), month) == hours * 3600


def test_a_draft_from_before_has_its_cells_by_player() -> None:
    migration = import_module("companion.migrations.versions.0016_cells_by_player")
    before = {
        "players-17-hand": ["9s", "one"],
        "kind-17": ["2c", "one"],
        "turn-17": ["18 stay", "one"],
        "asked-knocker": ["18", "two"],
        "asked-back": ["", "two"],
        "rules-ante": ["2", "two"],
        "everyone-paid": ["3", "two"],
        "bets-order": ["17.18", "two"],
    }
    after = migration.by_owner(before)
    assert {owner: list(asked) for owner, asked in after.items()} == {
        "17": ["hand", "kind", "turn"],
        "table": ["knocker", "asked-back", "bets-order"],
        "rules": ["ante"],
        "everyone": ["paid"],
    }
    assert migration.by_field(after) == before


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


def test_processes_that_start_at_once_share_an_empty_database(settings: dict[str, object]) -> None:
    code = (
        "import sys; from companion import create_app;"
        "create_app({'INSTANCE': sys.argv[1], 'SQLALCHEMY_DATABASE_URI': sys.argv[2]}); print('started')"
    )
    command = [sys.executable, "-c", code, str(settings["INSTANCE"]), str(settings["SQLALCHEMY_DATABASE_URI"])]

    def start(_: int) -> str:
        done = subprocess.run(command, cwd=CHECKOUT, capture_output=True, text=True, timeout=MAX_SECONDS)
        return done.stdout or done.stderr

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


# besides: the hash of a secret that is known here, a loan, and a night that is closed
_LOAN = '{"movement": "loan", "from": "1", "to": "2", "amount": 5, "note": ""}'
_AT = "'2026-01-01 20:00:00+00:00'"
MORE_OF_BEFORE = [
    f"UPDATE player_group SET secret_hash = '{hashlib.sha256(b'the secret').hexdigest()}'",
    f"INSERT INTO play_session VALUES (2, 'closed', 'another key', 1, 'knock', '{{}}', 1, NULL, {_AT}, {_AT}, 0)",
    f"INSERT INTO change VALUES (3, 1, 'key 3', 'movement', '{{\"number\": 2}}', 'a phone', {_AT})",
    "INSERT INTO line VALUES (2, 1, 2, NULL)",
    f"INSERT INTO revision VALUES (3, 2, 1, 3, '{_LOAN}', false, false)",
    "UPDATE line SET current_id = 3 WHERE id = 2",
    "INSERT INTO transfer VALUES (3, 0, 1, 2, 5, 'loan', 'C-2')",
    "UPDATE account SET balance = balance - 5 WHERE id = 1",
    "UPDATE account SET balance = balance + 5 WHERE id = 2",
]


@pytest.fixture
def of_before(old: OldDatabase) -> Iterator[Flask]:
    """Return an app on a database that the first version created and filled, migrated to the newest."""
    settings = old(FIRST)
    engine = create_engine(str(settings["SQLALCHEMY_DATABASE_URI"]))
    write(engine, MORE_OF_BEFORE)
    engine.dispose()
    yield from opened(settings)


def test_a_group_of_before_has_its_link_games_and_codes(of_before: Flask) -> None:
    link, found = links.find_link("the secret"), play.find_session("the night")
    assert link is not None and found is not None
    assert (link.access, link.number, link.group.name) == ("keep", 1, "Friday")
    assert [(line.number, line.game) for line in found.lines] == [(1, "knock"), (2, None)]
    before = BeforeRound(found)
    assert before.last is not None
    assert (before.last.number, before.dealer) == (1, "1")
    nights = groups.sessions_of(link.group, None, 9, groups.Wanted(game="knock"))
    assert [night.public_id for night in nights] == ["the night"]
    codes = {night.public_id: night.join_code for night in db.session.scalars(db.select(PlaySession))}
    assert codes["closed"] is None
    assert len(codes["the night"] or "") == 6
    assert list(audit()) == []


def test_back_to_the_first_version_keeps_the_link(of_before: Flask) -> None:
    db.session.remove()
    flask_migrate.downgrade(revision=FIRST)
    with db.engine.begin() as connection:
        kept = connection.exec_driver_sql("SELECT secret_hash FROM player_group").all()
        lines = connection.exec_driver_sql("SELECT number, current_id FROM line ORDER BY number").all()
    assert [row[0] for row in kept] == [hashlib.sha256(b"the secret").hexdigest()]
    assert [tuple(row) for row in lines] == [(1, 2), (2, 3)]
    flask_migrate.upgrade()
    link = links.find_link("the secret")
    assert link is not None
    assert link.access == "keep"
