"""A phone with the app inside its browser, and what is tapped on it."""

from __future__ import annotations

import os
import re
import shutil
import signal
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, cast
from urllib.parse import urljoin

from browser import PHONE, tap_quickly, tick
from playwright.sync_api import BrowserContext, Error, Frame, Page, Playwright
from pocket_host import Host

PATIENCE = 300_000  # milliseconds; a busy computer takes minutes for a first start
HANDS = ("9s 9h 9d 4c 4d", "Ah Kh 8h 5h 3h", "8c 8d Js 7d 4h")
NAMES = ("Ana", "Beto", "Caro")


class Phone:
    """A browser with storage of its own, which lasts until the test is over."""

    def __init__(self, playwright: Playwright, folder: Path, host: Host, locale: str = "en-US") -> None:
        self._playwright, self._folder, self.host, self._locale = playwright, folder, host, locale
        self.said: list[str] = []
        self._start()

    def _start(self) -> None:
        path = os.environ.get("CHROMIUM") or shutil.which("chromium-headless-shell") or shutil.which("chromium")
        self.context: BrowserContext = self._playwright.chromium.launch_persistent_context(
            self._folder,
            executable_path=path,
            args=["--no-sandbox"],
            viewport=cast(Any, PHONE),
            accept_downloads=True,
            locale=self._locale,
        )
        self.context.set_default_timeout(PATIENCE)
        self.context.on("weberror", lambda error: self.said.append(str(error.error)))

    def open(self, path: str = "", page: Page | None = None) -> tuple[Page, Frame]:
        """Open the app in a tab; returns its shell and its frame, once that shows a page."""
        page = page or self.context.new_page()
        page.goto(f"{self.host.address}{path}")
        page.locator("#app:visible, #start:visible").first.wait_for()
        if page.locator("#start").is_visible():  # the first visit asks whether to keep it
            page.locator("#start").click()
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


def start(frame: Frame | Page, names: Sequence[str] = NAMES, game: str = "knock-poker") -> str:
    """Tap the way to a group and a night of it; returns the night's address."""
    frame.locator('a.primary[href$="/groups/new"]').click()
    frame.locator("[name=name]").fill("Friday")
    for place, name in enumerate(names):
        frame.locator("[name=player]").nth(place).fill(name)
    frame.locator("button[value=make]").click()
    frame.locator(f'[name=game][value="{game}"]').check(force=True)
    frame.locator("button[value=start]").click()
    frame.wait_for_url("**/s/*")
    return frame.url.split("?")[0]


def group_of(frame: Frame | Page, home: str) -> str:
    """Return the address of the only group that a phone knows."""
    frame.goto(home)
    found = re.match(r".*/g/[^/?#]+", frame.locator('a[href*="/g/"]').first.get_attribute("href") or "")
    assert found is not None
    return urljoin(home, found[0])


def play(frame: Frame | Page, night: str) -> None:
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


# sends the form of a loan; a redirect can't be looked into, and means that it was booked
_LEND = """async ([night, amount]) => {
    const form = new DOMParser().parseFromString(await (await fetch(`${night}/money`)).text(), 'text/html')
    const token = form.querySelector('[name=csrf_token]').value
    const [giver, taker] = [...form.querySelectorAll('[name=from] option, [name=from]')].map(({ value }) => value)
        .filter((value) => value && value !== 'pot')
    const sent = { csrf_token: token, key: crypto.randomUUID(), movement: 'loan', amount, from: giver, to: taker }
    const body = new URLSearchParams(sent)
    const { type, status } = await fetch(`${night}/move`, { method: 'POST', body, redirect: 'manual' })
    return type === 'opaqueredirect' ? 303 : status
}"""
LENDING = f"""async ([night, from]) => {{
    for (let amount = from; ; amount++) if (await ({_LEND})([night, amount]) === 303) await booked(amount)
}}"""


def lend(frame: Frame | Page, night: str, amount: int) -> int:
    """Let somebody lend an amount; returns the answer's status."""
    return int(frame.evaluate(_LEND, [night, amount]))
