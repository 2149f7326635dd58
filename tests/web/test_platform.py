"""The app where nothing else is: no other phone, thread, process, socket, hard link or camera, as inside a browser."""

from __future__ import annotations

import io
import os
import socket
import sqlite3
import subprocess
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from devices import PlayedNight, words
from flask import Flask
from pages import Page
from werkzeug.datastructures import FileStorage, MultiDict
from werkzeug.test import stream_encode_multipart

from companion import create_app, open_database
from companion.config import read_secret_key
from companion.platform import Platform
from companion.store.db import startup
from companion.store.db.startup import Unusable
from companion.store.models import db

ALONE = Platform(phones=False, threads=False, photographs=False)
# what leads to another phone, or is about one
OFFERS = [
    '/join"',
    "/help/photo",
    '/table"',
    '/me"',
    '/phones"',
    "#links",
    'class="code"',
    "join-code",
    "data-worker",
    "data-camera",
]
HIDDEN = ("phones.", "help.photo")  # pages that nothing leads to
WORDS = ["Join a night", "I play too", "Everyone on their own phone", "Table view", "PIN", "Player link"]


def refuse(*_given: Any, **_named: Any) -> Any:
    raise AssertionError("there is no such thing here")


@pytest.fixture
def nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threading.Thread, "start", refuse)
    monkeypatch.setattr(socket.socket, "__init__", refuse)
    monkeypatch.setattr(subprocess.Popen, "__init__", refuse)
    monkeypatch.setattr(os, "fork", refuse)
    monkeypatch.delattr(os, "link")


@pytest.fixture
def alone(nothing_else: None, new_instance: Callable[[], Path]) -> Iterator[Flask]:
    app = create_app({"INSTANCE": new_instance(), "TESTING": True, "PLATFORM": ALONE}, opens=False)
    open_database(app)
    yield app
    with app.app_context():
        db.engine.dispose()


def test_a_night_and_all_pages_need_nothing_else(alone: Flask) -> None:
    night = PlayedNight(alone).plays("round, round, loan 5, void 1, fine 2")
    keeper = night.keeper
    known: dict[str, Any] = {
        "what": "group.json",
        "key": "dompe",
        "number": night.players["Ana"],
        "code": "en",
        "secret": night.secret,
        "filename": "icons/icon.svg",
    }
    opened = 0
    for state in ("open", "closed"):
        for rule in alone.url_map.iter_rules():
            if "GET" not in (rule.methods or ()):
                continue
            ids = {"public_id": (night.group if str(rule).startswith("/g/") else night.night).rpartition("/")[2]}
            numbers = {"number": 1} if str(rule).startswith("/s/") else {}
            with alone.test_request_context():
                _, address = rule.build(
                    {**dict.fromkeys(rule.arguments, 1), **known, **ids, **numbers}, append_unknown=False
                ) or ("", "")
            answer = keeper.get(address)
            expected = (401,) if rule.endpoint.startswith("api_v1.") and rule.arguments != {"kind"} else (200, 302, 303)
            assert answer.status_code in (*expected, 404), (address, answer.status_code)
            opened += answer.status_code == 200
            if answer.mimetype == "text/html" and not rule.endpoint.startswith(HIDDEN):
                found = words(answer.text)
                assert not [offer for offer in OFFERS if offer in answer.text], (state, address)
                assert not [word for word in WORDS if word in found], (state, address)
                # so that it hardly ever polls
                assert answer.location or " data-alone>" in answer.text, (state, address)
        if state == "open":
            night.plays("close")
    assert opened > 60


def test_addresses_are_the_browser_s_own(alone: Flask) -> None:
    night = PlayedNight(alone)
    card = night.keeper.get("/help/dompe/card", base_url="https://cards.example.org/")
    assert "https://cards.example.org/help/dompe/card" in card.text


def test_a_big_group_is_imported(alone: Flask, new_instance: Callable[[], Path]) -> None:
    night = PlayedNight(alone).plays("round, close")
    file = night.keeper.get(f"{night.group}/export/group.json").data
    elsewhere = create_app({"INSTANCE": new_instance(), "TESTING": True, "PLATFORM": ALONE})
    client = elsewhere.test_client()
    fields = {name: values[0] for name, values in Page(client.get("/groups/import").text).fields.items()}
    big = file.rstrip() + b" " * 800_000
    # Werkzeug's test client would leave a file of this size open
    sent, _, boundary = stream_encode_multipart(
        MultiDict(fields | {"file": FileStorage(io.BytesIO(big), "group.json")}), use_tempfile=False
    )
    answer = client.post("/groups/import", data=sent.read(), content_type=f"multipart/form-data; boundary={boundary}")
    assert answer.status_code == 303
    assert "Friday" in client.get(answer.location).text
    with elsewhere.app_context():
        db.engine.dispose()


def test_a_large_database_is_checked_at_once(alone: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    PlayedNight(alone).plays("round")
    place = Path(alone.instance_path) / "companion.db"
    monkeypatch.setattr(startup, "_CHECKED_AT_ONCE", 1)
    with alone.app_context():
        assert startup.check_large_file(alone) is None
        db.engine.dispose()
    open_database(alone)
    with alone.app_context():
        db.engine.dispose()
    with closing(sqlite3.connect(place)) as connection:
        (page,) = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = 'line'").fetchone()
        (size,) = connection.execute("PRAGMA page_size").fetchone()
    with place.open("r+b") as file:
        file.seek((page - 1) * size)
        file.write(b"\xff" * 64)
    with pytest.raises(Unusable, match="is damaged"):
        open_database(alone)


def test_an_app_opens_one_database_after_another(alone: Flask, new_instance: Callable[[], Path]) -> None:
    """A browser keeps the app in memory, made and warmed up over an empty database, and then opens the phone's own."""
    night, here, away = PlayedNight(alone).plays("round"), Path(alone.instance_path), new_instance()
    for comes, goes, status in ((None, away, 404), (away, here / "first", 200)):
        with alone.app_context():
            db.engine.dispose()
        goes.mkdir(exist_ok=True)
        for file in [one for one in here.iterdir() if one.is_file()]:
            file.replace(goes / file.name)
        for file in [] if comes is None else [*comes.iterdir()]:
            file.rename(here / file.name)
        alone.secret_key = read_secret_key(here)
        open_database(alone)
        assert night.keeper.get(night.night).status_code == status
