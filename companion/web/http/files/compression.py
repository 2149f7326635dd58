"""Compresses responses with gzip, which Python includes, or with Brotli if it is installed.

Error pages are compressed too; the page for two conflicting versions of a round is long.
"""

from __future__ import annotations

import gzip
from collections.abc import Callable
from functools import partial

from flask import Flask, Response, request

# best first: what takes the data and a level, and its best level
_ALGORITHMS: dict[str, tuple[Callable[[bytes, int], bytes], int]] = {"gzip": (partial(gzip.compress, mtime=0), 9)}
try:
    import brotli
except ImportError:
    pass
else:
    _ALGORITHMS = {"br": (lambda data, level: bytes(brotli.compress(data, quality=level)), 11), **_ALGORITHMS}

_MIN_BYTES = 500  # shorter responses fit into one packet anyway
_TYPES = ("text/", "application/json", "application/problem+json", "application/manifest+json", "image/svg+xml")
_PAGE_LEVEL = 6  # they are compressed on every request; files only once, so at the best level


def init_app(app: Flask) -> None:
    files: dict[tuple[str, str], bytes] = {}

    def compress(response: Response) -> Response:
        response.vary.add("Accept-Encoding")
        accepted = request.accept_encodings
        algorithm = next((name for name in _ALGORITHMS if accepted.quality(name)), None)
        if algorithm is None or not _is_worth_it(response):
            return response
        (etag, is_weak), (pack, best) = response.get_etag(), _ALGORITHMS[algorithm]
        if request.endpoint == "static" and etag:
            if (algorithm, etag) not in files:
                files[algorithm, etag] = pack(response.get_data(), best)
            response.set_data(files[algorithm, etag])
        else:
            response.set_data(pack(response.get_data(), _PAGE_LEVEL))
        response.headers["Content-Encoding"] = algorithm
        if etag and not is_weak:
            response.set_etag(etag, weak=True)  # same content, different bytes
        return response

    app.after_request(compress)


def _is_worth_it(response: Response) -> bool:
    return (
        (response.mimetype or "").startswith(_TYPES)
        and not response.is_streamed
        and "Content-Encoding" not in response.headers
        and (response.content_length or 0) >= _MIN_BYTES
    )
