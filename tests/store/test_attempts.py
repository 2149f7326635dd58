"""Counting attempts by key, in fixed time windows: no more get through than there is room for."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

import pytest
from flask import Flask

from companion.store.db import attempts
from companion.store.db.attempts import Counter
from companion.store.models import Attempt, db

CHECKOUT = Path(__file__).resolve().parents[2]
THREE = Counter("one", 60, 3)
ONE_OF_MANY = [THREE, Counter("everybody", 3600, 8)]


class Clock:
    """A controllable clock."""

    def __init__(self) -> None:
        self.now = 1_000_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock(app: object, monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(time, "time", clock)
    return clock


def counted() -> dict[str, int]:
    db.session.rollback()
    return {attempt.key: attempt.times for attempt in db.session.scalars(db.select(Attempt))}


def test_a_full_counter_refuses_and_counts_nothing_more(clock: Clock) -> None:
    assert [attempts.take([THREE]) for _ in range(5)] == [0, 0, 0, 60, 60]
    assert counted() == {"one": 3}
    assert attempts.take([Counter("other", 30, 1)]) == 0
    clock.now += 20
    assert attempts.take([THREE]) == attempts.wait([THREE]) == 40


def test_several_counters_count_together_or_not_at_all(clock: Clock) -> None:
    first, everybody = ONE_OF_MANY
    assert [attempts.take(ONE_OF_MANY) for _ in range(4)] == [0, 0, 0, 60]
    assert counted() == {"one": 3, "everybody": 3}
    assert [attempts.take([everybody]) for _ in range(6)] == [0] * 5 + [3600]
    # the wait is that of the longer window, if both are full
    assert (attempts.take(ONE_OF_MANY), attempts.wait(ONE_OF_MANY), attempts.wait([first])) == (3600, 3600, 60)


def many_at_once(app: Flask) -> list[int]:
    """Take in threads that start together, each with its own context."""
    ready = Barrier(8)

    def take(_at: int) -> int:
        with app.app_context():
            ready.wait()
            return attempts.take(ONE_OF_MANY)

    with ThreadPoolExecutor(8) as pool:
        return list(pool.map(take, range(8)))


def test_of_many_at_the_same_time_no_more_get_through(app: Flask) -> None:
    for _ in range(3):
        db.session.rollback()
        assert many_at_once(app).count(0) == 3
        assert counted() == {"one": 3, "everybody": 3}
        attempts.forget(ONE_OF_MANY)


TAKES = """
import sys
from companion import create_app
from companion.store.db import attempts
create_app({"INSTANCE": sys.argv[1], "SQLALCHEMY_DATABASE_URI": sys.argv[2]}).app_context().push()
counters = [attempts.Counter("one", 3600, 20), attempts.Counter("everybody", 3600, 30)]
print("ready", flush=True)
sys.stdin.readline()
print([attempts.take(counters) for _ in range(15)].count(0))
"""


@pytest.mark.thorough
def test_of_several_processes_no_more_get_through(app: Flask) -> None:
    command = [sys.executable, "-c", TAKES, str(app.config["INSTANCE"]), str(app.config["SQLALCHEMY_DATABASE_URI"])]
    pipe = subprocess.PIPE
    others = [subprocess.Popen(command, cwd=CHECKOUT, stdin=pipe, stdout=pipe, text=True) for _ in range(3)]
    assert [str(other.stdout and other.stdout.readline()) for other in others] == ["ready\n"] * 3
    for other in others:
        assert other.stdin is not None
        other.stdin.write("\n")
        other.stdin.flush()
    assert sum(int(other.communicate()[0]) for other in others) == 20
    assert counted() == {"one": 20, "everybody": 20}


# seconds after the first try of a window of 60, and whether a second one is in the same window
WINDOW = [(0, True), (59, True), (60, False), (61, False), (3600, False)]


@pytest.mark.parametrize(("after", "is_within"), WINDOW)
def test_a_window_ends(clock: Clock, after: int, is_within: bool) -> None:
    one = [Counter("one", 60, 1)]
    assert attempts.take(one) == 0
    clock.now += after
    assert attempts.wait(one) == attempts.take(one) == (60 - after if is_within else 0)


def test_windows_that_are_over_are_deleted(clock: Clock) -> None:
    for at in range(5):
        attempts.take([Counter(f"key {at}", 60, 3)])
    clock.now += 60
    attempts.take([Counter("another", 60, 3)])
    assert counted() == {"another": 1}


TAKEN_BACK: list[tuple[str, Callable[[list[Counter]], object], dict[str, int]]] = [
    ("one", attempts.give_back, {"one": 2, "everybody": 2}),
    ("more than there were", lambda of: [attempts.give_back(of) for _ in range(5)], {"one": 0, "everybody": 0}),
    ("all", attempts.forget, {}),
]


@pytest.mark.parametrize(("take_back", "left"), [row[1:] for row in TAKEN_BACK], ids=[row[0] for row in TAKEN_BACK])
def test_attempts_are_taken_back(
    clock: Clock, take_back: Callable[[list[Counter]], object], left: dict[str, int]
) -> None:
    for _ in range(3):
        attempts.take(ONE_OF_MANY)
    attempts.take([Counter("other", 60, 3)])
    take_back(ONE_OF_MANY)
    assert counted() == left | {"other": 1}


@pytest.mark.parametrize("back", [1, 90, 86_400, 366 * 86_400])
def test_a_clock_that_is_set_back_locks_nobody_out(clock: Clock, back: int) -> None:
    assert [attempts.take([THREE]) for _ in range(4)] == [0, 0, 0, 60]
    clock.now -= back
    assert attempts.wait([THREE]) == 0
    assert [attempts.take([THREE]) for _ in range(4)] == [0, 0, 0, 60]
    clock.now += back  # right again
    assert attempts.wait([THREE]) == (60 - back if back < 60 else 0)


def test_a_clock_that_is_set_forward_ends_windows(clock: Clock) -> None:
    for ahead in (0, 366 * 86_400, -366 * 86_400):
        clock.now += ahead
        assert [attempts.take([THREE]) for _ in range(4)] == [0, 0, 0, 60]
