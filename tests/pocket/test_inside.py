"""The engine's Python half without a browser: requests, cookies, and databases of other versions."""

from __future__ import annotations

import os
import re
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import urlencode
from uuid import uuid4

import pytest
from flask_migrate import downgrade
from sqlalchemy import event

from companion.pocket import inside
from companion.pocket.cookies import Jar
from companion.pocket.inside import Engine
from companion.store.db.startup import newest, register_migrations
from companion.store.models import db

pytestmark = pytest.mark.thorough

HOST = "https://cards.example.org"
BUILD = "0123456789ab"
SECRET = "secret-of-a-group-on-one-phone"
HTML = [("Accept", "text/html"), ("Cookie", "a=b"), ("Accept-Encoding", "br")]


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return tmp_path / "data"


@pytest.fixture
def engine(migrated: Path, data: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Engine]:
    monkeypatch.setattr(inside, "EMPTY", migrated)
    before = os.umask(0o077)
    engine = Engine(data)
    assert [*data.iterdir()] == []  # the memory is kept, and knows no night
    yield engine
    engine.stop()
    os.umask(before)


def get(engine: Engine, path: str, cookies: str = "") -> tuple[int, str]:
    status, _, _, content = engine.answer("GET", f"{HOST}/table{path}", HTML, b"", cookies)
    return status, content.decode()


def post(engine: Engine, path: str, **fields: str | list[str]) -> str:
    """Send a form of a page; returns the path to which it leads."""
    (token,) = re.findall(r'name="csrf_token"[^>]* value="([^"]+)"', get(engine, "/join")[1])[:1]
    body = urlencode({"csrf_token": token, "key": uuid4().hex, **fields}, doseq=True).encode()
    headers = [*HTML, ("Content-Type", "application/x-www-form-urlencoded"), ("Host", "evil.example")]
    headers += [("Origin", HOST), ("Referer", f"{HOST}/table{path}")]
    status, reason, sent, _ = engine.answer("POST", f"{HOST}/table{path}", headers, body)
    assert (status, reason) == (303, "SEE OTHER")
    assert "set-cookie" not in {name.lower() for name, _ in sent}
    return dict(sent)["Location"].removeprefix("/table")


def test_a_group_lasts_from_start_to_start(engine: Engine, data: Path) -> None:
    assert engine.start("/table/", BUILD) == ""
    group = post(engine, "/groups/new", name="Friday", player=["Ana", "Beto"], secret=SECRET, do="make")
    for _ in range(2):
        status, shown = get(engine, group)
        assert (status, "Friday" in shown) == (200, True)
        assert "Friday" in get(engine, "/")[1]  # the cookie says whose phone it is
        engine.stop()
        assert engine.start("/table/", BUILD) == ""
    assert get(engine, "/nowhere?x=%C3%A9")[0] == 404
    assert [file.name for file in data.iterdir() if file.stat().st_mode & 0o077] == []


def test_pages_may_be_framed_by_the_shell_alone(engine: Engine) -> None:
    engine.start("/", BUILD)
    _, _, headers, _ = engine.answer("GET", f"{HOST}/", HTML, b"")
    sent = {name.lower(): value for name, value in headers}
    assert sent["x-frame-options"] == "SAMEORIGIN"
    assert "frame-ancestors 'self'" in sent["content-security-policy"]
    assert "content-length" not in sent


def test_what_pages_ask_is_guarded(engine: Engine) -> None:
    engine.start("/table/", BUILD)
    guard = f'<script type="module" src="/table/pocket/guard.js?v={BUILD}"></script>'
    page = get(engine, "/")[1]
    assert page.count(guard) == 1
    assert page.index(guard) == page.index("<script")
    assert guard not in get(engine, "/manifest/en.webmanifest")[1]


def test_what_can_t_be_saved_is_refused_and_does_not_wait_for_a_server(engine: Engine) -> None:
    engine.start("/table/", BUILD)
    with engine.app.app_context():
        db.engine.dispose()
        event.listen(db.engine, "connect", lambda connection, _: connection.execute("PRAGMA max_page_count=1"))
    names = [f"{'y' * 80} {number}" for number in range(12)]
    with pytest.raises(
        AssertionError, match=r"\(507, 'INSUFFICIENT STORAGE'\)"
    ):  # what fits into the file is still saved
        for number in range(40):
            post(engine, "/groups/new", name="Friday", player=names, secret=f"{SECRET}-{number}", do="make")


def test_closed_nights_want_a_copy(engine: Engine) -> None:
    engine.start("/table/", BUILD)
    group = post(engine, "/groups/new", name="Friday", player=["Ana", "Beto"], secret=SECRET, do="make")
    secret = group.rpartition("/")[2]
    players = re.findall(r'name="order"[^>]* value="([^"]+)"', get(engine, group)[1])

    def closes() -> str:
        tonight = {"order": players, "player": players, "game": "knock-poker", "currency": ""}
        night = post(engine, f"{group}/tonight", **tonight, do="start").partition("?")[0]
        post(engine, f"{night}/move", movement="loan", amount="5", **{"from": players[0], "to": players[1]})
        assert "copy-due" not in get(engine, "/")[1]  # never over a night's first round
        post(engine, f"{night}/close", do="leave")
        return night

    night = closes()
    now = int(datetime.now(UTC).timestamp() * 1000)
    (closing,) = re.findall(r'data-nights="1\.(\d+)"', get(engine, "/")[1])
    said = {
        "": "1 night is only on this phone. No copy was saved yet. Not now Save a copy One file.",
        f"copied-{secret}={now - 12 * 86_400_000 - 60_000}.84000": "12 days old. Not now Save a copy One file of 84 kB",
        f"copied-{secret}={now + 1}.84": "",
        f"copied-{secret}={now + 9_999_000}.84": "",
        f"copied-{secret}={now + 9_999_000}.84.1": "",
        f"copied-{secret}={now + 9_999_000}.84.0": "1 night is only on this phone. The last copy is of",  # set back
        # the clock was set back after the night was closed, or after the copy and a second closing
        f"copied-{secret}={now - 9_999_000}.84.1.{closing}": "",
        f"copied-{secret}={now + 9_999_000}.84.1.{int(closing) - 1}": "1 night is only",
        f"copied-{secret}={now + 9_999_000}.84.0.{closing}": "1 night is only",
        f"copy-later={secret}.1": "",
        f"copy-later={secret}.2": "1 night is only",
        f"copied-{secret}=": "No copy",
    }
    for cookies, words in said.items():
        for path in ("/", f"{night}/end"):
            shown = " ".join(re.sub("<[^>]+>", " ", get(engine, path, cookies)[1]).split())
            assert words in shown, cookies
            assert ("only on this phone" in shown) is bool(words)
    post(engine, f"{night}/close", do="reopen")
    assert "copy-due" not in get(engine, "/")[1]


def version(place: Path, becomes: str = "") -> str:
    """Return a database's version, changed before if asked."""
    with closing(sqlite3.connect(place)) as connection, connection:
        if becomes:
            connection.execute("UPDATE alembic_version SET version_num = ?", (becomes,))
        return str(connection.execute("SELECT version_num FROM alembic_version").fetchone()[0])


def test_an_older_database_is_migrated_and_kept_if_that_fails(
    engine: Engine, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine.start("/table/", BUILD)
    group = post(engine, "/groups/new", name="Friday", player=["Ana", "Beto"], secret=SECRET, do="make")
    with engine.app.app_context():
        register_migrations(engine.app)
        downgrade(revision="0004")
    engine.stop()
    place, old = data / "companion.db", (data / "companion.db").read_bytes()

    def breaks(_app: object) -> None:
        version(place, "0005")
        raise ValueError("a fault of ours")

    with monkeypatch.context() as patch, pytest.raises(ValueError, match="a fault of ours"):
        patch.setattr(inside, "open_database", breaks)
        engine.start("/table/", BUILD)
    assert place.read_bytes() == old
    assert engine.start("/table/", BUILD) == ""
    assert get(engine, group)[0] == 200
    assert (version(place), (data / "before.db").exists()) == (newest(), False)


class Killed(Exception):  # noqa: N818 - no error: nobody hears of it
    pass


def kill_at_write(engine: Engine, number: int, monkeypatch: pytest.MonkeyPatch) -> bool:
    """Start the app and end it in the middle of its nth write; returns whether there were so many."""
    writes, whole = iter(range(1, 100)), engine._write

    def half(place: Path, content: bytes) -> None:
        if next(writes) == number:
            place.write_bytes(content[: len(content) // 2])
            raise Killed
        whole(place, content)

    with monkeypatch.context() as patch:
        patch.setattr(engine, "_write", half)
        try:
            engine.start("/table/", BUILD)
        except Killed:
            return True
    return False


def test_a_first_start_that_was_killed_begins_anew(engine: Engine, data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in (1, 2, 1):
        assert kill_at_write(engine, number, monkeypatch)
    assert not kill_at_write(engine, 2, monkeypatch)  # what was kept for the kill needs no second copy
    post(engine, "/groups/new", name="Friday", player=["Ana", "Beto"], secret=SECRET, do="make")
    assert not (data / "before.db").exists()


@pytest.mark.parametrize("number", [1, 2, 3])
def test_an_upgrade_that_was_killed_loses_nothing(
    engine: Engine, data: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    engine.start("/table/", BUILD)
    group = post(engine, "/groups/new", name="Friday", player=["Ana", "Beto"], secret=SECRET, do="make")
    with engine.app.app_context():
        register_migrations(engine.app)
        downgrade(revision="0004")
    engine.stop()

    def breaks(_app: object) -> None:
        if number == 3:
            raise Killed  # after the migration, before anything was answered
        raise ValueError("a fault of ours")

    with monkeypatch.context() as patch:
        patch.setattr(inside, "open_database", breaks)
        if number == 3:
            with pytest.raises(Killed):
                engine.start("/table/", BUILD)
            (data / "companion.db").write_bytes(b"half of another version")
        else:
            assert kill_at_write(engine, number, monkeypatch)
    assert engine.start("/table/", BUILD) == ""
    assert get(engine, group)[0] == 200
    assert (version(data / "companion.db"), (data / "before.db").exists()) == (newest(), False)


@pytest.mark.parametrize("said", ["newer", "damaged"])
def test_what_can_t_be_opened_stays_as_it_is(engine: Engine, data: Path, migrated: Path, said: str) -> None:
    place = data / "companion.db"
    data.mkdir(exist_ok=True)
    shutil.copyfile(migrated, place)
    if said == "newer":
        version(place, "9999")
    else:
        place.write_bytes(place.read_bytes()[:-5000])
    before = place.read_bytes()
    assert engine.start("/table/", BUILD) == said
    assert place.read_bytes() == before


def test_cookies_last_until_they_are_taken_back(tmp_path: Path) -> None:
    jar = Jar(tmp_path / "phone.db")
    jar.take(["a=1; Path=/; Max-Age=500", "b=2; HttpOnly", "odd"])
    jar.take(["b=3"])
    jar.take(["a=; Expires=Thu, 01 Jan 1970 00:00:00 GMT; Max-Age=0; Path=/"])
    jar.close()
    jar = Jar(tmp_path / "phone.db")
    assert jar.header() == "b=3; odd="
    assert jar.header("c=4") == "b=3; odd=; c=4"
    jar.close()


def test_cookies_that_find_no_room_are_stored_later(tmp_path: Path) -> None:
    def stored() -> list[str]:
        with closing(sqlite3.connect(tmp_path / "phone.db")) as connection:
            return [name for (name,) in connection.execute("SELECT name FROM cookie ORDER BY name")]

    jar = Jar(tmp_path / "phone.db")
    with closing(sqlite3.connect(tmp_path / "phone.db", isolation_level=None)) as other:
        jar._file.execute("PRAGMA busy_timeout=0")
        other.execute("BEGIN IMMEDIATE")  # refuses like a full phone
        jar.take(["a=1"])
        jar.take(["b=2"])
        assert (jar.header(), stored()) == ("a=1; b=2", [])
    jar.take([])
    assert stored() == ["a", "b"]
    jar.close()
