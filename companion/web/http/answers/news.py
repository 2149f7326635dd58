"""Answers polls of phones while nothing is new: before rights, database and log, from what this process remembers.

An address tells nothing but whether it is still current, and only somebody who was given it can ask: it contains a mark
that can't be guessed, and that is another one once the group's links or the join code are renewed. Without news the
answer is 204. Otherwise it is 200, and the phone asks for the state, where its rights are checked and which gives the
next address in a header.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

from flask import Flask, request
from werkzeug.wrappers import Response

from companion.store.db.news import Unchanged, unchanged
from companion.store.groups.links import Glance, keyed

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

HEADER = "Companion-News"
_ADDRESS = re.compile(r"/s/([\w-]+)/news/([\w-]+)")
_HEADERS = [("Cache-Control", "no-store"), ("Content-Length", "0"), ("X-Content-Type-Options", "nosniff")]


def init_app(app: Flask) -> None:
    """Answer polls before the app does."""
    with app.app_context():
        app.wsgi_app = _Polls(app.wsgi_app, unchanged())  # type: ignore[method-assign]


def is_poll(method: str, path: str) -> bool:
    """Return whether a request asks for news. Its answer waits for nothing, so a server needs no thread for it."""
    return _asked(method, path) is not None


def _asked(method: str, path: str) -> re.Match[str] | None:
    return _ADDRESS.fullmatch(path) if method == "GET" else None


class _Polls:
    """The app, with the answers to polls."""

    def __init__(self, app: WSGIApplication, known: Unchanged) -> None:
        self._app, self._known = app, known

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        asked = _asked(environ["REQUEST_METHOD"], environ["PATH_INFO"])
        if asked is None:
            return self._app(environ, start_response)
        if self._known.is_current(*asked.groups()):
            start_response("204 No Content", _HEADERS[::2])
        else:
            start_response("200 OK", _HEADERS)
        return []


def offer_news(response: Response, glance: Glance, begun: int) -> None:
    """Give a phone the address at which it asks for news after this version of a night.

    `begun` is what `Unchanged.begin` returned before the version was read.
    """
    secret = " ".join(["news", glance.public_id, glance.join_code or "", *glance.hashes.values()])
    mark = f"{keyed(secret).hex()[:32]}-{glance.version}"
    unchanged().remember(glance.public_id, mark, begun)
    response.headers[HEADER] = f"{request.script_root}/s/{glance.public_id}/news/{mark}"
