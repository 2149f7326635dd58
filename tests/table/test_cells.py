"""When a hand has begun, by what was entered."""

from __future__ import annotations

from typing import Any

import pytest

from companion.table.cells import BETS, DEALER, GAME, HAND, KEEPER_SEAT, LOT, RULES, SENT, TABLE, has_begun


@pytest.mark.parametrize(
    ("values", "begun"),
    [
        ({}, False),
        ({TABLE: {GAME: "dompe", DEALER: "7", LOT: "7", KEEPER_SEAT: "7", SENT: "a form"}}, False),
        ({RULES: {"ante": "2"}}, False),
        ({"7": {HAND: ""}}, False),
        ({"7": {HAND: "9s"}}, True),
        ({"7": {"dropped": True}}, True),
        ({TABLE: {BETS: "bet 2"}}, True),
        ({TABLE: {GAME: "dompe", "knocker": "7"}}, True),
    ],
)
def test_a_hand_has_begun_with_the_first_thing_that_would_be_lost(values: dict[str, Any], begun: bool) -> None:
    cells = {owner: {key: [value, "phone"] for key, value in asked.items()} for owner, asked in values.items()}
    assert has_begun(cells) is begun
