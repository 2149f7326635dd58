"""Notices a form that is sent again: it is carried out once, and if it says something else, that is refused.

A change to a night has its form's key and content itself; see `change`. Other forms are noted here, as are those whose
change depends on what was stored when it arrived. Only a digest of what they said is stored, and not for longer than a
phone may wait for a signal.
"""

from __future__ import annotations

import hashlib
import json
from datetime import timedelta
from typing import Any

from sqlalchemy import delete, select

from companion.engine.messages import Message

from ..db.database import dialect_name, execute, insert_into
from ..models import SentForm, db, now
from ..refusals import Conflict

_KEPT = timedelta(days=60)


def must_be_same(is_same: bool, line: int | None = None) -> None:
    """Raise Conflict if a form that was sent before said something else; `line` is what it saved, if it was a line."""
    if not is_same:
        text = "This was already saved, with different contents; look at what was saved"
        raise Conflict(Message(text), line, is_sent_before=True)


def digest(said: Any) -> str:
    """Return a digest of what a form said: JSON values."""
    return hashlib.sha256(json.dumps(said, sort_keys=True).encode()).hexdigest()


def was_sent(group_id: int, key: str, said: Any) -> bool:
    """Return whether a form of a group was carried out before; raises Conflict if that said something else."""
    stored = db.session.scalar(select(SentForm.digest).where(SentForm.group_id == group_id, SentForm.key == key))
    must_be_same(stored in (None, digest(said)))
    return stored is not None


def is_new(group_id: int, key: str, said: Any) -> bool:
    """Within a transaction, note a form of a group; returns False if it was carried out before.

    Waits for one with the same key that is just being carried out. Raises Conflict if that said something else.
    """
    row = {"group_id": group_id, "key": key, "digest": digest(said)}
    statement = insert_into(SentForm, dialect_name()).values(row).on_conflict_do_nothing()
    if execute(statement.returning(SentForm.key)).first() is not None:
        execute(delete(SentForm).where(SentForm.group_id == group_id, SentForm.at < now() - _KEPT))
        return True
    stored = select(SentForm.digest).where(SentForm.group_id == group_id, SentForm.key == key)
    must_be_same(db.session.scalar(stored) == row["digest"])
    return False
