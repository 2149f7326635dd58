"""Waiting for what a test expects. No test waits for a fixed time or judges by a clock: a busy machine takes long."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, TypeVar

MAX_SECONDS = 300  # for whatever must come: less than pytest's own limit, so that what was waited for is shown

Found = TypeVar("Found")


def _pause() -> None:
    time.sleep(0.02)


def until(condition: Callable[[], Found], pause: Callable[[], Any] = _pause) -> Found:
    """Return what a condition returns as soon as that is true; fails if it isn't within minutes."""
    latest = time.monotonic() + MAX_SECONDS
    while not (found := condition()):
        assert time.monotonic() < latest, f"not so within {MAX_SECONDS} seconds"
        pause()
    return found
