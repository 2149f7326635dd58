"""A dealer who is passed over is named, with who deals instead. Rule: C-8."""

from __future__ import annotations

import pytest
from devices import PlayedNight
from flask import Flask
from tables import each_row


@pytest.fixture
def night(app: Flask) -> PlayedNight:
    return PlayedNight(app)


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
