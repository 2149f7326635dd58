"""What is said of a change that was taken back, and of a correction that moves no money."""

from __future__ import annotations

import pytest
from devices import WHOLE, PlayedNight
from flask import Flask

CORRECTED = {"players-0-hand": "9s 9h 9d 4c 4d", "asked-knocker": "1"}
NOTHING = "Nothing to pay back: the same as before."
TIED = {"players-0-hand": "9s 9h Kd 4c 3d", "players-1-hand": "9d 9c Kh 4s 3s", "players-2-hand": "2s 3h 5d 7c 8d"}


@pytest.fixture
def night(app: Flask) -> PlayedNight:
    return PlayedNight(app, begins="round")


def corrects(night: PlayedNight, do: str, **fields: str) -> str:
    sent = night.form("/lines/1/correct") | fields
    return night.post("/lines/1/correct", **sent, do=do).text


def test_a_correction_that_was_taken_back_is_none(night: PlayedNight) -> None:
    corrects(night, "save", **CORRECTED)
    assert "corrected" in night.text("/rounds")
    night.plays("back 1")
    assert "corrected" not in night.text("/rounds")
    history = night.text("/lines/1").partition("History")[2]
    assert [word for word in ("entered", "corrected", "change undone", "counts again") if word in history] == [
        "entered",
        "corrected",
        "change undone",
    ]


def test_a_round_that_counts_again_was_not_corrected(night: PlayedNight) -> None:
    night.plays("void 1, back 1")
    assert "counts again" in night.text("/lines/1")
    assert "corrected" not in night.text("/rounds")


def test_a_correction_that_moves_nothing_says_so_in_one_sentence(night: PlayedNight) -> None:
    settled = corrects(night, "settle")
    assert NOTHING in settled
    assert '<th scope="col">before</th>' not in settled
    assert NOTHING not in corrects(night, "settle", **CORRECTED)


def test_all_who_showed_the_best_hand_are_named_in_seat_order(app: Flask) -> None:
    night = PlayedNight(app)
    night.does("/round", **night.form("/round") | WHOLE | TIED, do="save")
    night.plays("close")
    told = night.text("/end").partition("Best hand")[2].partition("Biggest pot")[0]
    assert told.index("Ana,") < told.index("Beto,")
    assert "Caro" not in told
    assert "Best hand: Ana and Beto, pair of nines" in night.text("/end")
    for page in ("/pictures", "/end.svg"):
        assert "Ana, Beto" in night.text(page)
