"""Rate limits on guessing secrets and on filling the disk. Counts are in the database, shared by all processes.

A `Limit` counts what its caller says: every try, or only wrong ones.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import NoReturn

from flask import Response, after_this_request, request

from companion.engine.messages import Message
from companion.store import attempts
from companion.store.refusals import Refused

MINUTE, HOUR, DAY = 60, 3_600, 86_400  # seconds
_EVERYBODY = "everybody"
_NETWORK_BITS = 64  # of an IPv6 address; a computer can change the other half at will


def address() -> str:
    """Return the client's address, an IPv6 address as its network; behind a Unix socket the client is unknown."""
    asked_by = request.remote_addr or "127.0.0.1"
    try:
        known = ipaddress.ip_address(asked_by)
    except ValueError:
        return asked_by
    if known.version == 4:
        return str(known)
    if known.ipv4_mapped is not None:
        return str(known.ipv4_mapped)
    return str(ipaddress.ip_network((int(known), _NETWORK_BITS), strict=False))


@dataclass(frozen=True)
class Limit:
    """A limit per address, and optionally one for all addresses together, against guessing from many addresses.

    A limit is given as {seconds: how many actions}, such as {MINUTE: 10, HOUR: 60}. `who` counts by something other
    than the address. The overall limit is far above what honest users mistype. Once it is reached it applies to
    everyone, but a night can still be opened by a link.
    """

    name: str
    per_address: Mapping[int, int]
    altogether: Mapping[int, int] = field(default_factory=dict)
    who: Callable[[], str] = address

    def count(self) -> None:
        """Count one action by the client."""
        for key, seconds, _ in self._counted():
            attempts.tried(key, seconds)

    def must_not_be_reached(self) -> None:
        """Raise Refused with the waiting time if the limit is reached; any page that shows it gets status 429."""
        windows = [(*attempts.window(key), most) for key, _, most in self._counted()]
        waits = [seconds for tries, seconds, most in windows if tries >= most]
        if waits:
            _refuse(max(waits))

    def take(self) -> None:
        """Count one action by the client; raises Refused above the limit, even if requests arrive at the same time."""
        for key, seconds, most in self._counted():
            if attempts.tried(key, seconds) > most:
                _refuse(max(1, attempts.window(key)[1]))

    def _counted(self) -> Iterator[tuple[str, int, int]]:
        """Yield the counters of the client's actions: key, seconds of its window, and how many are allowed."""
        for who, limits in ((self.who(), self.per_address), (_EVERYBODY, self.altogether)):
            for seconds, most in limits.items():
                yield f"{self.name}:{who}:{seconds}", seconds, most


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
        n=-(-seconds // MINUTE),
    )
