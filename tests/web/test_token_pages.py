"""The page of a group's tokens: one is shown once, when it is made, listed with its right, and revoked."""

from __future__ import annotations

import re

from devices import PlayedNight
from flask import Flask

SECRET = re.compile(r"<code>(tct_\w{48})</code>")
BOT = {"label": "Telegram bot", "access": "keep", "do": "make"}
PAGE = "{group}/tokens"


def test_a_token_is_shown_once_and_revoked(night: PlayedNight, app: Flask) -> None:
    first, again = (night.post(PAGE, **BOT, key="the form's key") for _ in range(2))
    assert [answer.status_code for answer in (first, again)] == [200, 200]
    (secret,) = SECRET.findall(first.text)
    assert SECRET.findall(again.text) == [secret]
    assert f'data-copy-text="{secret}"' in first.text
    other = night.post(PAGE, **BOT | {"label": "Another"}, key="the form's key")
    assert "This was already saved, with different contents" in other.text
    assert SECRET.findall(other.text) == []
    html = night.html(PAGE)
    assert secret not in html
    assert "Telegram bot Read and keep score · since" in night.text(PAGE)
    assert night.text(PAGE).count("never used") == 1
    assert secret not in night.html("{group}/export/group.json")
    assert "Telegram bot" not in night.html("{group}/export/group.json")
    night.does(PAGE, do="revoke-1")
    assert "revoked" in night.text(PAGE)
    assert 'value="revoke-' not in night.html(PAGE)


def test_two_groups_get_different_tokens_for_the_same_form(night: PlayedNight, app: Flask) -> None:
    other = PlayedNight(app, secret="of another group")
    found = {secret for one in (night, other) for secret in SECRET.findall(one.post(PAGE, **BOT, key="key").text)}
    assert len(found) == 2


def test_a_wrong_form_makes_nothing(night: PlayedNight) -> None:
    assert "Say what it is for" in night.post(PAGE, **BOT | {"label": " "}).text
    for wrong in ({"access": "own"}, {"do": "forget"}):
        assert night.post(PAGE, **BOT | wrong).status_code == 400
    night.does("{group}/players", do="pin", **{"new-pin": "2468"})
    assert "Enter the group&#39;s PIN" in night.post(PAGE, **BOT).text
    assert "never used" not in night.text(PAGE)
    assert SECRET.search(night.post(PAGE, **BOT, pin="2468").text)
    night.does(PAGE, do="revoke-99999999999999")
    night.does(PAGE, do="revoke-7")
    assert "never used" in night.text(PAGE)
