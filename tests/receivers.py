"""A program to which webhooks lead in tests: it keeps what it gets, and answers well, badly or not at all."""

from __future__ import annotations

import socket
import threading
from contextlib import suppress
from dataclasses import dataclass, field
from types import TracebackType

OK = b"HTTP/1.1 204 No Content\r\n\r\n"


@dataclass
class Receiver:
    """Answers each request with these bytes; without any, it hangs until the end."""

    answer: bytes = OK
    got: list[tuple[dict[str, str], bytes]] = field(default_factory=list)
    written: int = 0  # bytes of the answer that the sender let it write

    def __enter__(self) -> Receiver:
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.port = self._socket.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}/hook?a=1"
        self._open: list[socket.socket] = []
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()
        return self

    def __exit__(
        self, _kind: type[BaseException] | None, _error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        with suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()
        for connection in self._open:
            connection.close()
        self._thread.join()

    def _serve(self) -> None:
        with suppress(OSError):
            while True:
                connection, _ = self._socket.accept()
                self._open.append(connection)
                with suppress(OSError, ValueError, KeyError):  # what is sent may be no HTTP
                    self._take(connection)

    def _take(self, connection: socket.socket) -> None:
        with connection.makefile("rb") as file:
            line, headers = file.readline(), {}
            while header := file.readline().strip():
                name, _, value = header.decode().partition(":")
                headers[name.lower()] = value.strip()
            self.got.append(({**headers, ":line": line.decode().strip()}, file.read(int(headers["content-length"]))))
        for at in range(0, len(self.answer), 1 << 16):
            self.written += connection.send(self.answer[at : at + (1 << 16)])
        if self.answer:
            connection.close()
