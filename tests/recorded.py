"""All views of the test nights, as the app sends them: `tests/show.py html DIR` and `compare-html DIR`.

What comes from outside is the same in every run: random bytes, the time, the host's name. So a refactoring that must
change nothing that is shown leaves every file as it was.
"""

from __future__ import annotations

import hashlib
import importlib
import os
import pkgutil
import random
import re
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime, tzinfo
from difflib import unified_diff
from pathlib import Path
from typing import Any
from unittest.mock import patch

from devices import dispose, is_written
from every_page import LANGUAGES, Site, View
from flask import Response, request, request_finished, request_started
from werkzeug.test import Client, EnvironBuilder

import companion.store
import companion.web
from companion import create_app
from companion.web.http.files import assets

HOST = "http://192.168.1.20:8000/"  # a local one, for which the app doesn't ask for the computer's own
BEGINNING = datetime(2026, 11, 27, 20, tzinfo=UTC).timestamp()
AFTERWARDS = BEGINNING + 3600  # when everything is looked at
# what follows from the rest, and a cookie, whose content is packed
LEFT_OUT = ("Content-Length", "ETag", "Set-Cookie")
POSTED, FILES = "posted", "static files"  # what the forms that made the nights were answered; hashes of static files
MAX_LINES, MAX_WIDTH, MAX_NAMES = 12, 200, 12


class Outside:
    """Random bytes and the time. Each request has its own seed: one more draw in it changes no other request."""

    def __init__(self) -> None:
        self.time = BEGINNING
        self.posted: list[str] = []
        self._asked = Counter[str]()
        self._random = random.Random(0)

    def looks_on(self) -> None:
        """Forget the requests so far; from now on nothing is posted that takes time."""
        self.time, self._asked = AFTERWARDS, Counter()

    def begins(self, *_: object, **__: object) -> None:
        """Begin a request; a form takes a second."""
        what = f"{request.method} {request.path}"
        self._asked[what] += 1
        self._random = random.Random(f"{what} {self._asked[what]}")
        self.time += request.method == "POST"

    def ends(self, _: object, response: Response, **__: object) -> None:
        """Note what a form was answered."""
        if request.method == "POST":
            said = response.get_data(as_text=True).strip() if response.is_json else response.location
            self.posted.append(f"{request.path}: {response.status_code} {said}")

    def bytes(self, number: int) -> bytes:
        """Draw random bytes, in place of the system's."""
        return self._random.randbytes(number)

    def now(self) -> float:
        """Return the time, in place of the clock's."""
        return self.time


def clock(outside: Outside) -> type[datetime]:
    """Return a class in place of datetime, with another clock."""

    class Clock(datetime):
        @classmethod
        def now(cls, tz: tzinfo | None = None) -> Any:
            return datetime.fromtimestamp(outside.time, tz)

    return Clock


@contextmanager
def reproducible() -> Iterator[Outside]:
    """Take random bytes and the time from the requests alone, and no setting from the environment."""
    for package in (companion.store, companion.web):
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            importlib.import_module(module.name)
    outside = Outside()
    with ExitStack() as stack:
        for real, attribute, fake in ((time.time, "time", outside.now), (datetime, "datetime", clock(outside))):
            for name, module in list(sys.modules.items()):
                is_asked = attribute == "time" or name.startswith("companion.")  # other packages need the class itself
                if is_asked and vars(module).get(attribute) is real:
                    stack.enter_context(patch.object(module, attribute, fake))
        stack.enter_context(patch.object(os, "urandom", outside.bytes))
        stack.enter_context(patch.object(random, "_urandom", outside.bytes))
        settings = [name for name in os.environ if name.startswith("COMPANION_")]
        stack.enter_context(patch.dict(os.environ, {"TZ": "UTC"}))
        for name in (*settings, "DATABASE_URL"):
            os.environ.pop(name, None)
        time.tzset()
        # without the hashes of files in addresses: one changed style sheet would change all pages
        stack.enter_context(patch.object(assets, "digest", lambda _: "hash"))
        stack.enter_context(request_started.connected_to(outside.begins))
        stack.enter_context(request_finished.connected_to(outside.ends))
        yield outside


def recorded() -> Iterator[tuple[str, str]]:
    """Make the test nights and yield each view in each language: its name, and what the app sends."""
    with tempfile.TemporaryDirectory() as folder, reproducible() as outside:
        site = Site(create_app({"INSTANCE": folder}))
        posted = "\n".join(outside.posted)
        cookies = {(phone, code): site.cookie(phone, code, "light") for phone in site.devices for code in LANGUAGES}
        dispose(site.app)
        database = Path(folder) / "companion.db"
        kept, extensions = database.read_bytes(), dict(site.app.extensions)
        outside.looks_on()
        yield POSTED, posted
        yield FILES, "\n".join(static_files(site))
        for view in (*site.views, *site.answers):
            for code in LANGUAGES:
                yield f"{view.name} {code}", sent(site, view, cookies[view.phone, code])
                if is_written(database):  # each view is of the same night
                    dispose(site.app)
                    database.write_bytes(kept)
                    site.app.extensions.update(extensions)
                outside.looks_on()


def static_files(site: Site) -> Iterator[str]:
    """Yield each static file with a hash of what is sent."""
    folder, phone = Path(str(site.app.static_folder)), site.devices["stranger"]
    for name in sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()):
        yield f"{name} {hashlib.sha256(phone.get(f'/static/{name}').data).hexdigest()[:12]}"


def sent(site: Site, view: View, cookie: str) -> str:
    """Return a response: its status, its headers and its body."""
    posted: dict[str, Any] = {} if view.fields is None else {"method": "POST", "data": view.fields}
    if isinstance(view.fields, str):
        posted["content_type"] = "application/json"
    path, _, query = view.path.partition("?")
    headers = {"Cookie": f"session={cookie}"}
    builder = EnvironBuilder(path, HOST, query_string=query, headers=headers, **posted)
    answer = Client(site.app, use_cookies=False).open(builder)
    head = sorted(f"{name}: {value}" for name, value in answer.headers if name not in LEFT_OUT)
    return "\n".join([answer.status, *head, "", answer.get_data(as_text=True)])


def store(folder: Path) -> int:
    """Store each view in a file of its own, and remove those of before; returns how many there are."""
    folder.mkdir(parents=True, exist_ok=True)
    for path in folder.glob("*.txt"):
        path.unlink()
    number = 0
    for name, text in recorded():
        (folder / f"{file_name(name)}.txt").write_bytes(text.encode())
        number += 1
    return number


def file_name(view: str) -> str:
    """Return a view's name without what no file may be called."""
    return re.sub(r"[^\w.=+-]+", "-", view)


def compared(folder: Path) -> Iterator[str]:
    """Say how today's views differ from those stored: each change once, with the views that have it."""
    before = {path.stem: path.read_bytes().decode() for path in folder.glob("*.txt")}
    if not before:
        sys.exit(f"Nothing is stored in {folder}; store it with: show.py html {folder}")
    today = {file_name(name): text for name, text in recorded()}
    views: dict[str, list[str]] = {}
    for name in sorted({*before, *today}):
        for change in changes(before.get(name), today.get(name)):
            views.setdefault(change, []).append(name)
    for change, names in views.items():
        more = [f"and {len(names) - MAX_NAMES} more"] * (len(names) > MAX_NAMES)
        yield f"{', '.join([*names[:MAX_NAMES], *more])}:\n{change}"


def changes(before: str | None, today: str | None) -> Iterator[str]:
    """Yield each place in which two texts differ, as lines with - and +."""
    if before is None or today is None:
        yield "  is new" if before is None else "  is gone"
        return
    hunk: list[str] = []
    for line in [*unified_diff(*map(in_lines, (before, today)), n=1, lineterm="")][2:]:
        if line.startswith("@@") and hunk:
            yield shortened(hunk)
            hunk = []
        elif not line.startswith("@@"):
            hunk.append(f"  {line}")
    if hunk:
        yield shortened(hunk)


def in_lines(text: str) -> list[str]:
    """Break a text into lines short enough to be compared: pages and JSON have long ones."""
    return re.split(r"\n|(?<=>)(?=<)|(?<=,)(?=[\"{\[])", text)


def shortened(hunk: list[str]) -> str:
    """Return the first lines of a change."""
    lines = [line if len(line) <= MAX_WIDTH else line[:MAX_WIDTH] + "…" for line in hunk]
    more = [f"  … {len(lines) - MAX_LINES} more lines"] * (len(lines) > MAX_LINES)
    return "\n".join([*lines[:MAX_LINES], *more])
