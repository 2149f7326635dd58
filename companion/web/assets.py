"""Static files: an address made here carries a hash of the content, so that a browser may keep the file for a year."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path

from flask import Flask, Response, current_app, request

_ENDPOINT = "static"
_HASH_DIGITS = 12
_FOR_A_YEAR = "public, max-age=31536000, immutable"
_ASK_EACH_TIME = "no-cache"  # answered with 304 while the file is the same


def init_app(app: Flask) -> None:
    """Add the hash to the addresses of static files; `cache_control` tells how long each is kept."""
    app.url_defaults(_add_hash)


def _add_hash(endpoint: str, values: dict[str, object]) -> None:
    if endpoint == _ENDPOINT and "v" not in values:
        values["v"] = _hash(str(current_app.static_folder), str(values.get("filename")))


@cache
def _hash(folder: str, name: str) -> str | None:
    """Hash a file once in the life of the process; None where there is no such file."""
    try:
        content = (Path(folder) / name).read_bytes()
    except (OSError, ValueError):
        return None
    return hashlib.sha256(content).hexdigest()[:_HASH_DIGITS]


def cache_control(response: Response) -> str | None:
    """Tell how long the answer to this request may be kept, where it is a static file; else None.

    An address with the hash of another content is that of an older or newer page: it is not kept.
    """
    if request.endpoint != _ENDPOINT or response.status_code not in (200, 304) or request.view_args is None:
        return None
    asked = request.args.get("v")
    if asked and asked == _hash(str(current_app.static_folder), request.view_args["filename"]):
        return _FOR_A_YEAR
    return _ASK_EACH_TIME
