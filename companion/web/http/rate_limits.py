"""Rate limits on guessing secrets and on filling the disk. Counts are in the database, shared by all processes.

A `Limit` counts what its caller says: every try, or only wrong ones.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, NoReturn

from flask import Response, after_this_request, request

from companion.engine.messages import Message
from companion.store.db.attempts import window
from companion.store.refusals import Refused

from .addresses import network_of

if TYPE_CHECKING:
    from limits import RateLimitItem
    from limits.strategies import FixedWindowRateLimiter

_MINUTE = 60
_EVERYBODY = "everybody"


@cache
def _windows() -> FixedWindowRateLimiter:
    """Create the counter on first use: importing the library would take a twentieth of the startup time."""
    from limits.strategies import FixedWindowRateLimiter

    from companion.store.db.limit_storage import DatabaseStorage

    return FixedWindowRateLimiter(DatabaseStorage())


@cache
def _parsed(limits: str) -> tuple[RateLimitItem, ...]:
    """Read limits such as "10 per minute; 60 per hour"."""
    from limits import parse_many

    return tuple(parse_many(limits)) if limits else ()


def address() -> str:
    """Return the client's address, an IPv6 address as its network; behind a Unix socket the client is unknown."""
    return network_of(request.remote_addr or "127.0.0.1")


class Limit:
    """A limit per address, and optionally one for all addresses together, against guessing from many addresses.

    `who` counts by something other than the address. The overall limit is far above what honest users mistype. Once
    it is reached it applies to everyone, but a night can still be opened by a link.
    """

    def __init__(self, name: str, per_address: str, altogether: str = "", who: Callable[[], str] = address) -> None:
        self._name, self._who = name, who
        self._per_address, self._altogether = per_address, altogether

    def count(self) -> None:
        """Count one action by the client."""
        for item, of in self._counted():
            _windows().hit(item, *of)

    def must_not_be_reached(self) -> None:
        """Raise Refused with the waiting time if the limit is reached; any page that shows it gets status 429."""
        windows = [(item, window(item.key_for(*of), item.get_expiry())) for item, of in self._counted()]
        waits = [seconds for item, (times, seconds) in windows if times >= item.amount]
        if waits:
            _refuse(max(waits))

    def take(self) -> None:
        """Count one action by the client; raises Refused above the limit, even if requests arrive at the same time."""
        for item, of in self._counted():
            if not _windows().hit(item, *of):
                _refuse(max(1, window(item.key_for(*of), item.get_expiry())[1]))

    def _counted(self) -> list[tuple[RateLimitItem, tuple[str, str]]]:
        one = [(item, (self._name, self._who())) for item in _parsed(self._per_address)]
        return one + [(item, (self._name, _EVERYBODY)) for item in _parsed(self._altogether)]


def _refuse(seconds: int) -> NoReturn:
    @after_this_request
    def _too_many(response: Response) -> Response:
        response.status_code = 429
        response.headers["Retry-After"] = str(seconds)
        return response

    raise Refused(too_many_tries(seconds))


def too_many_tries(seconds: int) -> Message:
    """Say how long to wait, in minutes, rounded up."""
    return Message(
        "Too many tries. Wait a minute, then try again.",
        "Too many tries. Wait {n} minutes, then try again.",
        n=-(-seconds // _MINUTE),
    )
