"""How often an address may try what can be guessed or fills the disk; counted in the database, for all processes."""

from __future__ import annotations

from collections.abc import Callable
from math import ceil
from time import time
from typing import Any

from flask import Flask, Response, request
from flask_limiter import Limiter, RequestLimit
from flask_limiter.util import get_remote_address

from companion.engine.messages import Message
from companion.store import attempts

_limiter = Limiter(
    get_remote_address, storage_uri=f"{attempts.DatabaseStorage.STORAGE_SCHEME[0]}://", strategy="fixed-window"
)
_MINUTE = 60
_limited: set[str] = set()  # the views that have a limit, by module and name


def init_app(app: Flask) -> None:
    """Count the tries."""
    _limiter.init_app(app)


def limited(limits: str, page: Callable[[Message], str], **how: Any) -> Callable[[Any], Any]:
    """Limit how often a view may be asked for ("20 per minute; 100 per hour"), by address or as `how` tells.

    Past it nothing is done: `page` is drawn with the sentence that says how long to wait, as a 429, so that what was
    typed is still there.
    """

    def refuse(limit: RequestLimit) -> Response:
        seconds = max(1, ceil(limit.window.reset_time - time()))
        return Response(page(too_many_tries(seconds)), 429, {"Retry-After": str(seconds)})

    def limit(view: Any) -> Any:
        _limited.add(view.__name__)
        return _limiter.limit(limits, on_breach=refuse, **how)(view)

    return limit


@_limiter.request_filter
def _has_no_limit() -> bool:
    """Tell it of all other pages, so that the limits are not looked for at each of them."""
    return (request.endpoint or "").rpartition(".")[2] not in _limited


def too_many_tries(seconds: int) -> Message:
    """Say how long to wait, in whole minutes, rounded up."""
    return Message(
        "Too many tries. Wait a minute, then try again.",
        "Too many tries. Wait {n} minutes, then try again.",
        n=-(-seconds // _MINUTE),
    )
