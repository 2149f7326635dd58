"""A night is handed over from one phone to a computer at the table and taken back, as files."""

from __future__ import annotations

from pathlib import Path

import pytest
from browser import served
from playwright.sync_api import Frame, Page, expect
from pocket_host import Host
from pocket_phone import Phone, group_of, play, start, statuses

from companion import create_app

pytestmark = pytest.mark.thorough

ELSEWHERE = "Score has been kept elsewhere since"


def hand_over(shell: Page, frame: Frame | Page, group: str, to: Path) -> Path:
    """Tap the way from the group's settings to handing it over; returns its file, saved as the other place gets it."""
    frame.goto(f"{group}/settings")
    frame.get_by_role("link", name="Hand the group over to another phone or computer").click()
    expect(frame.locator("main")).to_contain_text("Score is kept here now.")
    frame.get_by_role("button", name="Hand the group over").click()
    expect(frame.locator("main")).to_contain_text(ELSEWHERE)
    with shell.expect_download() as downloaded:
        frame.get_by_role("link", name="Save the file").click()
    downloaded.value.save_as(to)
    return to


def take_in(frame: Frame | Page, home: str, file: Path) -> None:
    frame.goto(f"{home}groups/import")
    frame.locator("[name=file]").set_input_files(file)
    frame.locator("form[enctype] button").first.click()
    expect(frame.locator("h1")).to_have_text("Friday")


def shows(frame: Frame | Page, night: str, *, is_elsewhere: bool) -> None:
    """Look at a night: whether it says that score is kept elsewhere, and whether a round can be entered."""
    frame.goto(night)
    expect(frame.locator("h1")).to_have_text("Friday")
    expect(frame.locator("main", has_text=ELSEWHERE)).to_have_count(int(is_elsewhere))
    assert statuses(frame, [f"{night}/round"]) == {f"{night}/round": 409 if is_elsewhere else 200}


def test_a_night_goes_to_a_computer_and_back(phone: Phone, host: Host, tmp_path: Path) -> None:
    page, frame = phone.open()
    night = start(frame)
    play(frame, night)
    host.off()
    file = hand_over(page, frame, group_of(frame, host.address), tmp_path / "to-the-table.json")
    shows(frame, night, is_elsewhere=True)
    with served(create_app({"INSTANCE": tmp_path / "table"})) as address:
        table = phone.context.new_page()
        there = night.replace(host.address, address)
        take_in(table, address, file)
        shows(table, there, is_elsewhere=False)
        play(table, there)
        back = hand_over(table, table, group_of(table, address), tmp_path / "to-the-phone.json")
        take_in(frame, host.address, back)
        said = frame.locator("main")
        expect(said).to_contain_text("1 step was added.")
        expect(said).to_contain_text("From now on score is kept here.")
        shows(frame, night, is_elsewhere=False)
        shows(table, there, is_elsewhere=True)
        table.close()
    # the phone has both rounds after a restart, and plays on
    phone.kill()
    page, frame = phone.open()
    play(frame, night)
    lines = [f"{night}/lines/{number}" for number in (1, 2, 3, 4)]
    assert [*statuses(frame, lines).values()] == [200, 200, 200, 404]
    shows(frame, night, is_elsewhere=False)
    host.on()
