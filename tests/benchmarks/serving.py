"""Servers in separate processes, and clients that keep their connection and cookies."""

from __future__ import annotations

import http.client
import os
import re
import socket
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from email.message import Message
from pathlib import Path
from time import perf_counter, sleep
from urllib.parse import urlencode

_MAX_START = 60  # seconds
_MAX_PAUSE = 30  # seconds; servers close a connection that is not used
_FORM = "application/x-www-form-urlencoded"


@dataclass(frozen=True)
class Answer:
    """A response; `seconds` is how long it took."""

    status: int
    headers: Message | Mapping[str, str]
    text: str
    seconds: float


class Client:
    """A browser from a server's point of view: one keep-alive connection, and cookies."""

    def __init__(self, port: int) -> None:
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=_MAX_START)
        self._cookies: dict[str, str] = {}
        self._last = perf_counter()

    def get(self, path: str, **headers: str) -> Answer:
        return self.ask("GET", path, None, {name.replace("_", "-"): value for name, value in headers.items()})

    def post(self, path: str, fields: Mapping[str, object] | Sequence[tuple[str, object]]) -> Answer:
        return self.ask("POST", path, urlencode(fields, doseq=True), {"Content-Type": _FORM})

    def ask(self, method: str, path: str, body: str | None, headers: Mapping[str, str]) -> Answer:
        cookies = "; ".join(f"{name}={value}" for name, value in self._cookies.items())
        if perf_counter() - self._last > _MAX_PAUSE:
            self._connection.close()  # the next request opens it again
        began = perf_counter()
        self._connection.request(method, path, body, {**headers, **({"Cookie": cookies} if cookies else {})})
        response = self._connection.getresponse()
        text = response.read().decode()
        self._last = perf_counter()
        seconds = self._last - began
        for cookie in response.headers.get_all("Set-Cookie", ()):
            name, _, value = cookie.partition(";")[0].partition("=")
            self._cookies[name] = value
        return Answer(response.status, response.headers, text, seconds)

    def close(self) -> None:
        self._connection.close()

    def token(self, path: str) -> str:
        """Return the CSRF token of a page's form."""
        found = re.search(r'name="csrf_token"[^>]*value="([^"]+)"', self.get(path).text)
        assert found, path
        return found[1]


@dataclass(frozen=True)
class Server:
    """A running server; `started` is how many seconds it took until its first response."""

    port: int
    pid: int
    started: float
    clients: list[Client] = field(default_factory=list)

    def client(self) -> Client:
        self.clients.append(Client(self.port))
        return self.clients[-1]

    def megabytes(self) -> float:
        """Return how much memory it uses."""
        status = Path(f"/proc/{self.pid}/status").read_text()
        found = re.search(r"VmRSS:\s+(\d+)", status)
        assert found
        return int(found[1]) / 1024


@contextmanager
def served(command: Sequence[object], path: str = "/", **environment: str) -> Iterator[Server]:
    """Start a server by its command, with PORT replaced by a free port, and wait until it responds at a path.

    Python may keep what it compiles, as where people start it: without that, each start compiles every module again.
    """
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    began = perf_counter()
    words = [str(word).replace("PORT", str(port)) for word in command]
    settings = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"} | environment
    process = subprocess.Popen(words, env=settings, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        while not _answers(port, path):
            assert process.poll() is None, f"{words} ended"
            assert perf_counter() - began < _MAX_START, f"{words} does not answer"
            sleep(0.01)
        server = Server(port, process.pid, perf_counter() - began)
        yield server
        for client in server.clients:
            client.close()
    finally:
        process.terminate()
        process.wait()


def _answers(port: int, path: str) -> bool:
    with closing(Client(port)) as client, suppress(OSError):
        return client.get(path).status < 500
    return False
