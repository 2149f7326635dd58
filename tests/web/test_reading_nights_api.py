"""Programs read a group's nights, rounds and movements with a token, as the OpenAPI document says."""

from __future__ import annotations

import pytest
from devices import Device, PlayedNight
from flask import Flask
from programs import Program, token_of
from statements import heard

from companion.store.models import db


@pytest.fixture
def program(night: PlayedNight) -> Program:
    return Program(night.app, token_of(night, "look"))


def id_of(night: PlayedNight) -> str:
    return night.night.rpartition("/")[2]


def test_a_program_reads_a_night(night: PlayedNight, program: Program) -> None:
    night.plays("round, loan 5, round, void 3, fine 1").does("/note", place="Beto's", note="cake")
    assert program.call("group") == {
        "id": night.group.rpartition("/")[2],
        "name": "Friday",
        "right": "look",
        "players": [{"name": name, "retired": False} for name in night.players],
        "handed_over_at": None,
    }
    told = program.call("night", night=id_of(night))
    assert (told["place"], told["note"], told["game"], told["rounds"], told["pot"]) == (
        *("Beto's", "cake", "knock-poker", 1, 1),
    )
    rounds = program.call("rounds", night=id_of(night))
    assert [(one["number"], one["round"], one["voided"]) for one in rounds["rounds"]] == [(3, 2, True), (1, 1, False)]
    assert rounds["next"] is None
    voided, first = rounds["rounds"]
    assert (voided["settlement"], voided["net"]) == (None, dict.fromkeys(night.players, 0))
    assert first == program.call("one_round", night=id_of(night), number=1)
    settled = program.call("settle", first["document"])
    assert settled == first["settlement"]
    assert settled["net"] == first["net"]
    moved = [one["document"] for one in program.call("movements", night=id_of(night))["movements"]]
    assert [(one["movement"], one["from"], one["to"], one["amount"]) for one in moved] == [
        *(("pot", "Ana", "pot", 1), ("loan", "Ana", "Beto", 5)),
    ]
    assert program.call("movement", night=id_of(night), number=2)["document"] == moved[1]
    lent = {"Ana": -6, "Beto": 5, "Caro": 0}
    sums = {name: net + lent[name] for name, net in first["net"].items()}
    assert {one["name"]: one["balance"] for one in told["standings"]} == sums
    assert {one["name"]: one["balance"] for one in told["players"]} == sums
    paid = [(one["from"], one["to"], one["amount"]) for one in told["payments"]]
    assert sum(units for _, _, units in paid) == max(sum(units for units in sums.values() if units > 0), 3)
    (listed,) = program.call("nights")["nights"]
    assert (listed["id"], listed["pot"], listed["net"]["Caro"]) == (id_of(night), 1, first["net"]["Caro"])


def test_lists_have_pages(night: PlayedNight, program: Program) -> None:
    night.plays("round, " * 3)
    here, found, cursor = id_of(night), [], {}
    while True:
        page = program.call("rounds", night=here, limit=1, **cursor)
        found += [one["number"] for one in page["rounds"]]
        if page["next"] is None:
            break
        cursor = {"cursor": page["next"]}
    assert found == [3, 2, 1]
    wrong_limits = [{"limit": wrong} for wrong in (0, 51, "many", "")]
    for wrong in (*wrong_limits, {"cursor": "-1"}, {"cursor": "9" * 30}):
        for operation in ("nights", "rounds", "movements"):
            of_night = {} if operation == "nights" else {"night": here}
            problem = program.refused(operation, **of_night, **wrong)
            assert [error["field"] for error in problem["errors"]] == [*wrong]


def test_a_longer_list_takes_no_more_statements(night: PlayedNight, program: Program) -> None:
    counts = []
    program.call("group")  # notes that the token is used
    with night.app.app_context():
        engine = db.engine
    for script in ("round, loan 1", "round, " * 3 + "loan 1, loan 2", "round, void 3"):
        night.plays(script)
        said: list[str] = []
        with heard(engine, lambda statement, _values, said=said: said.append(statement)):
            for operation in ("nights", "rounds", "movements"):
                program.call(operation, **({} if operation == "nights" else {"night": id_of(night)}))
        counts.append(len([one for one in said if "api_token" not in one]))
    assert counts[0] == counts[1] == counts[2] < 30


def test_what_did_not_change_is_not_sent_again(night: PlayedNight, program: Program) -> None:
    night.books()
    here = id_of(night)
    for operation, more in (("night", {}), ("rounds", {}), ("one_round", {"number": 1}), ("group", None)):
        given = {} if more is None else {"night": here, **more}
        tag = program.ask(operation, **given).headers["ETag"]
        assert program.ask(operation, headers={"If-None-Match": tag}, **given).status_code == 304
        night.does("{group}/players", do="rename-1", **{f"name-{key}": name for name, key in night.players.items()})
        assert program.ask(operation, headers={"If-None-Match": tag}, **given).status_code == 304
    tag = program.ask("night", night=here).headers["ETag"]
    night.plays("loan 5")
    assert program.ask("night", headers={"If-None-Match": tag}, night=here).status_code == 200


def test_a_round_face_down_is_in_no_answer(night: PlayedNight, program: Program) -> None:
    """test_secrecy.py compares whole answers; a draft is in none of them."""
    before = [program.ask(one, night=id_of(night)).data for one in ("night", "rounds", "movements")]
    night.types(night.joined("Beto"), players_1_hand="Ah Kh 8h 5h 3h", number="1", key="draft")
    assert [program.ask(one, night=id_of(night)).data for one in ("night", "rounds", "movements")] == before


def test_types_of_problems_have_an_address(night: PlayedNight, program: Program) -> None:
    problem = program.refused("one_round", night=id_of(night), number=1)
    told = program.client.get(problem["type"]).json
    assert (told["title"], told["status"], told["way_out"]) == (problem["title"], 404, problem["detail"])
    for kind in program.document["components"]["schemas"]["Problem"]["properties"]["type"]["enum"]:
        assert program.call("problem_type", kind=kind.rpartition("/")[2])["type"] == kind
    assert program.refused("problem_type", kind="whatever")["status"] == 404


def test_errors_have_types(night: PlayedNight, program: Program) -> None:
    for method, path, status in (
        ("GET", "/api/v1/nothing", 404),
        ("DELETE", "/api/v1/group", 405),
        ("GET", "/api/v1/nights/%00", 404),
    ):
        answer = program.client.open(path, method=method, headers=program.headers)
        assert (answer.status_code, answer.mimetype) == (status, "application/problem+json")
        program.validate({"$ref": "#/components/schemas/Problem"}, answer.json)


def test_a_cookie_opens_nothing(night: PlayedNight) -> None:
    answer = Device(night.app).get("/api/v1/group")
    assert answer.headers["WWW-Authenticate"] == 'Bearer realm="Table Companion"'
    assert night.keeper.get("/api/v1/group").status_code == 401
    for wrong in ("Basic QTpC", "Bearer", "Bearer ", "Bearer tct_x", "tct_x"):
        answer = night.keeper.get("/api/v1/group", headers={"Authorization": wrong})
        assert answer.status_code == 401


def test_the_last_use_is_told_on_the_page(night: PlayedNight, program: Program, app: Flask) -> None:
    assert "never used" in night.text("{group}/tokens")
    program.call("group")
    assert "last used" in night.text("{group}/tokens")
    with app.app_context():
        assert db.session.execute(db.text("SELECT count(*) FROM api_token WHERE used_at IS NOT NULL")).scalar() == 1
