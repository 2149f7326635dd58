"""The pages and the JSON API. They use the contract and contain no game rules.

The rooms, from the bottom up; each imports only from those listed before it:

- `http`: addresses, static files, monitoring, what is checked of requests, headers and errors of answers
- `text`: turning values into words and drawings
- `access`: finding what a page is about, permissions, forms
- `ledger_lines`: a night's ledger in words: lines, changes, payments, a night's end
- `round`: what all that shows a round needs: form, document, live reading, shared draft
- `entering`: the pages where a round is entered, in a night or alone, by taps or from a photograph
- `history`: a group's rounds, leaderboard and players' results
- `groups`: a group's pages
- `night`: a night's pages
- `phones`: players' own phones, and the hand in play on them
- `home`: the home page, the demo, this phone's settings, the app without a connection
- `big_screen`: a screen for the whole room
- `api`: the JSON API
- `help`, which needs few of these
"""

from __future__ import annotations

from importlib import import_module
from pkgutil import walk_packages
from types import ModuleType

from flask import Blueprint, Flask, abort, request

from . import api, big_screen, entering, groups, help, history, home, night, phones
from .access import forms, lookup, pin
from .api import documents, operations
from .entering.photos import photo
from .groups.settings import chips
from .home import phone_settings, pwa
from .http.answers import errors, headers, kept_app, news
from .http.files import template_cache
from .http.monitoring import figures, health, request_log
from .http.network import hosts, https_notice
from .http.requests import uploads
from .http.requests.parsing import must_send_no_file
from .night.money import ticking
from .text import game_menu, labels, language, money, names, pieces
from .text import house_rules as rules_in_words

# modules that add filters, globals or hooks; the hooks run in this order
_WITH_HOOKS = (
    template_cache,
    uploads,
    request_log,
    figures,
    hosts,
    language,
    https_notice,
    game_menu,
    labels,
    pieces,
    money,
    names,
    rules_in_words,
    phone_settings,
    forms,
    lookup,
    ticking,
    chips,
    pin,
    pwa,
    errors,
    headers,
    news,
    kept_app,
)


_WITH_PAGES = (entering, groups, night, phones, home, big_screen, api)
_API = (documents.blueprint, operations.blueprint)


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
    forms.check_tokens(app)
    for blueprint in _API:
        forms.protection.exempt(blueprint)


def _blueprints() -> list[Blueprint]:
    """Return the blueprints of all views, each once, after the modules that share it have added their pages."""
    modules = [*_modules_of(*_WITH_PAGES), history, health, help]
    return list(dict.fromkeys(module.blueprint for module in modules if hasattr(module, "blueprint")))


def _modules_of(*rooms: ModuleType) -> list[ModuleType]:
    modules = (module for room in rooms for module in walk_packages(room.__path__, f"{room.__name__}."))
    return [import_module(module.name) for module in modules]


def _head_as_get() -> None:
    """Treat HEAD as GET, so that views only have to distinguish GET and POST."""
    if request.method == "HEAD":
        request.method = "GET"  # the server drops the body


def _refuse_json() -> None:
    """Reject JSON outside the API, because WTForms would accept it in place of a form.

    Unknown addresses and wrong methods get their own errors first.
    """
    if request.endpoint and request.is_json and request.blueprint not in [blueprint.name for blueprint in _API]:
        abort(400)


def _refuse_files() -> None:
    """Reject uploads, except in views that take files: they check by themselves, because they allow longer bodies."""
    if request.endpoint not in ("import_export.upload", None) and request.blueprint != photo.blueprint.name:
        must_send_no_file()
