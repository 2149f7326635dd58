"""Names that differ only in how dashes, quotation marks and dots are typed, over the pages and the JSON."""

from __future__ import annotations

import json

import pytest
from devices import HANDS, Device, PlayedNight, problem
from flask import Flask
from flask.testing import FlaskClient
from pages import Page, as_posted, send
from sample_rounds import ROUNDS

from companion.contract.naming import renamed
from companion.store.models import Player, db

TYPED, IPHONE, ACCENT = "O'Neil", "O\u2019Neil", "O\u00b4Neil"
ALIKE = f"“{IPHONE}” looks just like “{TYPED}”; give one of them another name"


@pytest.fixture
def night(app: Flask) -> PlayedNight:
    night = PlayedNight(app)
    night.does("{group}/players", name=TYPED, do="add")
    return night


def test_a_new_player_with_another_apostrophe_is_refused(night: PlayedNight) -> None:
    refused = night.post("{group}/players", name=IPHONE, do="add")
    assert problem(refused.text) == ALIKE
    newcomer = night.post("/seats", newcomer=IPHONE, do="new")
    assert problem(newcomer.text) == ALIKE
    ana = night.players["Ana"]
    renamed_to = night.post("{group}/players", **{f"name-{ana}": IPHONE}, do=f"rename-{ana}")
    assert problem(renamed_to.text) == ALIKE
    made = Device(night.app).post("/groups/new", name="", player=[TYPED, IPHONE], secret="s" * 32, do="make")
    assert ALIKE in Page(made.text).texts["problems"]


def test_a_player_who_comes_back_may_type_another_apostrophe(night: PlayedNight) -> None:
    with night.app.app_context():
        (player,) = db.session.query(Player).filter_by(name=TYPED)
    night.does("{group}/players", do=f"retire-{player.id}")
    night.does("/seats", newcomer=IPHONE, do="new")
    assert TYPED in night.page("/people").text
    with night.app.app_context():
        assert db.session.query(Player).count() == len(HANDS) + 1


def test_a_single_round_has_no_two_of_them(client: FlaskClient) -> None:
    fields = as_posted(client, ROUNDS["knock-poker"]) | {"players-0-name": [TYPED], "players-1-name": [IPHONE]}
    page = send(client, "knock-poker", fields)
    assert not page.has_result
    assert ALIKE in page.errors["players-1-name"]


def test_json_refers_to_players_in_any_form(client: FlaskClient) -> None:
    text = ROUNDS["knock-poker"]
    names = [TYPED, "Jos\u00e9", *text["players"][2:]]
    named = renamed(text, dict(zip(text["players"], names, strict=True)))
    otherwise = json.dumps(named | {"players": []}).replace("Jos\\u00e9", "Jose\\u0301").replace(TYPED, IPHONE)
    posted = json.loads(otherwise) | {"players": names}
    assert posted != named
    assert client.post("/api/settle", json=posted).json == client.post("/api/settle", json=named).json


def test_a_night_that_has_both_goes_on(app: Flask) -> None:
    """They could be entered before names were compared without their punctuation."""
    night = PlayedNight(app)
    with app.app_context():
        for name, then in (("Ana", TYPED), ("Beto", IPHONE)):
            (player,) = db.session.query(Player).filter_by(name=name)
            player.name = player.folded = then
        db.session.commit()
    hands = {f"players_{seat}_hand": hand for seat, hand in enumerate(HANDS.values())}
    fields = night.round_fields(night.keeper, **hands, asked_knocker="0")
    shown = Page(night.post("/round", **fields, do="settle").text)
    assert shown.has_result
    live = night.keeper.get(f"{night.night}/state").get_json()["live"]
    assert live["wrong"] == []
    line = night.does("/round", **fields, do="save")
    corrected = night.keeper.page(f"{line.partition('?')[0]}/correct")
    fields = {name: values for name, values in corrected.fields.items() if name not in ("csrf_token", "do")}
    again = Page(night.keeper.post(f"{line.partition('?')[0]}/correct", **fields, do="settle").text)
    assert again.has_result
    for path in (night.group, night.night, f"{night.night}/money", f"{night.group}/leaderboard"):
        page = night.keeper.get(path).text
        assert "O&#39;Neil" in page
        assert IPHONE in page
