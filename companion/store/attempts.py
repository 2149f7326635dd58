"""Counters for the rate limits, in the database because several processes share them."""

from __future__ import annotations

import time

from sqlalchemy import delete, select

from .database import retry_transaction, transaction
from .models import Attempt, db


@retry_transaction
def tried(key: str, seconds: int, times: int = 1) -> int:
    """Count attempts; returns their number in the current window. A window lasts `seconds` from its first attempt."""
    with transaction():
        now = int(time.time())
        db.session.execute(delete(Attempt).where(Attempt.expires_at <= now))
        query = select(Attempt).where(Attempt.key == key).with_for_update()
        attempt = db.session.scalar(query.execution_options(populate_existing=True))
        if attempt is None:
            attempt = Attempt(key=key, times=0, expires_at=now + seconds)
            db.session.add(attempt)
        attempt.times += times
        return attempt.times


def forget(key: str) -> None:
    """Reset a counter."""
    with transaction():
        db.session.execute(delete(Attempt).where(Attempt.key == key))
