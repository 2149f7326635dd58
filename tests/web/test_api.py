"""The JSON API: every response has the status, content type and shape promised by the OpenAPI document."""

import json
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from games.rounds import actions
from jsonschema import Draft202012Validator
from openapi_spec_validator import validate
from sample_rounds import RESULTS, ROUNDS, changed
from werkzeug.test import TestResponse

from companion import create_app
from companion.games import all_games

KP = "knock-poker"
PROBLEM = "application/problem+json"


def document_of(client: FlaskClient) -> Any:
    return json.loads(client.get("/api/openapi.json").data)


def shape(client: FlaskClient, name: str) -> Any:
    """Return a validator for one of the OpenAPI document's schemas."""
    components = document_of(client)["components"]
    return Draft202012Validator({"$ref": f"#/components/schemas/{name}", "components": components})


def check(client: FlaskClient, response: TestResponse, status: int, name: str) -> Any:
    """Check a response's status, content type and shape; returns its document."""
    assert response.status_code == status
    assert response.mimetype == ("application/json" if status == 200 else PROBLEM)
    found = json.loads(response.data)
    shape(client, name).validate(found)
    if status != 200:
        assert found["status"] == status
        assert found["title"]
        assert found["errors"]
    return found


def post(client: FlaskClient, body: str | bytes, status: int) -> Any:
    response = client.post("/api/settle", data=body, content_type="application/json")
    return check(client, response, status, "Settlement" if status == 200 else "Problems")


# bets | status | whose turn it is, and whether the bets are at their end | whether the schema takes them
BETS: dict[str, tuple[str, int, tuple[object, object], bool]] = {
    "going on": ("Ana check, Beto bet 4, Caro fold", 200, ("Ana", False), True),
    "over": ("Ana fold, Beto fold", 200, (None, True), True),
    "out of turn": ("Ana check, Caro bet 4", 422, (None, None), True),
    "unreadable": ("Ana bet, Zoe pass", 422, (None, None), False),
}


@pytest.mark.parametrize("game", ["domino-poker", "draw-poker"])
@pytest.mark.parametrize(("bets", "status", "stand", "is_valid"), BETS.values(), ids=BETS)
def test_bets_are_played_without_hands(
    client: FlaskClient, game: str, bets: str, status: int, stand: tuple[object, object], is_valid: bool
) -> None:
    document = changed(game, {"round": {"bets": actions(bets)}, "rules": {"all_in": True}})
    response = client.post("/api/betting", json=document)
    found = check(client, response, status, "Betting" if status == 200 else "Problems")
    assert (found.get("turn"), found.get("over")) == stand
    assert shape(client, "Round").is_valid(document) == is_valid


@pytest.mark.parametrize("action", [{}, {"player": "Ana"}, {"player": "Ana", "action": "call", "amount": 4},
                                    {"player": "Ana", "action": "bet", "amount": 0},
                                    {"player": "Ana", "action": "fold", "note": ""}], ids=str)  # fmt: skip
def test_schema_refuses_what_is_no_action(client: FlaskClient, action: dict[str, Any]) -> None:
    document = changed("domino-poker", {"round": {"bets": [action]}})
    assert not shape(client, "Round").is_valid(document)
    check(client, client.post("/api/betting", json=document), 422, "Problems")


def test_schema_needs_the_sums_or_the_bets(client: FlaskClient) -> None:
    assert not shape(client, "Round").is_valid(changed("domino-poker", {"round": {"hands": {}}}))


def test_openapi_document_is_valid(client: FlaskClient) -> None:
    response = client.get("/api/openapi.json")
    assert (response.status_code, response.mimetype) == (200, "application/json")
    validate(json.loads(response.data))


@pytest.mark.parametrize("game", ROUNDS)
def test_round_is_settled_with_the_net_in_seat_order(client: FlaskClient, game: str) -> None:
    seats = ["Caro", "Ana", "Beto"][-len(ROUNDS[game]["players"]) :]
    document = changed(game, {"players": seats, "dealer": seats[0]})
    text = client.post("/api/settle", json=document).get_data(as_text=True)
    net = json.loads(text, object_pairs_hook=list)
    assert [name for name, _ in dict(net)["net"]] == seats
    winner, *_ = RESULTS[game]
    assert post(client, json.dumps(ROUNDS[game]), 200)["winners"] == [winner]


@pytest.mark.parametrize("game", ROUNDS)
def test_schema_takes_the_rounds_that_are_settled(client: FlaskClient, game: str) -> None:
    validator = shape(client, "Round")
    validator.validate(ROUNDS[game])
    validator.validate(changed(game, {"stake": 25, "pot": 3, "rules": {}}))


PASSED_IN = {"rules": {"openers": "two-pairs"}, "round": {"passed_in": True}}


def test_schema_asks_for_no_sums_where_nobody_opened(client: FlaskClient) -> None:
    validator = shape(client, "Round")
    validator.validate(changed("draw-poker", PASSED_IN))
    assert post(client, json.dumps(changed("draw-poker", PASSED_IN)), 200)["winners"] == []
    assert not validator.is_valid(changed("draw-poker", {**PASSED_IN, "round": {"passed_in": False}}))


@pytest.mark.parametrize(
    "changes", [{"stake": 0}, {"pot": -1}, {"players": ["Ana"]}, {"rules": {"ante": 1001}}, {"rules": {"x": 1}},
                {"extra": 1}, {"round.extra": 1}, {"game": "whist"}, {"round.hands": []}],
    ids=str,
)  # fmt: skip
def test_schema_refuses_what_is_refused(client: FlaskClient, changes: dict[str, Any]) -> None:
    document = changed(KP, changes)
    assert not shape(client, "Round").is_valid(document)
    post(client, json.dumps(document), 422)


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"round.hands.Beto": "9h Kh"}, "round.hands.Beto"),
        ({"players": ["Ana", "ana", ""]}, "players.1"),
        ({"stake": 10**40}, "stake"),
        ({"game": "whist"}, "game"),
    ],
)
def test_round_with_problems_is_422(client: FlaskClient, changes: dict[str, Any], field: str) -> None:
    found = post(client, json.dumps(changed(KP, changes)), 422)
    assert found["type"] == "about:blank"
    assert found["title"] == "The round can't be settled as entered"
    assert field in [error["field"] for error in found["errors"]]


GOOD = json.dumps(ROUNDS[KP])
BAD_BODIES: dict[str, str | bytes] = {
    "empty": b"",
    "blank": b"  \n",
    "no JSON": "settle it",
    "array": "[]",
    "array of a round": f"[{GOOD}]",
    "text": '"round"',
    "number": "5",
    "null": "null",
    "NaN": "NaN",
    "NaN inside": GOOD.replace('"dealer"', '"pot": NaN, "dealer"'),
    "Infinity inside": GOOD.replace('"dealer"', '"pot": Infinity, "dealer"'),
    "minus Infinity inside": GOOD.replace('"dealer"', '"pot": -Infinity, "dealer"'),
    "cut off": GOOD[:-1],
    "two documents": GOOD + GOOD,
    "invalid UTF-8": GOOD.encode().replace(b"Ana", b"An\xff"),
    "Latin-1": GOOD.replace("Ana", "Anä").encode("latin-1"),
    "UTF-16": GOOD.encode("utf-16"),
    "half of a pair in UTF-8": GOOD.encode().replace(b"Ana", b"An\xed\xa0\x80"),
    "deep lists": "[" * 30_000 + "]" * 30_000,
    "deep and open": "[" * 60_000,
}


@pytest.mark.parametrize("body", BAD_BODIES.values(), ids=BAD_BODIES)
def test_body_that_is_no_json_object_is_400(client: FlaskClient, body: str | bytes) -> None:
    for path in ("/api/settle", "/api/betting"):
        found = check(client, client.post(path, data=body, content_type="application/json"), 400, "Problems")
        assert [error["code"] for error in found["errors"]] == ["bad-request"]


def test_deep_objects_are_refused(client: FlaskClient) -> None:
    response = client.post("/api/settle", data='{"a":' * 9_000 + "1" + "}" * 9_000, content_type="application/json")
    assert response.status_code in (400, 422)  # newer versions of Python read such a document; "a" is no field
    check(client, response, response.status_code, "Problems")


@pytest.mark.parametrize("key", ["stake", "pot", "dealer", "players"])
@pytest.mark.parametrize("number", ["9" * 5000, "-" + "9" * 5000, "1e400", "1." + "0" * 5000])
def test_number_of_thousands_of_digits_is_a_problem_of_its_field(client: FlaskClient, key: str, number: str) -> None:
    body = json.dumps(changed(KP, {key: "@"})).replace('"@"', number)
    errors = post(client, body, 422)["errors"]
    assert (key, "bad-value") in [(error["field"], error["code"]) for error in errors]


@pytest.mark.parametrize("depth", [50, 200, 400, 900, 950, 990])
@pytest.mark.parametrize("path", ["stake", "game", "dealer", "players", "rules", "round", "round.hands.Ana", "extra"])
def test_deep_value_is_a_problem_or_no_json(client: FlaskClient, path: str, depth: int) -> None:
    body = json.dumps(changed(KP, {path: "@"})).replace('"@"', "[" * depth + "]" * depth)
    response = client.post("/api/settle", data=body, content_type="application/json")
    check(client, response, response.status_code if response.status_code in (400, 422) else 422, "Problems")


def test_byte_order_mark_and_charset_are_no_matter(client: FlaskClient) -> None:
    for kind in ("application/json", "application/json; charset=utf-8", "Application/JSON"):
        response = client.post("/api/settle", data=b"\xef\xbb\xbf" + GOOD.encode(), content_type=kind)
        assert check(client, response, 200, "Settlement")["net"] == {"Ana": 5, "Beto": -3, "Caro": -2}


@pytest.mark.parametrize("kind", ["text/plain", "", "application/x-www-form-urlencoded", "multipart/form-data"])
def test_other_content_types_are_415(client: FlaskClient, kind: str) -> None:
    check(client, client.post("/api/settle", data=GOOD, content_type=kind), 415, "Problems")


def test_too_large_body_is_413(client: FlaskClient) -> None:
    post(client, GOOD + " " * 70_000, 413)


@pytest.mark.parametrize(
    ("method", "path", "allowed"),
    [
        ("GET", "/api/settle", {"POST", "OPTIONS"}),
        ("GET", "/api/betting", {"POST", "OPTIONS"}),
        ("PUT", "/api/settle", {"POST", "OPTIONS"}),
        ("TRACE", "/api/settle", {"POST", "OPTIONS"}),
        ("DELETE", "/api/settle", {"POST", "OPTIONS"}),
        ("POST", "/api/games", {"GET", "HEAD", "OPTIONS"}),
        ("PATCH", "/api/openapi.json", {"GET", "HEAD", "OPTIONS"}),
    ],
)
@pytest.mark.parametrize("sent", [{}, {"json": {}}], ids=["without a body", "with JSON"])
def test_method_that_is_not_allowed_is_405(
    client: FlaskClient, method: str, path: str, allowed: set[str], sent: dict[str, Any]
) -> None:
    response = client.open(path, method=method, **sent)
    check(client, response, 405, "Problems")
    assert set(response.headers["Allow"].split(", ")) == allowed


@pytest.mark.parametrize("path", ["/api/nothing", "/api/settle/", "/api/", "/api/games/knock"])
def test_unknown_address_is_404_as_a_problem(client: FlaskClient, path: str) -> None:
    check(client, client.get(path), 404, "Problems")


def test_fault_of_ours_is_500_as_a_problem(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_document: object) -> None:
        raise AssertionError("a bug")

    monkeypatch.setattr("companion.web.api.documents.settle", fail)
    app.config["TESTING"] = False
    app.config["PROPAGATE_EXCEPTIONS"] = False
    client = app.test_client()
    found = check(client, client.post("/api/settle", json=ROUNDS[KP]), 500, "Problems")
    assert "a bug" not in json.dumps(found)


# game | name | direction | seats | option: default, from RULES.md
GAMES: list[tuple[str, str, str, tuple[int, int], dict[str, object]]] = [
    ("knock-poker", "Knock Poker", "clockwise", (2, 10), {
        "ante": 1, "drop_fee": 1, "knock_payment": 2, "losing_knocker_pays": "all", "settlement": "full", "draw_fee": 0,
        "minimum_knock": "none", "bonuses": False, "bonus_first_turn": 2, "bonus_royal_flush": 4,
        "bonus_straight_flush": 2, "bonus_four_of_a_kind": 1, "odd_chips": "turn-order"}),
    ("dompe", "Dompe", "anticlockwise", (2, 5), {
        "ante": 1, "deck": "joker", "yuca": False, "equal_hands": "wild-then-suit", "suits": "diamonds-first",
        "outright_bonus": 0}),
    ("domino-poker", "Domino Poker", "clockwise", (2, 4), {
        "ante": 1, "low_straights": "flush", "all_in": False, "minimum_bet": 0, "maximum_bet": 0,
        "minimum_raise": 0, "maximum_raise": 0, "most_raises": 0}),
    ("draw-poker", "Draw Poker with CARDominoes", "clockwise", (2, 6), {
        "ante": 1, "wild": "none", "five_of_a_kind": "top", "all_in": False, "odd_chips": "turn-order",
        "minimum_bet": 0, "maximum_bet": 0, "minimum_raise": 0, "maximum_raise": 0, "most_raises": 0, "openers": "none",
        "equal_hands": "share"}),
    ("knock", "Knock", "clockwise", (2, 10), {
        "ante": 1, "hand": "points", "match_pot": True, "match_limit": 0, "knocker_tie": "shares",
        "odd_chips": "turn-order"}),
    ("knock-rummy", "Knock Rummy", "clockwise", (2, 6), {
        "knocker_penalty": 10, "rum_bonus": 25, "rum_bonus_from": "each", "odd_chips": "turn-order",
        "knock_limit": "none", "ace": "low", "cards": "usual"}),
]  # fmt: skip
CHOICES = {
    "losing_knocker_pays": ["all", "not-winner"],
    "settlement": ["full", "simple"],
    "minimum_knock": ["none", "pair", "pair-of-jacks", "pair-of-queens", "pair-of-kings", "pair-of-aces", "two-pairs",
                      "three-of-a-kind", "straight", "flush", "full-house"],
    "odd_chips": ["turn-order", "stay-in-pot"],
    "deck": ["joker", "plain", "spanish-40", "spanish-48"],
    "dompe equal_hands": ["wild-then-suit", "first-to-show"],
    "draw-poker equal_hands": ["share", "natural-first"],
    "suits": ["diamonds-first", "spades-first"],
    "openers": ["none", "pair-of-jacks", "pair-of-aces", "two-pairs"],
    "knocker_tie": ["shares", "loses"],
    "knock-rummy odd_chips": ["turn-order", "unpaid"],
    "knock_limit": ["none", "30", "20", "10", "5", "0"],
    "ace": ["low", "high-or-low", "round-the-corner"],
    "cards": ["usual", "7", "10"],
    "low_straights": ["flush", "high-card"],
    "wild": ["none", "jokers", *"A23456789TJQK"],
    "five_of_a_kind": ["top", "off"],
    "hand": ["points", "poker"],
    "rum_bonus_from": ["each", "shared"],
}  # fmt: skip
POKER = ["royal-flush", "straight-flush", "four-of-a-kind", "full-house", "flush", "straight", "three-of-a-kind",
         "two-pairs", "pair", "high-card"]  # fmt: skip
CATEGORIES = {
    "knock-poker": POKER,
    "dompe": ["six-card-flush", "six-card-straight", "three-pairs", "five-of-a-kind", "straight-flush",
              "four-of-a-kind", "full-house", "flush", "straight", "three-of-a-kind", "no-hand"],
    "domino-poker": ["royal", "straight-sixes", "four-of-a-kind", "straight-fives", "full-house", "straight-fours",
                     "three-of-a-kind", "flush", "pair", "high-card"],
    "draw-poker": ["five-of-a-kind", *POKER],
    "knock": ["points", *POKER],
    "knock-rummy": ["deadwood"],
}  # fmt: skip


@pytest.fixture
def listed(client: FlaskClient) -> dict[str, Any]:
    found = check(client, client.get("/api/games"), 200, "Games")
    return {game["key"]: game for game in found["games"]}


def test_games_are_those_of_the_rule_book(listed: dict[str, Any]) -> None:
    assert {row[0] for row in GAMES} <= set(listed) == set(all_games())


@pytest.mark.parametrize(("key", "name", "direction", "seats", "options"), GAMES, ids=[row[0] for row in GAMES])
def test_game_is_described_as_in_the_rule_book(
    listed: dict[str, Any], key: str, name: str, direction: str, seats: tuple[int, int], options: dict[str, object]
) -> None:
    game = listed[key]
    assert set(game) == {"key", "name", "summary", "direction", "seats", "options", "categories"}
    assert (game["name"], game["direction"]) == (name, direction)
    assert game["seats"] == {"minimum": seats[0], "maximum": seats[1]}
    found = {option["key"]: option["default"] for option in game["options"]}
    assert {k: found.get(k) for k in options} == options
    assert [category["key"] for category in game["categories"]] == CATEGORIES[key]
    for option in game["options"]:
        kinds = {"choice": str, "toggle": bool, "integer": int}
        assert type(option["default"]) is kinds[option["type"]]
        # C-1: amounts are whole stakes from 0 to 1,000; DP-9: raises are counted up to 100
        most = 100 if option["key"] == "most_raises" else 1000
        assert [option["minimum"], option["maximum"]] == ([0, most] if option["type"] == "integer" else [None, None])
        choices = CHOICES.get(f"{key} {option['key']}", CHOICES.get(option["key"], []))
        # what was added later comes after these
        assert [choice["value"] for choice in option["choices"]][: len(choices)] == choices
        assert all(option[text] for text in ("label", "help", "rule"))


def test_stored_nothing(client: FlaskClient) -> None:
    first = post(client, GOOD, 200)
    assert post(client, GOOD, 200) == first
    assert "Set-Cookie" not in client.post("/api/settle", data=GOOD).headers


def test_apps_answer_alike(app: Flask) -> None:
    other = create_app({"INSTANCE": app.config["INSTANCE"], "TESTING": True}).test_client()
    assert other.post("/api/settle", data=GOOD).data == app.test_client().post("/api/settle", data=GOOD).data
