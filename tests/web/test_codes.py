"""Join codes: renewed by a button, with a link and on reopening; wrong codes are limited per address and in total."""

from __future__ import annotations

import pytest
from devices import Device, PlayedNight
from flask import Flask
from pages import Page

from companion.store.db import attempts
from companion.web.http.requests.rate_limits import address
from companion.web.phones import joining

RENEWALS = [
    ("{night}/phones", "renew", True),
    ("{group}/links", "renew-keep", True),
    ("{group}/links", "renew-play", True),
    ("{group}/links", "renew-look", False),
]


@pytest.mark.parametrize(("path", "do", "is_renewed"), RENEWALS, ids=[row[1] for row in RENEWALS])
def test_a_renewed_code_shuts_out_who_came_by_the_old_one(
    night: PlayedNight, path: str, do: str, is_renewed: bool
) -> None:
    beto, code = night.joined("Beto"), night.code()
    night.keeper.does(path.format(night=night.night, group=night.group), do=do)
    assert (night.code() != code) is is_renewed
    expected = 404 if is_renewed else 200
    assert {beto.get(night.night + page).status_code for page in ("", "/round", "/state", "/me")} == {expected}
    assert beto.get(f"/join/{night.code()}").status_code == 303
    assert "Hand of Beto" in beto.get(f"{night.night}/round").text


def test_a_renewed_link_locks_out_who_came_by_a_code_of_its_group(night: PlayedNight, app: Flask) -> None:
    other = PlayedNight(app, secret="another-secret")
    theirs, beto = other.code(), night.joined("Beto")
    night.plays("close")
    assert beto.get(night.night).status_code == 200
    night.does("{group}/links", do="renew-play")
    assert other.code() == theirs
    # also of a night that is over: it may be reopened
    assert beto.get(night.night).status_code == 404
    assert beto.get(night.plays("reopen").night).status_code == 404


def test_a_new_code_is_in_the_list_of_changes(night: PlayedNight) -> None:
    night.does("/phones", do="renew")
    assert "New join code" in night.html("/changes")


def test_a_closed_night_gets_no_new_code(night: PlayedNight) -> None:
    night.plays("close")
    assert "closed" in night.post("/phones", do="renew").text


def tries(app: Flask, code: str, where: str) -> int:
    return Device(app).get(f"/join/{code}", environ_overrides={"REMOTE_ADDR": where}).status_code


def test_right_codes_are_not_counted(night: PlayedNight, app: Flask) -> None:
    assert {tries(app, night.code(), "192.0.2.1") for _ in range(45)} == {303}


def test_wrong_codes_are_counted_altogether(night: PlayedNight, app: Flask) -> None:
    with app.test_request_context():
        everybody = joining._WRONG_CODES._counters()[-1]
        assert [attempts.take([everybody]) for _ in range(995)] == [0] * 995
    assert [tries(app, "CDFHJK", f"198.52.{at}.7") for at in range(5)] == [200] * 5
    assert tries(app, night.code(), "203.0.113.9") == 429


def test_an_ipv6_network_is_one_address(night: PlayedNight, app: Flask) -> None:
    assert [tries(app, "CDFHJK", f"2001:db8:1:2::{at:x}") for at in range(21)] == [200] * 20 + [429]
    assert tries(app, night.code(), "2001:db8:1:2:ffff::1") == 429
    assert tries(app, night.code(), "2001:db8:1:3::1") == 303


ADDRESSES = [
    ("192.0.2.7", "192.0.2.7"),
    ("::ffff:192.0.2.7", "192.0.2.7"),
    ("2001:db8::1", "2001:db8::/64"),
    ("", "127.0.0.1"),
    ("unknown", "unknown"),
]


@pytest.mark.parametrize(("given", "counted"), ADDRESSES, ids=[row[0] for row in ADDRESSES])
def test_who_asks(app: Flask, given: str, counted: str) -> None:
    with app.test_request_context(environ_overrides={"REMOTE_ADDR": given}):
        assert address() == counted


# ---- the passphrase, and groups


def new_group(device: Device, **fields: object) -> tuple[int, str]:
    given = {"name": "Friday", "player": ["Ana", "Beto"], "do": "make", "secret": "", **fields}
    response = device.post("/groups/new", **given)
    return response.status_code, Page(response.text).texts.get("problems", "")


def test_tries_at_the_passphrase_are_limited_wherever_it_is_asked_for(app: Flask) -> None:
    app.config["MAY_MAKE_GROUPS"] = "open sesame"
    device = Device(app)
    for at in range(9):
        assert new_group(device, passphrase=f"guess {at}")[0] == 200
    assert new_group(device, passphrase="open sesame")[0] == 303
    assert "needs the passphrase" in device.post("/demo", passphrase="guess").text
    status, told = new_group(device, passphrase="open sesame")
    assert (status, "Too many tries. Wait" in told) == (429, True)
    for path in ("/demo", "/groups/import"):
        answer = device.post(path, passphrase="open sesame")
        assert answer.status_code == 429
        assert 0 < int(answer.headers["Retry-After"]) <= 60


def test_groups_made_are_limited(app: Flask) -> None:
    device = Device(app)
    # adding a row, or sending an invalid form, does not count
    assert {new_group(device, do="add")[0] for _ in range(5)} == {200}
    assert {new_group(device, player=["Ana", "Ana"])[0] for _ in range(5)} == {200}
    assert {new_group(device)[0] for _ in range(30)} == {303}
    status, told = new_group(device)
    assert (status, "Too many tries. Wait" in told) == (429, True)
