"""Fair comparisons of two contenders at the same work, and time limits for our own work.

Machines differ and are busy, so only ratios count. In each repetition the contenders of all races run one after another
in random order, and ratios are taken within a repetition. Times are processor times.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from random import Random
from statistics import median
from time import process_time
from typing import Any, Generic, TypeVar

T = TypeVar("T")


@contextmanager
def no_collection() -> Iterator[None]:
    """Keep garbage collection, which takes 50 ms in this process, out of the measurements."""
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


@dataclass(frozen=True)
class Contender(Generic[T]):
    """A function and its inputs; without a function, the peer isn't installed."""

    name: str
    call: Callable[[T], object] | None
    inputs: Sequence[T]

    def rate(self) -> float:
        """Return the calls per second of one pass over the inputs."""
        call = self.call
        assert call is not None
        with no_collection():
            start = process_time()
            for item in self.inputs:
                call(item)
            seconds = process_time() - start
        return len(self.inputs) / seconds


@dataclass(frozen=True)
class Race:
    """Our code against a peer. `at_least` is the ratio to reach; None if the comparison is only for information."""

    what: str
    ours: Contender[Any]
    peer: Contender[Any]
    at_least: float | None = None


@dataclass(frozen=True)
class Limit:
    """Work of ours with a time limit in seconds; `seconds` runs it and returns how long it took."""

    what: str
    seconds: Callable[[], float]
    at_most: float


def installed(module: str) -> Any:
    """Import a peer; None if it isn't installed."""
    try:
        return import_module(module)
    except ModuleNotFoundError:
        return None


def timed(work: Callable[[], object]) -> float:
    """Return the processor time that some work takes, in seconds."""
    start = process_time()
    work()
    return process_time() - start


def compare(races: Sequence[Race], repetitions: int) -> Iterator[str]:
    """Run the races and yield the lines of a Markdown table."""
    random = Random(repetitions)
    runs = [race for race in races if race.peer.call]
    for race in runs:  # to warm up
        race.ours.rate(), race.peer.rate()
    rates: dict[int, list[tuple[float, float]]] = {id(race): [] for race in runs}
    for _ in range(repetitions):
        for race in random.sample(runs, len(runs)):
            ours_first = random.random() < 0.5
            first, second = (race.ours, race.peer) if ours_first else (race.peer, race.ours)
            measured = first.rate(), second.rate()
            rates[id(race)].append(measured if ours_first else measured[::-1])
    yield "| what | ours a second | peer | a second | ratio (lowest to highest) | to reach |"
    yield "|---|---|---|---|---|---|"
    for race in races:
        yield _line(race, rates.get(id(race)))


def _line(race: Race, rates: Sequence[tuple[float, float]] | None) -> str:
    to_reach = "" if race.at_least is None else f"{race.at_least:g}"
    if rates is None:
        return f"| {race.what} | | {race.peer.name} | not installed | | {to_reach} |"
    ours, theirs = (median(side) for side in zip(*rates, strict=True))
    ratios = [one / other for one, other in rates]
    missed = " (missed)" if race.at_least is not None and median(ratios) < race.at_least else ""
    ratio = f"{median(ratios):.2f} ({min(ratios):.2f} to {max(ratios):.2f}){missed}"
    return f"| {race.what} | {ours:,.0f} | {race.peer.name} | {theirs:,.0f} | {ratio} | {to_reach} |"


def keep(limits: Sequence[Limit], repetitions: int) -> Iterator[str]:
    """Run the work that has limits, and yield the lines of a Markdown table; times in milliseconds."""
    yield "| what | milliseconds (lowest to highest) | at most |"
    yield "|---|---|---|"
    for limit in limits:
        took = [limit.seconds() for _ in range(repetitions)]
        missed = " (missed)" if median(took) > limit.at_most else ""
        middle, least, most = (f"{1000 * seconds:,.3f}" for seconds in (median(took), min(took), max(took)))
        yield f"| {limit.what} | {middle} ({least} to {most}){missed} | {limit.at_most * 1000:g} |"
