"""Saving a round with the page's script: the response is the line's address, which is then loaded once."""

from __future__ import annotations

from typing import Any

import pytest
from devices import HANDS, PlayedNight, problem
from werkzeug.test import TestResponse

from companion.engine.game import AnyRound
from companion.engine.money.settlement import Settlement
from companion.games import all_games
from companion.store.log import replay

JSON = {"Accept": "application/json"}


def saves(night: PlayedNight, headers: dict[str, str], **fields: Any) -> TestResponse:
    """Save the next round; by default Ana knocks and wins."""
    page = night.page("/round").fields
    hands = {f"players-{seat}-hand": hand for seat, hand in enumerate(HANDS.values())}
    typed = {name.replace("_", "-"): value for name, value in fields.items()}
    whole = {**page, **hands, "asked-knocker": "0", **typed, "do": "save"}
    return night.keeper.client.post(f"{night.night}/round", data=whole, headers=headers)


def test_the_script_is_told_the_address_and_a_browser_is_sent_there(night: PlayedNight) -> None:
    told = saves(night, JSON, key="first")
    assert told.status_code == 201
    assert told.get_json() == {"address": f"{night.night}/lines/1?saved=yes"}
    # sent again, as after a lost answer, it is the same line
    assert saves(night, JSON, key="first", number="1", dealer="2").get_json() == told.get_json()
    for accept in ({}, {"Accept": "*/*"}, {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}):
        sent = saves(night, accept)
        assert (sent.status_code, sent.location[-10:]) == (303, "?saved=yes")
    assert night.state(night.keeper)["saved"] == 4


def test_a_round_with_a_hand_from_another_phone_is_saved_once_too(night: PlayedNight) -> None:
    night.types(night.joined("Beto"), players_1_hand=HANDS["Beto"])
    told = saves(night, JSON, key="first", players_1_hand="")
    assert told.status_code == 201
    assert saves(night, JSON, key="first", number="1", players_1_hand="").get_json() == told.get_json()
    assert saves(night, {}, key="first", number="1", players_1_hand="").location == told.get_json()["address"]
    assert saves(night, JSON, key="another", number="1", players_1_hand="").status_code == 200
    assert night.state(night.keeper)["saved"] == 1


def test_a_saved_round_is_settled_once(night: PlayedNight, monkeypatch: pytest.MonkeyPatch) -> None:
    knock_poker, settled = all_games()["knock-poker"], []
    settle = knock_poker.settle

    def noted(round: AnyRound) -> Settlement:
        settled.append(round.players)
        return settle(round)

    replay._settled.cache_clear()
    monkeypatch.setattr(knock_poker, "settle", noted)
    assert saves(night, JSON).status_code == 201
    assert len(settled) == 1
    assert "Ana" in night.keeper.get(f"{night.night}/lines/1").text
    assert len(settled) == 1


def test_a_conflict_is_the_page_for_the_script_as_well(night: PlayedNight) -> None:
    fields = night.round_fields(night.keeper)
    night.books(key="of another phone")
    answer = saves(night, JSON, number=fields["number"], players_0_hand="Ac Kc Qc Jc Tc")
    assert (answer.status_code, answer.mimetype) == (409, "text/html")
    assert problem(answer.text).startswith("Round 1 was just saved from another phone")


def test_a_problem_is_the_page_for_the_script_as_well(night: PlayedNight) -> None:
    answer = saves(night, JSON, players_0_hand="9s 9h")
    assert (answer.status_code, answer.mimetype) == (200, "text/html")
    assert "Beto" not in problem(answer.text)
    assert 'id="problems"' in answer.text
    assert night.state(night.keeper)["saved"] == 0


def test_a_question_that_needs_an_answer_keeps_a_round_from_being_saved(night: PlayedNight) -> None:
    answer = saves(night, JSON, asked_knocker="")
    assert (answer.status_code, answer.mimetype) == (200, "text/html")
    assert "Who knocked" in answer.text[answer.text.index('id="problems"') :]
    assert night.state(night.keeper)["saved"] == 0


def test_a_correction_is_saved_by_the_script(night: PlayedNight) -> None:
    saves(night, JSON)
    where = f"{night.night}/lines/1/correct"
    page = night.keeper.page(where).fields
    changed = {**page, "players-2-hand": "8c 8d Js 7d 2h", "do": "save"}
    answer = night.keeper.client.post(where, data=changed, headers=JSON)
    assert (answer.status_code, answer.get_json()) == (201, {"address": f"{night.night}/lines/1?saved=yes"})
