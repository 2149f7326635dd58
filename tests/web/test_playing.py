"""A hand played from the players' own phones: knock, last turns, bets, counts; and what goes wrong at a table."""

from __future__ import annotations

from typing import Any

import pytest
from devices import HANDS, Device, Night
from flask import Flask
from pages import Page
from werkzeug.test import TestResponse

ANA, BETO, CARO = HANDS.values()


@pytest.fixture
def night(app: Flask) -> Night:
    return Night(app)


@pytest.fixture
def bets(app: Flask) -> Night:
    return Night(app, "domino-poker")


def fields(night: Night, device: Device) -> dict[str, Any]:
    """Give the fields of the table's form as a phone has them now."""
    page = device.page(night.session).fields
    return {name: page[name][0] for name in ("mark", "number", "game")}


def acts(night: Night, device: Device, do: str, name: str = "", **more: Any) -> TestResponse:
    """Press a button of the table: "knock", by the name of the player it is for."""
    button = f"{do}-{night.players[name]}" if name else do
    known = {**fields(night, device), "sure": "yes"}
    return device.post(f"{night.session}/play", **{**known, "do": button, **more})


def done(night: Night, device: Device, do: str, name: str = "", **more: Any) -> None:
    answer = acts(night, device, do, name, **more)
    assert answer.status_code == 303, error(answer)


def error(answer: TestResponse) -> str:
    found = Page(answer.text)
    return found.text if hasattr(found, "text") else answer.text


def cells(night: Night) -> dict[str, Any]:
    found: dict[str, Any] = night.state(night.keeper)["fields"]
    return found


def test_a_knock_and_the_last_turns_are_in_the_entry_form(night: Night) -> None:
    beto, caro = night.joined("Beto"), night.joined("Caro")
    ana = night.joined("Ana")
    done(night, ana, "knock", "Ana")
    assert "Ana knocked; Beto and Caro, in this order" in caro.get(night.session).text
    done(night, beto, "drop", "Beto")
    done(night, caro, "stay", "Caro")
    told = cells(night)
    assert told["asked-knocker"] == "0"
    assert (told["players-1-dropped"], told["players-2-dropped"]) == (True, False)
    assert "Everyone shows" in ana.get(night.session).text
