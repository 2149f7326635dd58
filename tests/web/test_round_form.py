"""What a round's form takes from what a browser sends."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from flask import Flask

from companion.games import all_games
from companion.web.round.form.fields import RoundForm, posted_form


def sent(app: Flask, key: str, fields: Mapping[str, Any]) -> RoundForm:
    with app.test_request_context("/", method="POST", data=fields):
        return posted_form(all_games()[key])


def test_seats_are_numbered_anew_in_the_order_of_their_numbers(app: Flask) -> None:
    form = sent(
        app, "knock", {"players-7-name": "Caro", "players-02-hand": "9s", "players-2-name": "Ana", "players-x": ""}
    )
    assert [(seat.name.name, seat.name.data) for seat in form.seats] == [
        ("players-0-name", "Ana"),
        ("players-1-name", "Caro"),
    ]


@pytest.mark.parametrize("key", all_games())
def test_there_are_no_more_seats_than_the_game_allows(app: Flask, key: str) -> None:
    most = all_games()[key].seats[1]
    form = sent(app, key, {f"players-{number}-name": f"Player {number}" for number in range(most + 3)})
    assert form.typed_names == [f"Player {number}" for number in range(most)]


@pytest.mark.parametrize("key", all_games())
def test_what_was_not_sent_is_as_in_an_empty_form_but_boxes_are_unticked(app: Flask, key: str) -> None:
    empty, form = RoundForm(all_games()[key], 1), sent(app, key, {"players-0-name": ""})
    assert [(field.name, field.data) for field in form.seats[0]] == [(f.name, f.data) for f in empty.seats[0]]
    for field, usual in zip(form.common(), empty.common(), strict=True):
        assert (field.name, field.data) == (usual.name, False if usual.kind == "tick" else usual.data)


def test_a_box_is_ticked_whatever_is_sent_except_nothing_and_false(app: Flask) -> None:
    ticked = {"y": True, "on": True, "": False, "false": False}
    fields = {f"players-{at}-dropped": value for at, value in enumerate(ticked)}
    form = sent(app, "knock-poker", fields)
    assert [seat.answers["dropped"].data for seat in form.seats] == list(ticked.values())


def test_all_tapped_cards_are_taken(app: Flask) -> None:
    form = sent(app, "knock-poker", {"players-0-cards": ["9s", "9h"]})
    assert form.seats[0].cards.data == ["9s", "9h"]
