"""The queue of events for webhooks: filled by the change itself, in its transaction, and emptied by senders.

A save adds one statement and waits for nobody. A sender takes the oldest message of a webhook whose time has come, for
as long as `_LEASE`, sends it without any transaction, and then notes what became of it. So any number of senders share
the queue, and one that dies is replaced. Neither is written to the disk at once: after a power cut, a message may be
sent again. A webhook gets its messages in order; while it fails, they wait longer each time, and after `GIVEN_UP_AFTER`
they are given up.
"""

from __future__ import annotations

import secrets
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache
from typing import Literal

from sqlalchemy import ColumnElement, Insert, bindparam, delete, func, insert, select, update

from ..db.database import execute, quick_read, retry_transaction, transaction
from ..models import Delivery, UtcDateTime, Webhook, db, now

Event = Literal["night.opened", "round.saved", "round.corrected", "round.voided", "payment.ticked", "night.closed"]
TEST = "test"  # the event of a message that tries a webhook out
# why a message wasn't delivered; besides these, the status of an answer such as "503"
NO_NAME, PRIVATE, NO_CONNECTION, NO_TLS, SLOW, NO_ANSWER = "name", "private", "connection", "tls", "slow", "answer"
GIVEN_UP_AFTER = timedelta(hours=24)
_LEASE = timedelta(minutes=5)  # longer than sending can take
_FIRST_PAUSE, _MAX_PAUSE = timedelta(seconds=10), timedelta(hours=6)
_PAUSE_GROWS = 4  # times, with each failure
_MAX_GROWTH = 8  # failures; then the longest pause is reached


@dataclass(frozen=True, slots=True)
class Outgoing:
    """A message to be sent now: where to, what about, and what its secret is made of."""

    group_id: int
    webhook_id: int
    url: str
    salt: str
    key: str
    event: str
    night_id: int | None
    subject_id: int | None
    at: datetime


def tell(group_id: int, event: Event, night_id: int | None, subject_id: int | None = None) -> None:
    """Within a transaction, queue an event for the group's webhooks that want it; see `Delivery`."""
    values = {"night": night_id, "subject": subject_id, "now": now(), "key": new_key()}
    execute(_queue(), {"group": group_id, "named": event, "wanted": f"% {event} %", **values})


def new_key() -> str:
    """Return a new message's random key."""
    return f"msg_{secrets.token_hex(16)}"


@cache
def _queue() -> Insert:
    parameters = [bindparam("key"), bindparam("named"), bindparam("night", type_=Delivery.night_id.type)]
    parameters += [bindparam("subject", type_=Delivery.subject_id.type), bindparam("now", type_=UtcDateTime)]
    wanted = select(Webhook.group_id, Webhook.id, *parameters).where(
        Webhook.group_id == bindparam("group"),
        Webhook.revoked_at.is_(None),
        Webhook.paused_at.is_(None),
        Webhook.events.like(bindparam("wanted")),
    )
    columns = ("group_id", "webhook_id", "key", "event", "night_id", "subject_id", "at")
    return insert(Delivery).from_select(columns, wanted).inline()


def is_due() -> bool:
    """Return whether there is something to send; with one quick message to the server, as senders ask all the time."""
    return bool(quick_read(select(Webhook.id).where(*_due(now())).limit(1), None))


def _due(moment: datetime) -> tuple[ColumnElement[bool], ...]:
    return Webhook.next_at <= moment, Webhook.id.in_(select(Delivery.webhook_id))


@retry_transaction
def take(busy: Collection[int] = ()) -> Outgoing | None:
    """Take the next message whose time has come; nobody else gets it within the lease. None if there is none.

    Groups that are `busy`, by their ids, get their turn later.
    """
    with transaction(concerns_phones=False, synced=False):
        moment = now()
        query = select(Webhook).where(*_due(moment)).order_by(Webhook.next_at, Webhook.id).limit(1)
        if busy:
            query = query.where(Webhook.group_id.not_in(busy))
        # not FOR UPDATE: a save that queues a message would wait for it
        query = query.with_for_update(skip_locked=True, key_share=True)
        webhook = db.session.scalar(query.execution_options(populate_existing=True))
        if webhook is None:
            return None
        _give_up(webhook, moment)
        oldest = select(Delivery).where(*_of(webhook.group_id, webhook.id)).order_by(Delivery.at, Delivery.key).limit(1)
        delivery = db.session.scalar(oldest)
        if delivery is None:
            return None
        webhook.next_at = moment + _LEASE
        about = delivery.event, delivery.night_id, delivery.subject_id, delivery.at
        return Outgoing(webhook.group_id, webhook.id, webhook.url, webhook.salt, delivery.key, *about)


def _of(group_id: int, webhook_id: int) -> tuple[ColumnElement[bool], ...]:
    return Delivery.group_id == group_id, Delivery.webhook_id == webhook_id


def _give_up(webhook: Webhook, moment: datetime) -> None:
    """Give up a webhook's messages that have waited too long."""
    is_late = (*_of(webhook.group_id, webhook.id), Delivery.at < moment - GIVEN_UP_AFTER)
    gone = execute(delete(Delivery).where(*is_late)).rowcount
    if gone:
        webhook.dropped, webhook.dropped_at = webhook.dropped + gone, moment


@retry_transaction
def note_results(results: Iterable[tuple[Outgoing, str | None]]) -> None:
    """Note for each of these messages that it was delivered, or why not; nothing happens if its webhook is gone."""
    with transaction(concerns_phones=False, synced=False):
        for message, failure in results:
            _note_result(message, failure, now())


def _note_result(message: Outgoing, failure: str | None, moment: datetime) -> None:
    is_it = Webhook.group_id == message.group_id, Webhook.id == message.webhook_id, Webhook.salt == message.salt
    query = select(Webhook).where(*is_it).with_for_update(key_share=True)
    webhook = db.session.scalar(query.execution_options(populate_existing=True))
    if webhook is None:
        return
    if failure is None:
        sent = (*_of(message.group_id, message.webhook_id), Delivery.key == message.key)
        execute(delete(Delivery).where(*sent))
        webhook.delivered_at, webhook.next_at, webhook.tries = moment, moment, 0
    else:
        webhook.failed_at, webhook.failure = moment, failure
        webhook.next_at, webhook.tries = moment + pause_after(webhook.tries), webhook.tries + 1


def pause_after(tries: int) -> timedelta:
    """Return how long a webhook's messages wait after a failure that followed so many others."""
    times: int = _PAUSE_GROWS ** min(tries, _MAX_GROWTH)
    return min(_FIRST_PAUSE * times, _MAX_PAUSE)


def waiting(group_id: int) -> dict[int, int]:
    """Return how many messages wait for each of a group's webhooks, by its id; those without any are missing."""
    webhooks = select(Webhook.id).where(Webhook.group_id == group_id)
    query = select(Delivery.webhook_id, func.count()).where(Delivery.webhook_id.in_(webhooks))
    query = query.where(Delivery.group_id == group_id).group_by(Delivery.webhook_id)
    return {row[0]: row[1] for row in db.session.execute(query)}


def forget_waiting(group_id: int, webhook_id: int) -> None:
    """Within a transaction, delete a webhook's messages that aren't sent yet."""
    execute(delete(Delivery).where(*_of(group_id, webhook_id)))


def hurry(group_id: int, webhook_id: int) -> None:
    """Within a transaction, let a webhook's messages be sent at once, whatever failed before."""
    is_it = Webhook.group_id == group_id, Webhook.id == webhook_id
    execute(update(Webhook).where(*is_it).values(next_at=now(), tries=0))
