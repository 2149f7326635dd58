"""Odd form input gets the form back, never a server error."""

import io
from typing import Any

import pytest
from devices import PlayedNight
from flask import Flask
from flask.testing import FlaskClient
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pages import GAMES, as_posted, opened, send
from sample_rounds import ROUNDS
from sqlalchemy.exc import DataError

from companion.web.access import lookup

KP = "knock-poker"

# what is put over the fields of a good round; None takes a field out
ODD: dict[str, dict[str, Any]] = {
    "no name": {"players-0-name": None},
    "empty name": {"players-0-name": ""},
    "spaces around a name": {"players-0-name": " Ana "},
    "nothing but spaces as a name": {"players-0-name": "  ", "players-1-name": " "},
    "two players of one name": {"players-0-name": "Ana", "players-1-name": "Ana "},
    "no qualifying hand": {"players-0-hand": None},
    "no dealer": {"dealer": None},
    "no stake": {"stake": None},
    "no pot": {"pot": None},
    "no rule": {"rules-ante": None},
    "player number that is a power": {"players-²-name": "Zoe"},
    "huge player number": {"players-9999-name": "Zoe"},
    "huger player number": {"players-99999999999999999999-name": "Zoe"},
    "negative player number": {"players--1-name": "Zoe"},
    "player number in other digits": {"players-\u0663-name": "Zoe"},
    "player without number": {"players-x-name": "Zoe"},
    "player number of 5000 digits": {f"players-{'9' * 5000}-name": "Zoe"},
    "dealer as text": {"dealer": "Ana"},
    "dealer out of range": {"dealer": "17"},
    "negative dealer": {"dealer": "-1"},
    "dealer in other digits": {"dealer": "\u0662"},
    "superscript dealer": {"dealer": "\u00b2"},
    "dealer of 5000 digits": {"dealer": "1" * 5000},
    "empty dealer": {"dealer": ""},
    "nobody deals": {"dealer": "nobody"},
    "knocker as text": {"asked-knocker": "Ana"},
    "knocker out of range": {"asked-knocker": "99"},
    "superscript knocker": {"asked-knocker": "\u00b2"},
    "NUL in a name": {"players-0-name": "A\x00na"},
    "NUL in a hand": {"players-0-hand": "\x00"},
    "NUL in a number": {"stake": "\x00"},
    "NUL tapped": {"players-0-cards": ["\x00"]},
    "stake of 400 digits": {"stake": "9" * 400},
    "pot of 5000 digits": {"pot": "9" * 5000},
    "ante of 400 digits": {"rules-ante": "9" * 400},
    "draws of 400 digits": {"players-0-draws": "9" * 400},
    "draws in other digits": {"players-0-draws": "\u0663"},
    "tapped cards that are none": {"players-0-cards": ["zz", "9s", "9s", "9s"]},
    "hundreds of tapped cards": {"players-0-cards": ["9s"] * 500},
    "unknown choice": {"rules-settlement": "half", "rules-odd_chips": ""},
    "the same field twice": {"players-0-name": ["Ana", "Zoe"]},
    "unknown fields": {"rules-colour": "red", "asked-": "", "": "", "players": "", "rules": "x"},
    "lone surrogate": {"players-0-name": "\ufffd", "players-0-hand": "\ufffd"},
}
ACTIONS = ["settle", "next", "add", "rules", "remove-0", "clear-0", "remove-99", "clear-99", "remove-", "clear-x",
           "move-0", "move-0-99", "move-0-0-0",
           "remove-\u00b2", "remove-" + "9" * 5000, "clear-" + "9" * 5000, "nothing", ""]  # fmt: skip


def odd_fields(client: FlaskClient, name: str) -> dict[str, list[str]]:
    fields = as_posted(client, ROUNDS[KP])
    for field, value in ODD[name].items():
        fields.pop(field, None)
        if value is not None:
            fields[field] = value if isinstance(value, list) else [value]
    return fields


@pytest.mark.parametrize("do", ["settle", "remove-0"])
@pytest.mark.parametrize("name", ODD)
def test_odd_field_gives_the_form(client: FlaskClient, name: str, do: str) -> None:
    page = send(client, KP, odd_fields(client, name), do)
    assert page.text.count("Who deals, how it ended, house rules") == 1


@pytest.mark.parametrize("name", ODD)
def test_odd_field_has_a_live_reading(client: FlaskClient, name: str) -> None:
    live = client.post(f"/settle/{KP}/live", data=odd_fields(client, name)).get_json()["live"]
    assert live["missing"] or live["wrong"] or live["settled"]


def test_a_space_after_a_name_changes_nothing(client: FlaskClient) -> None:
    fields = as_posted(client, ROUNDS[KP])
    spaced = {**fields, "players-0-name": [" Ana "]}
    asked = [client.post(f"/settle/{KP}/live", data=sent).get_json() for sent in (fields, spaced)]
    assert asked[0] == asked[1]


@pytest.mark.parametrize("do", ACTIONS, ids=lambda do: ascii(do)[:30])
def test_odd_action_gives_the_form(client: FlaskClient, do: str) -> None:
    send(client, KP, as_posted(client, ROUNDS[KP]), do)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("do", ["settle", "add"])
def test_form_with_nothing_but_the_token(client: FlaskClient, game: str, do: str) -> None:
    token = opened(client, f"/settle/{game}").fields["csrf_token"]
    assert not send(client, game, {"csrf_token": token}, do).has_result


FIELDS = ["players-0-name", "players-0-hand", "players-0-cards", "stake", "dealer", "rules-ante", "asked-knocker", "do"]


@pytest.mark.parametrize("field", FIELDS)
def test_file_part_under_a_field_s_name(client: FlaskClient, field: str) -> None:
    fields: dict[str, Any] = dict(as_posted(client, ROUNDS[KP]))
    fields[field] = (io.BytesIO(b"\x00\xff"), "hand.txt")
    response = client.post(f"/settle/{KP}", data=fields, content_type="multipart/form-data")
    assert (response.status_code, response.mimetype) == (400, "text/html")


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        (b"\xff\xfe%00%ff&players-0-name=%ff", "application/x-www-form-urlencoded"),
        (b"stake=%ED%A0%80", "application/x-www-form-urlencoded"),
        (b"no parts here", "multipart/form-data"),
        (b"no parts here", "multipart/form-data; boundary=x"),
        (b"{}", "application/json"),
        (b"", "text/plain"),
    ],
    ids=ascii,
)
def test_odd_body_is_no_error_of_ours(client: FlaskClient, body: bytes, kind: str) -> None:
    response = client.post(f"/settle/{KP}", data=body, content_type=kind)
    assert response.status_code in (200, 400)
    assert response.mimetype == "text/html"


NAMES = ["players-0-name", "players-1-hand", "players-2-cards", "dealer", "stake", "pot", "asked-knocker", "do",
         "rules-ante", "rules-deck", "players-0-paid", "players-1-folded", "asked-caller", "rules-yuca"]  # fmt: skip


@settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    game=st.sampled_from(GAMES),
    odd=st.dictionaries(
        st.sampled_from(NAMES),
        st.lists(
            st.text(st.characters(exclude_categories=["Cs"]), max_size=12) | st.sampled_from(["0", "9s 9h", "-1"])
        ),
        max_size=4,
    ),
)
def test_any_text_in_any_field_gives_the_form(client: FlaskClient, game: str, odd: dict[str, list[str]]) -> None:
    fields = {**as_posted(client, ROUNDS[game]), **odd}
    assert [client.post(f"/settle/{game}{path}", data=fields).status_code for path in ("", "/live")] == [200, 200]


@pytest.mark.parametrize("number", ["\x00", " ", "x", "-1", "9" * 25], ids=ascii)
@pytest.mark.parametrize("page", ["lines/1/correct", "round"])
@pytest.mark.parametrize("do", ["rules", "settle", "save"])
def test_odd_number_of_a_line_gives_the_form(app: Flask, page: str, do: str, number: str) -> None:
    night = PlayedNight(app, begins="round")
    fields = night.page("/lines/1/correct").fields | {"number": [number], "do": [do]}
    assert night.keeper.client.post(f"{night.night}/{page}", data=fields).status_code in (200, 303, 409)


@pytest.mark.parametrize("body", [b'"\\ud800"', b"[1]", b"{}", b"{"], ids=ascii)
def test_a_form_is_no_json(night: PlayedNight, body: bytes) -> None:
    for path in (f"{night.group}/delete", f"{night.night}/close", "/join", "/demo"):
        response = night.keeper.client.post(path, data=body, content_type="application/json")
        assert (response.status_code, response.mimetype) == (400, "text/html")


def test_what_a_database_cannot_look_for_is_a_bad_request(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise DataError("SELECT", {}, ValueError("PostgreSQL text fields cannot contain NUL (0x00) bytes"))

    monkeypatch.setattr(lookup, "glance_at", refuse)
    response = app.test_client().get("/s/a%00b")
    assert (response.status_code, response.mimetype) == (400, "text/html")


def test_an_address_of_bytes_that_are_no_text_is_answered(client: FlaskClient) -> None:
    response = client.get("/", environ_overrides={"QUERY_STRING": "before=\xed\xa0\x80"})
    assert response.status_code == 200
