"""How often an address may try what can be guessed or fills the disk; counted in the database, for all processes."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from math import ceil
from time import time
from typing import Any

from flask import Response, request
from limits import RateLimitItem, parse_many
from limits.strategies import FixedWindowRateLimiter

from companion.engine.messages import Message
from companion.store.attempts import DatabaseStorage

_windows = FixedWindowRateLimiter(DatabaseStorage())
_MINUTE = 60


def address() -> str:
    """Tell who asks; a server behind a socket of this computer does not know."""
    return request.remote_addr or "127.0.0.1"


def limited(
    limits: str, page: Callable[[Message], str], who: Callable[[], str] = address, method: str | None = None
) -> Callable[[Any], Any]:
    """Limit how often a view may be asked for ("20 per minute; 100 per hour") by `who` that is, if it is anybody.

    Past it nothing is done: `page` is drawn with the sentence that says how long to wait, as a 429, so that what was
    typed is still there. With a `method` the others are not counted.
    """
    items = parse_many(limits)

    def limit(view: Any) -> Any:
        @wraps(view)
        def asked(**values: Any) -> Any:
            of = (view.__name__, who())
            counts = all(of) and method in (None, request.method)
            for item in items if counts else ():
                if not _windows.hit(item, *of):
                    return _refusal(item, of, page)
            return view(**values)

        return asked

    return limit


def _refusal(passed: RateLimitItem, of: tuple[str, str], page: Callable[[Message], str]) -> Response:
    seconds = max(1, ceil(_windows.get_window_stats(passed, *of).reset_time - time()))
    return Response(page(too_many_tries(seconds)), 429, {"Retry-After": str(seconds)})


def too_many_tries(seconds: int) -> Message:
    """Say how long to wait, in whole minutes, rounded up."""
    return Message(
        "Too many tries. Wait a minute, then try again.",
        "Too many tries. Wait {n} minutes, then try again.",
        n=-(-seconds // _MINUTE),
    )
