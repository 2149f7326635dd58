"""The web-app manifest, and the service worker, which caches the last night's pages for use without a connection.

A night's pages list what to cache in the header `Companion-Keep`, so that `static/scripts/worker.js` contains no URLs:
{"night": URL, "pages": {URL: mark}}. The worker fetches a page again when its mark has changed.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

from flask import Blueprint, Flask, Response, abort, current_app, render_template, request, url_for
from sqlalchemy import bindparam, func, select

from companion.engine.messages import ENGLISH, Message, Words
from companion.store.db.database import execute
from companion.store.models import Change, Night
from companion.store.night_key import of_same_group

from ..access.lookup import may
from ..http.files import assets
from ..http.files.snapshot import read_all
from ..text.language import languages
from . import phone_settings

blueprint = Blueprint("pwa", __name__)
_NAME, _SHORT_NAME = Message("Table Companion"), Message("Companion")
_ABOUT = Message("Settles a round of cards or dominoes: who won and why, and who pays whom.")
_PAPER = "#f6f3ec"
_FOR_A_DAY = "public, max-age=86400"
_ICONS = (
    ("icons/icon.svg", "any", "any"),
    ("icons/icon-192.png", "192x192", "any"),
    ("icons/icon-512.png", "512x512", "any"),
    ("icons/icon-maskable.png", "512x512", "maskable"),
)
# pages that send the header, so that the night is cached after them
_NIGHT_PAGES = ("night.table", "night.line", "night_round.new")
_NEWEST_CHANGE = (
    select(func.max(Change.id))
    .join(Night, of_same_group(Change, Night, Change.night_id == Night.id))
    .where(Night.public_id == bindparam("night"))
)


def init_app(app: Flask) -> None:
    """Add the header to a night's pages."""
    app.after_request(_add_keep_header)


@blueprint.get("/worker.js")
def worker() -> Response:
    """Return the service worker, at the root, because a worker only controls URLs below its own folder."""
    script = assets.content(str(current_app.static_folder), "scripts/worker.js")
    response = Response(script, mimetype="text/javascript")
    response.add_etag()
    response.make_conditional(request)
    return response


@blueprint.get("/offline")
def page() -> str:
    """Show the page that the worker serves if a page isn't cached and there is no connection."""
    return render_template("offline.html")


def installed_app(home: str, words: Words = ENGLISH) -> dict[str, Any]:
    """Return what a web-app manifest says of the app that begins at an address, but its icons."""
    names = {"name": _NAME.say(words), "short_name": _SHORT_NAME.say(words)}
    place = {"id": home, "start_url": home, "scope": home, "display": "standalone"}
    return {**place, **names, "theme_color": _PAPER, "background_color": _PAPER}


@blueprint.get("/manifest/<code>.webmanifest")
def manifest(code: str) -> Response:
    """Return the web-app manifest in a language."""
    if code not in languages():
        abort(404)
    language = languages()[code]
    content = {
        **installed_app(url_for("home.home"), language.words),
        "lang": language.tag,
        "description": _ABOUT.say(language.words),
        "icons": [
            {"src": url_for("static", filename=name), "sizes": sizes, "purpose": purpose}
            for name, sizes, purpose in _ICONS
        ],
    }
    response = Response(json.dumps(content), mimetype="application/manifest+json")
    response.headers["Cache-Control"] = _FOR_A_DAY
    return response


def _add_keep_header(response: Response) -> Response:
    if request.endpoint not in _NIGHT_PAGES or request.method != "GET" or response.status_code != 200:
        return response
    if "before" in request.args or request.view_args is None:
        return response
    response.headers["Companion-Keep"] = json.dumps(_pages_to_keep(request.view_args["public_id"]))
    return response


def _pages_to_keep(public_id: str) -> dict[str, object]:
    """Return what a phone caches: the night's page, the next round's form if it may play, and the offline page."""
    look = f"{_version()}-{phone_settings.mark()}"
    change = execute(_NEWEST_CHANGE, {"night": public_id}).scalar() or 0
    night = url_for("night.table", public_id=public_id)
    pages = {night: f"{change}-{look}", url_for("pwa.page"): look}
    if may("play"):
        pages[url_for("night_round.new", public_id=public_id)] = f"{change}-{look}"
    return {"night": night, "pages": pages}


@cache
def _version() -> str:
    """Return a hash of all templates and static files, which changes with the app's version."""
    folders = (Path(str(current_app.static_folder)), Path(str(current_app.root_path), str(current_app.template_folder)))
    return assets.digest(read for folder in folders for read in read_all(str(folder)).values())
