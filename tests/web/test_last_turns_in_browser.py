"""After a knock, on the smallest phones and on their side: what an answer costs is in sight, and no key moves."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from browser import boxes_of, drawn, show_keys, tap_quickly
from playwright.sync_api import Page, expect
from test_playing_in_browser import hold, table_of

SIZES = ((320, 568), (375, 553), (390, 664), (390, 844), (844, 390), (667, 375))
# parts that end below the rail's top or the window, are cut, or aren't drawn at all
OUT_OF_SIGHT = """([what, isOnRail]) => {
  const found = [...document.querySelectorAll(what)]
  const end = isOnRail ? innerHeight : document.getElementById('rail').getBoundingClientRect().top
  const wrong = found.filter((part) => {
    const { top, bottom, left, right, height } = part.getBoundingClientRect()
    const isCut = part.scrollWidth > part.clientWidth + 1 && part.clientWidth > 0
    const edge = part.closest('.button')?.getBoundingClientRect()
    const isOver = edge && (top < edge.top || bottom > edge.bottom || left < edge.left || right > edge.right)
    return !part.checkVisibility() || height === 0 || isCut || isOver || bottom > end + .5 || top < 0
  })
  return [found.length, wrong.map((part) => part.textContent.trim())]
}"""


def sized(page: Page, size: tuple[int, int]) -> None:
    page.set_viewport_size({"width": size[0], "height": size[1]})
    drawn(page)


@pytest.mark.parametrize(("locale", "theme"), [("en-GB", "light"), ("es-MX", "dark")])
def test_what_staying_and_dropping_costs_is_in_sight(
    phone: Callable[..., Page], address: str, locale: str, theme: str
) -> None:
    def own() -> Page:
        return phone(locale=locale, color_scheme=theme)

    _, _, ana, beto = table_of(own, address, "knock-poker")
    hold(ana, "Hold to knock" if locale == "en-GB" else "Mantén presionado para tocar")
    expect(beto.locator("#rail [value^=drop]")).to_be_visible()
    expect(beto.locator(".prospects li")).to_have_count(4)
    for size in SIZES:
        sized(beto, size)
        assert beto.evaluate(OUT_OF_SIGHT, [".prospects li", False]) == [4, []], size
        assert beto.evaluate(OUT_OF_SIGHT, ["#rail .button small", True]) == [2, []], size
    sized(beto, (390, 844))
    tap_quickly(beto, "Ah Kh")  # also beside the keys of the own hand
    for size in SIZES:
        sized(beto, size)
        assert beto.evaluate(OUT_OF_SIGHT, ["#rail .button small", True]) == [2, []], size


@pytest.mark.parametrize("locale", ["en-GB", "es-MX"])
def test_no_key_of_the_own_hand_moves_while_the_rail_says_more(
    phone: Callable[..., Page], address: str, locale: str
) -> None:
    def own() -> Page:
        return phone(locale=locale)

    def keys() -> list[float]:
        """Return where the first key of Ana's hand begins, on each screen."""
        found = []
        for size in SIZES:
            sized(ana, size)
            found.append(boxes_of(ana, "[data-piece]")[0]["y"])
        sized(ana, (390, 844))
        return found

    _, keeper, ana, beto = table_of(own, address, "knock-poker")
    show_keys(ana)
    first = keys()
    ana.locator("[data-at-table]").click()
    hold(ana, "Hold to knock" if locale == "en-GB" else "Mantén presionado para tocar")
    expect(ana.locator("#rail [value^=unknock]")).to_be_visible()
    show_keys(ana)
    assert keys() == pytest.approx(first, abs=1)
    beto.locator("#rail [value^=drop]").tap()
    expect(ana.locator("#rail [role=status] small")).to_contain_text("Beto")
    assert keys() == pytest.approx(first, abs=1)
    keeper.locator("#rail [value^=stay]").tap()
    tap_quickly(ana, "9s 9h 9d 4c 4d")
    expect(ana.locator("#rail [role=status] small")).to_contain_text("1 ")
    assert keys() == pytest.approx(first, abs=1)


@pytest.mark.parametrize("locale", ["en-GB", "es-MX"])
def test_no_key_of_the_scorekeeper_moves_while_others_enter_their_hands(
    phone: Callable[..., Page], address: str, locale: str
) -> None:
    def keys() -> list[float]:
        found = []
        for size in SIZES:
            sized(keeper, size)
            found.append(boxes_of(keeper, "[data-piece]")[0]["y"])
        sized(keeper, (390, 844))
        return found

    night, keeper, ana, beto = table_of(lambda: phone(locale=locale), address, "knock-poker")
    keeper.goto(f"{night}/round")
    keeper.locator(".playing").wait_for()
    first = keys()
    tap_quickly(ana, "9s 9h 9d 4c 4d")
    keeper.locator(".seat.active label.chip:has([name=asked-knocker])").tap()
    expect(keeper.locator(".dock [value^=show]")).to_be_visible()
    assert keys() == pytest.approx(first, abs=1)
    tap_quickly(beto, "Ah Kh 8h 5h 3h")
    expect(keeper.locator('[data-tab="1"]')).to_contain_text("ready" if locale == "en-GB" else "lista")
    assert keys() == pytest.approx(first, abs=1)
