"""The benchmark runs once on tiny inputs; times aren't judged here."""

import gc
import io
import json
import sys
from collections.abc import Iterator
from contextlib import redirect_stdout
from pathlib import Path

import benchmark
import pytest
from benchmarks import club, deadwood, scale, strengths, web
from benchmarks.peers import Request
from benchmarks.race import Contender, Limit, Race, compare, keep
from benchmarks.serving import Answer
from benchmarks.web import Pace

from companion.store.audit import audit


@pytest.fixture(scope="module", autouse=True)
def _alone() -> Iterator[None]:
    """Exclude objects left by other tests from garbage collection between runs, which took most of the time."""
    gc.freeze()
    yield
    gc.unfreeze()


@pytest.fixture(scope="module")
def table() -> list[str]:
    printed = io.StringIO()
    with redirect_stdout(printed):
        benchmark.main(["--inputs", "2", "--repetitions", "1", "--quick"])
    return printed.getvalue().splitlines()


@pytest.mark.parametrize(
    "what",
    [
        "five cards as text | ",
        "four cards and the joker",
        "melds of 7 any cards as text",
        "melds of 10 neighbouring cards as text",
        "payments of twelve",
        "order and count some hands",
        "save a round |",
        "session, long history",
        "poll that finds nothing new",
        "POST /api/settle, knock-rummy",
        "eight save at once, 99th percentile",
        "start to first answer",
        "memory with a long history",
    ],
)
def test_table_has_a_line_for(what: str, table: list[str]) -> None:
    assert any(line.startswith(f"| {what}") for line in table)


@pytest.mark.parametrize("peer", ["treys", "rlcard", "ours, no wild card", "bare echo", "bare list of twenty"])
def test_what_the_tests_install_is_measured(peer: str, table: list[str]) -> None:
    lines = [line for line in table if f"| {peer} |" in line]
    assert lines
    assert not any("not installed" in line for line in lines)


def test_a_peer_that_is_not_installed_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
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
