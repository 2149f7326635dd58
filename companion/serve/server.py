"""The server: waitress, with time limits for slow clients and a limit of connections for each network.

Waitress reads requests and writes answers in one thread, and answers whole requests in four others, so a slow client
holds none of them. What it lacks is here: by itself it closes a connection that says nothing only after two minutes,
one that does not read its answer never, and with a hundred connections it accepts no more.
"""

from __future__ import annotations

import contextlib
import logging
import socket
import ssl
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from waitress import wasyncore
from waitress.adjustments import Adjustments
from waitress.channel import HTTPChannel
from waitress.parser import HTTPRequestParser
from waitress.server import TcpWSGIServer
from waitress.task import ThreadedTaskDispatcher

from .connections import Connections, State, most_connections, network_of

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIApplication

THREADS = 4  # twice as many would take turns at the processor: each save waits longer, and holds more memory
MOST_BODY_BYTES = 33 * 1024 * 1024  # a group to import; the app itself takes less everywhere else
SETTINGS = {
    "ident": None,
    "log_socket_errors": False,
    "clear_untrusted_proxy_headers": False,  # the app reads them only from proxies that it trusts
    "max_request_header_size": 64 * 1024,
    "max_request_body_size": MOST_BODY_BYTES,
    "inbuf_overflow": 64 * 1024,  # longer bodies wait in a file
    "recv_bytes": 64 * 1024,  # more than a TLS record, so that none of it stays behind in the socket's own buffer
}
PHOTOS = "/photo"  # how the addresses end that take a photograph
MOST_PHOTO_BYTES = 9_000_000  # with the form round it; longer ones are refused
_SECONDS = 20  # for a hand-shake with a whole request, for reading an answer, and between two parts of either
_BYTES_A_SECOND = 500  # a long request or answer gets a second more for each of these
_IDLE_SECONDS = 60  # between two requests
_MOST_QUEUED = 8  # requests that a client sends without waiting for answers; browsers send one
_PART = 1024  # bytes after which those are counted
_MOST_ACCEPTED = 64  # connections at once, before the others get their turn


class Parser(HTTPRequestParser):  # type: ignore[misc]
    """A request as it comes in. A photograph waits in memory for its end: pictures of hands are never written."""

    def parse_header(self, header_plus: bytes) -> None:
        """Read the header, after which the kind of body is known."""
        super().parse_header(header_plus)
        if self.body_rcv is not None and str(self.path).endswith(PHOTOS):
            self.body_rcv.buf.overflow = MOST_PHOTO_BYTES


class Channel(HTTPChannel):  # type: ignore[misc]
    """One connection, which knows what it is doing and since when."""

    parser_class = Parser

    def __init__(self, server: Server, sock: socket.socket, addr: Any, adj: Adjustments, map: Any = None) -> None:
        self.network = server.network_of(addr)
        self._answered = self._moved = 0
        self._begun = time.time()  # the hand-shake and the first request, then each request or answer
        super().__init__(server, sock, addr, adj, map=map)

    @property
    def state(self) -> State:
        """Say what the connection is doing."""
        if self.total_outbufs_len:
            return State.SENDING
        if self.requests:
            return State.BUSY
        return State.HALF_OPEN if self.request is not None or not self._answered else State.IDLE

    @property
    def quiet_since(self) -> float:
        """Give the time of the last progress."""
        return float(self._begun if self.state is State.HALF_OPEN else self.last_activity)

    def is_late(self, now: float) -> bool:
        """Tell whether the client took too long."""
        state = self.state
        if state is State.IDLE:
            return bool(now - self.last_activity > _IDLE_SECONDS)
        is_stuck = now - self.last_activity > _SECONDS
        return state is not State.BUSY and (is_stuck or now - self._begun > _SECONDS + self._moved / _BYTES_A_SECOND)

    def _begin(self) -> None:
        self._begun, self._moved = time.time(), 0

    def recv(self, buffer_size: int) -> bytes:
        """Read from the client."""
        data: bytes = super().recv(buffer_size)
        self._moved += len(data)
        return data

    def send(self, data: bytes, do_close: bool = True) -> int:
        """Write to the client; gives how many bytes the network took."""
        sent: int = super().send(data, do_close)
        self._moved += sent
        return sent

    def received(self, data: bytes) -> bool:
        """Take in what was read, and close a connection that queues requests.

        Answers that nobody reads would pile up until they hold a thread.
        """
        if self.request is None and self._answered:
            self._begin()
        taken = False
        for start in range(0, len(data), _PART):
            taken = super().received(data[start : start + _PART])
            if len(self.requests) > _MOST_QUEUED:
                self.server.to_close.append(self)
                break
        return taken

    def write_soon(self, data: Any) -> int:
        """Take a part of an answer; called in one of the threads."""
        if not self.total_outbufs_len:
            self._begin()
        return int(super().write_soon(data))

    def service(self) -> None:
        """Answer a request; called in one of the threads."""
        super().service()
        self._answered += 1

    def del_channel(self, map: Any = None) -> None:
        """Forget the connection, as it is being closed."""
        super().del_channel(map)
        self.server.connections.remove(self)


@dataclass(frozen=True)
class Listener:
    """An open port; answered over TLS where `tls` is given, with the class of channel for that."""

    socket: socket.socket
    channel_class: type[Channel] = Channel
    tls: ssl.SSLContext | None = None


class Server(TcpWSGIServer):  # type: ignore[misc]
    """Accepts connections on one port. `connections` and `to_close` are shared by all ports."""

    connections: Connections[Channel]
    to_close: list[Channel]
    tls: ssl.SSLContext | None
    is_behind_proxy: bool
    visited: Callable[[], None]

    def network_of(self, addr: Any) -> str:
        """Give the network of a client; behind a proxy they all come from its address, so it says nothing."""
        return "" if self.is_behind_proxy else network_of(addr[0])

    def readable(self) -> bool:
        """Accept always: what was too much is closed instead."""
        return True

    def handle_accept(self) -> None:
        """Accept the connections that wait."""
        for _ in range(_MOST_ACCEPTED):
            try:
                accepted = self.accept()
            except OSError:  # most likely no file is left to open
                self._close_soon(self.connections.make_room())
                return
            if accepted is None:
                return
            sock, addr = accepted
            try:
                self.set_socket_options(sock)
                is_from_here = sock.getsockname()[0] == addr[0]
                channel = self.channel_class(self, sock, self.fix_addr(addr), self.adj, map=self._map)
            except (OSError, ValueError):  # it is gone already
                sock.close()
            else:
                self._close_soon(self.connections.add(channel))
                if not is_from_here:
                    self.visited()

    def _close_soon(self, channel: Channel | None) -> None:
        # not now: its number would be given to the next one, to which events of this round may not belong
        if channel is not None:
            self.to_close.append(channel)


def run(
    app: WSGIApplication,
    listeners: Sequence[Listener],
    is_behind_proxy: bool,
    visited: Callable[[], None] = lambda: None,
) -> None:
    """Serve until interrupted; `visited` is called for each connection from another computer."""
    logging.basicConfig()  # nothing where the app has set up its own log
    dispatcher = ThreadedTaskDispatcher()
    dispatcher.set_thread_count(THREADS)
    most = most_connections()
    connections: Connections[Channel] = Connections(most, most if is_behind_proxy else most // 2)
    sockets: dict[int, Any] = {}
    to_close: list[Channel] = []
    for listener in listeners:
        opened = listener.socket
        adj = Adjustments(**SETTINGS, url_scheme="https" if listener.tls else "http")
        server = Server(
            app, sockets, False, opened, dispatcher, adj, (opened.family, opened.type, opened.proto, ()), False
        )
        server.connections, server.to_close, server.is_behind_proxy = connections, to_close, is_behind_proxy
        server.tls, server.channel_class, server.visited = listener.tls, listener.channel_class, visited
        server.accept_connections()
    try:
        _loop(sockets, to_close)
    except (KeyboardInterrupt, SystemExit):
        for channel in _channels(sockets):
            channel.handle_close()  # a thread may wait for its client
        dispatcher.shutdown()
    finally:
        wasyncore.close_all(sockets, ignore_all=True)


def _channels(sockets: dict[int, Any]) -> list[Channel]:
    return [one for one in list(sockets.values()) if isinstance(one, Channel)]


def _loop(sockets: dict[int, Any], to_close: list[Channel]) -> None:
    look = 0.0
    while True:
        wasyncore.loop(timeout=1, use_poll=True, map=sockets, count=1)
        now = time.time()
        if now >= look:
            look = now + 1
            to_close += [channel for channel in _channels(sockets) if channel.is_late(now)]
        while to_close:
            with contextlib.suppress(OSError):
                to_close.pop().handle_close()
