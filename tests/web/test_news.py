"""Polls without news: answered without the database, and never after anything has changed, or anybody's rights."""

from __future__ import annotations

import re
from collections.abc import Callable
from math import inf

import pytest
from devices import HANDS, Device, PlayedNight
from flask import Flask
from statements import heard

from companion.store.db import attempts, news
from companion.store.db.attempts import Counter
from companion.store.models import db

HEADER = "Companion-News"


@pytest.fixture(autouse=True)
def _patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep what is remembered for longer than the slowest test takes."""
    monkeypatch.setattr(news, "KEPT_SECONDS", 1_000.0)


def known(app: Flask) -> news.Unchanged:
    with app.app_context():
        return news.unchanged()


def address(device: Device, night: PlayedNight, path: str = "/state") -> str:
    found = device.get(f"{night.night}{path}").headers[HEADER]
    assert device.get(found).status_code == 204
    return found


def status(app: Flask, at: str) -> int:
    """Ask for news as a phone without any cookie would."""
    return app.test_client().get(at).status_code


def test_without_news_the_database_is_not_asked(night: PlayedNight, app: Flask) -> None:
    beto = night.joined("Beto")
    at = address(beto, night)
    with app.app_context():
        engine = db.engine
    said: list[str] = []
    with heard(engine, lambda statement, _values: said.append(statement)):
        answer = beto.get(at)
    assert (answer.status_code, answer.data, said) == (204, b"", [])
    assert answer.headers["Cache-Control"] == "no-store"
    assert "Set-Cookie" not in answer.headers


def test_all_phones_of_a_night_have_one_address_and_another_night_another(night: PlayedNight, app: Flask) -> None:
    beto, looker = night.joined("Beto"), night.guest("look")
    assert len({address(device, night) for device in (night.keeper, beto, looker)}) == 1
    assert address(night.keeper, night, "/table") == address(beto, night)
    other = PlayedNight(app, secret="another-secret-of-a-link")
    mark = address(other.keeper, other).rpartition("/")[2]
    assert status(app, f"{night.night}/news/{mark}") == 200


CHANGES: dict[str, Callable[[PlayedNight, Device], object]] = {
    "a tap": lambda night, beto: night.types(beto, players_1_hand=HANDS["Beto"]),
    "a round": lambda night, beto: night.books(),
    "a loan": lambda night, beto: night.plays("loan 5"),
    "closed": lambda night, beto: night.plays("close"),
    "seat given up": lambda night, beto: beto.post(f"{night.night}/me", do="give-up"),
    "another phone": lambda night, beto: night.joined("Caro"),
    "a plan": lambda night, beto: night.plays("settle"),
    "a payment ticked": lambda night, beto: night.does(night.plan(), do="pay-0", **{"amount-0": "1"}),
    "a plan for all nights": lambda night, beto: night.does("{group}/settle"),
    "its payment ticked": lambda night, beto: night.does(night.plan("{group}/settle"), do="pay-0", **{"amount-0": "1"}),
    "new code": lambda night, beto: night.keeper.does(f"{night.night}/phones", do="renew"),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=list(CHANGES))
def test_after_a_change_there_is_news(app: Flask, change: Callable[[PlayedNight, Device], object]) -> None:
    night = PlayedNight(app).plays("loan 5")
    beto = night.joined("Beto")
    if change is CHANGES["a payment ticked"]:
        night.plays("settle")
    if change is CHANGES["its payment ticked"]:
        night.does("{group}/settle")
    at = address(night.keeper, night)
    change(night, beto)
    assert status(app, at) == 200
    assert address(night.keeper, night) != at


def test_a_change_of_another_night_is_no_news(app: Flask) -> None:
    night, other = PlayedNight(app), PlayedNight(app, secret="another-secret-of-a-link")
    at = address(night.keeper, night)
    other.books()
    other.does(other.plays("settle").plan(), do="pay-0", **{"amount-0": "1"})
    with app.app_context():
        attempts.take([Counter("somebody", 60, 10)])
    assert status(app, at) == 204


def test_whoever_lost_the_link_is_told_to_ask_and_then_refused(night: PlayedNight) -> None:
    looker = night.guest("look")
    at = address(looker, night)
    group = re.search(r"/g/[\w-]+", night.html()).group()  # type: ignore[union-attr]
    night.keeper.does(f"{group}/links", do="renew-look")
    assert looker.get(at).status_code == 200
    assert looker.get(f"{night.night}/state").status_code == 404
    assert address(night.keeper, night) != at


def test_what_was_read_before_a_change_is_not_remembered_after_it(night: PlayedNight, app: Flask) -> None:
    at = address(night.keeper, night)
    public_id, mark = night.night.rpartition("/")[2], at.rpartition("/")[2]
    begun = known(app).begin()
    night.books()
    known(app).remember(public_id, mark, begun)
    assert status(app, at) == 200


def test_what_is_remembered_is_read_again_after_a_while(
    night: PlayedNight, app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    at = address(night.keeper, night)
    monkeypatch.setattr(news, "monotonic", lambda: inf)
    assert status(app, at) == 200


def test_no_more_nights_are_remembered_than_fit(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(news, "_MAX_NIGHTS", 3)
    remembered = known(app)
    for number in range(7):
        remembered.remember(str(number), "mark", remembered.begin())
    assert sum(remembered.is_current(str(number), "mark") for number in range(7)) <= 3
    assert remembered.is_current("6", "mark")


@pytest.mark.parametrize("odd", ["", "x", "é", "a" * 5_000, "%00", "a/b"])
def test_an_odd_address_is_no_news(night: PlayedNight, app: Flask, odd: str) -> None:
    address(night.keeper, night)
    assert status(app, f"{night.night}/news/{odd}") in (200, 404)
    assert app.test_client().post(f"{night.night}/news/x").status_code in (400, 404, 405)
