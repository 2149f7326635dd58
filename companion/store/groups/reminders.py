"""Phones that want to be reminded: whose turn it is, and what somebody owes when the night is over.

What players do costs nothing for that: the process that carried it out looks later at the nights that have changed,
and only if phones are reminded there. A phone is told once that it is its player's turn, and not if the turn has passed
on before. Only closing a night marks its phones in its own transaction, as everybody has to know. The sender takes all
phones of a night that have something to be told at once, and notes what became of it. A turn that isn't delivered
within `_TURN_LASTS` is forgotten, and so is a phone whose browser no longer wants reminders (404 or 410).
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import ColumnElement, delete, or_, select, update

from ..db.database import execute, quick_read, retry_transaction, transaction
from ..log.deliveries import GIVEN_UP_AFTER, pause_after
from ..models import Night, Subscription, db, now
from .deleting import must_stand

MAX_PHONES = 30  # of a night
_LEASE = timedelta(minutes=5)  # longer than sending can take
_TURN_LASTS = timedelta(minutes=10)
_GONE = ("404", "410")
_IS_NOT_OVER = or_(Subscription.event.is_(None), Subscription.event == "turn")
NightKey = tuple[int, int]  # the ids of a group and of its night


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


def mark_over(night: Night) -> None:
    """Within a transaction, let a night's phones be told that it is over."""
    moment = now()
    over = {"event": "over", "tries": 0, "since": moment, "next_at": moment}
    execute(update(Subscription).where(*_of(night)).values(over))


def reminded(nights: Collection[str]) -> set[NightKey]:
    """Return which of these nights have phones that are reminded; with one quick message to the server."""
    is_its = Night.group_id == Subscription.group_id, Night.id == Subscription.night_id
    is_reminded = select(Subscription.phone).where(*is_its).exists()
    query = select(Night.group_id, Night.id).where(Night.public_id.in_(nights), is_reminded)
    return {(group_id, night_id) for group_id, night_id in quick_read(query, None)}


@retry_transaction
def note_turn(night: Night, phones: Collection[str]) -> None:
    """Note that it is the turn of these phones' player, or of nobody who has a phone.

    Those that haven't been told are to be told; the others are to be told again when their turn has come.
    """
    is_one = (*_of(night), _IS_NOT_OVER)
    query = select(Subscription.phone, Subscription.event, Subscription.is_told).where(*is_one)
    known = db.session.execute(query).all()
    new = [phone for phone, event, is_told in known if phone in phones and not (event or is_told)]
    old = [phone for phone, event, is_told in known if phone not in phones and (event or is_told)]
    if new or old:
        moment = now()
        reminder = {"event": "turn", "tries": 0, "since": moment, "next_at": moment}
        with transaction(concerns_phones=False, synced=False):  # the night may have been closed meanwhile
            execute(update(Subscription).where(*is_one, Subscription.phone.in_(new)).values(reminder))
            untold = {"event": None, "is_told": False, "since": moment}
            execute(update(Subscription).where(*is_one, Subscription.phone.in_(old)).values(untold))


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
def take(busy: Collection[str] = ()) -> list[Reminder]:
    """Take what phones of one night are to be told; nobody else gets it within the lease. Nothing if nothing is due.

    Phones that are `busy` get theirs later.
    """
    with transaction(concerns_phones=False, synced=False):
        moment = now()
        query = select(Subscription).where(*_due(moment), Subscription.phone.not_in(busy))
        query = query.with_for_update(skip_locked=True).execution_options(populate_existing=True)
        order = Subscription.next_at, Subscription.phone
        first = db.session.scalar(query.order_by(*order).limit(1))
        if first is None:
            return []
        is_its = Subscription.group_id == first.group_id, Subscription.night_id == first.night_id
        due = db.session.scalars(query.where(*is_its).order_by(*order)).all()
        for subscription in due:
            subscription.next_at = moment + _LEASE
        return [Reminder(*(getattr(subscription, name) for name in Reminder.__slots__)) for subscription in due]


@retry_transaction
def note_results(results: Collection[tuple[Reminder, str | None]]) -> None:
    """Note why each of these failed, or None if it was delivered; nothing happens if a phone is no longer reminded."""
    if not results:
        return
    with transaction(concerns_phones=False, synced=False):
        for reminder, failure in results:
            _note(reminder, failure, now())


def _note(reminder: Reminder, failure: str | None, moment: datetime) -> None:
    whose = (Subscription.group_id == reminder.group_id, Subscription.night_id == reminder.night_id)
    is_it = (*whose, Subscription.phone == reminder.phone, Subscription.endpoint == reminder.endpoint)
    if failure in _GONE:
        execute(delete(Subscription).where(*is_it))
        return
    is_same = (*is_it, Subscription.since == reminder.since)  # nothing came meanwhile
    lasts = _TURN_LASTS if reminder.event == "turn" else GIVEN_UP_AFTER
    if failure is not None and moment - reminder.since <= lasts:
        subscription = db.session.scalar(select(Subscription).where(*is_same).execution_options(populate_existing=True))
        if subscription is not None:
            subscription.next_at, subscription.tries = moment + pause_after(subscription.tries), subscription.tries + 1
    elif reminder.event == "over":
        execute(delete(Subscription).where(*is_same))
    else:
        execute(update(Subscription).where(*is_same).values(event=None, is_told=failure is None))
