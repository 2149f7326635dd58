"""What a phone gets to install the app and keep the last night's pages."""

from __future__ import annotations

import json
import struct
from pathlib import Path
from typing import Any

import pytest
from devices import Device, PlayedNight
from flask import Flask
from flask.testing import FlaskClient
from pages import opened

from companion import create_app


def manifest(client: FlaskClient) -> dict[str, Any]:
    (address,) = (
        about["href"] for tag, about in opened(client, "/").tags if tag == "link" and about.get("rel") == "manifest"
    )
    found: dict[str, Any] = json.loads(client.get(str(address)).text)
    return found


def test_the_manifest_makes_the_app_installable(app: Flask, client: FlaskClient) -> None:
    told = manifest(client)
    assert told["name"] == "Table Companion"
    assert (told["start_url"], told["scope"], told["display"], told["lang"]) == ("/", "/", "standalone", "en")
    icons = {(icon["sizes"], icon["purpose"]): icon["src"] for icon in told["icons"]}
    assert {("192x192", "any"), ("512x512", "any"), ("512x512", "maskable")} <= set(icons)
    for (sizes, _), address in icons.items():
        with client.get(address) as answer:
            assert answer.headers["Cache-Control"].endswith("immutable")
            if answer.mimetype == "image/png":
                # the width and the height stand at the head of the file
                assert "{}x{}".format(*struct.unpack(">II", answer.data[16:24])) == sizes


def test_the_manifest_is_in_the_phone_s_language(client: FlaskClient) -> None:
    client.get("/?language=es")
    told = manifest(client)
    assert (told["name"], told["lang"], told["id"]) == ("Compañero de mesa", "es-MX", "/")
    assert client.get("/manifest/xx.webmanifest").status_code == 404


def test_the_app_below_a_path_stays_there(instance: Path) -> None:
    client = create_app({"INSTANCE": instance, "APPLICATION_ROOT": "/table"}).test_client()
    told = json.loads(client.get("/manifest/en.webmanifest", base_url="http://localhost/table").text)
    assert (told["start_url"], told["scope"]) == ("/table/", "/table/")
    assert all(icon["src"].startswith("/table/static/") for icon in told["icons"])


def test_the_worker_is_asked_for_each_time(client: FlaskClient) -> None:
    answer = client.get("/worker.js")
    assert (answer.mimetype, answer.headers["Cache-Control"]) == ("text/javascript", "no-cache")
    assert client.get("/worker.js", headers={"If-None-Match": answer.headers["ETag"]}).status_code == 304
    assert "worker-src 'self'; manifest-src 'self'" in answer.headers["Content-Security-Policy"]


def test_the_page_that_stands_in_needs_no_night(client: FlaskClient) -> None:
    page = opened(client, "/offline")
    # what is kept depends on the phone, whose script lists it
    assert "kept on this phone" not in page.text
    assert any("data-waiting" in about for _, about in page.tags)


def kept(device: Device, path: str) -> dict[str, str]:
    """Return the versions of the pages that a phone is told to keep."""
    found: dict[str, Any] = json.loads(device.get(path).headers.get("Companion-Keep", '{"pages": {}}'))
    return dict(found["pages"])


def test_pages_of_a_night_say_what_is_kept(night: PlayedNight, app: Flask) -> None:
    whole = {night.night, f"{night.night}/round", "/offline"}
    assert set(kept(night.keeper, night.night)) == whole
    assert set(kept(night.keeper, f"{night.night}/round")) == whole
    line = night.books().partition("?")[0]
    assert set(kept(night.keeper, line)) == whole
    # none of these is kept; a group's page has its links
    for path in ("/", night.group, f"{night.night}/changes", f"{night.night}?before=9", f"{night.night}/state"):
        assert kept(night.keeper, path) == {}, path
    assert "Companion-Keep" not in night.post("/round", do="rules").headers
    watcher = Device(app)
    watcher.open(night.links()["look"])
    assert set(kept(watcher, night.night)) == {night.night, "/offline"}


# what is done, and whether the form of the next round is fetched again
CHANGES = [("nothing", False), ("typed", False), ("language", True), ("round", True), ("seats", True)]


@pytest.mark.parametrize(("what", "changed"), CHANGES, ids=[what for what, _ in CHANGES])
def test_the_form_is_fetched_again_when_it_is_another_one(night: PlayedNight, what: str, changed: bool) -> None:
    form = f"{night.night}/round"
    before = kept(night.keeper, night.night)[form]
    if what == "typed":
        night.types(night.keeper, players_0_hand="9s")
    elif what == "language":
        night.keeper.get("/?language=es")
    elif what == "round":
        night.books()
    elif what == "seats":
        seats = list(night.players.values())
        night.does("/seats", order=seats, do=f"out-{seats[0]}")
    assert (kept(night.keeper, night.night)[form] != before) is changed
