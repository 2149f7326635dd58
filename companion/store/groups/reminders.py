"""Phones that want to be reminded: whose turn it is, and what somebody owes when the night is over.

A change only marks its night's phones, with one statement in its transaction. The sender takes one after the other,
looks then whether there is something to tell its player, and notes what became of it. A phone is told once that it is
its player's turn. What is marked again meanwhile is looked at again; a turn that isn't delivered within `_TURN_LASTS`
is forgotten. A phone whose browser no longer wants reminders (404 or 410) is forgotten.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache
from typing import Literal

from sqlalchemy import ColumnElement, Update, bindparam, case, delete, select, update

from ..db.database import execute, quick_read, retry_transaction, transaction
from ..models import Night, Subscription, UtcDateTime, db, now
from .deleting import must_stand
from .deliveries import GIVEN_UP_AFTER, pause_after

Event = Literal["turn", "over"]
MAX_PHONES = 30  # of a night
_LEASE = timedelta(minutes=5)  # longer than sending can take
_TURN_LASTS = timedelta(minutes=10)
_GONE = ("404", "410")


@dataclass(frozen=True, slots=True)
class Reminder:
    """What a phone may have to be told, where that is sent to, and what it is encrypted with."""

    group_id: int
    night_id: int
    phone: str
    endpoint: str
    public_key: str
    auth: str
    origin: str
    language: str
    event: str
    since: datetime
    is_told: bool


@dataclass(frozen=True, slots=True)
class Delivered:
    """What became of a reminder: why it failed, if it did, and whether it is the player's turn, as the phone knows."""

    reminder: Reminder
    failure: str | None
    is_told: bool


def mark(night: Night, event: Event) -> None:
    """Within a transaction, let a night's phones be reminded soon, if there is something to tell them."""
    execute(_marked(), {"of_group": night.group_id, "of_night": night.id, "named": event, "now": now()})


@cache
def _marked() -> Update:
    moment = bindparam("now", type_=UtcDateTime)
    is_its = Subscription.group_id == bindparam("of_group"), Subscription.night_id == bindparam("of_night")
    marked = update(Subscription).where(*is_its).values(event=bindparam("named"), tries=0, since=moment, next_at=moment)
    return marked.execution_options(synchronize_session=False)


def _of(night: Night) -> tuple[ColumnElement[bool], ...]:
    return Subscription.group_id == night.group_id, Subscription.night_id == night.id


@retry_transaction
def subscribe(night: Night, phone: str, address: tuple[str, str, str], origin: str, language: str) -> bool:
    """Remind a phone in a night; `address` is the endpoint, the public key and the secret that its browser gave it.

    Returns False if too many phones of the night are reminded already.
    """
    endpoint, public_key, auth = address
    with transaction():
        must_stand(night.group)
        execute(delete(Subscription).where(*_of(night), Subscription.phone == phone))
        if len(db.session.execute(select(Subscription.phone).where(*_of(night))).all()) >= MAX_PHONES:
            return False
        keys = {"group_id": night.group_id, "night_id": night.id, "phone": phone}
        known = {"endpoint": endpoint, "public_key": public_key, "auth": auth, "origin": origin, "language": language}
        db.session.add(Subscription(**keys, **known))
    return True


@retry_transaction
def unsubscribe(night: Night, phone: str) -> None:
    """Remind a phone no longer."""
    with transaction():
        forget(night, phone)


def forget(night: Night, phone: str) -> None:
    """Within a transaction, forget a phone that is to be reminded no longer."""
    execute(delete(Subscription).where(*_of(night), Subscription.phone == phone))


def forget_all(night: Night) -> None:
    """Within a transaction, forget all phones of a night, because its join code was renewed."""
    execute(delete(Subscription).where(*_of(night)))


def is_subscribed(night: Night, phone: str) -> bool:
    """Return whether a phone is reminded in a night."""
    return db.session.scalar(select(Subscription.phone).where(*_of(night), Subscription.phone == phone)) is not None


def is_due() -> bool:
    """Return whether a phone may have to be reminded; with one quick message to the server."""
    return bool(quick_read(select(Subscription.phone).where(*_due(now())).limit(1), None))


def _due(moment: datetime) -> tuple[ColumnElement[bool], ...]:
    return Subscription.event.is_not(None), Subscription.next_at <= moment


@retry_transaction
def take(busy: Collection[str] = ()) -> Reminder | None:
    """Take the next reminder; nobody else gets it within the lease. None if there is none.

    Phones that are `busy` get their turn later.
    """
    with transaction(concerns_phones=False, synced=False):
        moment = now()
        query = select(Subscription).where(*_due(moment), Subscription.phone.not_in(busy))
        query = query.order_by(Subscription.next_at, Subscription.phone).limit(1).with_for_update(skip_locked=True)
        found = db.session.scalar(query.execution_options(populate_existing=True))
        if found is None or found.event is None:
            return None
        found.next_at = moment + _LEASE
        return Reminder(*(getattr(found, name) for name in Reminder.__slots__))


@retry_transaction
def note_results(results: Iterable[Delivered]) -> None:
    """Note what became of these reminders; nothing happens if a phone is no longer reminded."""
    with transaction(concerns_phones=False, synced=False):
        for result in results:
            _note(result, now())


def _note(result: Delivered, moment: datetime) -> None:
    reminder = result.reminder
    whose = (Subscription.group_id == reminder.group_id, Subscription.night_id == reminder.night_id)
    is_it = (*whose, Subscription.phone == reminder.phone, Subscription.endpoint == reminder.endpoint)
    lasts = _TURN_LASTS if reminder.event == "turn" else GIVEN_UP_AFTER
    is_done = result.failure is None or moment - reminder.since > lasts
    if result.failure in _GONE:
        execute(delete(Subscription).where(*is_it))
    elif is_done and reminder.event == "over":
        execute(delete(Subscription).where(*is_it, Subscription.since == reminder.since))
    elif is_done:
        is_same = Subscription.since == reminder.since
        left = case((is_same, None), else_=Subscription.event)
        at = case((is_same, Subscription.next_at), else_=moment)
        execute(update(Subscription).where(*is_it).values(event=left, next_at=at, is_told=result.is_told))
    else:
        found = db.session.scalar(select(Subscription).where(*is_it).execution_options(populate_existing=True))
        if found is not None:
            found.next_at, found.tries = moment + pause_after(found.tries), found.tries + 1
