"""A group's tokens, each of which lets a program in with a right, through the API.

A token is shown once, when it is made; only its hash is stored, as a link's is. It is valid until it is revoked. A new
link revokes no token.
"""

from __future__ import annotations

from datetime import timedelta

from sqlalchemy import select, update
from sqlalchemy.orm import joinedload

from companion.contract.reading.lookalikes import is_label
from companion.engine.messages import Message

from ..db.database import execute, retry_transaction, transaction
from ..log.sent_forms import is_new
from ..models import Access, ApiToken, Group, db, now
from ..refusals import Refused
from .deleting import must_stand
from .links import hashed

MAX_LABEL_LENGTH = 40
MAX_TOKENS = 20  # of a group that aren't revoked
_SHOWN_REVOKED = 10
_USE_NOTED_AFTER = timedelta(minutes=1)


@retry_transaction
def make_token(group: Group, label: str, access: Access, secret: str, key: str) -> None:
    """Make a token with this secret, once for the form with this key.

    Raises Refused if the label is no visible text or too long, or if the group has too many tokens.
    """
    label = label.strip()
    if not is_label(label, MAX_LABEL_LENGTH):
        text = "Say what it is for, in up to {most} characters, such as “Telegram bot”"
        raise Refused(Message(text, most=MAX_LABEL_LENGTH))
    with transaction():
        must_stand(group)
        if not is_new(group.id, key, ["token", label, access]):
            return
        if sum(token.revoked_at is None for token in tokens_of(group)) >= MAX_TOKENS:
            raise Refused(Message("A group has up to {most} tokens; revoke one first", most=MAX_TOKENS))
        db.session.add(ApiToken(group_id=group.id, label=label, access=access, secret_hash=hashed(secret)))


@retry_transaction
def revoke_token(group: Group, token_id: int) -> None:
    """Revoke a token of a group, at once; nothing happens if it is revoked already, or no token of the group."""
    with transaction():
        must_stand(group)
        is_it = (ApiToken.group_id == group.id, ApiToken.id == token_id, ApiToken.revoked_at.is_(None))
        execute(update(ApiToken).where(*is_it).values(revoked_at=now()))


def tokens_of(group: Group) -> list[ApiToken]:
    """List a group's tokens, newest first: those that are valid, then the newest that were revoked."""
    query = select(ApiToken).where(ApiToken.group_id == group.id).order_by(ApiToken.id.desc())
    valid = db.session.scalars(query.where(ApiToken.revoked_at.is_(None)))
    revoked = db.session.scalars(query.where(ApiToken.revoked_at.is_not(None)).limit(_SHOWN_REVOKED))
    return [*valid, *revoked]


def find_token(secret: str) -> ApiToken | None:
    """Return the valid token with this secret, with its group; None if there is none, or it was revoked."""
    query = select(ApiToken).where(ApiToken.secret_hash == hashed(secret), ApiToken.revoked_at.is_(None))
    return db.session.scalar(query.options(joinedload(ApiToken.group, innerjoin=True)))


def note_use(token: ApiToken) -> None:
    """Store that a token is used now, unless that was stored within the last minute."""
    moment = now()
    if token.used_at is not None and timedelta(0) <= moment - token.used_at < _USE_NOTED_AFTER:
        return
    _note_use(token.group_id, token.id)


@retry_transaction
def _note_use(group_id: int, token_id: int) -> None:
    with transaction(concerns_phones=False):
        is_it = ApiToken.group_id == group_id, ApiToken.id == token_id
        execute(update(ApiToken).where(*is_it).values(used_at=now()))
