"""Database access: SQLite's pragmas, concurrent phones, atomic changes."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from flask import Flask
from nights import Night, summed_transfers
from sqlalchemy import func, select, text

from companion.store import database, groups, ledger, play, recording
from companion.store.audit import audit
from companion.store.models import BookedTransfer, Change, Group, Line, PlaySession, db
from companion.store.refusals import Conflict, Refused, Sent

ON_SQLITE = pytest.mark.parametrize("app", ["sqlite"], indirect=True)
FULL = 2
PRAGMAS = [("journal_mode", "wal"), ("synchronous", FULL), ("foreign_keys", 1), ("busy_timeout", 5000)]


@ON_SQLITE
@pytest.mark.parametrize(("pragma", "value"), PRAGMAS)
def test_sqlite_keeps_what_is_committed(app: Flask, pragma: str, value: object) -> None:
    with db.engine.connect() as one, db.engine.connect() as another:
        for connection in (one, another):
            assert connection.execute(text(f"PRAGMA {pragma}")).scalar_one() == value


@pytest.fixture(params=["threads", "processes"])
def writers(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run with threads as they are, and without the lock that only threads of one process share."""
    if request.param == "processes":

        class NoLock:
            __enter__ = __exit__ = lambda *_: None

        monkeypatch.setattr(database, "_writers", NoLock())


def at_once(app: Flask, number: int, work: Callable[[int], object]) -> list[object]:
    """Run work in threads that start together, each with its own context; returns results and errors."""
    barrier = Barrier(number)

    def run(at: int) -> object:
        with app.app_context():
            barrier.wait(timeout=10)
            try:
                return work(at)
            except Refused as refused:
                return refused

    db.session.rollback()
    with ThreadPoolExecutor(number) as pool:
        return list(pool.map(run, range(number)))


@pytest.mark.usefixtures("writers")
def test_of_two_that_save_at_once_one_is_booked_and_one_told(app: Flask, night: Night) -> None:
    id, won = night.public_id, [night.round("won Ana"), night.round("won Beto")]
    found = at_once(app, 2, lambda at: play.save_round(id, 1, won[at], Sent(f"phone {at}", "")))
    assert sorted(type(one).__name__ for one in found) == ["Conflict", "int"]
    assert night.revisions() == [1]
    assert night.standings() in ("Ana 2, Beto -1, Caro -1", "Ana -1, Beto 2, Caro -1")


@pytest.mark.usefixtures("writers")
def test_a_double_tap_is_booked_once(app: Flask, night: Night) -> None:
    id, won = night.public_id, night.round("won Ana")
    found = at_once(app, 4, lambda _: play.save_round(id, 1, won, Sent("one tap", "")))
    assert len(set(found)) == 1
    assert isinstance(found[0], int)
    assert night.standings() == "Ana 2, Beto -1, Caro -1"


@pytest.mark.usefixtures("writers")
def test_of_corrections_at_once_one_is_made(app: Flask, night: Night) -> None:
    night.do("lost Ana Beto; won Ana")
    id, won = night.public_id, night.round("won Beto")
    found = at_once(app, 4, lambda at: play.correct(id, 1, won, 1, Sent(f"phone {at}", "")))
    assert sum(isinstance(one, Conflict) for one in found) == 3
    assert night.revisions() == [2, 2]


@pytest.mark.usefixtures("writers")
def test_eight_that_try_again_are_all_booked_once(app: Flask, night: Night) -> None:
    id, won = night.public_id, night.round("won Ana")

    def save(at: int) -> int:
        while True:
            session = play.find_session(id)
            assert session is not None
            number = play.next_number(session)
            try:
                made = play.save_round(id, number, won, Sent(f"phone {at}", ""))
                # a tap again, as after a lost connection
                assert play.save_round(id, number, won, Sent(f"phone {at}", "")) == made
            except Conflict:
                db.session.rollback()
            else:
                return made

    made = at_once(app, 8, save)
    assert len(set(made)) == 8
    assert night.revisions() == [1] * 8
    assert night.standings() == "Ana 16, Beto -8, Caro -8"
    assert {night.ids["Ana"]: 16, night.ids["Beto"]: -8, night.ids["Caro"]: -8} == summed_transfers(id)
    assert list(audit()) == []


@pytest.mark.usefixtures("writers")
def test_a_session_started_twice_at_once_is_one(app: Flask, night: Night) -> None:
    players = [int(night.ids[name]) for name in ("Ana", "Beto")]

    def start(_: int) -> int:
        group = db.session.get_one(Group, night.group_id)
        return groups.start_session(group, players, "knock", {}, "the key").id

    assert len(set(at_once(app, 4, start))) == 1


@pytest.mark.usefixtures("writers")
def test_a_group_made_twice_at_once_is_one(app: Flask) -> None:
    assert len(set(at_once(app, 4, lambda _: groups.make_group("Friday", ["Ana", "Beto"], "the secret").id))) == 1
    assert count(Group) == 1


def count(table: type) -> int:
    return db.session.scalars(select(func.count()).select_from(table)).one()


FAILING = [
    (play, "_must_leave_a_pot"),
    (ledger, "add_change"),
    (ledger.Accounts, "id_of"),
    (ledger, "_revise"),
    (ledger, "_update_balances"),
    (recording, "record"),
]


@pytest.mark.parametrize(("module", "failing"), FAILING, ids=[name for _, name in FAILING])
def test_an_error_in_the_middle_leaves_nothing(
    night: Night, monkeypatch: pytest.MonkeyPatch, module: object, failing: str
) -> None:
    night.do("lost Ana Beto; lost Beto Caro; won Ana")
    before = [count(table) for table in (Change, Line, BookedTransfer)], night.standings(), night.revisions()
    real = getattr(module, failing)

    def fails_after(*given: object, **named: object) -> None:
        real(*given, **named)
        raise RuntimeError("power cut")

    with monkeypatch.context() as patch:
        patch.setattr(module, failing, fails_after)
        for step in ("won Ana", "fix 1 won Ana"):
            with pytest.raises(RuntimeError, match="power cut"):
                night.do(step)
    assert ([count(table) for table in (Change, Line, BookedTransfer)], night.standings(), night.revisions()) == before
    night.do("won Ana")
    assert len(night.revisions()) == 4


def test_an_error_in_a_transaction_leaves_nothing(night: Night) -> None:
    with pytest.raises(RuntimeError), database.transaction():
        night.session.stake_units = 7
        db.session.flush()
        raise RuntimeError
    assert night.session.stake_units == 1


def test_what_was_only_read_is_not_kept_back_by_a_writer(app: Flask, night: Night) -> None:
    night.do("won Ana")
    with database.transaction():
        night.session.stake_units = 7
        db.session.flush()
        seen = at_once_reading(app, night.public_id)
    assert seen == 1
    assert night.session.stake_units == 7


def at_once_reading(app: Flask, public_id: str) -> int:
    """Read the stakes in a separate thread."""

    def read() -> int:
        with app.app_context():
            return db.session.scalars(select(PlaySession.stake_units).where(PlaySession.public_id == public_id)).one()

    with ThreadPoolExecutor(1) as pool:
        return pool.submit(read).result(timeout=10)
