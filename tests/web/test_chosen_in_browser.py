"""What is chosen while a round is entered can be read: in each view of each game, light and dark.

axe-core passes over text on a gradient such as the felt, and on a page just opened nothing is chosen.
"""

from __future__ import annotations

import pytest
from every_page import Site
from playwright.sync_api import Browser, expect

from companion.games import all_games

LEAST = 4.5  # as WCAG asks of small text
# Words of what can be chosen with less contrast, on the ground that lies behind them: of each colour the part that its
# transparency leaves, above the nearest colour that has none. Who is out is faded on purpose.
FAINT = """(least) => {
  const parts = (colour) => {
    const [red, green, blue, opacity = 1] = colour.match(/[\\d.]+/g).map(Number)
    return [red, green, blue, opacity]
  }
  const over = ([...above], below) => above.slice(0, 3).map((one, at) => one * above[3] + below[at] * (1 - above[3]))
  const groundOf = (part) => {
    const colour = parts(getComputedStyle(part).backgroundColor)
    return colour[3] === 1 || !part.parentElement ? colour : over(colour, groundOf(part.parentElement))
  }
  const light = (colour) => {
    const [red, green, blue] = colour.map((one) => one / 255)
      .map((one) => one <= .04045 ? one / 12.92 : ((one + .055) / 1.055) ** 2.4)
    return .2126 * red + .7152 * green + .0722 * blue
  }
  const all = '.chip > span, .won > span, .nobody, .tab:not(.out), .key:not(:disabled)'
  const found = [...document.querySelectorAll(`#entry :is(${all})`)].filter((one) => one.checkVisibility())
  return [found.length, found.filter((one) => {
    const ground = groundOf(one)
    const [high, low] = [light(over(parts(getComputedStyle(one).color), ground)), light(ground)].sort((a, b) => b - a)
    return (high + .05) / (low + .05) < least
  }).map((one) => one.outerHTML)]
}"""
# chooses every answer that no other takes back, of all players
CHOOSE = """() => document.querySelectorAll('#entry .seat :is([type=checkbox], [type=radio]):not(:checked)')
  .forEach((box) => box.click())"""


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_what_is_chosen_can_be_read_in_every_view_of_the_entry(
    site: Site, browser: Browser, site_address: str, theme: str
) -> None:
    context = browser.new_context(viewport={"width": 390, "height": 844}, reduced_motion="reduce", has_touch=True)
    cookie = site.cookie("stranger", "en", theme)
    context.add_cookies([{"name": "session", "value": cookie, "url": site_address}])
    page = context.new_page()
    chosen = 0
    for key, game in all_games().items():
        if key == "any-game":  # a page like the others, which axe-core reads
            continue
        page.goto(f"{site_address}settle/{key}")
        expect(page.locator(".playing .strip")).to_be_visible()
        page.locator('[data-tab="0"]').click()  # some open with the bets
        page.locator("[data-picker] .key").first.click()
        ways = page.locator("[data-way]").count()
        page.evaluate(CHOOSE)
        for way in [None, *range(ways)]:
            if way is None:
                page.locator(f'[data-tab="{game.seats[0] - 1}"]').click()
            else:
                page.locator("[data-way]").nth(way).click()
                page.evaluate(CHOOSE)  # also who won, whom the hands show otherwise
            count, faint = page.evaluate(FAINT, LEAST)
            assert (count > 0, faint) == (True, []), (key, way)
            chosen += page.locator("#entry .seat :checked").count()
    assert chosen > 0
    context.close()
