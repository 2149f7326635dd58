"""Backups of an SQLite database: under load, restored, and before a migration; and what prevents a start."""

from __future__ import annotations

import os
import re
import shutil
import sqlite3
import stat
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from pathlib import Path
from threading import Event

import flask_migrate
import pytest
from databases import EmptyDatabase, opened
from flask import Flask
from nights import PlayedNight
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError
from waiting import MAX_SECONDS

from companion import create_app
from companion.store import is_ready
from companion.store.audit import audit
from companion.store.db import backup, locks, startup
from companion.store.db.startup import Unusable, newest, register_migrations
from companion.store.models import Change, db

Settings = dict[str, object]


@pytest.fixture
def settings(made_database: EmptyDatabase) -> Settings:
    return made_database("sqlite")


@pytest.fixture
def place(settings: Settings) -> Path:
    return Path(str(settings["INSTANCE"])) / "companion.db"


@pytest.fixture
def running(settings: Settings) -> Iterator[Flask]:
    """Return an app with a database file of its own, within its context."""
    for app in opened(settings):
        with app.app_context():
            yield app
            db.session.remove()


@contextmanager
def app_on(file: Path) -> Iterator[None]:
    app = create_app({"INSTANCE": file.parent, "SQLALCHEMY_DATABASE_URI": f"sqlite:///{file}", "TESTING": True})
    with app.app_context():
        yield
        db.session.remove()
        db.engine.dispose()


def beside(place: Path, occasion: str) -> list[Path]:
    return sorted(place.parent.glob(f"companion-{occasion}-*.db"))


@pytest.mark.thorough
def test_backups_taken_under_load_are_whole(running: Flask, place: Path, tmp_path: Path) -> None:
    night, enough = PlayedNight("Ana", "Beto", "Caro"), Event()
    db.session.rollback()

    def play_on() -> int:
        with running.app_context():
            for number in range(10_000):
                night.do("won Ana" if number % 3 else "lost Ana Beto")
                if enough.is_set() and number > 20:
                    return number
            return 0

    files = [tmp_path / f"{number}.db" for number in range(20)]
    with ThreadPoolExecutor(1) as pool:
        playing = pool.submit(play_on)
        for file in files:
            backup.copy(place, file)
        enough.set()
        booked = playing.result(timeout=MAX_SECONDS)
    counts = []
    for file in files:
        assert [one.name for one in tmp_path.glob(f"{file.name}*")] == [file.name]
        with app_on(file):
            assert list(audit()) == []
            counts.append(db.session.query(Change).count())
    assert counts == sorted(counts)
    assert 0 <= counts[0] <= counts[-1] <= booked + 1


def test_a_backup_never_replaces_a_file(running: Flask, place: Path, tmp_path: Path) -> None:
    (tmp_path / "kept.db").write_text("mine")
    with pytest.raises(FileExistsError):
        backup.copy(place, tmp_path / "kept.db")
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [("kept.db", "mine")]


def test_a_backup_is_put_back_while_the_app_runs(running: Flask, place: Path, tmp_path: Path) -> None:
    night = PlayedNight("Ana", "Beto")
    night.do("won Ana")
    backup.copy(place, tmp_path / "b.db")
    night.do("won Ana; won Ana")
    db.session.rollback()
    kept = backup.restore(tmp_path / "b.db", place)
    assert night.standings() == "Ana 1, Beto -1"
    assert db.session.execute(text("PRAGMA journal_mode")).scalar() == "wal"
    assert list(audit()) == []
    assert backup.restore(tmp_path / "b.db", tmp_path / "new.db") is None  # where nothing was
    with app_on(tmp_path / "new.db"):
        assert night.standings() == "Ana 1, Beto -1"
    night.do("won Beto")
    assert night.standings() == ""
    assert kept == beside(place, "before-restore")[0]
    with app_on(kept):
        assert night.standings() == "Ana 3, Beto -3"


@pytest.mark.parametrize("spoilt", ["header", "page"])
def test_a_damaged_database_is_told_at_start_and_moved_aside(
    settings: Settings, place: Path, tmp_path: Path, spoilt: str
) -> None:
    for app in opened(settings):
        with app.app_context():
            night = PlayedNight("Ana", "Beto")
            night.do("won Ana")
            backup.copy(place, tmp_path / "b.db")
            db.session.remove()
    content = bytearray(place.read_bytes())
    at = 0 if spoilt == "header" else 4096
    content[at : at + 4096] = b"\xff" * 4096
    place.write_bytes(content)
    with pytest.raises(Unusable, match=r"companion\.db is damaged: .*\. Restore .*: python3 companion restore FILE"):
        create_app(settings)
    aside = backup.restore(tmp_path / "b.db", place)
    assert aside is not None
    assert aside.read_bytes() == content
    with app_on(place):
        assert night.standings() == "Ana 1, Beto -1"


def spoil_last_page(place: Path, _patch: pytest.MonkeyPatch) -> None:
    with place.open("r+b") as file:
        file.seek(-4096, os.SEEK_END)  # which no start reads
        file.write(b"\xff" * 4096)


def spoil_disk(_place: Path, patch: pytest.MonkeyPatch) -> None:
    def cannot_read(*_about: object) -> None:
        raise DBAPIError("PRAGMA", None, sqlite3.OperationalError("disk I/O error"))

    patch.setattr(startup, "_must_be_whole", cannot_read)


LATER: list[tuple[str, Callable[[Path, pytest.MonkeyPatch], None], list[str]]] = [
    ("whole", lambda _place, _patch: None, []),
    (
        "a damaged page",
        spoil_last_page,
        [r"companion\.db is damaged: .*\. Restore .*: python3 companion restore FILE"],
    ),
    ("a lost index", lambda place, _patch: spoil_index(place), [r"companion\.db is damaged: .*Restore a backup"]),
    ("unreadable", spoil_disk, [r"companion\.db .*disk I/O error"]),
]


@pytest.mark.parametrize(("spoil", "said"), [row[1:] for row in LATER], ids=[row[0] for row in LATER])
def test_a_long_database_is_checked_after_the_start(
    settings: Settings,
    place: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    spoil: Callable[[Path, pytest.MonkeyPatch], None],
    said: list[str],
) -> None:
    for app in opened(settings):
        with app.app_context():
            PlayedNight("Ana", "Beto").do("won Ana")
            db.session.remove()
            db.engine.dispose()  # the last connection moves the log into the file
            spoil(place, monkeypatch)
            # not before: on a busy computer, the check two seconds after the start would log it as well
            monkeypatch.setattr(startup, "_CHECKED_AT_ONCE", 1)
            timer = startup.check_large_file(app, after=0)
        assert timer is not None
        timer.join(MAX_SECONDS)
    logged = [record.getMessage() for record in caplog.records if record.levelname == "CRITICAL"]
    assert len(logged) == len(said)
    assert all(re.search(pattern, sentence) for pattern, sentence in zip(said, logged, strict=True))


def test_rounds_are_counted_where_they_can_be(running: Flask, place: Path, tmp_path: Path) -> None:
    PlayedNight("Ana", "Beto").do("won Ana; won Beto")
    assert backup.rounds_in(place) == 2
    with closing(sqlite3.connect(tmp_path / "first.db")) as connection:
        connection.execute("CREATE TABLE line (id)")
    assert backup.rounds_in(tmp_path / "first.db") == 0


def spoil_version(file: Path) -> None:
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")


def spoil_index(file: Path) -> None:
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("PRAGMA writable_schema=ON")
        connection.execute("DELETE FROM sqlite_master WHERE name = 'ix_paid_payment_id'")


def foreign(version: str, *statements: str) -> Callable[[Path], None]:
    """Return what replaces a backup by another program's database whose version looks like ours."""

    def replace(file: Path) -> None:
        file.unlink()
        with closing(sqlite3.connect(file)) as connection, connection:
            connection.execute("CREATE TABLE alembic_version (version_num)")
            connection.execute("INSERT INTO alembic_version VALUES (?)", [version])
            for statement in statements:
                connection.execute(statement)

    return replace


NO_BACKUPS = [
    ("another program's", foreign(newest(), "CREATE TABLE song (id)"), "of this app: it has no account."),
    ("missing", Path.unlink, "There is no file"),
    ("text", lambda file: file.write_text("hello"), "isn't a backup of this app: file is not a database"),
    ("empty", lambda file: file.write_text(""), "isn't a backup of this app: no such table"),
    ("newer", spoil_version, "is of a newer version of this app"),
    ("damaged", spoil_index, "is damaged: "),
]


@pytest.mark.parametrize(("spoil", "said"), [row[1:] for row in NO_BACKUPS], ids=[row[0] for row in NO_BACKUPS])
def test_what_is_no_backup_is_not_put_back(
    running: Flask, place: Path, tmp_path: Path, spoil: object, said: str
) -> None:
    night = PlayedNight("Ana", "Beto")
    night.do("won Ana")
    backup.copy(place, tmp_path / "b.db")
    spoil(tmp_path / "b.db")  # type: ignore[operator]
    with pytest.raises(Unusable, match=said):
        backup.restore(tmp_path / "b.db", place)
    assert night.standings() == "Ana 1, Beto -1"
    assert beside(place, "before-restore") == []


def test_another_programs_file_with_an_older_version_is_not_put_back(
    place: Path, tmp_path: Path, second_migration: Callable[[], Path]
) -> None:
    second_migration()
    (tmp_path / "b.db").touch()
    foreign("0001", "CREATE TABLE line (words)")(tmp_path / "b.db")
    with pytest.raises(Unusable, match=r"of this app: it has no change\.id"):
        backup.restore(tmp_path / "b.db", place)


def test_a_database_is_copied_before_it_is_migrated(
    running: Flask,
    settings: Settings,
    place: Path,
    caplog: pytest.LogCaptureFixture,
    second_migration: Callable[[], Path],
) -> None:
    second_migration()
    create_app(settings)
    register_migrations(running)  # which a database of the newest version has not asked for
    # nothing was in it
    assert beside(place, "before") == []
    flask_migrate.downgrade(revision="0015")
    night = PlayedNight("Ana", "Beto")
    night.do("won Ana")
    db.session.remove()
    create_app(settings)
    logged = [record.getMessage() for record in caplog.records if record.name == running.logger.name]
    assert [text for text in logged if "to 0016" in text] == ["Migrated the database from version 0015 to 0016"] * 2
    (copied,) = beside(place, "before-0*")
    with closing(sqlite3.connect(copied)) as connection:
        assert connection.execute("SELECT version_num FROM alembic_version").fetchall() == [("0015",)]
        assert connection.execute("SELECT name FROM player").fetchall() == [("Ana",), ("Beto",)]
    assert night.standings() == "Ana 1, Beto -1"
    assert is_ready()


def test_a_database_of_a_newer_app_is_told_at_start(app: Flask) -> None:
    db.session.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    db.session.commit()
    try:
        assert not is_ready()
        with pytest.raises(Unusable, match=r"of a newer version of this app \(9999; .*Update the app, or restore"):
            create_app({name: app.config[name] for name in ("INSTANCE", "SQLALCHEMY_DATABASE_URI", "TESTING")})
    finally:
        db.session.execute(text("UPDATE alembic_version SET version_num = :newest"), {"newest": newest()})
        db.session.commit()
    assert is_ready()


UNFIT = [
    ("sqlite:///{folder}/nowhere/a.db", r"cannot be used: unable to open database file\. Check that its folder exists"),
    ("sqlite:///{folder}", r"cannot be used: unable to open database file\. Check that its folder exists"),
    ("sqlite:///file:{folder}/b.db?mode=ro&uri=true", r"cannot be used: attempt to write a readonly database"),
    ("sqlite:///{folder}/other.db", r"doesn't belong to this app: no such column: .*version_num\. Choose another with"),
    ("postgresql+psycopg://ana:hidden@127.0.0.1:1/cards", r"ana:\*\*\*@127.0.0.1:1/cards does not answer: .*refused"),
]


@pytest.mark.parametrize(("uri", "said"), UNFIT, ids=["no-folder", "a-folder", "read-only", "another-app", "no-server"])
def test_an_unfit_database_is_told_at_start(tmp_path: Path, migrated: Path, uri: str, said: str) -> None:
    shutil.copy(migrated, tmp_path / "b.db")
    with closing(sqlite3.connect(tmp_path / "other.db")) as connection:
        connection.execute("CREATE TABLE alembic_version (x)")
    with pytest.raises(Unusable, match=said) as caught:
        create_app({"INSTANCE": tmp_path, "SQLALCHEMY_DATABASE_URI": uri.format(folder=tmp_path), "TESTING": True})
    assert "hidden" not in str(caught.value)


def mode(file: Path) -> int:
    return stat.S_IMODE(file.stat().st_mode)


@pytest.mark.skipif(sys.platform == "win32", reason="rights of users")
def test_nobody_else_can_read_what_the_app_writes(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    before = os.umask(0)
    try:
        for app in opened({"INSTANCE": tmp_path / "instance"}):
            with app.app_context():
                PlayedNight("Ana", "Beto").do("won Ana")
                backup.copy(tmp_path / "instance" / "companion.db", tmp_path / "b.db")
                backup.copy_beside(tmp_path / "instance" / "companion.db", "before")
                backup.restore(tmp_path / "b.db", tmp_path / "restored.db")
                with locks.held("import"):
                    files = [*(tmp_path / "instance").iterdir(), tmp_path / "b.db", tmp_path / "restored.db"]
                    assert {file.name: mode(file) for file in files} == {file.name: 0o600 for file in files}
                    assert len({file.name.rpartition(".")[2] for file in files} & {"db", "db-wal", "db-shm"}) == 3
                db.session.remove()
    finally:
        os.umask(before)
    assert caplog.text == ""
    assert mode(tmp_path / "instance") == 0o700


@pytest.mark.skipif(sys.platform == "win32", reason="rights of users")
def test_what_earlier_versions_left_readable_is_made_private(
    settings: Settings, place: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    for app in opened(settings):
        with app.app_context():
            kept = [place, backup.copy_beside(place, "before-0013"), backup.copy_beside(place, "damaged")]
    another, own_group = place.with_name("another.db"), backup.copy_beside(place, "before-restore")
    another.touch()
    for file in (*kept, another):
        file.chmod(0o644)
    own_group.chmod(0o640)
    for _ in opened(settings):
        assert [mode(file) for file in (*kept, another, own_group)] == [0o600, 0o600, 0o600, 0o644, 0o640]
    assert {record.getMessage() for record in caplog.records} == {
        f"Other users of this computer could read {file}; they no longer can" for file in kept
    }
    with app.app_context():
        monkeypatch.setattr(sys, "platform", "win32")
        place.chmod(0o644)
        assert startup.make_private(db.engine, place.parent) == []
