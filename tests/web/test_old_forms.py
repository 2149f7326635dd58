"""A form that was open while the app restarted is still accepted."""

from __future__ import annotations

import re
import time
from pathlib import Path

import pytest
from flask.testing import FlaskClient
from pages import opened

from companion import create_app

HOURS = 3600


def restarted(folder: Path, client: FlaskClient | None) -> FlaskClient:
    """Restart the app; the phone keeps its cookies."""
    new = create_app({"INSTANCE": folder}).test_client()
    if client is not None:
        new._cookies = client._cookies
    return new


def test_a_form_of_12_hours_and_three_restarts_ago_is_booked(instance: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    client = restarted(instance, None)
    fields = opened(client, "/groups/new").fields | {"name": ["Friday"], "player": ["Ana", "Beto"]}
    for hours in (4, 8, 12):
        client = restarted(instance, client)
        later = int(time.time()) + hours * HOURS
        monkeypatch.setattr("itsdangerous.timed.TimestampSigner.get_timestamp", lambda _, later=later: later)
    made = client.post("/groups/new", data=fields)
    assert made.status_code == 303
    # and again, as a phone does that got no answer
    assert client.post("/groups/new", data=fields).location == made.location
    assert re.fullmatch(r"/g/[\w-]+", made.location)
