"""The engine's Python half: makes the app, opens the phone's database, and answers one request after another."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urlsplit

from companion import create_app, open_database
from companion.config import read_secret_key
from companion.platform import Platform
from companion.store.db.startup import Newer, Unusable, needs_upgrade
from companion.store.models import db

from .cookies import Jar
from .copies import due

if TYPE_CHECKING:
    from flask import Flask

Header = tuple[str, str]

PLATFORM = Platform(phones=False, threads=False, photographs=False)
EMPTY = Path("/app/empty.db")  # an empty database of this version
# pages that load what a night needs, before the memory is kept
_WARM = ("/", "/groups/new", "/help/", "/help/knock", "/phone", "/settle/knock-poker", "/groups/import")
_NOT_SENT_ON = ("CONTENT_LENGTH", "COOKIE", "HOST", "ACCEPT_ENCODING")  # ours, or useless without a network
# the shell shows the pages in a frame
_FRAMED = {"frame-ancestors 'none'": "frame-ancestors 'self'", "DENY": "SAMEORIGIN"}
# what a page asks never goes to the host; modules run in their order, so this one before the page's own
_GUARD = '<script type="module" src="{}/pocket/guard.js?v={}"></script>'


class Engine:
    """The app over one folder, which holds the database, the secret key and the cookies."""

    def __init__(self, folder: Path) -> None:
        """Make the app and warm it up over an empty database; leaves no file behind, so the memory can be kept."""
        self._folder, self._prefix, self._build = folder, "", ""
        os.umask(0o077)  # as on a computer: what is kept is its owner's alone
        folder.mkdir(parents=True, exist_ok=True)
        self._write(folder / "companion.db", EMPTY.read_bytes())
        self.app: Flask = create_app({"INSTANCE": folder, "PLATFORM": PLATFORM}, opens=False)
        self.app.jinja_env.globals["copy_due"] = due
        import companion.store.night.demo
        import companion.store.portable  # noqa: F401 - of a group's file

        open_database(self.app)
        for name in self.app.jinja_env.list_templates(extensions=["html", "xml", "svg"]):
            self.app.jinja_env.get_template(name)
        self._jar = Jar(":memory:")
        for path in _WARM:
            self.answer("GET", f"http://localhost{path}", [("Accept", "text/html")], b"")
        self.stop()
        for file in folder.iterdir():
            file.unlink()

    def start(self, scope: str, build: str) -> str:
        """Open the phone's own database below a path such as "/table/"; make it if there is none.

        `build` names the files of the shell, of which the browser keeps the guard from page to page.

        Returns the key of the sentence that says why it can't be opened, see `words`, or "".
        """
        self._prefix, self._build = scope.rstrip("/"), build
        database, before = self._folder / "companion.db", self._folder / "before.db"
        if before.exists() and _is_whole(before.read_bytes()):
            self._put_back()  # the last start was killed before it had answered anything
        elif not database.exists() or not database.stat().st_size:
            self._write(before, EMPTY.read_bytes())
            self._put_back()
        self.app.secret_key = read_secret_key(self._folder)
        try:
            self._open(database)
        except Unusable as refused:
            print(refused)
            return "newer" if isinstance(refused, Newer) else "damaged"
        self._jar = Jar(self._folder / "phone.db")
        return ""

    def stop(self) -> None:
        """Close the files."""
        self._jar.close()
        self._close()

    def _open(self, database: Path) -> None:
        """Open the database; one of an older version is copied first, and put back if it can't be migrated."""
        before = self._folder / "before.db"
        with self.app.app_context():
            is_older = needs_upgrade(db.engine)
        if is_older:
            self._close()  # the last connection folds the journal into the file
            self._write(before, database.read_bytes())
        try:
            open_database(self.app)
        except BaseException:
            self._close()
            if is_older:
                self._put_back()
            raise
        before.unlink(missing_ok=True)

    def _put_back(self) -> None:
        """Replace the database by the copy, which stays until the app has started: a kill here loses nothing."""
        (self._folder / "companion.db-wal").unlink(missing_ok=True)
        self._write(self._folder / "companion.db", (self._folder / "before.db").read_bytes())

    def _close(self) -> None:
        with self.app.app_context():
            db.session.remove()
            db.engine.dispose()

    def _write(self, place: Path, content: bytes) -> None:
        with place.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())

    def answer(
        self, method: str, url: str, headers: Sequence[Header], body: bytes, cookies: str = ""
    ) -> tuple[int, str, list[Header], bytes]:
        """Answer a request: status, reason, headers, content. `cookies` are those that the page's script has set."""
        said: list[Any] = []
        written: list[bytes] = []

        def start_response(status: str, sent: list[Header], _error: object = None) -> Any:
            said[:] = [status, sent]
            return written.append

        answered: Iterable[bytes] = self.app(self._environ(method, url, headers, body, cookies), start_response)
        try:
            content = b"".join([*written, *answered])
        finally:
            close = getattr(answered, "close", None)
            if close:
                close()
        status, sent = said
        self._jar.take([value for name, value in sent if name.lower() == "set-cookie"])
        code, _, reason = status.partition(" ")
        if code == "503":
            # a page keeps what it sends while its server is away; here that would never be told, and nobody comes back
            code, reason = "507", "INSUFFICIENT STORAGE"
        if any(name.lower() == "content-type" and value.startswith("text/html") for name, value in sent):
            guard = _GUARD.format(self._prefix, self._build)
            content = content.replace(b"<head>", f"<head>{guard}".encode(), 1)
        return int(code), reason, [*_for_the_frame(sent)], content

    def _environ(self, method: str, url: str, headers: Sequence[Header], body: bytes, cookies: str) -> dict[str, Any]:
        split = urlsplit(url)
        environ = {
            "REQUEST_METHOD": method,
            "SCRIPT_NAME": self._prefix,
            "PATH_INFO": unquote(split.path.removeprefix(self._prefix), "latin-1"),
            "QUERY_STRING": split.query,
            "SERVER_NAME": split.hostname or "localhost",
            "SERVER_PORT": str(split.port or (443 if split.scheme == "https" else 80)),
            "SERVER_PROTOCOL": "HTTP/1.1",
            "REMOTE_ADDR": "127.0.0.1",
            "wsgi.version": (1, 0),
            "wsgi.url_scheme": split.scheme,
            "wsgi.input": io.BytesIO(body),
            "wsgi.errors": sys.stderr,
            "wsgi.multithread": False,
            "wsgi.multiprocess": False,
            "wsgi.run_once": False,
            "HTTP_HOST": split.netloc,
            "HTTP_COOKIE": self._jar.header(cookies),
            "CONTENT_LENGTH": str(len(body)),
        }
        for name, value in headers:
            key = name.upper().replace("-", "_")
            if key not in _NOT_SENT_ON:
                environ[key if key == "CONTENT_TYPE" else f"HTTP_{key}"] = value
        return environ


def _is_whole(database: bytes) -> bool:
    """Return whether an SQLite file, closed, has all the pages that its first one counts."""
    page, pages = int.from_bytes(database[16:18], "big"), int.from_bytes(database[28:32], "big")
    return 0 < len(database) == pages * (page if page > 1 else 65536)


def _for_the_frame(sent: Sequence[Header]) -> Iterable[Header]:
    for name, value in sent:
        if name.lower() in ("content-security-policy", "x-frame-options"):
            for never, by_itself in _FRAMED.items():
                value = value.replace(never, by_itself)
        if name.lower() not in ("set-cookie", "content-length"):
            yield name, value
