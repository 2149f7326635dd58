"""The app and a phone for browser tests: a separate server, and Debian's Chromium at 390 x 844."""

from __future__ import annotations

import logging
import os
import re
import shutil
import tempfile
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from typing import Any
from urllib.parse import urlencode, urljoin, urlsplit
from uuid import uuid4

from flask import Flask
from playwright.sync_api import Browser, BrowserContext, Error, Page, Playwright, Route, expect, sync_playwright
from waiting import until
from werkzeug.serving import make_server

from companion import create_app

PHONE = {"width": 390, "height": 844}
A_PHONE: dict[str, Any] = {"viewport": PHONE, "has_touch": True, "is_mobile": True, "reduced_motion": "reduce"}
NAMES = ("Ana", "Beto", "Caro")
# milliseconds, as Playwright waits for all else: a busy computer takes long, and what is right comes at once elsewhere
_MAX_PATIENCE = 90_000
HANDS = {"Ana": "9s 9h 9d 4c 4d", "Beto": "Ah Kh 8h 5h 3h", "Caro": "", "Dani": "8c 8d Js 7d 4h"}
# what scripts of pages did not catch, in any page of any context
SCRIPT_ERRORS: list[str] = []
# each context is a window, for whose address bar Chromium would load two pages of its own
_WITHOUT = ["WebUIOmniboxPopup", "WebUIOmniboxAimPopup", "WebUIOmniboxFullPopup"]
# Playwright's list, which ours replaces
_WITHOUT += ["AvoidUnnecessaryBeforeUnloadCheckSync", "DestroyProfileOnBrowserClose", "HttpsUpgrades", "LensOverlay"]
_WITHOUT += ["HttpsFirstBalancedModeAutoEnable", "MediaRouter", "PaintHolding", "ThirdPartyStoragePartitioning"]
_WITHOUT += ["AvoidCorsURLLoaderRestartOnRedirect", "OptimizationHints", "NetworkTimeServiceQuerying", "AimEnabled"]
_WITHOUT += ["PreconnectToSearch"]
# a process is kept ready for the next page: each test's context would start one that it never uses
_WITHOUT += ["SpareRendererForSitePerProcess"]
_FLAGS = [
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    f"--disable-features={','.join(_WITHOUT)}",
]

# what can be tapped and is less than 24 px high or wide, keys and primary buttons less than 44; a link within a
# sentence may be
TOO_SMALL = """() => [
    ...document.querySelectorAll('a[href], button, input:not([type=hidden]), select, textarea, summary')
  ].filter((one) => {
    const { width, height, right } = one.getBoundingClientRect()
    const isInText = getComputedStyle(one).display === 'inline' &&
      [...one.parentElement.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim().length > 1)
    const least = one.matches('.primary') ? 44 : one.matches('.key') ? 33 : 24
    return one.checkVisibility() && right > 0 && !isInText && Math.min(width, height) < least
  }).map((one) => one.outerHTML)"""


@contextmanager
def served(made: Flask | None = None, port: int = 0) -> Iterator[str]:
    """Serve an app on a free port or a given one; returns its URL."""
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as instance:
        # not the app's server, which ends with its process
        server = make_server("127.0.0.1", port, made or create_app({"INSTANCE": instance}), threaded=True)
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/"
        finally:
            server.shutdown()
            thread.join()
            server.server_close()


class Server:
    """The app on a port of its own that can be stopped; a browser's offline switch sometimes lets requests through."""

    def __init__(self, app: Flask, stack: ExitStack) -> None:
        self._app, self._stack, self._port = app, stack, 0
        self.on()

    def on(self) -> None:
        self.address = self._stack.enter_context(served(self._app, self._port))
        self._port = urlsplit(self.address).port or 0

    def off(self) -> None:
        self._stack.close()


def _leave(context: BrowserContext, close: Callable[[], None]) -> None:
    """Close a context whose pages have stopped: Chromium never answers if one of them follows the table just then."""
    for page in context.pages:
        while page.url != "about:blank":
            with suppress(Error):  # a page that goes elsewhere by itself comes first
                page.goto("about:blank")
    close()


@contextmanager
def launched(playwright: Playwright, *flags: str) -> Iterator[Browser]:
    """Start Chromium: $CHROMIUM, or the system's, if possible the one without windows."""
    expect.set_options(timeout=_MAX_PATIENCE)
    path = os.environ.get("CHROMIUM") or shutil.which("chromium-headless-shell") or shutil.which("chromium")
    browser = playwright.chromium.launch(executable_path=path, args=[*_FLAGS, *flags])
    make = browser.new_context

    def watched(**options: Any) -> BrowserContext:
        context = make(**options)
        context.set_default_timeout(_MAX_PATIENCE)
        if options.get("service_workers") != "allow":
            # as over plain HTTP: only what is done offline needs one, and each context would start and fill its own
            context.add_init_script("delete Navigator.prototype.serviceWorker")
        context.on("weberror", lambda error: SCRIPT_ERRORS.append(f"{error.page and error.page.url}: {error.error}"))
        context.close = partial(_leave, context, context.close)  # type: ignore[method-assign]
        return context

    browser.new_context = watched  # type: ignore[method-assign]
    try:
        yield browser
    finally:
        browser.close()


@contextmanager
def chromium() -> Iterator[Browser]:
    """Start Playwright, of which a thread has one at a time, and Chromium with it."""
    with sync_playwright() as playwright, launched(playwright) as browser:
        yield browser


def boxes_of(page: Page, what: str) -> list[dict[str, float]]:
    """Return where a selector's elements are, in one go: a page that follows the table may be drawn anew in between."""
    # a locator would find them in one step and measure them in another
    measure = "(what) => [...document.querySelectorAll(what)].map((one) => one.getBoundingClientRect().toJSON())"
    return list(page.evaluate(measure, what))


def drawn(page: Page) -> None:
    """Wait until a page has drawn what it was told so far: one frame may have begun before, the next one has it all."""
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")


def first_held(page: Page, held: list[Route]) -> Route:
    """Wait until a handler holds a request that a page was about to make."""
    # a page says that it makes a request before the handler has it, and on a busy computer long before
    return until(lambda: held, lambda: page.wait_for_timeout(20))[0]


def scale_text(page: Page, times: int) -> None:
    """Set the browser's font size for this page and what it opens next; `rem` and media queries follow."""
    night = page.context.new_cdp_session(page)
    night.send("Page.enable")
    night.send("Page.setFontSizes", {"fontSizes": {"standard": 16 * times, "fixed": 13 * times}})


def tick(page: Page, field: str) -> None:
    """Click a checkbox's or radio button's label, after switching to the player's tab if necessary."""
    label = page.locator("label", has=page.locator(field))
    seat = page.locator("[data-seat]", has=page.locator(field))
    if not label.is_visible() and seat.count():
        open_seat(page, int(seat.get_attribute("data-seat") or 0))
    elif not label.is_visible():
        page.locator("#rules > summary").click()
    label.click()


def open_seat(page: Page, seat: int) -> None:
    """Switch to a player's tab."""
    show_keys(page)
    page.locator(f'[data-tab="{seat}"]').click()


def has_script(page: Page) -> bool:
    """Return whether the page's script runs; it marks the round's form."""
    # what is inside of <noscript> is there only without it
    page.locator("form.tapping, #entry details.keys").first.wait_for(state="attached")
    return page.locator("form.tapping").count() > 0


def answer(page: Page, seat: int, said: str) -> None:
    """Switch to a player and tap an answer, such as "knocked"."""
    open_seat(page, seat)
    page.locator(f"#seat-{seat} label.chip", has_text=said).click()


def enter_hand(page: Page, seat: int, hand: str) -> None:
    """Enter a hand with the card keyboard, or as text if there is no script."""
    if not has_script(page):
        page.fill(f"[name=players-{seat}-hand]", hand)
        return
    open_seat(page, seat)
    tap_quickly(page, hand)


def enter_round(page: Page, hands: Iterable[str]) -> None:
    """Enter every hand of a round in which the first player knocked."""
    for seat, hand in enumerate(hands):
        enter_hand(page, seat, hand)
    tick(page, '[name=asked-knocker][value="0"]')


def show_keys(page: Page) -> None:
    """On a player's own phone, go from the table to the keys of the hand."""
    if page.locator("[data-at-table]").count():
        # the page may load again at any moment, for another game or the next round
        page.wait_for_function("""() => {
            document.querySelector('.seated [data-at-table]')?.click()
            return document.querySelector('[data-at-table][aria-pressed=false]')
        }""")


def tap_cards(page: Page, hand: str) -> None:
    """Tap the keys of cards, for the current hand."""
    show_keys(page)
    for card in hand.split():
        page.locator(f'[data-picker] [data-piece="{card}"][aria-pressed=false]').first.click()


def tap_quickly(page: Page, hand: str) -> None:
    """Tap the keys of cards at once: a browser that finds and scrolls to each of them takes most of a test's time."""
    keys = [f'[data-picker] [data-piece="{card}"][aria-pressed=false]' for card in hand.split()]
    show_keys(page)
    page.locator(keys[0]).wait_for()
    page.evaluate("keys => keys.forEach((key) => document.querySelector(key).click())", keys)


def cards_of(page: Page, seat: int) -> str:
    """Return a hand's cards, from its text line."""
    return page.locator(f"[name=players-{seat}-hand]").input_value()


def _submit(page: Page, form: str, path: str, **fields: Any) -> str:
    """Post the form of a page over HTTP, with the cookies of a phone; returns the URL to which it leads.

    Most tests need a night in which players have joined. Drawing and tapping what leads there would take longer than
    what they test; that is done in test_night_in_browser.py and test_keyboard_in_browser.py.
    """
    token = re.search(r'name="csrf_token"[^>]* value="([^"]+)"', form)
    assert token is not None
    data = urlencode({"csrf_token": token[1], "key": uuid4().hex, **fields}, doseq=True)
    answer = page.request.post(
        path, data=data, headers={"Content-Type": "application/x-www-form-urlencoded"}, max_redirects=0
    )
    assert answer.status == 303, (path, answer.status)
    return urljoin(path, answer.headers["location"])


def start_night(
    page: Page,
    address: str,
    names: Sequence[str] = NAMES,
    game: str = "knock-poker",
    at: str | None = None,
    buy_in: str = "",
) -> str:
    """Let a phone create a group, start its night with a game, and open a page of it; returns the night's URL."""
    path = f"{address}groups/new"
    form = page.request.get(path).text()
    group = _submit(page, form, path, name="Friday table", player=names, secret=uuid4().hex * 2, do="make")
    seats = re.findall(r'name="order" value="(\d+)"', page.request.get(group).text())
    chosen = {"order": seats, "player": seats, "game": game, "currency": "", "buy-in": buy_in}
    night = _submit(page, form, f"{group}/tonight", **chosen, do="start")
    if at is not None:
        page.goto(night + at)
    return night


def code_of(page: Page, night: str) -> str:
    """Return the code with which other phones join a night."""
    found = re.search(r'class="join-code">(\w+)<', page.request.get(f"{night}/people").text())
    assert found is not None
    return found[1]


def join_night(page: Page, address: str, code: str, name: str) -> None:
    """Join with the code shown on another phone, choose a player, and open the round."""
    asked = page.request.get(f"{address}join/{code}")
    form = asked.text()
    seat = re.search(rf'name="player" value="(\d+)">{name}\b', form)
    assert seat is not None
    page.goto(_submit(page, form, asked.url, player=seat[1]))
    page.wait_for_url("**/round?own=yes")


def save(page: Page) -> None:
    """Save a round as soon as it is settled."""
    page.locator("[data-save]").tap()


def play_example(page: Page) -> None:
    """Type the contract's example into the form of Knock Poker and settle it."""
    for seat, (name, hand) in enumerate(HANDS.items()):
        if has_script(page):
            open_seat(page, seat)
        page.fill(f"[name=players-{seat}-name]", name)
        if hand:
            enter_hand(page, seat, hand)
    tick(page, '[name=asked-knocker][value="0"]')
    tick(page, "[name=players-2-dropped]")
    page.click("[data-settle]")
    page.wait_for_selector(".result")
    page.wait_for_load_state()  # a result is found, and would be measured, before its style sheets are there


def fill_storage(page: Page) -> None:
    """Leave the phone no room for anything, from the next page on."""
    page.add_init_script("""
        Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError') }
    """)
