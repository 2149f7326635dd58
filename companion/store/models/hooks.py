"""Where a group's events are sent: its webhooks, with the queue of what isn't sent yet, and phones to be reminded."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Index, String
from sqlalchemy.orm import Mapped, mapped_column

from .base import Model, OfGroup, UtcDateTime, WithId, belongs_to_group, impersonal, now, personal, refers


class Webhook(WithId, Model):
    """An address to which a group's events are sent. Revoking deletes nothing.

    `events` are their names, each with a space before and behind it. The secret that signs is made of `salt` and the
    app's own secret key, so it is in no copy of the database. Nothing is sent before `next_at`; `tries` counts the
    failures since the last delivery. `failure` says why the last one failed, `dropped` how many messages were given up.
    """

    __tablename__ = "webhook"
    __table_args__ = (belongs_to_group(), Index("ix_webhook_of_group", "group_id"))
    goes_with_group = True

    url: Mapped[str] = personal(String(500))
    events: Mapped[str] = impersonal(String(200))
    salt: Mapped[str] = impersonal(String(64))
    made_at: Mapped[datetime] = mapped_column(UtcDateTime, default=now)
    paused_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    revoked_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    next_at: Mapped[datetime] = mapped_column(UtcDateTime, default=now)
    tries: Mapped[int] = mapped_column(default=0)
    delivered_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    failed_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    failure: Mapped[str | None] = impersonal(String(20))
    dropped: Mapped[int] = mapped_column(default=0)
    dropped_at: Mapped[datetime | None] = mapped_column(UtcDateTime)


class Delivery(OfGroup, Model):
    """An event that a webhook isn't told yet; deleted once it is. The message is written when it is sent.

    `subject_id` is the id of the change or the payment that the event is about. `key` identifies the message.
    """

    __tablename__ = "delivery"
    __table_args__ = (refers("webhook_id", "webhook"),)
    goes_with_group = True

    webhook_id: Mapped[int] = mapped_column(primary_key=True)
    key: Mapped[str] = impersonal(String(40), primary_key=True)
    event: Mapped[str] = impersonal(String(20))
    night_id: Mapped[int | None]
    subject_id: Mapped[int | None]
    at: Mapped[datetime] = mapped_column(UtcDateTime)


class Subscription(OfGroup, Model):
    """A phone that wants to be reminded in a night, by the push service of its browser (RFC 8030).

    `endpoint` is the address that the push service gave it; `public_key` and `auth` encrypt what is sent there.
    `origin` is where the app was opened. `event` is what it may have to be told since `since`; before `next_at` nothing
    is sent, and `tries` counts the failures. `is_told` says that it knows whose turn it is: its own.
    """

    __tablename__ = "subscription"
    __table_args__ = (refers("night_id", "night"),)
    goes_with_group = True

    night_id: Mapped[int] = mapped_column(primary_key=True)
    phone: Mapped[str] = personal(String(40), primary_key=True)
    endpoint: Mapped[str] = personal(String(1000))
    public_key: Mapped[str] = personal(String(100))
    auth: Mapped[str] = personal(String(40))
    origin: Mapped[str] = impersonal(String(200))
    language: Mapped[str] = impersonal(String(10))
    event: Mapped[str | None] = impersonal(String(10))
    since: Mapped[datetime] = mapped_column(UtcDateTime, default=now)
    next_at: Mapped[datetime] = mapped_column(UtcDateTime, default=now)
    tries: Mapped[int] = mapped_column(default=0)
    is_told: Mapped[bool] = mapped_column(default=False)
