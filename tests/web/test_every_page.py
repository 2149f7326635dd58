"""`tests/show.py` covers every page; some are checked with axe-core here."""

from __future__ import annotations

import gzip
import re
from typing import Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from browser import TOO_SMALL, scale_text
from cut_texts import CUT_TEXTS
from devices import PlayedNight
from every_page import NO_PAGES, PHOTOS, Site, View, pages_of
from flask import Flask
from playwright.sync_api import Browser, Page, ViewportSize

MAX_BYTES = 15_000
MAX_STYLES = 42_500  # without nested rules, which took 37,400
Theme = Literal["light", "dark"]
NARROW: ViewportSize = {"width": 320, "height": 700}
# pages that are as high as the screen: where a round is entered, and for a screen that all see, from three metres
OF_ENTRY = ((320, 568), (390, 664), (667, 375), (844, 390))
OF_SCREEN = ((320, 568), (667, 375), (820, 1180), (1280, 720))
FOR_A_SCREEN = "table view"
# words in the colour of what lies behind them: where colours are forced, the page's own, unless that is switched off
UNREADABLE = """() => [...document.querySelectorAll('body *')].filter((one) => {
  const hasWords = [...one.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim())
  if (!hasWords || !one.checkVisibility()) return false
  const isForced = getComputedStyle(one).forcedColorAdjust !== 'none'
  let behind = isForced ? document.documentElement : one
  while (getComputedStyle(behind).backgroundColor === 'rgba(0, 0, 0, 0)') behind = behind.parentElement
  return getComputedStyle(one).color === getComputedStyle(behind).backgroundColor
}).map((one) => one.outerHTML)"""


def test_every_page_is_looked_at(used_site: Site) -> None:
    # a page that is new wants a View in every_page.py
    covered = used_site.endpoints()
    assert {page for page in pages_of(used_site.app) if page[1] not in PHOTOS} - covered == set()
    # all else in its answers: a draft is answered while the tables are made
    assert NO_PAGES - {endpoint for _, endpoint in covered} == {
        "static",
        "draft.enter",
        "reminders.choose",
    }


# a tag of a form, of a field that is typed into, or of a button that sends
FORM_PART = re.compile(r"<(/?form)\b|<(?:input|textarea)\b([^>]*)>|<button\b((?:[^>\"]|\"[^\"]*\")*)>", re.DOTALL)


def buttons_of_enter(html: str) -> list[str]:
    """Return the buttons that the Enter key presses though they aren't those of the field that is typed into.

    Browsers press a form's first button. It is the right one if the form has no other, if it is switched off, so that
    nothing happens, or if all fields come before it and it is the main one, or they are one field.
    """
    wrong = []
    for form in re.findall(r"<form\b.*?</form>", html, re.DOTALL):
        parts = [(field, button) for _, field, button in FORM_PART.findall(form)]
        fields = [at for at, (field, _) in enumerate(parts) if is_typed_into(field)]
        buttons = [at for at, (_, button) in enumerate(parts) if button and 'type="button"' not in button]
        if not fields or len(buttons) < 2:
            continue
        first = parts[buttons[0]][1]
        is_harmless = " disabled" in first or 'value="add"' in first  # one more name harms nobody
        is_next = fields[-1] < buttons[0] and (len(fields) == 1 or re.search(r'class="[^"]*\bprimary\b', first))
        if not (is_harmless or is_next):
            wrong.append(first)
    return wrong


def is_typed_into(field: str) -> bool:
    kind = re.search(r'\btype="(\w+)"', field)
    return bool(field) and (kind is None or kind[1] not in ("hidden", "checkbox", "radio", "file"))


@pytest.mark.thorough
def test_every_view_is_a_light_page_of_its_own_name_where_enter_presses_the_right_button(site: Site) -> None:
    assert len({view.name for view in site.views}) == len(site.views)
    sizes: dict[str, int] = {}  # of styles, unpacked, as a phone works through them on every page
    for view in site.views:
        phone = site.devices[view.phone]
        answer = phone.client.get(f"/{site.address(view)}", headers={"Accept-Encoding": "gzip"})
        assert len(answer.data) <= MAX_BYTES, view
        text = gzip.decompress(answer.data).decode()
        assert (answer.status_code, '<main id="main"' in text) == (200, True), view
        sheets = set(re.findall(r'rel="stylesheet" href="([^"]+)"', text))
        sizes |= {sheet: len(phone.get(sheet).data) for sheet in sheets - sizes.keys()}
        assert 0 < sum(sizes[sheet] for sheet in sheets) <= MAX_STYLES or FOR_A_SCREEN in view.name, view
        assert buttons_of_enter(text) == [], view


def test_enter_bets_the_amount_even_before_it_is_settled_who_deals(app: Flask) -> None:
    night = PlayedNight(app, "draw-poker")
    html = night.keeper.get(night.night).text
    assert 'value="lot"' in html
    assert 'name="amount"' in html
    assert buttons_of_enter(html) == []


@pytest.mark.parametrize(("half", "theme"), [(0, "light"), (1, "dark")])
def test_every_page_fits_and_can_be_tapped_and_read(
    site: Site, browser: Browser, site_address: str, half: int, theme: Theme
) -> None:
    """Look at each page once, in Spanish, whose words are the longer ones; `tests/show.py` looks at all of them."""
    found = {}
    views = site.views[half::2]
    for phone in {view.phone for view in views}:
        context = browser.new_context(viewport=NARROW, reduced_motion="reduce", has_touch=True, is_mobile=True)
        context.add_cookies([{"name": "session", "value": site.cookie(phone, "es", theme), "url": site_address}])
        page = context.new_page()
        for view in (view for view in views if view.phone == phone):
            page.emulate_media(forced_colors="none", color_scheme=theme)
            page.goto(site_address + site.address(view, unfolded=True))
            unread = unread_on_screens(page, view)
            small, width = page.evaluate(TOO_SMALL), page.evaluate("document.documentElement.scrollWidth")
            page.emulate_media(forced_colors="active", color_scheme=theme)
            unreadable = page.evaluate(UNREADABLE)
            scale_text(page, 2)
            found[view.name] = (unread, small, width, unreadable, page.evaluate("document.documentElement.scrollWidth"))
            scale_text(page, 1)
        context.close()
    assert len(found) == len(views)
    assert {name: told for name, told in found.items() if told != ([], [], NARROW["width"], [], NARROW["width"])} == {}


def unread_on_screens(page: Page, view: View) -> list[str]:
    """Return the words that can't be read on a page, at all sizes if it is as high as the screen; leave it unfolded."""
    is_entry = page.locator("#entry").count() > 0
    sizes = OF_ENTRY if is_entry else OF_SCREEN if FOR_A_SCREEN in view.name else ()
    found, unfolded = [] if is_entry else page.evaluate(CUT_TEXTS), page.url
    if is_entry:
        page.goto(unfolded.removesuffix("unfolded").rstrip("?&"))
        page.wait_for_load_state("networkidle")  # what its hands come to is asked for
    for width, height in sizes:
        page.set_viewport_size({"width": width, "height": height})
        found += [f"{width} x {height}: {what}" for what in page.evaluate(CUT_TEXTS)]
    page.set_viewport_size(NARROW)
    if is_entry:
        page.goto(unfolded)
    return found


# view | language | theme
HELD_TO_AXE = [
    ("first visit", "es", "dark"),
    ("night round", "en", "light"),
    ("wrong knock-poker", "es", "light"),
    ("settled in the night", "es", "dark"),
    ("night", "en", "dark"),
    ("my hand", "es", "dark"),
    ("group", "es", "light"),
    ("family night settle", "en", "light"),
    ("years leaderboard", "es", "dark"),
    ("stacks money", "en", "dark"),
    ("count compared", "es", "light"),
    ("bets", "es", "light"),
    ("night rounds", "en", "dark"),
    ("night people", "es", "light"),
    ("family night end", "es", "dark"),
    ("family night money", "en", "light"),
    ("table view", "en", "light"),
    ("five on a table view", "es", "dark"),
]


@pytest.mark.parametrize(("name", "language", "theme"), HELD_TO_AXE)
def test_axe_finds_nothing(
    site: Site, browser: Browser, site_address: str, name: str, language: str, theme: str
) -> None:
    view = next(view for view in site.views if view.name == name)
    context = browser.new_context(viewport=NARROW, reduced_motion="reduce", has_touch=True, is_mobile=True)
    context.add_cookies([{"name": "session", "value": site.cookie(view.phone, language, theme), "url": site_address}])
    page = context.new_page()
    page.goto(site_address + site.address(view, unfolded=True))
    assert str(page.locator("html").get_attribute("lang")).startswith(language)
    found = Axe().run(page).response["violations"]
    assert [(rule["id"], [node["target"] for node in rule["nodes"]]) for rule in found] == []
    assert page.evaluate("document.documentElement.scrollWidth") <= NARROW["width"]
    context.close()
