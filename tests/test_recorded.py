"""What `tests/show.py html` stores: the same in every run, and what has changed is told once."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

TESTS = Path(__file__).resolve().parent
sys.path.append(str(TESTS / "web"))

from recorded import changes, file_name  # noqa: E402

PAGE = '200 OK\n\n<p>one</p><p>two</p>\n{"a":1,"b":[2]}'


def show(command: str, folder: Path, seed: str) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {"PYTHONHASHSEED": seed, "COMPANION_PUBLIC_URL": "https://cards.example", "TZ": "CST6"}
    words = [sys.executable, str(TESTS / "show.py"), command, str(folder)]
    return subprocess.run(words, capture_output=True, text=True, env=environment, cwd=folder, check=False)


def test_what_has_changed_is_told_by_place() -> None:
    assert list(changes(PAGE, PAGE)) == []
    told = ['   <p>one</p>\n  -<p>two</p>\n  +<p>three</p>\n   {"a":1,']
    assert list(changes(PAGE, PAGE.replace("two", "three"))) == told
    assert len(list(changes(PAGE, PAGE.replace("200", "404").replace("[2]", "[3]")))) == 2
    assert list(changes(None, PAGE)) == ["  is new"]
    assert list(changes(PAGE, None)) == ["  is gone"]
    assert all(len(line) < 250 for line in next(changes(PAGE, PAGE * 100)).splitlines())
    assert len(next(changes("", "\n".join(map(str, range(100))))).splitlines()) == 13


def test_names_of_files_have_no_folders() -> None:
    assert file_name("years leaderboard game=knock&since=soon en") == "years-leaderboard-game=knock-since=soon-en"


@pytest.mark.thorough
def test_two_runs_store_the_same(tmp_path: Path) -> None:
    stored = show("html", tmp_path, "1")
    assert stored.returncode == 0, stored.stderr
    compared = show("compare-html", tmp_path, "2")
    assert (compared.stdout, compared.returncode) == ("0 changes\n", 0), compared.stderr
    posted = tmp_path / "posted.txt"
    posted.write_bytes(posted.read_bytes().replace(b"303", b"302", 1))
    (tmp_path / "home-es.txt").unlink()
    compared = show("compare-html", tmp_path, "3")
    assert compared.returncode == 1
    assert "posted:\n  -/demo: 302" in compared.stdout
    assert "home-es:\n  is new" in compared.stdout
