"""A group exported and imported: the same bytes, standings, history and audit on either database."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from conftest import EmptyDatabase, opened
from flask import Flask
from nights import Night
from sqlalchemy import text
from test_night import play_the_night

from companion.store import groups, links, play, settling
from companion.store.audit import audit
from companion.store.models import Group, Link, db
from companion.store.play import Conflict, Refused
from companion.store.portable import export_group, import_group

STEPS = "lost Ana Beto; lost Beto Caro; rummy; won Ana; bank bank Ana 5; fix 1 won Ana; void 3; undo 2"


def group_of(night: Night) -> Group:
    return night.session.group


@pytest.fixture(params=["sqlite", "postgresql"])
def elsewhere(request: pytest.FixtureRequest, empty_database: EmptyDatabase) -> Iterator[Flask]:
    """Give another server, empty."""
    yield from opened(empty_database(request.param))


def eventful() -> Night:
    """Play two nights in which everything happens that a group can keep, and settle up."""
    night = Night("Ana", "Beto", "Caro", away=["Dani", "Eva"])
    night.do(f"{STEPS}; seats Ana Beto=out Dani Caro; won Ana; close split")
    group = group_of(night)
    players = {player.name: player for player in group.players}
    groups.rename_player(players["Beto"], "Bertram Ñ 李")
    groups.retire_player(players["Eva"], True)
    groups.rename_player(players["Dani"], "=Dani")
    play.write_note(night.public_id, "Café", "=a note\nof two lines", night.sent())
    play.write_remark(night.public_id, 1, "+a remark", night.sent())
    first = settling.make_plan(group, night.session, None, None, night.sent())
    settling.pay(first.public_id, 0, 1, night.sent())
    settling.pay(first.public_id, 0, -1, night.sent())
    settling.make_plan(group, None, None, "bank", night.sent())
    groups.start_session(group, [players["Eva"].id, players["Ana"].id], "knock", {}, "another", 25, "EUR")
    return night


def standings(public_id: str) -> list[tuple[str, dict[str, int]]]:
    """List the balances of every session by the players' names, with SQL of the tests' own."""
    query = """
        SELECT s.public_id, COALESCE(p.name, a.key), a.balance FROM player_group g
        JOIN play_session s ON s.group_id = g.id JOIN account a ON a.session_id = s.id
        LEFT JOIN player p ON CAST(p.id AS TEXT) = a.key WHERE g.public_id = :group ORDER BY s.id, a.id
    """
    found: dict[str, dict[str, int]] = {}
    for session, name, balance in db.session.execute(text(query), {"group": public_id}):
        found.setdefault(session, {})[name] = balance
    return list(found.items())


def counts() -> dict[str, int]:
    """Count the rows of every table that is exported."""
    tables = ("player_group player play_session seat account change line revision transfer "
              "settle_up planned_payment paid").split()  # fmt: skip
    return {table: int(db.session.execute(text(f"SELECT count(*) FROM {table}")).scalar_one()) for table in tables}


@pytest.mark.parametrize("which", ["eventful", "sixty-rounds"])
def test_an_import_is_the_same_group_elsewhere(app: Flask, elsewhere: Flask, which: str) -> None:
    night = eventful() if which == "eventful" else play_the_night().night
    public_id = group_of(night).public_id
    content, before, rows = export_group(public_id), standings(public_id), counts()
    db.session.rollback()
    with elsewhere.app_context():
        # ids are other ones there
        Night("Zoe", "Yan").do("won Zoe")
        others = counts()
        made, is_new = import_group(content, "a new secret")
        assert (made.public_id, is_new) == (public_id, True)
        assert export_group(public_id) == content
        assert standings(public_id) == before
        assert {table: number - others[table] for table, number in counts().items()} == rows
        assert list(audit()) == []
        again, is_new = import_group(content, "another secret")
        assert (again.public_id, is_new) == (public_id, False)
        assert {table: number - others[table] for table, number in counts().items()} == rows
        assert groups.open_group("another secret") is None
        opened_group = groups.open_group("a new secret")
        assert opened_group is not None
        assert opened_group.public_id == public_id
        assert db.session.query(Link).filter_by(group_id=opened_group.id).count() == 3
