"""Frames of the viewfinder: read like photographs, but faster, without waiting, and two of them count as one."""

from __future__ import annotations

from typing import Any

import pytest
from devices import PlayedNight
from flask import Flask
from flask.testing import FlaskClient
from test_photo_pages import FIVE, FIVE_CARDS, SINGLE, put, send

from companion import camera
from companion.camera.readings import DetectedGroup, Detection
from companion.engine.pieces.cards import FRENCH
from companion.web.entering.photos import reading

WORTH = [
    ("thirty-one", "Ah Kh 4h", "25 points"),
    ("gin-rummy", "Ah 2h 3h 4c 4d 4s 9h 9s 9c Kd", "10 deadwood"),
]


@pytest.fixture
def glanced(monkeypatch: pytest.MonkeyPatch) -> list[Detection]:
    """Give a list of readings that every frame holds; no photograph can be read."""
    found: list[Detection] = []

    def read(picture: bytes, pieces: Any, size: int, held: Any = ()) -> list[Detection]:
        return [one for one in found if one.piece not in held]

    monkeypatch.setattr(camera, "glance_at_hand", read)
    monkeypatch.setattr(camera, "read_hand", None)
    return found


def frame(client: FlaskClient, path: str = f"{SINGLE}/photo", **more: Any) -> Any:
    return send(client, path, b"x", frame="yes", **more)


def test_a_frame_is_read_like_a_photo(client: FlaskClient) -> None:
    told = send(client, f"{SINGLE}/photo", FIVE, frame="yes").get_json()
    assert {one["piece"] for one in told["hand"]} == FIVE_CARDS


def test_a_frame_takes_the_faster_way(client: FlaskClient, glanced: list[Detection]) -> None:
    put(glanced, "Ah .95", "Kh .8")
    told = frame(client).get_json()
    assert [(one["piece"], one["sure"]) for one in told["hand"]] == [("Ah", True), ("Kh", False)]
    told = frame(client, before="Kh .97, Ah .7").get_json()
    assert [one["sure"] for one in told["hand"]] == [True, True]


def test_a_frame_of_a_whole_hand_says_what_it_is(client: FlaskClient, glanced: list[Detection]) -> None:
    put(glanced, "9h .95", "9s .95", "9c .95", "4h .95")
    assert frame(client).get_json()["worth"] == ""
    put(glanced, "4d .7")
    told = frame(client, players_1_hand="As Ks Qs Js Ts").get_json()
    assert told["worth"] == "Full house, nines over fours"  # not how it compares with the other hand
    put(glanced, "Ah .95")
    assert frame(client).get_json()["worth"] == ""  # more than the hand


@pytest.mark.parametrize(("game", "cards", "worth"), WORTH)
def test_every_kind_of_hand_is_named(
    client: FlaskClient, glanced: list[Detection], game: str, cards: str, worth: str
) -> None:
    put(glanced, *(f"{card} .95" for card in cards.split()))
    assert frame(client, f"/settle/{game}/photo").get_json()["worth"] == worth


def test_a_photo_says_nothing_that_a_correction_would_change(client: FlaskClient) -> None:
    assert "worth" not in send(client, f"{SINGLE}/photo", FIVE).get_json()


def test_a_frame_without_a_hand_is_not_read_once_more(client: FlaskClient, glanced: list[Detection]) -> None:
    put(glanced, "Ah .95")
    told = frame(client, players_1_hand="Ah").get_json()
    assert told["problem"].startswith("No cards were found in this picture. Lay them apart")


def test_a_frame_waits_for_nobody(client: FlaskClient, glanced: list[Detection]) -> None:
    put(glanced, "Ah .95")
    with reading._READS:
        told = frame(client).get_json()
    assert told["again"]
    assert "hand" in frame(client).get_json()


def test_two_frames_count_as_a_photo(app: Flask, glanced: list[Detection], monkeypatch: pytest.MonkeyPatch) -> None:
    put(glanced, "Ah .95")
    monkeypatch.setattr(camera, "read_hand", camera.glance_at_hand)
    night = PlayedNight(app)
    client, path = night.keeper.client, f"{night.night}/round/photo"
    for _ in range(19):
        assert send(client, path, b"x").status_code == 200
    assert frame(client, path).status_code == 200
    refused = send(client, path, b"x")  # there is room for one frame only
    assert (refused.status_code, "Too many tries" in refused.get_json()["problem"]) == (429, True)
    assert [frame(client, path).status_code for _ in range(2)] == [200, 429]
    assert int(refused.headers["Retry-After"]) > 0


@pytest.fixture
def laid(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Let every frame of the table show one hand; return the sizes that were asked for. No photograph can be read."""
    asked: list[int] = []

    def read(picture: bytes, pieces: Any, sizes: Any, held: Any = ()) -> list[DetectedGroup]:
        asked[:] = sizes
        seen = [Detection(pieces.find(card), 0.95, (0, 0, 9, 9)) for card in ("Ah", "Kh", "Qh", "Jh", "Th")]
        return [DetectedGroup(tuple(seen), (0, 0, 90, 90))]

    monkeypatch.setattr(camera, "glance_at_table", read)
    monkeypatch.setattr(camera, "read_table", None)
    return asked


def test_a_frame_of_the_table_takes_the_faster_way(client: FlaskClient, laid: list[int]) -> None:
    told = frame(client, seat="table").get_json()
    assert [len(hand["seen"]) for hand in told["hands"]] == [5]
    assert told["hint"] == "5 cards read, but not as the players' hands. Show only these, farther apart."
    with reading._READS:
        assert frame(client, seat="table").get_json()["again"]


def test_one_card_of_a_small_hand_is_counted_as_one(client: FlaskClient, monkeypatch: pytest.MonkeyPatch) -> None:
    group = DetectedGroup((Detection(FRENCH.find("Ah"), 0.95, (0, 0, 9, 9)),), (0, 0, 90, 90))
    monkeypatch.setattr(camera, "glance_at_table", lambda *asked: [group])
    told = frame(client, "/settle/thirty-one/photo", seat="table").get_json()
    assert (
        told["hint"]
        == "Only one of the cards was read, and not as a player's hand. Show only the hands, farther apart."
    )


def test_a_frame_of_the_table_is_read_for_the_hands_that_are_named(night: PlayedNight, laid: list[int]) -> None:
    path = f"{night.night}/round/photo"
    frame(night.keeper.client, path, seat="table")
    everybody = len(laid)
    frame(night.keeper.client, path, seat="table", hands="1")
    assert (everybody > 1, len(laid)) == (True, 1)


def test_a_player_may_not_read_the_table_live(night: PlayedNight, laid: list[int]) -> None:
    assert frame(night.joined("Beto").client, f"{night.night}/round/photo", seat="table").status_code == 403
    assert laid == []


def test_a_frame_of_the_table_counts_as_a_photo(night: PlayedNight, laid: list[int]) -> None:
    client, path = night.keeper.client, f"{night.night}/round/photo"
    assert [frame(client, path, seat="table").status_code for _ in range(21)] == [200] * 20 + [429]


def test_a_frame_of_the_table_leaves_out_hands_that_are_face_down(night: PlayedNight, laid: list[int]) -> None:
    beto, path = night.joined("Beto"), f"{night.night}/round/photo"
    assert "1" in frame(night.keeper.client, path, seat="table", hands="1").get_json()["given"]
    night.types(beto, players_1_hand="2c 3c 4c 5c 6c")
    told = frame(night.keeper.client, path, seat="table").get_json()
    assert ("1" in told["given"], len(laid)) == (False, 2)
    asked = frame(night.keeper.client, path, seat="table", hands="1").get_json()
    assert asked["problem"].startswith("No hand is left to read")
