"""Reminds of copies: one phone has all nights, so after each of them a copy of the group's file belongs elsewhere."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime

from flask import request
from sqlalchemy import ColumnElement, func, select

from companion.store.models import Group, Night, db

_DAY = 24 * 60 * 60 * 1000  # milliseconds


@dataclass(frozen=True)
class CopyDue:
    """Closed nights of a group that are in no copy, and all closed ones.

    `days` is the age of the last copy, if there is one, `kb` its size.
    """

    group: str
    nights: int
    all_nights: int
    days: int | None
    kb: int


def due(groups: Iterable[Group]) -> CopyDue | None:
    """Return the first of some groups that needs a copy, unless that was put off since its last night.

    The shell knows of copies and sends it as cookies: `copied-GROUP=MILLISECONDS.BYTES.NIGHTS` and
    `copy-later=GROUP.NIGHTS`. Nights are counted, too, because a clock that was set back would call a new night older
    than the copy.
    """
    for group in groups:
        said = request.cookies.get(f"copied-{group.public_id}", "")
        saved, size, copied = (*said.split("."), "", "")[:3]
        is_closed = [Night.group_id == group.id, Night.closed_at.is_not(None)]
        nights = closed = _count(*is_closed)
        if saved:
            later = _count(*is_closed, Night.closed_at > datetime.fromtimestamp(int(saved) / 1000, UTC))
            nights = max(later, closed - int(copied or closed))
        if group.is_demo or not nights or request.cookies.get("copy-later") == f"{group.public_id}.{nights}":
            continue
        days = max(0, int(datetime.now(UTC).timestamp() * 1000) - int(saved)) // _DAY if saved else None
        return CopyDue(group.public_id, nights, closed, days, int(size or 0) // 1000)
    return None


def _count(*which: ColumnElement[bool]) -> int:
    return db.session.scalar(select(func.count()).select_from(Night).where(*which)) or 0
