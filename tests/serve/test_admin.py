"""The administrator commands, and backups that keep only the newest files."""

from __future__ import annotations

import json
import sqlite3
from datetime import UTC, datetime
from pathlib import Path

import click
import pytest

from companion import __version__, create_app
from companion.serve.command import main
from companion.store.db.startup import newest
from companion.store.groups.groups import all_groups, last_night, make_group, start_night
from companion.store.groups.links import new_secret

pytestmark = pytest.mark.thorough


@pytest.fixture(autouse=True)
def _here(instance: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COMPANION_INSTANCE", str(instance))


def with_groups(*names: str) -> list[str]:
    with create_app().app_context():
        return [make_group(name, ["Ana", "Beto"], new_secret()).public_id for name in names]


def play_a_night(name: str) -> None:
    with create_app().app_context():
        (group,) = [one for one in all_groups() if one.name == name]
        seats = [player.id for player in group.players]
        start_night(group, seats, "knock", {}, "a key of the form")


def test_groups_are_listed_with_their_last_night(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["groups"]) == 0
    assert capsys.readouterr().out == ""
    friday, _ = with_groups("Friday", "Monday")
    play_a_night("Friday")
    assert main(["groups"]) == 0
    first, second = capsys.readouterr().out.splitlines()
    assert first.startswith(f"{friday}  Friday  (2 players, last night ") and first.endswith(", open)")
    assert second.endswith("  Monday  (2 players, no night yet)")


def test_new_links_replace_those_that_are_lost(capsys: pytest.CaptureFixture[str]) -> None:
    old = new_secret()
    with create_app().app_context():
        make_group("Friday", ["Ana", "Beto"], old)
    assert main(["link", "Friday"]) == 0
    new = capsys.readouterr().out.partition("/open/")[2].split()[0]
    client = create_app().test_client()
    lost = client.get(f"/open/{old}")
    assert (
        lost.status_code == 404 and "This link opens nothing" in lost.text and "python3 companion link ID" in lost.text
    )
    assert client.get(f"/open/{new}").status_code in (200, 302, 303)
    assert main(["link", "Monday"]) == 1


def test_what_is_listed_can_be_read_by_programs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    friday, _ = with_groups("Friday", "Monday")
    play_a_night("Friday")
    assert main(["groups", "--json"]) == 0
    first, second = map(json.loads, capsys.readouterr().out.splitlines())
    assert (first["id"], first["players"], first["is_open"]) == (friday, ["Ana", "Beto"], True)
    assert (second["last_night"], second["is_open"]) == (None, False)
    assert main(["check", "--json"]) == 0
    checked = json.loads(capsys.readouterr().out)
    assert (checked["version"], checked["database_version"]) == (__version__, newest())
    assert (checked["last_audit"], checked["audit_days_ago"], checked["audit_errors"]) == (None, None, None)
    assert main(["audit"]) == main(["backup", str(tmp_path / "copy.db")]) == 0
    capsys.readouterr()
    assert main(["check", "--json"]) == 0
    checked = json.loads(capsys.readouterr().out)
    assert (checked["audit_days_ago"], checked["backup_days_ago"], checked["audit_errors"]) == (0, 0, 0)
    assert datetime.fromisoformat(checked["last_audit"]).tzinfo is not None
    assert main(["export", "--json"]) == 0
    assert next(json.loads(line)["id"] for line in capsys.readouterr().out.splitlines()) == friday


def test_only_migrate_makes_a_database(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COMPANION_INSTANCE", str(tmp_path / "new"))
    assert main(["check"]) == 1
    assert "There is no database" in capsys.readouterr().err
    assert main(["migrate"]) == 0
    assert capsys.readouterr().out == f"The database has version {newest()}.\n"
    assert main(["check"]) == 0
    assert f"version: {__version__}\n" in capsys.readouterr().out


def test_a_night_has_the_date_on_which_it_began_here(
    six_hours_behind: None, capsys: pytest.CaptureFixture[str]
) -> None:
    with_groups("Friday")
    with create_app().app_context():
        group = all_groups()[0]
        seats = [player.id for player in group.players]
        began = datetime(2026, 11, 21, 3, 30, tzinfo=UTC)
        start_night(group, seats, "knock", {}, "a key of the form", opened_at=began)
    assert main(["groups"]) == 0
    assert main(["close-night", "Friday"]) == 0
    listed, closed = capsys.readouterr().out.splitlines()
    assert listed.endswith("last night 2026-11-20, open)")
    assert closed.startswith("The night of 2026-11-20 is closed.")


@pytest.mark.parametrize("options", [[], ["--split"]])
def test_a_night_that_was_left_open_is_closed_once(options: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with_groups("Friday")
    play_a_night("Friday")
    assert main(["close-night", "Friday", *options]) == 0
    assert "is closed" in capsys.readouterr().out
    with create_app().app_context():
        night = last_night(all_groups()[0])
        assert night is not None and night.closed_at is not None
    assert main(["close-night", "Friday"]) == 0
    assert capsys.readouterr().out == "The group Friday has no open night; nothing was changed.\n"


@pytest.mark.parametrize("command", ["close-night", "delete-group"])
def test_an_ambiguous_group_name_is_refused(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    with_groups("Friday", "Friday")
    for name, what in (("Friday", "Several groups are"), ("Sunday", "No group is")):
        assert main([command, name]) == 1
        assert capsys.readouterr().err.endswith(
            f"\n{what} called {name}; use the id that `python3 companion groups` shows.\n"
        )


def test_a_group_is_deleted_when_that_is_confirmed(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    friday, monday = with_groups("Friday", "Monday")
    monkeypatch.setattr(click.termui, "visible_prompt_func", lambda _: "n")
    assert main(["delete-group", "Friday"]) == 1
    assert capsys.readouterr().out.endswith("The group Friday wasn't deleted.\n")
    with create_app().app_context():
        assert len(all_groups()) == 2
    assert main(["delete-group", friday, "--yes"]) == 0
    assert capsys.readouterr().out.endswith("The group Friday has been deleted.\n")
    with create_app().app_context():
        assert [group.public_id for group in all_groups()] == [monday]


def test_only_the_newest_copies_are_kept(tmp_path: Path) -> None:
    folder = tmp_path / "copies"
    with_groups("Friday")
    assert main(["backup", "--keep", "2", str(folder)]) == 0
    (folder / "companion-mine.db").write_text("not one of these")
    (first,) = folder.glob("companion-2*.db")
    for _ in range(2):
        assert main(["backup", "--keep", "2", str(folder)]) == 0
    copies = sorted(folder.glob("companion-2*.db"))
    assert len(copies) == 2 and first not in copies
    assert (folder / "companion-mine.db").exists()
    with sqlite3.connect(copies[-1]) as connection:
        assert connection.execute("SELECT count(*) FROM player_group").fetchone() == (1,)


def test_a_copy_is_the_newest_though_the_clock_was_set_back(tmp_path: Path) -> None:
    with_groups("Friday")
    for _ in range(2):
        assert main(["backup", "--keep", "2", str(tmp_path)]) == 0
    future = tmp_path / "companion-29991231T235959999999Z.db"
    min(tmp_path.glob("companion-2*.db")).rename(future)
    with_groups("Monday")
    assert main(["backup", "--keep", "2", str(tmp_path)]) == 0
    kept = sorted(tmp_path.glob("companion-[23]*.db"))
    assert kept == [future, tmp_path / "companion-30000101T000000000000Z.db"]
    with sqlite3.connect(kept[-1]) as connection:
        assert connection.execute("SELECT count(*) FROM player_group").fetchone() == (2,)


@pytest.mark.parametrize(
    ("typed", "why"),
    [
        ("0", "0 is not in the range x>=1."),
        ("1_0", "'1_0' is not a valid integer."),
        ("٣", "'٣' is not a valid integer."),
    ],
)
def test_an_impossible_number_of_backups_is_refused(
    tmp_path: Path, typed: str, why: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["backup", "--keep", typed, str(tmp_path)]) == 2
    assert capsys.readouterr().err.endswith(f"Error: Invalid value for '--keep': {why}\n")
