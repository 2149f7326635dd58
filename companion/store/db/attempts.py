"""Counters for the rate limits, in the database because several processes share them.

The window of a counter begins with its first attempt. One that would end too late was begun before this computer's
clock was set back; it counts as over.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from sqlalchemy import ColumnElement, delete, or_, select, update

from ..models import Attempt
from .database import dialect_name, execute, insert_into, retry_transaction, transaction


class Counter(NamedTuple):
    """A counter by its key: a window of so many seconds has room for `most` attempts."""

    key: str
    seconds: int
    most: int


@retry_transaction
def take(counters: Sequence[Counter], weight: int = 1) -> int:
    """Count an attempt with all these counters, or with none if one is full, however many come at the same time.

    It counts as much as `weight` attempts. Returns 0 if it was counted, otherwise in how many seconds all of them have
    room again.
    """
    with transaction(concerns_phones=False):
        now = int(time.time())
        too_late = ((Attempt.key == key) & (Attempt.expires_at > now + seconds) for key, seconds, _ in counters)
        execute(delete(Attempt).where(or_(Attempt.expires_at <= now, *too_late)))
        new = [{"key": key, "times": 0, "expires_at": now + seconds} for key, seconds, _ in counters]
        execute(insert_into(Attempt, dialect_name()).values(new).on_conflict_do_nothing())
        # here, whoever comes at the same time waits for the end of this transaction
        execute(update(Attempt).where(_is_of(counters)).values(times=Attempt.times + weight))
        seconds = max((left for times, most, left in _windows(counters) if times > most), default=0)
        if seconds:
            _take_back(counters, weight)
    return seconds


def wait(counters: Sequence[Counter], weight: int = 1) -> int:
    """Return in how many seconds all these counters have room; 0 if they do now."""
    return max((left for times, most, left in _windows(counters) if times + weight > most), default=0)


@retry_transaction
def give_back(counters: Sequence[Counter]) -> None:
    """Take back an attempt that was counted, because it turned out not to be one."""
    with transaction(concerns_phones=False):
        _take_back(counters, 1)


def _take_back(counters: Sequence[Counter], weight: int) -> None:
    execute(update(Attempt).where(_is_of(counters), Attempt.times >= weight).values(times=Attempt.times - weight))


@retry_transaction
def forget(counters: Sequence[Counter]) -> None:
    """Begin anew."""
    with transaction(concerns_phones=False):
        execute(delete(Attempt).where(_is_of(counters)))


def _is_of(counters: Sequence[Counter]) -> ColumnElement[bool]:
    return Attempt.key.in_([counter.key for counter in counters])


def _windows(counters: Sequence[Counter]) -> Iterator[tuple[int, int, int]]:
    """Yield for each current window the attempts, how many it has room for, and in how many seconds it ends."""
    now, of = int(time.time()), {counter.key: counter for counter in counters}
    for key, times, ends in execute(select(Attempt.key, Attempt.times, Attempt.expires_at).where(_is_of(counters))):
        if 0 < ends - now <= of[key].seconds:
            yield times, of[key].most, ends - now
