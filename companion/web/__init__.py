"""The pages and the JSON API. They use the contract and contain no game rules.

The subpackages, from the bottom up; each imports only from those listed before it:

- `http`: addresses, headers, errors, logging, rate limits
- `text`: turning values into words and drawings
- `access`: permissions, and finding what a page is about
- `ledger_lines`: a session's ledger in words: lines, changes, payments, a night's end
- `round`: entering a round: form, document, live reading, shared draft
- `views`: one module per topic, each with a blueprint; several share a night's
"""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules

from flask import Blueprint, Flask, abort, request

from . import views
from .access import actions, devices, pin
from .http import csrf, errors, headers, hosts, https_notice, request_log, template_cache, uploads
from .http.parsing import must_send_no_file
from .text import house_rules as rules_in_words
from .text import labels, language, money, names, pieces
from .views import api, phone_settings, photo, pwa

# modules that add filters, globals or hooks; the hooks run in this order
_WITH_HOOKS = (
    template_cache,
    uploads,
    request_log,
    hosts,
    language,
    https_notice,
    labels,
    pieces,
    money,
    names,
    rules_in_words,
    phone_settings,
    actions,
    devices,
    pin,
    pwa,
    errors,
    headers,
)


def init_app(app: Flask) -> None:
    """Register the pages, the API, error pages, headers and the request log."""
    app.json.sort_keys = False  # type: ignore[attr-defined]  # nets are in seat order
    for blueprint in _blueprints():
        if blueprint.name != "look" or app.config["SHOWS_LOOK"]:
            app.register_blueprint(blueprint)
    for module in _WITH_HOOKS:
        module.init_app(app)
    app.before_request(_head_as_get)
    app.before_request(_refuse_json)
    app.before_request(_refuse_files)
    csrf.init_app(app)
    csrf.protection.exempt(api.blueprint)


def _blueprints() -> list[Blueprint]:
    """Return the blueprints of all views, each once, after the modules that share it have added their pages."""
    modules = [import_module(f"{views.__name__}.{found.name}") for found in iter_modules(views.__path__)]
    return list(dict.fromkeys(module.blueprint for module in modules if hasattr(module, "blueprint")))


def _head_as_get() -> None:
    """Treat HEAD as GET, so that views only have to distinguish GET and POST."""
    if request.method == "HEAD":
        request.method = "GET"  # the server drops the body


def _refuse_json() -> None:
    """Reject JSON outside the API, because WTForms would accept it in place of a form.

    Unknown addresses and wrong methods get their own errors first.
    """
    if request.endpoint and request.is_json and request.blueprint != api.blueprint.name:
        abort(400)


def _refuse_files() -> None:
    """Reject uploads, except in views that take files: they check by themselves, because they allow longer bodies."""
    if request.endpoint not in ("import_export.upload", None) and request.blueprint != photo.blueprint.name:
        must_send_no_file()
