"""Table Companion: settles rounds of cards and dominoes."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from flask import Flask

__version__ = "0.1.0"  # the only place; tests/release.py raises it


def create_app(config: Mapping[str, object] | None = None, *, opens: bool = True) -> Flask:
    """Create the Flask app; `config` overrides the settings from the environment.

    Without `opens`, `open_database` must follow before the first request.
    """
    from . import store, web
    from .config import read_settings
    from .contract.own_games import load_own
    from .folders import paths
    from .web.http.monitoring.request_log import App, log_json

    settings = read_settings(config)
    if settings["JSON_LOG"]:
        log_json()
    where = paths()
    app = App(
        __name__,
        template_folder=str(where.templates),
        static_folder=str(where.static),
        instance_path=str(settings["INSTANCE"]),
    )
    app.config.from_mapping(settings)
    app.extensions["own_games"] = load_own(Path(app.instance_path) / "games")
    store.init_app(app)
    if opens:
        open_database(app)
    web.init_app(app)
    return app


def open_database(app: Flask) -> None:
    """Check, make or migrate an app's database, and make its secret key if it has none; raises Unusable."""
    from . import store
    from .config import make_secret_key

    store.open_database(app)
    if not app.secret_key and app.config["MAKES_DATABASE"]:
        # only after the database: if a key exists, so does a database
        app.secret_key = make_secret_key(Path(app.instance_path))
