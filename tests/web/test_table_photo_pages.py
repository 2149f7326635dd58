"""All hands from one photograph: what is proposed, on whose phone, and what goes wrong."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from devices import PlayedNight
from flask import Flask
from flask.testing import FlaskClient
from PIL import Image
from test_photo_pages import FIVE, SINGLE, encoded, send

from companion import camera
from companion.camera.readings import DetectedGroup, Detection
from companion.engine.pieces.cards import FRENCH
from companion.web.entering.photos.photo_of_table import MAX_HANDS

SAMPLES = Path(__file__).parent.parent / "camera" / "samples"
TABLES = json.loads((SAMPLES / "tables.json").read_text())
FOUR = next(name for name, entry in TABLES.items() if len(entry["hands"]) == 4)


@pytest.fixture
def laid(monkeypatch: pytest.MonkeyPatch) -> list[DetectedGroup]:
    """Give a list of groups that every picture shows: how they are proposed does not depend on the network."""
    found: list[DetectedGroup] = []
    monkeypatch.setattr(camera, "read_table", lambda *_: found)
    return found


def lay(laid: list[DetectedGroup], *hands: str) -> None:
    """Lay hands: "Ah Kh? Qh??" is a sure card, an unsure one and one that is too doubtful."""
    sure = {0: 0.95, 1: 0.8, 2: 0.4}
    for number, hand in enumerate(hands):
        cards = [(card.rstrip("?"), sure[card.count("?")]) for card in hand.split()]
        box = (number * 100, 0, 90, 90)
        there = (number * 100, 9, 9, 9)
        laid.append(DetectedGroup(tuple(Detection(FRENCH.spellings[c], s, there) for c, s in cards), box))


HANDS = ("Ah Kh Qh Jh Th", "As Ks Qs Js Ts", "Ac Kc Qc Jc Tc", "Ad Kd Qd Jd Td")


def read(client: FlaskClient, path: str = f"{SINGLE}/photo", **more: Any) -> Any:
    return send(client, path, b"x", seat="table", **more).get_json()


def test_a_rendered_table_fills_four_hands(client: FlaskClient) -> None:
    answer = send(client, f"{SINGLE}/photo", SAMPLES / "tables" / FOUR, seat="table")
    told = answer.get_json()
    assert answer.status_code == 200, answer.text
    assert told["given"] == {"0": 1, "1": 2, "2": 3, "3": 4}
    for hand, there in zip(told["hands"], TABLES[FOUR]["hands"], strict=True):
        cards = {FRENCH.spellings[card].text for card in there}
        assert len(cards & {one["piece"] for one in hand["seen"]}) >= 4
    assert told["told"].startswith("4 hands found. Check whose each is.")


def test_hands_come_with_their_readings(client: FlaskClient, laid: list[DetectedGroup]) -> None:
    lay(laid, "Ah Kh? Qh??", *HANDS[1:])
    told = read(client)
    first = told["hands"][0]
    assert [(one["piece"], one["sure"]) for one in first["seen"]] == [("Ah", True), ("Kh", False)]
    assert (first["number"], first["box"], first["doubtful"]) == (1, [0, 0, 90, 90], [[0, 9, 9, 9]])
    assert "1 is unsure" in told["told"]


@pytest.mark.parametrize(
    ("count", "given", "sentence"),
    [
        (1, {"0": 1}, "1 hand found for 4 players. Choose whose it is"),
        (3, {"0": 1, "1": 2, "2": 3}, "3 hands found for 4 players. Choose whose each is"),
        (4, {"0": 1, "1": 2, "2": 3, "3": 4}, "4 hands found. Check whose each is."),
        (
            5,
            {"0": 1, "1": 2, "2": 3, "3": 4},
            "5 hands found, more than there are players. Choose whose each is; the others",
        ),
    ],
)
def test_more_or_fewer_hands_than_players(
    client: FlaskClient, laid: list[DetectedGroup], count: int, given: dict[str, int], sentence: str
) -> None:
    lay(laid, *[*HANDS, "2c 3c 4c 5c 6c"][:count])
    told = read(client)
    assert told["given"] == given
    assert told["told"].startswith(sentence)


def test_a_stray_card_is_no_hand_and_a_large_group_is_told(client: FlaskClient, laid: list[DetectedGroup]) -> None:
    lay(laid, "2c", f"{HANDS[0]} 2h 3h", *HANDS[1:])
    told = read(client)
    assert [len(hand["seen"]) for hand in told["hands"]] == [7, 5, 5, 5]
    assert "Hand 1 shows 7 cards, more than a hand takes: the surest are used." in told["told"]


def test_hands_that_are_missing_come_before_full_ones_and_those_out_have_none(
    client: FlaskClient, laid: list[DetectedGroup]
) -> None:
    lay(laid, *HANDS[:2])
    told = read(client, players_0_hand="2c 3c 4c 5c 6c", players_2_dropped="y")
    assert (told["given"], told["told"]) == ({"1": 1, "3": 2}, "2 hands found. Check whose each is.")
    assert read(client, hands=["2", "3"])["given"] == {"2": 1, "3": 2}


# more of the kind is in test_photo_pages.py
BAD = {
    "no file": (b"", {}, "Choose a photo first"),
    "half a file": (
        FIVE.read_bytes()[:9000],
        {},
        "This picture is damaged or incomplete",
    ),
    "everybody out": (FIVE.read_bytes(), {f"players_{n}_dropped": "y" for n in range(4)}, "No hand is left to read"),
}


@pytest.mark.parametrize("what", BAD)
def test_what_cannot_be_read_is_a_sentence(client: FlaskClient, what: str) -> None:
    data, more, sentence = BAD[what]
    answer = send(client, f"{SINGLE}/photo", data, seat="table", **more)
    assert answer.status_code == 200
    assert sentence in answer.get_json()["problem"]


def test_no_more_hands_are_shown_than_a_table_has(client: FlaskClient, laid: list[DetectedGroup]) -> None:
    lay(laid, *[HANDS[0]] * 25)
    assert len(read(client)["hands"]) == MAX_HANDS


def test_an_empty_table_is_told(client: FlaskClient) -> None:
    blank = encoded(Image.new("RGB", (800, 600), (30, 90, 60)))
    told = send(client, f"{SINGLE}/photo", blank, seat="table").get_json()
    assert told["problem"].startswith("No cards were found in this picture. Lay the hands apart")


@pytest.mark.parametrize(
    ("cards", "sentence"),
    [
        (("Ah", "Ks?", "Qh??"), "2 cards were found, but too far apart to be hands. Lay each hand's"),
        (("Ah",), "Only one of the cards was found. Lay each hand's cards side by side, apart from the other hands."),
        (("Ah??",), "No cards were found in this picture."),
    ],
)
def test_single_cards_are_told(
    client: FlaskClient, laid: list[DetectedGroup], cards: tuple[str, ...], sentence: str
) -> None:
    lay(laid, *cards)
    assert read(client)["problem"].startswith(sentence)


def test_face_down_hands_stay_and_only_the_scorekeeper_reads_the_table(app: Flask, laid: list[DetectedGroup]) -> None:
    lay(laid, *HANDS[:2])
    night = PlayedNight(app)
    beto, path = night.joined("Beto"), f"{night.night}/round/photo"
    night.types(beto, players_1_hand="2c 3c 4c 5c 6c")
    told = read(night.keeper.client, path)
    assert "1" not in told["given"]
    assert send(beto.client, path, b"x", seat="table").status_code == 403
    assert "data-photo-table" in night.keeper.client.get(f"{night.night}/round").text
    assert "data-photo-table" not in beto.client.get(f"{night.night}/round").text


def test_a_correction_reads_the_table(app: Flask, laid: list[DetectedGroup]) -> None:
    lay(laid, *HANDS[:3])
    night = PlayedNight(app, begins="round")
    assert len(read(night.keeper.client, f"{night.night}/lines/1/photo")["hands"]) == 3
