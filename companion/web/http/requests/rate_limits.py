"""Rate limits on guessing secrets and on filling the disk. Counts are in the database, shared by all processes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from flask import Response, after_this_request, request

from companion.engine.messages import Message
from companion.store.db import attempts
from companion.store.refusals import Refused

from ..network.addresses import network_of

_SECONDS = {"minute": 60, "hour": 3600, "day": 86400}
_EVERYBODY = "everybody"


def address() -> str:
    """Return the client's address, an IPv6 address as its network; behind a Unix socket the client is unknown."""
    return network_of(request.remote_addr or "127.0.0.1")


class Limit:
    """A limit per address, such as `minute=10, hour=60`, and optionally one for all addresses together in an hour.

    The latter is against guessing from many addresses, and far above what honest users mistype. Once it is reached it
    applies to everyone, but a night can still be opened by a link. `who` counts by something other than the address.
    """

    def __init__(self, name: str, *, altogether: int = 0, who: Callable[[], str] = address, **most: int) -> None:
        self._name, self._altogether, self._who, self._most = name, altogether, who, most

    def count(self, who: str | None = None, weight: int = 1) -> int:
        """Count one action unless the limit is reached; returns 0, or in how many seconds to try again.

        The limit holds even if requests arrive at the same time. An action that is harmless is given back or forgotten.
        """
        return attempts.take(self._counters(who), weight)

    def take(self, weight: int = 1) -> None:
        """Count one action; if the limit is reached, raise Refused, and any page that shows it gets status 429.

        `weight` is as how many it counts, for actions that cost more than others.
        """
        _refuse_for(self.count(weight=weight))

    @contextmanager
    def counted(self) -> Iterator[None]:
        """Count the block's action like `take`, but not if it is refused."""
        self.take()
        try:
            yield
        except Refused:
            self.give_back()
            raise

    def must_not_be_reached(self, weight: int = 1) -> None:
        """Refuse like `take`, but count nothing."""
        _refuse_for(attempts.wait(self._counters(), weight))

    def give_back(self) -> None:
        """Take back one action that was counted."""
        attempts.give_back(self._counters())

    def forget(self, who: str) -> None:
        """Take back all actions."""
        attempts.forget(self._counters(who))

    def _counters(self, who: str | None = None) -> list[attempts.Counter]:
        whose = self._who() if who is None else who
        counted = [(whose, unit, most) for unit, most in self._most.items()]
        counted += [(_EVERYBODY, "hour", self._altogether)] if self._altogether else []
        return [attempts.Counter(f"{self._name}/{of}/{unit}", _SECONDS[unit], most) for of, unit, most in counted]


def _refuse_for(seconds: int) -> None:
    if not seconds:
        return

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
        n=-(-seconds // _SECONDS["minute"]),
    )
