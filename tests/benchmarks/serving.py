"""Servers in separate processes, and clients that keep their connection and cookies."""

from __future__ import annotations

import http.client
import os
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from email.message import Message
from pathlib import Path
from time import perf_counter, sleep
from urllib.parse import urlencode

from ports import free_port
from waiting import until

COMMAND = [sys.executable, "-c", "from companion.serve.command import main; main()", "--host=127.0.0.1", "--port=PORT"]

_MAX_START = 60  # seconds
_MAX_WAIT = 600  # seconds; an import on a slow machine takes minutes
_MAX_PAUSE = 30  # seconds; servers close a connection that is not used
_FORM = "application/x-www-form-urlencoded"
_TOP = Path(__file__).parents[2]


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
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=_MAX_WAIT)
        self._cookies: dict[str, str] = {}
        self._last = perf_counter()

    def get(self, path: str, **headers: str) -> Answer:
        return self.ask("GET", path, None, {name.replace("_", "-"): value for name, value in headers.items()})

    def post(self, path: str, fields: Mapping[str, object] | Sequence[tuple[str, object]]) -> Answer:
        return self.ask("POST", path, urlencode(fields, doseq=True), {"Content-Type": _FORM})

    def ask(self, method: str, path: str, body: str | bytes | None, headers: Mapping[str, str]) -> Answer:
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
def served(command: Sequence[object], path: str = "/", log: Path | None = None, **environment: str) -> Iterator[Server]:
    """Start a server by its command, with PORT replaced by a free port, and wait until it responds at a path.

    Python may keep what it compiles, as where people start it: without that, each start compiles every module again.
    """
    port, began = free_port(), perf_counter()
    words = [str(word).replace("PORT", str(port)) for word in command]
    settings = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"} | environment
    with open(log or os.devnull, "wb") as said:
        process = subprocess.Popen(words, cwd=_TOP, env=settings, stdout=said, stderr=said)
    try:
        until(lambda: answers(port, process, path), lambda: sleep(0.01))
        server = Server(port, process.pid, perf_counter() - began)
        yield server
        for client in server.clients:
            client.close()
    finally:
        process.terminate()
        process.wait()


def answers(port: int, process: subprocess.Popen[bytes], path: str) -> bool:
    """Return whether a server that was started answers already."""
    assert process.poll() is None, f"{process.args} ended"
    with closing(Client(port)) as client, suppress(OSError, http.client.HTTPException):
        return client.get(path).status < 500
    return False
