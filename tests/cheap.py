"""Limits on the cost of a piece of work, counted in lines: the same on every machine, however busy."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any


@contextmanager
def takes_at_most(lines: int) -> Iterator[None]:
    """Fail if more lines of Python are run than that; what is written in C counts by the line that calls it."""
    run = 0

    def count(_frame: FrameType, event: str, _argument: Any) -> Any:
        nonlocal run
        run += event == "line"
        return count

    before = sys.gettrace()
    sys.settrace(count)
    try:
        yield
    finally:
        sys.settrace(before)
    assert run <= lines, f"{run:,} lines were run"
