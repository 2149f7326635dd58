"""A dealer who is passed over is named, with who deals instead. Rule: C-8."""

from __future__ import annotations

from devices import WHOLE, PlayedNight
from flask import Flask
from tables import each_row


# what was done, and what the table says; in the first round Caro deals, then it would be Ana's turn
@each_row("""
round             |
round, out Ana    | Ana isn't playing, so Beto deals.
round, out Beto   |
out Ana           |
""")
def test_who_is_passed_over_is_named(night: PlayedNight, row: tuple[str, str]) -> None:
    script, expected = row
    night.plays(script)
    told = night.text("")
    assert (expected in told, "so Beto deals" in told) == (True, bool(expected))


def test_between_games_that_go_different_ways_the_next_dealer_is_explained(app: Flask) -> None:
    night = PlayedNight(app, "dompe")
    told = " anticlockwise, so the deal went on to Beto."
    hands = night.form("/round?game=dompe") | WHOLE | {"asked-caller": "0", "dealer": "2"}
    night.does("/round?game=dompe", **hands, do="save")
    assert "so the deal went on" not in night.text("?game=dompe")
    assert f"Dompe goes{told}" in night.text("?game=knock-poker")
    # somebody else deals: then there is nothing to explain
    night.does("/play", do="dealer-{Ana}", number="2", game="knock-poker")
    assert "so the deal went on" not in night.text("?game=knock-poker")


def test_the_same_is_told_before_a_game_that_goes_the_other_way(night: PlayedNight) -> None:
    night.plays("round")
    assert "Knock Poker goes clockwise, so the deal went on to Ana." in night.text("?game=dompe")
