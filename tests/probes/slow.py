"""Slow connections: hundreds that never finish what they started, while a phone requests /healthz.

python tests/probes/slow.py [--connections 500] [--seconds 10] [--addresses 1] [--files 1024] [--database URL]

Starts the app over HTTP and HTTPS, on a temporary SQLite database or the one given, and attacks each in every way of
HOLDS, reopening what the server closes. Prints one line of JSON; exits with 0 if every request of the phone was
answered within a second. In the worst case the phone has the attacker's address; `--addresses` spreads the attack over
more (127.0.0.2 ...). `--files` sets RLIMIT_NOFILE.
"""

from __future__ import annotations

import argparse
import contextlib
import http.client
import json
import os
import resource
import selectors
import socket
import ssl
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(TESTS), str(TESTS.parent)]

from benchmarks.serving import COMMAND  # noqa: E402

A_SECOND = 1.0
PATIENCE = 5.0  # seconds that the phone waits for an answer, and an attacker for his hand-shake
BETWEEN = 0.1
Sending = Callable[[socket.socket], None]


@dataclass(frozen=True)
class Hold:
    """A way to keep a connection busy: what is sent first, and then once a second.

    `a_second` is how many are opened per second: attacks that begin with complete requests should be slow, not a flood.
    """

    begin: bytes
    more: bytes = b""
    reads: bool = True
    a_second: int = 1000


ASK = b"GET /api/openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n"
HOLDS = {
    "says nothing": Hold(b""),
    "half a head": Hold(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n", b"X-A: b\r\n"),
    "half a body": Hold(b"POST /api/settle HTTP/1.1\r\nHost: localhost\r\nContent-Length: 60000\r\n\r\n{", b" "),
    "reads no answer": Hold(ASK * 2, reads=False, a_second=60),
    "queues requests": Hold(ASK * 150, reads=False, a_second=60),
}
HAND_SHAKE = "half a hand-shake"
HALF_A_HELLO = Hold(bytes.fromhex("160301020001000001fc0303"))  # a TLS record of 512 bytes begins


@dataclass
class Attack:
    """Connections held open until `stop`; `opened` counts them all, including those the server closed."""

    address: tuple[str, int]
    hold: Hold
    connections: int
    sources: int
    trusted: ssl.SSLContext | None  # None where the hold lies below TLS
    opened: int = 0
    held: dict[int, socket.socket] = field(default_factory=dict)
    selector: selectors.BaseSelector = field(default_factory=selectors.DefaultSelector)
    is_over: threading.Event = field(default_factory=threading.Event)

    def run(self) -> None:
        """Once a second, reopen missing connections and send a little more on each."""
        while not self.is_over.is_set():
            begun = time.monotonic()
            for number in range(min(self.hold.a_second, self.connections - len(self.held))):
                if self.is_over.wait(max(0.0, begun + number / self.hold.a_second - time.monotonic())):
                    break
                with contextlib.suppress(OSError):
                    self.open()
            self.drop_closed(max(0.0, begun + 1 - time.monotonic()))
            if self.hold.more:
                for held in list(self.held.values()):
                    with contextlib.suppress(OSError):
                        held.send(self.hold.more)
        for held in list(self.held.values()):
            held.close()

    def open(self) -> None:
        """Open one connection, rotating through the addresses."""
        source = f"127.0.0.{self.opened % self.sources + 1}"
        opened = socket.socket()
        opened.settimeout(PATIENCE)
        if not self.hold.reads:
            opened.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        opened.bind((source, 0))
        opened.connect(self.address)
        self.opened += 1
        if self.trusted is not None:
            opened = self.trusted.wrap_socket(opened, server_hostname="localhost")
        opened.sendall(self.hold.begin)
        opened.setblocking(False)
        self.held[opened.fileno()] = opened
        self.selector.register(opened, selectors.EVENT_READ)

    def drop_closed(self, seconds: float) -> None:
        """Drop connections that the server closed."""
        latest = time.monotonic() + seconds
        while (left := latest - time.monotonic()) > 0 and not self.is_over.is_set():
            if not self.hold.reads:
                self.is_over.wait(left)
                continue
            for key, _ in self.selector.select(min(left, 0.2)):
                held: socket.socket = key.fileobj  # type: ignore[assignment]
                try:
                    if held.recv(65536):
                        continue
                except (BlockingIOError, ssl.SSLWantReadError):
                    continue
                except OSError:
                    pass
                self.selector.unregister(held)
                del self.held[key.fd]
                held.close()


def ask(address: tuple[str, int], trusted: ssl.SSLContext | None) -> float:
    """Request /healthz on a new connection; returns the seconds it took, or PATIENCE if there was no response."""
    begun = time.monotonic()
    connection = http.client.HTTPConnection(*address, timeout=PATIENCE)
    if trusted is not None:
        connection = http.client.HTTPSConnection(*address, timeout=PATIENCE, context=trusted)
    try:
        connection.request("GET", "/healthz")
        if connection.getresponse().read() != b"ok\n":
            return PATIENCE
    except (OSError, http.client.HTTPException):
        return PATIENCE
    finally:
        connection.close()
    return time.monotonic() - begun


@contextlib.contextmanager
def served(scheme: str, files: int | None, database: str) -> Iterator[tuple[tuple[str, int], ssl.SSLContext | None]]:
    """Start the app on a temporary instance; returns its address, and a context that trusts its certificate."""
    with tempfile.TemporaryDirectory() as folder:
        settings = {"COMPANION_INSTANCE": folder, "DATABASE_URL": database, "PYTHONIOENCODING": "utf-8"}
        limit = (lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (files, files))) if files else None
        process = subprocess.Popen(
            [*(word.replace("PORT", "0") for word in COMMAND), *["--https"] * (scheme == "https")],
            cwd=TESTS.parent,
            env=os.environ | settings,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            preexec_fn=limit,
        )
        try:
            assert process.stdout is not None
            port = int(process.stdout.readline().partition("://127.0.0.1:")[2].partition("/")[0])
            trusted = None
            if scheme == "https":
                trusted = ssl.create_default_context(cafile=f"{folder}/certificate.pem")
                trusted.check_hostname = False
            for _ in range(20):  # what is made at the first request is there before it counts
                ask(("127.0.0.1", port), trusted)
            yield ("127.0.0.1", port), trusted
        finally:
            process.terminate()
            process.communicate(timeout=30)


def attacked(
    address: tuple[str, int], trusted: ssl.SSLContext | None, way: str, given: argparse.Namespace
) -> dict[str, float]:
    """Attack a server in one way; returns how long its responses took meanwhile."""
    hold = HALF_A_HELLO if way == HAND_SHAKE else HOLDS[way]
    attack = Attack(address, hold, given.connections, given.addresses, None if way == HAND_SHAKE else trusted)
    thread = threading.Thread(target=attack.run)
    thread.start()
    took = []
    try:
        latest = time.monotonic() + given.seconds
        # a busy machine takes longer to open them all
        while time.monotonic() < latest or (attack.opened < given.connections and time.monotonic() < latest + PATIENCE):
            took.append(ask(address, trusted))
            time.sleep(BETWEEN)
    finally:
        attack.is_over.set()
        thread.join()
    return {
        "worst": round(max(took), 3),
        "median": round(sorted(took)[len(took) // 2], 3),
        "late": sum(seconds >= A_SECOND for seconds in took),
        "asked": len(took),
        "opened": attack.opened,
        "held": len(attack.held),
    }


def main() -> int:
    """Run the probe."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--connections", type=int, default=500)
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--addresses", type=int, default=1)
    parser.add_argument("--files", type=int)
    parser.add_argument("--database", default="")
    parser.add_argument("--schemes", nargs="+", default=["http", "https"])
    parser.add_argument("--ways", nargs="+", default=[HAND_SHAKE, *HOLDS])
    given = parser.parse_args()
    found = {}
    for scheme in given.schemes:
        with served(scheme, given.files, given.database) as (address, trusted):
            for way in given.ways:
                if way != HAND_SHAKE or scheme == "https":
                    found[f"{scheme}: {way}"] = attacked(address, trusted, way, given)
    worst = max(row["worst"] for row in found.values())
    print(json.dumps({"ok": worst < A_SECOND, "worst": worst, "connections": given.connections, "ways": found}))
    return 0 if worst < A_SECOND else 1


if __name__ == "__main__":
    sys.exit(main())
