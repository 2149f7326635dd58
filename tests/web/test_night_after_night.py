"""The next night of the same people: who plays again, and how phones get there from the closed one."""

from __future__ import annotations

import re

import pytest
from devices import Device, PlayedNight
from flask import Flask


def starts_again(night: PlayedNight) -> tuple[str, str]:
    """Start a night like the last one; return the addresses of both."""
    before = night.night
    night.night = night.does("{group}/tonight", do="again")
    return before, night.night


def seated(night: PlayedNight) -> list[str]:
    return re.findall(r'<span class="who">(\w+)</span>', night.html())


def test_who_left_early_plays_again_and_it_is_said_before(app: Flask) -> None:
    night = PlayedNight(app, begins="round, left Beto, new Dani, close")
    told = night.text("{group}")
    assert "Start tonight like last time With Ana, Beto, Caro and Dani" in told, told
    ticked = re.findall(r'name="player" value="(\d+)" checked', night.html("{group}"))
    assert len(ticked) == 4
    starts_again(night)
    assert seated(night) == ["Ana", "Beto", "Caro", "Dani"]


def test_who_is_no_player_any_more_does_not_play_again(app: Flask) -> None:
    night = PlayedNight(app, begins="round, close")
    night.does("{group}/players", do="retire-{Beto}")
    assert "Start tonight like last time With Ana and Caro" in night.text("{group}")


def way_on(phone: Device, closed: str) -> list[tuple[str, str]]:
    """Return where the note that a night is closed leads, and what it says."""
    (note,) = re.findall(r"This night is closed\.(.*?)</p>", phone.get(closed).text, re.DOTALL)
    return re.findall(r'<a href="([^"]+)">([^<]+)</a>', note)


@pytest.mark.parametrize("link", ["keep", "play", "look"])
def test_a_closed_night_leads_to_the_open_one(app: Flask, link: str) -> None:
    night = PlayedNight(app, begins="round, close")
    phone = night.guest(link)
    assert way_on(phone, night.night) == []
    before, now = starts_again(night)
    for page in ("", "/money", "/people", "/end"):
        assert way_on(phone, before + page) == [(now, "Tonight's table")]
    assert phone.get(now).status_code == 200
    night.plays("close")
    assert way_on(phone, before) == []


def test_a_phone_that_joined_with_a_code_learns_nothing_of_a_night_it_has_not_joined(night: PlayedNight) -> None:
    caro = night.joined("Caro")
    night.plays("round, close")
    asks = [("/join", "Join another night")]
    assert way_on(caro, night.night) == asks
    before, now = starts_again(night)
    assert way_on(caro, before) == asks
    assert now not in caro.get(before).text
    assert caro.get(now).status_code == 404
    caro.joins(night.code())
    assert way_on(caro, before) == [(now, "Tonight's table")]


def test_phones_on_the_closed_night_read_it_again_when_the_next_one_starts(night: PlayedNight) -> None:
    caro = night.joined("Caro")
    night.plays("round, close")
    version = night.state(caro)["version"]
    before, _ = starts_again(night)
    night.night = before
    assert night.state(caro)["version"] == version + 1


def test_the_home_page_marks_every_group_that_plays(night: PlayedNight) -> None:
    keeper = night.keeper
    other = keeper.does("/groups/new", name="Sunday", player=["Eva", "Flor"], secret="s" * 32, do="make")
    seats = keeper.page(other).fields["order"]
    for groups in (["Friday"], ["Friday", "Sunday"], ["Sunday"], []):
        if groups == ["Friday", "Sunday"]:
            last = keeper.does(f"{other}/tonight", order=seats, player=seats, game="knock", currency="", do="start")
        elif groups == ["Sunday"]:
            night.plays("close")
        elif not groups:
            keeper.does(f"{last}/close", do="leave")
        rows = re.findall(r"<li>(.*?)</li>", keeper.get("/").text, re.DOTALL)
        assert (
            sorted(name for name in ("Friday", "Sunday") for row in rows if name in row and "Open now" in row) == groups
        )
