"""The app inside a browser: a night with the host stopped, kills, tabs, downloads, new builds, faults."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, cast

import pytest
from browser import PHONE, served, tap_quickly, tick
from playwright.sync_api import BrowserContext, Error, Frame, Page, Playwright, expect, sync_playwright
from pocket_host import SCOPE, Host
from waiting import until

from companion import create_app
from companion.pocket.build import build

pytestmark = pytest.mark.thorough

PATIENCE = 90_000  # milliseconds; a busy computer takes long for a first start
HANDS = ("9s 9h 9d 4c 4d", "Ah Kh 8h 5h 3h", "8c 8d Js 7d 4h")
NAMES = ("Ana", "Beto", "Caro")


class Phone:
    """A browser with storage of its own, which lasts until the test is over."""

    def __init__(self, playwright: Playwright, folder: Path, host: Host) -> None:
        self._playwright, self._folder, self.host = playwright, folder, host
        self.said: list[str] = []
        self._start()

    def _start(self) -> None:
        path = os.environ.get("CHROMIUM") or shutil.which("chromium-headless-shell") or shutil.which("chromium")
        self.context: BrowserContext = self._playwright.chromium.launch_persistent_context(
            self._folder, executable_path=path, args=["--no-sandbox"], viewport=cast(Any, PHONE), accept_downloads=True
        )
        self.context.set_default_timeout(PATIENCE)
        self.context.on("weberror", lambda error: self.said.append(str(error.error)))

    def open(self, path: str = "", page: Page | None = None) -> tuple[Page, Frame]:
        """Open the app in a tab; returns its shell and its frame, once that shows a page."""
        page = page or self.context.new_page()
        page.goto(f"{self.host.address}{path}")
        page.locator("#app").wait_for()
        return page, self.frame(page)

    def frame(self, page: Page) -> Frame:
        frame = page.query_selector("#app").content_frame()  # type: ignore[union-attr]
        assert frame is not None
        return frame

    def kill(self) -> None:
        """End all processes of the browser at once, as a phone does that runs out of memory, and start it again."""
        mine = str(self._folder).encode()
        for process in Path("/proc").iterdir():
            with suppress(OSError, ValueError):
                if mine in (process / "cmdline").read_bytes():
                    os.kill(int(process.name), signal.SIGKILL)
        with suppress(Error):
            self.context.close()
        (self._folder / "SingletonLock").unlink(missing_ok=True)
        self._start()


@pytest.fixture(scope="module")
def playwright() -> Iterator[Playwright]:
    with sync_playwright() as found:
        expect.set_options(timeout=PATIENCE)
        yield found


@pytest.fixture
def phone(playwright: Playwright, host: Host, tmp_path: Path) -> Iterator[Phone]:
    phone = Phone(playwright, tmp_path / "profile", host)
    yield phone
    phone.context.close()
    assert phone.said == []


def start(frame: Frame | Page) -> str:
    """Tap the way to a group and a night of it; returns the night's address."""
    frame.get_by_role("link", name="Start a night").click()
    frame.locator("[name=name]").fill("Friday")
    for place, name in enumerate(NAMES):
        frame.locator("[name=player]").nth(place).fill(name)
    frame.locator("button[value=make]").click()
    frame.locator("button[value=start]").click()
    frame.wait_for_url("**/s/*")
    return frame.url.split("?")[0]


def play(frame: Frame, night: str) -> None:
    """Enter and save a round by taps: Ana knocks and wins with a full house."""
    frame.goto(f"{night}/round?game=knock-poker")
    page = cast(Page, frame)
    for seat, hand in enumerate(HANDS):
        frame.locator(f'[data-tab="{seat}"]').click()
        tap_quickly(page, hand)
    tick(page, '[name=asked-knocker][value="0"]')
    frame.locator("[data-save]").click()
    frame.wait_for_url(re.compile(r"/lines/\d+"))


def statuses(frame: Frame, paths: list[str]) -> dict[str, int]:
    found: dict[str, int] = frame.evaluate(
        """async (paths) => {
            const found = {}
            for (const path of paths) found[path] = (await fetch(path).catch(() => ({ status: 0 }))).status
            return found
        }""",
        paths,
    )
    return found


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
    app = create_app({"INSTANCE": tmp_path / "server"}, opens=False)
    known = {
        "key": "dompe",
        "number": 1,
        "code": "en",
        "filename": "icons/icon.svg",
        "what": "group.json",
        "secret": "x",
    }
    paths = []
    here = night.partition("/table")[2]
    frame.goto(f"{host.address}")
    group = "/g/" + (frame.locator('a[href*="/g/"]').first.get_attribute("href") or "").split("/g/")[1].split("/")[0]
    for rule in app.url_map.iter_rules():
        if "GET" in (rule.methods or ()) and rule.endpoint != "pwa.worker":  # asked of the host, and by no page here
            ids = {"public_id": (group if str(rule).startswith("/g/") else here).rpartition("/")[2]}
            with app.test_request_context():
                _, path = rule.build({**dict.fromkeys(rule.arguments, 1), **known, **ids}, append_unknown=False) or (
                    "",
                    "",
                )
            paths.append(f"/pocket{path}")
    found = statuses(frame, paths)
    assert {path: status for path, status in found.items() if status not in (200, 404)} == {}
    assert sum(status == 200 for status in found.values()) > 45
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
    # another language
    frame.goto(f"{host.address}?language=es")
    host.on()
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
    build = re.compile("[0-9a-f]{12}")
    page, frame = phone.open()
    night = start(frame)
    worker = host.folder / "pocket" / "worker.js"
    old = build.search(worker.read_text())
    assert old is not None
    for file in (worker, *(host.folder / "pocket" / "pocket").glob("*.js")):
        file.write_text(file.read_text().replace(old[0], "0123456789ab"))
    page.evaluate("navigator.serviceWorker.getRegistration().then((one) => one.update())")
    waiting = "navigator.serviceWorker.getRegistration().then(({ waiting }) => Boolean(waiting))"
    until(lambda: page.evaluate(waiting), lambda: page.wait_for_timeout(20))
    play(frame, night)
    assert page.evaluate("caches.keys()") == [f"pocket-{old[0]}", "pocket-0123456789ab"]
    page.close()
    page, frame = phone.open(f"#{night.partition('/pocket')[2]}/lines/1")
    expect(frame.locator("main")).to_contain_text("Ana")
    assert page.evaluate("caches.keys()") == ["pocket-0123456789ab"]


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


def test_half_a_file_isn_t_kept(phone: Phone, host: Host) -> None:
    pack = host.folder / "pocket" / "pocket" / "app.pack"
    whole = pack.read_bytes()
    pack.write_bytes(whole[: len(whole) // 2])
    page = phone.context.new_page()
    page.goto(host.address)
    expect(page.locator("#again")).to_be_visible()
    pack.write_bytes(whole)
    page.locator("#again").click()
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
