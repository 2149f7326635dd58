"""Programs keep score with a token: what they book is what pages book, once for each key, and nothing behind others."""

from __future__ import annotations

from typing import Any

import pytest
from devices import HANDS, PlayedNight
from jsonschema import ValidationError
from programs import Program, token_of
from sample_rounds import ROUNDS, changed

from companion.games import all_games

NAMES = list(HANDS)
KNOCK_POKER = {key: value for key, value in ROUNDS["knock-poker"].items() if key not in ("stake", "rules", "pot")}
LOAN = {"movement": "loan", "from": "Ana", "to": "Beto", "amount": 5}
SIX = ["knock-poker", "dompe", "domino-poker", "knock-rummy", "knock", "draw-poker"]


@pytest.fixture
def program(night: PlayedNight) -> Program:
    return Program(night.app, token_of(night, "keep", "Robot"))


@pytest.fixture
def here(night: PlayedNight) -> dict[str, str]:
    return {"night": night.night.rpartition("/")[2]}


def key(name: str) -> dict[str, str]:
    return {"Idempotency-Key": name}


def without_money(game: str) -> dict[str, Any]:
    """Return a round as a program knows it, which leaves the stake and the pot to the night."""
    return {name: value for name, value in ROUNDS[game].items() if name not in ("stake", "pot")}


def test_a_program_plays_a_night_of_six_games(night: PlayedNight, program: Program) -> None:
    """Opens it, plays a round of each game, lends, corrects, voids and closes; what it reads is the sum of that."""
    players = program.call("group")["players"]
    opened = program.call("open_night", {"game": SIX[0], "players": [one["name"] for one in players]}, key("open"))
    here, sums, nets = {"night": opened["id"]}, dict.fromkeys(NAMES, 0), []
    for game in SIX:
        document = without_money(game)
        program.validate({"$ref": "#/components/schemas/Round"}, document)
        saved = program.call("save_round", document, key(game), **here)
        assert saved["settlement"] == program.call("settle", saved["document"])
        assert [saved["document"]["game"], saved["number"], saved["round"]] == [game, len(nets) + 1, len(nets) + 1]
        nets.append(saved["net"])
    program.call("book_movement", {**LOAN, "note": "taxi"}, key("loan"), **here)
    program.call("void_round", headers=key("void"), number=2, **here)
    corrected = program.call("correct_round", changed("knock-poker", {"round.knocker": "Beto"}), number=1, **here)
    assert corrected["revision"] == 2 and corrected["net"] != nets[0]
    told = program.call("close_night", {"split": True}, key("close"), **here)
    read = program.call("rounds", **here)["rounds"]
    assert [one["document"]["game"] for one in read] == SIX[::-1]
    for one in read:
        for name, units in one["net"].items():
            sums[name] += units
    split = [one["document"] for one in program.call("movements", **here)["movements"]]
    assert [one["movement"] for one in split][-1] == "loan"
    sums["Ana"], sums["Beto"] = sums["Ana"] - 5, sums["Beto"] + 5
    left = -sum(sums.values())
    standings = {one["name"]: one["balance"] for one in told["standings"]}
    assert sum(standings.values()) == 0 == told["pot"]
    assert sum(standings[name] - sums[name] for name in NAMES) == left
    assert told["closed_at"]
    assert program.call("night", **here) == told
    owed = dict.fromkeys(NAMES, 0)
    for payment in told["payments"]:
        owed[payment["from"]] -= payment["amount"]
        owed[payment["to"]] += payment["amount"]
    assert owed == standings
    page = night.keeper.get(f"/s/{here['night']}/changes").text
    assert page.count("Robot") >= 9


@pytest.mark.parametrize("game", all_games())
def test_a_round_of_every_game_is_shown_by_the_pages(
    night: PlayedNight, program: Program, here: dict[str, str], game: str
) -> None:
    if game in ROUNDS:
        saved = program.call("save_round", without_money(game), **here)
        assert night.keeper.get(f"{night.night}/lines/{saved['number']}").status_code == 200
        assert night.keeper.get(f"{night.night}/lines/{saved['number']}/correct").status_code == 200
        program.call("correct_round", saved["document"], number=saved["number"], **here)


def test_a_round_takes_from_the_night_what_it_leaves_out(
    night: PlayedNight, program: Program, here: dict[str, str]
) -> None:
    night.plays("rules knock-poker ante=3, stakes all 2")
    given = {key: value for key, value in KNOCK_POKER.items() if key != "dealer"}
    saved = [program.call("save_round", given, **here)["document"] for _ in range(2)]
    assert [one["rules"]["ante"] for one in saved] == [3, 3]
    assert [one["stake"] for one in saved] == [2, 2]
    assert [one["dealer"] for one in saved] == ["Caro", "Ana"]
    named = changed("knock-poker", {"players": ["ana", " Beto ", "CARO"], "dealer": "beto", "stake": 2})
    document = program.call("save_round", {**named, "rules": {"ante": 1}}, **here)["document"]
    assert (document["players"], document["dealer"], document["rules"]["ante"]) == (NAMES, "Beto", 1)


# what a program sends | fields that the refusal names
WRONG_ROUNDS: dict[str, tuple[dict[str, Any], list[str]]] = {
    "a card twice": ({"round.hands.Beto": "9h Kh 8h 5h 3h"}, ["round.hands.Beto"]),
    "a stranger": ({"players": ["Ana", "Beto", "Zoe"]}, ["players.2"]),
    "another stake": ({"stake": 7}, ["stake"]),
    "another pot": ({"pot": 7}, ["pot"]),
    "no game": ({"game": "chess"}, ["game"]),
    "no text": ({"game": ["knock"], "players": [1, {}]}, ["game"]),
    "no list": ({"players": "Ana"}, ["players"]),
    "no rules": ({"rules": 5}, ["rules"]),
    "an unknown rule": ({"rules": {"x": 1}}, ["rules.x"]),
    "an unknown field": ({"extra": 1}, ["extra"]),
    "a dealer who isn't there": ({"dealer": "Zoe"}, ["dealer"]),
}


@pytest.mark.parametrize(("changes", "fields"), WRONG_ROUNDS.values(), ids=WRONG_ROUNDS)
def test_a_wrong_round_is_refused_by_field(
    night: PlayedNight, program: Program, here: dict[str, str], changes: dict[str, Any], fields: list[str]
) -> None:
    night.books()
    document = {"stake": 1, **changed("knock-poker", changes)}
    for operation, more in (("save_round", {}), ("correct_round", {"number": 1, "headers": {"If-Match": "*"}})):
        if operation == "save_round" or fields not in (["stake"], ["game"]):
            problem = program.refused(operation, document, **more, **here)
            assert problem["type"].endswith("/not-valid")
            assert {*fields} <= {error["field"] for error in problem["errors"]}, problem
    assert len(program.call("rounds", **here)["rounds"]) == 1


def test_the_same_key_is_carried_out_once(night: PlayedNight, program: Program, here: dict[str, str]) -> None:
    night.plays("loan 1")
    asked: list[tuple[str, Any, dict[str, Any]]] = [
        ("open_night", {"game": "knock", "players": NAMES}, {}),
        ("save_round", KNOCK_POKER, here),
        ("book_movement", LOAN, here),
        ("correct_round", changed("knock-poker", {"round.knocker": "Beto"}), {**here, "number": 2}),
        ("void_round", None, {**here, "number": 2}),
        ("void_movement", None, {**here, "number": 1}),
        ("close_night", {}, here),
    ]
    for at, (operation, body, given) in enumerate(asked):
        if "number" in given:
            reads = "movement" if "movement" in operation else "one_round"
            program.call(reads, **given)
        first = program.ask(operation, body, key(f"key-{at}"), **given)
        assert first.status_code in (200, 201), first.text
        night.does("/note", place=f"place {at}", note="")
        again = program.ask(operation, body, key(f"key-{at}") | {"If-Match": "*"}, **given)
        assert again.status_code == first.status_code, again.text
        if operation not in ("open_night", "close_night"):  # they answer with the night as it is now
            assert (again.json, again.headers["ETag"]) == (first.json, first.headers["ETag"]), operation
        assert again.headers.get("Location") == first.headers.get("Location")
        if body is not None:
            other = {**body, "movement": "side-bet"} if operation == "book_movement" else {**body, "split": True}
            other = {**KNOCK_POKER, "dealer": "Beto"} if "round" in operation else other
            other = {"game": "knock", "players": NAMES[:2]} if operation == "open_night" else other
            problem = program.refused(operation, other, key(f"key-{at}") | {"If-Match": "*"}, **given)
            assert problem["type"].endswith("/key-used"), operation
    # a key belongs to its whole request, and to its token
    assert program.refused("book_movement", LOAN, key("key-1"), **here)["type"].endswith("/key-used")
    assert len(program.call("rounds", **here)["rounds"]) == 1
    assert len(program.call("nights")["nights"]) == 2
    (about,) = (p for p in program.operations["book_movement"][2]["parameters"] if p["name"] == "Idempotency-Key")
    program.validate(about["schema"], "~" * 255)
    for wrong in ("", "a b", "ñ", "x" * 256):
        with pytest.raises(ValidationError):
            program.validate(about["schema"], wrong)
        assert program.refused("book_movement", LOAN, key(wrong), **here)["type"].endswith("/bad-request")


def test_a_token_s_keys_are_its_own(night: PlayedNight, program: Program, here: dict[str, str]) -> None:
    other = Program(night.app, token_of(night, "keep", "Other"))
    for one, amount in ((program, 5), (other, 6)):
        one.call("book_movement", {**LOAN, "amount": amount}, key("same"), **here)
    assert len(program.call("movements", **here)["movements"]) == 2


def test_nothing_is_changed_behind_others(night: PlayedNight, program: Program, here: dict[str, str]) -> None:
    night.books()
    tag = {"If-Match": program.ask("night", **here).headers["ETag"]}
    of_round = {"If-Match": program.ask("one_round", number=1, **here).headers["ETag"]}
    night.plays("void 1")
    for operation, body in (("save_round", KNOCK_POKER), ("book_movement", LOAN), ("close_night", {})):
        for seen in (tag, {"If-Match": '""'}):
            assert program.refused(operation, body, seen, **here)["type"].endswith("/changed")
    one = {**here, "number": 1}
    for wrong in (of_round, {"If-Match": '"x"'}, {"If-Match": '""'}, {"If-Match": 'W/"2-ab"'}):
        assert program.refused("correct_round", KNOCK_POKER, wrong, **one)["type"].endswith("/changed")
        assert program.refused("void_round", None, wrong, **one)["type"].endswith("/changed")
    for number in (1, 99):  # before it is looked for
        problem = program.refused("void_round", None, {"If-Match": ""}, **here, number=number)
        assert problem["type"].endswith("/no-etag")
    assert program.call("rounds", **here)["rounds"][0]["revision"] == 2
    fresh = {"If-Match": program.ask("night", **here).headers["ETag"]}
    program.call("book_movement", LOAN, fresh, **here)


def test_a_correction_keeps_the_game(night: PlayedNight, program: Program, here: dict[str, str]) -> None:
    night.books()
    program.call("one_round", number=1, **here)
    problem = program.refused("correct_round", ROUNDS["knock"], number=1, **here)
    assert [error["field"] for error in problem["errors"]] == ["game"]


# what a program books | the kind of the stored movement, or the field that the refusal names
MOVEMENTS: dict[str, tuple[dict[str, Any], str]] = {
    "side bet": ({**LOAN, "movement": "side-bet", "from": "ana"}, "side-bet"),
    "buy-in": ({**LOAN, "movement": "buy-in", "to": "bank"}, "buy-in"),
    "fine": ({**LOAN, "movement": "pot", "to": "pot"}, "pot"),
    "cost": (
        {"movement": "cost", "by": "Ana", "amount": 9, "shares": {"Ana": 1, "Beto": 2}, "currency": "EUR"},
        "cost",
    ),
    "with oneself": ({**LOAN, "to": "ana"}, "to"),
    "loan to the pot": ({**LOAN, "to": "pot"}, "to"),
    "fine to a player": ({**LOAN, "movement": "pot"}, "to"),
    "fine to the bank": ({**LOAN, "movement": "pot", "from": "bank", "to": "pot"}, "to"),
    "a stranger": ({**LOAN, "to": "Zoe"}, "to"),
    "of nothing": ({**LOAN, "amount": 0}, "amount"),
    "half a chip": ({**LOAN, "amount": 1.5}, "amount"),
    "a long note": ({**LOAN, "note": "x" * 201}, "note"),
    "a strange note": ({**LOAN, "note": "\x00"}, "note"),
    "of no kind": ({"movement": "split"}, "movement"),
    "of a list": ({"movement": []}, "movement"),
    "of nobody": ({"movement": "loan", "from": "Ana", "amount": 5}, "to"),
    "rebuy of a stranger": ({"movement": "rebuy", "player": "Zoe", "amount": 5}, "player"),
    "cost alone": ({"movement": "cost", "by": "Ana", "amount": 9, "shares": {"Ana": 1}, "currency": "EUR"}, "shares"),
    "cost twice": (
        {"movement": "cost", "by": "Ana", "amount": 9, "shares": {"Beto": 1, "beto": 2}, "currency": "EUR"},
        "shares",
    ),
    "cost of no currency": ({"movement": "cost", "by": "Ana", "amount": 9, "shares": {"Beto": 1}}, "currency"),
    "cost of a weight": ({"movement": "cost", "by": "Ana", "amount": 9, "shares": {"Beto": 0}}, "shares.Beto"),
}


@pytest.mark.parametrize(("body", "found"), MOVEMENTS.values(), ids=MOVEMENTS)
def test_movements_are_those_of_the_pages(
    night: PlayedNight, program: Program, here: dict[str, str], body: dict[str, Any], found: str
) -> None:
    answer = program.ask("book_movement", body, **here)
    if answer.status_code == 201:
        assert answer.json is not None
        assert answer.json["document"]["movement"] == found
        program.validate({"$ref": "#/components/schemas/NewMovement"}, body)
        assert night.keeper.get(f"{night.night}/lines/1").status_code == 200
        assert program.call("void_movement", number=1, **here)["voided"]
    else:
        assert answer.json is not None
        assert [error["field"] for error in answer.json["errors"]] == [found]


def test_a_nights_dealers_choose_the_game_as_in_the_last_one(program: Program) -> None:
    new = {"game": "knock-poker", "players": NAMES}
    bodies = (new, {**new, "dealer_chooses": True}, new, {**new, "dealer_chooses": False}, new)
    assert [program.call("open_night", one)["dealer_chooses"] for one in bodies] == [False, True, True, False, False]


def test_chips_are_bought_in_a_night_with_stacks(program: Program) -> None:
    opened = program.call("open_night", {"game": "knock-poker", "players": NAMES, "buy_in": 3})
    here = {"night": opened["id"]}
    rebuy = program.call("book_movement", {"movement": "rebuy", "player": "Ana", "amount": 7}, **here)
    assert rebuy["document"]["to"] == "Ana"
    assert [one["chips"] for one in program.call("night", **here)["players"]] == [10, 3, 3]
    refused = program.refused("book_movement", {**LOAN, "movement": "buy-in"}, **here)
    assert [error["field"] for error in refused["errors"]] == ["movement"]
    problem = program.refused("save_round", {**KNOCK_POKER, "rules": {"ante": 5}}, **here)
    assert "Beto" in problem["detail"]
    assert {error["field"] for error in problem["errors"]} == {"round.hands.Beto", "round.hands.Caro"}
    assert "round.hands" in str(problem)


# what a program opens | the field that the refusal names, or none
OPENED: dict[str, tuple[dict[str, Any], str]] = {
    "in euros": ({"currency": "EUR", "stake": 25, "rules": {"ante": 2}}, ""),
    "with a stranger": ({"players": ["Ana", "Zoe"]}, "players.1"),
    "with somebody twice": ({"players": ["Ana", "ana"]}, "players.1"),
    "alone": ({"players": ["Ana"]}, "players"),
    "of no game": ({"game": "chess"}, "game"),
    "with a strange rule": ({"rules": {"ante": -1}}, "rules.ante"),
    "in shells": ({"currency": "xyz", "stake": 1}, "currency"),
    "without a stake": ({"currency": "USD"}, "stake"),
    "with a stake in chips": ({"stake": 5}, "stake"),
    "with a buy-in of nothing": ({"buy_in": 0}, "buy_in"),
    "with more": ({"more": 1}, "more"),
}


@pytest.mark.parametrize(("changes", "field"), OPENED.values(), ids=OPENED)
def test_a_night_is_opened_as_on_the_page(program: Program, changes: dict[str, Any], field: str) -> None:
    answer = program.ask("open_night", {"game": "knock-poker", "players": NAMES, **changes})
    assert answer.json is not None
    if field:
        assert [error["field"] for error in answer.json["errors"]] == [field]
    else:
        told = answer.json
        assert (told["currency"], told["stake"], told["rules"]["ante"]) == ("EUR", 25, 2)
        assert answer.headers["Location"] == f"/api/v1/nights/{told['id']}"


def test_a_nights_costs_are_in_its_currency(program: Program) -> None:
    opened = program.call("open_night", {"game": "knock-poker", "players": NAMES, "currency": "EUR", "stake": 25})
    cost = {"movement": "cost", "by": "Ana", "amount": 900, "shares": {"Beto": 1}, "currency": "USD"}
    refused = program.refused("book_movement", cost, night=opened["id"])
    assert [error["field"] for error in refused["errors"]] == ["currency"]
    assert program.call("book_movement", {**cost, "currency": "EUR"}, night=opened["id"])["document"]["by"] == "Ana"


def test_a_closed_night_is_told(night: PlayedNight, program: Program, here: dict[str, str]) -> None:
    night.plays("round, close")
    problem = program.refused("save_round", KNOCK_POKER, **here)
    assert problem["type"].endswith("/refused") and "reopen it" in problem["detail"]
    retired = night.players["Caro"]
    night.does("{group}/players", do=f"retire-{retired}")
    answer = program.refused("open_night", {"game": "knock", "players": NAMES})
    assert [error["field"] for error in answer["errors"]] == ["players.2"]


def test_what_is_no_json_object_is_refused(program: Program, here: dict[str, str]) -> None:
    path = f"/api/v1/nights/{here['night']}/movements"
    for body, kind, name in (
        ("[]", "application/json", "bad-request"),
        ("{", "application/json", "bad-request"),
        ("{}", "text/plain", "not-json"),
        (f'{{"note": "{"x" * 70_000}"}}', "application/json", "too-large"),
    ):
        answer = program.client.post(path, data=body, content_type=kind, headers=program.headers)
        assert answer.json is not None
        assert answer.json["type"] == f"/api/v1/problems/{name}"


def test_a_token_that_writes_all_the_time_is_slowed_down(
    program: Program, here: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.web.api.operations._WRITES._most", {"minute": 2})
    for _ in range(2):
        program.call("book_movement", LOAN, **here)
    answer = program.ask("book_movement", LOAN, **here)
    assert answer.status_code == 429
    assert 0 < int(answer.headers["Retry-After"]) <= 60
    program.call("night", **here)


def test_a_fault_of_ours_is_a_problem(
    night: PlayedNight, program: Program, here: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise AssertionError("a bug")

    monkeypatch.setattr("companion.web.api.reading.night_document", fail)
    night.app.config["TESTING"] = False
    night.app.config["PROPAGATE_EXCEPTIONS"] = False
    problem = program.refused("night", **here)
    night.app.config["TESTING"] = True
    assert problem["type"].endswith("/our-mistake")
    assert "bug" not in str(problem)
