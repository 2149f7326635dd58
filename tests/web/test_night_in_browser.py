"""A night on a phone: from the empty home page to the third round, a correction, a void, closing."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import pytest
from browser import enter_hand, tick
from playwright.sync_api import Page, expect

POINTS = ("5s Qh 7d Ac 2s", "Ks Kh 8h 5h 3h", "Ah 2h 3c 9d 9c", "8c 8d Js 7h 4h")


@pytest.fixture(params=[pytest.param(True, marks=pytest.mark.quick), False], ids=["with JavaScript", "without"])
def page(phone: Callable[..., Page], request: pytest.FixtureRequest) -> Iterator[Page]:
    opened, said = phone(java_script_enabled=request.param), list[str]()
    # hints to developers are of no matter
    opened.on("console", lambda message: said.append(message.text) if message.type != "debug" else None)
    opened.on("pageerror", lambda error: said.append(str(error)))
    yield opened
    assert said == []


def start_a_night(page: Page, address: str) -> None:
    page.goto(address)
    page.get_by_role("link", name="Start a night").tap()
    page.fill("#name", "Friday table")
    for seat, name in enumerate(("Ana", "Beto", "Caro", "Dani")):
        page.locator("[name=player]").nth(seat).fill(name)
    page.get_by_role("button", name="Next: choose the game").tap()
    page.locator("label", has=page.locator("[name=game][value=knock]")).tap()
    page.get_by_role("button", name="Start tonight", exact=True).tap()


def save_knock(page: Page, knocker: int) -> None:
    """Enter a round and save it: with the script by one button, which waits for the last answer."""
    for seat, hand in enumerate(POINTS):
        enter_hand(page, seat, hand)
    tick(page, f'[name=asked-knocker][value="{knocker}"]')
    if page.locator("[data-picker]").is_visible():
        page.locator("[data-save]").tap()
        return
    page.locator("[data-settle]").tap()
    expect(page.locator("#won")).to_be_visible()  # shown before it is saved
    page.get_by_role("button", name="Save").tap()


def expect_standings(page: Page, *rows: str) -> None:
    table = page.locator("h2:has-text('Standings') + .panel tr, h3:has-text('Standings') + .panel tr")
    expect(table).to_have_text([re.compile(row.replace(" ", r"\s*").replace("+", r"\+")) for row in rows])


def test_a_night(page: Page, address: str) -> None:
    start_a_night(page, address)
    page.get_by_role("link", name="Enter the hands").tap()
    expect(page.locator("h1")).to_have_text("Round 1")
    save_knock(page, knocker=1)
    expect(page.locator("#won")).to_have_text("Ana wins +3")
    expect_standings(page, "Ana +3", "Caro −1", "Dani −1", "Beto −5", "Pot 4")
    page.get_by_role("link", name="Next round").tap()
    # C-8: Dani dealt, clockwise it is Ana's turn; KN-3: the matched pot is carried
    expect(page.locator("[name=dealer]:checked")).to_have_value("0")
    expect(page.locator("p.carried")).to_have_text(re.compile(r"In the pot before this round\s*4"))
    save_knock(page, knocker=0)
    expect_standings(page, "Ana +10", "Caro −2", "Dani −2", "Beto −6")

    # correct the first round: Ana knocked, so nobody matched the pot
    page.get_by_role("link", name="Back to the night").tap()
    page.get_by_role("link", name="Rounds", exact=True).tap()
    page.locator(".rounds > li").last.get_by_role("link").tap()
    page.get_by_role("link", name="Fix this round").tap()
    expect(page.locator("[name=players-1-hand]")).to_have_value(POINTS[1])
    tick(page, '[name=asked-knocker][value="0"]')
    page.locator("[data-settle]").tap()
    expect(page.locator("section[aria-labelledby=effects]")).to_contain_text("Round 2 changes too.")
    page.get_by_role("button", name="Save").tap()
    expect_standings(page, "Ana +6", "Beto −2", "Caro −2", "Dani −2")

    # void it, see what that changes, and take it back
    page.get_by_role("link", name="Void round").tap()
    expect(page.locator("section[aria-labelledby=effects]")).to_contain_text("Ana")
    page.get_by_role("button", name="Void round").tap()
    expect_standings(page, "Ana +3", "Beto −1", "Caro −1", "Dani −1")
    page.get_by_role("link", name="Undo").tap()
    expect(page.locator("main")).to_contain_text("It will count again.")
    page.get_by_role("button", name="Undo").tap()
    expect_standings(page, "Ana +6", "Beto −2", "Caro −2", "Dani −2")

    page.get_by_role("link", name="Back to the night").tap()
    page.get_by_role("link", name="Money").tap()
    page.get_by_role("link", name="End the night").tap()
    page.get_by_role("button", name="End the night").tap()
    expect(page.locator("main")).to_contain_text("This night is closed.")
    page.locator("header a").first.tap()
    expect(page.get_by_role("link", name="Enter the hands")).to_have_count(0)
