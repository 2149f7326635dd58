"""The app inside a browser: a night with the host stopped, kills, tabs, downloads, new builds, faults."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest
from browser import served
from playwright.sync_api import expect
from pocket_builds import builds, notice, publish
from pocket_host import SCOPE, Host
from pocket_pages import pages, unexpected
from pocket_phone import Phone, lend, play, start, statuses
from waiting import until

from companion import create_app
from companion.pocket.build import build

pytestmark = pytest.mark.thorough


def test_a_night_without_a_host(phone: Phone, host: Host, tmp_path: Path) -> None:
    page, frame = phone.open()
    host.off()
    asked = len(host.asked)
    night = start(frame)
    play(frame, night)
    # all processes end on the answer of the save, and again
    for rounds in (1, 2):
        phone.kill()
        page, frame = phone.open(f"#{night.partition('/pocket')[2]}/rounds")
        expect(frame.locator("main")).to_contain_text("full house, nines over fours")
        assert statuses(frame, [f"{night}/lines/{rounds}", f"{night}/lines/{rounds + 1}"]) == {
            f"{night}/lines/{rounds}": 200,
            f"{night}/lines/{rounds + 1}": 404,
        }
        play(frame, night)
    # every page of the URL map
    here = night.partition("/pocket")[2]
    frame.goto(f"{host.address}")
    group = "/g/" + (frame.locator('a[href*="/g/"]').first.get_attribute("href") or "").split("/g/")[1].split("/")[0]
    found = statuses(frame, pages(tmp_path / "server", group.rpartition("/")[2], here.rpartition("/")[2]))
    assert unexpected(found) == {}
    assert sum(status == 200 for status in found.values()) > 50
    # downloads, the big one too
    frame.goto(f"{host.address.rstrip('/')}{group}/settings")
    with page.expect_download() as downloaded:
        frame.get_by_role("link", name="Full backup", exact=True).click()
    file = json.loads(Path(downloaded.value.path()).read_text(encoding="utf-8"))
    assert "Friday" in json.dumps(file)
    frame.goto(f"{host.address}groups/import")
    big = json.dumps(file).encode() + b" " * 800_000
    frame.locator("[name=file]").set_input_files({"name": "group.json", "mimeType": "application/json", "buffer": big})
    frame.locator("form[enctype] button").first.click()
    expect(frame.locator("h1")).to_have_text("Friday")
    # the shell's headers are its own; the pages of the app keep theirs, and may be framed by the shell
    read = "async (path) => Object.fromEntries((await fetch(path)).headers)"
    shell, engine, home = (
        page.evaluate(read, f"{SCOPE}{path}") for path in ("pocket/index.html", "pocket/engine.js", "")
    )
    assert (shell["x-frame-options"], home["x-frame-options"]) == ("DENY", "SAMEORIGIN")
    assert "script-src 'self' 'wasm-unsafe-eval'" in engine["content-security-policy"]
    assert "frame-ancestors 'self'" in home["content-security-policy"]
    assert "wasm" not in home["content-security-policy"]
    # all scripts of a page wait for the guard, which the browser keeps; a page with it is loaded once
    guard = frame.locator("script").first.get_attribute("src") or ""
    assert guard.startswith(f"{SCOPE}pocket/guard.js?v=")
    assert "immutable" in page.evaluate(read, guard)["cache-control"]
    page.evaluate("globalThis.loads = 0; document.getElementById('app').addEventListener('load', () => { loads++ })")
    for loads in (1, 2):
        frame.goto(host.address)
        assert statuses(frame, [host.address]) == {host.address: 200}
        assert page.evaluate("loads") == loads
    # another language
    frame.goto(f"{host.address}?language=es")
    host.on()
    assert host.asked[asked:] == []


def test_what_a_page_asks_never_goes_to_the_host(phone: Phone, host: Host) -> None:
    """As if the browser had stopped the service worker: here none has ever been."""
    page = phone.context.new_page()
    (host.folder / "index.html").touch()
    page.goto(host.address.removesuffix(SCOPE))
    ask = "(path) => fetch(path, { cache: 'no-store' }).then(({ status }) => status, () => 'none')"
    assert page.evaluate(ask, f"{SCOPE}s/x/state") == 404
    page.add_script_tag(url=f"{SCOPE}pocket/guard.js", type="module")
    asked = len(host.asked)
    assert page.evaluate(ask, f"{SCOPE}s/x/state") == "none"
    assert host.asked[asked:] == []


def test_the_next_tab_takes_over(phone: Phone) -> None:
    first, frame = phone.open()
    night = start(frame)
    second, other = phone.open(f"#{night.partition('/pocket')[2]}")
    expect(other.locator("h1")).to_have_text("Friday")
    assert second.evaluate("times.ready") is None
    first.close()
    play(other, night)  # as soon as the second tab has the engine
    assert second.evaluate("times.ready") is not None


def test_later_starts_need_no_memory_and_a_damaged_one_is_made_anew(phone: Phone) -> None:
    page, frame = phone.open()
    start(frame)
    kept = """async () => {
        const folder = await (await navigator.storage.getDirectory()).getDirectoryHandle('companion')
        const names = []
        for await (const name of folder.keys()) names.push(name)
        return names.find((name) => name.endsWith('.memory'))
    }"""
    until(lambda: page.evaluate(kept), lambda: page.wait_for_timeout(20))
    page.reload()
    page.locator("#app").wait_for()
    assert page.evaluate("times.restored") is True
    page.evaluate(
        """async (name) => {
            const folder = await (await navigator.storage.getDirectory()).getDirectoryHandle('companion')
            const file = await (await folder.getFileHandle(name)).createWritable({ keepExistingData: true })
            await file.write({ type: 'write', position: 64, data: new Uint8Array(5000).fill(7) })
            await file.close()
        }""",
        page.evaluate(kept),
    )
    page.reload()
    page.locator("#app").wait_for()
    assert page.evaluate("times.restored") is False
    expect(phone.frame(page).locator("h1")).to_have_text("Friday")


def test_a_new_build_waits_until_nobody_plays(phone: Phone, host: Host) -> None:
    page, frame = phone.open()
    night = start(frame)
    old = publish(host, "0123456789ab")
    notice(page)
    play(frame, night)
    assert builds(page) == sorted([old, "0123456789ab"])
    page.close()
    page, frame = phone.open(f"#{night.partition('/pocket')[2]}/lines/1")
    expect(frame.locator("main")).to_contain_text("Ana")
    until(lambda: builds(page) == ["0123456789ab"], lambda: page.wait_for_timeout(20))


def test_a_build_that_can_t_start_leaves_the_one_before_it_in_charge(phone: Phone, host: Host) -> None:
    page, frame = phone.open()
    night = start(frame)
    old = publish(host, "0123456789ab", **{"postMessage({ says: 'data' })": "throw new Error('a fault of this build')"})
    notice(page)
    page.close()
    page, frame = phone.open(f"#{night.partition('/pocket')[2]}")
    expect(frame.locator("h1")).to_have_text("Friday")
    assert builds(page) == sorted([old, "0123456789ab"])
    play(frame, night)
    publish(host, "0123456789ac", **{"throw new Error('a fault of this build')": "postMessage({ says: 'data' })"})
    notice(page)
    page.close()
    page, frame = phone.open(f"#{night.partition('/pocket')[2]}/lines/1")
    expect(frame.locator("main")).to_contain_text("Ana")
    until(lambda: builds(page) == ["0123456789ac"], lambda: page.wait_for_timeout(20))


@pytest.mark.parametrize(
    ("script", "said"),
    [
        ("delete Navigator.prototype.serviceWorker", "has no service worker here"),
        ("StorageManager.prototype.getDirectory = () => Promise.reject(new Error())", "can't keep your nights"),
        (
            "StorageManager.prototype.estimate = async () => ({ quota: 9e7, usage: 4e7 })",
            "160.0 MB are needed, 50.0 MB",
        ),
    ],
)
def test_what_a_browser_can_t_do_is_said_first(phone: Phone, host: Host, script: str, said: str) -> None:
    page = phone.context.new_page()
    page.add_init_script(script)
    page.goto(host.address)
    expect(page.locator("#step")).to_contain_text(said)
    assert not page.locator("#app").is_visible()


def test_a_phone_keeps_the_app_that_a_served_one_offers(phone: Phone, host: Host, tmp_path: Path) -> None:
    instance = tmp_path / "instance"
    instance.mkdir()
    shutil.copytree(host.folder / "pocket", instance / "pocket")
    with served(create_app({"INSTANCE": instance})) as address:
        page = phone.context.new_page()
        page.goto(address)
        night = start(page)
        controlled = "Boolean(navigator.serviceWorker.controller)"  # by its own worker, which also sees the first visit
        until(lambda: page.evaluate(controlled), lambda: page.wait_for_timeout(20))
        host.address = f"{address}pocket/"
        _, frame = phone.open(page=page)
        start(frame)
        page.goto(night)
        expect(page.locator("h1")).to_have_text("Friday")
    _, frame = phone.open(page=page)
    expect(frame.locator("h1")).to_have_text("Friday")


def test_after_a_night_a_copy_is_saved(phone: Phone) -> None:
    page, frame = phone.open()
    night = start(frame)
    assert lend(frame, night, 5) == 303
    for answer in ("Save a copy", "Not now"):
        frame.goto(f"{night}/close")
        frame.locator("button[value=leave]").click()
        frame.wait_for_url("**/end*")
        expect(frame.locator("#copy-due")).to_be_visible()
        if answer == "Save a copy":
            with page.expect_download() as downloaded:
                frame.get_by_role("link", name=answer, exact=True).click()
            assert "Friday" in Path(downloaded.value.path()).read_text(encoding="utf-8")
        else:
            frame.get_by_role("button", name=answer).click()
        expect(frame.locator("#copy-due")).to_have_count(0)
        frame.goto(phone.host.address)
        expect(frame.locator("h1")).to_be_visible()
        expect(frame.locator("#copy-due")).to_have_count(0)
        frame.goto(f"{night}/close")
        frame.locator("button[value=reopen]").click()
        frame.wait_for_url(re.compile(f"{night}($|[?#])"))


def test_without_room_nothing_is_saved_and_that_is_said(phone: Phone, host: Host) -> None:
    page, frame = phone.open()
    night = start(frame)
    storage = phone.context.new_cdp_session(page)
    here = {"origin": host.address.removesuffix(SCOPE)}
    storage.send("Storage.overrideQuotaForOrigin", {**here, "quotaSize": 1})
    # what fits into the files as they are is still written
    answers = [lend(frame, night, amount) for amount in range(1, 41)]
    lent = answers.count(303)
    assert answers == [303] * lent + [507] * (40 - lent)
    assert lent < 40
    # a new group is more than fits: its page says what the owner of the phone can do
    frame.goto(f"{host.address}groups/new")
    for place, name in enumerate(("Eva", "Fito")):
        frame.locator("[name=player]").nth(place).fill(name)
    frame.locator("button[value=make]").click()
    expect(frame.locator("main")).to_contain_text(
        "storage is full, so nothing was saved. Delete photos, videos or apps"
    )
    storage.send("Storage.overrideQuotaForOrigin", here)
    assert lend(frame, night, 100) == 303
    page.reload()
    page.locator("#app").wait_for()
    frame = phone.frame(page)
    assert statuses(frame, [f"{night}/lines/{lent + 1}", f"{night}/lines/{lent + 2}"]) == {
        f"{night}/lines/{lent + 1}": 200,
        f"{night}/lines/{lent + 2}": 404,
    }


def test_half_a_file_isn_t_kept(phone: Phone, host: Host) -> None:
    pack = host.folder / "pocket" / "pocket" / "app.pack"
    whole = pack.read_bytes()
    pack.write_bytes(whole[: len(whole) // 2])
    page = phone.context.new_page()
    page.goto(host.address)
    expect(page.locator("#again")).to_be_visible()
    pack.write_bytes(whole)
    page.locator("#again").click()
    expect(page.locator("#title")).to_have_text("The table is set")
    expect(page.locator("#facts")).to_contain_text("Your nights live here only")
    page.locator("#keep").click()
    expect(page.locator("#step")).to_contain_text("Add to Home screen")  # this browser has no question of its own
    page.locator("#start").click()
    page.locator("#app").wait_for()


def test_two_builds_are_equal(built: Path, tmp_path: Path) -> None:
    build(tmp_path / "again", SCOPE, effort=1)
    first, again = (
        {file.relative_to(folder): file for file in folder.rglob("*.*")}
        for folder in (built / SCOPE.strip("/"), tmp_path / "again")
    )
    assert [*first] != []
    assert {*first} == {*again}
    assert [name for name, file in first.items() if file.read_bytes() != again[name].read_bytes()] == []
