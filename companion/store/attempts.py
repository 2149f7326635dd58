"""Counters for the rate limits, in the database because several processes share them."""

from __future__ import annotations

import time

from limits.storage import Storage
from sqlalchemy import delete, select
from sqlalchemy.exc import SQLAlchemyError

from .database import retry_transaction, transaction
from .models import Attempt, db


@retry_transaction
def tried(key: str, seconds: int, times: int = 1) -> int:
    """Count attempts; returns how many there have been in the current window of this many seconds."""
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


class DatabaseStorage(Storage):
    """Fixed-window counters, as the `limits` library expects them."""

    STORAGE_SCHEME = ["companion"]  # noqa: RUF012 - declared that way in the base class

    @property
    def base_exceptions(self) -> type[Exception]:
        return SQLAlchemyError

    def incr(self, key: str, expiry: int, amount: int = 1) -> int:
        return tried(key, expiry, amount)

    def get(self, key: str) -> int:
        attempt = self._found(key)
        return attempt.times if attempt else 0

    def get_expiry(self, key: str) -> float:
        attempt = self._found(key)
        return float(attempt.expires_at) if attempt else time.time()

    def check(self) -> bool:
        return True  # every page queries the database anyway

    def reset(self) -> int | None:
        with transaction():
            db.session.execute(delete(Attempt))
        return None

    def clear(self, key: str) -> None:
        forget(key)

    def _found(self, key: str) -> Attempt | None:
        query = select(Attempt).where(Attempt.key == key, Attempt.expires_at > int(time.time()))
        return db.session.scalar(query)
