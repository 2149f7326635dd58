"""Connections: a poll uses one with a single message, and a restart of PostgreSQL is noticed by nobody."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack, closing
from typing import Any

import pytest
from flask import Flask
from nights import PlayedNight
from sqlalchemy import column, event, select, text
from sqlalchemy.exc import DBAPIError

from companion.store.db.database import quick_read
from companion.store.db.faults import fault
from companion.store.groups import links
from companion.store.groups.links import Glance
from companion.store.models import db
from companion.store.night import play

pytestmark = pytest.mark.quick  # what only PostgreSQL reaches

ON_POSTGRESQL = pytest.mark.parametrize("app", ["postgresql"], indirect=True)


def restart(postgresql: Any) -> None:
    postgresql.stop()
    postgresql.start()


def fill_pool() -> None:
    """Leave three idle connections in the pool."""
    db.session.rollback()
    with ExitStack() as together:
        for _ in range(3):
            together.enter_context(db.engine.connect())


def saves(night: PlayedNight) -> bool:
    night.do("won Ana")
    return True


READS: list[tuple[str, Callable[[PlayedNight], object]]] = [
    ("poll", lambda night: links.poll(night.public_id)),
    ("page", lambda night: play.find_night(night.public_id)),
    ("save", saves),
]


@ON_POSTGRESQL
@pytest.mark.parametrize("read", [row[1] for row in READS], ids=[row[0] for row in READS])
def test_a_restart_of_postgresql_is_not_noticed(
    night: PlayedNight, postgresql: Any, read: Callable[[PlayedNight], object]
) -> None:
    assert night.public_id
    for _ in range(2):
        fill_pool()
        restart(postgresql)
        assert read(night)
        db.session.rollback()


@ON_POSTGRESQL
def test_while_postgresql_is_away_it_is_said_to_be(night: PlayedNight, postgresql: Any) -> None:
    public_id = night.public_id
    fill_pool()
    postgresql.stop()
    for read in (links.poll, play.find_night):
        with pytest.raises(DBAPIError) as caught:
            read(public_id)
        db.session.rollback()
        assert "isn't responding" in str(fault(caught.value))
    postgresql.start()
    assert isinstance(links.poll(public_id), Glance)


@ON_POSTGRESQL
def test_a_connection_that_dies_in_a_change_is_not_used_again(night: PlayedNight) -> None:
    session = night.night
    own = db.session.execute(text("SELECT pg_backend_pid()")).scalar_one()
    with db.engine.connect() as other:
        other.execute(text("SELECT pg_terminate_backend(:own)"), {"own": own})
    with pytest.raises(DBAPIError) as caught:
        play.next_number(session)
    assert "isn't responding" in str(fault(caught.value))
    db.session.rollback()
    assert saves(night)


@ON_POSTGRESQL
def test_a_poll_needs_no_ping_and_no_transaction(night: PlayedNight, monkeypatch: pytest.MonkeyPatch) -> None:
    public_id, found = night.public_id, []
    db.session.rollback()

    def note(driver: Any, *_: object) -> None:
        found.append(driver.info.transaction_status.name)

    monkeypatch.setattr(db.engine.dialect, "do_ping", lambda _: pytest.fail("pinged"))
    event.listen(db.engine, "reset", note)
    assert links.poll(public_id) is not None
    event.remove(db.engine, "reset", note)
    assert found == ["IDLE"]
    with closing(db.engine.raw_connection()) as pooled:
        assert pooled.autocommit is False  # a change that follows must be a transaction


def test_a_poll_finds_what_a_page_finds(app: Flask, night: PlayedNight) -> None:
    for step in ("won Ana", "close"):
        night.do(step)
        found = links.poll(night.public_id)
        assert found is not None and found == links.glance_at(night.public_id)
    assert links.poll("nothing") is links.glance_at("nothing") is None


def test_an_error_of_a_quick_read_is_raised_as_usual(app: Flask) -> None:
    with pytest.raises(DBAPIError):
        quick_read(select(column("nonsense")), {})
    db.session.rollback()
    assert links.poll("nothing") is None
