"""Counting attempts by key, in fixed time windows."""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from flask import Flask
from limits import parse
from limits.strategies import FixedWindowRateLimiter

from companion.store.db import attempts
from companion.store.db.limit_storage import DatabaseStorage
from companion.store.models import Attempt, db


class Clock:
    """A controllable clock."""

    def __init__(self) -> None:
        self.now = 1_000_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(time, "time", clock)
    return clock


@pytest.fixture
def storage(app: object) -> DatabaseStorage:
    return DatabaseStorage("companion://")


def test_tries_are_counted_by_key(storage: DatabaseStorage, clock: Clock) -> None:
    assert (storage.get("one"), storage.get_expiry("one")) == (0, clock.now)
    assert [storage.incr("one", 60) for _ in range(3)] == [1, 2, 3]
    assert storage.incr("other", 30) == 1
    assert storage.incr("one", 60, amount=4) == 7
    assert (storage.get("one"), storage.get("other")) == (7, 1)
    assert (storage.get_expiry("one"), storage.get_expiry("other")) == (clock.now + 60, clock.now + 30)


def test_tries_at_the_same_time_are_all_counted(app: Flask) -> None:
    ready = Barrier(4)

    def count(key: str) -> int:
        with app.app_context():
            ready.wait()
            return attempts.tried(key, 60)

    with ThreadPoolExecutor(4) as pool:
        for key in "abc":
            assert sorted(pool.map(count, [key] * 4)) == [1, 2, 3, 4]


# seconds after the first try of a window of 60, and the count of a second one
WINDOW = [(0, 2), (59, 2), (60, 1), (61, 1), (3600, 1)]


@pytest.mark.parametrize(("after", "times"), WINDOW)
def test_a_window_ends(storage: DatabaseStorage, clock: Clock, after: int, times: int) -> None:
    storage.incr("one", 60)
    clock.now += after
    assert storage.get("one") == times - 1
    assert storage.incr("one", 60) == times
    assert storage.get_expiry("one") == clock.now + (60 if times == 1 else 60 - after)


def test_windows_that_are_over_are_deleted(storage: DatabaseStorage, clock: Clock) -> None:
    for at in range(5):
        storage.incr(f"key {at}", 60)
    clock.now += 60
    storage.incr("another", 60)
    assert [attempt.key for attempt in db.session.scalars(db.select(Attempt))] == ["another"]


FORGET: list[tuple[str, Callable[[DatabaseStorage], object], list[int]]] = [
    ("one-key", lambda storage: storage.clear("one"), [0, 1]),
    ("all", lambda storage: storage.reset(), [0, 0]),
]


@pytest.mark.parametrize(("forget", "left"), [row[1:] for row in FORGET], ids=[row[0] for row in FORGET])
def test_tries_are_forgotten(
    storage: DatabaseStorage, clock: Clock, forget: Callable[[DatabaseStorage], object], left: list[int]
) -> None:
    for key in ("one", "other"):
        storage.incr(key, 60)
    forget(storage)
    assert [storage.get(key) for key in ("one", "other")] == left


def test_the_limits_library_counts_with_it(storage: DatabaseStorage, clock: Clock) -> None:
    limiter, limit = FixedWindowRateLimiter(storage), parse("3 per minute")
    assert [limiter.hit(limit, "an address") for _ in range(5)] == [True, True, True, False, False]
    assert limiter.hit(limit, "another address")
    clock.now += 60
    assert limiter.hit(limit, "an address")
    assert storage.check()
    assert issubclass(storage.base_exceptions, Exception)


@pytest.mark.parametrize("back", [1, 90, 86_400, 366 * 86_400])
def test_a_clock_that_is_set_back_locks_nobody_out(app: object, clock: Clock, back: int) -> None:
    assert [attempts.tried("one", 60) for _ in range(3)] == [1, 2, 3]
    clock.now -= back
    times, seconds = attempts.window("one", 60)
    assert (times, seconds) == (0, 0)
    assert attempts.tried("one", 60) == 1
    assert attempts.window("one", 60) == (1, 60)
    clock.now += back  # right again
    assert attempts.window("one", 60)[0] == (1 if back < 60 else 0)


def test_a_clock_that_is_set_forward_ends_windows(app: object, clock: Clock) -> None:
    attempts.tried("one", 60)
    clock.now += 366 * 86_400
    assert attempts.tried("one", 60) == 1
    clock.now -= 366 * 86_400
    assert attempts.tried("one", 60) == 1
