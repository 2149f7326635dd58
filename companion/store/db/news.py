"""Remembers what phones have just read, so that a poll with nothing new needs no database.

A process remembers one mark for each night, for some seconds. It forgets a night with each transaction that locked it,
and all nights with any other. PostgreSQL tells it of the changes of other processes (LISTEN and NOTIFY); while that
fails, it remembers nothing. With SQLite one process serves.

It also keeps which nights this process has changed, until they are taken to see whether somebody must be reminded.
"""

from __future__ import annotations

import logging
import secrets
from collections.abc import Collection, Iterator
from contextlib import closing, contextmanager, suppress
from hmac import compare_digest
from threading import Lock, Thread
from time import monotonic
from typing import Any

from flask import Flask, current_app
from sqlalchemy import Engine, func, select
from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from ..models import db
from .alone import connect_alone

KEPT_SECONDS = 3.0  # then it is read again: a command of the administrator may have changed the database
_MAX_NIGHTS = 10_000
_CHANNEL = "companion_news"
_HEARTBEAT = 5.0  # seconds between two looks at whether the connection is alive
_IDLE_SECONDS = 60.0  # without polls, the connection that listens is given back
_LOCKED = "companion.locked_nights"
_EXTENSION = "companion.unchanged"
_log = logging.getLogger(__name__)


class Unchanged:
    """The mark of each night that was read last, while nothing has changed since."""

    def __init__(self, engine: Engine) -> None:
        self._engine, self._own = engine, secrets.token_hex(8)
        self._lock, self._listener = Lock(), Thread()
        self._marks: dict[str, tuple[str, float]] = {}
        self._times_forgotten = 0
        self._changed: set[str] = set()
        self._is_told = engine.dialect.name != "postgresql"  # whether it learns of every change
        self._wanted_until = 0.0

    def begin(self) -> int:
        """Return what `remember` needs; call it before reading."""
        self._wanted_until = monotonic() + _IDLE_SECONDS
        if not self._is_told:
            self._listen()
        return self._times_forgotten

    def remember(self, night: str, mark: str, begun: int) -> None:
        """Remember the mark of a night, unless anything has changed since `begin`."""
        with self._lock:
            if begun == self._times_forgotten and self._is_told:
                if len(self._marks) >= _MAX_NIGHTS:
                    self._marks.clear()
                self._marks[night] = mark, monotonic() + KEPT_SECONDS

    def is_current(self, night: str, mark: str) -> bool:
        """Return whether a night's mark is known to be the current one."""
        known, until = self._marks.get(night, ("", 0.0))
        return monotonic() < until and compare_digest(known.encode(), mark.encode())

    def forget(self, nights: Collection[str]) -> None:
        """Forget these nights; without any, all."""
        with self._lock:
            self._forget(nights)

    def _forget(self, nights: Collection[str]) -> None:
        self._times_forgotten += 1
        if not nights:
            self._marks.clear()
        for night in nights:
            self._marks.pop(night, None)

    def change(self, nights: Collection[str]) -> None:
        """Forget these nights, or all, here and in all other processes; a transaction has changed them."""
        self.forget(nights)
        with self._lock:
            if len(self._changed) < _MAX_NIGHTS:  # where nothing is sent, nobody takes them
                self._changed.update(nights)
        if self._engine.dialect.name != "postgresql":
            return
        # after the change and by itself: within it, PostgreSQL would commit the changes of all nights one by one
        notify = select(func.pg_notify(_CHANNEL, " ".join([self._own, *nights])))
        with suppress(DBAPIError), connect_alone(self._engine) as connection:
            connection.execute(notify)  # if it fails, the others forget after `KEPT_SECONDS`

    def take_changed(self) -> set[str]:
        """Return the nights that this process has changed since the last time, by their public ids."""
        with self._lock:
            taken, self._changed = self._changed, set()
        return taken

    def _listen(self) -> None:
        with self._lock:
            if not self._listener.is_alive():  # a process that gunicorn forks has no thread of the one before
                self._listener = Thread(target=self._hear, name="news", daemon=True)
                self._listener.start()

    def _hear(self) -> None:
        """Forget what other processes change, until nobody polls any more or the connection fails."""
        failures = (SQLAlchemyError, self._engine.dialect.loaded_dbapi.Error)
        try:
            pooled = self._engine.raw_connection()
            driver: Any = pooled.driver_connection
            pooled.detach()  # it would be missing in the pool
            with closing(driver):
                driver.autocommit = True
                driver.execute(f"LISTEN {_CHANNEL}")
                self._set_told(True)
                while monotonic() < self._wanted_until:
                    for notification in driver.notifies(timeout=_HEARTBEAT):
                        sender, *nights = notification.payload.split()
                        if sender != self._own:
                            self.forget(nights)
                    driver.execute("SELECT 1")
        except failures as error:
            _log.info("Polls read the database until it tells of changes again: %s", type(error).__name__)
        finally:
            self._set_told(False)

    def _set_told(self, is_told: bool) -> None:
        with self._lock:  # at once: what is remembered in between would be forgotten again
            self._is_told = is_told
            self._forget([])


def init_app(app: Flask) -> None:
    """Begin with nothing remembered."""
    app.extensions[_EXTENSION] = Unchanged(db.engine)


def unchanged() -> Unchanged:
    """Return what this app remembers."""
    remembered: Unchanged = current_app.extensions[_EXTENSION]
    return remembered


def note_locked(night: str) -> None:
    """Within a transaction, note by its public id that it changes this night, and none that isn't noted."""
    db.session().info.setdefault(_LOCKED, set()).add(night)


@contextmanager
def told_of_changes(*, concerns_phones: bool) -> Iterator[None]:
    """Forget what the transaction in this block has changed, here and in all other processes."""
    info = db.session().info
    info.pop(_LOCKED, None)
    try:
        yield
    finally:
        # also after an error: that of a commit doesn't tell whether it was committed
        nights = info.pop(_LOCKED, ())
        if concerns_phones:
            unchanged().change(nights)
