"""A group's PIN: the limit on attempts, and that a correct one resets it."""

from __future__ import annotations

from pathlib import Path

import pytest
from devices import PlayedNight, problem
from flask import Flask
from sqlalchemy import select

from companion import create_app
from companion.store.models import Group, db

RIGHT, WRONG = "4711", "0815"
TAKEN = ""
NOT_IT, TOO_OFTEN = "That isn't the group's PIN; try again", "Too many wrong PINs; wait an hour"

# the PINs that are tried in turn, and the answer to the last
TRIES = [
    ("ten may be tried", [*[WRONG] * 9, RIGHT], TAKEN),
    ("the tenth is still looked at", [WRONG] * 10, NOT_IT),
    ("the eleventh is not, even if it is right", [*[WRONG] * 10, RIGHT], TOO_OFTEN),
    ("a right one begins anew", [*[WRONG] * 9, RIGHT, *[WRONG] * 9, RIGHT], TAKEN),
    ("after a right one there are ten again", [RIGHT, *[WRONG] * 10], NOT_IT),
    ("and no more than ten", [RIGHT, *[WRONG] * 11], TOO_OFTEN),
    ("asking without one is no try", [*[WRONG] * 9, *[""] * 5, RIGHT], TAKEN),
]


@pytest.mark.parametrize(("pins", "last"), [row[1:] for row in TRIES], ids=[row[0] for row in TRIES])
def test_a_pin_cannot_be_tried_without_end(night: PlayedNight, pins: list[str], last: str) -> None:
    night.does("{group}/players", do="pin", **{"new-pin": RIGHT})
    *_, answer = [night.post("{group}/links", do="renew-look", pin=pin) for pin in pins]
    assert problem(answer.text) == last
    assert answer.status_code == (303 if last == TAKEN else 200)


def test_each_group_counts_its_own_tries(app: Flask) -> None:
    nights = [PlayedNight(app), PlayedNight(app, secret="another-secret")]
    for night in nights:
        night.does("{group}/players", do="pin", **{"new-pin": RIGHT})
    for _ in range(11):
        nights[0].keeper.post(f"{nights[0].group}/links", do="renew-look", pin=WRONG)
    assert nights[1].keeper.does(f"{nights[1].group}/links", do="renew-look", pin=RIGHT)


def test_a_pin_is_hashed_slowly(instance: Path) -> None:
    app = create_app({"INSTANCE": instance, "TESTING": True})
    night = PlayedNight(app)
    night.does("{group}/players", do="pin", **{"new-pin": RIGHT})
    with app.app_context():
        group = db.session.scalars(select(Group)).one()
        assert str(group.pin_hash).startswith("scrypt:32768:8:1$")


def test_an_empty_pin_takes_it_away(night: PlayedNight) -> None:
    for new, told in ((RIGHT, "Enter the group's PIN for this"), ("", "")):
        night.does("{group}/players", do="pin", pin=RIGHT, **{"new-pin": new})
        assert problem(night.post("{group}/links", do="renew-look").text) == told


# a new PIN, and whether it is one
NEW = [("123", False), ("1234", True), ("a" * 32, True), ("a" * 33, False), ("12\x0034", False), ("", True)]


@pytest.mark.parametrize(("pin", "is_fit"), NEW, ids=[ascii(row[0]) for row in NEW])
def test_a_new_pin_has_four_to_thirty_two_characters(night: PlayedNight, pin: str, is_fit: bool) -> None:
    answer = night.post("{group}/players", do="pin", **{"new-pin": pin})
    assert answer.status_code == (303 if is_fit else 200)
    assert problem(answer.text) == ("" if is_fit else "A PIN has 4 to 32 digits or letters")
