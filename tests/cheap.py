"""Limits on the cost of a piece of work that hold on slower machines too."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from time import process_time

_USUAL = 0.008  # seconds that `_pace` takes on the machine on which the limits were set


def _pace() -> float:
    """Return the processor's time, in seconds, for a fixed piece of work."""
    start = process_time()
    sum(number * number for number in range(100_000))
    return process_time() - start


@contextmanager
def takes_at_most(seconds: float) -> Iterator[None]:
    """Fail if the body takes more of the processor's time; on a slower machine it may take as much longer."""
    pace = _pace()
    start = process_time()
    yield
    taken = process_time() - start
    slowness = max(pace, _pace(), _USUAL) / _USUAL
    assert taken < seconds * slowness, f"took {taken:.3f} s on a machine {slowness:.1f} times slower than usual"
