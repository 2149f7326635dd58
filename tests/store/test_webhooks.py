"""Webhooks: queued by the change itself, taken by one sender each, tried again later and later, and given up."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from threading import Thread
from typing import Any

import pytest
from flask import Flask
from nights import PlayedNight
from sqlalchemy import select

from companion.store.groups import deleting, webhooks
from companion.store.log import deliveries
from companion.store.log.deliveries import Outgoing
from companion.store.models import Delivery, Group, Webhook, db
from companion.store.money import settle_up
from companion.store.night import change
from companion.store.portable import export_group
from companion.store.refusals import Gone, Refused

URL = "https://bot.example.org/table"


class Clock:
    """The time, as the queue sees it."""

    def __init__(self) -> None:
        self.now = datetime(2026, 11, 28, 20, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now

    def goes_on(self, **by: float) -> None:
        self.now += timedelta(**by)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    found = Clock()
    monkeypatch.setattr(deliveries, "now", found)
    monkeypatch.setattr(webhooks, "now", found)
    return found


def hook(group: Group, *events: str, url: str = URL, key: str = "the form's key") -> Webhook:
    webhooks.make_webhook(group, url, events or webhooks.EVENTS, key, key)
    found = webhooks.webhooks_of(group)[0]
    found.next_at = deliveries.now()
    db.session.commit()
    return found


def queued() -> list[str]:
    db.session.rollback()
    return list(db.session.scalars(select(Delivery.event).order_by(Delivery.at, Delivery.webhook_id)))


def taken() -> Outgoing:
    found = deliveries.take()
    assert found is not None
    return found


def test_each_event_is_queued_by_its_change(night: PlayedNight) -> None:
    group = night.group
    hook(group)

    def tells(*events: str) -> None:
        assert queued() == [*events]
        db.session.execute(db.delete(Delivery))
        db.session.commit()

    night.do("lost Ana Beto; lost Beto Caro")
    tells("round.saved", "round.saved")
    night.do("fix 1 won Ana")
    tells("round.corrected")
    night.do("void 2")
    tells("round.voided")
    night.do("undo 2")
    tells("round.corrected")
    night.do("loan Ana Beto 5; void 3; seats Ana Beto Caro")
    tells()
    night.do("close")
    tells("night.closed")
    plan = settle_up.make_plan(group, night.night, None, None, night.sent())
    sent = night.sent()
    for _ in range(2):  # the form came again
        settle_up.pay(plan.public_id, 0, 1, sent)
    tells("payment.ticked")
    night.another()
    tells("night.opened")


def test_a_change_that_fails_tells_nothing(night: PlayedNight, monkeypatch: pytest.MonkeyPatch) -> None:
    hook(night.group)

    def fails(*told: Any) -> None:
        deliveries.tell(*told)
        raise RuntimeError

    monkeypatch.setattr(change, "tell", fails)
    with pytest.raises(RuntimeError):
        night.do("won Ana")
    assert (queued(), night.standings()) == ([], "")


def test_only_those_are_told_that_want_it(night: PlayedNight) -> None:
    group, other = night.group, PlayedNight("Ana", "Beto")
    hook(group, "night.closed", key="1")
    mine = hook(group, "round.saved", "round.voided", key="2")
    paused = hook(group, "round.saved", key="3")
    hook(other.group, key="4")
    webhooks.change_webhook(group, paused.id, "pause")
    night.do("won Ana")
    assert queued() == ["round.saved"]
    message = taken()
    assert (message.webhook_id, message.url, message.event, message.salt) == (mine.id, URL, "round.saved", "2")
    assert deliveries.take() is None  # nobody else gets it
    webhooks.change_webhook(group, mine.id, "revoke")
    assert queued() == []
    deliveries.note_results([(message, None)])  # too late, and harmless
    night.do("won Ana")
    webhooks.change_webhook(group, paused.id, "resume")
    assert (queued(), deliveries.waiting(group.id)) == ([], {})
    night.do("won Ana")
    assert deliveries.waiting(group.id) == {paused.id: 1}
    webhooks.change_webhook(group, paused.id, "pause")
    assert queued() == []
    webhooks.change_webhook(group, 999_999, "test")
    webhooks.change_webhook(other.group, paused.id, "resume")
    assert [(one.paused_at is None, one.revoked_at is None) for one in webhooks.webhooks_of(group)] == [
        (False, True),
        (True, True),
        (True, False),
    ]


def test_what_fails_is_tried_later_and_later_and_given_up(night: PlayedNight, clock: Clock) -> None:
    found = hook(night.group)
    began = clock.now
    night.do("won Ana")
    clock.goes_on(seconds=1)
    night.do("won Ana")
    pauses = [10, 40, 160, 640, 2_560, 10_240, 21_600, 21_600, 21_600]
    for pause in pauses:
        message = taken()
        assert message.at == began  # the oldest first
        deliveries.note_results([(message, "503")])
        assert not deliveries.is_due()
        clock.goes_on(seconds=pause - 1)
        assert (deliveries.is_due(), deliveries.take()) == (False, None)
        clock.goes_on(seconds=1)
        assert deliveries.is_due()
    assert (found.dropped, found.failure, found.failed_at) == (0, "503", found.failed_at)
    assert clock.now - began < deliveries.GIVEN_UP_AFTER
    clock.goes_on(hours=3)
    assert deliveries.take() is None
    db.session.expire_all()
    assert (found.dropped, found.dropped_at, queued()) == (2, clock.now, [])
    night.do("won Ana")
    deliveries.note_results([(taken(), None)])
    assert (queued(), found.tries, found.delivered_at) == ([], 0, clock.now)
    assert not deliveries.is_due()


def test_the_oldest_are_given_up_alone(night: PlayedNight, clock: Clock) -> None:
    hook(night.group)
    night.do("won Ana")
    clock.goes_on(hours=20)
    night.do("void 1")
    clock.goes_on(hours=5)
    assert (taken().event, queued()) == ("round.voided", ["round.voided"])


def test_a_sender_that_died_is_replaced(night: PlayedNight, clock: Clock) -> None:
    hook(night.group)
    night.do("won Ana")
    first = taken()
    clock.goes_on(minutes=4)
    assert deliveries.take() is None
    clock.goes_on(minutes=2)
    assert taken() == first


def test_a_test_is_sent_at_once(night: PlayedNight, clock: Clock) -> None:
    found = hook(night.group, "night.closed")
    webhooks.change_webhook(night.group, found.id, "test")
    deliveries.note_results([(taken(), "connection")])
    assert deliveries.take() is None
    webhooks.change_webhook(night.group, found.id, "test")
    assert (taken().event, found.tries) == ("test", 0)


def test_two_senders_send_each_once(app: Flask, night: PlayedNight) -> None:
    for at in range(3):
        hook(night.group, key=str(at))
    night.do("won Ana; won Ana; won Ana; void 1")
    sent: list[tuple[int, str]] = []

    def send() -> None:
        with app.app_context():
            while deliveries.is_due():
                if (message := deliveries.take()) is not None:
                    sent.append((message.webhook_id, message.key))
                    deliveries.note_results([(message, None)])
            db.session.remove()

    senders = [Thread(target=send) for _ in range(2)]
    for sender in senders:
        sender.start()
    for sender in senders:
        sender.join()
    assert (len(sent), len(set(sent)), queued()) == (12, 12, [])


def test_a_webhook_goes_with_its_group_and_into_no_export(night: PlayedNight) -> None:
    group = night.group
    found = hook(group)
    night.do("won Ana")
    message = taken()
    file = export_group(group.public_id)
    for text in ("example.org", "the form's key", webhooks.secret_of(group.id, found.salt)):
        assert text.encode() not in file
    deleting.delete_group(group, "key")
    deliveries.note_results([(message, "503")])
    assert (queued(), webhooks.webhooks_of(group)) == ([], [])
    with pytest.raises(Gone):
        hook(group, key="another")


def test_a_webhook_is_made_once(night: PlayedNight) -> None:
    for _ in range(2):
        hook(night.group, "round.saved")
    (found,) = webhooks.webhooks_of(night.group)
    assert (found.url, found.events) == (URL, " round.saved ")
    with pytest.raises(Refused, match="Choose what it is told"):
        webhooks.make_webhook(night.group, URL, ["nothing"], "salt", "key")
    for at in range(webhooks.MAX_WEBHOOKS - 1):
        hook(night.group, key=f"key {at}")
    with pytest.raises(Refused, match="revoke one first"):
        hook(night.group, key="one too many")


WRONG = ["", "bot.example.org", "ftp://bot.example.org", "https://", "https://a b.org/", "https://me:pw@bot.org/"]
WRONG += ["https://bot.org:0/", "https://bot.org:99999/", "https://[::1/", "https://b\u00f6t.org/", "https://a..b/"]
WRONG += ["https://bot.org/\x7f", f"https://bot.org/{'x' * 500}", "https://b\u200bot.org"]


@pytest.mark.parametrize("url", WRONG)
def test_an_address_that_can_not_be_one_is_refused(night: PlayedNight, url: str) -> None:
    with pytest.raises(Refused, match="That isn't an address for a webhook"):
        hook(night.group, url=url)
    assert webhooks.webhooks_of(night.group) == []


def test_addresses_without_encryption_need_a_setting(
    app: Flask, night: PlayedNight, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(Refused, match="must look like"):
        hook(night.group, url="http://bot.example.org/")
    monkeypatch.setitem(app.config, "WEBHOOKS", "anywhere")
    assert hook(night.group, url=" http://127.0.0.1:8080 ").url == "http://127.0.0.1:8080"


def test_a_secret_is_made_of_the_app_s_key(app: Flask, night: PlayedNight, monkeypatch: pytest.MonkeyPatch) -> None:
    def secret(group: int = 1, salt: str = "salt") -> str:
        return webhooks.secret_of(group, salt)

    same: Callable[[], str] = secret
    assert secret() == same()
    own = app.secret_key
    found = {secret(), secret(2), secret(salt="another")}
    for key in ("x" * 40, b"y" * 40):
        monkeypatch.setitem(app.config, "SECRET_KEY", key)
        found.add(secret())
    assert (len(found), own in found) == (5, False)
