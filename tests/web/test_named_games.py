"""Rounds of games that the table names: saved, corrected, counted under their own names, exported, and given back."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from devices import Device, PlayedNight, dispose, problem
from flask import Flask
from pages import as_posted, send
from sample_rounds import ROUNDS
from test_portable_pages import upload

from companion import create_app
from companion.store.audit import audit
from companion.store.models import TypedText, db

PERUDO = {
    "game": "any-game",
    "called": "Perudo",
    "players-0-won_by": "y",
    "players-1-pays": "3",
    "everyone-pays": "1",
    "players-0-hand": "",
    "do": "save",
}


@pytest.fixture
def night(app: Flask) -> PlayedNight:
    return PlayedNight(app, game="any-game")


def saves(night: PlayedNight, **changes: str) -> str:
    fields = night.form("/round") | PERUDO | changes
    return night.does("/round", **{name: value for name, value in fields.items() if value != "off"})


def test_a_round_is_like_any_other(night: PlayedNight) -> None:
    saves(night)
    for page, told in {
        "/lines/1": ["Perudo · Friday", "Ana wins +4", "Beto pays Ana 3", "Caro pays Ana 1", "AG-2"],
        "/rounds": ["Perudo"],
        "": ["Ana Perudo +4"],
        "/money": ["Ana +4"],
        "/print": ["Perudo"],
        "/changes": ["Perudo"],
        "{group}/leaderboard": ["Perudo"],
    }.items():
        text = night.text(page)
        assert [sentence for sentence in told if sentence not in text] == [], page


def test_names_used_before_are_offered_and_the_last_one_stands_there(night: PlayedNight) -> None:
    assert night.page("/round").fields["called"] == [""]
    saves(night)
    saves(night, called="Hearts")
    html = night.html("/round")
    assert re.findall(r'<option value="(\w+)"></option>', html) == ["Hearts", "Perudo"]
    assert night.page("/round").fields["called"] == ["Hearts"]
    assert night.page("/round?game=any-game&called=Perudo").fields["called"] == ["Perudo"]


def test_a_correction_knows_the_name_and_may_change_it(night: PlayedNight) -> None:
    saves(night)
    fields = night.form("/lines/1/correct")
    assert (fields["called"], fields["players-1-pays"], fields["players-2-pays"]) == (["Perudo"], ["3"], ["1"])
    changed = night.told("/lines/1/correct", **fields | {"called": "Liar's dice", "do": "settle"})
    assert "What this changes" in changed.text
    night.does("/lines/1/correct", **fields | {"called": "Liar's dice", "do": "save"})
    assert "Liar's dice · Friday" in night.text("/lines/1")
    assert "Game: Liar's dice (before: Perudo)" in night.text("/lines/1")


def test_who_saves_second_is_shown_the_name_saved_first(night: PlayedNight) -> None:
    typed = night.form("/round") | PERUDO
    saves(night, called="Hearts")
    refused = night.post("/round", **typed)
    assert refused.status_code == 409
    assert re.search(r"<td>Hearts</td>\s*<td>Perudo</td>", refused.text)


def test_each_name_is_counted_by_itself(night: PlayedNight) -> None:
    saves(night)
    saves(night, called="Hearts", **{"players-0-won_by": "off", "players-1-won_by": "y", "players-1-pays": "off"})
    keys = dict(re.findall(r'<option value="(any-game\.\d+)">(\w+)</option>', night.html("{group}/leaderboard")))
    assert sorted(keys.values()) == ["Hearts", "Perudo"]
    by_name = {name: key for key, name in keys.items()}
    ana = f"{{group}}/players/{night.players['Ana']}"
    assert "Perudo 1" in night.text(ana) and "Hearts 1" in night.text(ana)
    assert "+4" in night.text(f"{ana}?game={by_name['Perudo']}")
    assert "+4" not in night.text(f"{ana}?game={by_name['Hearts']}")
    # nobody knows another group's names
    assert night.keeper.get(f"{night.group}/leaderboard?game=any-game.999999").status_code == 200


@pytest.mark.parametrize(
    ("called", "told"),
    [
        ("", "What did you play?"),
        ("knock poker", "The app knows Knock Poker"),
        ("x" * 41, "This name is longer than 40 characters"),
        ("Per\x07udo", "This name has characters that can't be displayed"),
    ],
)
def test_a_bad_name_is_told_at_its_field(night: PlayedNight, called: str, told: str) -> None:
    fields: dict[str, Any] = night.form("/round") | PERUDO | {"called": called}
    page = night.told("/round", **fields)
    assert problem(page.html) == "One thing to fix"
    assert told in page.errors["called"]
    assert page.fields["players-1-pays"] == ["3"]


def test_nobody_who_won_is_told(night: PlayedNight) -> None:
    fields = night.form("/round") | PERUDO
    del fields["players-0-won_by"]
    assert "Tap who won" in night.told("/round", **fields).text


def test_a_player_s_phone_waits_for_the_scorekeeper(night: PlayedNight) -> None:
    phone = night.joined("Beto")
    text = night.text("/round", phone)
    assert "The scorekeeper enters who won." in text
    assert night.page("/round", phone).fields.get("called") is None


def test_an_export_has_the_names_and_an_import_counts_them(
    night: PlayedNight, new_instance: Callable[[], Path]
) -> None:
    saves(night)
    exported = night.keeper.get(f"{night.group}/export/group.json").data
    revision = json.loads(exported)["group"]["nights"][0]["lines"][0]["revisions"][0]
    assert (revision["document"]["called"], revision["document"]["game"]) == ("Perudo", "any-game")
    assert "Perudo" in night.keeper.get(f"{night.group}/export/rounds.csv").text
    elsewhere = create_app({"INSTANCE": new_instance(), "TESTING": True})
    device = Device(elsewhere)
    taken = upload(device.client, exported)
    assert (taken.status_code, taken.location) == (303, night.group)
    assert "Perudo" in device.page(f"{night.group}/leaderboard").text
    assert device.get(f"{night.group}/export/group.json").data == exported
    with elsewhere.app_context():
        assert list(audit()) == []
    dispose(elsewhere)


def test_the_name_goes_with_its_group(night: PlayedNight, app: Flask) -> None:
    saves(night)
    night.does("{group}/delete", name="Friday", do="delete")
    with app.app_context():
        assert db.session.query(TypedText).filter_by(text="Perudo").count() == 0


def test_a_single_round_of_it_takes_players_in_and_out(app: Flask) -> None:
    client = app.test_client()
    fields = as_posted(client, ROUNDS["any-game"])
    more = send(client, "any-game", fields, "add")
    assert more.fields["players-3-name"] == ["Player 4"]
    fewer = send(client, "any-game", more.fields, "remove-3")
    assert (fewer.fields["called"], fewer.fields["players-1-pays"]) == (["Perudo"], ["5"])
    assert "Caro wins +8" in send(client, "any-game", fewer.fields).text


def test_the_list_of_changes_writes_money_as_money(app: Flask) -> None:
    night = PlayedNight(app, "domino-poker", "secret-of-cents", currency="MXN", stake="5", **{"buy-in": "200"})
    night.plays("rebuy Ana 50, loan 7.55").does("/buy-in", **{"buy-in": "150"})
    pays = {"players-0-won_by": ["y"], "players-1-pays": "7.55", "players-2-pays": "17.50", "called": "Bridge"}
    night.does("/round?game=any-game", **night.form("/round?game=any-game") | pays, do="save")
    values = re.findall(r"<dd>(.*?)</dd>", night.html("/changes"))
    for amount in ("50.00", "7.55", "150.00", "17.50"):
        assert f"MX${amount}" in values, amount
    assert not {"5000", "755", "15000", "1750"} & set(values)
