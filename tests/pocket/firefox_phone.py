"""A phone with Firefox for the rows of firefox_table.py, and what is tapped on it and on a computer at the table."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from firefox_driver import Firefox, Tab
from pocket_host import Host
from waiting import until

Row = Callable[["Phone"], object]
ROWS: list[tuple[str, Row]] = []


def row(name: str) -> Callable[[Row], Row]:
    def keep(tries: Row) -> Row:
        ROWS.append((name, tries))
        return tries

    return keep


class Phone:
    """A Firefox with storage of its own, and the host."""

    def __init__(self, host: Host, **preferences: object) -> None:
        self.host, self.home, self.preferences = host, host.address, preferences
        self.profile = Path(tempfile.mkdtemp(dir=host.folder.parent))
        self.start()

    def start(self, **preferences: object) -> None:
        self.browser = Firefox(self.profile, self.preferences | preferences)
        self.tab = self.browser.tab()

    def again(self, **preferences: object) -> None:
        self.browser.kill()
        self.start(**preferences)
        self.open()

    def open(self, night: str = "") -> None:
        self.tab.open(self.home + (f"#/{night.removeprefix(self.home)}" if night else ""))

    def next_tab(self) -> None:
        """Close the tab and open the app in another."""
        before, self.tab = self.tab, self.browser.tab()
        before.send("browsingContext.close")
        self.open()

    def play(self) -> str:
        """Begin a night and play a round of it; returns its address."""
        return str(self.tab.run("const night = await newNight(); await playRound(night); return night"))

    def rounds(self, night: str) -> int:
        """Return how many rounds the night has."""
        count = "let n = 0; while ((await get(`${given[0]}/lines/${n + 1}`)).status === 200) n++; return n"
        return int(self.tab.run(f"await goOn(); {count}", night))

    def builds(self) -> list[str]:
        return [str(name) for name in self.tab.run("return caches.keys()")]

    def copies(self) -> list[Path]:
        """Return the files of groups that were downloaded and are whole."""

        def is_whole(file: Path) -> bool:
            with suppress(ValueError):
                return bool(json.loads(file.read_text()))
            return False

        return [file for file in sorted(self.profile.glob("*riday*.json")) if is_whole(file)]

    def saved(self, *before: Path) -> Path:
        """Return the file that was downloaded beside those before, as soon as it is there."""
        until(lambda: {*self.copies()} - {*before})
        (file,) = {*self.copies()} - {*before}
        return file


def step(tab: Tab, taps: str, *given: object, then: str) -> None:
    """Tap on a page of a computer, which the next one replaces; wait until `then` holds there."""

    def holds() -> Any:
        with suppress(RuntimeError):  # the page is just leaving
            return tab.run(f"return document.readyState === 'complete' && Boolean({then})")

    tab.run(taps, *given)
    until(holds)
