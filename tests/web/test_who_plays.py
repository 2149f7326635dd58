"""A game that isn't for all who are present: who plays it is chosen at the table."""

from __future__ import annotations

import re
from typing import Any

import pytest
from devices import Device, PlayedNight
from flask import Flask


@pytest.fixture
def gin(app: Flask) -> PlayedNight:
    """Return a night of three with a game for two."""
    return PlayedNight(app, "gin-rummy")


def press(night: PlayedNight, do: str, by: Device | None = None, **more: Any) -> None:
    night.presses(do, by, "?game=gin-rummy", **more)


def players(night: PlayedNight) -> str:
    """Return who plays, by the table's buttons, which must be those of the round."""
    buttons = re.findall(r'value="plays-(\d+)"\s+aria-pressed="(\w+)"', night.html("?game=gin-rummy"))
    pressed = [key for key, is_pressed in buttons if is_pressed == "true"]
    assert pressed == night.page("/round?game=gin-rummy").fields["seat"]
    names = {key: name for name, key in night.players.items()}
    return " ".join(names[key] for key in pressed)


CHOICES = [
    ("", "Ana Beto"),
    ("Caro", "Ana Caro"),
    ("Caro Beto", "Beto Caro"),
    ("Ana", "Ana Beto"),
    ("Beto Caro", "Beto Caro"),
    ("Caro Caro", "Ana Caro"),
    ("Caro Beto Ana", "Ana Beto"),
]


@pytest.mark.parametrize(("taps", "expected"), CHOICES, ids=[row[0] or "none" for row in CHOICES])
def test_who_is_tapped_plays_and_who_was_chosen_longest_ago_sits_out(
    gin: PlayedNight, taps: str, expected: str
) -> None:
    for name in taps.split():
        press(gin, f"plays-{{{name}}}")
    assert players(gin) == expected


def test_who_played_last_plays_again_while_that_game_is_played(gin: PlayedNight) -> None:
    for name in ("Caro", "Beto"):
        press(gin, f"plays-{{{name}}}")
    hands = {"players-0-hand": "As 2s 3s 4h 5h 6h 7d 8d 9d Kc", "players-1-hand": "Ks Qh Jd 9c 7s 5d 3h 2c 8h Ac"}
    gin.does("/round?game=gin-rummy", **gin.form("/round?game=gin-rummy") | hands | {"asked-knocker": "0"}, do="save")
    assert "Beto" in gin.text("/lines/1") and "Ana" not in gin.text("/lines/1").partition("Standings")[0]
    assert players(gin) == "Beto Caro"
    # a round of another game, which all play
    gin.books(game="knock-poker")
    assert players(gin) == "Ana Caro"  # who deals, and who deals after that


def test_who_plays_is_settled_once_the_cards_are_dealt(gin: PlayedNight) -> None:
    press(gin, "dealt-{Ana}")
    assert "Tap who plays" not in gin.text("")
    press(gin, "plays-{Caro}", status=422)
    assert gin.page("/round").fields["seat"] == [gin.players["Ana"], gin.players["Beto"]]


def test_only_the_scorekeeper_or_who_chooses_the_game_says_who_plays(gin: PlayedNight) -> None:
    gin.does("/play", do="dealer-{Beto}", number="1", game="gin-rummy")
    ana, caro = gin.joined("Ana"), gin.joined("Caro")
    assert "Tap who plays" not in gin.text("", caro)
    for by in (ana, caro):
        press(gin, "plays-{Caro}", by, status=422)


def test_somebody_who_sits_out_cant_be_chosen(gin: PlayedNight) -> None:
    gin.plays("new Dani, out Caro")
    press(gin, "plays-{Caro}", status=422)
    press(gin, "plays-x", status=422)


def test_a_phone_that_shows_an_older_choice_is_told(gin: PlayedNight) -> None:
    mark = gin.page("").fields["mark"][0]
    press(gin, "plays-{Caro}")
    press(gin, "plays-{Beto}", status=409, mark=mark)


def test_a_game_for_all_asks_nothing(night: PlayedNight) -> None:
    assert "Tap who plays" not in night.text("") and "Others play" not in night.text("/round")


def test_the_settings_of_the_round_say_who_plays(gin: PlayedNight) -> None:
    assert "Playing: Ana and Beto Others play" in gin.text("/round")


def test_a_hand_of_all_leaves_the_page_of_a_game_for_two_to_two(app: Flask) -> None:
    night = PlayedNight(app, "knock")
    gin = {"game": "gin-rummy"}
    for do in ("dealt-{Ana}", "knocks-{Ana}"):
        assert len(night.page("/round?game=gin-rummy").fields["seat"]) == 2
        mark = night.page("?game=knock").fields["mark"][0]
        night.does("/play", do=do, number="1", game="knock", mark=mark, sure="yes")
    assert len(night.page("/round?game=gin-rummy").fields["seat"]) == 2
    mark = night.page("?game=knock").fields["mark"][0]
    night.does("/play", do="over-{Ana}", number="1", game="knock", mark=mark, sure="yes")
    night.does("/play", do="game", number="1", mark=night.page("?game=gin-rummy").fields["mark"][0], **gin)
    assert len(night.page("/round").fields["seat"]) == 2


def test_who_was_dealt_a_game_for_two_is_not_all_who_play_the_next(gin: PlayedNight) -> None:
    press(gin, "dealt-{Ana}")
    gin.does("/play", do="game", number="1", game="knock", mark=gin.page("?game=knock").fields["mark"][0])
    assert len(gin.page("/round").fields["seat"]) == 3
