"""The sender sees whose turn it is, once for all phones of a night that has changed; a tap pays nothing for it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from devices import HANDS, PlayedNight
from flask import Flask
from receivers import Receiver
from statements import heard
from test_reminders import YOURS, remind, rows, send, told

from companion.store.db.database import transaction
from companion.store.groups import reminders as store
from companion.store.models import Night, db
from companion.web.phones import due_reminders


@pytest.fixture
def night(app: Flask, monkeypatch: pytest.MonkeyPatch) -> PlayedNight:
    monkeypatch.setitem(app.config, "WEBHOOKS", "anywhere")
    return PlayedNight(app)


def test_what_comes_meanwhile_is_sent_next(app: Flask, night: PlayedNight) -> None:
    remind(night, night.joined("Ana"), "https://push.example.net/")
    (phone,) = [row.phone for row in rows(app)]
    with app.app_context():
        here = db.session.scalars(db.select(Night)).one()
        store.note_turn(here, {phone})
        (first,) = store.take()
        assert store.take() == []  # nobody else gets it
        for turn in (set[str](), {phone}):  # the turn passes on, and comes back
            store.note_turn(here, turn)
        store.note_results([(first, None)])
        (second,) = store.take()
        assert (second.event, second.since > first.since) == ("turn", True)
        with transaction():
            store.mark_over(here)
        store.note_turn(here, set())
        store.note_results([(second, "503"), (second, None)])
        (third,) = store.take()
        assert third.event == "over"
        store.unsubscribe(here, phone)
        store.note_results([(third, "503"), (third, None)])
        assert not store.is_due()


@pytest.fixture
def looks(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return what the sender worked out of nights: whose turn it is, or who owes what."""
    done = list[str]()

    def counted(name: str, work: Callable[..., Any]) -> Callable[..., Any]:
        def counts(*given: Any) -> Any:
            done.append(name)
            return work(*given)

        return counts

    for name in ("round_in", "owed_in_night"):
        monkeypatch.setattr(due_reminders, name, counted(name, getattr(due_reminders, name)))
    return done


def test_a_hand_that_is_sent_after_a_knock_is_a_turn(app: Flask, night: PlayedNight) -> None:
    ana, beto, caro = map(night.joined, HANDS)
    with Receiver() as receiver:
        assert remind(night, ana, receiver.url) == 200
        night.presses("knocks-{Beto}", beto)
        night.types(caro, players_2_hand=HANDS["Caro"])
        send(app)
        assert told(receiver) == [YOURS]


def test_who_begins_is_told_once_the_cards_are_dealt(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(app.config, "WEBHOOKS", "anywhere")
    night = PlayedNight(app, "domino-poker")
    ana, beto, caro = map(night.joined, HANDS)
    with Receiver() as receiver:
        for phone in (ana, beto, caro):
            remind(night, phone, receiver.url)
        night.does("/note", place="Beto's", note="")
        send(app)
        assert told(receiver) == []
        night.presses("dealt-{Ana}")
        send(app)
        assert told(receiver) == [YOURS]


def test_once_the_hands_are_shown_it_is_nobodys_turn(app: Flask, night: PlayedNight) -> None:
    caro = night.joined("Caro")
    with Receiver() as receiver:
        remind(night, caro, receiver.url)
        night.presses("knocks-{Beto}")
        night.types(night.keeper, players_1_hand=HANDS["Beto"], do="show")
        send(app)
        assert told(receiver) == []


def test_a_night_is_looked_at_once_for_all_of_its_phones(app: Flask, night: PlayedNight, looks: list[str]) -> None:
    phones = [night.joined(name) for name in HANDS]
    with Receiver() as receiver:
        for phone in phones:
            remind(night, phone, receiver.url)
        night.presses("knocks-{Beto}", phones[1])
        night.presses("stay-{Caro}")
        send(app)
        assert (told(receiver), looks) == ([YOURS], ["round_in"])
        night.plays("close")
        looks.clear()
        send(app)
        assert (len(told(receiver)), looks) == (3, ["owed_in_night"])


def test_where_no_phone_is_reminded_it_costs_nothing(app: Flask, night: PlayedNight, looks: list[str]) -> None:
    beto, said = night.joined("Beto"), list[str]()
    with app.app_context():
        engine = db.engine
    with heard(engine, lambda statement, _values: said.append(statement)):
        night.presses("knocks-{Beto}", beto)
        night.types(beto, players_1_hand=HANDS["Beto"])
    assert [one for one in said if "subscription" in one] == []
    send(app)
    assert looks == []
