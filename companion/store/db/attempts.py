"""Counters for the rate limits, in the database because several processes share them."""

from __future__ import annotations

import time

from sqlalchemy import delete, select

from ..models import Attempt, db
from .database import insert_into, retry_transaction, transaction


@retry_transaction
def tried(key: str, seconds: int, times: int = 1) -> int:
    """Count attempts; returns their number in the current window. A window lasts `seconds` from its first attempt.

    One that would last longer was begun before this computer's clock was set back; a new one begins.
    """
    with transaction():
        now = int(time.time())
        is_from_later = (Attempt.key == key) & (Attempt.expires_at > now + seconds)
        db.session.execute(delete(Attempt).where((Attempt.expires_at <= now) | is_from_later))
        # one statement, because two first attempts may come at the same time
        first = insert_into(Attempt, db.engine.dialect.name).values(key=key, times=times, expires_at=now + seconds)
        counted = first.on_conflict_do_update(index_elements=[Attempt.key], set_={"times": Attempt.times + times})
        return int(db.session.execute(counted.returning(Attempt.times)).scalar_one())


def window(key: str, seconds: int) -> tuple[int, int]:
    """Return the number of attempts in the current window, and in how many seconds it ends."""
    now = int(time.time())
    within = Attempt.expires_at.between(now + 1, now + seconds)
    found = db.session.scalar(select(Attempt).where(Attempt.key == key, within))
    return (found.times, found.expires_at - now) if found else (0, 0)


def forget(key: str) -> None:
    """Reset a counter."""
    with transaction():
        db.session.execute(delete(Attempt).where(Attempt.key == key))
