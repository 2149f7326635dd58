"""Reads what a phone sends while a round is entered, directly as cells of the draft, without building the form.

A tap sends the touched fields by name, unticked boxes in `touched`, and the player ids of the page's seats in `seats`,
separated by dots. Older pages send the whole form instead, with a `seat` for each seat, and name the touched fields in
`touched`.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import islice
from typing import Any

from werkzeug.datastructures import MultiDict
from wtforms import BooleanField, Field, RadioField

from companion.engine.game import AnyGame
from companion.games import all_games
from companion.store.identities import player_in_seat

from .draft_cells import cell_name, fields_of
from .form import form_class

_MOST_TOUCHED = 200


def seats_of(posted: MultiDict[str, str]) -> list[str]:
    """Return the player ids by seat, as on the page that was typed into."""
    return posted["seats"].split(".") if "seats" in posted else posted.getlist("seat")


def typed_cells(posted: MultiDict[str, str], game: AnyGame, players: Sequence[str]) -> dict[str, Any]:
    """Return the touched cells, ignoring names that aren't fields of the round's form."""
    kinds, named = _kinds(game.key), posted.getlist("touched")
    touched = dict.fromkeys((*posted, *named) if "seats" in posted else named)
    cells = {}
    for name in islice(touched, _MOST_TOUCHED):
        kind, seat = kinds.get(name), name.split("-")[1] if name.startswith("players-") else "0"
        if kind is None or int(seat) >= len(players) or not (name in posted or issubclass(kind, BooleanField)):
            continue
        cells[cell_name(name, players)] = _value(kind, posted.get(name, ""), players)
    return cells


@cache
def _kinds(key: str) -> dict[str, type[Field]]:
    """Return the type of each field that a draft stores, for as many seats as the game allows."""
    game = all_games()[key]
    seats = [{"name": ""}] * game.seats[1]
    form = form_class(key)(formdata=None, data={"players": seats}, meta={"csrf": False})
    return {name: type(field) for name, field in fields_of(form).items()}


def _value(kind: type[Field], text: str, players: Sequence[str]) -> bool | str:
    """Parse a field as its form would: a tick into a bool, a seat number into the player's id."""
    if issubclass(kind, BooleanField):
        return text not in BooleanField.false_values
    if issubclass(kind, RadioField):
        return player_in_seat(text, players) or ""
    return text.strip()
