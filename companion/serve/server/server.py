"""The web server: uvicorn reads requests and writes responses in one thread; four others run the app.

A thread gets a complete request and returns a complete response, so a slow client takes none; a poll for news takes
none either, and is answered while imports and photographs keep all of them busy. What uvicorn leaves to a proxy such
as nginx is here: how long a request or a response may take, how many connections a network may have, and how many bytes
of requests may wait.
"""

from __future__ import annotations

import asyncio
import logging
import signal
import ssl
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from email.utils import formatdate
from socket import IPPROTO_TCP, TCP_NODELAY
from typing import TYPE_CHECKING, Any

from uvicorn.config import Config
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.server import ServerState
from werkzeug.wrappers import Response

from companion.web.http.answers.news import is_poll
from companion.web.http.network.addresses import network_of

from .open_files import most_connections

if TYPE_CHECKING:
    from pathlib import Path
    from socket import socket

    from _typeshed.wsgi import WSGIApplication

THREADS = 4  # more threads would only compete for the processor: slower saves, more memory
MAX_UPLOAD_BYTES = 33 * 1024 * 1024  # for importing a group and photographs; elsewhere the app's own limit is lower
PHOTOS = "/photo"  # the end of each URL that takes a photograph
MAX_PHOTO_BYTES = 9_000_000  # including the form around it; the app rejects larger pictures
_MAX_BYTES_IN_MEMORY = 64 * 1024  # longer bodies go to a temporary file
_MAX_HELD_BYTES = 100_000_000  # of all unanswered requests: an import and eight photographs at once
_SECONDS = 20  # for a handshake, for a request, and for reading a response
_BYTES_A_SECOND = 500  # a long request or response gets one extra second for each 500 bytes
_IDLE_SECONDS = 60  # between two requests
_JUST_NOW = 2  # seconds; a phone's request is complete by then
_MAX_ACCEPTED = 64  # connections accepted in a row before open ones get their turn
_MAX_QUEUED_BYTES = 1024  # of requests sent without waiting for a response; browsers send none

_Answer = tuple[int, list[tuple[bytes, bytes]], bytes]  # status, headers, body


@dataclass(frozen=True)
class Listener:
    """An open port; `certificate` is the file of one with its key, if the port speaks HTTPS."""

    socket: socket
    certificate: Path | None = None


class Connection(H11Protocol):
    """A connection that is closed when its client takes too long, or when there are too many."""

    most, is_behind_proxy = 512, False

    def connection_made(self, transport: Any) -> None:
        """Make room for a connection among those of its network, or among all."""
        super().connection_made(transport)
        # a response is written in two parts, of which the second shouldn't wait until the first has arrived
        transport.get_extra_info("socket").setsockopt(IPPROTO_TCP, TCP_NODELAY, 1)
        self._begun, self._moved, self._unsent = self.loop.time(), 0, 0
        self.network = "" if self.is_behind_proxy or not self.client else network_of(self.client[0])
        every = self._open()
        is_full = len(every) > self.most
        crowd = every if is_full else [other for other in every if other.network == self.network]
        if is_full or len(crowd) > self.most // (1 if self.is_behind_proxy else 2):
            # while there is room for all, a phone's request isn't closed for the crowd it shares a network with
            latest = self._begun - (0 if is_full else _JUST_NOW)
            waiting = [other for other in crowd if other._begun <= latest and not other.is_busy()]
            order = lambda other: (self._begun - other._begun < _JUST_NOW, other.is_idle(), other._begun)  # noqa: E731
            if is_full or waiting:
                min(waiting, key=order, default=self).transport.abort()

    def _open(self) -> list[Any]:
        return [connection for connection in self.connections if not connection.transport.is_closing()]

    def is_busy(self) -> bool:
        """Return whether the app is handling a request, which is not the client's fault."""
        is_sent = self.cycle is not None and not self.cycle.more_body
        return is_sent and not self.cycle.response_complete and not self.transport.get_write_buffer_size()

    def is_idle(self) -> bool:
        """Return whether a request was answered and the next one hasn't begun."""
        is_answered = self.cycle is not None and self.cycle.response_complete
        return is_answered and not self.conn.trailing_data[0] and not self.transport.get_write_buffer_size()

    def data_received(self, data: bytes) -> None:
        """Process a part of a request."""
        if self.is_idle():
            self._begun, self._moved = self.loop.time(), 0
        self._moved += len(data)
        super().data_received(data)
        if self.is_busy() and len(self.conn.trailing_data[0]) > _MAX_QUEUED_BYTES:
            self.transport.abort()
        if self._is_receiving():
            self._limit_bodies()

    def _is_receiving(self) -> bool:
        return self.cycle is not None and bool(self.cycle.more_body)

    def _limit_bodies(self) -> None:
        """Close the longest unfinished request of the greediest network if all together hold too many bytes."""
        every = self._open()
        held = Counter[str]()
        for connection in every:
            if connection._is_receiving() or connection.is_busy():
                held[connection.network] += connection._moved
        if held.total() > _MAX_HELD_BYTES:
            receiving = [connection for connection in every if connection._is_receiving()]
            max(receiving, key=lambda connection: (held[connection.network], connection._moved)).transport.abort()

    def check(self) -> None:
        """Close the connection if its client has exceeded its time limit."""
        now, unsent = self.loop.time(), self.transport.get_write_buffer_size()
        if self.is_busy() or unsent != self._unsent:
            self._begun, self._moved, self._unsent = now, 0, unsent
        if now - self._begun > (_IDLE_SECONDS if self.is_idle() else _SECONDS + self._moved / _BYTES_A_SECOND):
            self.transport.abort()


class Bridge:
    """The app, as uvicorn calls it."""

    def __init__(self, app: WSGIApplication, visited: Callable[[], None]) -> None:
        self._app, self._visited, self._threads = app, visited, ThreadPoolExecutor(THREADS)

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Receive a request, have it answered, and send the response."""
        if scope["client"][0] != scope["server"][0]:
            self._visited()
        framing = {name for name, _ in scope["headers"]} & {b"content-length", b"transfer-encoding"}
        answer: _Answer | None
        if len(framing) == 2:  # a proxy before this server may disagree about where the request ends
            answer = _refused(400)
        elif not framing and is_poll(scope["method"], scope["path"]):
            answer = self._answer(_environ(scope))
        else:
            answer = await self._receive_and_answer(scope, receive)
        if answer is not None:
            status, headers, body = answer
            await send({"type": "http.response.start", "status": status, "headers": headers})
            await send({"type": "http.response.body", "body": body})

    async def _receive_and_answer(self, scope: Any, receive: Any) -> _Answer | None:
        """Return the answer to a request after its body has arrived; None if its client has left."""
        is_photo = scope["path"].endswith(PHOTOS)
        most, size, more = MAX_PHOTO_BYTES if is_photo else MAX_UPLOAD_BYTES, 0, True
        # pictures of hands are never written to disk
        with tempfile.SpooledTemporaryFile(most if is_photo else _MAX_BYTES_IN_MEMORY) as received:
            while more:
                message = await receive()
                if message["type"] == "http.disconnect":
                    return None
                more = message.get("more_body", False)
                size += received.write(message["body"])
                if size > most:
                    return _refused(413)
            received.seek(0)
            environ = _environ(scope) | {"wsgi.input": received, "CONTENT_LENGTH": str(size)}
            return await asyncio.get_running_loop().run_in_executor(self._threads, self._answer, environ)

    def _answer(self, environ: dict[str, Any]) -> _Answer:
        response = Response.from_app(self._app, environ, buffered=True)
        headers = [(name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in response.headers]
        return response.status_code, headers, b"".join(response.iter_encoded())


def _refused(status: int) -> _Answer:
    return status, [(b"content-length", b"0"), (b"connection", b"close")], b""


def _environ(scope: Any) -> dict[str, Any]:
    """Convert what uvicorn says of a request to what a WSGI app wants to know."""
    environ = {
        "REQUEST_METHOD": scope["method"],
        "SCRIPT_NAME": "",
        "PATH_INFO": scope["path"].encode().decode("latin-1"),
        "QUERY_STRING": scope["query_string"].decode("latin-1"),
        "SERVER_NAME": scope["server"][0],
        "SERVER_PORT": str(scope["server"][1]),
        "SERVER_PROTOCOL": f"HTTP/{scope['http_version']}",
        "REMOTE_ADDR": scope["client"][0],
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": scope["scheme"],
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": False,
        "wsgi.run_once": False,
    }
    for name, value in scope["headers"]:
        key = name.decode("latin-1").upper()
        if "_" not in key:  # it would pass for one with a dash, which a trusted proxy may have set
            key = "CONTENT_TYPE" if key == "CONTENT-TYPE" else f"HTTP_{key.replace('-', '_')}"
            before = f"{environ[key]}," if key in environ else ""
            environ[key] = before + value.decode("latin-1")
    return environ


def run(
    app: WSGIApplication,
    listeners: Sequence[Listener],
    is_behind_proxy: bool,
    visited: Callable[[], None] = lambda: None,
) -> None:
    """Serve until interrupted; `visited` is called for each request from another computer."""
    logging.basicConfig()  # has no effect if the app has set up logging
    Connection.most, Connection.is_behind_proxy = most_connections(), is_behind_proxy
    asyncio.run(_serve(Bridge(app, visited), listeners))


async def _serve(bridge: Bridge, listeners: Sequence[Listener]) -> None:
    config = Config(
        bridge,
        ws="none",
        lifespan="off",
        log_config=None,
        log_level="error",
        access_log=False,
        timeout_keep_alive=2 * _IDLE_SECONDS,  # `check` closes it before
        h11_max_incomplete_event_size=64 * 1024,
    )
    config.load()
    state, loop, stopped = ServerState(), asyncio.get_running_loop(), asyncio.Event()

    def stop(number: int, _frame: object) -> None:
        signal.signal(number, signal.SIG_DFL)  # a second one ends the process at once
        loop.call_soon_threadsafe(stopped.set)

    def check() -> None:
        state.default_headers = [(b"date", formatdate(usegmt=True).encode())]
        for connection in list(state.connections):
            connection.check()  # type: ignore[union-attr]
        loop.call_later(1, check)

    check()
    for listener in listeners:
        tls: dict[str, Any] = {}
        if listener.certificate:
            tls = {"ssl": ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER), "ssl_handshake_timeout": _SECONDS}
            tls["ssl"].load_cert_chain(listener.certificate)
        await loop.create_server(
            lambda: Connection(config, state, {}), sock=listener.socket, backlog=_MAX_ACCEPTED, **tls
        )
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, stop)
    await stopped.wait()
    for connection in list(state.connections):
        connection.transport.abort()  # a client may be slow
    if state.tasks:
        await asyncio.wait(state.tasks)
