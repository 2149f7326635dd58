"""The web server: slow clients are closed in time, crowds lock nobody out, and TLS works."""

from __future__ import annotations

import asyncio
import http.client
import signal
import socket
import ssl
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from waiting import until

from companion.serve.server import server
from companion.serve.server.certificate import certificate_for
from companion.web.groups.import_export import MAX_BYTES

pytestmark = pytest.mark.thorough

# answers a POST with its body, and a GET with a number of bytes or with 304. It skips as many seconds as it is told, so
# that no test waits, and a slow machine changes nothing
APP = """
import os, socket, sys, threading, time
from pathlib import Path
from companion.serve.server import server
from companion.serve.server.certificate import certificate_for
from companion.serve.server.server import Listener, run

server._JUST_NOW = 0
server._SECONDS = int(sys.argv[5])
server._IDLE_SECONDS = 2 * server._SECONDS
server.most_connections = lambda: int(sys.argv[3])
server._MAX_HELD_BYTES = int(sys.argv[4])
polled, POLL = threading.Event(), "/s/night/news/1"

def app(environ, start_response):
    if environ["PATH_INFO"] == "/304":
        start_response("304 Not Modified", [])
        return []
    if environ["PATH_INFO"] == "/until-polled":
        os.write(1, b"waiting\\n")
        polled.wait()
    if environ["PATH_INFO"] == POLL:
        polled.set()
    length = int(environ.get("CONTENT_LENGTH") or 0)
    if environ["REQUEST_METHOD"] == "POST":
        body = environ["wsgi.input"].read(length)
    else:
        path = environ["PATH_INFO"].rpartition("/")[2]
        body = b"x" * int(path) if path.isdigit() else environ.get(path, "").encode()
    start_response("200 OK", [("Content-Length", str(len(body)))])
    return Answer([body])

class Answer(list):
    def close(self):
        if len(self[0]) == 30_000_000:
            os.write(1, b"waiting\\n")  # at once: several threads do

opened = socket.create_server(("127.0.0.1", 0))
plain = socket.create_server(("127.0.0.1", 0))
certificate = certificate_for(Path(sys.argv[1]), ["localhost", "127.0.0.1"])
now, skipped = time.monotonic, 0.0
time.monotonic = lambda: now() + skipped

def pass_time():
    global skipped
    for seconds in sys.stdin:
        skipped += int(seconds)
        os.write(1, b"passed\\n")

threading.Thread(target=pass_time, daemon=True).start()
print(opened.getsockname()[1], plain.getsockname()[1], flush=True)
run(app, [Listener(opened, certificate.file), Listener(plain)], is_behind_proxy=sys.argv[2] == "proxy")
"""


LIMIT = 3_000  # seconds for a request or an answer; twice as many between two requests
STEP = LIMIT // 3 + 1
PATIENCE = 300  # seconds of a client on a busy machine


class Served:
    """A server in a process of its own, and ways to talk to it."""

    def __init__(self, folder: Path, process: subprocess.Popen[str]) -> None:
        assert process.stdin is not None and process.stdout is not None
        self._clock, self._said = process.stdin, process.stdout
        self.https, self.http = map(int, self._said.readline().split())
        self.context = ssl.create_default_context(cafile=folder / "certificate.pem")

    def tells(self, expected: str) -> None:
        """Wait until the server tells something."""
        assert self._said.readline() == f"{expected}\n"

    def pass_time(self, seconds: int) -> None:
        """Let time pass in the server, which then closes whoever has taken too long."""
        self._clock.write(f"{seconds}\n")
        self._clock.flush()
        self.tells("passed")
        # it looks for them before it reads this, and closes them before it answers
        assert self.ask("http", "GET", "/9") == b"x" * 9

    def ask(self, scheme: str, method: str, path: str, body: bytes | None = None) -> bytes:
        if scheme == "https":
            asking = http.client.HTTPSConnection("127.0.0.1", self.https, timeout=PATIENCE, context=self.context)
        else:
            asking = http.client.HTTPConnection("127.0.0.1", self.http, timeout=PATIENCE)
        try:
            asking.request(method, path, body)
            answer = asking.getresponse()
            assert answer.status == 200
            return answer.read()
        finally:
            asking.close()

    def connect(self, scheme: str, shaken: bool = True) -> socket.socket:
        opened = socket.socket()
        opened.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        opened.settimeout(PATIENCE)
        opened.connect(("127.0.0.1", self.https if scheme == "https" else self.http))
        return self.context.wrap_socket(opened, server_hostname="localhost") if scheme == "https" and shaken else opened


@contextmanager
def served(folder: Path, proxy: str = "", most: int = 64, held: int = 10**9) -> Iterator[Served]:
    certificate_for(folder, ["localhost", "127.0.0.1"])
    command = [sys.executable, "-c", APP, str(folder), proxy, str(most), str(held), str(LIMIT)]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    process = subprocess.Popen(command, text=True, **pipes)
    with process:
        try:
            yield Served(folder, process)
        finally:
            process.send_signal(signal.SIGINT)
            _, errors = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0, errors
    assert "Traceback" not in errors


def is_polled(held: socket.socket, poll: bytes) -> bool:
    """Return whether a connection takes another request; the server has closed it otherwise, or is about to."""
    try:
        held.sendall(poll)
        return b" 304 Not Modified\r\n" in held.recv(65536)
    except OSError:
        return False


def is_closed(held: socket.socket) -> bool:
    """Return whether the other side closed a connection, discarding what it sent before."""
    held.setblocking(False)
    try:
        while held.recv(65536):
            pass
    except (BlockingIOError, ssl.SSLWantReadError):
        return False
    except OSError:
        return True
    return True


@dataclass(frozen=True)
class Slow:
    """A connection on which little is sent."""

    socket: socket.socket
    trickle: bytes


def slow(to: Served, scheme: str, begin: bytes, trickle: bytes = b"", *, shaken: bool = True) -> Slow:
    opened = to.connect(scheme, shaken)
    opened.sendall(begin)
    return Slow(opened, trickle)


def steps_until_closed(to: Served, held: dict[str, Slow]) -> dict[str, int]:
    """Let time pass in steps and send a little after each; returns after how many the server closed each connection."""
    closed: dict[str, int] = {}
    for step in range(1, 10):
        to.pass_time(STEP)
        for way, one in held.items():
            if way not in closed and is_closed(one.socket):
                closed[way] = step
                one.socket.close()
            elif way not in closed and one.trickle:
                with suppress(OSError):
                    one.socket.send(one.trickle)
    return closed


GET = b"GET /%b HTTP/1.1\r\nHost: a\r\n\r\n"
POST = b"POST /%b HTTP/1.1\r\nHost: a\r\n"
SLOW = {
    "says nothing": (b"", b""),
    "trickles a head": (b"GET /9 HTTP/1.1\r\nHost: a\r\n", b"A:b\r\n"),
    "trickles a body": (b"POST /9 HTTP/1.1\r\nHost: a\r\nContent-Length: 5000\r\n\r\n", b"abc"),
    "was answered, and trickles a second head": (
        b"GET /9 HTTP/1.1\r\nHost: a\r\n\r\nGET /9 HTTP/1.1\r\nHost: a\r\n",
        b"A:b\r\n",
    ),
    "was answered, and says no more": (b"GET /9 HTTP/1.1\r\nHost: a\r\n\r\n", b""),
}


def test_slow_clients_are_closed_in_time(tmp_path: Path) -> None:
    with served(tmp_path) as to:
        each = product(("http", "https"), SLOW.items())
        held = {f"{scheme} {way}": slow(to, scheme, *sent) for scheme, (way, sent) in each}
        closed = steps_until_closed(to, held)
    idle = {f"{scheme} was answered, and says no more" for scheme in ("http", "https")}
    # the answer may come after the first step
    assert {closed.pop(way) for way in idle} <= {6, 7}
    second = {f"{scheme} was answered, and trickles a second head" for scheme in ("http", "https")}
    assert {closed.pop(way) for way in second} <= {3, 4}
    assert closed == dict.fromkeys(held.keys() - idle - second, 3)


def test_an_unfinished_handshake_is_closed_in_time(tmp_path: Path) -> None:
    with served(tmp_path) as to:
        half = slow(to, "https", bytes.fromhex("160301020001000001fc0303"), b"\0", shaken=False)
        assert to.ask("https", "GET", "/9") == b"x" * 9
        assert steps_until_closed(to, {"half": half}) == {"half": 3}
        # what is no handshake is closed at once
        with to.connect("https", shaken=False) as plain:
            plain.sendall(b"GET / HTTP/1.1\r\nHost: a\r\n\r\n")
            assert until(lambda: is_closed(plain))


def test_clients_that_do_not_read_are_closed_in_time(tmp_path: Path) -> None:
    with served(tmp_path) as to:
        held = [to.connect(scheme) for scheme in ("http", "https") for _ in range(server.THREADS // 2)]
        for one in held:
            one.sendall(GET % b"30000000")
        for _ in held:
            to.tells("waiting")
        for _ in range(3):  # it looks how much each has read, and then whether it has read more
            to.pass_time(LIMIT + 1)
        assert to.ask("https", "GET", "/9") == b"x" * 9
        for one in held:
            read = 0
            with one, suppress(OSError):
                while part := one.recv(1 << 20):
                    read += len(part)
            assert read < 30_000_000


def test_clients_that_queue_requests_are_closed(tmp_path: Path) -> None:
    with served(tmp_path) as to, to.connect("http") as modest, to.connect("http") as greedy:
        modest.sendall(b"GET /9 HTTP/1.1\r\nHost: a\r\n\r\n" * 8)
        greedy.sendall(b"GET /9 HTTP/1.1\r\nHost: a\r\n\r\n" * 200)
        assert until(lambda: is_closed(greedy))
        assert not is_closed(modest)


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_bodies_and_answers_arrive_whole(tmp_path: Path, scheme: str) -> None:
    body = bytes(range(256)) * 40_000
    with served(tmp_path) as to:
        assert to.ask(scheme, "POST", "/", body) == body
        assert to.ask(scheme, "GET", "/20000001") == b"x" * 20_000_001
        assert to.ask(scheme, "GET", "/wsgi.url_scheme").decode() == scheme
        assert to.ask(scheme, "GET", "/REMOTE_ADDR") == b"127.0.0.1"


ODD = {
    "thousands of digits": b"POST /wsgi.input HTTP/1.1\r\nHost: a\r\nContent-Length: " + b"9" * 5_000 + b"\r\n\r\n",
    "a length and chunks": POST % b"" + b"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "two hosts": b"GET /9 HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
    "no host": b"GET /9 HTTP/1.1\r\n\r\n",
    "a long head": b"GET /9 HTTP/1.1\r\nHost: a\r\nA: " + b"b" * 200_000 + b"\r\n\r\n",
    "a long body": b"POST /photo HTTP/1.1\r\nHost: a\r\nContent-Length: 9500000\r\n\r\n" + bytes(9_500_000),
}


def test_odd_requests_are_refused_and_end_the_connection(tmp_path: Path) -> None:
    with served(tmp_path) as to:
        for what, sent in ODD.items():
            with to.connect("http") as odd, suppress(ConnectionError):
                with suppress(ConnectionError):
                    odd.sendall(sent)
                assert odd.recv(12) == (b"HTTP/1.1 413" if what == "a long body" else b"HTTP/1.1 400"), what
                assert until(lambda odd=odd: is_closed(odd)), what
        with to.connect("http") as odd:
            odd.sendall(b"GET http://[/9 HTTP/1.1\r\nHost: a\r\n\r\n")
            assert odd.recv(12) == b"HTTP/1.1 200"
        # a header that passes for one with a dash
        with to.connect("http") as odd:
            sent = b"GET /HTTP_X_A HTTP/1.1\r\nHost: a\r\nX_A: no\r\nX-A: yes\r\nX-A: too\r\nConnection: close\r\n\r\n"
            odd.sendall(sent)
            assert odd.makefile("rb").read().endswith(b"\r\n\r\nyes,too")


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_a_poll_that_finds_nothing_new_keeps_its_connection(tmp_path: Path, scheme: str) -> None:
    polls = {"1.1": b"GET /304 HTTP/1.1\r\nHost: a\r\n\r\n", "1.0": b"GET /304 HTTP/1.0\r\n\r\n"}
    polls["close"] = b"GET /304 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
    kept = {}
    with served(tmp_path) as to:
        for how, poll in polls.items():
            with to.connect(scheme) as held:
                held.sendall(poll)
                assert b" 304 Not Modified\r\n" in held.recv(65536)
                kept[how] = is_polled(held, poll)
    assert kept == {"1.1": True, "1.0": False, "close": False}


def test_polls_are_answered_while_all_threads_are_busy(tmp_path: Path) -> None:
    with served(tmp_path) as site, ThreadPoolExecutor(server.THREADS) as askers:
        asked = [askers.submit(site.ask, "http", "GET", "/until-polled") for _ in range(server.THREADS)]
        for _ in asked:
            site.tells("waiting")
        assert site.ask("http", "GET", "/s/night/news/1") == b"x"
        assert [answer.result() for answer in asked] == [b""] * server.THREADS


def test_clients_that_disconnect_midway_harm_nobody(tmp_path: Path) -> None:
    with served(tmp_path) as to:
        for scheme in ("http", "https"):
            for begin in (
                b"",
                b"GET /30000000 HTTP/1.1\r\nHost: a\r\n\r\n",
                b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n",
            ):
                with to.connect(scheme) as held:
                    held.sendall(begin)
        to.connect("https", shaken=False).close()
        assert to.ask("https", "GET", "/9") == to.ask("http", "GET", "/9") == b"x" * 9


@pytest.mark.parametrize(("proxy", "stay"), [("", 4), ("proxy", 8)])
def test_a_crowd_closes_its_own_oldest(tmp_path: Path, proxy: str, stay: int) -> None:
    with served(tmp_path, proxy, most=8) as to, ExitStack() as opened:
        held = [opened.enter_context(to.connect("http")) for _ in range(8)]
        # when the last one is answered all have been accepted, and those to close are closed next
        held[-1].sendall(b"GET /9 HTTP/1.1\r\nHost: a\r\n\r\n")
        assert held[-1].recv(65536)
        expected = [True] * (8 - stay) + [False] * stay
        assert until(lambda: [is_closed(one) for one in held] == expected)
        assert to.ask("http", "GET", "/9") == b"x" * 9
        assert to.ask("https", "GET", "/9") == b"x" * 9


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_long_requests_together_hold_no_more_than_is_allowed(tmp_path: Path, scheme: str) -> None:
    with served(tmp_path, held=1_000_000) as to, ExitStack() as opened:
        held = [opened.enter_context(to.connect(scheme)) for _ in range(8)]
        for one in held:
            with suppress(OSError):  # closed already
                one.sendall(b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 400000\r\n\r\n" + bytes(300_000))

        def kept() -> int:
            return [is_closed(one) for one in held].count(False)

        assert until(lambda: kept() <= 3)
        # whoever sends all of a long request is answered; one of those that wait gives way
        assert to.ask(scheme, "POST", "/", b"x" * 200_000) == b"x" * 200_000
        assert kept() >= 2


def test_the_largest_import_is_accepted() -> None:
    assert MAX_BYTES < server.MAX_UPLOAD_BYTES < server._MAX_HELD_BYTES


@pytest.mark.parametrize(("path", "is_in_file"), [("/settle/knock/photo", False), ("/groups/import", True)])
def test_a_photo_waits_in_memory_and_other_long_bodies_in_a_file(path: str, is_in_file: bool) -> None:
    found: list[bool] = []

    def app(environ: dict[str, Any], start_response: Any) -> list[bytes]:
        found.append(environ["wsgi.input"]._rolled)
        start_response("200 OK", [])
        return []

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": bytes(400_000)}

    async def send(_: object) -> None: ...

    peer = ("127.0.0.1", 9)
    scope = {"path": path, "client": peer, "server": peer, "headers": [], "method": "POST", "query_string": b""}
    bridge = server.Bridge(app, lambda: None)
    request = bridge({**scope, "http_version": "1.1", "scheme": "http"}, receive, send)
    with ThreadPoolExecutor(1) as thread:  # in this one, a browser of another test may have its loop
        thread.submit(asyncio.run, request).result()
    assert found == [is_in_file]
