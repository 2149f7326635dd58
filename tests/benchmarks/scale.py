"""Measures every page, a save, a correction and the maintenance of a large club beside those of a small one.

`nice -n 19 .venv/bin/python -m tests.benchmarks.scale --groups 5000 --rounds 1000000 --report FOLDER` writes
FOLDER/scale.json and scale.md. The measured groups are the same in both clubs, so what differs grows with the club.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from datetime import date
from itertools import count
from pathlib import Path
from statistics import median
from time import perf_counter

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from probes.forms import form_with
from statements import heard

from benchmarks.club import Club, Size, group_of, make_club, postgresql
from benchmarks.race import no_collection
from benchmarks.upkeep import Upkeep, memory, upkeep
from companion import create_app
from companion.store.groups import groups
from companion.store.models import db
from companion.store.portable.exporting import export_group

GROUPS_OF_SMALL = 5  # of 200 rounds each, as in the large club: 1,000 rounds
MAX_TIMES_AS_LONG = 1.2
KINDS = ("sqlite", "postgresql")
PAGES = {
    "home": "/",
    "group": "{group}",
    "group, nights of a player": "{group}?player={player}",
    "group, nights of a game": "{group}?game=knock-rummy",
    "group, people": "{group}/people",
    "group, settings": "{group}/settings",
    "leaderboard": "{group}/leaderboard",
    "leaderboard of a game": "{group}/leaderboard?game=dompe",
    "player": "{group}/players/{player}",
    "settle up the group": "{group}/settle",
    "night": "{night}",
    "night, rounds": "{night}/rounds",
    "night, money": "{night}/money",
    "night, people": "{night}/people",
    "night, close": "{night}/close",
    "night, history": "{night}/changes",
    "night, charts": "{night}/pictures",
    "night, rules": "{night}/rules",
    "night, print": "{night}/print",
    "settle up the night": "{night}/settle",
    "an older night": "{older}",
    "a round": "{night}/lines/3",
    "form of a correction": "{night}/lines/3/correct",
    "form of a round": "{night}/round",
    "state poll": "{night}/state",
}
HANDS = ("9s 9h 9d 4c 4d", "Ah Kh 8h 5h 3h", "8c 8d Js 7d 4h", "Ks Qd 9c 6h 2s", "Ad Jc 7s 5d 2c")
Request = Callable[[], float]  # gives the seconds that it took


def small_beside(size: Size) -> Size:
    """Tell how large the club is that a large one is compared with: its groups have as many rounds."""
    return Size(GROUPS_OF_SMALL, GROUPS_OF_SMALL * size.rounds_each)


class Phone:
    """A phone that keeps score in a group of a club; `requests` are what it can ask for, by name."""

    def __init__(self, club: Club, original: int) -> None:
        self._app = create_app(club.settings)
        self._client = self._app.test_client()
        self._knockers = count()
        self.statements = 0
        secret = club.secret(original)
        with self._app.app_context():
            group = group_of(secret)
            self._group = group.public_id
            nights = groups.nights_of(group, None, 2)
            players = [player.id for player in group.players]
            fresh = groups.start_night(group, players[:5], "knock-poker", {}, f"measured {original}")
            self._fresh = f"/s/{fresh.public_id}"
            places = {"group": f"/g/{group.public_id}", "player": str(players[0])}
            places |= {"night": f"/s/{nights[0].public_id}", "older": f"/s/{nights[-1].public_id}"}
            self._listening = ExitStack()  # for as long as the benchmark runs
            self._listening.enter_context(heard(db.engine, self._count))
        assert self._client.get(f"/open/{secret}").status_code == 303
        self.addresses = [path.format(**places) for path in PAGES.values()]
        self.requests: dict[str, Request] = dict(zip(PAGES, map(self._asks, self.addresses), strict=True))
        self.requests |= {"save": self.save, "correction": self.correct, "export": self.export}

    def _count(self, *_: object) -> None:
        self.statements += 1

    def _asks(self, address: str) -> Request:
        def ask() -> float:
            self.statements = 0
            began = perf_counter()
            answer = self._client.get(address)
            assert answer.status_code == 200, (address, answer.status_code)
            return perf_counter() - began

        return ask

    def save(self) -> float:
        """Save a round in a night of its own."""
        return self._post(f"{self._fresh}/round?game=knock-poker", knocker=0)

    def correct(self) -> float:
        """Let another player have knocked in the first round that was saved."""
        return self._post(f"{self._fresh}/lines/1/correct", knocker=1 + next(self._knockers) % 2)

    def _post(self, address: str, knocker: int) -> float:
        form = form_with(self._client.get(address).text, "settle")
        hands = dict(zip(form.named("-hand"), HANDS, strict=True))
        self.statements = 0
        began = perf_counter()
        fields = {**form.fields, **hands, "asked-knocker": str(knocker), "do": "save"}
        answer = self._client.post(form.action or address, data=fields)
        assert answer.status_code == 303, answer.text
        return perf_counter() - began

    def export(self) -> float:
        """Write the group as a document."""
        self.statements = 0
        began = perf_counter()
        with self._app.app_context():
            export_group(self._group)
        return perf_counter() - began

    def close(self) -> None:
        with self._app.app_context():
            db.engine.dispose()


@dataclass
class Row:
    """What a request took in the small and in the large club: medians in milliseconds, and statements."""

    what: str
    small: float
    large: float
    times: float
    small_statements: int
    statements: int

    def line(self) -> str:
        told = f"{self.times:.2f}{' (missed)' if self.times > MAX_TIMES_AS_LONG else ''}"
        same = "" if self.statements == self.small_statements else f" (small: {self.small_statements})"
        return f"| {self.what} | {self.small:.1f} | {self.large:.1f} | {told} | {self.statements}{same} |"


def compare(small: Phone, large: Phone, repetitions: int) -> list[Row]:
    """Ask both clubs in turn, so that whatever else the machine does weighs on both; each answer is compared with the
    next one.
    """
    found = []
    with no_collection():
        for what in small.requests:
            ask, ask_large = small.requests[what], large.requests[what]
            _ = ask(), ask_large()  # to warm up
            took = [(ask(), ask_large()) for _ in range(repetitions)]
            middle = [1000 * median(side) for side in zip(*took, strict=True)]
            times = median(many / few for few, many in took)
            found.append(Row(what, *middle, times, small.statements, large.statements))
    return found


@dataclass
class Report:
    """What was measured on one kind of database."""

    kind: str
    size: Size
    seconds_to_make: float
    rows: list[Row]
    upkeep: Upkeep
    small_megabytes: float
    megabytes: float

    def lines(self) -> Iterator[str]:
        """Yield the report in Markdown."""
        yield f"## {self.kind}: {self.size.groups:,} groups, {self.size.rounds:,} rounds"
        yield ""
        small = small_beside(self.size)
        yield f"Made in {self.seconds_to_make:.0f} s. The small club: {small.groups} groups, {small.rounds:,} rounds."
        yield ""
        yield "| what | small, ms | large, ms | times as long | statements |"
        yield "|---|---|---|---|---|"
        yield from (row.line() for row in self.rows)
        yield ""
        yield "| upkeep | |"
        yield "|---|---|"
        yield f"| memory of the server, small and large, MB | {self.small_megabytes:.0f}, {self.megabytes:.0f} |"
        yield from self.upkeep.lines(self.size.rounds)
        yield ""
        yield "| table | rows a round | bytes a round, indexes included |"
        yield "|---|---|---|"
        yield from self.upkeep.table_lines(self.size.rounds)
        yield ""


def measure(kind: str, size: Size, repetitions: int, audited: int, folder: Path, server: str | None) -> Report:
    """Make both clubs on a kind of database and measure them."""
    small = make_club(kind, small_beside(size), folder / f"{kind}-small", server)
    began = perf_counter()
    large = make_club(kind, size, folder / f"{kind}-large", server)
    took = perf_counter() - began
    phones = Phone(small, 0), Phone(large, 0)
    rows = compare(*phones, repetitions)
    few, many = (memory(club, phone.addresses) for club, phone in zip((small, large), phones, strict=True))
    for phone in phones:
        phone.close()
    return Report(kind, size, took, rows, upkeep(large, audited, folder / f"{kind}-upkeep"), few, many)


def main(arguments: Sequence[str]) -> None:
    """Measure, print, and write the report."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--groups", type=int, default=5_000, help="groups of the large club (5000)")
    parser.add_argument("--rounds", type=int, default=1_000_000, help="rounds of the large club (1000000)")
    parser.add_argument("--repetitions", type=int, default=15, help="how often each request is made (15)")
    parser.add_argument("--audit", type=int, default=20, help="how many groups are audited; 0: all (20)")
    parser.add_argument("--database", action="append", choices=KINDS, help="only this kind of database")
    parser.add_argument("--folder", type=Path, help="where the databases are made; some gigabytes (a temporary one)")
    parser.add_argument("--report", type=Path, help="a folder for scale.json and scale.md")
    chosen = parser.parse_args(arguments)
    size, reports = Size(chosen.groups, chosen.rounds), []
    folder = Path(tempfile.mkdtemp(prefix="club-", dir=chosen.folder))
    folder.chmod(0o755)
    about = f"{date.today()}, Python {sys.version.split()[0]}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}"
    lines = ["# A large club beside a small one", "", about, ""]
    print("\n".join(lines))
    try:
        with ExitStack() as stack:
            for kind in chosen.database or KINDS:
                server = stack.enter_context(postgresql(folder / "server")) if kind == "postgresql" else None
                reports.append(measure(kind, size, chosen.repetitions, chosen.audit, folder, server))
                told = list(reports[-1].lines())
                print("\n".join(told), flush=True)
                lines += told
    finally:
        shutil.rmtree(folder)
    if chosen.report:
        chosen.report.mkdir(parents=True, exist_ok=True)
        (chosen.report / "scale.md").write_text("\n".join(lines))
        written = {
            "about": about,
            "small": asdict(small_beside(size)),
            "reports": [asdict(report) for report in reports],
        }
        (chosen.report / "scale.json").write_text(json.dumps(written, indent=1))


if __name__ == "__main__":
    main(sys.argv[1:])
