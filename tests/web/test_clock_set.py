"""A computer's clock that is set back or forward, by a day or a year, takes no phone's rights."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest
from devices import Device, PlayedNight, problem
from flask import Flask

SetClock = Callable[[int], None]
JUMPS = [-60, -86_400, -40 * 86_400, -366 * 86_400, 86_400, 366 * 86_400]


@pytest.fixture
def set_clock(monkeypatch: pytest.MonkeyPatch) -> SetClock:
    """Set the clock that signs cookies and counts tries to so many seconds from the right time."""
    right = time.time

    def jump(seconds: int) -> None:
        monkeypatch.setattr(time, "time", lambda: right() + seconds)

    return jump


@pytest.mark.thorough
@pytest.mark.parametrize("seconds", JUMPS)
def test_every_phone_keeps_its_rights_there_and_back(
    night: PlayedNight, app: Flask, set_clock: SetClock, seconds: int
) -> None:
    player, viewer = night.joined("Ana"), Device(app)
    viewer.get(f"/open/{night.links()['look']}")
    for jump in (seconds, 0, -seconds, 0):
        set_clock(jump)
        night.books()  # a form's token is valid as well
        assert player.get(f"{night.night}/round").status_code == 200
        assert viewer.get(f"{night.night}").status_code == 200
        for device in (night.keeper, player, viewer):
            assert device.get("/help/").status_code == 200
            (cookie,) = [c for c in device.get(night.night).headers.getlist("Set-Cookie") if "session=" in c]
            assert "Max-Age=2678400" in cookie and "Expires" not in cookie


@pytest.mark.parametrize("seconds", [-60, -366 * 86_400, 366 * 86_400])
def test_wrong_tries_lock_nobody_out_for_longer_than_they_say(app: Flask, set_clock: SetClock, seconds: int) -> None:
    stranger = Device(app)
    night = PlayedNight(app)
    night.does("{group}/players", **{"new-pin": "1234"}, do="pin")
    for _ in range(20):
        stranger.post("/join", code="XXXXXX")
        night.post("/close", pin="4321", do="close")
    assert stranger.post("/join", code=night.code()).status_code == 429
    assert "Too many wrong PINs" in problem(night.post("/close", pin="1234", do="close").text)
    set_clock(seconds)
    if abs(seconds) > 3600:
        assert stranger.post("/join", code=night.code()).status_code == 303
        assert night.post("/close", pin="1234", do="close").status_code == 303
    else:
        assert "hour" not in stranger.post("/join", code=night.code()).text
