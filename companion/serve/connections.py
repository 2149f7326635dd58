"""Which connections may be open, and which one is closed when there are too many.

A slow client costs a connection and no more. There are enough of them for a table, and where there are not, those that
have not sent a whole request yet are closed first: whoever opens hundreds closes his own, not a phone's.
"""

from __future__ import annotations

import ipaddress
import threading
import time
from collections.abc import Iterable
from enum import IntEnum
from typing import Any, Generic, Protocol, TypeVar

# how many files a process may have open; unknown on Windows
resource: Any
try:
    import resource
except ImportError:
    resource = None

_MOST = 512
_MOST_WITH_SELECT = 480  # Windows has no poll, and its select looks at 512 sockets
_JUST_NOW = 2  # seconds: a phone's request is whole by then
_FILES_EACH = 2  # a connection's socket, and the temporary file that its long body or answer may need
_OTHER_FILES = 256  # of databases, logs and the pages themselves


class State(IntEnum):
    """What a connection is doing; when there are too many, the lowest is closed first."""

    HALF_OPEN = 0  # has not sent a whole request
    IDLE = 1  # between two requests
    SENDING = 2  # the client has not read all of an answer yet
    BUSY = 3  # a request is being answered; never closed


class Connection(Protocol):
    """What has to be known of a connection."""

    network: str

    @property
    def state(self) -> State:
        """Say what it is doing."""

    @property
    def quiet_since(self) -> float:
        """Give the time of its last progress: a request that trickles in makes none."""


AnyConnection = TypeVar("AnyConnection", bound=Connection)


class Connections(Generic[AnyConnection]):
    """All open connections by network, the oldest of each first."""

    def __init__(self, most: int, most_per_network: int) -> None:
        self._most, self._most_per_network = most, most_per_network
        self._networks: dict[str, dict[AnyConnection, None]] = {}
        self._count = 0
        self._lock = threading.RLock()  # a thread that answers may find its connection closed

    def add(self, new: AnyConnection) -> AnyConnection | None:
        """Add a connection; gives the one to close, if there are too many: the new one if all others are busy.

        A network may pass its own limit with connections that made progress just now: while there is room, a phone's
        request should not be closed for the crowd that comes with it.
        """
        closed: AnyConnection | None = None
        with self._lock:
            own = self._networks.get(new.network, {})
            if self._count >= self._most:
                closed = self.make_room() or new
            elif len(own) >= self._most_per_network:
                closed = self._to_close(own, spares_young=True)
            if closed is not new:
                self._networks.setdefault(new.network, {})[new] = None
                self._count += 1
        return closed

    def make_room(self) -> AnyConnection | None:
        """Choose a connection to close, from the network that has the most of them."""
        with self._lock:
            crowd: dict[AnyConnection, None] = max(self._networks.values(), key=len, default={})
            return self._to_close(crowd)

    def remove(self, gone: AnyConnection) -> None:
        """Forget a connection that was closed; nothing happens when it is not known any more."""
        with self._lock:
            own = self._networks.get(gone.network, {})
            if gone in own:
                del own[gone]
                self._count -= 1
                if not own:
                    del self._networks[gone.network]

    def _to_close(self, crowd: Iterable[AnyConnection], spares_young: bool = False) -> AnyConnection | None:
        """Choose the one that was quiet longest among the lowest; those that made progress just now come last."""
        just_now = time.time() - _JUST_NOW
        found: AnyConnection | None = None
        least: tuple[bool, State, float] | None = None
        for one in crowd:
            state, since = one.state, one.quiet_since
            order = (since > just_now, state, since)
            if state is State.BUSY or (spares_young and order[0]):
                continue
            if least is None or order < least:
                found, least = one, order
        if found is not None:
            self.remove(found)
        return found


def network_of(address: str) -> str:
    """Give the network that one client is taken to own: an IPv4 address, the /64 of an IPv6 one."""
    try:
        found = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(found, ipaddress.IPv4Address):
        return address
    return str(found.ipv4_mapped or ipaddress.ip_network((found, 64), strict=False))


def most_connections() -> int:
    """Give how many connections the process may hold, raising its limit of open files first where it may."""
    if resource is None:
        return _MOST_WITH_SELECT
    wanted = _MOST * _FILES_EACH + _OTHER_FILES
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        soft = wanted if hard == resource.RLIM_INFINITY else min(hard, wanted)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    files = wanted if soft == resource.RLIM_INFINITY else min(soft, wanted)
    return max(8, (files - _OTHER_FILES) // _FILES_EACH)
