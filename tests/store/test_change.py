"""Changes are made once, even by several phones at once, and on data that is read again if it has changed."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier, Thread

import pytest
from flask import Flask
from nights import PlayedNight, enter, summed_transfers
from statements import heard
from waiting import MAX_SECONDS

from companion.store.audit import audit
from companion.store.db import database
from companion.store.log.ledger import balances
from companion.store.models import Night, db
from companion.store.night import phones, play, revising
from companion.store.night import settings as night_changes
from companion.store.night.change import apply
from companion.store.refusals import Conflict, Refused, Sent
from companion.table.cells import TABLE, values_in

Seen = tuple[object, ...]


def seen(session: Night) -> Seen:
    """Return what a change may go by."""
    code, note, draft = session.join_code, session.note, session.draft and values_in(session.draft.cells)
    return session.player_keys("in"), code, note, draft, sorted(balances(session).items())


def from_another_phone(app: Flask, work: Callable[[], object]) -> None:
    def run() -> None:
        with app.app_context():
            work()

    thread = Thread(target=run)
    thread.start()
    thread.join(timeout=MAX_SECONDS)


MEANWHILE: list[tuple[str, Callable[[PlayedNight], object]]] = [
    ("seats", lambda night: night.do("seats Ana Beto")),
    ("a round", lambda night: night.do("won Beto")),
    ("a note", lambda night: night_changes.write_note(night.public_id, "", "late", night.sent())),
    ("a tap", lambda night: enter(night.public_id, "key", 2, {TABLE: {"a": "9s"}}, "another")),
    ("a join code", lambda night: phones.renew_code(night.public_id, night.sent())),
]


@pytest.mark.parametrize("meanwhile", [work for _, work in MEANWHILE], ids=[name for name, _ in MEANWHILE])
def test_a_change_sees_what_changed_meanwhile(
    app: Flask, night: PlayedNight, meanwhile: Callable[[PlayedNight], object]
) -> None:
    night.do("won Ana")
    enter(night.public_id, "key", 2, {TABLE: {"b": "Ks"}}, "one")
    opened = night.night
    before, found = seen(opened), list[Seen]()
    from_another_phone(app, lambda: meanwhile(night))
    apply(opened.public_id, night.sent(), "note", {}, lambda session, _: found.append(seen(session)))
    db.session.remove()
    assert found == [seen(night.night)] != [before]


def test_a_change_reads_nothing_again_that_is_the_same(night: PlayedNight) -> None:
    opened, said = night.night, list[str]()
    before, found = seen(opened), list[Seen]()
    with heard(db.engine, lambda statement, _values: said.append(statement)):
        apply(opened.public_id, night.sent(), "note", {}, lambda session, _: found.append(seen(session)))
    assert found == [before]
    assert [one for one in said if "FROM seat" in one or "FROM draft" in one or "night.join_code" in one] == []


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
            barrier.wait(timeout=MAX_SECONDS)
            try:
                return work(at)
            except Refused as refused:
                return refused

    db.session.rollback()
    with ThreadPoolExecutor(number) as pool:
        return list(pool.map(run, range(number)))


@pytest.mark.usefixtures("writers")
def test_of_two_that_save_at_once_one_is_booked_and_one_told(app: Flask, night: PlayedNight) -> None:
    id, won = night.public_id, [night.round("won Ana"), night.round("won Beto")]
    found = at_once(app, 2, lambda at: play.save_round(id, 1, won[at], Sent(f"phone {at}", "")))
    assert sorted(type(one).__name__ for one in found) == ["Conflict", "int"]
    assert night.revisions() == [1]
    assert night.standings() in ("Ana 2, Beto -1, Caro -1", "Ana -1, Beto 2, Caro -1")


@pytest.mark.usefixtures("writers")
def test_a_double_tap_is_booked_once(app: Flask, night: PlayedNight) -> None:
    id, won = night.public_id, night.round("won Ana")
    found = at_once(app, 4, lambda _: play.save_round(id, 1, won, Sent("one tap", "")))
    assert len(set(found)) == 1
    assert isinstance(found[0], int)
    assert night.standings() == "Ana 2, Beto -1, Caro -1"


@pytest.mark.usefixtures("writers")
def test_of_corrections_at_once_one_is_made(app: Flask, night: PlayedNight) -> None:
    night.do("lost Ana Beto; won Ana")
    id, won = night.public_id, night.round("won Beto")
    found = at_once(app, 4, lambda at: revising.correct(id, 1, won, 1, Sent(f"phone {at}", "")))
    assert sum(isinstance(one, Conflict) for one in found) == 3
    assert night.revisions() == [2, 2]


@pytest.mark.usefixtures("writers")
def test_eight_that_try_again_are_all_booked_once(app: Flask, night: PlayedNight) -> None:
    id, won = night.public_id, night.round("won Ana")

    def save(at: int) -> int:
        while True:
            session = play.find_night(id)
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
