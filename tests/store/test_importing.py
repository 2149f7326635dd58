"""Imports that are large, concurrent with another import or with saves, or interrupted."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from flask import Flask
from large_files import FILES, read_within_limits
from nights import PlayedNight
from sqlalchemy import event, text
from sqlalchemy.exc import OperationalError
from waiting import MAX_SECONDS, until

from companion.store.audit import audit
from companion.store.db import locks
from companion.store.groups import groups, links
from companion.store.models import Group, Link, Night, db
from companion.store.portable import (
    FileLimits,
    export_group,
    import_group,
    importing,
)
from companion.store.portable.group_file import read
from companion.store.refusals import Conflict, Refused

CHECKOUT = Path(__file__).resolve().parents[2]
BUSY = "Another group is being imported"
HOLD = (
    "from companion.store.db.locks import held\nwith held('import') as mine: print(mine, flush=True); sys.stdin.read()"
)
KILLED = """
import os, signal
from pathlib import Path
from companion.store.portable import import_group, importing
steps, step = 0, importing._step
def killed(*given):
    global steps
    steps += 1
    found = step(*given)
    if steps == int(sys.argv[3]):
        os.kill(os.getpid(), signal.SIGKILL)
    return found
importing._step, importing._BATCH = killed, 5
import_group(Path(sys.argv[4]).read_bytes(), "a secret")
"""


def elsewhere(app: Flask, code: str, *arguments: str) -> subprocess.Popen[str]:
    """Run code within the app's context in another process."""
    start = "import sys; from companion import create_app\n"
    start += "create_app({'INSTANCE': sys.argv[1], 'SQLALCHEMY_DATABASE_URI': sys.argv[2]}).app_context().push()\n"
    where = [str(app.config["INSTANCE"]), str(app.config["SQLALCHEMY_DATABASE_URI"])]
    command = [sys.executable, "-c", start + code, *where, *arguments]
    return subprocess.Popen(command, cwd=CHECKOUT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


LONG = {"doubled keys", "keys", "lists of one", "objects of one", "numbers", "name that cannot be shown"}
LONG |= {"players of a name", "players of a round", "empty lists, fewer", "a text of four bytes a character"}


@pytest.mark.parametrize("name", [pytest.param(name, marks=[pytest.mark.thorough] * (name in LONG)) for name in FILES])
def test_whatever_a_file_holds_little_memory_and_time_does(name: str) -> None:
    assert read_within_limits(name)["said"]


@pytest.mark.parametrize(
    ("limits", "said"),
    [
        (FileLimits(values=100), "This file has 1,"),
        (FileLimits(revisions=10), "This file has 15 rounds and corrections, but this page accepts at most 10."),
        (FileLimits(rows=100), "This file has 1"),
    ],
    ids=["values", "revisions", "rows"],
)
def test_a_file_that_is_too_large_is_for_the_command(sample: bytes, limits: FileLimits, said: str) -> None:
    with pytest.raises(Refused) as refused:
        read(sample, limits)
    assert str(refused.value).startswith(said)
    assert str(refused.value).endswith("The person who runs the app can import it with: companion import FILE")
    assert read(sample, FileLimits())


@pytest.mark.quick
def test_a_second_import_waits_for_the_first(app: Flask, sample: bytes) -> None:
    with locks.held("import") as is_mine, pytest.raises(Conflict, match=BUSY):
        assert is_mine
        import_group(sample, "a secret")
    assert import_group(sample, "a secret")[1] is True


def test_a_second_import_waits_for_one_of_another_process(app: Flask, sample: bytes) -> None:
    with elsewhere(app, HOLD) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "True\n"
        with pytest.raises(Conflict, match=BUSY):
            import_group(sample, "a secret")
        other.kill()

    def imported() -> bool:
        with suppress(Conflict):  # until the server has seen that the other one is gone
            assert import_group(sample, "a secret")[1] is True
            return True
        return False

    assert until(imported)


def test_another_fault_of_the_lock_is_not_taken_for_another_import(
    sqlite_app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(locks, "SQLITE_BUSY", None)
    with sqlite_app.app_context(), locks.held("import"), pytest.raises(OperationalError), locks.held("import"):
        raise AssertionError


def test_others_save_during_an_import_and_see_nothing_of_it(
    app: Flask, sample: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    night, times = PlayedNight("Zoe", "Yan"), 0
    others, usual_turn = groups.all_groups(), sys.getswitchinterval()

    def save(_seconds: float) -> None:
        nonlocal times
        times += 1
        assert sys.getswitchinterval() < usual_turn  # others get their turn sooner
        night.do("won Zoe")
        assert groups.all_groups() == others
        assert list(audit()) == []

    monkeypatch.setattr(importing, "time", SimpleNamespace(sleep=save))
    monkeypatch.setattr(importing, "_BATCH", 10)
    made, _ = import_group(sample, "a secret")
    assert times > 20
    assert sys.getswitchinterval() == usual_turn
    assert len(night.night.lines) == times
    assert export_group(made.public_id) == sample
    assert list(audit()) == []


def steps_until(number: int, error: BaseException) -> Callable[..., Any]:
    """Return an import step that fails once, after doing its work."""
    step, steps = importing._step, 0

    def failing(*given: Any) -> Any:
        nonlocal steps
        steps += 1
        found = step(*given)
        if steps == number:
            raise error
        return found

    return failing


def is_nowhere(sample: bytes) -> None:
    """Check that nothing of an interrupted import is visible, and that it can be repeated."""
    assert groups.all_groups() == []
    assert db.session.query(Link).count() == 0
    assert list(audit()) == []
    made, is_new = import_group(sample, "a secret")
    assert is_new
    assert groups.all_groups() == [made]
    assert export_group(made.public_id) == sample
    assert list(audit()) == []
    # of what was broken off no name is left
    for group in db.session.query(Group).where(Group.id != made.id):
        assert (group.name, {player.name for player in group.players}) == ("", {""} if group.players else set())
        assert group.deleted_at is not None
        assert not [night for night in db.session.query(Night).where(Night.group_id == group.id) if night.note]


def test_a_lock_is_free_before_its_connection_is_closed(postgresql_app: Flask) -> None:
    left: list[int] = []  # the server frees the locks of a closed connection only a moment later
    with postgresql_app.app_context(), db.engine.connect() as other:
        count = text("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'")

        def note(_connection: object) -> None:
            left.append(other.scalar(count))

        event.listen(db.engine, "close_detached", note)
        with locks.held("import"):
            assert other.scalar(count) == 1
        event.remove(db.engine, "close_detached", note)
    assert left == [0]


@pytest.mark.parametrize("number", [1, 2, 6, 11, 16])
def test_an_import_that_fails_leaves_nothing(
    app: Flask, sample: bytes, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    monkeypatch.setattr(importing, "_step", steps_until(number, KeyboardInterrupt()))
    with pytest.raises(KeyboardInterrupt):
        import_group(sample, "a secret")
    assert not db.session.query(Group).where(Group.deleted_at.is_(None)).count()
    monkeypatch.undo()
    is_nowhere(sample)


@pytest.mark.thorough
@pytest.mark.parametrize("number", [1, 15, 30])
def test_an_import_that_is_killed_leaves_nothing(app: Flask, sample: bytes, tmp_path: Path, number: int) -> None:
    file = tmp_path / "group.json"
    file.write_bytes(sample)
    with elsewhere(app, KILLED, str(number), str(file)) as other:
        assert other.wait(MAX_SECONDS) == -9
    assert db.session.query(Group).one().is_complete is False
    is_nowhere(sample)


def test_who_is_quicker_than_an_import_wins(app: Flask, sample: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    made, _ = import_group(sample, "a secret")
    file = sample.replace(made.public_id.encode(), b"another", 1)
    monkeypatch.setattr(importing, "_must_be_free", lambda *_: None)
    with pytest.raises(Conflict, match="already belongs to another group here"):
        import_group(file, links.new_secret())
    assert groups.all_groups() == [made]
    assert list(audit()) == []


def test_a_row_that_the_database_refuses_is_told_as_that(
    app: Flask, sample: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = read(sample)
    file.group["nights"][0]["stake"] = 0
    monkeypatch.setattr(importing, "read", lambda *_: file)
    with pytest.raises(Refused, match=r"^the file: the database refuses it \(ck_night_stake\)\. Nothing was imported"):
        import_group(sample, "a secret")
    assert groups.all_groups() == []


def test_an_imported_night_gets_a_join_code_of_its_own(
    app: Flask, sample: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    PlayedNight("Zoe", "Yan").night.join_code = "TAKEN"
    db.session.commit()
    codes = iter(["TAKEN", "FREE"])  # as if another night took the first between looking it up and saving it
    monkeypatch.setattr(importing, "free_join_code", lambda: next(codes))
    made, _ = import_group(sample, "a secret")
    assert [night.join_code for night in groups.nights_of(made, None, 9) if night.closed_at is None] == ["FREE"]
