"""Forged forms: with a file in place of a text field, or over HTTPS from another site."""

from __future__ import annotations

import io
import re
from pathlib import Path

import pytest
from devices import Device, PlayedNight
from flask import Flask

from companion import create_app

REFUSED = "was open too long"


def posts(app: Flask) -> list[str]:
    rules = [rule for rule in app.url_map.iter_rules() if "POST" in (rule.methods or ())]
    return sorted(rule.rule for rule in rules if not rule.rule.startswith("/api/"))


def test_a_file_under_the_name_of_a_text_field_is_400_on_every_form(app: Flask) -> None:
    night = PlayedNight(app, begins="round")
    names = ("csrf_token", "key", "name", "player", "do", "code", "secret", "players-0-hand", "pin", "seat", "odd")
    for rule in posts(app):
        whole = night.group if rule.startswith("/g/") else night.night
        path = rule.replace("<public_id>", whole.rpartition("/")[2]).replace("<int:number>", "1")
        path = path.replace("<key>", "knock")
        # a file to import may be tried ten times a minute
        for name in names[:8] if "import" in rule else names:
            data = {"file": (io.BytesIO(b"{}"), "x.json")} if "import" in rule else {}
            answer = night.keeper.client.post(path, data={**data, name: (io.BytesIO(b"\x00\xff"), "x")})
            assert answer.status_code == 400, (path, name)


def test_a_script_is_told_that_its_page_is_stale(app: Flask) -> None:
    night = PlayedNight(app, begins="round")
    paths = ("/settle/knock/live", "/settle/knock/photo", f"{night.night}/lines/1/live", f"{night.night}/draft")
    for path in paths:
        fields = night.round_fields(night.keeper) | {"csrf_token": "stale"}
        answer = night.keeper.client.post(path, data=fields)
        assert (answer.status_code, answer.get_json()) == (400, {"problem": f"This page {REFUSED}; reload it"})


REFERRERS = [
    ("https://table.example.org/x", 303),
    ("https://evil.example/", 200),
    ("http://table.example.org/", 200),
    (None, 200),
]


@pytest.mark.parametrize(("referrer", "status"), REFERRERS, ids=str)
def test_over_https_a_form_comes_from_a_page_of_ours(app: Flask, referrer: str | None, status: int) -> None:
    secure = {"base_url": "https://table.example.org/"}
    client = app.test_client()
    found = re.search(r'name="csrf_token"[^>]*value="([^"]+)"', client.get("/phone", **secure).text)
    assert found is not None
    fields = {"csrf_token": found[1], "device": "mine", "theme": "dark"}
    answer = client.post("/phone", data=fields, headers={"Referer": referrer} if referrer else {}, **secure)
    assert answer.status_code == status
    assert (REFUSED in answer.text) is (status == 200)
    assert ("mine" in client.get("/phone", **secure).text) is (status == 303)


def test_a_view_that_draws_no_form_again_is_not_run(instance: Path) -> None:
    app, ran = create_app({"INSTANCE": instance, "TESTING": True}), list[str]()
    app.add_url_rule("/unmarked", view_func=lambda: ran.append("ran") or "done", methods=["POST"])  # type: ignore[func-returns-value]
    device = Device(app)
    answer = device.client.post("/unmarked")
    assert (answer.status_code, REFUSED in answer.text, ran) == (400, True, [])
    assert (device.post("/unmarked").text, ran) == ("done", ["ran"])
