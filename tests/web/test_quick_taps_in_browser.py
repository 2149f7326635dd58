"""What a tap on a card may cost before it is drawn, and that nothing moves while the page of an entry is loaded.

tests/measuring.py gives the milliseconds, tests/benchmarks/on_a_phone.py those on a slow network.
"""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from benchmarks.on_a_phone import Condition, measure
from browser import code_of, drawn, first_held, join_night, open_seat, start_night, tap_cards
from playwright.sync_api import Browser, CDPSession, Locator, Page, Route, expect

from companion.games import all_games

# taps a key; tells the slow calls before its frame, and whether the card is stored when the page is left
TAP = """(piece) => {
  const calls = []
  const scroll = Element.prototype.scrollIntoView, store = Storage.prototype.setItem
  Element.prototype.scrollIntoView = function (...given) { calls.push('scroll'); return scroll.apply(this, given) }
  Storage.prototype.setItem = function (...given) { calls.push('store'); return store.apply(this, given) }
  document.querySelector(`[data-picker] [data-piece="${piece}"]`).click()
  const early = [...calls]
  dispatchEvent(new Event('pagehide'))
  const kept = Object.values(localStorage).some((text) => text.includes(piece))
  Element.prototype.scrollIntoView = scroll
  Storage.prototype.setItem = store
  return [early, kept]
}"""

# the rules whose ancestors are chosen by what they contain, and which apply to any <b>, such as those of the keys
RESTYLED = """() => {
  const found = []
  const walk = (rules, above) => {
    for (const { selectorText, cssRules } of rules) {
      const chain = selectorText ? `${above} ${selectorText}` : above
      if (chain.includes(':has(') && selectorText?.split(',').some((one) => /(^|[ >+~])b$/.test(one))) found.push(chain)
      walk(cssRules ?? [], chain)
    }
  }
  for (const sheet of document.styleSheets) walk(sheet.cssRules, '')
  return [document.querySelectorAll('[data-picker] b').length, found]
}"""


@pytest.fixture
def page(phone: Callable[..., Page], address: str) -> Page:
    page = phone()
    start_night(page, address, at="/round")
    open_seat(page, 0)
    return page


def layouts(page: Page, night: CDPSession) -> int:
    """Return how many times the page has been laid out since the night began to count."""
    drawn(page)
    counts = {row["name"]: row["value"] for row in night.send("Performance.getMetrics")["metrics"]}
    return int(counts["LayoutCount"])


def test_a_finger_on_a_key_lays_nothing_out(page: Page) -> None:
    box = page.locator('[data-picker] [data-piece="9d"]').bounding_box()
    assert box is not None
    page.route("**/state*", lambda route: route.fulfill(status=304))  # nothing comes from elsewhere
    page.wait_for_load_state("networkidle")
    page.mouse.move(box["x"] + 9, box["y"] + 9)
    night = page.context.new_cdp_session(page)
    night.send("Performance.enable")
    before = layouts(page, night)
    page.mouse.down()
    assert layouts(page, night) == before
    page.mouse.up()
    assert layouts(page, night) > before, "nothing was counted"


def styled_by(browser: Browser, page: Page, key: Locator) -> int:
    """Tap a key; return how many elements the browser styles for the frame that shows the card."""
    browser.start_tracing(page=page, categories=["devtools.timeline"])
    key.click()
    drawn(page)
    events = json.loads(browser.stop_tracing())["traceEvents"]
    return max(event["args"]["elementCount"] for event in events if event["name"] == "UpdateLayoutTree")


@pytest.mark.parametrize("size", [(390, 844), (320, 568)], ids=["a phone", "a small one"])
@pytest.mark.parametrize("game", [key for key, game in all_games().items() if game.has_hands])
def test_a_tap_styles_the_hand_and_not_the_page(
    browser: Browser, phone: Callable[..., Page], address: str, game: str, size: tuple[int, int]
) -> None:
    """A rule that asks what the body, the form or the strip contains, for something else than itself, has the browser
    style all that such rules say anything of whenever something is drawn anywhere in it.
    """
    page = phone()
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.goto(f"{address}settle/{game}")
    open_seat(page, 0)
    keys = page.locator("[data-picker] [data-piece]")
    with page.expect_request_finished(lambda request: "later.css" in request.url):  # which restyles all, once
        keys.first.click()
    drawn(page)
    # on and off again; the middle one, as an answer of the server may be drawn meanwhile
    styled = sorted(styled_by(browser, page, keys.nth(1)) for _ in range(6))
    assert 5 < styled[3] <= 30, styled


@pytest.mark.parametrize("held", ["9s 9h", "9s 9h 9d 4c"], ids=["a card", "the last card"])
def test_what_can_wait_comes_after_the_card_is_drawn(page: Page, held: str) -> None:
    tap_cards(page, held)
    early, is_kept = page.evaluate(TAP, "4d")
    assert early == []
    assert is_kept, "a card tapped just before the page is left would be lost"


SHIFTS = """() => new Promise((done) => {
  new PerformanceObserver((list) => {
    done(list.getEntries().reduce((sum, one) => sum + one.value, 0))
  }).observe({ type: 'layout-shift', buffered: true })
  // where there is none, it is never called
  requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => done(0))))
})"""


@pytest.mark.parametrize("game", ["knock-poker", "domino-poker", "draw-poker"])
def test_nothing_moves_when_the_script_comes_late(page: Page, address: str, game: str) -> None:
    held: list[Route] = []
    page.route("**/scripts/hands.js*", lambda route: held.append(route))
    page.goto(f"{address}settle/{game}", wait_until="commit")
    script = first_held(page, held)
    drawn(page)
    script.continue_()
    expect(page.locator("form.tapping")).to_be_visible()
    drawn(page)
    assert page.evaluate(SHIFTS) <= 0.05


def without_the_script(page: Page) -> None:
    """Let the script of a round's form never arrive, and the seconds pass quickly for which the page waits for it."""
    page.route("**/scripts/hands.js*", lambda route: route.abort())
    night = page.context.new_cdp_session(page)
    night.send("Animation.enable")
    night.send("Animation.setPlaybackRate", {"playbackRate": 30})


def test_a_form_whose_script_never_comes_can_be_typed(page: Page, address: str) -> None:
    without_the_script(page)
    page.goto(f"{address}settle/knock-poker")
    for seat, hand in enumerate(("A♠ A♥ A♦ 2♣ 2♦", "K♠ K♥ K♦ 3♣ 3♦")):
        page.locator(f"[name=players-{seat}-hand]").fill(hand)
    page.locator("[data-settle]").click()
    expect(page.locator("#problems")).to_contain_text("Who knocked?")


def test_a_players_form_whose_script_never_comes_has_a_button(
    page: Page, address: str, phone: Callable[..., Page]
) -> None:
    code = code_of(page, page.url.removesuffix("/round"))
    beto = phone()
    without_the_script(beto)
    join_night(beto, address, code, "Beto")
    beto.locator("[name=players-1-hand]").fill("K♠ K♥ K♦ 3♣ 3♦")
    beto.get_by_role("button", name="Done").click()
    expect(page.locator("#seat-1 [data-reading]")).to_have_text("cards face down: 5")


def test_a_tap_on_a_slow_network_sends_and_gets_little(browser: Browser, address: str) -> None:
    cost = measure(browser, address, Condition("a slow network", latency=300), "9s 9h")
    assert 0 < cost.sent < 2_000
    assert 0 < cost.received < 2_000


def test_a_card_restyles_no_keys(page: Page) -> None:
    # a browser asks what such a rule says of each <b> of the page whenever something is drawn in the hand
    keys, rules = page.evaluate(RESTYLED)
    assert (keys >= 52, rules) == (True, [])
