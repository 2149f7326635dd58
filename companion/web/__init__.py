"""The pages and the JSON API: one blueprint a topic; they ask the contract and hold no rule of a game."""

from __future__ import annotations

from flask import Flask, abort, request

from . import (
    address,
    api,
    deleting,
    demo,
    drawing,
    errors,
    groups,
    headers,
    health,
    help,
    history,
    language,
    looks,
    money,
    monitoring,
    offline,
    phones,
    pin,
    portable,
    printing,
    sessions,
    settle,
    settling,
    table,
    warning,
    wording,
)

_TOPICS = (
    settle,
    groups,
    deleting,
    demo,
    sessions,
    printing,
    history,
    table,
    phones,
    portable,
    settling,
    looks,
    help,
    api,
    health,
    offline,
)


def init_app(app: Flask) -> None:
    """Add the pages, the API, the error pages, the headers, and what watches over them."""
    app.json.sort_keys = False  # type: ignore[attr-defined]  # a net is in seat order
    for topic in _TOPICS:
        app.register_blueprint(topic.blueprint)
    monitoring.init_app(app)
    address.init_app(app)
    language.init_app(app)
    warning.init_app(app)
    wording.init_app(app)
    drawing.init_app(app)
    money.init_app(app)
    looks.init_app(app)
    pin.init_app(app)
    deleting.init_app(app)
    offline.init_app(app)
    errors.init_app(app)
    headers.init_app(app)
    app.before_request(_head_as_get)
    app.before_request(_refuse_json)


def _head_as_get() -> None:
    """Let views see GET where only the headers are asked for: a form's view has two ways, not three."""
    if request.method == "HEAD":
        request.method = "GET"  # the server leaves the body out


def _refuse_json() -> None:
    """Let pages take forms only, as the API takes JSON only: the library of the forms would read either.

    Where no page is found or the method is not allowed, that is the answer.
    """
    if request.endpoint and request.is_json and request.blueprint != api.blueprint.name:
        abort(400)
