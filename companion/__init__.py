"""The companion for the table: settles rounds of cards and dominoes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from flask import Flask


def create_app(config: Mapping[str, object] | None = None) -> Flask:
    """Make the application; `config` overrides what the environment says."""
    from . import store, web
    from .config import paths, read_settings
    from .web.http.request_log import App

    settings = read_settings(config)
    where = paths()
    app = App(
        __name__,
        template_folder=str(where.templates),
        static_folder=str(where.static),
        instance_path=str(settings["INSTANCE"]),
    )
    app.config.from_mapping(settings)
    store.init_app(app)
    web.init_app(app)
    return app
