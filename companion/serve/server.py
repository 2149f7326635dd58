"""The web server: waitress, plus timeouts for slow clients and a connection limit per network.

Waitress reads requests and writes responses in one thread and handles complete requests in four others, so a slow
client never blocks a thread. By itself, though, it closes a silent connection only after two minutes, never closes one
that doesn't read its response, stops accepting at a hundred connections, closes each that got a 304, and takes any
number of long requests at once. This module fixes those.
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
from waitress.task import ThreadedTaskDispatcher, WSGITask

from companion.web.http.addresses import network_of

from .connections import Bodies, Connections, State, most_connections

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIApplication

THREADS = 4  # more threads would only compete for the processor: slower saves, more memory
MAX_UPLOAD_BYTES = 33 * 1024 * 1024  # for importing a group and photographs; elsewhere the app's own limit is lower
SETTINGS = {
    "ident": None,
    "log_socket_errors": False,
    "clear_untrusted_proxy_headers": False,  # the app reads them only from trusted proxies
    "max_request_header_size": 64 * 1024,
    "max_request_body_size": MAX_UPLOAD_BYTES,
    "inbuf_overflow": 64 * 1024,  # longer bodies go to a temporary file
    "recv_bytes": 64 * 1024,  # more than a TLS record, so that nothing is left in the TLS socket's buffer
}
PHOTOS = "/photo"  # the end of each URL that takes a photograph
MAX_PHOTO_BYTES = 9_000_000  # including the form around it; the app rejects larger pictures
_MAX_HELD_BYTES = 100_000_000  # of all unanswered requests: an import and eight photographs at once
_SECONDS = 20  # for a handshake plus a request, for reading a response, and between two parts of either
_BYTES_A_SECOND = 500  # a long request or response gets one extra second for each 500 bytes
_IDLE_SECONDS = 60  # between two requests
_MAX_QUEUED = 8  # requests that a client sends without waiting for answers; browsers send one
_PART = 1024  # bytes to parse between two checks of the queue
_MAX_ACCEPTED = 64  # connections accepted in a row before open ones get their turn


class Parser(HTTPRequestParser):  # type: ignore[misc]
    """Parses an incoming request, and keeps a photograph in memory: pictures of hands are never written to disk."""

    def parse_header(self, header_plus: bytes) -> None:
        """Parse the header, and decide by its URL where the body is kept."""
        super().parse_header(header_plus)
        if self.body_rcv is not None and str(self.path).endswith(PHOTOS):
            self.body_rcv.buf.overflow = MAX_PHOTO_BYTES


class KeepAliveTask(WSGITask):  # type: ignore[misc]
    """Handles a request, and keeps the connection open after a response without a body.

    Waitress closes it, because such a response has no Content-Length. With every poll that finds nothing new, a phone
    would have to connect again, over HTTPS with a new handshake.
    """

    def set_close_on_finish(self) -> None:
        """Close the connection after the response if only that ends the body, or if the client asks for it."""
        asks_for_it = self.version == "1.0" or self.request.headers.get("CONNECTION", "").lower() == "close"
        if self.has_body or asks_for_it:
            super().set_close_on_finish()


class Channel(HTTPChannel):  # type: ignore[misc]
    """A connection that knows what it is doing, and since when."""

    parser_class = Parser
    task_class = KeepAliveTask

    def __init__(self, server: Server, sock: socket.socket, addr: Any, adj: Adjustments, map: Any = None) -> None:
        self.network = server.network_of(addr)
        self._answered = self._moved = 0
        self._begun = time.monotonic()  # start of the handshake plus first request, then of each request or response
        super().__init__(server, sock, addr, adj, map=map)

    @property
    def last_activity(self) -> float:
        """When the connection last did something. Waitress sets it to the time of day, which may be set back."""
        return self._active

    @last_activity.setter
    def last_activity(self, _time_of_day: float) -> None:
        self._active = time.monotonic()

    @property
    def state(self) -> State:
        """What the connection is doing."""
        if self.total_outbufs_len:
            return State.SENDING
        if self.requests:
            return State.BUSY
        return State.HALF_OPEN if self.request is not None or not self._answered else State.IDLE

    @property
    def quiet_since(self) -> float:
        """When the connection last made progress."""
        return self._begun if self.state is State.HALF_OPEN else self.last_activity

    def has_timed_out(self, now: float) -> bool:
        """Return whether the client has exceeded its time limit."""
        state = self.state
        if state is State.IDLE:
            return now - self.last_activity > _IDLE_SECONDS
        is_stuck = now - self.last_activity > _SECONDS
        return state is not State.BUSY and (is_stuck or now - self._begun > _SECONDS + self._moved / _BYTES_A_SECOND)

    def _begin(self) -> None:
        self._begun, self._moved = time.monotonic(), 0

    def recv(self, buffer_size: int) -> bytes:
        """Read from the client."""
        data: bytes = super().recv(buffer_size)
        self._moved += len(data)
        return data

    def send(self, data: bytes, do_close: bool = True) -> int:
        """Write to the client; returns how many bytes the network accepted."""
        sent: int = super().send(data, do_close)
        self._moved += sent
        return sent

    def received(self, data: bytes) -> bool:
        """Process received data, and close the connection if it queues too many requests.

        Responses that nobody reads would otherwise pile up until they block a thread.
        """
        if self.request is None and self._answered:
            self._begin()
        taken = False
        for start in range(0, len(data), _PART):
            taken = super().received(data[start : start + _PART])
            if len(self.requests) > _MAX_QUEUED:
                self.server.to_close.append(self)
                break
        self._hold()
        return taken

    def _hold(self) -> None:
        """Report the length of this connection's unanswered requests; closes one if the total is too long."""
        unanswered = [one for one in (*self.requests, self.request) if one is not None] if self.connected else []
        closed = self.server.bodies.hold(self, sum(request.body_bytes_received for request in unanswered))
        if closed is not None:
            self.server.to_close.append(closed)

    def write_soon(self, data: Any) -> int:
        """Queue part of a response; called in a worker thread."""
        if not self.total_outbufs_len:
            self._begin()
        return int(super().write_soon(data))

    def service(self) -> None:
        """Handle a request; called in a worker thread."""
        super().service()
        self._answered += 1
        self._hold()

    def del_channel(self, map: Any = None) -> None:
        """Forget the connection when it is closed."""
        super().del_channel(map)
        self.server.connections.remove(self)
        self.server.bodies.hold(self, 0)


@dataclass(frozen=True)
class Listener:
    """An open port. `tls` makes it use TLS, with the matching class of channel."""

    socket: socket.socket
    channel_class: type[Channel] = Channel
    tls: ssl.SSLContext | None = None


class Server(TcpWSGIServer):  # type: ignore[misc]
    """Accepts connections on one port. `connections`, `bodies` and `to_close` are shared by all ports."""

    connections: Connections[Channel]
    bodies: Bodies[Channel]
    to_close: list[Channel]
    tls: ssl.SSLContext | None
    is_behind_proxy: bool
    visited: Callable[[], None]

    def network_of(self, addr: Any) -> str:
        """Return a client's network; empty behind a proxy, where all clients share the proxy's address."""
        return "" if self.is_behind_proxy else network_of(addr[0])

    def readable(self) -> bool:
        """Always accept; excess connections are closed afterwards."""
        return True

    def handle_accept(self) -> None:
        """Accept the waiting connections."""
        for _ in range(_MAX_ACCEPTED):
            try:
                accepted = self.accept()
            except OSError:  # most likely out of file descriptors
                self._close_soon(self.connections.make_room())
                return
            if accepted is None:
                return
            sock, addr = accepted
            try:
                self.set_socket_options(sock)
                is_from_here = sock.getsockname()[0] == addr[0]
                channel = self.channel_class(self, sock, self.fix_addr(addr), self.adj, map=self._map)
            except (OSError, ValueError):  # the client has already disconnected
                sock.close()
            else:
                self._close_soon(self.connections.add(channel))
                if not is_from_here:
                    self.visited()

    def _close_soon(self, channel: Channel | None) -> None:
        # not immediately: a new connection would reuse its file descriptor and get its pending events
        if channel is not None:
            self.to_close.append(channel)


def run(
    app: WSGIApplication,
    listeners: Sequence[Listener],
    is_behind_proxy: bool,
    visited: Callable[[], None] = lambda: None,
) -> None:
    """Serve until interrupted; `visited` is called for each connection from another computer."""
    logging.basicConfig()  # has no effect if the app has set up logging
    dispatcher = ThreadedTaskDispatcher()
    dispatcher.set_thread_count(THREADS)
    most = most_connections()
    connections: Connections[Channel] = Connections(most, most if is_behind_proxy else most // 2)
    bodies: Bodies[Channel] = Bodies(_MAX_HELD_BYTES)
    sockets: dict[int, Any] = {}
    to_close: list[Channel] = []
    for listener in listeners:
        opened = listener.socket
        adj = Adjustments(**SETTINGS, url_scheme="https" if listener.tls else "http")
        server = Server(
            app, sockets, False, opened, dispatcher, adj, (opened.family, opened.type, opened.proto, ()), False
        )
        server.connections, server.bodies, server.to_close = connections, bodies, to_close
        server.is_behind_proxy = is_behind_proxy
        server.tls, server.channel_class, server.visited = listener.tls, listener.channel_class, visited
        server.accept_connections()
    try:
        _loop(sockets, to_close)
    except (KeyboardInterrupt, SystemExit):
        for channel in _channels(sockets):
            channel.handle_close()  # a worker thread may be waiting for its client
        dispatcher.shutdown()
    finally:
        wasyncore.close_all(sockets, ignore_all=True)


def _channels(sockets: dict[int, Any]) -> list[Channel]:
    return [one for one in list(sockets.values()) if isinstance(one, Channel)]


def _loop(sockets: dict[int, Any], to_close: list[Channel]) -> None:
    next_check = 0.0
    while True:
        wasyncore.loop(timeout=1, use_poll=True, map=sockets, count=1)
        now = time.monotonic()
        if now >= next_check:
            next_check = now + 1
            to_close += [channel for channel in _channels(sockets) if channel.has_timed_out(now)]
        while to_close:
            with contextlib.suppress(OSError):
                to_close.pop().handle_close()
