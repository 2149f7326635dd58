"""The app on both databases, each migrated once per run (and worker) and as good as new before every test."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from copies import kept, put
from databases import DATABASES, EmptyDatabase, opened
from flask import Flask
from nights import PlayedNight, eventful
from places import Place
from tampering import empty

from companion.store.models import db
from companion.store.portable import export_group


@pytest.fixture(scope="session")
def sqlite_app(made_database: EmptyDatabase) -> Iterator[Flask]:
    yield from opened(made_database("sqlite"))


@pytest.fixture(scope="session")
def postgresql_app(made_database: EmptyDatabase) -> Iterator[Flask]:
    yield from opened(made_database("postgresql"))


@pytest.fixture(scope="session")
def new_file(migrated: Path) -> bytes:
    """Return the content of an SQLite database without rows."""
    return migrated.read_bytes()


@pytest.fixture(params=DATABASES)
def app(request: pytest.FixtureRequest, new_file: bytes) -> Iterator[Flask]:
    """Return an app with an empty database, within its context."""
    app: Flask = request.getfixturevalue(f"{request.param}_app")
    with app.app_context():
        if request.param == "sqlite":
            put(new_file)
        else:
            empty()
        yield app
        db.session.rollback()


@pytest.fixture
def sqlite(sqlite_app: Flask, new_file: bytes) -> Iterator[Flask]:
    """Return an empty app, for what is the same on either database."""
    with sqlite_app.app_context():
        put(new_file)
        yield sqlite_app
        db.session.rollback()


@pytest.fixture
def night(app: Flask) -> PlayedNight:
    """Return a session of Ana, Beto and Caro without any rounds."""
    return kept("night", lambda: PlayedNight("Ana", "Beto", "Caro"))


@pytest.fixture(scope="session")
def other_app(made_database: EmptyDatabase) -> Iterator[Flask]:
    yield from opened(made_database("sqlite"))


@pytest.fixture
def another(other_app: Flask) -> Place:
    """Return a second place with SQLite, for many nights; it isn't empty."""
    return Place(other_app)


@pytest.fixture
def there(another: Place, other_app: Flask, new_file: bytes) -> Place:
    """Return a second, empty place with SQLite, so that files go both ways between it and either kind of database."""
    with other_app.app_context():
        put(new_file)
    return another


@pytest.fixture
def here(app: Flask) -> Place:
    with app.app_context():
        return Place(app, kept("here", lambda: PlayedNight("Ana", "Beto", "Caro", away=["Dani"])))


@pytest.fixture(scope="session")
def sample(made_database: EmptyDatabase) -> bytes:
    """Export an eventful group once, from a separate database."""
    for app in opened(made_database("sqlite")):
        with app.app_context():
            return export_group(eventful().group.public_id)
    raise AssertionError
