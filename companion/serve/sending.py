"""Sends what webhooks are told, in a thread of each process that serves the app, and outside of every save."""

from __future__ import annotations

import json
from threading import Event, Thread

from flask import Flask, current_app

from companion.store.db.faults import fault
from companion.store.groups.deliveries import is_due, note_result, take
from companion.store.groups.webhooks import ANYWHERE
from companion.store.models import db, now
from companion.web.api.hook_messages import headers, written

from .outgoing import NotDelivered, post

_PAUSE = 1.0  # seconds between two looks at the queue


def send_next() -> bool:
    """Send the next message whose time has come, and note what became of it; returns whether there was one."""
    message = take()
    if message is None:
        return False
    body = json.dumps(written(message)).encode()
    db.session.remove()  # while a receiver takes its time, this keeps no connection
    anywhere = current_app.config["WEBHOOKS"] == ANYWHERE
    try:
        post(message.url, headers(message, body, int(now().timestamp())), body, anywhere=anywhere)
    except NotDelivered as failed:
        note_result(message, failed.why)
    else:
        note_result(message, None)
    return True


class Sender(Thread):
    """Looks for messages until it is stopped; what fails is logged, and tried again."""

    def __init__(self, app: Flask, pause: float = _PAUSE) -> None:
        super().__init__(name="webhooks", daemon=True)
        self._app, self._pause, self._stopped = app, pause, Event()

    def run(self) -> None:
        """Send what is due, one message after the other."""
        while not self._stopped.wait(self._pause):
            with self._app.app_context():
                try:
                    while not self._stopped.is_set() and is_due() and send_next():
                        pass
                except Exception as error:
                    if fault(error) is None:  # a request says it if the database is away
                        self._app.logger.exception("A webhook's message could not be sent")

    def stop(self) -> None:
        """Let the message that is being sent be the last one."""
        self._stopped.set()


def start_sending(app: Flask) -> Sender:
    """Start the thread that sends."""
    sender = Sender(app)
    sender.start()
    return sender
