"""The page of a group's webhooks: their secret is shown once; they are tried out, paused and revoked."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from devices import Device, PlayedNight
from flask import Flask

from companion.store.groups import webhooks
from companion.store.log import deliveries
from companion.store.models import Group, db

SECRET = re.compile(r"<code>(whsec_[\w+/]{43}=)</code>")
BOT = {"url": "https://bot.example.org/a-secret-path", "events": ["round.saved", "night.closed"], "do": "make"}
PAGE = "{group}/webhooks"


def sends(app: Flask, *failures: str | None) -> list[str]:
    """Take messages and note what became of them; returns their events."""
    found = []
    with app.app_context():
        for failure in failures:
            message = deliveries.take()
            assert message is not None
            deliveries.note_results([(message, failure)])
            found.append(message.event)
        assert deliveries.take() is None
    return found


def test_a_secret_is_shown_once(night: PlayedNight, app: Flask, caplog: pytest.LogCaptureFixture) -> None:
    first, again = (night.post(PAGE, **BOT, key="the form's key") for _ in range(2))
    assert [answer.status_code for answer in (first, again)] == [200, 200]
    (secret,) = SECRET.findall(first.text)
    assert SECRET.findall(again.text) == [secret]
    assert f'data-copy-text="{secret}"' in first.text
    other = night.post(PAGE, **BOT | {"events": ["round.voided"]}, key="the form's key")
    assert "This was already saved, with different contents" in other.text
    assert SECRET.findall(other.text) == []
    found = night.text(PAGE)
    assert found.count("nothing delivered yet") == 1
    assert "A round is saved · A night is closed" in found
    for place in (night.html(PAGE), night.html("{group}/export/group.json"), caplog.text):
        assert secret not in place
        assert "a-secret-path" not in place
    assert "bot.example.org" not in night.html("{group}/export/group.json")


def test_two_groups_get_different_secrets_for_the_same_form(night: PlayedNight, app: Flask) -> None:
    other = PlayedNight(app, secret="of another group")
    found = {secret for one in (night, other) for secret in SECRET.findall(one.post(PAGE, **BOT, key="key").text)}
    assert len(found) == 2


def test_a_webhook_is_tried_out_paused_and_revoked(night: PlayedNight, app: Flask) -> None:
    night.post(PAGE, **BOT)
    night.does(PAGE, do="test-1")
    assert "1 message waits" in night.text(PAGE)
    assert sends(app, None) == ["test"]
    assert "last delivered" in night.text(PAGE)
    night.does(PAGE, do="test-1")
    night.plays("round")
    assert "2 messages wait" in night.text(PAGE)
    assert sends(app, "503") == ["test"]
    assert "it answered with status 503" in night.text(PAGE)
    for why, text in (("slow", "no answer in time"), ("private", "it leads to a private address, which isn't allowed")):
        night.does(PAGE, do="test-1")
        sends(app, why)
        assert text in night.text(PAGE)
    night.does(PAGE, do="pause-1")
    found = night.text(PAGE)
    assert "paused" in found
    assert "waits" not in found
    night.does(PAGE, do="resume-1")
    assert "Send a test" in night.text(PAGE)
    night.does(PAGE, do="revoke-1")
    assert "no longer in use" in night.text(PAGE)
    assert 'value="revoke-' not in night.html(PAGE)


def test_what_was_given_up_is_told(night: PlayedNight, app: Flask) -> None:
    night.post(PAGE, **BOT)
    with app.app_context():
        group = db.session.scalars(db.select(Group)).one()
        hook = webhooks.webhooks_of(group)[0]
        hook.dropped, hook.dropped_at = 3, hook.made_at
        db.session.commit()
    assert "given up: 3, last" in night.text(PAGE)


def test_a_wrong_form_makes_nothing(night: PlayedNight) -> None:
    assert "must look like" in night.post(PAGE, **BOT | {"url": "bot"}).text
    assert "Choose what it is told" in night.post(PAGE, **BOT | {"events": []}).text
    assert night.post(PAGE, **BOT | {"do": "forget"}).status_code == 400
    night.does("{group}/players", do="pin", **{"new-pin": "2468"})
    assert "Enter the group&#39;s PIN" in night.post(PAGE, **BOT).text
    assert "nothing delivered yet" not in night.text(PAGE)
    assert SECRET.search(night.post(PAGE, **BOT, pin="2468").text)
    night.does(PAGE, do="revoke-99999999999999")
    night.does(PAGE, do="test-7")
    assert "no longer" not in night.text(PAGE)


def test_tests_are_limited(night: PlayedNight) -> None:
    night.post(PAGE, **BOT)
    answers = [night.post(PAGE, do="test-1").status_code for _ in range(11)]
    assert answers == [303] * 10 + [429]


def test_only_the_scorekeeper_has_webhooks(night: PlayedNight, app: Flask) -> None:
    stranger, player = Device(app), Device(app).joins(night.code())
    for device in (stranger, player):
        assert device.get(night.address(PAGE)).status_code in (403, 404)
        assert device.post(night.address(PAGE), **BOT).status_code in (403, 404)
    assert "nothing delivered yet" not in night.text(PAGE)


@pytest.mark.parametrize("lacks", ["phones", "threads"])
def test_where_nothing_can_be_sent_there_are_none(night: PlayedNight, app: Flask, lacks: str) -> None:
    app.config["PLATFORM"] = replace(app.config["PLATFORM"], **{lacks: False})
    assert night.keeper.get(night.address(PAGE)).status_code == 404
    assert night.post(PAGE, **BOT).status_code == 404
