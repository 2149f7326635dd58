"""The names of the players that a page is about: inside, a player is a key; here it gets the name that people read."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from flask import Flask, g, has_request_context

Source = Callable[[], Mapping[str, str]]


def init_app(app: Flask) -> None:
    app.jinja_env.filters.update(name_of=name_of)


def set_page_names(*sources: Source) -> None:
    """Show this page's accounts by the names, by key, that these return; each is called only if the others lack one."""
    g.name_sources, g.names = list(sources), {}


def name_of(key: str) -> str:
    """Return the name of a player or another account; the key itself where keys are names."""
    if not has_request_context() or "names" not in g:
        return str(key)
    while key not in g.names and g.name_sources:
        g.names = {**g.name_sources.pop(0)(), **g.names}
    return str(g.names.get(key, key))
