"""The app for one phone, served to phones that want to keep it, if `companion pocket` has written it to the instance.

Its files need no rights, have policies of their own, and are sent as they were compressed.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from flask import Flask, current_app, request
from werkzeug.http import parse_accept_header
from werkzeug.security import safe_join
from werkzeug.wrappers import Response

from .headers import is_https

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

FOLDER = "pocket"
_BELOW = f"/{FOLDER}/"
_TYPES = {
    ".css": "text/css",
    ".html": "text/html",
    ".js": "text/javascript",
    ".json": "application/json",
    ".mjs": "text/javascript",
    ".png": "image/png",
    ".wasm": "application/wasm",
    ".webmanifest": "application/manifest+json",
}
_PACKED = {"br": ".br", "gzip": ".gz"}


def init_app(app: Flask) -> None:
    """Answer for the folder's files before the app does."""
    app.wsgi_app = _Folder(app.wsgi_app, Path(app.instance_path, FOLDER))  # type: ignore[method-assign]
    app.jinja_env.globals["kept_app"] = address


def address() -> str:
    """Return where a phone gets the app to keep; "" unless it was built for here and HTTPS comes without a warning."""
    if not is_https() or current_app.config["CERTIFICATE"] or not current_app.config["PLATFORM"].phones:
        return ""
    manifest = Path(current_app.instance_path, FOLDER, "pocket", "app.webmanifest")
    here = f"{request.script_root}{_BELOW}"
    return here if manifest.exists() and json.loads(manifest.read_text(encoding="utf-8"))["scope"] == here else ""


class _Folder:
    """The app, with the folder's files below `/pocket/`."""

    def __init__(self, app: WSGIApplication, folder: Path) -> None:
        self._app, self._folder = app, folder

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        path = environ["PATH_INFO"]
        if path.startswith(_BELOW) and environ["REQUEST_METHOD"] in ("GET", "HEAD"):
            place = safe_join(str(self._folder), path.removeprefix(_BELOW) or "index.html")
            if place and Path(place).is_file():
                return _file(Path(place), environ)(environ, start_response)
        return self._app(environ, start_response)


def _file(place: Path, environ: WSGIEnvironment) -> Response:
    accepted = parse_accept_header(environ.get("HTTP_ACCEPT_ENCODING", ""))
    name = next((name for name in _PACKED if accepted.quality(name) and _packed(place, name).exists()), "")
    sent = _packed(place, name) if name else place
    response = Response(sent.read_bytes(), mimetype=_TYPES.get(place.suffix, "application/octet-stream"))
    if name:
        response.headers["Content-Encoding"] = name
    for header, value in (
        ("Vary", "Accept-Encoding"),
        ("Cache-Control", "no-cache"),
        ("X-Content-Type-Options", "nosniff"),
        ("X-Frame-Options", "DENY"),
        ("Referrer-Policy", "same-origin"),
        ("Cross-Origin-Resource-Policy", "same-origin"),
    ):
        response.headers[header] = value
    response.set_etag(f"{sent.stat().st_mtime_ns:x}-{sent.stat().st_size:x}")
    return response.make_conditional(environ)


def _packed(place: Path, name: str) -> Path:
    return place.with_name(place.name + _PACKED[name])
