"""Plays nights at more and more tables, four phones each, and reports how many fit before phones have to wait.

`.venv/bin/python -m tests.benchmarks.load --report FOLDER` writes FOLDER/load.json and load.md. With `--nginx` the
phones ask an nginx with the settings and limits of HOSTING.md, from houses of 40 tables behind one address each. With
`--two-hosts` it serves one database from two hosts instead, lets each phone change the host at every request, and kills
one host.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import json
import os
import platform
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from datetime import date
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks import two_hosts
from benchmarks.bare_polls import POLLS, seconds_of_a_poll
from benchmarks.club import postgresql
from benchmarks.club_servers import WORKERS, Database, Host, app_of, host, new_database, round_form, seat
from benchmarks.metrics import slowest
from benchmarks.nginx import TABLES_OF_A_HOUSE, nginx
from benchmarks.phones import Hosts, Measured, Table, counted
from benchmarks.processes import Usage, usage

LADDER = (10, 25, 50, 75, 100, 150, 200, 400, 1000)
TAPS_P99_MS = 200
MIN_POLLS = 0.9  # of those that the pace would make if every answer came at once
MIN_ANSWERS = 10  # polls of a step: with fewer it tells nothing
KINDS = ("tap", "poll", "news", "save", "page")


@dataclass
class Step:
    """What a number of tables took: milliseconds by kind of request, processor as shares of one core, megabytes."""

    tables: int
    seconds: float
    requests: dict[str, int]
    p50: dict[str, float | None]
    p99: dict[str, float | None]
    polls_kept: float
    late: int
    unanswered: int
    errors: dict[str, int]
    app_cores: float
    database_cores: float
    generator_cores: float
    app_megabytes: float
    database_megabytes: float
    metrics: dict[str, float]  # the slowest hundredth by the app's own metrics, at most so many milliseconds

    @property
    def is_kept(self) -> bool:
        """Tell whether no phone had to wait: taps are quick, and every request was made when its phone wanted to."""
        taps = self.p99["tap"]
        is_quick = taps is not None and taps < TAPS_P99_MS
        return is_quick and not self.late and not self.errors and self.polls_kept >= MIN_POLLS

    def line(self) -> str:
        times = (f"{_ms(self.p50[kind])} / {_ms(self.p99[kind])}" for kind in KINDS)
        rate = sum(self.requests.values()) / self.seconds
        cores = f"{self.app_cores:.2f} + {self.database_cores:.2f} + {self.generator_cores:.2f}"
        return (
            f"| {self.tables} | {rate:,.0f} | {100 * self.polls_kept:.0f} % | {' | '.join(times)} "
            f"| {counted(self.errors)} | {self.late} | {cores} "
            f"| {self.app_megabytes:.0f} + {self.database_megabytes:.0f} | {'yes' if self.is_kept else 'no'} |"
        )


def _ms(number: float | None) -> str:
    return "–" if number is None else f"{number:,.0f}"


async def climb(
    ladder: Sequence[int], tables: Sequence[Table], hosts: Hosts, server: Host, database: Database, seconds: float
) -> list[Step]:
    """Let tables sit down step by step, and measure each step once they play."""
    random, steps = Random(7), list[Step]()
    playing: list[asyncio.Task[None]] = []
    try:
        for number in ladder:
            playing += [asyncio.create_task(table.sit(random)) for table in tables[len(playing) : number]]
            await asyncio.sleep(seconds / 3 if steps else seconds)  # at first the workers load what they need
            steps.append(await _step(number, hosts, server, database, seconds))
            print(steps[-1].line(), flush=True)
    finally:
        for task in playing:
            task.cancel()
        await asyncio.gather(*playing, return_exceptions=True)
    return steps


async def _step(number: int, hosts: Hosts, server: Host, database: Database, seconds: float) -> Step:
    told = await asyncio.to_thread(server.metrics)
    before, began, used = _usage(server, database), time.monotonic(), time.process_time()
    of_step = hosts.measure()
    await asyncio.sleep(seconds)
    while of_step.answered("poll", "news") < MIN_ANSWERS:
        await asyncio.sleep(0.05)
    measured = hosts.end()
    took, own, after = time.monotonic() - began, time.process_time() - used, _usage(server, database)
    cores = [(late.seconds - early.seconds) / took for early, late in zip(before, after, strict=True)]
    found = slowest(told, await asyncio.to_thread(server.metrics))
    return _told(number, measured, took, [*cores, own / took], after, found)


def _usage(server: Host, database: Database) -> tuple[Usage, Usage]:
    return usage(server.process.pid), usage(database.pid)


def _told(
    number: int,
    measured: Measured,
    took: float,
    cores: Sequence[float],
    after: Sequence[Usage],
    found: dict[str, float],
) -> Step:
    polls = measured.answered("poll", "news")
    return Step(
        number,
        took,
        {kind: measured.answered(kind) for kind in KINDS},
        {kind: measured.quantile(kind, 0.5) for kind in KINDS},
        {kind: measured.quantile(kind, 0.99) for kind in KINDS},
        min(polls / measured.polls_wanted, 1.0) if measured.polls_wanted else 0.0,
        measured.late,
        measured.unanswered,
        measured.errors,
        *cores,
        *(of.megabytes for of in after),
        found,
    )


def knee(steps: Sequence[Step]) -> Step | None:
    """Give the last step before the first at which phones had to wait."""
    kept = None
    for step in steps:
        if not step.is_kept:
            break
        kept = step
    return kept


def in_bare_polls(step: Step, bare: float) -> float:
    """Return how many polls of a bare Flask app cost a processor as much as a table does, app and database, a second.

    It is about the same on any machine, which the number of tables isn't.
    """
    return (step.app_cores + step.database_cores) / step.tables / bare


def report(steps: Sequence[Step], bare: float) -> Iterator[str]:
    """Yield the report in Markdown; `bare` are the processor seconds of a bare Flask app's poll."""
    yield (
        "| tables | requests a second | polls kept | "
        + " | ".join(f"{kind}, ms" for kind in KINDS)
        + (" | errors | late | cores: app + database + generator | MB: app + database | kept |")
    )
    yield "|" + "---|" * (8 + len(KINDS))
    yield from (step.line() for step in steps)
    yield ""
    last = knee(steps)
    if last is None:
        yield "Phones had to wait at every step."
    else:
        cores = last.app_cores + last.database_cores
        each = last.tables / cores
        yield f"The knee: {last.tables} tables, on {cores:.2f} cores of app and database: {each:.0f} a core."
    yield ""
    yield f"A bare Flask app's poll takes {1000 * bare:.2f} ms of processor. A table costs a second as many of them as:"
    yield ""
    yield ", ".join(f"{in_bare_polls(step, bare):.1f} at {step.tables} tables" for step in steps)
    yield ""
    yield "What the app's own metrics say of the slowest hundredth, at most milliseconds:"
    yield ""
    routes = sorted({route for step in steps for route in step.metrics})
    yield "| tables | " + " | ".join(f"`{route}`" for route in routes) + " |"
    yield "|---|" + "---|" * len(routes)
    for step in steps:
        yield f"| {step.tables} | " + " | ".join(_ms(step.metrics.get(route)) for route in routes) + " |"


def house_of(table: int) -> str:
    """Return the address of the house in which a table stands."""
    return f"127.0.1.{table // TABLES_OF_A_HOUSE + 1}"


def ladder_report(
    ladder: Sequence[int], seconds: float, server: str, name: str, is_behind_nginx: bool, workers: int, polls: int
) -> tuple[dict[str, object], list[str]]:
    """Climb the ladder; gives what is written as JSON, and the report."""
    database, bare = new_database(server, name), seconds_of_a_poll(workers, polls)
    with host(database, workers) as running, app_of(database) as app, ExitStack() as stack:
        began = time.monotonic()
        seatings = seat(app, max(ladder))
        form = round_form(app, seatings[0])
        print(f"{len(seatings)} tables sat down in {time.monotonic() - began:.0f} s", flush=True)
        port = stack.enter_context(nginx(running.port)) if is_behind_nginx else running.port
        hosts = Hosts([port], is_https=is_behind_nginx)
        gc.freeze()

        async def play() -> list[Step]:
            tables = [Table(seating, form, hosts, house=house_of(at)) for at, seating in enumerate(seatings)]
            return await climb(ladder, tables, hosts, running, database, seconds)

        steps = asyncio.run(play())
    for sample in hosts.samples[:3]:
        print(sample[:600])
    found = knee(steps)
    each = [asdict(step) | {"in_bare_polls": in_bare_polls(step, bare)} for step in steps]
    written = {"knee": found.tables if found else 0, "bare_poll_seconds": bare, "steps": each}
    return written, list(report(steps, bare))


def main(arguments: Sequence[str]) -> None:
    """Measure, print, and write the report."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", type=int, nargs="+", default=list(LADDER), help=f"the ladder ({LADDER})")
    parser.add_argument("--seconds", type=float, default=12, help="how long each step is measured (12)")
    parser.add_argument("--two-hosts", action="store_true", help="two hosts instead, one of which is killed")
    parser.add_argument("--rounds", type=int, default=0, help="with two hosts, rounds per table before and after (0)")
    parser.add_argument("--nginx", action="store_true", help="behind an nginx with HOSTING.md's settings")
    parser.add_argument("--workers", type=int, default=WORKERS, help=f"processes of gunicorn ({WORKERS})")
    parser.add_argument("--bare-polls", type=int, default=POLLS, help=f"polls of a bare Flask app beforehand ({POLLS})")
    parser.add_argument("--folder", type=Path, help="where the database is made (a temporary folder)")
    parser.add_argument("--report", type=Path, help="a folder for load.json and load.md")
    chosen = parser.parse_args(arguments)
    about = (
        f"{date.today()}, Python {platform.python_version()}, {os.cpu_count()} cores, "
        f"load {os.getloadavg()[0]:.1f} before"
    )
    what = "Two hosts, one database" if chosen.two_hosts else "More and more tables"
    what += ", behind nginx" if chosen.nginx else ""
    print(f"# {what}\n\n{about}\n", flush=True)
    folder = Path(tempfile.mkdtemp(prefix="load-", dir=chosen.folder))
    folder.chmod(0o755)
    try:
        with postgresql(folder / "server") as server:
            if chosen.two_hosts:
                written, lines = two_hosts.run(chosen.tables[0], chosen.seconds, chosen.rounds, server, folder.name)
            else:
                of_what = chosen.nginx, chosen.workers, chosen.bare_polls
                written, lines = ladder_report(chosen.tables, chosen.seconds, server, folder.name, *of_what)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    print("\n".join(lines))
    if chosen.report:
        name = "two-hosts" if chosen.two_hosts else "load-nginx" if chosen.nginx else "load"
        chosen.report.mkdir(parents=True, exist_ok=True)
        (chosen.report / f"{name}.json").write_text(json.dumps({"about": about, **written}, indent=1))
        (chosen.report / f"{name}.md").write_text("\n".join([f"# {what}", "", about, "", *lines, ""]))


if __name__ == "__main__":
    main(sys.argv[1:])
