"""A long task rests between its turns, and longer while the other threads have much to do."""

from __future__ import annotations

import pytest

from companion.store.portable import turns
from companion.store.portable.turns import Turns


@pytest.mark.parametrize(
    ("worked", "by_others", "least", "rest"),
    [
        (0.004, 0.004, 0.0, None),
        (0.006, 0.0, 0.0, 0.0),
        (0.006, 0.0005, 0.0, 0.0),
        (0.006, 0.002, 0.0, 0.02),
        (0.001, 0.0, 0.005, 0.005),
        (0.006, 0.002, 0.005, 0.02),
    ],
    ids=["not over", "alone", "hardly anybody", "others work", "at least", "at least, and others work"],
)
def test_a_rest_is_as_long_as_others_need(
    monkeypatch: pytest.MonkeyPatch, worked: float, by_others: float, least: float, rest: float | None
) -> None:
    clocks = {"perf_counter": 100.0, "thread_time": 1.0, "process_time": 3.0}
    for name in clocks:
        monkeypatch.setattr(turns, name, lambda name=name: clocks[name])
    rests: list[float] = []
    monkeypatch.setattr(turns, "sleep", rests.append)
    task = Turns()
    task.give_way()
    assert rests == [0.0], "what was before the task is no reason to rest"
    clocks["perf_counter"] += worked + by_others
    clocks["thread_time"] += worked
    clocks["process_time"] += worked + by_others
    task.give_way(least)
    assert rests[1:] == ([] if rest is None else [rest])
