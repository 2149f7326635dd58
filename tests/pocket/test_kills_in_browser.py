"""The browser is killed at random moments of a night: what was acknowledged is there, once, and the audit is clean."""

from __future__ import annotations

import csv
import os
import random
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest
from playwright.sync_api import Error
from pocket_host import Host
from pocket_phone import LENDING, Phone, start

from companion.serve.commands.main import main

pytestmark = pytest.mark.thorough

KILLS = int(os.environ.get("POCKET_KILLS", "4"))  # some are enough in each run
LATEST = 300  # steps of 20 ms after a start; the app is there after about a third of them


def test_what_was_acknowledged_outlasts_every_kill(
    phone: Phone,
    host: Host,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    record_property: Callable[[str, object], None],
) -> None:
    booked: list[int] = []
    moments = random.Random(50)
    _, frame = phone.open()
    host.off()
    night = start(frame)
    kills_while_it_starts = 0
    for _ in range(KILLS):
        phone.kill()
        phone.context.expose_function("booked", lambda amount: booked.append(amount))
        page = phone.context.new_page()
        page.goto(f"{host.address}#{night.partition('/pocket')[2]}")
        lends = False
        for _ in range(moments.randrange(LATEST)):
            if not lends and page.locator("#app").is_visible():
                frame, lends = phone.frame(page), True
                with suppress(Error):  # the frame may still be empty
                    frame.evaluate(f"(given) => {{ ({LENDING})(given) }}", [night, max(booked, default=0) + 2])
            page.wait_for_timeout(20)
        kills_while_it_starts += not lends
    phone.kill()
    _, frame = phone.open()
    group = frame.locator('a[href*="/g/"]').first.get_attribute("href")
    export = "async (address) => (await fetch(address)).text()"
    file = tmp_path / "group.json"
    file.write_text(frame.evaluate(export, f"{group}/export/group.json"), encoding="utf-8")
    table = csv.DictReader(frame.evaluate(export, f"{group}/export/transfers.csv").lstrip("\ufeff").splitlines())
    lent = [int(row["amount"]) for row in table]
    record_property(
        "told",
        f"{KILLS} kills, {kills_while_it_starts} while the app started; {len(booked)} answered, {len(lent)} stored",
    )
    assert {*booked} <= {*lent}
    assert len({*lent}) == len(lent)
    assert len(lent) <= len(booked) + KILLS  # what was on its way may be there or not
    monkeypatch.setenv("COMPANION_INSTANCE", str(tmp_path / "instance"))
    assert [main(["migrate"]), main(["import", str(file)]), main(["audit"])] == [0, 0, 0]
    assert "No errors in any round, balance or pot." in capsys.readouterr().out
    host.on()
    phone.said.clear()  # a request was on its way at each kill
