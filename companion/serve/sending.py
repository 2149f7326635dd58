"""Sends what webhooks are told, from a thread of each process that serves the app, and outside of every save.

That thread alone reads and writes the database, and it waits until nobody saves: Python runs one thread at a time, and
SQLite has one writer. Each message is sent by a thread of its own, so that one receiver that hangs holds up no other.
"""

from __future__ import annotations

import json
from contextlib import suppress
from queue import Empty, SimpleQueue
from threading import Event, Thread
from time import monotonic

from flask import Flask

from companion.store.db.faults import fault
from companion.store.db.pace import changes
from companion.store.groups.deliveries import NO_ANSWER, Outgoing, is_due, note_results, take
from companion.store.groups.webhooks import ANYWHERE
from companion.store.models import db, now
from companion.web.api.hook_messages import headers, written

from .outgoing import NotDelivered, post

_PAUSE = 1.0  # seconds between two looks at the queue
_QUIET = 0.25  # seconds without a save: then it is likely that none begins while a message is written
_PATIENCE = 5.0  # seconds that a message waits at most while people save all the time
_AT_ONCE = 16  # messages that are on their way, at most one of a group

Result = tuple[Outgoing, str | None]


class Sender(Thread):
    """Looks for messages until it is stopped; what fails is logged, and tried again."""

    def __init__(self, app: Flask, pause: float = _PAUSE, quiet: float = _QUIET, patience: float = _PATIENCE) -> None:
        super().__init__(name="webhooks", daemon=True)
        self._app, self._pause, self._quiet, self._patience = app, pause, quiet, patience
        self._stopped = Event()
        self._on_their_way: set[int] = set()  # the ids of their groups
        self._arrived: SimpleQueue[Result] = SimpleQueue()
        self._results: list[Result] = []  # those that aren't noted yet

    def run(self) -> None:
        """Send what is due."""
        while not self._stopped.wait(self._pause):
            try:
                self.send_all()
            except Exception as error:
                if fault(error) is None:  # a request says it if the database is away
                    self._app.logger.exception("A webhook's message could not be sent")

    def stop(self) -> None:
        """Send no other message."""
        self._stopped.set()

    def send_all(self) -> None:
        """Send until nothing is due and nothing on its way."""
        while not self._stopped.is_set():
            with self._app.app_context():
                if self._results or is_due():
                    self._give_way()
                if self._results:
                    note_results(self._results)
                    self._results.clear()
                while self._start_next():
                    self._give_way()
            if not self._on_their_way:
                return
            self._await_result()

    def _give_way(self) -> None:
        """Wait until nobody saves, but not for ever."""
        latest = monotonic() + self._patience
        while (rest := min(self._quiet - changes.seconds_ago(), latest - monotonic())) > 0:
            self._stopped.wait(rest)

    def _start_next(self) -> bool:
        """Start to send the next message that is due; returns whether there was one."""
        if len(self._on_their_way) >= _AT_ONCE or not is_due():
            return False
        message = take(self._on_their_way)
        if message is None:
            return False
        body = json.dumps(written(message)).encode()
        db.session.remove()  # the next message is written of what there is then
        self._on_their_way.add(message.group_id)
        Thread(target=self._post, args=(message, body), name="webhook", daemon=True).start()
        return True

    def _post(self, message: Outgoing, body: bytes) -> None:
        failure: str | None = NO_ANSWER
        try:
            with self._app.app_context():
                signed, anywhere = (
                    headers(message, body, int(now().timestamp())),
                    self._app.config["WEBHOOKS"] == ANYWHERE,
                )
            post(message.url, signed, body, anywhere=anywhere)
            failure = None
        except NotDelivered as failed:
            failure = failed.why
        finally:
            self._arrived.put((message, failure))

    def _await_result(self) -> None:
        """Wait a moment for a message to arrive or to fail; there may be several."""
        with suppress(Empty):
            self._results.append(self._arrived.get(timeout=self._pause))
            while True:
                self._results.append(self._arrived.get_nowait())
        self._on_their_way.difference_update(message.group_id for message, _ in self._results)


def start_sending(app: Flask) -> Sender:
    """Start the thread that sends."""
    sender = Sender(app)
    sender.start()
    return sender
