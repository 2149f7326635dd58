"""Limits the number of open connections, and picks which one to close when there are too many.

A slow client only costs its own connection. If connections run out, those that haven't sent a complete request are
closed first, so a client that opens hundreds loses its own, not a phone's.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterable
from enum import IntEnum
from typing import Any, Generic, Protocol, TypeVar

# tells how many files a process may open; not available on Windows
resource: Any
try:
    import resource
except ImportError:
    resource = None

_MAX_CONNECTIONS = 512
_MAX_WITH_SELECT = 480  # Windows has no poll, and its select handles 512 sockets
_JUST_NOW = 2  # seconds; a phone's request is complete by then
_FILES_EACH = 2  # a connection's socket, and a temporary file for a long body or response
_OTHER_FILES = 256  # databases, logs and the files being served


class State(IntEnum):
    """What a connection is doing. When there are too many connections, the lowest state is closed first."""

    HALF_OPEN = 0  # hasn't sent a complete request
    IDLE = 1  # between two requests
    SENDING = 2  # the client hasn't read the whole response yet
    BUSY = 3  # a request is being handled; never closed


class Connection(Protocol):
    """What `Connections` needs to know about a connection."""

    network: str

    @property
    def state(self) -> State:
        """What the connection is doing."""

    @property
    def quiet_since(self) -> float:
        """When the connection last made progress; a request that trickles in makes none."""


AnyConnection = TypeVar("AnyConnection", bound=Connection)


class Connections(Generic[AnyConnection]):
    """All open connections, grouped by network, oldest first."""

    def __init__(self, most: int, most_per_network: int) -> None:
        self._most, self._most_per_network = most, most_per_network
        self._networks: dict[str, dict[AnyConnection, None]] = {}
        self._count = 0
        self._lock = threading.RLock()  # a worker thread may remove its own connection

    def add(self, new: AnyConnection) -> AnyConnection | None:
        """Add a connection. Returns the one to close if there are too many: the new one if all others are busy.

        A network may exceed its own limit with connections that have just made progress. While there is room, a phone's
        request shouldn't be closed because of the crowd it shares a network with.
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
        """Pick a connection to close from the network that has the most."""
        with self._lock:
            crowd: dict[AnyConnection, None] = max(self._networks.values(), key=len, default={})
            return self._to_close(crowd)

    def remove(self, gone: AnyConnection) -> None:
        """Forget a closed connection; it may have been removed already."""
        with self._lock:
            own = self._networks.get(gone.network, {})
            if gone in own:
                del own[gone]
                self._count -= 1
                if not own:
                    del self._networks[gone.network]

    def _to_close(self, crowd: Iterable[AnyConnection], spares_young: bool = False) -> AnyConnection | None:
        """Pick the connection in the lowest state that has been quiet the longest; recently active ones come last."""
        just_now = time.monotonic() - _JUST_NOW
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


class Bodies(Generic[AnyConnection]):
    """How many bytes of requests each connection has sent that aren't answered yet.

    A request may be as large as a photograph or an exported group. Hundreds at once, sent slowly or never finished,
    would fill the memory and the disk.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._held: dict[AnyConnection, int] = {}
        self._lock = threading.Lock()  # a worker thread reports that a request was answered

    def hold(self, connection: AnyConnection, size: int) -> AnyConnection | None:
        """Note how many bytes a connection holds. Returns the one to close if all together hold too many.

        That is, among those whose request isn't complete, the one with the most bytes in the network with the most.
        """
        with self._lock:
            if size:
                self._held[connection] = size
            else:
                self._held.pop(connection, None)
            if sum(self._held.values()) <= self._most:
                return None
            networks: dict[str, int] = {}
            for one, held in self._held.items():
                networks[one.network] = networks.get(one.network, 0) + held
            found = max(
                (one for one in self._held if one.state is State.HALF_OPEN),
                key=lambda one: (networks[one.network], self._held[one]),
                default=None,
            )
            if found is not None:
                del self._held[found]
            return found


def most_connections() -> int:
    """Return how many connections the process can hold, after raising its limit on open files if possible."""
    if resource is None:
        return _MAX_WITH_SELECT
    wanted = _MAX_CONNECTIONS * _FILES_EACH + _OTHER_FILES
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        soft = wanted if hard == resource.RLIM_INFINITY else min(hard, wanted)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    files = wanted if soft == resource.RLIM_INFINITY else min(soft, wanted)
    return max(8, (files - _OTHER_FILES) // _FILES_EACH)
