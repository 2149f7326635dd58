"""Takes pictures of every screen of a table side by side, at each step of a whole hand of each game.

Two players' phones, that of the scorekeeper, who plays too, and a screen for all. Each step is a tap on the brass
button of the first phone that has one, as newcomers would tap.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from browser import A_PHONE, NAMES, chromium, code_of, drawn, join_night, served, start_night, tap_quickly
from PIL import Image
from playwright.sync_api import Browser, Error, Locator, Page, Request
from sample_rounds import ROUNDS, WITH_HANDS
from waiting import until

SCREEN = {"width": 1280, "height": 720}
LOOKS: dict[str, tuple[tuple[int, int], dict[str, Any]]] = {
    "390-en": ((390, 844), {"locale": "en-GB"}),
    "320-es-dark": ((320, 568), {"locale": "es-MX", "color_scheme": "dark"}),
}
_MOST_STEPS = 30
_GAP = 12
_SPARE = "2s 5d 7h"  # of who stays in here, but not in the sample
_BRASS = "[data-says] .button.primary"


def take(folder: str, word: str = "") -> None:
    """Store the pictures of a hand of each game whose key contains a word."""
    Path(folder).mkdir(parents=True, exist_ok=True)
    for game in (key for key in WITH_HANDS if word in key):
        for look, (size, options) in LOOKS.items():
            with served() as address, chromium() as browser, ExitStack() as stack:
                hand = _Hand(browser, address, stack, game, size, options)
                for number, step in enumerate(hand.play()):
                    name = f"{game}-{look}-{number:02}.png"
                    hand.picture().save(Path(folder) / name)
                    print(name, step, flush=True)


class _Hand:
    """A hand at a table of phones; the first one's player keeps score."""

    def __init__(
        self, browser: Browser, address: str, stack: ExitStack, game: str, size: tuple[int, int], look: dict[str, Any]
    ) -> None:
        self.round = ROUNDS[game]["round"]
        options = {**A_PHONE, "viewport": {"width": size[0], "height": size[1]}, **look}
        self.phones = [stack.enter_context(browser.new_context(**options)).new_page() for _ in NAMES]
        self.screen = stack.enter_context(browser.new_context(**look, viewport=SCREEN)).new_page()
        keeper = self.phones[0]
        night = start_night(keeper, address, NAMES, game)
        code = code_of(keeper, night)
        for phone, name in zip(self.phones[1:], NAMES[1:], strict=True):
            join_night(phone, address, code, name)
        keeper.goto(f"{night}/me")
        keeper.get_by_role("button").filter(has_text=NAMES[0]).click()
        keeper.wait_for_url("**/round?own=yes")
        self.screen.goto(f"{address}join/{code}")
        self.screen.goto(f"{night}/table")
        self._in = set[int]()
        self._asked = dict[Request, int]()  # what pages have sent, and after how many taps
        self._told = dict[Page, int]()  # after how many taps each page asked, and was told
        self._taps = 0
        for page in self._pages:
            page.on("request", lambda request: self._asked.update({request: self._taps}))
            page.on("requestfinished", lambda request: self._told.update(self._heard(request)))

    @property
    def _pages(self) -> list[Page]:
        return [*self.phones, self.screen]

    def _heard(self, request: Request) -> dict[Page, int]:
        """Return what a page was told: an answer to what it asks for by itself, or the page to which it went."""
        is_news = request.method == "GET" and request.resource_type in ("fetch", "document")
        return {request.frame.page: self._asked.pop(request, 0)} if is_news else {}

    def picture(self) -> Image.Image:
        """Return what all show, side by side."""
        pictures = [Image.open(io.BytesIO(page.screenshot())) for page in self._pages]
        height = max(picture.height for picture in pictures)
        pictures[-1] = pictures[-1].resize((SCREEN["width"] * height // SCREEN["height"], height))
        whole = Image.new("RGB", (sum(one.width + _GAP for one in pictures) - _GAP, height), "white")
        left = 0
        for picture in pictures:
            whole.paste(picture, (left, 0))
            left += picture.width + _GAP
        return whole

    def play(self) -> Iterator[str]:
        """Yield what was tapped, step by step, until the round is saved and told on all phones."""
        yield "opened"
        for _ in range(_MOST_STEPS):
            self._taps += 1
            step = next(filter(None, (self._tap(seat) for seat in (1, 2, 0))), None)
            if step is None:
                return
            self._catch_up()
            yield step

    def _pause(self) -> None:
        self.screen.wait_for_timeout(20)

    def _catch_up(self) -> None:
        """Let every phone show what was done: they ask by themselves, and may go to another page.

        What was asked before the tap had arrived tells nothing of it, so they are let ask twice.
        """
        for _ in range(2):
            self._taps += 1
            until(lambda: all(self._told.get(page) == self._taps for page in self._pages), self._pause)
        for page in self._pages:
            page.wait_for_load_state("networkidle")
            try:
                drawn(page)
            except Error:  # it has just gone to another page
                page.wait_for_load_state("networkidle")

    def _tap(self, seat: int) -> str | None:
        """Tap what is next on a phone, if that is something; returns what it was."""
        page, name = self.phones[seat], NAMES[seat]
        save = page.locator("[data-save]:visible, [data-settle]:visible")
        if save.count():
            save.first.tap()
            return f"{name} saves"
        leave = page.locator("[data-says] :is([value^=drop], [value^=fold])")
        leaves = name in (*self.round.get("dropped", ()), *self.round.get("folded", ()))
        button = leave if leave.count() and leaves else page.locator(_BRASS).first
        if not button.count() or (not button.is_visible() and button.get_attribute("data-place") != "hand"):
            return None
        words, place = " ".join(button.inner_text().split()), button.get_attribute("data-place")
        if place == "hand":
            return self._enter(seat, button)
        if button.get_attribute("data-hold") is None:
            button.tap()
        elif not leaves and name not in (self.round.get("knocker"), self.round.get("caller")):
            return None
        else:
            button.hover()
            page.mouse.down()
            page.locator("[data-hold]").first.wait_for(state="detached")
            page.mouse.up()
        return f"{name} taps {words}"

    def _enter(self, seat: int, button: Locator) -> str | None:
        if seat in self._in:
            return None
        self._in.add(seat)
        if button.is_visible():
            button.tap()
        tap_quickly(self.phones[seat], self.round["hands"].get(NAMES[seat], _SPARE))
        return f"{NAMES[seat]} enters a hand"
