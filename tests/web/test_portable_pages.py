"""Downloading a group and its sheets, and importing one on another server's page."""

from __future__ import annotations

import csv
import io
import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from pages import Fields, Page, opened
from sqlalchemy import select
from werkzeug.test import TestResponse

from companion import create_app
from companion.store import portable
from companion.store.db.locks import held
from companion.store.groups.groups import start_night
from companion.store.groups.links import new_secret
from companion.store.models import Group, db
from companion.store.portable import FileLimits
from companion.web.groups import import_export

PAGE = "/groups/import"


def server(folder: Path, **settings: Any) -> Flask:
    return create_app({"INSTANCE": folder, "TESTING": True, **settings})


@pytest.fixture
def elsewhere(new_instance: Callable[[], Path]) -> Iterator[Flask]:
    """Return another server."""
    app = server(new_instance())
    yield app
    with app.app_context():
        db.engine.dispose()


def make_group(client: FlaskClient, name: str = "Friday") -> str:
    """Create a group; returns its URL."""
    fields = opened(client, "/groups/new").fields | {"name": [name], "player": ["=Ana", "Beto"]}
    return str(client.post("/groups/new", data=fields).location)


def upload(client: FlaskClient, content: bytes, fields: Fields | None = None, name: str = "group.json") -> TestResponse:
    form = fields or opened(client, PAGE).fields
    data: dict[str, Any] = {key: values[0] for key, values in form.items() if key != "file"}
    return client.post(PAGE, data=data | {"file": (io.BytesIO(content), name)})


def said(response: TestResponse) -> str:
    return Page(response.text).texts["problems"]


def test_portable_is_not_loaded_before_a_group_s_file(instance: Path) -> None:
    code = """
import sys
import companion.serve.command
from companion import create_app
app = create_app({"INSTANCE": sys.argv[1]})
for page in ("/", "/groups/import"):
    assert app.test_client().get(page).status_code == 200
print("companion.store.portable" in sys.modules, "companion.web.groups.import_export" in sys.modules)
"""
    done = subprocess.run([sys.executable, "-c", code, str(instance)], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False True"


def test_a_group_is_taken_along(client: FlaskClient, elsewhere: Flask) -> None:
    address = make_group(client)
    exported = client.get(f"{address}/export/group.json")
    assert (exported.status_code, exported.mimetype) == (200, "application/json")
    assert exported.headers["Content-Disposition"].startswith("attachment; filename=Friday-20")
    assert exported.headers["Cache-Control"] == "no-store"
    other = elsewhere.test_client()
    fields = opened(other, PAGE).fields
    taken = upload(other, exported.data, fields)
    assert (taken.status_code, taken.location) == (303, address)
    # this device keeps score there
    page = opened(other, f"{address}/settings")
    assert "New link" in page.text
    assert other.get(f"{address}/export/group.json").data == exported.data
    # a form sent twice is the same import
    assert upload(other, exported.data, fields).location == address
    # nobody else is let in by the file
    stranger = elsewhere.test_client()
    refused = upload(stranger, exported.data)
    assert refused.status_code == 200
    assert "The group Friday already exists here with the same content; open it with its link" in said(refused)
    assert stranger.get(address).status_code == 404
    # who has its link is led to it
    assert upload(other, exported.data).location == address


def test_another_version_is_a_conflict(client: FlaskClient) -> None:
    address = make_group(client)
    document = json.loads(client.get(f"{address}/export/group.json").data)
    document["group"]["players"].pop()
    refused = upload(client, json.dumps(document).encode())
    assert refused.status_code == 409
    assert "has the same rounds here as in the file, but other names, house rules, chips or seasons" in said(refused)


def played(app: Flask, address: str) -> None:
    """Start a night in a group."""
    with app.app_context():
        group = db.session.scalars(select(Group).where(Group.public_id == address.removeprefix("/g/"))).one()
        start_night(group, [player.id for player in group.players], "knock", {}, new_secret())


def exported(client: FlaskClient, address: str) -> bytes:
    return client.get(f"{address}/export/group.json").data


def test_a_group_goes_on_elsewhere_and_comes_back(client: FlaskClient, elsewhere: Flask) -> None:
    address, other = make_group(client), elsewhere.test_client()
    before = exported(client, address)
    assert upload(other, before).location == address
    played(elsewhere, address)
    taken = upload(client, exported(other, address))
    assert taken.status_code == 200
    assert "The group goes on here as in the file." in taken.text
    assert "1 step was added." in taken.text
    assert exported(client, address) == exported(other, address)
    older = upload(client, before)
    assert "Everything in this file is here already, and more." in older.text
    # a phone without the group's link may not add to it, but may have a copy
    stranger, file = client.application.test_client(), exported(other, address)
    played(elsewhere, address)
    refused = upload(stranger, exported(other, address))
    assert refused.status_code == 409
    assert "Open its scorekeeper link on this phone" in said(refused)
    assert exported(client, address) == file
    form = Page(refused.text).fields
    assert ("Import it as a copy" in refused.text, "as a copy" in upload(stranger, b"a picture").text) == (True, False)
    copy = upload(stranger, exported(other, address), form | {"copy": ["y"]})
    assert copy.status_code == 303
    assert copy.location != address
    assert "Friday (2)" in stranger.get(copy.location).text


def test_two_that_parted_are_told(client: FlaskClient, elsewhere: Flask) -> None:
    address, other = make_group(client), elsewhere.test_client()
    upload(other, exported(client, address))
    played(elsewhere, address)
    played(client.application, address)
    refused = upload(client, exported(other, address))
    assert refused.status_code == 409
    assert "Both have nothing in common. Then here: night 1 was opened at 20" in said(refused)


SHEETS = [("rounds.csv", "night,opened_at"), ("transfers.csv", "night,opened_at")]


@pytest.mark.parametrize(("what", "begins"), SHEETS, ids=[row[0] for row in SHEETS])
def test_a_sheet_is_csv_for_spreadsheets(client: FlaskClient, what: str, begins: str) -> None:
    sheet = client.get(f"{make_group(client, 'Ñandú/../x')}/export/{what}")
    assert client.get(f"{make_group(client)}/export/secrets.json").status_code == 404
    assert sheet.mimetype == "text/csv"
    assert sheet.mimetype_params == {"charset": "utf-8"}
    assert sheet.headers["Content-Disposition"].endswith(f"-{what}")
    assert "/" not in sheet.headers["Content-Disposition"]
    (columns,) = csv.reader(io.StringIO(sheet.data.decode("utf-8-sig"), newline=""))
    assert ",".join(columns).startswith(begins)


BAD = [
    ("nothing", b"", "", "Choose an exported group file"),
    ("text", b"hello", "a.txt", "This isn't an exported group; choose the file"),
    ("json", b"{}", "a.json", "This isn't an exported group; choose the file whose name ends in “group.json”"),
    ("deep", b"[" * 100_000, "a.json", "the file: it is nested too deeply"),
]


@pytest.mark.parametrize(("content", "name", "why"), [row[1:] for row in BAD], ids=[row[0] for row in BAD])
def test_what_is_no_group_is_said(client: FlaskClient, content: bytes, name: str, why: str) -> None:
    response = upload(client, content, name=name)
    assert response.status_code == 200
    assert why in said(response)


def test_a_file_that_is_too_large_is_413(client: FlaskClient, monkeypatch: pytest.MonkeyPatch) -> None:
    form = opened(client, PAGE)
    assert "up to 32 MB" in form.text
    # more than other pages take is fine here
    assert "isn't an exported group" in said(upload(client, b"x" * 200_000, form.fields))
    monkeypatch.setattr(import_export, "MAX_BYTES", 100_000)
    response = upload(client, b"x" * 200_000, form.fields)
    assert response.status_code == 413
    assert "too big" in response.text


def test_a_second_import_is_told_to_wait(client: FlaskClient, app: Flask, elsewhere: Flask) -> None:
    content, other = client.get(f"{make_group(client)}/export/group.json").data, elsewhere.test_client()
    with elsewhere.app_context(), held("import"):
        refused = upload(other, content)
    assert refused.status_code == 409
    assert "Another group is being imported. Wait a minute, then try again" in said(refused)
    assert upload(other, content).status_code == 303


def test_a_group_of_too_many_rounds_is_for_the_command(client: FlaskClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(portable, "FileLimits", lambda: FileLimits(rows=1))
    refused = upload(client, client.get(f"{make_group(client)}/export/group.json").data)
    assert refused.status_code == 200
    assert "This file has 2 rows, but this page accepts at most 1." in said(refused)


def test_who_may_make_groups_may_import(client: FlaskClient, new_instance: Callable[[], Path]) -> None:
    content = client.get(f"{make_group(client)}/export/group.json").data
    nobody = server(new_instance(), MAY_MAKE_GROUPS="nobody")
    assert nobody.test_client().get(PAGE).status_code == 403
    assert nobody.test_client().post(PAGE).status_code == 403
    app = server(new_instance(), MAY_MAKE_GROUPS="three kings")
    phone = app.test_client()
    fields = opened(phone, PAGE).fields
    assert "passphrase" in fields
    assert "needs the passphrase" in said(upload(phone, content, fields))
    assert upload(phone, content, fields | {"passphrase": ["three kings"]}).status_code == 303
    for one in (nobody, app):
        with one.app_context():
            db.engine.dispose()


def test_imports_are_counted(client: FlaskClient) -> None:
    fields = opened(client, PAGE).fields
    statuses = [upload(client, b"x", fields).status_code for _ in range(11)]
    assert statuses == [200] * 10 + [429]
