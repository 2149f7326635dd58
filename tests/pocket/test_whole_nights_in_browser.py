"""Whole nights on one phone: six games by taps, a group of years, Spanish, and what is printed."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, cast

import pytest
from browser import open_seat, tap_quickly, tick
from night_of_six_games import NAMES, NIGHT, Hand, Ledger, save
from playwright.sync_api import Frame, Page, expect
from pocket_host import Host
from pocket_phone import HANDS, Phone, group_of, lend, play, start, statuses
from waiting import until
from years import make_years

from companion import create_app
from companion.pocket.words import words
from companion.serve.commands.main import main
from companion.store.portable import export_group
from companion.web.text.language import languages

pytestmark = pytest.mark.thorough

# one phone asks nobody else: whoever has it taps what the others say
CHECKS = {"domino-poker": "act-check " * 4, "draw-poker": "act-check " * 8}
TAPPED = "[...document.querySelectorAll('form.tapping input')].map(({ value }) => value).filter((one) => / /.test(one))"
SIZE = """async () => {
    const folder = await (await navigator.storage.getDirectory()).getDirectoryHandle('companion')
    return (await (await folder.getFileHandle('companion.db')).getFile()).size
}"""


def tap_round(page: Page, night: str, hand: Hand, game: str) -> dict[str, int]:
    """Tap a round, from the table of the night on; `game` was played before. Returns what it brought each player."""
    page.locator(f'a[href$="{night.partition("/pocket")[2]}"]:visible').first.click()
    page.wait_for_url(night)
    if hand.game != game:
        page.locator(f'.pick a[href$="game={hand.game}"]').click()
        expect(page.locator(f'.pick a[aria-current][href$="game={hand.game}"]')).to_be_visible()
    page.locator("#rail [data-place=hands], .next a[href*='/round']").first.click()
    bets = CHECKS[hand.game] if hand.bets == "on the phones" else hand.bets
    for button in bets.split():
        log = page.locator("#betting [name=bets]")
        before = log.input_value()
        page.locator(f'#betting button[value="{button}"]').click()
        expect(log).not_to_have_value(before)
    for seat, cards in enumerate(hand.hands):
        open_seat(page, seat)
        tap_quickly(page, cards)
    if hand.tick:
        tick(page, hand.tick)
    return dict.fromkeys(NAMES, 0) | save(page)


def file_of(frame: Frame, group: str) -> str:
    return str(frame.evaluate("async (at) => (await fetch(at)).text()", f"{group}/export/group.json"))


def test_a_night_of_six_games_without_a_host(
    phone: Phone, host: Host, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    _, frame = phone.open()
    asked = len(host.asked)
    host.off()
    game = NIGHT[0].game
    night = start(frame, NAMES, game)
    ledger = Ledger()
    for hand in NIGHT:
        brought = tap_round(cast(Page, frame), night, hand, game)
        assert brought == ledger.book(hand.paid), hand.game
        game = hand.game
    assert len({hand.game for hand in NIGHT}) == 6
    frame.goto(f"{night}/close")
    frame.locator("button[value=leave]").click()
    frame.wait_for_url("**/end*")
    # another computer agrees with every round
    file = tmp_path / "group.json"
    file.write_text(file_of(frame, group_of(frame, host.address)), encoding="utf-8")
    assert len(json.loads(file.read_text())["group"]["nights"][0]["lines"]) == len(NIGHT)
    host.on()
    assert host.asked[asked:] == []
    monkeypatch.setenv("COMPANION_INSTANCE", str(tmp_path / "instance"))
    assert [main(["migrate"]), main(["import", str(file)]), main(["audit"])] == [0, 0, 0]
    assert "No errors in any round, balance or pot." in capsys.readouterr().out


def test_a_reload_in_the_middle_of_a_round_keeps_its_hands(phone: Phone) -> None:
    page, frame = phone.open()
    night = start(frame)
    frame.goto(f"{night}/round?game=knock-poker")
    for seat, hand in enumerate(HANDS[:2]):
        open_seat(cast(Page, frame), seat)
        tap_quickly(cast(Page, frame), hand)
    before = frame.evaluate(TAPPED)
    assert len(before) == 2
    page.reload()
    page.locator("#app").wait_for()
    frame = phone.frame(page)
    frame.locator("form.tapping").wait_for()
    until(lambda: frame.evaluate(TAPPED) == before, lambda: page.wait_for_timeout(20))
    open_seat(cast(Page, frame), 2)
    tap_quickly(cast(Page, frame), HANDS[2])
    tick(cast(Page, frame), '[name=asked-knocker][value="0"]')
    frame.locator("[data-save]").click()
    frame.wait_for_url(re.compile(r"/lines/1"))
    frame.goto(f"{night}/rounds")
    expect(frame.locator("main")).to_contain_text("full house, nines over fours")


def test_a_group_of_years_comes_to_the_phone(phone: Phone, host: Host, tmp_path: Path) -> None:
    years = create_app({"INSTANCE": tmp_path / "years"})
    with years.app_context():
        file = export_group(make_years("secret-of-a-group-of-years", nights=20, rounds=2000).public_id)
    assert len(file) > 500_000
    page, frame = phone.open()
    host.off()
    frame.goto(f"{host.address}groups/import")
    sent = {"name": "group.json", "mimeType": "application/json", "buffer": file}
    frame.locator("[name=file]").set_input_files(cast(Any, sent))
    frame.locator("form[enctype] button").first.click()
    frame.wait_for_url("**/g/*")
    # the whole file is checked at the next start, which must not take threads
    phone.kill()
    page, frame = phone.open()
    assert page.evaluate(SIZE) > 2 * 1024 * 1024
    group = group_of(frame, host.address)
    assert file_of(frame, group) == file.decode()
    # its last night goes on here
    frame.goto(host.address)
    last = re.match(r".*/s/[^/?#]+", frame.locator('a[href*="/s/"]').first.get_attribute("href") or "")
    assert last is not None
    assert lend(frame, last[0], 5) == 303
    host.on()


@pytest.mark.parametrize("phone", ["es-MX"], indirect=True)
def test_a_phone_in_spanish(phone: Phone, host: Host) -> None:
    told = words(next(one for code, one in languages().items() if code.startswith("es")).words)
    page = phone.context.new_page()
    page.goto(host.address)
    expect(page.locator("#title")).to_have_text(told["set"])
    expect(page.locator("#facts")).to_contain_text(told["only"])
    page.locator("#start").click()
    page.locator("#app").wait_for()
    frame = phone.frame(page)
    host.off()
    assert frame.evaluate("document.documentElement.lang").startswith("es")
    night = start(frame)
    play(frame, night)
    expect(frame.locator("main")).to_contain_text("Ana gana")
    frame.goto(f"{night}/close")
    frame.locator("button[value=leave]").click()
    frame.wait_for_url("**/end*")
    expect(frame.locator("#copy-due")).to_have_text("Guardar una copia")
    host.on()


def test_a_night_and_a_long_page_are_printed(phone: Phone) -> None:
    page, frame = phone.open()
    night = start(frame)
    play(frame, night)
    # the button of the page prints the page, without the shell around it
    frame.goto(f"{night}/rounds")
    frame.locator('a[href$="/print"]').click()
    frame.wait_for_url("**/print")
    frame.evaluate("window.print = () => { window.isPrinted = true }")
    frame.locator("[data-print]").click()
    assert frame.evaluate("isPrinted") is True
    # the menu of the browser prints the shell, with all of its page
    frame.goto(f"{phone.host.address}help/knock-poker")
    printed = page.pdf()
    assert len(re.findall(rb"/Type\s*/Page\b", printed)) > 1
    assert page.evaluate("document.getElementById('app').style.height") == ""
    assert statuses(frame, [night]) == {night: 200}
