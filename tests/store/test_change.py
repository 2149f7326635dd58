"""A change that is made on what the request has read before: kept if it still holds, else read again."""

from __future__ import annotations

from collections.abc import Callable
from threading import Thread

import pytest
from flask import Flask
from nights import Night
from statements import heard

from companion.store import drafts, night_changes, phones
from companion.store.change import apply
from companion.store.drafts import values_of
from companion.store.identities import keys_of
from companion.store.ledger import balances
from companion.store.models import PlaySession, db

Seen = tuple[object, ...]


def seen(session: PlaySession) -> Seen:
    """Return what a change may go by."""
    code, note, draft = session.join_code, session.note, values_of(session.draft)
    return keys_of(session, "in"), code, note, draft, sorted(balances(session).items())


def from_another_phone(app: Flask, work: Callable[[], object]) -> None:
    def run() -> None:
        with app.app_context():
            work()

    thread = Thread(target=run)
    thread.start()
    thread.join(timeout=30)


MEANWHILE: list[tuple[str, Callable[[Night], object]]] = [
    ("seats", lambda night: night.do("seats Ana Beto")),
    ("a round", lambda night: night.do("won Beto")),
    ("a note", lambda night: night_changes.write_note(night.public_id, "", "late", night.sent())),
    ("a tap", lambda night: drafts.enter(night.public_id, "key", 2, lambda _: {"a": "9s"}, "another")),
    ("a join code", lambda night: phones.renew_code(night.public_id, night.sent())),
]


@pytest.mark.parametrize("meanwhile", [work for _, work in MEANWHILE], ids=[name for name, _ in MEANWHILE])
def test_a_change_sees_what_changed_meanwhile(app: Flask, night: Night, meanwhile: Callable[[Night], object]) -> None:
    night.do("won Ana")
    drafts.enter(night.public_id, "key", 2, lambda _: {"b": "Ks"}, "one")
    opened = night.session
    before, found = seen(opened), list[Seen]()
    from_another_phone(app, lambda: meanwhile(night))
    apply(opened.public_id, night.sent(), "note", {}, lambda session, _: found.append(seen(session)))
    db.session.remove()
    assert found == [seen(night.session)] != [before]


def test_a_change_reads_nothing_again_that_is_the_same(night: Night) -> None:
    opened, said = night.session, list[str]()
    before, found = seen(opened), list[Seen]()
    with heard(db.engine, lambda statement, _values: said.append(statement)):
        apply(opened.public_id, night.sent(), "note", {}, lambda session, _: found.append(seen(session)))
    assert found == [before]
    assert [one for one in said if "FROM seat" in one or "FROM draft" in one or "play_session.join_code" in one] == []
