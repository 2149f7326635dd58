"""A group's webhooks: made, paused, tried out and revoked; what is sent to them is up to `deliveries`.

The secret of a webhook is shown once. It is made of the webhook's salt and the app's own secret key, which the database
doesn't have.
"""

from __future__ import annotations

import base64
from collections.abc import Iterable
from typing import Literal, get_args
from urllib.parse import urlsplit

from flask import current_app
from sqlalchemy import select, update

from companion.engine.messages import Message
from companion.engine.names import has_control_characters

from ..db.database import execute, retry_transaction, transaction
from ..log.deliveries import TEST, Event, forget_waiting, hurry, new_key
from ..log.sent_forms import is_new
from ..models import Delivery, Group, Webhook, db, now
from ..refusals import Refused
from .deleting import must_stand
from .links import keyed

EVENTS: tuple[Event, ...] = get_args(Event)
MAX_URL_LENGTH = 500
MAX_WEBHOOKS = 10  # of a group that aren't revoked
ANYWHERE = "anywhere"  # the setting with which they may lead to private addresses, without encryption
_SHOWN_REVOKED = 5
Step = Literal["pause", "resume", "test", "revoke"]


@retry_transaction
def make_webhook(group: Group, url: str, events: Iterable[str], salt: str, key: str) -> None:
    """Make a webhook, once for the form with this key.

    Raises Refused if its address can't be one, if it has no event, or if the group has too many.
    """
    url, chosen = url.strip(), [event for event in EVENTS if event in set(events)]
    _must_be_address(url)
    if not chosen:
        raise Refused(Message("Choose what it is told"))
    with transaction():
        must_stand(group)
        if not is_new(group.id, key, ["webhook", url, *chosen]):
            return
        if sum(webhook.revoked_at is None for webhook in webhooks_of(group)) >= MAX_WEBHOOKS:
            raise Refused(Message("A group has up to {most} webhooks; revoke one first", most=MAX_WEBHOOKS))
        db.session.add(Webhook(group_id=group.id, url=url, events=f" {' '.join(chosen)} ", salt=salt))


def _must_be_address(url: str) -> None:
    if len(url) > MAX_URL_LENGTH or not is_address(url):
        text = "That isn't an address for a webhook; it must look like {example}, without a name or password before @"
        raise Refused(Message(text, example="https://bot.example.org/table"))


def is_address(url: str) -> bool:
    """Return whether something can be sent to this address, as far as its text tells."""
    schemes = ("https", "http") if current_app.config["WEBHOOKS"] == ANYWHERE else ("https",)
    try:
        parts = urlsplit(url)
        # both raise ValueError if they aren't as they should be
        is_fit = bool(parts.hostname and parts.hostname.encode("idna")) and parts.port != 0
    except ValueError:
        return False
    is_fit = is_fit and url.isascii() and " " not in url and not has_control_characters(url)
    return is_fit and parts.scheme in schemes and "@" not in parts.netloc


@retry_transaction
def change_webhook(group: Group, webhook_id: int, step: Step) -> None:
    """Pause a webhook, resume it, send it a test, or revoke it; nothing happens if the group has no such webhook.

    What waits to be sent is forgotten when it is paused or revoked.
    """
    with transaction():
        must_stand(group)
        is_it = (Webhook.group_id == group.id, Webhook.id == webhook_id, Webhook.revoked_at.is_(None))
        webhook = db.session.scalar(select(Webhook).where(*is_it))
        if webhook is None:
            return
        if step == "test":
            hurry(group.id, webhook_id)
            about = {"key": new_key(), "event": TEST, "at": now()}
            db.session.add(Delivery(group_id=group.id, webhook_id=webhook_id, **about))
        elif step == "resume":
            execute(update(Webhook).where(*is_it).values(paused_at=None))
            hurry(group.id, webhook_id)
        else:
            column = {"pause": Webhook.paused_at, "revoke": Webhook.revoked_at}[step]
            execute(update(Webhook).where(*is_it).values({column: now()}))
            forget_waiting(group.id, webhook_id)


def webhooks_of(group: Group) -> list[Webhook]:
    """List a group's webhooks, newest first: those that aren't revoked, then the newest that were."""
    query = select(Webhook).where(Webhook.group_id == group.id).order_by(Webhook.id.desc())
    valid = db.session.scalars(query.where(Webhook.revoked_at.is_(None)))
    revoked = db.session.scalars(query.where(Webhook.revoked_at.is_not(None)).limit(_SHOWN_REVOKED))
    return [*valid, *revoked]


def secret_of(group_id: int, salt: str) -> str:
    """Return a webhook's secret, in the form of the Standard Webhooks specification."""
    return f"whsec_{base64.b64encode(key_of(group_id, salt)).decode()}"


def key_of(group_id: int, salt: str) -> bytes:
    """Return the bytes with which a webhook's messages are signed; nobody can choose them by choosing the salt."""
    return keyed(f"webhook:{group_id}:{salt}")
