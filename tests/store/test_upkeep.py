"""Audits and backups are noted in the database, and another process reads them over connections of its own."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from databases import DATABASES, EmptyDatabase, opened
from flask import Flask
from sqlalchemy.pool import NullPool

from companion.store import upkeep
from companion.store.groups import deleting, groups
from companion.store.night import settings
from companion.store.refusals import Sent


@pytest.fixture(params=DATABASES)
def app(request: pytest.FixtureRequest, made_database: EmptyDatabase) -> Iterator[Flask]:
    for app in opened(made_database(request.param)):
        with app.app_context():
            yield app


def test_the_newest_audit_and_backup_are_kept(app: Flask) -> None:
    engine = upkeep.engine_apart()
    assert isinstance(engine.pool, NullPool)
    with engine.connect() as connection:
        assert upkeep.last_done(connection) == {}
    upkeep.note("audit", 3)
    upkeep.note("backup")
    with engine.connect() as connection:
        first = upkeep.last_done(connection)
    upkeep.note("audit")
    with engine.connect() as connection:
        second = upkeep.last_done(connection)
    assert [(kind, first[kind].errors) for kind in sorted(first)] == [("audit", 3), ("backup", 0)]
    assert second["audit"].errors == 0
    assert second["audit"].at > first["audit"].at
    assert second["backup"] == first["backup"]


def test_open_nights_are_those_that_nobody_closed_or_deleted(app: Flask) -> None:
    def counted() -> int:
        with upkeep.engine_apart().connect() as connection:
            return upkeep.open_nights(connection)

    assert counted() == 0
    made = [groups.make_group(name, ["Ana", "Beto"], f"secret of {name}") for name in ("Friday", "Monday")]
    nights = [
        groups.start_night(group, [player.id for player in group.players], "knock", {}, f"key {group.name}")
        for group in made
    ]
    assert counted() == 2
    settings.close(nights[0].public_id, False, Sent("closing", "a phone"))
    assert counted() == 1
    deleting.delete_group(made[1], "deleting")
    assert counted() == 0
