"""The demo over the pages: created by one tap, marked on every page, deleted by one button, rate-limited."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from devices import Device, PlayedNight
from flask import Flask
from pages import Page
from test_access import LOOK, routes

from companion import create_app

MARK = "Demo: made-up rounds"


def start_page_form(device: Device) -> dict[str, str]:
    """Return what the home page's button sends."""
    fields = device.page("/").fields
    return {name: fields[name][0] for name in ("csrf_token", "secret")}


@pytest.fixture
def device(app: Flask) -> Device:
    return Device(app)


def test_one_tap_makes_it_and_one_takes_it_away(app: Flask, device: Device) -> None:
    fields = start_page_form(device)
    night = device.client.post("/demo", data=fields).location
    # pressed again, or after the answer was lost, it is the same
    assert device.client.post("/demo", data=fields).location == night
    assert device.does("/demo") == night
    group = next(href for href in device.page(night).all("a", "href") if href.startswith("/g/"))
    assert "secret" not in device.page("/").fields
    assert group in device.page("/").all("a", "href")
    assert_every_page_is_marked(app, device, group, night)
    # there is nothing to take along that would not say so
    assert device.get(f"{group}/export/group.json").status_code == 404
    button = Page(device.get(night).text).fields
    assert device.does(f"{group}/delete", key=button["key"][0]) == "/?deleted=yes"
    assert device.get(night).status_code == 404
    assert "secret" in device.page("/").fields


def test_what_is_made_up_does_not_mix_with_what_is_owed(night: PlayedNight) -> None:
    night.books()
    night.keeper.client.post("/demo", data=start_page_form(night.keeper))
    home = night.keeper.page("/")
    assert "payments due" not in home.text
    assert f"{night.night}/round" in home.all("a", "href")


# the last ones are not there in the demo's open night
NO_PAGES = {
    *("GET draft.state", "GET import_export.download", "GET paying.payment"),
    *("GET seasons.season", "GET seasons.picture", "GET next_night.calendar", "GET turns.turn"),
    *("GET group_rules.change", "GET night.end", "GET night.end_picture"),
}


def assert_every_page_is_marked(app: Flask, device: Device, group: str, night: str) -> None:
    guest = Device(app)
    guest.open(next(iter(device.get(f"{group}/settings").text.split("/open/")[3:])).split("<")[0])
    player = next(href for href in device.page(f"{group}/leaderboard").all("a", "href") if "/players/" in href)
    for name, method, rule in routes(app):
        if method == "GET" and name not in NO_PAGES:
            path = player if name == "GET history.player" else rule.replace("/g/<public_id>", group)
            path = path.replace("/s/<public_id>", night)
            for one in (device, guest) if name in LOOK else (device,):
                page = one.page(path)
                assert MARK in page.text, name
                assert ("Remove it" in page.text) == (one is device), name
    assert MARK not in device.page("/help/").text


def test_in_spanish(device: Device) -> None:
    spanish = {"Accept-Language": "es"}
    fields = Page(device.get("/", headers=spanish).text).fields
    data = {name: fields[name][0] for name in ("csrf_token", "secret")}
    night = device.client.post("/demo", data=data, headers=spanish).location
    assert "Demostración: rondas inventadas" in device.get(night, headers=spanish).text


def test_where_nobody_may_make_groups_there_is_none(instance: Path) -> None:
    device = Device(create_app({"INSTANCE": instance, "TESTING": True, "MAY_MAKE_GROUPS": "nobody"}))
    assert "secret" not in device.page("/").fields
    assert device.post("/demo").status_code == 403


def test_where_making_groups_takes_a_passphrase_it_is_asked_for(instance: Path) -> None:
    device = Device(create_app({"INSTANCE": instance, "TESTING": True, "MAY_MAKE_GROUPS": "four aces"}))
    assert "passphrase" in device.page("/").fields
    assert "needs the passphrase" in device.post("/demo", passphrase="four kings").text
    assert device.does("/demo", passphrase="four aces").startswith("/s/")


def test_an_address_may_not_make_demos_for_ever_even_at_once(app: Flask) -> None:
    with ThreadPoolExecutor(12) as pool:
        answers = list(pool.map(lambda _: app.test_client().post("/demo").status_code, range(12)))
    assert sorted(answers) == [200] * 6 + [429] * 6


def test_the_numbers_of_rounds_agree_though_one_is_void(app: Flask) -> None:
    night = PlayedNight(app, begins="round, round, void 1")
    text = night.text()
    assert "1 round · void: 1" in text
    assert "Round 3" in text
    assert "void:" not in night.plays("back 1").text()
