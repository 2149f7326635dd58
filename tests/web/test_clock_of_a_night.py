"""A night has one clock, that of the computer it was opened on, wherever the app runs later."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime

import pytest
from devices import PlayedNight
from flask import Flask

from companion.serve.commands.admin import _last_night
from companion.store.models import Night, db

OPENED = datetime(2026, 11, 1, 4, 30, tzinfo=UTC)
ZONES = ["UTC0", "PST8PDT,M3.2.0,M11.1.0", "<+0530>-5:30", "<+14>-14"]


@pytest.fixture
def night(app: Flask, clock_of: Callable[[str], None], monkeypatch: pytest.MonkeyPatch) -> PlayedNight:
    """A night that was opened and played at 04:30 on a computer that showed UTC."""
    clock_of("UTC0")
    for module in ("groups.groups", "log.ledger", "night.settings"):
        monkeypatch.setattr(f"companion.store.{module}.now", lambda: OPENED)
    night = PlayedNight(app, secret="a night in November")
    night.books()
    night.books()
    night.plays("void 2")
    night.does("/close", do="close")
    return night


@pytest.mark.parametrize("zone", ZONES)
def test_month_date_and_times_agree_in_every_zone(
    night: PlayedNight, clock_of: Callable[[str], None], zone: str
) -> None:
    clock_of(zone)
    keeper = night.keeper
    shown = ("", "/end", "/end.svg", "/print", "/money", "/settle")
    for path in ("/", night.group, *(f"{night.night}{page}" for page in shown)):
        text = keeper.get(path).text
        assert "1\u00a0November" in text, path
        assert "October" not in text, path
    assert 'data-picture="2026-11-01.png"' in keeper.get(f"{night.night}/end").text
    assert set(re.findall(r"\d+:\d\d", keeper.page(f"{night.night}/changes").text)) == {"04:30"}
    assert keeper.page(f"{night.night}/lines/2").text.count("04:30") == 2
    sheet = keeper.get(f"{night.group}/export/rounds.csv").text
    assert set(re.findall(r"2026-\d\d-\d\d \d\d:\d\d:\d\d", sheet)) == {"2026-11-01 04:30:00"}
    assert "Ana" in keeper.page(f"{night.group}/leaderboard?since=2026-11&until=2026-11").text
    day = "2026-11-01"
    assert "1\u00a0November" in keeper.page(f"{night.group}?since={day}&until={day}").text
    for other in ("2026-10-31", "2026-11-02"):
        assert "1\u00a0November" not in keeper.page(f"{night.group}?since={other}&until={other}").text
    with night.app.app_context():
        assert _last_night(db.session.query(Night).one().group) == "last night 2026-11-01, closed"
