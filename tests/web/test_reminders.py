"""Reminders, from the switch on a phone to what its browser decrypts: sent by a fake push service, which can refuse."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest
from devices import Device, PlayedNight
from flask import Flask
from receivers import OK, Receiver
from test_web_push import AUTH, PUBLIC, RECEIVER, key_of, opened, read, verified

from companion.serve.sending.sender import Sender
from companion.store.groups import reminders as store
from companion.store.models import Night, Subscription, db
from companion.store.portable import export_group
from companion.web.phones import due_reminders, reminders, web_push


@pytest.fixture
def night(app: Flask, monkeypatch: pytest.MonkeyPatch) -> PlayedNight:
    monkeypatch.setitem(app.config, "WEBHOOKS", "anywhere")
    monkeypatch.setattr(reminders, "is_https", lambda: True)
    return PlayedNight(app)


def remind(night: PlayedNight, phone: Device, url: str, do: str = "on", **more: str) -> int:
    sent = {"do": do, "endpoint": url, "p256dh": PUBLIC, "auth": AUTH, **more}
    return phone.post(f"{night.night}/reminders", **sent).status_code


def send(app: Flask) -> None:
    Sender(app, quiet=0).send_all()


def told(receiver: Receiver) -> list[str]:
    """Decrypt what the push service got since it was asked, and check who it is from."""
    texts = []
    for headers, body in receiver.got:
        claims = verified(headers["authorization"])
        assert (claims["aud"], headers["content-encoding"]) == (f"http://127.0.0.1:{receiver.port}", "aes128gcm")
        assert headers["topic"].startswith("night")
        message = json.loads(opened(body, key_of(RECEIVER), read(AUTH)))
        assert (message["title"], message["page"][:2]) == ("Friday", "s/")
        texts.append(f"{headers['urgency']}, {headers['ttl']}: {message['body']}")
    receiver.got.clear()
    return texts


def rows(app: Flask) -> list[Subscription]:
    with app.app_context():
        return list(db.session.scalars(db.select(Subscription).order_by(Subscription.phone)))


YOURS = "high, 300: It's your turn"


def test_a_phone_is_told_of_its_turn_once_and_of_its_debt(app: Flask, night: PlayedNight) -> None:
    ana, beto = night.joined("Ana"), night.joined("Beto")
    with Receiver() as receiver:
        assert remind(night, ana, receiver.url) == 200
        send(app)
        assert told(receiver) == []
        night.presses("knocks-{Beto}", beto)  # the turn is Caro's
        send(app)
        assert told(receiver) == []
        night.presses("stay-{Caro}")
        send(app)
        assert told(receiver) == [YOURS]
        send(app)
        night.does("/note", place="Beto's", note="")  # somebody else did something
        send(app)
        assert told(receiver) == []  # it was told before
        night.presses("stay-{Ana}", ana)
        send(app)
        assert (told(receiver), [row.is_told for row in rows(app)]) == ([], [False])
        ana.get("/?language=es")
        assert remind(night, ana, receiver.url) == 200  # again, now in Spanish
        assert remind(night, beto, receiver.url) == 200
        night.plays("round")
        night.plays("close")
        send(app)
        found = sorted(told(receiver))
        assert found[0].startswith("normal, 86400: La noche terminó") and "6" in found[0]
        assert found[1] == "normal, 86400: The night is over: you owe 3"
    assert rows(app) == []


def test_who_is_even_is_told_so(app: Flask, night: PlayedNight) -> None:
    ana = night.joined("Ana")
    with Receiver() as receiver:
        remind(night, ana, receiver.url)
        night.plays("close")
        send(app)
        assert told(receiver) == ["normal, 86400: The night is over: you are even"]
        remind(night, ana, receiver.url)
    assert rows(app) == []  # the night is closed


def test_nothing_is_told_of_a_night_that_was_reopened(app: Flask, night: PlayedNight) -> None:
    ana = night.joined("Ana")
    with Receiver() as receiver:
        remind(night, ana, receiver.url)
        night.plays("close")
        with app.app_context():
            db.session.execute(db.update(Night).values(closed_at=None))
            db.session.commit()
        send(app)
        assert told(receiver) == []


@pytest.mark.parametrize("now", [{"event": "turn"}, {"phone": "another"}], ids=["a turn", "of no seat"])
def test_a_closed_night_tells_no_turn_and_a_phone_without_a_seat_nothing(
    app: Flask, night: PlayedNight, now: dict[str, str]
) -> None:
    remind(night, night.joined("Ana"), "https://push.example.net/")
    night.plays("close")
    with app.app_context():
        db.session.execute(db.update(Subscription).values(now))
        db.session.commit()
        assert due_reminders.written(store.take()) == [None]


@pytest.mark.parametrize("status", [404, 410])
def test_a_phone_that_is_gone_is_forgotten(app: Flask, night: PlayedNight, status: int) -> None:
    with Receiver(f"HTTP/1.1 {status} Gone\r\n\r\n".encode()) as receiver:
        remind(night, night.joined("Ana"), receiver.url)
        night.plays("close")
        send(app)
        assert len(receiver.got) == 1
    assert rows(app) == []


def test_what_fails_is_tried_later_and_given_up(
    app: Flask, night: PlayedNight, monkeypatch: pytest.MonkeyPatch
) -> None:
    moment = [datetime(2026, 11, 28, 20, tzinfo=UTC)]
    monkeypatch.setattr(store, "now", lambda: moment[0])
    ana, beto = night.joined("Ana"), night.joined("Beto")
    with Receiver(b"HTTP/1.1 503 Busy\r\n\r\n") as receiver:
        remind(night, ana, receiver.url)
        night.presses("knocks-{Beto}", beto)
        night.presses("stay-{Caro}")
        for tries in (1, 1, 2):  # the second is too early
            send(app)
            assert len(receiver.got) == tries
            moment[0] += timedelta(seconds=6)
        moment[0] += timedelta(minutes=11)
        send(app)
        assert [(row.event, row.tries, row.is_told) for row in rows(app)] == [(None, 2, False)]
        receiver.answer = OK
        night.plays("close")
        send(app)
        assert len(receiver.got) == 4


def gives_up(night: PlayedNight, phone: Device) -> None:
    phone.does(f"{night.night}/me", do="give-up")


def is_freed(night: PlayedNight, phone: Device) -> None:
    night.does("/phones", do=f"free-{night.players['Ana']}")


def is_locked_out(night: PlayedNight, phone: Device) -> None:
    night.does("{group}/links", do="renew-play")


def is_deleted(night: PlayedNight, phone: Device) -> None:
    night.post("{group}/delete", sure="yes", name="Friday", do="delete")


def switches_off(night: PlayedNight, phone: Device) -> None:
    assert remind(night, phone, "", "off") == 200


@pytest.mark.parametrize("leaves", [gives_up, is_freed, is_locked_out, is_deleted, switches_off])
def test_nobody_is_reminded_who_has_left(
    app: Flask, night: PlayedNight, leaves: Callable[[PlayedNight, Device], None]
) -> None:
    ana = night.joined("Ana")
    remind(night, ana, "https://push.example.net/")
    assert len(rows(app)) == 1
    leaves(night, ana)
    assert rows(app) == []


def test_no_export_has_it(app: Flask, night: PlayedNight) -> None:
    remind(night, night.joined("Ana"), "https://push.example.net/")
    with app.app_context():
        file = export_group(night.group.removeprefix("/g/"))
        for text in ("push.example.net", AUTH, PUBLIC):
            assert text.encode() not in file


WRONG = [
    {"endpoint": "http://push.example.net/"},
    {"endpoint": "https://me:pw@push.example.net/"},
    {"endpoint": f"https://push.example.net/{'x' * 1000}"},
    {"p256dh": "AAAA"},
    {"auth": ""},
]


@pytest.mark.parametrize("wrong", WRONG)
def test_what_no_browser_sends_is_refused(app: Flask, night: PlayedNight, wrong: dict[str, str]) -> None:
    app.config["WEBHOOKS"] = "public"
    assert remind(night, night.joined("Ana"), "https://push.example.net/", **wrong) == 422
    assert rows(app) == []


def test_a_private_address_is_not_connected_to(app: Flask, night: PlayedNight) -> None:
    app.config["WEBHOOKS"] = "public"
    with Receiver() as receiver:
        assert remind(night, night.joined("Ana"), f"https://127.0.0.1:{receiver.port}/") == 200
        night.plays("close")
        send(app)
        assert (receiver.got, [row.tries for row in rows(app)]) == ([], [1])


def test_only_a_player_s_own_phone_is_reminded(app: Flask, night: PlayedNight, monkeypatch: pytest.MonkeyPatch) -> None:
    url = "https://push.example.net/"
    assert remind(night, night.keeper, url) == 422  # it has no seat
    assert remind(night, Device(app), url) == 404  # it may see nothing
    ana = night.joined("Ana")
    with monkeypatch.context() as patch:
        patch.setattr(store, "MAX_PHONES", 0)
        assert remind(night, ana, url) == 422
    with monkeypatch.context() as patch:
        patch.setattr(web_push, "find_spec", lambda _name: None)
        web_push.is_available.cache_clear()
        assert remind(night, ana, url) == 422
        assert "data-reminders" not in ana.get(f"{night.night}/me").text
        send(app)
    web_push.is_available.cache_clear()
    assert {remind(night, ana, url) for _ in range(21)} == {200, 429}


def test_the_switch_is_where_it_can_be_used(app: Flask, night: PlayedNight, monkeypatch: pytest.MonkeyPatch) -> None:
    ana = night.joined("Ana")
    page = ana.get(f"{night.night}/me").text
    with app.app_context():
        assert f'data-key="{web_push.public_key()}"' in page
    assert "hidden" in page[page.index("data-reminders") : page.index("csrf_token", page.index("data-reminders"))]
    assert 'data-worker="/worker.js"' in page  # which shows what is sent
    assert "data-reminders" not in night.html("/me")  # the keeper has no seat
    remind(night, ana, "https://push.example.net/")
    assert '<input type="checkbox" checked>' in ana.get(f"{night.night}/me").text
    monkeypatch.setattr(reminders, "is_https", lambda: False)
    assert "data-reminders" not in ana.get(f"{night.night}/me").text
