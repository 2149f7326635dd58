"""Tampers with the ledger, with its triggers out of the way."""

from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import text

from companion.store.models import db


@contextmanager
def tampering() -> Iterator[None]:
    """Disable the database's protection, and commit what is done."""
    if db.engine.dialect.name == "postgresql":
        db.session.execute(text("SET LOCAL session_replication_role = replica"))
        yield
    else:
        triggers = db.session.execute(text("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'")).all()
        for name, _ in triggers:
            db.session.execute(text(f"DROP TRIGGER {name}"))
        db.session.execute(text("PRAGMA defer_foreign_keys=ON"))
        yield
        db.session.flush()
        for _, sql in triggers:
            db.session.execute(text(sql))
    db.session.commit()


def empty() -> None:
    """Empty every table."""
    deletions = [f'DELETE FROM "{table}"' for table in db.metadata.tables]
    with tampering():
        # SQLite takes one statement at a time
        for statement in ["; ".join(deletions)] if db.engine.dialect.name == "postgresql" else deletions:
            db.session.execute(text(statement))
