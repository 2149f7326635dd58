"""Counters for the rate limits, in the database because several processes share them."""

from __future__ import annotations

import time

from sqlalchemy import delete

from .database import insert_into, retry_transaction, transaction
from .models import Attempt, db


@retry_transaction
def tried(key: str, seconds: int, times: int = 1) -> int:
    """Count attempts; returns their number in the current window. A window lasts `seconds` from its first attempt."""
    with transaction():
        now = int(time.time())
        db.session.execute(delete(Attempt).where(Attempt.expires_at <= now))
        # one statement, because two first attempts may come at the same time
        first = insert_into(Attempt, db.engine.dialect.name).values(key=key, times=times, expires_at=now + seconds)
        counted = first.on_conflict_do_update(index_elements=[Attempt.key], set_={"times": Attempt.times + times})
        return int(db.session.execute(counted.returning(Attempt.times)).scalar_one())


def forget(key: str) -> None:
    """Reset a counter."""
    with transaction():
        db.session.execute(delete(Attempt).where(Attempt.key == key))
