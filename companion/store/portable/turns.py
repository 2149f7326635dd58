"""Lets the other threads of a process work while a long task computes.

Only one thread of a process computes at a time. A task of seconds would take half of that time from phones that save.
"""

from __future__ import annotations

from dataclasses import dataclass
from time import perf_counter, process_time, sleep, thread_time

_TURN = 0.005  # seconds of work between two rests
_LONG_REST = 4 * _TURN
_BUSY = 0.1  # the part of the time that the other threads compute, from which they are given more of it


@dataclass(slots=True)
class Turns:
    """The turns of one task, in one thread. The first begins when it gives way for the first time."""

    _began: float = 0.0
    _worked: float = 0.0
    _all_worked: float = 0.0

    def give_way(self, least: float = 0.0) -> None:
        """Rest, if this turn is over or `least` is given: for that many seconds, or longer if other threads worked."""
        worked = thread_time() - self._worked
        if worked < _TURN and not least:
            return
        by_others = process_time() - self._all_worked - worked
        is_busy = self._began and by_others > _BUSY * (perf_counter() - self._began)
        sleep(_LONG_REST if is_busy else least)
        self._began, self._worked, self._all_worked = perf_counter(), thread_time(), process_time()
