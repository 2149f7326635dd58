"""The pages and the JSON API. They use the contract and contain no game rules.

The subpackages, from the bottom up; each imports only from those listed before it:

http addresses, headers, errors, logging, rate limits text turning values into words and drawings access permissions,
and finding what a page is about lines a session's entries in words round entering a round: form, document, live
reading, shared draft views one module per topic, each with its blueprint
"""

from __future__ import annotations

from flask import Flask, abort, request

from .access import devices, pin
from .http import csrf, errors, headers, hosts, https_notice, request_log, template_cache, uploads
from .http.parsing import must_send_no_file
from .text import house_rules as rules_in_words
from .text import labels, language, money, pieces
from .views import (
    api,
    appearance,
    at_table,
    delete_group,
    demo,
    group_people,
    group_rules,
    groups,
    health,
    help,
    history,
    home,
    import_export,
    line,
    look,
    night_chips,
    night_end,
    night_money,
    night_people,
    night_rounds,
    night_rules,
    night_table,
    phones,
    photo,
    printing,
    pwa,
    session_round,
    settle_up,
    single_round,
    table_view,
)

_VIEWS = (
    home,
    single_round,
    groups,
    group_people,
    group_rules,
    delete_group,
    demo,
    night_table,
    at_table,
    night_rounds,
    night_money,
    night_chips,
    night_end,
    night_people,
    night_rules,
    table_view,
    line,
    printing,
    history,
    session_round,
    phones,
    photo,
    import_export,
    settle_up,
    appearance,
    help,
    api,
    health,
    pwa,
)
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
    rules_in_words,
    appearance,
    devices,
    pin,
    delete_group,
    pwa,
    errors,
    headers,
)


def init_app(app: Flask) -> None:
    """Register the pages, the API, error pages, headers and the request log."""
    app.json.sort_keys = False  # type: ignore[attr-defined]  # nets are in seat order
    # several modules share a night's blueprint
    for blueprint in dict.fromkeys(view.blueprint for view in _VIEWS):
        app.register_blueprint(blueprint)
    if app.config["SHOWS_LOOK"]:
        app.register_blueprint(look.blueprint)
    for module in _WITH_HOOKS:
        module.init_app(app)
    app.before_request(_head_as_get)
    app.before_request(_refuse_json)
    app.before_request(_refuse_files)
    csrf.init_app(app)
    csrf.protection.exempt(api.blueprint)


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
    if request.endpoint not in ("import_export.take_in", None) and request.blueprint != photo.blueprint.name:
        must_send_no_file()
