"""A host of static files that can be stopped."""

from __future__ import annotations

import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

SCOPE = "/pocket/"


class _Handler(SimpleHTTPRequestHandler):
    # a host that knows no more than pages, styles and scripts
    extensions_map = {".html": "text/html", ".css": "text/css", ".js": "text/javascript", "": "text/plain"}  # noqa: RUF012

    def do_GET(self) -> None:
        self.server.asked.append(self.path)  # type: ignore[attr-defined]
        super().do_GET()

    def log_message(self, *_given: object) -> None:
        pass


class Host:
    """A host of static files; `asked` are the paths that were asked for."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.asked, self._port = folder, list[str](), 0
        self.on()

    def on(self) -> None:
        self._server = ThreadingHTTPServer(("127.0.0.1", self._port), partial(_Handler, directory=str(self.folder)))
        self._server.asked = self.asked  # type: ignore[attr-defined]
        self._port = self._server.server_port
        self.address = f"http://localhost:{self._port}{SCOPE}"
        self._thread = threading.Thread(target=self._server.serve_forever)
        self._thread.start()

    def off(self) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()
