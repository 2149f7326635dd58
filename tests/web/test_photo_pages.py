"""A hand read from a photograph: what is proposed, on whose phone, and what goes wrong."""

from __future__ import annotations

import io
import json
import re
import threading
from collections.abc import Iterator
from dataclasses import replace
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from bombs import a_bomb
from devices import Device, PlayedNight
from flask import Flask
from flask.testing import FlaskClient
from pages import Page
from PIL import Image
from waiting import MAX_SECONDS, until
from werkzeug.datastructures import FileStorage, MultiDict
from werkzeug.test import encode_multipart

from companion import camera
from companion.camera.readings import Detection
from companion.engine.pieces.cards import FRENCH
from companion.web.entering.photos import reading
from companion.web.http.requests import uploads
from companion.web.text.pieces import as_text

SAMPLES = Path(__file__).parent.parent / "camera" / "samples"
FIVE = SAMPLES / "cards" / "rendered_001.jpg"
FIVE_CARDS = {"Th", "3h", "8h", "Ad", "Jc"}
SCRIPT = {"Accept": "application/json"}
SINGLE = "/settle/knock-poker"


def encoded(image: Image.Image, form: str = "JPEG") -> bytes:
    file = io.BytesIO()
    image.save(file, form)
    return file.getvalue()


def fields_of(client: FlaskClient, path: str) -> dict[str, Any]:
    found = Page(client.get(path).text).fields
    return {name: values for name, values in found.items() if name not in ("do", "photo")}


def _dashed(name: str) -> str:
    """Call a field as its form does; a name that has a dash already is one."""
    return name if "-" in name or name == "csrf_token" else name.replace("_", "-")


def send(client: FlaskClient, path: str, picture: bytes | Path, seat: int | str = 0, **more: Any) -> Any:
    """Post the form of a page with a picture for a seat; `more` are fields with _ for -."""
    data = picture.read_bytes() if isinstance(picture, Path) else picture
    page = path.removesuffix("/photo") + "/correct" * ("/lines/" in path)
    fields = {**fields_of(client, page), **{_dashed(name): value for name, value in more.items()}}
    whole = {**fields, "do": f"photo-{seat}", "photo": FileStorage(io.BytesIO(data), "hand.jpg", "photo")}
    # not by the client, which writes long bodies into a temporary file
    edge, body = encode_multipart(MultiDict(whole))
    headers = {"Content-Type": f"multipart/form-data; boundary={edge}", **SCRIPT}
    return client.post(path, data=body, headers=headers)


@pytest.fixture
def seen(monkeypatch: pytest.MonkeyPatch) -> list[Detection]:
    """Give a list of readings that every picture holds: how they are proposed does not depend on the network."""
    found: list[Detection] = []

    def read(picture: bytes, pieces: Any, size: int, held: Any = ()) -> list[Detection]:
        return [one for one in found if one.piece not in held]

    monkeypatch.setattr(camera, "read_hand", read)
    return found


def put(seen: list[Detection], *cards: str) -> None:
    """Fill the picture: "Ah .95" is a reading, "Ah .95 twice" one of two decks."""
    for at, said in enumerate(cards):
        card, sure, *twice = said.split()
        seen.append(Detection(FRENCH.spellings[card], float(sure), (at * 10, 0, 8, 8), bool(twice)))


# ---- read and proposed


def test_a_picture_fills_the_hand(client: FlaskClient) -> None:
    told = send(client, f"{SINGLE}/photo", FIVE).get_json()
    assert {one["piece"] for one in told["hand"]} == FIVE_CARDS
    with Image.open(FIVE) as image:
        assert all(0 <= x < x + w <= image.width for x, _, w, _ in (one["box"] for one in told["hand"]))
    assert told["told"].startswith("All 5 cards read.")
    assert told["more"] == []


def test_sure_readings_are_plain_unsure_ones_marked_and_doubtful_ones_left_out(
    client: FlaskClient, seen: list[Detection]
) -> None:
    put(seen, "Ah .95", "Kh .9", "Qh .89", "Jh .6", "Th .59", "9h .2")
    told = send(client, f"{SINGLE}/photo", b"x").get_json()
    assert [(one["piece"], one["sure"]) for one in told["hand"]] == [
        ("Ah", True),
        ("Kh", True),
        ("Qh", False),
        ("Jh", False),
    ]
    assert told["doubtful"] == [[40, 0, 8, 8]]
    assert told["told"] == "4 of 5 cards read. Tap the missing ones. 2 are unsure, marked with “?”."


def test_an_unsure_reading_comes_with_what_else_it_may_be(client: FlaskClient, seen: list[Detection]) -> None:
    put(seen, "Ah .95", "8c .7", "9c .7")
    seen[:2] = [replace(one, other=FRENCH.spellings["3c"]) for one in seen[:2]]
    told = send(client, f"{SINGLE}/photo", b"x").get_json()
    assert [(one["piece"], one["chance"], one["or"]) for one in told["hand"]] == [
        ("Ah", 0.95, None),
        ("8c", 0.7, "3c"),
        ("9c", 0.7, None),
    ]


def test_a_second_picture_makes_the_first_surer(client: FlaskClient, seen: list[Detection]) -> None:
    put(seen, "Ah .95", "8c .9", "2c .5")
    told = send(client, f"{SINGLE}/photo", b"x", before="Ah 0.9, 8c 0.7, Kd 1").get_json()
    assert [(one["piece"], one["chance"]) for one in told["hand"]] == [("Kd", 1), ("Ah", 0.95), ("8c", 0.9)]
    assert [one["box"] for one in told["hand"]] == [None, [0, 0, 8, 8], [10, 0, 8, 8]]
    assert (told["doubtful"], told["more"]) == ([[20, 0, 8, 8]], [])
    assert told["told"] == "3 of 5 cards read. Tap the missing ones."


def test_a_second_picture_of_another_hand_is_taken_alone(client: FlaskClient, seen: list[Detection]) -> None:
    put(seen, "Ah .95", "Kh .95")
    told = send(client, f"{SINGLE}/photo", b"x", before="Ah 1, 2c 1, 3c 1").get_json()
    assert [one["piece"] for one in told["hand"]] == ["Ah", "Kh"]
    assert told["told"].endswith("It shows other cards than the picture before, which is left out.")


@pytest.mark.parametrize(
    "before", ["Ah", "Ah x", "Ah 2", "Ah nan", "Xx 1", ",", "Ah 1," * 60 + "Ah 1", f"Ah 0.{'1' * 1000}"]
)
def test_what_no_script_sends_of_a_first_picture_is_refused(
    client: FlaskClient, seen: list[Detection], before: str
) -> None:
    put(seen, "Ah .95")
    assert send(client, f"{SINGLE}/photo", b"x", before=before).status_code == 400


def test_what_is_typed_stays_and_what_others_hold_is_not_read_again(client: FlaskClient, seen: list[Detection]) -> None:
    put(seen, "Ah .95", "Kh .95", "Qh .95", "Jh .95", "Th .95")
    typed = {"players_0_hand": "2c ah ??", "players_1_hand": "Kh"}
    told = send(client, f"{SINGLE}/photo", b"x", **typed).get_json()
    assert [one["piece"] for one in told["hand"]] == ["2c", "Ah", "Qh", "Jh", "Th"]
    assert [one["box"] is None for one in told["hand"]] == [True, False, False, False, False]


def test_a_hand_that_another_player_has_is_not_called_an_empty_picture(
    client: FlaskClient, seen: list[Detection]
) -> None:
    put(seen, "Ah .95", "Kh .95")
    told = send(client, f"{SINGLE}/photo", b"x", players_1_hand="Ah Kh").get_json()
    assert told["problem"].startswith("No cards were found in this picture but those in other hands.")
    seen.clear()
    told = send(client, f"{SINGLE}/photo", b"x", players_1_hand="Ah Kh").get_json()
    assert told["problem"].startswith("No cards were found in this picture. Lay them apart")


def test_a_hand_that_wins_outright_takes_six(client: FlaskClient, seen: list[Detection]) -> None:
    put(seen, *(f"{rank}h .95" for rank in "A234567"))
    path = "/settle/dompe"
    tags = Page(client.get(path).text).tags
    (name,) = {str(about["name"]) for tag, about in tags if about.get("data-size") == "6" and tag == "input"}
    for winner, size in (("1", 5), ("0", 6)):
        told = send(client, f"{path}/photo", b"x", **{name: winner}).get_json()
        assert len(told["hand"]) == size


# ---- whose phone


def test_a_round_of_a_night_and_its_correction(app: Flask, seen: list[Detection]) -> None:
    put(seen, "Ah .95", "Kh .95", "2c .95")
    night = PlayedNight(app)
    night.books()
    for path in (f"{night.night}/round/photo", f"{night.night}/lines/1/photo"):
        told = send(night.keeper.client, path, b"x", seat=2).get_json()
        assert "2c" in [one["piece"] for one in told["hand"]]


def test_a_player_photographs_the_own_hand_and_no_other(app: Flask, seen: list[Detection]) -> None:
    put(seen, "Ah .95", "Kh .95", "2c .95")
    night = PlayedNight(app)
    beto, path = night.joined("Beto"), f"{night.night}/round/photo"
    night.types(night.keeper, players_0_hand="Ah")  # face down on Beto's phone: that it is taken does not show
    told = send(beto.client, path, b"x", seat=1).get_json()
    assert [one["piece"] for one in told["hand"]] == ["Ah", "Kh", "2c"]
    told = send(beto.client, path, b"x", seat=1, players_1_hand="3c").get_json()
    assert [one["piece"] for one in told["hand"]] == ["3c", "Ah", "Kh", "2c"]
    assert [send(beto.client, path, b"x", seat=seat).status_code for seat in (0, 2, 9)] == [403, 403, 403]
    looker = Device(app)
    looker.open(night.links()["look"])
    assert looker.post(path, do="photo-1").status_code == 403
    assert Device(app).post(path, do="photo-1").status_code == 404
    assert night.joined("Caro").post(f"{night.night}/lines/1/photo", do="photo-1").status_code == 403


def test_where_nothing_reads_pictures_there_is_no_button(client: FlaskClient, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "data-photo" in client.get(SINGLE).text
    monkeypatch.setattr(camera, "is_installed", lambda: False)
    assert "data-photo" not in client.get(SINGLE).text
    assert "data-camera" not in client.get(SINGLE).text


def test_the_scripts_get_what_they_say_when_the_camera_is_first_used(client: FlaskClient) -> None:
    told = client.get("/photo/words/domino-poker").get_json()
    assert told["label"] == "Photo of {player}'s hand"
    assert told["live"]["all"] == "All {size} tiles read. Hold still."
    assert told["table"]["count"] == "Hand {number}: {n}"
    spanish = client.get("/photo/words/knock", headers={"Accept-Language": "es"}).get_json()
    assert spanish["live"]["all"] == "Leídas las {size} cartas. No te muevas."
    assert client.get("/photo/words/chess").status_code == 404


def test_the_scripts_get_every_sentence_that_they_say(client: FlaskClient) -> None:
    told = client.get("/photo/words/dompe").get_json()
    (sent,) = re.findall(r'data-camera="(.*?)"', client.get("/settle/dompe").text)
    on_page = json.loads(unescape(sent))
    assert not set(told) & set(on_page)
    assert not [sentence for sentence in told["live"].values() if sentence in on_page.values()]
    scripts = Path(client.application.static_folder or "") / "scripts"
    files = [*scripts.glob("*camera.js"), *scripts.glob("camera/*.js"), scripts / "entry" / "camera_buttons.js"]
    texts = "".join(file.read_text(encoding="utf-8") for file in files)
    used = set(re.findall(r"\bcamera\.(\w+)", texts)) - {"js"}
    assert used == {*told, *on_page}
    assert set(re.findall(r"\bwords\.(\w+)", texts)) <= {*told["live"], *told["table"]}


def test_a_deck_that_cannot_be_read_says_so(client: FlaskClient) -> None:
    spanish = {"rules_deck": "spanish-40"}
    sentence = "These cards can't be read from a photo yet. Tap them instead."
    told = send(client, "/settle/dompe/photo", FIVE, **spanish)
    assert (told.status_code, told.get_json()["problem"]) == (200, sentence)
    fields = {**fields_of(client, "/settle/dompe"), "rules-deck": "spanish-40", "do": "rules"}
    assert "be read from a photo yet" in client.post("/settle/dompe", data=fields).text


# ---- what goes wrong

BAD: dict[str, tuple[bytes, str]] = {
    "no file": (b"", "Choose a photo first"),
    "text": (b"Qh Qd", "This file isn't a picture"),
    "a PDF named .jpg": (b"%PDF-1.7\n%%EOF\n", "This file isn't a picture"),
    "half a file": (FIVE.read_bytes()[:9000], "This picture is damaged or incomplete"),
    "black": (encoded(Image.new("RGB", (800, 600))), "No cards were found"),
    "a blank table": (encoded(Image.new("RGB", (800, 600), (30, 90, 60))), "No cards were found"),
    "a cat": (encoded(Image.radial_gradient("L").resize((800, 800))), "No cards were found"),
    "a decompression bomb": (a_bomb(40_000), "more than 16 megapixels"),
    "many line breaks": (b"\r\n" * 100_000, "This file isn't a picture"),  # looks like ends of parts of the form
    "9 MB": (b"\xff\xd8" + bytes(9_000_000), "larger than 8 MB"),
}


@pytest.mark.parametrize("what", BAD)
def test_what_cannot_be_read_is_a_sentence(client: FlaskClient, what: str) -> None:
    data, sentence = BAD[what]
    answer = send(client, f"{SINGLE}/photo", data, players_0_hand="2c 3c")
    assert answer.status_code == 200
    assert sentence in answer.get_json()["problem"]


def test_a_full_hand_is_replaced(client: FlaskClient) -> None:
    told = send(client, f"{SINGLE}/photo", FIVE, players_0_hand="2c 3c 4c 5c 6c").get_json()
    assert {one["piece"] for one in told["hand"]} == FIVE_CARDS


def test_more_cards_than_the_hand_takes_are_shown(client: FlaskClient, seen: list[Detection]) -> None:
    put(seen, *(f"{rank}h .95" for rank in "A234567"))
    told = send(client, f"{SINGLE}/photo", b"x").get_json()
    assert [one["piece"] for one in told["more"]] == ["6h", "7h"]
    assert "The picture shows more than 5 cards: the surest are proposed." in told["told"]


def test_two_decks_are_told(client: FlaskClient, seen: list[Detection]) -> None:
    put(seen, "Ah .95 twice", "Kh .95")
    told = send(client, f"{SINGLE}/photo", b"x").get_json()
    assert f"{as_text(FRENCH.spellings['Ah'])} is in the picture twice: show one hand of one deck." in told["told"]


def test_odd_requests_are_refused(client: FlaskClient) -> None:
    for do in ("photo-9", "photo-x", "photo", "save-0", ""):
        body = {**fields_of(client, SINGLE), "do": do, "photo": (io.BytesIO(b"x"), "x")}
        assert client.post(f"{SINGLE}/photo", data=body).status_code == 400, do
    assert client.post("/settle/nothing/photo").status_code == 404
    body = {**fields_of(client, SINGLE), "do": "photo-0", "players-0-hand": (io.BytesIO(b"x"), "x")}
    assert client.post(f"{SINGLE}/photo", data=body).status_code == 400


def test_a_device_in_a_night_reads_so_many_a_minute(night: PlayedNight, seen: list[Detection]) -> None:
    put(seen, "Ah .95")
    answers = [send(night.keeper.client, f"{night.night}/round/photo", b"x") for _ in range(21)]
    assert [answer.status_code for answer in answers] == [200] * 20 + [429]


def test_a_stranger_reads_some_ten_an_hour_and_all_at_an_address_some_fifty(
    app: Flask, seen: list[Detection], monkeypatch: pytest.MonkeyPatch
) -> None:
    put(seen, "Ah .95")
    device, clients = iter(range(100)), []
    for most in (12, 12, 12, 12, 0):
        number = str(next(device))
        monkeypatch.setattr(reading, "known_device", lambda number=number: number)
        clients.append(app.test_client())
        answers = [send(clients[-1], f"{SINGLE}/photo", b"x") for _ in range(most + 1)]
        assert [answer.status_code for answer in answers] == [200] * most + [429]
        assert "Too many tries" in answers[-1].get_json()["problem"]


def test_who_waits_for_a_turn_loses_nothing(app: Flask, seen: list[Detection], monkeypatch: pytest.MonkeyPatch) -> None:
    put(seen, "Ah .95")
    client = app.test_client()
    with monkeypatch.context() as patch:
        patch.setattr(reading, "_COMES_IN", threading.BoundedSemaphore(1))
        with reading._COMES_IN:
            for _ in range(13):
                assert send(client, f"{SINGLE}/photo", b"x").get_json()["again"]
    assert "hand" in send(client, f"{SINGLE}/photo", b"x").get_json()


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> Iterator[threading.Event]:
    """Let the reading of a picture wait until the event is set."""
    done = threading.Event()
    monkeypatch.setattr(camera, "read_hand", lambda *_: done.wait(MAX_SECONDS) and [])
    monkeypatch.setattr(reading, "_PATIENCE_SECONDS", 0.05)
    yield done
    done.set()


def test_one_picture_is_read_at_a_time(app: Flask, slow: threading.Event) -> None:
    first = threading.Thread(target=send, args=(app.test_client(), f"{SINGLE}/photo", b"x"))
    first.start()
    until(reading._READS.locked)
    told = send(app.test_client(), f"{SINGLE}/photo", b"x").get_json()
    assert told == {"problem": "Other photos are being read. Wait a few seconds, then try again.", "again": True}
    slow.set()
    first.join()
    told = send(app.test_client(), f"{SINGLE}/photo", b"x").get_json()
    assert told["problem"].startswith("No cards were found")


def test_a_picture_stays_in_memory(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    sizes: list[int] = []
    close = uploads._Capped.close

    def noted(self: Any) -> None:
        if not self.closed:
            sizes.append(len(self.getvalue()))
        close(self)

    monkeypatch.setattr(uploads._Capped, "close", noted)
    monkeypatch.setattr("tempfile.SpooledTemporaryFile", None)
    monkeypatch.setattr("tempfile.TemporaryFile", None)
    answer = send(app.test_client(), f"{SINGLE}/photo", bytes(20_000_000))
    assert "larger than 8 MB" in answer.get_json()["problem"]
    assert sizes == [camera.MAX_BYTES + 1]
