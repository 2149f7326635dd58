"""Counters for the rate limits, in the database because several processes share them."""

from __future__ import annotations

import time

from sqlalchemy import delete, select

from .database import retry_transaction, transaction
from .models import Attempt, db


@retry_transaction
def tried(key: str, seconds: int) -> int:
    """Count an attempt; returns their number in the current window. A window lasts `seconds` from its first attempt."""
    with transaction():
        now = int(time.time())
        db.session.execute(delete(Attempt).where(Attempt.expires_at <= now))
        query = select(Attempt).where(Attempt.key == key).with_for_update()
        attempt = db.session.scalar(query.execution_options(populate_existing=True))
        if attempt is None:
            attempt = Attempt(key=key, times=0, expires_at=now + seconds)
            db.session.add(attempt)
        attempt.times += 1
        return attempt.times


def window(key: str) -> tuple[int, int]:
    """Return how many attempts the current window has, and in how many seconds it ends; (0, 0) if there is none."""
    now = int(time.time())
    attempt = db.session.scalar(select(Attempt).where(Attempt.key == key, Attempt.expires_at > now))
    return (attempt.times, attempt.expires_at - now) if attempt else (0, 0)


def forget(key: str) -> None:
    """Reset a counter."""
    with transaction():
        db.session.execute(delete(Attempt).where(Attempt.key == key))
