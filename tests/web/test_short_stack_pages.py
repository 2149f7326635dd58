"""What the pages say once a player has lost more chips than they had, and of the count at the end."""

from __future__ import annotations

import re

import pytest
from devices import PlayedNight, words
from flask import Flask

NEVER_GOT = "Caro was short, so Ana never got 2 in chips. The balances count them."


@pytest.fixture
def night(app: Flask) -> PlayedNight:
    """A night with a stack of 1 each: Caro loses 3 to Ana with the last chip, and Beto has bought 5 more."""
    return PlayedNight(app, begins=has_a_round, **{"buy-in": "1"})


def has_a_round(night: PlayedNight) -> None:
    night.plays("rebuy Beto 5, round")


def leaves_and_pays(night: PlayedNight) -> None:
    """Let Caro tick the only payment on the page of leaving, and leave."""
    (row,) = re.findall(r'name="do" value="(pay-[^"]+)"', night.html(f"/leave?player={night.players['Caro']}"))
    night.does("/leave", player="{Caro}", do=row)
    night.does("/leave", player="{Caro}", do="left")


def count(night: PlayedNight, *numbers: str) -> str:
    given = {f"count-{player}": units for player, units in zip(night.players.values(), numbers, strict=True)}
    return night.post("/count", **given, number="3", do="compare").text


@pytest.mark.parametrize("has_left", [False, True])
def test_what_each_should_have_are_the_chips_there_are(night: PlayedNight, has_left: bool) -> None:
    if has_left:
        leaves_and_pays(night)
    assert f"What each player should have Ana 5 Beto 3 Caro 0 {NEVER_GOT}" in night.text("/close")
    told = night.text("/count")
    assert "should have 5" in told and "should have 3" in told and "should have 0" in told
    assert NEVER_GOT in told
    assert "Should have 5 3 0" in night.text("/print")
    night.plays("close, settle")
    assert "What each player should have Ana 5 Beto 3 Caro 0" in night.text("/settle")
    assert "Ana has 5 in chips Beto has 3 in chips Caro has 0 in chips" in night.text("/settle")


def test_who_left_without_chips_needs_no_count(night: PlayedNight) -> None:
    counted = re.compile(r'id="count-[^"]+" name="[^"]+" inputmode="decimal" value="([^"]*)"')
    assert counted.findall(night.html("/count")) == ["", "", ""]
    leaves_and_pays(night)
    assert counted.findall(night.html("/count")) == ["", "", "0"]


@pytest.mark.parametrize("counted", [("5", "3", "0"), ("6", "2", "0")])
def test_a_count_of_the_chips_there_are_is_no_error(night: PlayedNight, counted: tuple[str, str, str]) -> None:
    page = count(night, *counted)
    assert "✓ The chips match the log." in words(page)
    assert "Possibly in" not in page
    assert 'value="book"' not in page


def test_a_wrong_count_is_compared_with_the_chips_there_are(night: PlayedNight) -> None:
    told = words(count(night, "4", "4", "0"))
    assert "The chips don't match the log." in told
    assert "Ana should have 5 −1" in told and "Beto should have 3 +1" in told
    assert "3 missing on the table" in words(count(night, "4", "1", "0"))


def test_a_rebuy_is_not_offered_to_who_left(night: PlayedNight) -> None:
    for page in ("", "/money"):
        assert "Caro is 2 short Rebuy 3" in night.text(page)
    assert "Ana stack 7" in night.text("")  # Caro may still hand them over
    leaves_and_pays(night)
    for page in ("", "/money"):
        assert "short" not in night.text(page)
        assert "Ana stack 5" in night.text(page)
    assert "Caro stack 0" in night.text("/money")


def test_the_big_screen_shows_the_chips_there_are(night: PlayedNight) -> None:
    leaves_and_pays(night)
    (dealt,) = {*re.findall(r'value="(dealt-\d+)"', night.html())}
    night.presses(dealt)
    html = night.html("/table")
    # the antes are in the pot, and no longer in front of the players, who had 5 and 3
    assert re.findall(r'class="sum stack">([^<]+)<', html) == ["4", "2"]
    assert re.search(r'class="pot"><b>2</b>', html)
    felt = night.html()
    assert re.findall(r'<b><span class="unseen">stack </span>(\d+)</b>', felt)[:2] == ["4", "2"]
    assert re.search(r'class="pot"><b>2</b>', felt)


def test_a_player_who_is_short_reads_it_with_what_is_to_pay(night: PlayedNight) -> None:
    told = "You are 2 short: buy chips, then hand over the rest."
    ana, beto, caro = (night.joined(name) for name in ("Ana", "Beto", "Caro"))
    for page in ("", "/lines/2"):
        assert re.search(f"You give Ana 2 Round 1 .*{re.escape(told)}", night.text(page, caro)), night.text(page, caro)
        assert told not in night.text(page, ana) + night.text(page, beto)
    night.plays("rebuy Caro 2")
    assert told not in night.text("", caro)


def test_who_left_reads_no_shortage(night: PlayedNight) -> None:
    caro = night.joined("Caro")
    leaves_and_pays(night)
    assert "short" not in night.text("", caro)


def test_after_the_night_the_payments_count_and_no_shortage(night: PlayedNight) -> None:
    caro = night.joined("Caro")
    night.plays("close")
    assert "You pay Ana 3" in night.text("", caro)
    assert "short" not in night.text("", caro)
