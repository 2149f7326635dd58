"""Compresses responses with gzip, which Python includes, or with Brotli if it is installed.

Error pages are compressed too; the page for two conflicting versions of a round is long.
"""

from __future__ import annotations

import gzip
from collections.abc import Callable

from flask import Flask, Response, request

try:
    import brotli
except ImportError:
    brotli = None

_MIN_BYTES = 500  # shorter responses fit into one packet anyway
_TYPES = (
    "text/html",
    "text/css",
    "text/plain",
    "text/javascript",
    "application/json",
    "application/problem+json",
    "application/manifest+json",
    "image/svg+xml",
)
_PAGE_LEVEL, _FILE_LEVEL = 5, 9  # pages are compressed on every request, files only once
_STATIC = "static"


def _gzip(data: bytes, level: int) -> bytes:
    return gzip.compress(data, level, mtime=0)


def _brotli(data: bytes, level: int) -> bytes:
    made: bytes = brotli.compress(data, quality=level)
    return made


# best first
_ALGORITHMS: dict[str, Callable[[bytes, int], bytes]] = {**({"br": _brotli} if brotli else {}), "gzip": _gzip}


def init_app(app: Flask) -> None:
    files: dict[tuple[str, str], bytes] = {}

    def compress(response: Response) -> Response:
        response.vary.add("Accept-Encoding")
        accepted = request.accept_encodings
        algorithm = next((name for name in _ALGORITHMS if accepted.quality(name)), None)
        if algorithm is None or not _is_worth_it(response):
            return response
        etag, is_weak = response.get_etag()
        if request.endpoint == _STATIC and etag:
            made = files.get((algorithm, etag))
            if made is None:
                made = files[algorithm, etag] = _ALGORITHMS[algorithm](response.get_data(), _FILE_LEVEL)
        else:
            made = _ALGORITHMS[algorithm](response.get_data(), _PAGE_LEVEL)
        response.set_data(made)
        response.headers["Content-Encoding"] = algorithm
        if etag and not is_weak:
            response.set_etag(etag, weak=True)  # same content, different bytes
        return response

    app.after_request(compress)


def _is_worth_it(response: Response) -> bool:
    return (
        response.mimetype in _TYPES
        and not response.is_streamed
        and "Content-Encoding" not in response.headers
        and (response.content_length or 0) >= _MIN_BYTES
    )
