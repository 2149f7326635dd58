"""What the sender takes from its two queues, those of webhooks and of reminded phones, as requests to be made."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import Any

from companion.store.db.news import unchanged
from companion.store.groups import reminders
from companion.store.log import deliveries
from companion.store.models import db, now
from companion.web.api import hook_messages
from companion.web.phones import web_push
from companion.web.phones.due_reminders import look, written

_TURN_SECONDS, _OVER_SECONDS = 300, 86_400  # that a push service keeps a reminder for a phone that is off


@dataclass(frozen=True, slots=True)
class Post:
    """A request to be made. Only one at a time is made to a `receiver`."""

    message: Any
    receiver: Hashable
    url: str
    headers: dict[str, str]
    body: bytes


@dataclass
class Queue(ABC):
    """A queue in the database: who gets something just now, and what became of messages but isn't noted yet."""

    on_their_way: set[Any] = field(default_factory=set)
    results: list[tuple[Post, str | None]] = field(default_factory=list)

    @abstractmethod
    def is_due(self) -> bool:
        """Return whether there is something to send, quickly."""

    @abstractmethod
    def next(self) -> Post | None:
        """Take the next message; None if there is none."""

    def note_results(self) -> None:
        """Note what became of messages."""
        if self.results:
            self._note()
            self.results.clear()

    @abstractmethod
    def _note(self) -> None: ...


class Hooks(Queue):
    """What webhooks are told, one message of a group at a time."""

    def is_due(self) -> bool:
        """Return whether a webhook's time has come."""
        return deliveries.is_due()

    def next(self) -> Post | None:
        """Take the next message, and write it."""
        message = deliveries.take(self.on_their_way)
        if message is None:
            return None
        body = json.dumps(hook_messages.written(message)).encode()
        db.session.remove()  # the next message is written of what there is then
        signed = hook_messages.headers(message, body, int(now().timestamp()))
        return Post(message, message.group_id, message.url, signed, body)

    def _note(self) -> None:
        deliveries.note_results((post.message, failure) for post, failure in self.results)


@dataclass
class Reminders(Queue):
    """What reminded phones are told: of the nights that this process has changed, and what waits for a next try."""

    _changed: set[str] = field(default_factory=set)
    _to_look_at: set[reminders.NightKey] = field(default_factory=set)
    _written: list[Post] = field(default_factory=list)

    def is_due(self) -> bool:
        """Return whether a phone may have to be told something."""
        self._changed |= unchanged().take_changed()
        if not web_push.is_available():
            self._changed.clear()
            return False
        if self._changed:
            self._to_look_at |= reminders.reminded(self._changed)
            self._changed.clear()
        return bool(self._to_look_at or self._written) or reminders.is_due()

    def next(self) -> Post | None:
        """Look at the nights that have changed; then take what is to be told, a night at a time."""
        while self._to_look_at:
            look(self._to_look_at.pop())  # if that fails, the night is looked at again when it changes
            db.session.remove()
        while not self._written and (taken := reminders.take(self.on_their_way)):
            texts = list(zip(taken, written(taken), strict=True))
            db.session.remove()
            self._written = [_sealed(reminder, text) for reminder, text in texts if text is not None]
            reminders.note_results([(reminder, None) for reminder, text in texts if text is None])
        return self._written.pop(0) if self._written else None

    def _note(self) -> None:
        reminders.note_results([(post.message, failure) for post, failure in self.results])


def _sealed(reminder: reminders.Reminder, text: str) -> Post:
    lasts, urgency = (_TURN_SECONDS, "high") if reminder.event == "turn" else (_OVER_SECONDS, "normal")
    signed = web_push.headers(reminder.endpoint, reminder.origin, int(now().timestamp()))
    # a newer message of the night takes the place of one that waits for a phone
    signed |= {"TTL": str(lasts), "Urgency": urgency, "Topic": f"night{reminder.night_id}"}
    body = web_push.sealed(text, reminder.public_key, reminder.auth)
    return Post(reminder, reminder.phone, reminder.endpoint, signed, body)
