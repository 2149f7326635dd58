"""A round without its form has the form's fields: their names, ids, types and values."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from flask.testing import FlaskClient

from companion.games import all_games
from companion.web.round.document import document
from companion.web.round.draft_cells import fields_of
from companion.web.round.form import form_class
from companion.web.round.plain import PlainRound
from companion.web.round.round_fields import RoundFields

OWN = ("dealer", "stake", "pot", "betting", "bets", "nonsense")


def made(key: str, seats: int) -> Iterator[RoundFields]:
    yield form_class(key)(formdata=None, data={"players": [{}] * seats}, meta={"csrf": False})
    yield PlainRound(key, seats)


def told(entered: RoundFields) -> list[tuple[object, ...]]:
    own = [entered.field(name) for name in OWN]
    seats = [field for seat in entered.seats for field in (seat.name, seat.hand, seat.cards)]
    fields = [field for field in (*own, *seats, *fields_of(entered).values()) if field is not None]
    return [(field.name, field.id, field.type, field.data) for field in fields]


@pytest.mark.parametrize("key", all_games())
def test_a_round_without_its_form_has_the_same_fields(client: FlaskClient, key: str) -> None:
    with client.application.test_request_context():
        form, plain = made(key, all_games()[key].seats[1])
        assert told(plain) == told(form)


@pytest.mark.parametrize("key", all_games())
def test_a_round_without_its_form_is_written_the_same(client: FlaskClient, key: str) -> None:
    names = ["Ana", "Beto", "Caro", "Dani"]
    with client.application.test_request_context():
        documents = []
        for entered in made(key, len(names)):
            for seat, name in zip(entered.seats, names, strict=True):
                seat.name.data, seat.hand.data = name, f"hand of {name}"
                for field in (field for field in fields_of(entered).values() if field.type == "BooleanField"):
                    field.data = True
            entered.dealer.data = "2"
            entered.set_money(5, 3)
            documents.append(document(entered, names))
        assert documents[0] == documents[1] != document(PlainRound(key, len(names)), names)
