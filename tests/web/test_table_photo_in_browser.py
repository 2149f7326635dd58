"""The camera of the whole table in Chromium, with a file in the place of a phone's camera."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from browser import cards_of
from playwright.sync_api import Browser, Page, expect

SAMPLES = Path(__file__).parent.parent / "camera" / "samples"
TABLES = json.loads((SAMPLES / "tables.json").read_text())
FOUR = next(name for name, entry in TABLES.items() if len(entry["hands"]) == 4)
PHOTO = SAMPLES / "tables" / FOUR
KNOCK_POKER = "settle/knock-poker"
HANDS = [[f"{rank}{suit}" for rank in "A2345"] for suit in "hsdc"]


def photograph(page: Page) -> None:
    page.set_input_files("[data-photo-table] input", PHOTO)


def answers(page: Page, hands: list[list[str]], unsure: str = "") -> None:
    """Let the server say what lies on the table, and propose the hands in order."""
    found = {
        "hands": [
            {
                "number": n,
                "box": [100 * n, 60, 90, 90],
                "seen": [
                    {"piece": c, "sure": c != unsure, "box": [100 * n + 15 * k, 70, 10, 14]} for k, c in enumerate(hand)
                ],
                "doubtful": [],
            }
            for n, hand in enumerate(hands, 1)
        ],
        "given": {str(n): n + 1 for n in range(min(4, len(hands)))},
        "told": "It was read.",
    }
    page.route("**/photo", lambda route: route.fulfill(body=json.dumps(found), content_type="application/json"))


def use(page: Page) -> None:
    page.get_by_role("button", name="Use these hands").tap()


def test_a_photo_of_the_table_fills_all_hands(page: Page, address: str) -> None:
    page.goto(address + KNOCK_POKER)
    photograph(page)
    dialog = page.get_by_role("dialog", name="All hands in one picture")
    expect(dialog).to_contain_text("4 hands found.")
    expect(dialog.locator(".outline")).to_have_count(4)
    expect(dialog.get_by_role("combobox")).to_have_count(4)
    assert [cards_of(page, seat) for seat in range(4)] == [""] * 4
    use(page)
    one = page.get_by_role("button", name="Use this hand")
    for _ in range(4):  # those with an unsure card are looked at one after the other
        if one.is_visible():
            one.tap()
    for seat, hand in enumerate(TABLES[FOUR]["hands"]):
        cards = {card.replace("10", "T") for card in hand}
        assert len(cards & set(cards_of(page, seat).split())) >= 4


def test_sure_hands_are_in_at_once_and_unsure_ones_are_looked_at(page: Page, address: str) -> None:
    page.goto(address + KNOCK_POKER)
    answers(page, HANDS, unsure="3d")
    photograph(page)
    use(page)
    assert [cards_of(page, seat) for seat in (0, 1, 3)] == [" ".join(HANDS[seat]) for seat in (0, 1, 3)]
    expect(page.locator(".seat.active")).to_have_id("seat-2")
    expect(page.locator(".photo .mark.unsure")).to_have_count(1)
    expect(page.locator(".seat.active .slot.unsure")).to_have_count(1)
    page.get_by_role("button", name="Use this hand").tap()
    assert cards_of(page, 2) == " ".join(HANDS[2])
    expect(page.locator(".photo")).to_have_count(0)


def test_a_hand_goes_to_the_player_it_is_given_to(page: Page, address: str) -> None:
    page.goto(address + KNOCK_POKER)
    answers(page, HANDS[:2])
    photograph(page)
    choices = page.locator("dialog select")
    choices.nth(1).select_option("1")
    use(page)
    expect(page.locator("dialog .told")).to_contain_text("Hand 1 is given to Player 1 and Player 2.")
    choices.nth(0).select_option(label="No hand")
    choices.nth(3).select_option("2")
    use(page)
    assert [cards_of(page, seat) for seat in range(4)] == ["", " ".join(HANDS[0]), "", " ".join(HANDS[1])]


def test_full_hands_are_replaced_only_when_that_is_meant(page: Page, address: str) -> None:
    page.goto(address + KNOCK_POKER)
    for card in ("6c", "7c", "8c", "9c", "Tc"):
        page.locator(f'[data-picker] [data-piece="{card}"]').tap()
    answers(page, HANDS)
    photograph(page)
    asked: list[str] = []
    page.once("dialog", lambda dialog: (asked.append(dialog.message), dialog.dismiss()))
    use(page)
    assert asked == ["Player 1: the hand is full already. Replace it with the photographed one?"]
    assert cards_of(page, 0) == "6c 7c 8c 9c Tc"
    page.once("dialog", lambda dialog: dialog.accept())
    use(page)
    assert cards_of(page, 0) == " ".join(HANDS[0])


def test_what_is_no_photo_is_said(page: Page, address: str, tmp_path: Path) -> None:
    page.goto(address + KNOCK_POKER)
    broken = tmp_path / "scan.jpg"
    broken.write_bytes(b"%PDF-1.7")
    page.set_input_files("[data-photo-table] input", broken)
    expect(page.locator("dialog .told")).to_contain_text("This file isn't a picture")
    page.locator("dialog").get_by_role("button", name="Cancel").tap()
    expect(page.locator("dialog.table-photo")).to_have_count(0)


@pytest.mark.parametrize("size", [(320, 568), (390, 664), (844, 390), (1280, 800)], ids=str)
def test_the_button_and_the_dialog_fit_the_screen(browser: Browser, address: str, size: tuple[int, int]) -> None:
    context = browser.new_context(viewport={"width": size[0], "height": size[1]}, has_touch=True)
    page = context.new_page()
    page.goto(address + KNOCK_POKER)
    expect(page.locator("[data-photo-table]")).to_be_in_viewport(ratio=0.99)
    answers(page, HANDS)
    photograph(page)
    expect(page.locator("dialog canvas")).to_be_in_viewport(ratio=0.99)
    wide = page.evaluate("document.querySelector('dialog.table-photo').scrollWidth")
    assert wide <= size[0]
    page.get_by_role("button", name="Use these hands").scroll_into_view_if_needed()
    context.close()
