"""Waiting for what a test expects. No test waits for a fixed time or judges by a clock: a busy machine takes long."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from typing import Any, TypeVar

_PAUSE_SECONDS = 0.02
_MAX_SECONDS = 300  # less than pytest's own limit, so that what was waited for is shown

Found = TypeVar("Found")


def until(condition: Callable[[], Found], pause: Callable[[], Any] = partial(time.sleep, _PAUSE_SECONDS)) -> Found:
    """Return what a condition returns as soon as that is true; fails if it isn't within minutes."""
    latest = time.monotonic() + _MAX_SECONDS
    while not (found := condition()):
        assert time.monotonic() < latest, f"not so within {_MAX_SECONDS} seconds"
        pause()
    return found
