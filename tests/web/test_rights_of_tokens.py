"""Who may do what through the API: every operation without a token, and with a token of each right, and of none."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from devices import HANDS, PlayedNight
from flask import Flask
from programs import PROBLEM, Program, token_of

# what each operation needs: a new one must be decided on here
READ = ("group", "nights", "night", "rounds", "one_round", "movements", "movement")
WRITE = ("open_night", "close_night", "save_round", "correct_round", "void_round", "book_movement", "void_movement")
RIGHTS = {"problem_type": "no token", **dict.fromkeys(READ, "look"), **dict.fromkeys(WRITE, "keep")}
OPEN = {name for name, right in RIGHTS.items() if right == "no token"}
LOOK = {name for name, right in RIGHTS.items() if right == "look"}
ABOUT_A_NIGHT = "<night>"


def operations(app: Flask) -> Iterator[tuple[str, str, str]]:
    """Yield the name, method and address of everything below /api/v1 in the app's URL map, whoever registered it."""
    for rule in app.url_map.iter_rules():
        if rule.rule.startswith("/api/v1"):
            for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}:
                yield rule.endpoint.removeprefix("api_v1."), method, rule.rule


def undecided(app: Flask) -> set[str]:
    """Return the operations of which nobody has said who may do them, and those that are said but aren't there."""
    return {name for name, _, _ in operations(app)} ^ RIGHTS.keys()


def statuses(night: PlayedNight, token: str | None, number: str = "1") -> dict[str, tuple[int, str]]:
    """Call every operation about a night; returns its status, and the type of the problem, if it is one."""
    client, found = night.app.test_client(use_cookies=False), {}
    headers = {"If-Match": "*", **({"Authorization": f"Bearer {token}"} if token else {})}
    for name, method, rule in operations(night.app):
        path = rule.replace("<night>", night.night.rpartition("/")[2]).replace("<int:number>", number)
        body: dict[str, Any] = {} if method == "GET" else {"json": {"unknown": 1}}
        answer = client.open(path.replace("<kind>", "no-token"), method=method, headers=headers, **body)
        problem = answer.json if answer.mimetype == PROBLEM else {}
        assert problem is not None
        assert "Ana" not in answer.text or answer.status_code == 200, name
        found[name] = (answer.status_code, problem.get("type", "").rpartition("/")[2])
    return found


@pytest.fixture
def played(app: Flask) -> PlayedNight:
    return PlayedNight(app, begins="round, loan 5")


def test_every_operation_is_declared_once_with_its_right(played: PlayedNight) -> None:
    program = Program(played.app, "")
    declared = {
        (name, method.upper(), f"/api{path}")
        for name, (method, path, _) in program.operations.items()
        if path.startswith("/v1/")
    }
    there = {(name, method, rule.replace("<int:", "<")) for name, method, rule in operations(played.app)}
    assert {(n, m, rule.replace("<", "{").replace(">", "}")) for n, m, rule in there} == declared
    assert undecided(played.app) == set()
    for name in RIGHTS.keys() - OPEN:
        assert f"(right: {RIGHTS[name]})" in program.operations[name][2]["summary"]


@pytest.mark.parametrize("case", ["none", "made up", "revoked", "of a group that is gone"])
def test_without_a_valid_token_nothing_opens(played: PlayedNight, app: Flask, case: str) -> None:
    token = {"none": None, "made up": "tct_x"}.get(case) or (None if case == "none" else token_of(played, "keep"))
    if case == "revoked":
        played.does("{group}/tokens", do="revoke-1")
    if case == "of a group that is gone":
        other = PlayedNight(app, secret="of another group")
        token = token_of(other, "keep")
        other.does("{group}/delete")
    kind = "no-token" if case == "none" else "bad-token"
    found = statuses(played, token)
    assert found == {name: (200, "") if name in OPEN else (401, kind) for name in found}


@pytest.mark.parametrize("access", ["look", "play"])
def test_a_lesser_right_only_reads(played: PlayedNight, access: str) -> None:
    token = token_of(played, access)
    found, of_loan = (statuses(played, token, number) for number in "12")
    found["movement"] = of_loan["movement"]
    assert found == {name: (200, "") if name in LOOK | OPEN else (403, "no-right") for name in found}


def test_the_right_to_keep_score_may_do_all(played: PlayedNight) -> None:
    found, of_loan = (statuses(played, token_of(played, "keep"), number) for number in "12")
    found |= {name: status for name, status in of_loan.items() if "movement" in name}
    assert {name for name, (status, _) in found.items() if status in (401, 403, 404)} == set()


def test_another_groups_token_finds_and_changes_nothing(played: PlayedNight, app: Flask) -> None:
    other = PlayedNight(app, secret="of another group")
    mine = Program(app, token_of(played, "look"))
    before = [mine.call(one, night=played.night.rpartition("/")[2]) for one in ("night", "rounds", "movements")]
    there = {name for name, _, rule in operations(app) if ABOUT_A_NIGHT in rule}
    found = statuses(played, token_of(other, "keep"))
    assert {name: found[name] for name in there} == dict.fromkeys(there, (404, "not-found"))
    nights = Program(app, token_of(other, "look")).call("nights")["nights"]
    assert [one["id"] for one in nights] == [other.night.rpartition("/")[2]]
    assert HANDS.keys() == nights[0]["net"].keys()
    assert [mine.call(one, night=played.night.rpartition("/")[2]) for one in ("night", "rounds", "movements")] == before
