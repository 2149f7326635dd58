"""The benchmark runs once on tiny inputs; times aren't judged here."""

import io
import json
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

import benchmark
import pytest
from benchmarks import club, deadwood, load, nginx, phones, scale, spread, strengths, two_hosts, web, webhooks
from benchmarks.peers import Request
from benchmarks.race import Contender, Limit, Race, compare, keep
from benchmarks.serving import Answer
from benchmarks.web import Pace
from flask import Flask

from companion.store.audit import audit

pytestmark = pytest.mark.thorough


@pytest.fixture(scope="module")
def table() -> list[str]:
    printed = io.StringIO()
    with redirect_stdout(printed):
        benchmark.main(["--inputs", "2", "--repetitions", "1", "--quick"])
    return printed.getvalue().splitlines()


ROWS = """
five cards as text |
four cards and the joker
melds of 7 any cards as text
melds of 10 neighbouring cards as text
payments of twelve
order and count some hands
save a round |
night, long history
poll that finds nothing new
state that finds nothing new
POST /api/settle, knock-rummy
a tap, of less than 300 bytes
eight save at once, 99th percentile
correct round 1
import of 12 rounds, alone
eight save beside an import
start to first answer
memory with a long history
memory at the first answer
"""


@pytest.mark.parametrize("what", ROWS.strip().splitlines())
def test_table_has_a_row_for(what: str, table: list[str]) -> None:
    assert any(line.startswith(f"| {what}") for line in table)
    assert not [line for line in table if "not measured" in line]


def test_what_cannot_be_measured_is_a_line_and_the_others_follow() -> None:
    def rows() -> Iterator[str]:
        yield "| first | 1 | |"
        raise TimeoutError("timed out")

    told = list(web.whatever("import", rows))
    assert told == ["| first | 1 | |", "| import: not measured | TimeoutError timed out | |"]


@pytest.mark.parametrize("peer", ["treys", "rlcard", "ours, no wild card", "bare echo", "bare list of twenty"])
def test_what_the_tests_install_is_measured(peer: str, table: list[str]) -> None:
    lines = [line for line in table if f"| {peer} |" in line]
    assert lines
    assert not any("not installed" in line for line in lines)


def test_a_missing_peer_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("eval7", "pokerkit", "pyspiel", "debts"):
        monkeypatch.setitem(sys.modules, name, None)
    lines = list(compare([*strengths.races(1), *deadwood.races(1)], 1))
    absent = {line.split("|")[3].strip() for line in lines if "not installed" in line}
    assert absent == {"eval7", "pokerkit", "open_spiel min_deadwood", "open_spiel best_meld_group"}


def test_a_pace_that_is_missed_is_marked() -> None:
    def answer(seconds: float) -> Request:
        return lambda: Answer(200, {}, "", seconds)

    quick, slow = answer(0.001), answer(0.003)
    paces = [
        Pace("quick", quick, "slow", slow, 1),
        Pace("slow", slow, "quick", quick, 2),
        Pace("lone", slow, "it", None, 1),
    ]
    assert list(web.compare(paces, 2, 2))[2:] == [
        "| quick | 1.00 | slow | 3.00 | 0.33 (0.33 to 0.33) | 1 |",
        "| slow | 3.00 | quick | 1.00 | 3.00 (3.00 to 3.00) (missed) | 2 |",
        "| lone | | it | not installed | | 1 |",
    ]


def test_a_ratio_that_is_missed_is_marked() -> None:
    slow, quick = Contender("slow", lambda n: sum(range(n)), [20_000] * 9), Contender("quick", lambda _: None, [0] * 9)
    lines = list(compare([Race("up", quick, slow, 1), Race("down", slow, quick, 1)], 3))
    assert [line.split(" |")[0] for line in lines if "missed" in line] == ["| down"]


def test_a_limit_that_is_missed_is_marked() -> None:
    took = iter([0.5, 3.0, 2.0])
    assert list(keep([Limit("work", lambda: next(took), 1)], 3))[-1] == (
        "| work | 2,000.000 (500.000 to 3,000.000) (missed) | 1000 |"
    )


def test_a_club_of_copies_is_measured_and_passes_its_audit(
    quick: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scale, "memory", lambda *_: 100.0)  # starts servers, which the other tables do already
    size = ["--groups", "4", "--rounds", "24", "--audit", "0", "--repetitions", "1", "--database", "sqlite"]
    with redirect_stdout(io.StringIO()):
        scale.main([*size, "--folder", str(quick), "--report", str(tmp_path / "report")])
    written = json.loads((tmp_path / "report" / "scale.json").read_text())
    (report,) = written["reports"]
    assert {row["what"] for row in report["rows"]} == {*scale.PAGES, "save", "correction", "export"}
    assert report["upkeep"]["rows"]["player_group"] == report["upkeep"]["audited_groups"] == 4
    assert report["upkeep"]["rows"]["line"] >= 24
    assert "| leaderboard | " in (tmp_path / "report" / "scale.md").read_text()


def test_an_audit_finds_a_copy_with_a_wrong_player(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(club, "PLAYERS_APART", 7_000)  # not the digits that are replaced in documents
    made = club.make_club("sqlite", club.Size(2, 6), tmp_path / "club", None)
    with club.opened(made.settings):
        assert list(audit())


def _play(arguments: list[str]) -> None:
    """Run the load generator in a thread: after a browser test, Playwright's event loop runs in this one."""
    with redirect_stdout(io.StringIO()), ThreadPoolExecutor(1) as thread:
        thread.submit(load.main, arguments).result()


def test_tables_are_played_under_load_until_phones_wait(
    quick: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    monkeypatch.setattr(phones, "READING", 0.1)
    monkeypatch.setattr(phones, "PATIENCE", 300)
    few = ["--tables", "1", "--seconds", "0.3", "--workers", "2", "--bare-polls", "40"]
    _play([*few, "--folder", str(quick), "--report", str(tmp_path)])
    written = json.loads((tmp_path / "load.json").read_text())
    (step,) = written["steps"]
    assert (written["bare_poll_seconds"] > 0, step["in_bare_polls"] > 0) == (True, True)
    assert step["requests"]["poll"] + step["requests"]["news"] >= load.MIN_ANSWERS
    assert (step["errors"], step["app_cores"] > 0, "queue" in step["metrics"]) == ({}, True, True)


def test_the_readme_s_nginx_is_put_before_a_port() -> None:
    settings = nginx.sample(81, 82)
    for expected in ("listen 127.0.0.1:81;", "proxy_pass http://127.0.0.1:82;", "limit_req zone=", "limit_conn "):
        assert expected in settings
    assert "ssl" not in settings


def test_a_killed_host_loses_nothing_and_a_loss_would_be_reported(
    quick: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lost = two_hosts.lost

    def with_a_round_too_many(app: Flask, tables: Sequence[phones.Table]) -> list[str]:
        assert lost(app, tables) == []
        tables[0].saved.append(tables[0].number + 5)
        return lost(app, tables)

    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    monkeypatch.setattr(two_hosts, "lost", with_a_round_too_many)
    monkeypatch.setattr(two_hosts, "TAP_SECONDS", 0.05)
    monkeypatch.setattr(phones, "READING", 0.1)
    monkeypatch.setattr(phones, "PATIENCE", 300)
    counts = ["--two-hosts", "--tables", "1", "--seconds", "0", "--rounds", "2"]
    _play([*counts, "--folder", str(quick), "--report", str(tmp_path)])
    written = json.loads((tmp_path / "two-hosts.json").read_text())
    assert "is lost" in written["wrong"][0]
    assert (written["errors"], written["saved"] >= 4) == ([{}, {}], True)


def test_a_step_is_kept_while_no_phone_waits() -> None:
    kept: dict[str, Any] = {
        "tables": 5,
        "seconds": 10.0,
        "requests": dict.fromkeys(load.KINDS, 9),
        "p50": dict.fromkeys(load.KINDS, 9.0),
        "p99": dict.fromkeys(load.KINDS, 90.0),
        "polls_kept": 0.97,
        "late": 0,
        "unanswered": 0,
        "errors": {},
        "app_cores": 0.4,
        "database_cores": 0.1,
        "generator_cores": 0.1,
        "app_megabytes": 300.0,
        "database_megabytes": 50.0,
        "metrics": {},
    }
    missed = [{"p99": {**kept["p99"], "tap": 210.0}}, {"late": 1}, {"errors": {"tap 500": 1}}, {"polls_kept": 0.8}]
    assert not any(load.Step(**{**kept, **change}).is_kept for change in missed)
    steps = [load.Step(**{**kept, **change}) for change in ({}, {"tables": 9}, missed[0], {"tables": 20})]
    assert load.knee(steps) is steps[1]
    assert "The knee: 9 tables, on 0.50 cores of app and database: 18 a core." in load.report(steps, 0.001)
    assert "Phones had to wait at every step." in load.report(steps[2:], 0.001)


def test_every_statement_touches_one_part_of_the_groups(server: str, instance: Path) -> None:
    rows = list(spread.table(server, instance))[2:]
    assert [row for row in rows if not row.endswith(("| 1 |  |", "| 0 |  |"))] == []
    assert sum(int(row.split("|")[2]) for row in rows) > 500


@pytest.mark.parametrize("kind", [[], ["--postgresql"]], ids=["sqlite", "postgresql"])
def test_saves_beside_webhooks_are_compared(
    kind: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    webhooks.main([*kind, "--runs", "1", "--saves", "2"])
    told = [line.partition(":")[0] for line in capsys.readouterr().out.splitlines() if "median" in line]
    assert told == ["a receiver that hangs", "a receiver that answers 10 MB"]
