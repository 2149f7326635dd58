"""The kinds of databases that the tests run on, and an app on one of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from flask import Flask

from companion import create_app
from companion.store.models import db

EmptyDatabase = Callable[..., dict[str, object]]
DATABASES = ["sqlite", "postgresql"]


def opened(settings: dict[str, object]) -> Iterator[Flask]:
    """Start an app for a fixture, and close its connections at the end."""
    app = create_app(settings)
    try:
        yield app
    finally:  # also when a test fails in the midst of a loop
        with app.app_context():
            db.engine.dispose()
