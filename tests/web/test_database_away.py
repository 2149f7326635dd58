"""Without its database, or when that fails in the middle of a request, every route answers 503 and never 500."""

from __future__ import annotations

import re
import shutil
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, closing, suppress
from dataclasses import dataclass
from io import BytesIO
from itertools import count
from pathlib import Path
from typing import Any

import psycopg
import pytest
from databases import DATABASES, EmptyDatabase, opened
from devices import HANDS, PlayedNight
from every_page import Site
from flask import Flask
from sample_rounds import ROUNDS
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError
from werkzeug.test import TestResponse

from companion.store.db import database
from companion.store.models import db

FOR_PROBES = ("/error/503", "/readyz")


@dataclass(frozen=True)
class Asked:
    """A request of one of the site's phones."""

    endpoint: str
    path: str
    phone: str
    posted: dict[str, Any] | None = None
    token: str = ""  # a program's

    def of(self, site: Site) -> TestResponse:
        """Send it."""
        client = site.devices[self.phone].client
        headers = {"Authorization": f"Bearer {self.token}", "If-Match": "*"} if self.token else {}
        ask = client.get if self.posted is None else client.post
        return ask(self.path, headers=headers, **(self.posted or {}))


def all_requests(site: Site) -> list[Asked]:
    """List a request to every route, and to every view of `every_page.py`."""
    adapter = site.app.url_map.bind("localhost")
    found = []
    for view in site.views:
        method = "GET" if view.fields is None else "POST"
        endpoint = adapter.match(view.path.partition("?")[0], method)[0]
        found.append(Asked(endpoint, view.path, view.phone, None if view.fields is None else {"data": view.fields}))
    by_name = {view.name: view for view in site.views}
    night, group = by_name["night"].path, by_name["group"].path
    for path in (
        "/static/styles/site.css",
        "/healthz",
        "/readyz",
        "/manifest/en.webmanifest",
        "/worker.js",
        f"/open/{'x' * 30}",
        f"{night}/state",
        f"{night}/end.svg",
        f"{group}/export/json",
        f"{group}/export/rounds",
        f"{by_name['years'].path}/seasons/2/picture.svg",
        "/api/games",
        "/photo/words/dompe",
        "/api/openapi.json",
    ):
        found.append(Asked(adapter.match(path)[0], path, "keeper"))
    picture = f"{by_name['years'].path}/seasons/2/picture.svg"
    for path, phone in ((picture, "years"), (f"{group}/next.ics", "keeper")):
        found.append(Asked(adapter.match(path)[0], path, phone))
    form = by_name["settled in the night"].fields
    typed = {"number": "8", "game": "knock-poker", "key": "a draft", "touched": ["players-0-hand"]}
    correction = {**by_name["correction"].fields, "do": "photo-0"}
    for path, fields in (
        (f"{night}/round/photo", {**form, "do": "photo-0"}),
        (f"{night}/lines/1/photo", correction),
        ("/settle/knock-poker/photo", {**by_name["settled knock-poker"].fields, "do": "photo-0"}),
        (f"{night}/reminders", {**form, "do": "off"}),
        (f"{night}/draft", {**form, **typed, "players-0-hand": HANDS["Ana"]}),
        (f"{night}/lines/1/live", by_name["correction"].fields),
        ("/settle/knock-poker/live", by_name["settled knock-poker"].fields),
    ):
        found.append(Asked(adapter.match(path, "POST")[0], path, "keeper", {"data": fields}))
    for path in ("/api/settle", "/api/betting", "/api/progress"):
        found.append(Asked(adapter.match(path, "POST")[0], path, "keeper", {"json": ROUNDS["draw-poker"]}))
    for path in (
        "group",
        "nights",
        f"nights/{night[3:]}",
        f"nights/{night[3:]}/rounds",
        f"nights/{night[3:]}/movements",
    ):
        found.append(Asked(adapter.match(f"/api/v1/{path}")[0], f"/api/v1/{path}", "stranger", None, site.token))
    line, loan = f"/api/v1/nights/{night[3:]}", len(ROUNDS) + 1
    for path in ("/api/v1/problems/no-token", f"{line}/rounds/1", f"{line}/movements/{loan}"):
        found.append(Asked(adapter.match(path)[0], path, "stranger", None, site.token))
    opening = {"game": "knock", "players": list(HANDS)}
    lends = {"movement": "loan", "from": "Ana", "to": "Beto", "amount": 5}
    for path, body in (
        ("/api/v1/nights", opening),
        (f"{line}/rounds", {key: value for key, value in ROUNDS["knock"].items() if key != "stake"}),
        (f"{line}/movements", lends),
        (f"{line}/rounds/1/void", {}),
        (f"{line}/movements/{loan}/void", {}),
        (f"{line}/close", {"split": "no"}),  # it stays open
    ):
        found.append(Asked(adapter.match(path, "POST")[0], path, "stranger", {"json": body}, site.token))
    routes = {(asked.endpoint, asked.posted is None) for asked in found}
    assert {
        (rule.endpoint, method == "GET")
        for rule in site.app.url_map.iter_rules()
        for method in {"GET", "POST"} & (rule.methods or set())
    } == routes
    return found


def forget_tries() -> None:
    """Reset the rate limits, which count each time."""
    with db.engine.begin() as connection:
        connection.execute(text("DELETE FROM attempt"))


def statuses(site: Site) -> Counter[int]:
    """Send every request; fails if one is answered 500, or 503 without a time to come again."""
    found: Counter[int] = Counter()
    with suppress(DBAPIError), site.app.app_context():
        forget_tries()
    for asked in all_requests(site):
        answer = asked.of(site)
        found[answer.status_code] += 1
        assert answer.status_code != 500 or asked.path == "/error/500", asked
        assert (
            answer.status_code != 503 or "Retry-After" in answer.headers or asked.path in ("/error/503", "/readyz")
        ), asked
    return found


class Trap:
    """Lets the database fail at a statement of the request."""

    left: int | None = None  # statements that still succeed
    is_sprung = False

    @classmethod
    def springs(cls) -> bool:
        """Return whether it is this statement's turn; on SQLite, all others after it fail as well."""
        if cls.left is None:
            return False
        cls.left -= 1
        cls.is_sprung = cls.is_sprung or cls.left < 0
        return cls.left < 0


def fail_sqlite() -> None:
    if Trap.springs():
        error = sqlite3.OperationalError("out of order")
        error.sqlite_errorcode = sqlite3.SQLITE_IOERR
        raise error


class SqliteCursor(sqlite3.Cursor):
    """A cursor with which each statement may fail."""

    def execute(self, *given: Any) -> Any:
        fail_sqlite()
        return super().execute(*given)

    def executemany(self, *given: Any) -> Any:
        fail_sqlite()
        return super().executemany(*given)


class SqliteConnection(sqlite3.Connection):
    """A connection with which each statement and commit may fail."""

    def cursor(self, *_: Any) -> Any:
        return super().cursor(SqliteCursor)

    def execute(self, *given: Any) -> Any:
        return self.cursor().execute(*given)

    def commit(self) -> None:
        fail_sqlite()
        super().commit()


class PostgresqlCursor(psycopg.Cursor[Any]):
    """A cursor whose connection may end before each statement."""

    def execute(self, *given: Any, **named: Any) -> Any:
        if Trap.springs():
            self.connection.pgconn.finish()
            Trap.left = None  # the next connection is a new one
        return super().execute(*given, **named)


class Failing:
    """Before it answers a request, lets it fail at its first statement, then at its second, and so on to the last.

    Each place is tried once for each route.
    """

    def __init__(self, app: Flask) -> None:
        self._app, self._inner = app, app.wsgi_app
        self.tried: set[tuple[str, str, int]] = set()
        self.wrong: list[tuple[str, str, int, str]] = []

    def __call__(self, environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        body = environ["wsgi.input"].read(int(environ.get("CONTENT_LENGTH") or 0))
        method, path = environ["REQUEST_METHOD"], environ["PATH_INFO"]
        route = re.sub(r"(?<=/)(?=.*[0-9A-Z])[^/]+", "…", path)
        for before in count():
            if (method, route, before) in self.tried:
                continue
            with self._app.app_context():
                forget_tries()
            Trap.left, Trap.is_sprung = before, False
            status, headers, content = self._run({**environ, "wsgi.input": BytesIO(body)})
            goes_on, Trap.left = Trap.left is None, None
            if not Trap.is_sprung:
                break
            self.tried.add((method, route, before))
            is_done = goes_on and not status.startswith("5")  # with a new connection
            if not is_done and not (status.startswith("503") and ("Retry-After" in dict(headers) or path == "/readyz")):
                self.wrong.append((method, path, before, status))
            if is_done and method == "POST":
                break
        start_response(status, headers)
        return content

    def _run(self, environ: dict[str, Any]) -> tuple[str, list[tuple[str, str]], list[bytes]]:
        said: list[Any] = []
        content = list(self._inner(environ, lambda *given: said.append(given)))
        return said[0][0], said[0][1], content


FAILING = {"sqlite": {"factory": SqliteConnection}, "postgresql": {"cursor_factory": PostgresqlCursor}}


@pytest.mark.thorough
@pytest.mark.parametrize("kind", DATABASES)
def test_a_database_that_fails_at_any_statement_of_any_request_is_503(made_database: EmptyDatabase, kind: str) -> None:
    options = {"SQLALCHEMY_ENGINE_OPTIONS": {"connect_args": FAILING[kind]}, "PIN_HASHING": "scrypt:1024:1:1"}
    for app in opened({**made_database(kind), **options, "TESTING": False}):
        failing = Failing(app)
        app.wsgi_app = failing  # type: ignore[method-assign]
        statuses(Site(app))
        assert failing.wrong == []
        assert len(failing.tried) > 400


@pytest.fixture(scope="module")
def club(made_database: EmptyDatabase) -> Iterator[Site]:
    """Return the app with all its tables and views on PostgreSQL."""
    for app in opened({**made_database("postgresql"), "TESTING": False}):
        yield Site(app)


def works(site: Site) -> bool:
    """Return whether a night can be seen again."""
    night = next(view for view in site.views if view.name == "night")
    return site.devices[night.phone].get(night.path).status_code == 200


@pytest.mark.thorough
def test_without_postgresql_every_request_is_503(club: Site, postgresql: Any) -> None:
    postgresql.stop()
    try:
        away = statuses(club)
    finally:
        postgresql.start()
    assert away[503] > 100
    assert works(club)


@pytest.mark.thorough
def test_a_postgresql_without_connections_to_spare_is_503(club: Site, server: str) -> None:
    with club.app.app_context():
        db.engine.dispose()
    with ExitStack() as others:
        with pytest.raises(psycopg.OperationalError, match="too many clients"):
            while True:
                others.enter_context(closing(psycopg.connect(server)))
        full = statuses(club)
    assert full[503] > 100
    assert works(club)


@pytest.mark.thorough
def test_no_request_notices_that_its_connections_have_died(club: Site, server: str) -> None:
    ends = "SELECT pg_terminate_backend(pid, 30000) FROM pg_stat_activity WHERE datname LIKE 'postgresql-%'"
    usual = statuses(club)
    with club.app.app_context():
        forget_tries()
    with psycopg.connect(server, autocommit=True) as other:
        ended, found = 0, Counter[int]()
        for asked in all_requests(club):
            ended += len(other.execute(ends).fetchall())
            found[asked.of(club).status_code] += 1
    assert ended > 100
    assert found == usual


@pytest.mark.thorough
def test_a_postgresql_without_tables_is_503_until_it_is_restored(club: Site) -> None:
    # as pg_restore --clean leaves it for a while
    with club.app.app_context():
        for names in (("player_group", "elsewhere"), ("alembic_version", "before")):
            with db.engine.begin() as connection:
                connection.execute(text("ALTER TABLE {} RENAME TO {}".format(*names)))
        gone = statuses(club)
        for names in (("elsewhere", "player_group"), ("before", "alembic_version")):
            with db.engine.begin() as connection:
                connection.execute(text("ALTER TABLE {} RENAME TO {}".format(*names)))
    assert gone[503] > 100
    assert works(club)


def file_of(site: Site) -> Path:
    return Path(site.app.instance_path, "companion.db")


def lock(site: Site) -> Callable[[], object]:
    """Take the whole file, as some backups do; returns what gives it back."""
    let_go(site)
    other = sqlite3.connect(file_of(site), isolation_level=None)
    other.execute("PRAGMA locking_mode=EXCLUSIVE")
    other.execute("BEGIN EXCLUSIVE")
    return other.close


def let_go(site: Site) -> None:
    """Close the app's connections."""
    with site.app.app_context():
        db.engine.dispose()


def move(site: Site) -> Callable[[], object]:
    """Move the file away; returns what brings it back."""
    file = file_of(site)
    aside = file.rename(file.with_suffix(".aside"))
    return lambda: aside.rename(file)


def empty(site: Site) -> Callable[[], object]:
    """Put an empty file in its place; returns what brings the old one back."""
    back = move(site)
    file_of(site).touch()
    return back


@pytest.mark.parametrize("break_", [pytest.param(lock, marks=pytest.mark.thorough), move, empty])
def test_without_its_sqlite_file_every_request_is_503(
    used_site: Site, monkeypatch: pytest.MonkeyPatch, break_: Callable[[Site], Callable[[], object]]
) -> None:
    # no waiting for the other program
    monkeypatch.setattr(database, "_MAX_SWITCH", 0)
    monkeypatch.setattr(database, "_PRAGMAS", ("busy_timeout=0", *database._PRAGMAS[1:]))
    mend = break_(used_site)
    try:
        away = statuses(used_site)
    finally:
        mend()
    assert away[503] > 100
    assert works(used_site)


def test_what_is_saved_never_goes_into_a_file_that_was_moved_away(app: Flask) -> None:
    night, instance = PlayedNight(app), Path(app.instance_path)
    night.books()
    with app.app_context():
        db.engine.dispose()
    before = shutil.copy(instance / "companion.db", instance / "before.db")
    night.books()
    # as `companion restore` moves a damaged one aside while the app runs
    for end in ("", "-wal", "-shm"):
        (instance / f"companion.db{end}").rename(instance / f"damaged.db{end}")
    Path(before).rename(instance / "companion.db")
    night.books()
    with closing(sqlite3.connect(instance / "companion.db")) as kept:
        assert kept.execute("SELECT count(*) FROM line").fetchone() == (2,)
