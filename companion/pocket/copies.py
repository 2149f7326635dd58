"""Reminds of copies: one phone has all nights, so after each of them a copy of the group's file belongs elsewhere."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime

from flask import request
from sqlalchemy import ColumnElement, func, select

from companion.store.models import Change, Group, Night, db

_DAY = 24 * 60 * 60 * 1000  # milliseconds


@dataclass(frozen=True)
class CopyDue:
    """Closed nights of a group that are in no copy, and all closed ones.

    `days` is the age of the last copy, if there is one, `kb` its size. `closing` is the last time that one was closed.
    """

    group: str
    nights: int
    all_nights: int
    days: int | None
    kb: int
    closing: int


def due(groups: Iterable[Group]) -> CopyDue | None:
    """Return the first of some groups that needs a copy, unless that was put off since its last night.

    The shell knows of copies and sends it as cookies: `copied-GROUP=MILLISECONDS.BYTES.NIGHTS.CLOSING` and
    `copy-later=GROUP.NIGHTS`. What was closed since a copy isn't asked of the clock, which may have been set back: it
    would call a reopened night older than the copy, or a copied one newer. Copies of older versions have no `CLOSING`.
    """
    for group in groups:
        said = request.cookies.get(f"copied-{group.public_id}", "")
        saved, size, copied, closing = (*said.split("."), "", "", "")[:4]
        is_closed = [Night.group_id == group.id, Night.closed_at.is_not(None)]
        nights = closed = _count(*is_closed)
        closings = [Change.group_id == group.id, Change.kind == "close"]
        if saved:
            if closing:
                again = select(Change.night_id).where(*closings, Change.id > int(closing))
                later = _count(*is_closed, Night.id.in_(again))
            else:
                later = _count(*is_closed, Night.closed_at > datetime.fromtimestamp(int(saved) / 1000, UTC))
            nights = max(later, closed - int(copied or closed))
        if group.is_demo or not nights or request.cookies.get("copy-later") == f"{group.public_id}.{nights}":
            continue
        days = max(0, int(datetime.now(UTC).timestamp() * 1000) - int(saved)) // _DAY if saved else None
        last = db.session.scalar(select(func.max(Change.id)).where(*closings)) or 0
        return CopyDue(group.public_id, nights, closed, days, int(size or 0) // 1000, last)
    return None


def _count(*which: ColumnElement[bool]) -> int:
    return db.session.scalar(select(func.count()).select_from(Night).where(*which)) or 0
