"""Nights of the version before, with every game, in the version of today: the same money, to the last byte.

`version_before.sql` was made once, by the code of commit 09a0e83, the last one landed whose newest migration is 0007.
A script in a worktree of that commit made a group of five with two open nights, one for chips and one for euros at 25
cents a stake; booked of each game its round of `sample_rounds` and up to seven rows of its own test's ROUNDS, house
rules and all, in turn in one night and the other; corrected a round and voided one in each night, took one void back,
booked a loan, a buy-in and a pot that carries over; changed rules, seats, the note and a remark; closed the night for
chips with its pot split, and made two plans to settle up, of which one payment was ticked, taken back and ticked
again. A second group played one round and was deleted. It then wrote every row of every table as INSERT, with the
columns' names; what points at a later row is updated at the end.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import flask_migrate
import pytest
from databases import DATABASES, EmptyDatabase, opened
from flask import Flask
from sqlalchemy import select, text

from companion import create_app
from companion.contract import settle
from companion.store import ledger, play
from companion.store.audit import audit
from companion.store.models import BookedTransfer, Group, Line, PlaySession, Revision, db
from companion.store.portable import export_group, import_group
from companion.store.refusals import Sent
from companion.store.startup import register_migrations

SQL = Path(__file__).with_name("version_before.sql")
VERSION_BEFORE = "0007"
GAMES = {"knock-poker", "dompe", "domino-poker", "draw-poker", "knock", "knock-rummy"}  # all there were
GROUP_ID, CHIPS, EUROS = 1, 1, 2
# as the version before had them, by player, the pot and the bank
BALANCES: dict[int, dict[str, int]] = {
    CHIPS: {"1": 41, "2": 11, "3": -20, "4": -12, "5": 0, "pot": 0, "bank": -20},
    EUROS: {"1": 1413, "2": 613, "3": -1651, "4": -375, "5": 0, "pot": 0},
}
ROUNDS = 53  # superseded ones too, but none that is void


@pytest.fixture(scope="module", params=DATABASES)
def upgraded(request: pytest.FixtureRequest, made_database: EmptyDatabase) -> tuple[str, Path]:
    """Bring a database of the version before to the newest one; returns its kind and folder."""
    kind = str(request.param)
    settings = made_database(kind)
    app = create_app(settings)
    register_migrations(app)  # which a database of the newest version has not asked for
    with app.app_context():
        flask_migrate.downgrade(revision="base")
        flask_migrate.upgrade(revision=VERSION_BEFORE)
        with db.engine.begin() as connection:
            for statement in SQL.read_text(encoding="utf-8").split(";\n"):
                if statement:
                    connection.exec_driver_sql(statement)
        flask_migrate.upgrade()
        db.session.remove()
        db.engine.dispose()
    return kind, Path(str(settings["INSTANCE"]))


@pytest.fixture
def app(upgraded: tuple[str, Path], empty_database: EmptyDatabase) -> Iterator[Flask]:
    """Give an app on a copy of that database."""
    for app in opened(empty_database(*upgraded)):
        with app.app_context():
            yield app
            db.session.remove()


def test_its_nights_have_every_game_of_that_version(app: Flask) -> None:
    games = db.session.execute(select(Line.session_id, Line.game).where(Line.game.is_not(None))).all()
    for night in (CHIPS, EUROS):
        assert {game for session, game in games if session == night} == GAMES


def test_the_audit_finds_nothing(app: Flask) -> None:
    assert list(audit()) == []


def test_balances_are_those_of_before(app: Flask) -> None:
    for night, balances in BALANCES.items():
        assert ledger.balances(db.session.get_one(PlaySession, {"id": night, "group_id": GROUP_ID})) == balances


def test_every_round_settles_as_it_did(app: Flask) -> None:
    """Settle every revision by the contract, superseded ones too, and compare its transfers one by one."""
    rounds = 0
    for revision in db.session.scalars(select(Revision).order_by(Revision.id)):
        if "movement" in revision.document or revision.voided:
            continue
        status, answer = settle(revision.document)
        assert status == 200, answer
        booked = [(t.giver.key, t.taker.key, t.amount, t.reason, t.rule) for t in revision.transfers]
        settled = [(t["from"], t["to"], t["amount"], t["reason"], t["rule"]) for t in answer["transfers"]]
        assert settled == booked, revision.document
        rounds += 1
    assert rounds == ROUNDS
    assert db.session.query(BookedTransfer).count() > ROUNDS


@pytest.mark.parametrize("kind", DATABASES)
def test_it_is_exported_and_imported_byte_for_byte(app: Flask, kind: str, made_database: EmptyDatabase) -> None:
    public_id = db.session.get_one(Group, GROUP_ID).public_id
    content = export_group(public_id)
    db.session.rollback()
    for elsewhere in opened(made_database(kind)):
        with elsewhere.app_context():
            import_group(content, "a new secret")
            assert export_group(public_id) == content
            assert list(audit()) == []
            db.session.rollback()


def test_play_goes_on(app: Flask) -> None:
    session = db.session.get_one(PlaySession, {"id": EUROS, "group_id": GROUP_ID})
    round_of_before = session.lines[0].revisions[0].document
    if db.engine.dialect.name == "postgresql":  # the rows brought their own numbers, so none was drawn for them
        for table in ("change", "line", "revision"):
            query = f"SELECT setval(pg_get_serial_sequence('{table}', 'id'), (SELECT max(id) FROM {table}))"
            db.session.execute(text(query))
        db.session.commit()
    number = play.next_number(session)
    play.save_round(session.public_id, number, round_of_before, Sent("a key of today", "a phone"))
    assert play.next_number(session) == number + 1
    assert list(audit()) == []
