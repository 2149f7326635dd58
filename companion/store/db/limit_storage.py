"""The counters as the `limits` library expects them. A separate module, because importing the library takes long."""

from __future__ import annotations

import time

from limits.storage import Storage
from sqlalchemy import delete, select
from sqlalchemy.exc import SQLAlchemyError

from ..models import Attempt, db
from .attempts import forget, tried
from .database import transaction


class DatabaseStorage(Storage):
    """Fixed-window counters in the database."""

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
