"""A phone's cookie, and the rights from links and codes combined."""

from __future__ import annotations

import re

import pytest
from devices import Device, PlayedNight
from flask import Flask

from companion.store.groups import groups

MAX_KEPT = 30


# the link that a phone has, whether it came by the code as well, whether the night is open | what it may do
RIGHTS = [
    ("look", False, True, "look"),
    ("look", True, True, "play"),
    ("look", True, False, "look"),
    ("play", False, True, "play"),
    ("play", True, False, "play"),
    ("keep", True, True, "keep"),
    ("keep", True, False, "keep"),
    ("", True, True, "play"),
    ("", True, False, "look"),
    ("", False, True, ""),
]


@pytest.mark.parametrize(("link", "by_code", "is_open", "right"), RIGHTS)
def test_a_phone_has_the_greatest_right_of_its_link_and_its_code(
    night: PlayedNight, app: Flask, link: str, by_code: bool, is_open: bool, right: str
) -> None:
    device = Device(app)
    if link:
        assert device.open(night.links()[link]) == 303
    if by_code:
        assert device.get(f"/join/{night.code()}").status_code == 303
    if not is_open:
        night.plays("close")
    pages = {"look": night.night, "play": f"{night.night}/me", "keep": f"{night.night}/rules"}
    shut = 403 if right else 404
    allowed = ("look", "play", "keep")[: ("", "look", "play", "keep").index(right)]
    answers = {name: device.get(path).status_code for name, path in pages.items()}
    # what players could do in a night that is over leads to it
    shuts = {"look": shut, "play": shut if is_open or not right else 303, "keep": shut}
    assert answers == {name: 200 if name in allowed else shuts[name] for name in pages}
    # the code opens no group
    assert device.get(night.group).status_code == (200 if link else 404)


def test_a_greater_link_gives_its_right(night: PlayedNight, app: Flask) -> None:
    device = Device(app)
    for access, status in (("look", 403), ("play", 403), ("keep", 200), ("look", 200)):
        assert device.open(night.links()[access]) == 303
        assert device.get(f"{night.night}/rules").status_code == status, access


def test_a_phone_keeps_the_newest_thirty_groups(app: Flask) -> None:
    device, secrets = Device(app), [f"secret of group {at}" for at in range(MAX_KEPT + 2)]
    with app.app_context():
        names = [groups.make_group(f"Group {at}", ["Ana", "Beto"], secret).name for at, secret in enumerate(secrets)]

    def listed() -> list[str]:
        return re.findall(r"Group \d+", device.page("/").text)

    before, after = secrets[: MAX_KEPT - 1], secrets[MAX_KEPT - 1 :]
    for secret in before:
        assert device.open(secret) == 303
    assert listed() == names[MAX_KEPT - 2 :: -1]
    # one that is opened again is the newest
    assert device.open(before[0]) == 303
    assert listed() == [names[0], *names[MAX_KEPT - 2 : 0 : -1]]
    for secret in after:
        assert device.open(secret) == 303
    assert listed() == [*names[: MAX_KEPT - 2 : -1], names[0], *names[MAX_KEPT - 2 : 2 : -1]]


def test_what_a_phone_knows_outlasts_the_browser(night: PlayedNight, app: Flask) -> None:
    for first in (f"/open/{night.links()['look']}", f"/join/{night.code()}"):
        device = Device(app)
        (cookie,) = [c for c in device.get(first).headers.getlist("Set-Cookie") if c.startswith("session=")]
        # in seconds: a time by the clock of a computer that is behind would have passed for the phone
        assert "Max-Age=2678400" in cookie and "Expires" not in cookie


# what a device is called | what stands in the list of changes
NAMES = [("  Ana's phone  ", "Ana's phone"), ("y" * 41, "y" * 40), (" ", "a phone"), ("", "a phone")]


@pytest.mark.parametrize(("name", "told"), NAMES, ids=["blanks", "too long", "blank", "empty"])
def test_a_device_is_called_by_its_name(night: PlayedNight, name: str, told: str) -> None:
    night.does("{group}/players", do="device", device=name)
    night.books()
    assert re.search(rf"Round 1\s.*\u00a0· {re.escape(told)}", night.page("/changes").text)


KINDS = {
    "an iPhone": "Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 Mobile Safari/604.1",
    "an Android phone": "Mozilla/5.0 (Linux; Android 16; K) AppleWebKit/537.36 Chrome/156.0.0.0 Mobile Safari/537.36",
    "a Windows computer": "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:150.0) Gecko/20100101 Firefox/150.0",
    "a Linux computer": "Mozilla/5.0 (X11; Linux x86_64; rv:150.0) Gecko/20100101 Firefox/150.0",
    "a phone": "something new",
}


@pytest.mark.parametrize(("kind", "browser"), KINDS.items(), ids=KINDS)
def test_a_device_without_a_name_is_told_by_its_kind(night: PlayedNight, kind: str, browser: str) -> None:
    night.keeper.client.environ_base["HTTP_USER_AGENT"] = browser
    night.books()
    changes = f"{night.night}/changes"
    assert re.search(rf"Round 1\s.*\u00a0· {kind}", night.keeper.page(changes).text)
    night.keeper.get(f"{changes}?language=es")
    assert kind not in night.keeper.page(changes).text


def test_a_phone_whose_first_form_is_sent_twice_at_once_has_its_seat(night: PlayedNight, app: Flask) -> None:
    phone, same_phone = Device(app), Device(app)
    phone.get(f"/join/{night.code()}")
    same_phone.client.set_cookie("session", phone.client.get_cookie("session").value)  # type: ignore[union-attr]
    for sent_from in (phone, same_phone):  # both before an answer has come
        sent_from.does(f"{night.night}/me", player=night.players["Beto"], key="the form's key")
    assert [night.state(one)["me"] for one in (phone, same_phone)] == [1, 1]


def test_the_forms_of_a_page_have_keys_of_their_own(night: PlayedNight) -> None:
    keys = [night.page("/people").fields["key"] for _ in range(2)]
    assert keys[0] != keys[1]
    assert all(len(key) >= 16 for found in keys for key in found)
