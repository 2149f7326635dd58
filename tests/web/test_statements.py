"""Database statements per page: limited in number, and independent of the length of the history."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from devices import HANDS as HELD
from devices import PlayedNight
from flask import Flask
from flask.testing import FlaskClient
from pages import Page
from sqlalchemy import event
from statements import heard
from years import make_years

from companion import create_app
from companion.store.groups import groups
from companion.store.models import db

SECRET = "secret-of-the-link"
# nights and rounds; both have more than a page of either lists
HISTORIES = {"short": (1, 10), "long": (25, 1_000)}
# address, statements at most, the beginning of the transaction among them
PAGES = [
    ("/", 11),
    ("{group}", 12),
    ("{group}/people", 4),
    ("{group}/settings", 5),
    ("{group}/settle", 8),
    ("{group}/leaderboard", 8),
    ("{group}/players/{player}", 12),
    ("{night}", 12),
    ("{night}/games", 9),
    ("{night}/rounds", 9),
    ("{night}/money", 13),
    ("{night}/people", 8),
    ("{night}/close", 7),
    ("{night}/state", 13),
    ("{night}/lines/3", 13),
    ("{night}/lines/3/correct", 12),
    ("{night}/pictures", 12),
    ("{night}/settle", 9),
    ("{night}/changes", 5),
    ("{night}/rules", 8),
    ("{night}/round", 14),
]
SAVE_MOST = 26  # two transactions: the form is read, and the round booked, with what it adds to the sums
HANDS = ("9s 9h 9d 4c 4d", "Ah Kh 8h 5h 3h", "8c 8d Js 7d 4h", "Ks Qd 9c 6h 2s", "Ad Jc 7s 5d 2c")
# where later lines follow from a change, some statements for each of those, and none for the others
FOLLOWED = [("{night}/lines/3/void", 20)]


@dataclass
class Counted:
    """A phone of a group with a history, and the statements since the last check."""

    client: FlaskClient
    places: dict[str, Any]
    said: list[str] = field(default_factory=list)

    def statements(self, address: str) -> int:
        self.client.get("/")  # what is read once in the life of the app is not counted
        self.said.clear()
        assert self.client.get(address.format(**self.places)).status_code == 200, address
        return len(self.said)

    def statements_of_a_save(self) -> int:
        address = f"{self.places['night']}/round?game=knock-poker"
        fields = Page(self.client.get(address).text).fields
        fields |= {f"players-{seat}-hand": [hand] for seat, hand in enumerate(HANDS[: len(fields["seat"])])}
        self.said.clear()
        saved = self.client.post(address, data=fields | {"asked-knocker": ["0"], "do": ["save"]})
        assert saved.status_code == 303, saved.text
        return len(self.said)


@pytest.fixture(scope="module")
def phones(new_instance: Callable[[], Path]) -> Iterator[dict[str, Counted]]:
    found, listening = {}, ExitStack()
    for name, history in HISTORIES.items():
        app = create_app({"INSTANCE": new_instance(), "TESTING": True})
        with app.app_context():
            group = make_years(SECRET, *history)
            night = groups.last_night(group)
            assert night is not None
            places = {"group": f"/g/{group.public_id}", "night": f"/s/{night.public_id}", "player": group.players[0].id}
            engine = db.engine
        counted = found[name] = Counted(app.test_client(), places)
        said = counted.said
        listening.enter_context(heard(engine, lambda statement, _values, said=said: said.append(statement)))
        assert counted.client.get(f"/open/{SECRET}").status_code == 303
    with listening:
        yield found
    for counted in found.values():
        with counted.client.application.app_context():
            db.engine.dispose()


@pytest.mark.parametrize(("address", "most"), PAGES, ids=[address for address, _ in PAGES])
def test_a_page_asks_as_little_of_a_long_history(phones: dict[str, Counted], address: str, most: int) -> None:
    short, long = (phones[name].statements(address) for name in HISTORIES)
    assert short == long <= most


@pytest.mark.parametrize(("address", "most"), FOLLOWED, ids=[address for address, _ in FOLLOWED])
def test_lines_that_do_not_change_are_read_at_once(phones: dict[str, Counted], address: str, most: int) -> None:
    assert max(phones[name].statements(address) for name in HISTORIES) <= most


def test_a_save_asks_as_little_after_a_long_history(phones: dict[str, Counted]) -> None:
    short, long = (phones[name].statements_of_a_save() for name in HISTORIES)
    assert short == long <= SAVE_MOST


def _shape(statement: str) -> str:
    """Return what a statement does to which table; it is the same with parameters and with values in their place."""
    return " ".join(re.split(r" WHERE | VALUES | SET |[(]", " ".join(statement.split()))[0].split())


def test_sqlalchemy_tells_of_every_statement_that_the_driver_runs(app: Flask) -> None:
    played, ran, said = PlayedNight(app), set[str](), set[str]()
    beto = played.joined("Beto")
    with app.app_context():
        engine = db.engine
        engine.dispose()

    def follow(driver: Any, *_: object) -> None:
        driver.set_trace_callback(lambda statement: ran.add(_shape(statement)))

    event.listen(engine, "checkout", follow)
    try:
        with heard(engine, lambda statement, _values: said.add(_shape(statement))):
            played.types(beto, players_1_hand=HELD["Beto"])
            known = {"If-None-Match": beto.get(f"{played.night}/state").headers["ETag"]}
            assert beto.get(f"{played.night}/state", headers=known).status_code == 304
            played.books()
    finally:
        event.remove(engine, "checkout", follow)
    ours = {shape for shape in ran if shape.split()[0] not in {"BEGIN", "COMMIT", "ROLLBACK", "PRAGMA"}}
    assert {shape.split()[0] for shape in ours} >= {"SELECT", "INSERT", "UPDATE", "DELETE"}
    assert ours <= said
