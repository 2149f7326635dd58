"""Counting attempts by key, in fixed time windows."""

from __future__ import annotations

import time

import pytest

from companion.store.attempts import forget, tried, window
from companion.store.models import Attempt, db

pytestmark = pytest.mark.usefixtures("app")


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


def test_tries_are_counted_by_key(clock: Clock) -> None:
    assert window("one") == (0, 0)
    assert [tried("one", 60) for _ in range(3)] == [1, 2, 3]
    assert tried("other", 30) == 1
    assert (window("one"), window("other")) == ((3, 60), (1, 30))


# seconds after the first try of a window of 60, and the count of a second one
WINDOW = [(0, 2), (59, 2), (60, 1), (61, 1), (3600, 1)]


@pytest.mark.parametrize(("after", "times"), WINDOW)
def test_a_window_ends(clock: Clock, after: int, times: int) -> None:
    tried("one", 60)
    clock.now += after
    assert window("one") == ((1, 60 - after) if times == 2 else (0, 0))
    assert tried("one", 60) == times
    assert window("one") == (times, 60 if times == 1 else 60 - after)


def test_windows_that_are_over_are_deleted(clock: Clock) -> None:
    for at in range(5):
        tried(f"key {at}", 60)
    clock.now += 60
    tried("another", 60)
    assert [attempt.key for attempt in db.session.scalars(db.select(Attempt))] == ["another"]


def test_tries_are_forgotten(clock: Clock) -> None:
    for key in ("one", "other"):
        tried(key, 60)
    forget("one")
    assert (window("one"), window("other")) == ((0, 0), (1, 60))
