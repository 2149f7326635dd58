"""The web server: slow clients are closed in time, crowds lock nobody out, and TLS works."""

from __future__ import annotations

import http.client
import signal
import socket
import ssl
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from itertools import product
from pathlib import Path

import pytest
from waitress.adjustments import Adjustments

from companion.serve import server
from companion.serve.certificate import certificate_for
from companion.web.views.import_export import MAX_BYTES

# answers a POST with its body, and a GET with a number of bytes or with 304; its time limits are short
APP = """
import socket, sys
from pathlib import Path
from companion.serve import connections, server
from companion.serve.certificate import certificate_for
from companion.serve.https import https_listener
from companion.serve.server import Listener, run

connections._JUST_NOW = 0
server._SECONDS = int(sys.argv[5])
server._IDLE_SECONDS = 2 * server._SECONDS
server.most_connections = lambda: int(sys.argv[3])
server._MAX_HELD_BYTES = int(sys.argv[4])

def app(environ, start_response):
    if environ["PATH_INFO"] == "/304":
        start_response("304 Not Modified", [])
        return []
    length = int(environ.get("CONTENT_LENGTH") or 0)
    if environ["REQUEST_METHOD"] == "POST":
        body = environ["wsgi.input"].read(length)
    else:
        path = environ["PATH_INFO"].lstrip("/")
        body = b"x" * int(path) if path.isdigit() else environ[path].encode()
    start_response("200 OK", [("Content-Length", str(len(body)))])
    return [body[i : i + 300_000] for i in range(0, len(body), 300_000)]

opened = socket.create_server(("127.0.0.1", 0))
plain = socket.create_server(("127.0.0.1", 0))
certificate = certificate_for(Path(sys.argv[1]), ["localhost", "127.0.0.1"])
print(opened.getsockname()[1], plain.getsockname()[1], flush=True)
run(app, [https_listener(opened, certificate), Listener(plain)], is_behind_proxy=sys.argv[2] == "proxy")
"""


class Served:
    """A server in a process of its own, and ways to talk to it."""

    def __init__(self, folder: Path, ports: str) -> None:
        self.https, self.http = map(int, ports.split())
        self.context = ssl.create_default_context(cafile=folder / "certificate.pem")

    def ask(self, scheme: str, method: str, path: str, body: bytes | None = None) -> bytes:
        if scheme == "https":
            asking = http.client.HTTPSConnection("127.0.0.1", self.https, timeout=20, context=self.context)
        else:
            asking = http.client.HTTPConnection("127.0.0.1", self.http, timeout=20)
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
        opened.settimeout(20)
        opened.connect(("127.0.0.1", self.https if scheme == "https" else self.http))
        return self.context.wrap_socket(opened, server_hostname="localhost") if scheme == "https" and shaken else opened


@contextmanager
def served(folder: Path, proxy: str = "", most: int = 64, held: int = 10**9, seconds: int = 1) -> Iterator[Served]:
    certificate_for(folder, ["localhost", "127.0.0.1"])
    command = [sys.executable, "-c", APP, str(folder), proxy, str(most), str(held), str(seconds)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    with process:
        try:
            assert process.stdout is not None
            yield Served(folder, process.stdout.readline())
        finally:
            process.send_signal(signal.SIGINT)
            _, errors = process.communicate(timeout=30)
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
    """A connection on which little is sent, and when it was begun: the server's time limit can't begin earlier."""

    socket: socket.socket
    trickle: bytes
    begun: float


def slow(to: Served, scheme: str, begin: bytes, trickle: bytes = b"", *, shaken: bool = True) -> Slow:
    begun = time.monotonic()
    opened = to.connect(scheme, shaken)
    opened.sendall(begin)
    return Slow(opened, trickle, begun)


def seconds_until_closed(held: dict[str, Slow]) -> dict[str, float]:
    """Send a little on each connection every fifth of a second; returns how long the server kept each open."""
    begun = time.monotonic()
    closed: dict[str, float] = {}
    while len(closed) < len(held):
        assert time.monotonic() - begun < 15, closed
        for way, one in held.items():
            if way not in closed and is_closed(one.socket):
                closed[way] = time.monotonic() - one.begun
                one.socket.close()
            elif way not in closed and one.trickle:
                with suppress(OSError):
                    one.socket.send(one.trickle)
        time.sleep(0.2)
    return closed


SLOW = {
    "says nothing": (b"", b""),
    "trickles a head": (b"GET /9 HTTP/1.1\r\n", b"A:b\r\n"),
    "trickles a body": (b"POST /9 HTTP/1.1\r\nContent-Length: 5000\r\n\r\n", b"abc"),
    "was answered, and trickles a second head": (b"GET /9 HTTP/1.1\r\n\r\nGET /9 HTTP/1.1\r\n", b"A:b\r\n"),
    "was answered, and says no more": (b"GET /9 HTTP/1.1\r\n\r\n", b""),
}


def test_slow_clients_are_closed_in_time(tmp_path: Path) -> None:
    with served(tmp_path) as to:
        each = product(("http", "https"), SLOW.items())
        held = {f"{scheme} {way}": slow(to, scheme, *sent) for scheme, (way, sent) in each}
        closed = seconds_until_closed(held)
    assert all(0.5 < seconds < 8 for seconds in closed.values()), closed


def test_an_unfinished_handshake_is_closed_in_time(tmp_path: Path) -> None:
    with served(tmp_path) as to:
        half = slow(to, "https", bytes.fromhex("160301020001000001fc0303"), b"\0", shaken=False)
        assert to.ask("https", "GET", "/9") == b"x" * 9
        closed = seconds_until_closed({"half": half})
    assert 0.5 < closed["half"] < 8
    # what is no handshake is closed long before the time for one is over
    with served(tmp_path, seconds=60) as to:
        closed = seconds_until_closed({"plain": slow(to, "https", b"GET / HTTP/1.1\r\n\r\n", shaken=False)})
    assert closed["plain"] < 1


def test_clients_that_do_not_read_are_closed_in_time(tmp_path: Path) -> None:
    with served(tmp_path) as to:
        # three answers fill what may wait for one client, which then holds a thread
        held = [to.connect(scheme) for scheme in ("http", "https") for _ in range(4)]
        for number, one in enumerate(held):
            one.sendall(b"GET /30000000 HTTP/1.1\r\n\r\n" * (3 if number % 2 else 1))
        time.sleep(4)
        assert to.ask("http", "GET", "/9") == to.ask("https", "GET", "/9") == b"x" * 9
        for one in held:
            read = 0
            with one, suppress(OSError):
                one.settimeout(5)
                while part := one.recv(1 << 20):
                    read += len(part)
            assert read < 30_000_000


def test_clients_that_queue_requests_are_closed(tmp_path: Path) -> None:
    with served(tmp_path, seconds=60) as to, to.connect("http") as modest:
        modest.sendall(b"GET /9 HTTP/1.1\r\n\r\n" * 8)
        # long before its time is over
        greedy = slow(to, "http", b"GET /9 HTTP/1.1\r\n\r\n" * 200)
        assert seconds_until_closed({"greedy": greedy})["greedy"] < 1
        assert not is_closed(modest)


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_bodies_and_answers_arrive_whole(tmp_path: Path, scheme: str) -> None:
    body = bytes(range(256)) * 40_000
    with served(tmp_path) as to:
        assert to.ask(scheme, "POST", "/", body) == body
        assert to.ask(scheme, "GET", "/20000001") == b"x" * 20_000_001
        assert to.ask(scheme, "GET", "/wsgi.url_scheme").decode() == scheme
        assert to.ask(scheme, "GET", "/REMOTE_ADDR") == b"127.0.0.1"


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_a_poll_that_finds_nothing_new_keeps_its_connection(tmp_path: Path, scheme: str) -> None:
    polls = {"1.1": b"GET /304 HTTP/1.1\r\n\r\n", "1.0": b"GET /304 HTTP/1.0\r\n\r\n"}
    polls["close"] = b"GET /304 HTTP/1.1\r\nConnection: close\r\n\r\n"
    kept = {}
    with served(tmp_path) as to:
        for how, poll in polls.items():
            with to.connect(scheme) as held:
                held.sendall(poll)
                assert b" 304 Not Modified\r\n" in held.recv(65536)
                kept[how] = is_polled(held, poll)
    assert kept == {"1.1": True, "1.0": False, "close": False}


def test_clients_that_disconnect_midway_harm_nobody(tmp_path: Path) -> None:
    with served(tmp_path) as to:
        for scheme in ("http", "https"):
            for begin in (b"", b"GET /30000000 HTTP/1.1\r\n\r\n", b"POST / HTTP/1.1\r\nContent-Length: 9\r\n\r\n"):
                with to.connect(scheme) as held:
                    held.sendall(begin)
        to.connect("https", shaken=False).close()
        assert to.ask("https", "GET", "/9") == to.ask("http", "GET", "/9") == b"x" * 9


@pytest.mark.parametrize(("proxy", "stay"), [("", 4), ("proxy", 8)])
def test_a_crowd_closes_its_own_oldest(tmp_path: Path, proxy: str, stay: int) -> None:
    with served(tmp_path, proxy, most=8) as to, ExitStack() as opened:
        held = [opened.enter_context(to.connect("http")) for _ in range(8)]
        # when the last one is answered all have been accepted, and those to close are closed next
        held[-1].sendall(b"GET /9 HTTP/1.1\r\n\r\n")
        assert held[-1].recv(65536)
        begun = time.monotonic()
        while (closed := [is_closed(one) for one in held]).count(True) < 8 - stay:
            assert time.monotonic() - begun < 15
            time.sleep(0.1)
        assert closed == [True] * (8 - stay) + [False] * stay
        assert to.ask("http", "GET", "/9") == b"x" * 9
        assert to.ask("https", "GET", "/9") == b"x" * 9


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_long_requests_together_hold_no_more_than_is_allowed(tmp_path: Path, scheme: str) -> None:
    with served(tmp_path, held=1_000_000, seconds=60) as to, ExitStack() as opened:
        held = [opened.enter_context(to.connect(scheme)) for _ in range(8)]
        for one in held:
            with suppress(OSError):  # closed already
                one.sendall(b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 400000\r\n\r\n" + bytes(300_000))
        # whoever sends all of a long request is answered; those that wait give way, until three fit at most
        assert to.ask(scheme, "POST", "/", b"x" * 200_000) == b"x" * 200_000
        begun = time.monotonic()
        while (kept := [is_closed(one) for one in held].count(False)) > 3:
            assert time.monotonic() - begun < 15
            time.sleep(0.1)
        assert kept >= 2


def test_the_largest_import_is_accepted() -> None:
    assert MAX_BYTES < server.MAX_UPLOAD_BYTES < server._MAX_HELD_BYTES


@pytest.mark.parametrize(("path", "is_in_file"), [("/settle/knock/photo", False), ("/groups/import", True)])
def test_a_photo_waits_in_memory_and_other_long_bodies_in_a_file(path: str, is_in_file: bool) -> None:
    parser = server.Parser(Adjustments(**server.SETTINGS))
    parser.received(f"POST {path} HTTP/1.1\r\nHost: x\r\nContent-Length: 500000\r\n\r\n".encode())
    for _ in range(8):
        parser.received(bytes(50_000))
    assert parser.body_rcv.buf.overflowed is is_in_file
    parser.close()
