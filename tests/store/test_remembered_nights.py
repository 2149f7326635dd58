"""What a process remembers of nights is forgotten with each change, its own and, on PostgreSQL, those of others."""

from __future__ import annotations

from collections.abc import Iterator
from threading import Event
from typing import Any

import pytest
from flask import Flask
from nights import PlayedNight
from sqlalchemy import text
from waiting import MAX_SECONDS, until

from companion.store.db import news
from companion.store.db.database import transaction
from companion.store.db.news import Unchanged
from companion.store.models import db

pytestmark = pytest.mark.quick  # what only PostgreSQL reaches
ON_POSTGRESQL = pytest.mark.parametrize("app", ["postgresql"], indirect=True)


@pytest.fixture(autouse=True)
def _patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep what is remembered for longer than the slowest test takes."""
    monkeypatch.setattr(news, "KEPT_SECONDS", 1_000.0)


@pytest.fixture
def process(app: Flask, monkeypatch: pytest.MonkeyPatch) -> Iterator[Unchanged]:
    """Return what another process remembers, which hears soon that it is no longer wanted."""
    monkeypatch.setattr(news, "_HEARTBEAT", 0.05)
    other = Unchanged(db.engine)
    yield other
    other._wanted_until = 0
    until(lambda: not other._listener.is_alive())


def remembers(process: Unchanged, *nights: str) -> None:
    """Let a process read these nights, as often as it takes until it remembers them."""
    for night in nights:

        def reads(night: str = night) -> bool:
            process.remember(night, "mark", process.begin())
            return process.is_current(night, "mark")

        until(reads)


def test_a_change_is_told_to_other_processes(night: PlayedNight, process: Unchanged) -> None:
    if db.engine.dialect.name == "sqlite":
        return  # one process serves
    remembers(process, night.public_id, "another")
    night.do("won Ana")
    until(lambda: not process.is_current(night.public_id, "mark"))
    assert process.is_current("another", "mark")
    with transaction():
        pass
    until(lambda: not process.is_current("another", "mark"))


def test_the_nights_that_a_process_changed_are_taken_once(night: PlayedNight, monkeypatch: pytest.MonkeyPatch) -> None:
    own = news.unchanged()
    own.take_changed()
    night.do("won Ana")
    assert (own.take_changed(), own.take_changed()) == ({night.public_id}, set())
    monkeypatch.setattr(news, "_MAX_NIGHTS", 0)
    night.do("won Ana")
    assert own.take_changed() == set()


def test_a_process_forgets_what_it_changes_itself(night: PlayedNight, app: Flask) -> None:
    own = news.unchanged()
    remembers(own, night.public_id, "another")
    night.do("won Ana")
    assert not own.is_current(night.public_id, "mark")
    assert own.is_current("another", "mark")
    with transaction(concerns_phones=False):
        pass
    assert own.is_current("another", "mark")
    with pytest.raises(ZeroDivisionError), transaction():
        raise ZeroDivisionError
    assert not own.is_current("another", "mark")
    own._wanted_until = 0


@ON_POSTGRESQL
def test_without_a_connection_nothing_is_remembered(app: Flask, process: Unchanged) -> None:
    remembers(process, "night")
    its_own = "query IN ('LISTEN companion_news', 'SELECT 1')"
    db.session.execute(text(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE {its_own}"))
    until(lambda: not process.is_current("night", "mark"))
    db.session.rollback()
    remembers(process, "night")


@ON_POSTGRESQL
def test_a_change_counts_even_if_the_others_can_no_longer_be_told(
    app: Flask, process: Unchanged, postgresql: Any
) -> None:
    remembers(process, "night")
    postgresql.stop()
    try:
        process.change(["night"])
        assert not process.is_current("night", "mark")
        until(lambda: not process._listener.is_alive())
        process.begin()
        until(lambda: not process._listener.is_alive())
        process.remember("night", "mark", process.begin())
        assert not process.is_current("night", "mark")
    finally:
        postgresql.start()


@ON_POSTGRESQL
def test_the_connection_is_given_back_when_nobody_polls(app: Flask, process: Unchanged) -> None:
    remembers(process, "night")
    process._wanted_until = 0
    until(lambda: not process._listener.is_alive())
    assert not process.is_current("night", "mark")


def test_one_thread_listens(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    ended = Event()
    monkeypatch.setattr(Unchanged, "_hear", lambda _: ended.wait(MAX_SECONDS))
    process = Unchanged(db.engine)
    process._is_told = False
    process.begin()
    listener = process._listener
    process.begin()
    assert process._listener is listener
    ended.set()
    listener.join()
