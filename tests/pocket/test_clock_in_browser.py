"""The phone's clock is set back in the middle of a night: nothing is lost or out of order, and copies are known."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Frame, Page, expect
from pocket_host import Host
from pocket_pages import pages, unexpected
from pocket_phone import Phone, group_of, lend, play, start, statuses

from companion.serve.commands.main import main

pytestmark = pytest.mark.thorough

HOUR = 3_600_000  # milliseconds
SET = """(by) => {
    globalThis.realNow ??= Date.now
    Date.now = () => realNow() + by
}"""


def set_clock(page: Page, by: int) -> None:
    """Set the clock of the shell, which notes the copies, and of the engine's Python."""
    (engine,) = (worker for worker in page.workers if worker.url.endswith("engine.js"))
    for where in (page, engine):
        where.evaluate(SET, by)


def end(frame: Frame, night: str) -> None:
    frame.goto(f"{night}/close")
    frame.locator("button[value=leave]").click()
    frame.wait_for_url("**/end*")


def saved_copy(page: Page, frame: Frame, home: str, to: Path | None = None) -> list[dict[str, Any]]:
    """Save the copy that a page asks for, after which none asks; returns its nights."""
    with page.expect_download() as downloaded:
        frame.get_by_role("link", name="Save a copy", exact=True).click()
    file = Path(downloaded.value.path()).read_text(encoding="utf-8")
    if to:
        to.write_text(file, encoding="utf-8")
    frame.goto(home)
    expect(frame.locator("h1")).to_be_visible()
    expect(frame.locator("#copy-due")).to_have_count(0)
    return list(json.loads(file)["group"]["nights"])


def ask_every_page(frame: Frame, home: str, night: str, folder: Path) -> None:
    group = group_of(frame, home)
    found = statuses(frame, pages(folder, group.rpartition("/")[2], night.rpartition("/")[2]))
    assert unexpected(found) == {}


def test_a_clock_set_back_in_a_night(
    phone: Phone, host: Host, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    page, frame = phone.open()
    night = start(frame)
    play(frame, night)
    set_clock(page, -HOUR)
    play(frame, night)
    assert lend(frame, night, 5) == 303
    end(frame, night)
    set_clock(page, -30 * 24 * HOUR)
    (told,) = saved_copy(page, frame, host.address)
    # the lines are in the order in which they were entered, though the clock says otherwise
    moments = [change["at"] for change in told["changes"]]
    assert moments != sorted(moments)
    assert [line["number"] for line in told["lines"]] == [1, 2, 3]
    assert statuses(frame, [f"{night}/lines/3", f"{night}/lines/4"]) == {
        f"{night}/lines/3": 200,
        f"{night}/lines/4": 404,
    }
    ask_every_page(frame, host.address, night, tmp_path / "server")
    # reopened and played on, it is in no copy
    frame.goto(f"{night}/close")
    frame.locator("button[value=reopen]").click()
    frame.wait_for_url(re.compile(f"{night}($|[?#])"))
    play(frame, night)
    end(frame, night)
    expect(frame.locator("#copy-due")).to_have_count(1)
    # another night, a month before the last one
    frame.goto(group_of(frame, host.address))
    frame.locator("button[value=again]").click()
    frame.wait_for_url("**/s/*")
    second = frame.url.split("?")[0]
    play(frame, second)
    end(frame, second)
    expect(frame.locator("main")).to_contain_text("2 nights are only on this phone. The last copy is of today.")
    ask_every_page(frame, host.address, second, tmp_path / "server")
    # the clock is right again, and every line is there
    set_clock(page, 0)
    assert [len(one["lines"]) for one in saved_copy(page, frame, host.address, tmp_path / "group.json")] == [4, 1]
    monkeypatch.setenv("COMPANION_INSTANCE", str(tmp_path / "instance"))
    assert [main(["migrate"]), main(["import", str(tmp_path / "group.json")]), main(["audit"])] == [0, 0, 0]
    assert "No errors in any round, balance or pot." in capsys.readouterr().out
