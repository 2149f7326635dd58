"""Web-app manifest and service worker, which keeps the last night's pages for when there is no connection.

Each answer names those pages in its header `Companion-Keep`, so `static/scripts/worker.js` has no address of its own:
{"night": address, "pages": {address: mark}}. A page is fetched again when its mark is another one.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

from flask import Blueprint, Flask, Response, abort, current_app, render_template, request, url_for
from flask_babel import force_locale
from sqlalchemy import func, select

from companion.engine.messages import Message
from companion.store.models import Change, PlaySession, db

from ..access.devices import may
from ..http import assets
from ..text.language import languages, locale, say
from . import appearance

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
# pages of a night after which it is kept on the phone as it is then
_NIGHT_PAGES = ("session.show", "session.line", "session_round.new")


def init_app(app: Flask) -> None:
    """Say on the pages of a night what is kept of it."""
    app.after_request(_keep)


@blueprint.get("/worker.js")
def worker() -> Response:
    """Give the worker, from where it may serve every page."""
    script = assets.content(str(current_app.static_folder), "scripts/worker.js")
    response = Response(script, mimetype="text/javascript")
    response.add_etag()
    response.make_conditional(request)
    return response


@blueprint.get("/offline")
def page() -> str:
    """Show what stands in for a page that cannot be had; the worker keeps it."""
    return render_template("offline.html")


@blueprint.get("/manifest/<code>.webmanifest")
def manifest(code: str) -> Response:
    """Describe the app to a phone that it is to be installed on, in a language."""
    if code not in languages():
        abort(404)
    home = url_for("home.home")
    with force_locale(languages()[code].locale):
        told = {
            "id": home,
            "start_url": home,
            "scope": home,
            "display": "standalone",
            "lang": str(locale()).replace("_", "-"),
            "name": say(_NAME),
            "short_name": say(_SHORT_NAME),
            "description": say(_ABOUT),
            "theme_color": _PAPER,
            "background_color": _PAPER,
            "icons": [
                {"src": url_for("static", filename=name), "sizes": sizes, "purpose": purpose}
                for name, sizes, purpose in _ICONS
            ],
        }
    response = Response(json.dumps(told), mimetype="application/manifest+json")
    response.headers["Cache-Control"] = _FOR_A_DAY
    return response


def _keep(response: Response) -> Response:
    if request.endpoint not in _NIGHT_PAGES or request.method != "GET" or response.status_code != 200:
        return response
    if "before" in request.args or request.view_args is None:
        return response
    response.headers["Companion-Keep"] = json.dumps(_kept(request.view_args["public_id"]))
    return response


def _kept(public_id: str) -> dict[str, object]:
    """Tell what a phone keeps of a night: its page, the form of its next round, and the page for all else."""
    looks = appearance.chosen()
    look = f"{_version()}-{locale()}-{looks.theme}-{looks.suits}-{looks.spoken:d}"
    session = select(PlaySession.id).where(PlaySession.public_id == public_id).scalar_subquery()
    change = db.session.scalar(select(func.max(Change.id)).where(Change.session_id == session)) or 0
    night = url_for("session.show", public_id=public_id)
    pages = {night: f"{change}-{look}", url_for("pwa.page"): look}
    if may("play"):
        pages[url_for("session_round.new", public_id=public_id)] = f"{change}-{look}"
    return {"night": night, "pages": pages}


@cache
def _version() -> str:
    """Give a mark of how the pages are drawn, another one in another version of the app."""
    folders = (Path(str(current_app.static_folder)), Path(str(current_app.root_path), str(current_app.template_folder)))
    return assets.digest(
        file.read_bytes() for folder in folders for file in sorted(folder.rglob("*")) if file.is_file()
    )
