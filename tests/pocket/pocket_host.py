"""A host of static files that can be stopped."""

from __future__ import annotations

import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

SCOPE = "/pocket/"


class _Handler(SimpleHTTPRequestHandler):
    # a host that knows no more than pages, styles and scripts
    extensions_map = {".html": "text/html", ".css": "text/css", ".js": "text/javascript", "": "text/plain"}  # noqa: RUF012

    def do_GET(self) -> None:
        host: Host = self.server.host  # type: ignore[attr-defined]
        host.asked.append(self.path)
        if self.path.endswith(tuple(host.dead)):
            self.close_connection = True  # without an answer
            return
        packed = Path(self.translate_path(self.path) + ".br")
        if host.is_packing and packed.is_file():
            self._send_packed(packed)
        else:
            super().do_GET()

    def _send_packed(self, packed: Path) -> None:
        content = packed.read_bytes()
        self.server.host.sent += len(content)  # type: ignore[attr-defined]
        self.send_response(200)
        self.send_header("Content-Type", self.guess_type(packed.with_suffix("")))
        self.send_header("Content-Encoding", "br")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def copyfile(self, source: Any, outputfile: Any) -> None:
        content = source.read()
        self.server.host.sent += len(content)  # type: ignore[attr-defined]
        outputfile.write(content)

    def guess_type(self, path: Any) -> str:
        types = self.server.host.types  # type: ignore[attr-defined]
        return next((kind for end, kind in types.items() if str(path).endswith(end)), super().guess_type(path))

    def log_message(self, *_given: object) -> None:
        pass


class Host:
    """A host of static files; `asked` are the paths that were asked for.

    `types` are those of files whose names end like a key; what ends like one of `dead` gets no answer.
    One that is packing sends files as Brotli has made them. `sent` are the bytes of all files.
    """

    def __init__(self, folder: Path, *, is_packing: bool = False) -> None:
        self.is_packing, self.sent = is_packing, 0
        self.folder, self.asked, self._port = folder, list[str](), 0
        self.types, self.dead = dict[str, str](), list[str]()
        self.on()

    def on(self) -> None:
        self._server = ThreadingHTTPServer(("127.0.0.1", self._port), partial(_Handler, directory=str(self.folder)))
        self._server.host = self  # type: ignore[attr-defined]
        self._port = self._server.server_port
        self.address = f"http://localhost:{self._port}{SCOPE}"
        self._thread = threading.Thread(target=self._server.serve_forever)
        self._thread.start()

    def off(self) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()
