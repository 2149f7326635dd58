"""Benchmarks the app against other libraries and apps in one run, and prints Markdown tables.

Run it as `.venv/bin/python tests/benchmark.py`. The peers come with the extra `benchmarks`, except ihatemoney, for
which `--install` creates a separate environment. Peers that aren't installed are listed as such. Nothing passes or
fails here: times vary from machine to machine and from minute to minute.
"""

from __future__ import annotations

import argparse
import os
import platform
import sys
from collections.abc import Iterator, Sequence
from datetime import date
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks import deadwood, peers, settling, strengths, web
from benchmarks.race import compare, keep


def tables(number: int, repetitions: int, all_hands: bool) -> Iterator[str]:
    """Yield the lines of all tables, each measured over a number of inputs."""
    fewer = max(number // 20, 1)
    yield f"{date.today()}, Python {platform.python_version()}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}"
    yield ""
    yield from compare([*strengths.races(number), *deadwood.races(number), *settling.races(fewer)], repetitions)
    yield ""
    yield from keep([*strengths.limits(None if all_hands else number), *settling.limits(number)], min(repetitions, 3))
    yield ""
    with TemporaryDirectory() as folder:
        yield from web.tables(fewer, repetitions, (100, 10_000) if all_hands else (2, 12), Path(folder))


def main(arguments: Sequence[str]) -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--inputs", type=int, default=1000, help="hands and nights of each race (1000)")
    parser.add_argument("--repetitions", type=int, default=15, help="runs of each race (15)")
    parser.add_argument("--install", action="store_true", help="make ihatemoney its environment, if it has none")
    parser.add_argument("--quick", action="store_true", help="not all hands there are, no long history")
    chosen = parser.parse_args(arguments)
    if chosen.install:
        peers.install()
    for line in tables(chosen.inputs, chosen.repetitions, not chosen.quick):
        print(line, flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
