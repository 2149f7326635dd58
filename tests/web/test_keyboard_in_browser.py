"""A night by keyboard alone, as a screen reader presents it, and in forced colours."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from browser import NAMES, open_seat, start_night, tap_cards
from playwright.sync_api import Page, expect

POINTS = ("5s Qh 7d Ac 2s", "Ks Kh 2d 3c 4s", "5h Qd Qc 5c 5d")  # 3½, 29 and 0 points
_MAX_STOPS = 60
# what is focused shows it, by its own outline or that of what it is drawn by, and lies under nothing
SHOWS_FOCUS = """() => {
  const focused = document.activeElement
  const drawn = focused.matches('.chip input') ? focused.nextElementSibling : focused
  const { outlineStyle, outlineWidth } = getComputedStyle(drawn)
  const { left, top, width, height } = drawn.getBoundingClientRect()
  const on = document.elementFromPoint(left + Math.min(width, 40) / 2, top + height / 2)
  const isSeen = drawn.contains(on) || on?.contains(drawn) || focused.labels?.[0]?.contains(on)
  return outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2 && isSeen ? '' : focused.outerHTML
}"""


@pytest.fixture
def page(phone: Callable[..., Page]) -> Page:
    """A page without a touch screen."""
    return phone(is_mobile=False, has_touch=False)


def focused(page: Page) -> str:
    """Return the focused element as a screen reader announces it: role and name."""
    return page.locator(":focus").aria_snapshot().split("\n")[0].removeprefix("- ")


def tab_to(page: Page, what: str) -> None:
    """Press Tab until an element has focus; every stop on the way must have a name and a visible focus."""
    for _ in range(_MAX_STOPS):
        page.keyboard.press("Tab")
        if page.locator(":focus").count() == 0:
            continue  # past the last one the browser's own bar is next
        assert page.evaluate(SHOWS_FOCUS) == ""
        told = focused(page)
        assert '"' in told or told.startswith("text: "), told  # the second is the head of what is folded up
        if what in told:
            return
    raise AssertionError(f"{what} is out of reach")


def press(page: Page, what: str) -> None:
    tab_to(page, what)
    page.keyboard.press("Enter")


def follow(page: Page, what: str) -> None:
    """Activate a link or button and wait for the new page, where further keys would otherwise be lost."""
    with page.expect_navigation():
        press(page, what)


def enter_hands(page: Page) -> None:
    """Type the cards: keystrokes go to one hand after another, wherever the focus is."""
    expect(page.locator("form.tapping")).to_be_visible()
    for card in " ".join(POINTS).split():
        page.keyboard.type(card)
    expect(page.locator("[data-missing]")).not_to_contain_text("Cards missing")


def choose_knocker(page: Page, seat: int) -> None:
    """Switch to a player's tab, then mark this player as the knocker."""
    press(page, f'link "{NAMES[seat]}')
    tab_to(page, 'radio "Nobody (stock ran out)')
    page.keyboard.press("ArrowUp")
    expect(page.locator("[name=asked-knocker]:checked")).to_have_value(str(seat))


def change_hand(page: Page, seat: int, hand: str) -> None:
    """Change a hand while the focus is elsewhere, as another phone would."""
    change = "(line, hand) => { line.value = hand; line.dispatchEvent(new Event('input', { bubbles: true })) }"
    page.locator(f"[name=players-{seat}-hand]").evaluate(change, hand)


def test_a_night(page: Page, address: str) -> None:
    page.goto(address)
    follow(page, 'link "Start a night"')
    tab_to(page, 'textbox "Group name (optional)"')
    page.keyboard.type("Friday table")
    for number, name in enumerate(NAMES, 1):
        tab_to(page, f'textbox "Player {number}"')
        page.keyboard.type(name)
    follow(page, 'button "Next: choose the game"')
    tab_to(page, "radio ")
    while not page.locator("[name=game][value=knock]").is_checked():
        page.keyboard.press("ArrowDown")
    follow(page, 'button "Start tonight"')
    follow(page, 'link "Enter the hands"')

    # by letters
    enter_hands(page)
    choose_knocker(page, 1)
    expect(page.locator("[data-missing]")).to_contain_text("Caro wins")
    follow(page, 'button "Save"')
    page.wait_for_url("**/lines/1*")
    follow(page, 'link "Next round"')

    # by the keys: one stop, arrows between them, Space presses
    tab_to(page, 'button "ace of spades"')
    for key in ("ArrowRight", "ArrowDown", "ArrowDown", "ArrowUp", "ArrowLeft", "ArrowLeft"):
        page.keyboard.press(key)
    assert 'button "seven of spades"' in focused(page)
    page.keyboard.press("Space")
    expect(page.locator("[name=players-0-hand]")).to_have_value("7s")
    page.keyboard.press("Enter")
    expect(page.locator("[name=players-0-hand]")).to_have_value("")
    enter_hands(page)
    choose_knocker(page, 0)
    expect(page.locator("[data-missing]")).to_contain_text("wins")
    tab_to(page, 'button "Save"')
    change_hand(page, 2, "5h Qd Qc 5c")
    # nothing is left to save: the focus goes to the button that is left
    expect(page.get_by_role("button", name="Settle")).to_be_focused()
    change_hand(page, 2, POINTS[2])
    expect(page.locator("[data-missing]")).to_contain_text("wins")
    follow(page, 'button "Save"')
    page.wait_for_url("**/lines/2*")

    follow(page, 'link "Fix this round"')
    choose_knocker(page, 1)
    follow(page, 'button "Settle"')
    expect(page.locator("section[aria-labelledby=effects]")).to_be_visible()
    expect(page.locator("section[aria-labelledby=effects]")).to_be_focused()  # what comes first is read first
    follow(page, 'button "Save"')
    expect(page.locator("main")).to_contain_text("History")
    follow(page, 'link "Back to the night"')
    follow(page, 'link "Money"')
    follow(page, 'link "End the night"')
    follow(page, 'button "Close and split the pot"')
    page.wait_for_url("**/end*")
    follow(page, 'link "Settle up"')
    follow(page, 'button "Mark paid"')
    expect(page.get_by_role("button", name="Undo")).to_be_visible()


def test_what_a_screen_reader_hears(page: Page, address: str) -> None:
    start_night(page, address, at="/round")
    expect(page.locator("form.tapping")).to_be_visible()
    told, missing = page.locator("[data-told]"), page.locator("[data-missing]")
    assert (told.get_attribute("role"), missing.get_attribute("aria-live")) == ("status", "polite")
    page.keyboard.type("9s")
    expect(told).to_have_text("Ana: nine of spades")
    expect(missing).to_contain_text("Ana (4)")
    page.keyboard.press("Backspace")
    expect(told).to_have_text("Ana: nine of spades removed")
    page.keyboard.type("9s9h9d4c4d")
    expect(page.locator("#seat-0 [aria-live=polite]")).to_have_text("full house, nines over fours")
    open_seat(page, 0)
    expect(page.get_by_role("group", name="Hand of Ana", exact=True).last).to_match_aria_snapshot(
        """
        - group "Hand of Ana":
          - button "nine of spades"
          - button "nine of hearts"
          - button "nine of diamonds"
          - button "four of clubs"
          - button "four of diamonds"
        """
    )
    open_seat(page, 1)
    expect(page.get_by_role("group", name="Hand of Beto")).to_match_aria_snapshot('- button "card 1, still empty"')
    # the keys of cards that are taken say whose they are
    expect(page.get_by_role("button", name="nine of hearts", disabled=True)).to_have_accessible_description("Ana")


@pytest.mark.parametrize("game", ["knock-poker", "domino-poker"])
def test_forced_colours_hide_nothing(phone: Callable[..., Page], address: str, game: str) -> None:
    page = phone(forced_colors="active", color_scheme="dark")
    page.goto(f"{address}settle/{game}")
    open_seat(page, 0)
    tap_cards(page, str(page.locator("[data-picker] .key").first.get_attribute("data-piece")))
    marks = "keys => keys.map(key => getComputedStyle(key, '::after').content)"
    assert page.locator(".key").evaluate_all(marks)[:2] == ['""', "none"]
    # suits and spots are drawn in the colour of the text, on a ground of another
    colours = page.locator(".key :is(svg, .face)").evaluate_all("all => all.map(one => getComputedStyle(one).color)")
    assert set(colours) == {page.evaluate("getComputedStyle(document.body).color")}
    assert page.evaluate("getComputedStyle(document.documentElement).backgroundColor") not in colours
    assert page.evaluate("getComputedStyle(document.documentElement).scrollBehavior") == "auto"
