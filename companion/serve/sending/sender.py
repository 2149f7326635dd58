"""Sends what webhooks and reminded phones are told, from a thread of each process that serves the app.

That thread alone reads and writes the database, and it waits until nobody saves: Python runs one thread at a time, and
SQLite has one writer. Each message is sent by a thread of its own, so that one receiver that hangs holds up no other.
"""

from __future__ import annotations

from contextlib import suppress
from queue import Empty, SimpleQueue
from threading import Event, Thread
from time import monotonic

from flask import Flask

from companion.store.db.faults import fault
from companion.store.db.pace import changes
from companion.store.groups.webhooks import ANYWHERE
from companion.store.log.deliveries import NO_ANSWER

from .messages import Hooks, Post, Queue, Reminders
from .outgoing import NotDelivered, post

_PAUSE = 1.0  # seconds between two looks at the queues
_QUIET = 0.25  # seconds without a save: then it is likely that none begins while a message is written
_PATIENCE = 5.0  # seconds that a message waits at most while people save all the time
_AT_ONCE = 16  # messages of a queue that are on their way


class Sender(Thread):
    """Looks for messages until it is stopped; what fails is logged, and tried again."""

    def __init__(self, app: Flask, pause: float = _PAUSE, quiet: float = _QUIET, patience: float = _PATIENCE) -> None:
        super().__init__(name="webhooks", daemon=True)
        self._app, self._pause, self._quiet, self._patience = app, pause, quiet, patience
        self._stopped = Event()
        self._queues: tuple[Queue, ...] = (Hooks(), Reminders())
        self._arrived: SimpleQueue[tuple[Queue, Post, str | None]] = SimpleQueue()

    def run(self) -> None:
        """Send what is due."""
        while not self._stopped.wait(self._pause):
            try:
                self.send_all()
            except Exception as error:
                if fault(error) is None:  # a request says it if the database is away
                    self._app.logger.exception("A message could not be sent")

    def stop(self) -> None:
        """Send no other message."""
        self._stopped.set()

    def send_all(self) -> None:
        """Send until nothing is due and nothing on its way."""
        while not self._stopped.is_set():
            with self._app.app_context():
                for queue in self._queues:
                    self._empty(queue)
            if not any(queue.on_their_way for queue in self._queues):
                return
            self._await_result()

    def _empty(self, queue: Queue) -> None:
        if queue.results or queue.is_due():
            self._give_way()
        queue.note_results()
        while len(queue.on_their_way) < _AT_ONCE and queue.is_due() and (message := queue.next()) is not None:
            queue.on_their_way.add(message.receiver)
            Thread(target=self._post, args=(queue, message), name="message", daemon=True).start()
            self._give_way()

    def _give_way(self) -> None:
        """Wait until nobody saves, but not for ever."""
        latest = monotonic() + self._patience
        while (rest := min(self._quiet - changes.seconds_ago(), latest - monotonic())) > 0:
            self._stopped.wait(rest)

    def _post(self, queue: Queue, message: Post) -> None:
        failure: str | None = NO_ANSWER
        try:
            post(message.url, message.headers, message.body, anywhere=self._app.config["WEBHOOKS"] == ANYWHERE)
            failure = None
        except NotDelivered as failed:
            failure = failed.why
        finally:
            self._arrived.put((queue, message, failure))

    def _await_result(self) -> None:
        """Wait a moment for a message to arrive or to fail; there may be several."""
        with suppress(Empty):
            queue, message, failure = self._arrived.get(timeout=self._pause)
            while True:
                queue.results.append((message, failure))
                queue.on_their_way.discard(message.receiver)
                queue, message, failure = self._arrived.get_nowait()


def start_sending(app: Flask) -> Sender:
    """Start the thread that sends."""
    sender = Sender(app)
    sender.start()
    return sender
