"""Rebuilds a group's results and sums from its log."""

from __future__ import annotations

from sqlalchemy import delete, insert, select
from sqlalchemy.orm import joinedload

from companion.store.history.recording import played_in
from companion.store.history.tallies import Sums
from companion.store.models import Duel, Group, Line, Night, Result, Tally, db


def rebuild(group: Group) -> None:
    """Replace the stored results and sums by rebuilt ones; the caller's transaction commits them."""
    for table in (Result, Tally, Duel):
        db.session.execute(delete(table).where(table.group_id == group.id))
    sums, rows = Sums(), []
    nights = select(Night).where(Night.group_id == group.id).order_by(Night.id)
    for night in db.session.scalars(nights).all():
        lines = select(Line).where(Line.night_id == night.id).order_by(Line.number)
        for played in played_in(night, db.session.scalars(lines.options(joinedload(Line.current)))):
            rows += played.rows()
            sums.add(played)
    for table, found in ((Result, rows), (Tally, sums.tally_rows()), (Duel, sums.duel_rows())):
        if found:
            db.session.connection().execute(insert(table), found)
