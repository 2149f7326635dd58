"""No input costs much more than its length: hands of whole decks with little memory, and other long bodies."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from cheap import takes_at_most
from devices import Device, PlayedNight
from flask import Flask
from flask.testing import FlaskClient
from pages import Page
from sample_rounds import WITH_HANDS
from waiting import MAX_SECONDS

from companion.contract import progress
from companion.contract.reading.names import folded
from companion.engine.pieces.cards import FRENCH
from companion.games import all_games

DECK = [card.text for card in FRENCH.pieces]
MAX_BYTES, MAX_CPU_SECONDS = 64 << 20, 100
# a child that may take 64 MB more than it has when the app is up, and so many seconds
LIMITED = f"""
import resource, sys
from pathlib import Path
from companion import create_app
from test_costs import *

app = create_app({{"INSTANCE": Path(sys.argv[1])}})
pages = int(Path("/proc/self/statm").read_text().split()[0])
most = pages * resource.getpagesize() + {MAX_BYTES}
resource.setrlimit(resource.RLIMIT_AS, (most, most))
resource.setrlimit(resource.RLIMIT_CPU, ({MAX_CPU_SECONDS}, {MAX_CPU_SECONDS}))
for work in (posts_progress, posts_settle, polls_a_draft):
    print(work.__name__, flush=True)
    work(app)
"""


def rummy(hand: object) -> dict[str, Any]:
    """A round with one hand that is far too large."""
    players = ["Ana", "Beto"]
    return {"game": "knock-rummy", "players": players, "round": {"knocker": None, "hands": {"Ana": hand}}}


def posts_progress(app: Flask) -> None:
    for hand in (DECK, "".join(DECK), DECK[:36], DECK[:11], "".join(DECK * 500)):
        given = "".join(hand) if isinstance(hand, str) else hand
        response = app.test_client().post("/api/progress", json=rummy(given))
        found = response.get_json()
        assert response.status_code == 200
        assert found["hands"]["Ana"]["reading"] is None
        assert found["hands"]["Ana"]["size"] == (len(hand) // 2 if isinstance(hand, str) else len(hand))
        assert ["round.hands.Ana", "wrong-hand-size"] in [[e["field"], e["code"]] for e in found["errors"]]


def posts_settle(app: Flask) -> None:
    for hand in (DECK, "".join(DECK), "".join(DECK * 500)):
        response = app.test_client().post("/api/settle", json=rummy(hand))
        assert response.status_code == 422
        codes = [error["code"] for error in response.get_json()["errors"] if error["field"] == "round.hands.Ana"]
        assert codes == ["wrong-hand-size"]


def polls_a_draft(app: Flask) -> None:
    night = PlayedNight(app, game="knock-rummy")
    typed = {"game": "knock-rummy", "players_0_hand": " ".join(DECK)}
    assert night.types(night.keeper, **typed)["live"]["seats"]["0"]["size"] == len(DECK)
    for device in (night.keeper, night.joined("Beto"), Device(app)):
        device.open(night.secret)
        assert night.state(device)["live"]["seats"]["0"]["reading"] == ""
        assert device.get(f"{night.night}/round").status_code == 200
    answer = night.post("/round", **night.round_fields(night.keeper), do="settle")
    assert "has 52 cards, not 7" in answer.text


@pytest.mark.thorough
def test_a_hand_of_the_whole_deck_takes_little_memory(instance: Path) -> None:
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, [str(Path(__file__).parent), *sys.path]))}
    command = [sys.executable, "-c", LIMITED, str(instance)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=MAX_SECONDS)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("game", WITH_HANDS)
def test_a_hand_larger_than_any_of_the_game_is_not_read(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    found = all_games()[game]
    pieces = [piece.text for piece in found.pieces(found.options()).pieces]
    read: list[int] = []
    monkeypatch.setattr(type(found), "describe_cards", lambda _self, hand, _round: read.append(len(hand)))
    for size in (11, len(pieces), len(pieces) + 1, 5_000):
        hand = (pieces * 200)[:size]
        told = progress({"game": game, "players": ["Ana", "Beto"], "round": {"hands": {"Ana": hand}}})
        assert not read
        if size <= len(pieces):
            assert told.hands["Ana"].size == size
            assert told.hands["Ana"].reading is None


def test_a_hand_of_more_cards_than_there_are_is_told_once() -> None:
    told = progress(rummy(["x"] * 10_000))
    assert [(p.field, p.code) for p in told.wrong] == [("round.hands.Ana", "wrong-hand-size")]
    assert [str(message) for message in told.missing] == ["10 of Beto"]


def test_names_of_more_players_than_any_game_has_are_not_read() -> None:
    names = [f"{number:x}" for number in range(2_000)]
    round = {"hands": dict.fromkeys(names, "As"), "paid": dict.fromkeys(names, 1), "folded": names}
    told = progress({"game": "domino-poker", "players": names, "round": round})
    assert [(p.field, p.code) for p in told.wrong] == [("players", "too-many-players")]


def test_long_rows_of_accents_are_not_composed() -> None:
    """Sorting ten million of them took minutes; a fixed number is looked at."""
    with takes_at_most(1_000):
        assert len(folded("a" + "\u0301\u0316" * 10_000_000)) < 200


def test_bets_are_played_once(client: FlaskClient) -> None:
    """Replayed from the start for each, 400 raises are 80,000."""
    names = {f"players-{seat}-name": name for seat, name in enumerate(["Ana", "Beto"])}
    bets = "bet 1;raise 2;" + "raise 1000;" * 400
    token = Page(client.get("/settle/domino-poker").text).fields["csrf_token"][0]
    fields = {**names, "dealer": "1", "betting": "yes", "bets": "", "csrf_token": token}
    client.post("/settle/domino-poker/live", data=fields)
    fields["bets"] = bets
    with takes_at_most(3_000_000):
        response = client.post("/settle/domino-poker/live", data=fields)
    assert json.loads(response.text)["live"]["missing"]


def test_a_long_list_of_languages_is_read_from_its_beginning(client: FlaskClient) -> None:
    client.get("/", headers={"Accept-Language": "es"})
    with takes_at_most(200_000):
        response = client.get("/", headers={"Accept-Language": "es," + "xx;q=0.1," * 25_000})
    assert '<html lang="es' in response.text


def test_a_host_longer_than_a_name_is_refused(client: FlaskClient) -> None:
    client.get("/", environ_overrides={"HTTP_HOST": "\xe9."})
    with takes_at_most(100_000):
        assert client.get("/", environ_overrides={"HTTP_HOST": "\xe9." * 100_000}).status_code == 400


def test_a_group_of_thousands_is_refused_by_their_number(app: Flask) -> None:
    Device(app).post("/groups/new", name="Friday", player=["Ana"] * 50, do="make")
    with takes_at_most(3_000_000):
        answer = Device(app).post("/groups/new", name="Friday", player=["Ana"] * 5_000, do="make")
    assert "5000 given" in answer.text
