"""How webhooks are sent beside the saves: without holding them up, and without waiting for receivers that hang."""

from __future__ import annotations

import json
import threading
from typing import Any

import pytest
from devices import PlayedNight
from flask import Flask
from receivers import Receiver
from sqlalchemy import text
from waiting import until

from companion.serve.sending import sender as sending
from companion.serve.sending.outgoing import NotDelivered
from companion.serve.sending.sender import Sender
from companion.store.db import pace
from companion.store.db.database import transaction
from companion.store.log import deliveries
from companion.store.models import Webhook, db

OTHER = "another-secret-of-the-link-that-keeps-score"


@pytest.fixture
def night(app: Flask) -> PlayedNight:
    app.config["WEBHOOKS"] = "anywhere"
    return PlayedNight(app)


def hook(night: PlayedNight, url: str) -> None:
    night.post("{group}/webhooks", url=url, events=["round.saved"], do="make")


def test_a_receiver_that_hangs_holds_up_no_other_group(
    app: Flask, night: PlayedNight, monkeypatch: pytest.MonkeyPatch
) -> None:
    other, goes_on = PlayedNight(app, secret=OTHER), threading.Event()
    sent = sending.post

    def post(url: str, *given: Any, **named: Any) -> None:
        if "hangs" not in url:
            return sent(url, *given, **named)
        goes_on.wait()
        raise NotDelivered("slow")

    monkeypatch.setattr(sending, "post", post)
    sender = Sender(app, 0.01, quiet=0)
    with Receiver() as receiver:
        hook(night, "http://hangs.example/")
        hook(night, f"{receiver.url}&waits=1")
        hook(other, receiver.url)
        night.plays("round")
        other.plays("round")
        other.plays("round")
        sender.start()
        until(lambda: len(receiver.got) == 2)
        assert "waits" not in str(receiver.got)
        goes_on.set()
        until(lambda: len(receiver.got) == 3)
    sender.stop()
    sender.join()
    with app.app_context():
        assert not deliveries.is_due()


def test_only_so_many_are_on_their_way(app: Flask, night: PlayedNight, monkeypatch: pytest.MonkeyPatch) -> None:
    other = PlayedNight(app, secret=OTHER)
    at_once: list[int] = []
    monkeypatch.setattr(sending, "_AT_ONCE", 1)
    sender = Sender(app, quiet=0)
    monkeypatch.setattr(sending, "post", lambda *_given, **_named: at_once.append(len(sender._queues[0].on_their_way)))
    for one in (night, other):
        hook(one, "http://127.0.0.1:9/")
        one.plays("round")
    sender.send_all()
    assert at_once == [1, 1]


def test_a_bug_while_a_message_is_sent_is_a_failure(
    app: Flask, night: PlayedNight, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[Any] = []
    monkeypatch.setattr(threading, "excepthook", seen.append)
    monkeypatch.setattr(sending, "post", lambda *_given, **_named: 1 // 0)
    hook(night, "http://127.0.0.1:9/")
    night.plays("round")
    Sender(app, quiet=0).send_all()
    with app.app_context():
        assert db.session.scalar(db.select(Webhook.failure)) == deliveries.NO_ANSWER
    assert len(seen) == 1


def test_what_could_not_be_noted_is_noted_later(
    app: Flask, night: PlayedNight, monkeypatch: pytest.MonkeyPatch
) -> None:
    def away(_results: Any) -> None:
        raise RuntimeError

    sender = Sender(app, quiet=0)
    with Receiver() as receiver:
        hook(night, receiver.url)
        night.plays("round")
        with monkeypatch.context() as patch:
            patch.setattr(deliveries, "note_results", away)
            with pytest.raises(RuntimeError):
                sender.send_all()
        sender.send_all()
        assert len(receiver.got) == 1
    with app.app_context():
        assert db.session.scalar(db.select(deliveries.Delivery.key)) is None


def test_it_gives_way_to_saves_but_not_for_ever(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    time, waited = [100.0], []

    def wait(seconds: float) -> bool:
        waited.append(round(seconds, 2))
        time[0] += seconds
        if len(waited) % 3:
            pace.changes.note()
        return False

    sender = Sender(app, quiet=0.25, patience=1)
    monkeypatch.setattr(pace, "monotonic", lambda: time[0])
    monkeypatch.setattr(sending, "monotonic", lambda: time[0])
    monkeypatch.setattr(sender._stopped, "wait", wait)
    pace.changes.note()
    sender._give_way()
    assert waited == [0.25, 0.25, 0.25]  # somebody saved twice more
    sender._give_way()
    assert len(waited) == 3  # nobody saves
    monkeypatch.setattr(sender, "_quiet", 10)
    sender._give_way()
    assert waited[3:] == [1]


def test_saves_are_changes_and_the_queue_s_own_are_not(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pace, "monotonic", lambda: 7.0)
    with app.app_context():
        for concerns_phones in (False, True):
            pace.changes.latest = 0
            with transaction(concerns_phones=concerns_phones):
                pass
            assert pace.changes.latest == (7 if concerns_phones else 0)


def test_only_what_is_unsynced_does_not_wait_for_the_disk(app: Flask) -> None:
    def level() -> int:
        return int(db.session.scalar(text("PRAGMA synchronous")) or 0)

    with app.app_context():
        for synced in (True, False, True):
            with transaction(synced=synced):
                assert level() == (2 if synced else 1)
            assert level() == 2
            db.session.remove()
            with pytest.raises(RuntimeError), transaction(synced=synced):
                raise RuntimeError
            assert level() == 2
            db.session.remove()


def test_a_message_is_what_there_is_when_it_is_sent(app: Flask, night: PlayedNight) -> None:
    with Receiver() as receiver:
        hook(night, receiver.url)
        night.plays("round")
        night.plays("round")
        Sender(app, quiet=0).send_all()
        night.plays("round")
        stopped = Sender(app, quiet=0)
        stopped.stop()
        stopped.send_all()
    numbers = [json.loads(body)["data"]["round"]["number"] for _, body in receiver.got]
    assert numbers == [1, 2]
