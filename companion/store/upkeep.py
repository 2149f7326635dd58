"""What those who look after a database want to know: when it was last audited and backed up, which nights are open."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from flask import current_app
from sqlalchemy import Connection, Engine, create_engine, func, select
from sqlalchemy.pool import NullPool

from .db.database import dialect_name, execute, insert_into, prepare, retry_transaction, transaction
from .models import Group, Night, Upkeep, db, now

Kind = Literal["audit", "backup"]


@dataclass(frozen=True, slots=True)
class Done:
    """The newest audit or backup: when it ended (UTC), and how many errors it found."""

    at: datetime
    errors: int


@retry_transaction
def note(kind: Kind, errors: int = 0) -> None:
    """Store that an audit or a backup has ended just now."""
    values = {"ended_at": now(), "errors": errors}
    with transaction(concerns_phones=False):
        added = insert_into(Upkeep, dialect_name()).values(kind=kind, **values)
        execute(added.on_conflict_do_update(index_elements=["kind"], set_=values))


def last_done(connection: Connection) -> dict[str, Done]:
    """Return the newest audit and backup, by kind; what was never done is missing."""
    rows = connection.execute(select(Upkeep.kind, Upkeep.ended_at, Upkeep.errors))
    return {kind: Done(at, errors) for kind, at, errors in rows}


def open_nights(connection: Connection) -> int:
    """Return how many nights aren't closed, without those of deleted groups and of demos."""
    counts = Group.is_complete & Group.deleted_at.is_(None) & ~Group.is_demo
    of_them = select(func.count()).select_from(Night).join(Night.group).where(counts, Night.closed_at.is_(None))
    return connection.scalar(of_them) or 0


def engine_apart() -> Engine:
    """Return an engine that keeps no connection, for a process whose copies have connections of their own."""
    settings = current_app.config["SQLALCHEMY_ENGINE_OPTIONS"]
    arguments = settings.get("connect_args", {})
    engine = create_engine(db.engine.url, poolclass=NullPool, hide_parameters=True, connect_args=arguments)
    prepare(engine)
    return engine
