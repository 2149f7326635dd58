"""How many taps a round costs on a phone, from "next round" to the settlement."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from browser import PHONE, start_night
from playwright.sync_api import Browser, Locator, Page, expect
from sample_rounds import ROUNDS

NAMES = ("Ana", "Beto", "Caro")
FULL, FLUSH, PAIR = "9s 9h 9d 4c 4d", "Ah Kh 8h 5h 3h", "8c 8d Js 7d 4h"


def hands(game: str) -> list[str]:
    held = ROUNDS[game]["round"]["hands"]
    return [held.get(name, "") for name in NAMES]


# game, hands, what is tapped besides ("amount:" is typed after the tap), who wins, and the most taps besides the cards
GAMES: list[tuple[str, list[str], list[str], str, int]] = [
    ("knock-poker", [FULL, FLUSH, PAIR], ["knocked 0"], "Ana wins +6", 3),
    ("dompe", hands("dompe"), ["called 1"], "Caro wins +2", 3),
    ("knock-rummy", hands("knock-rummy"), ["knocked 0"], "Ana wins +29", 3),
    ("knock", hands("knock"), ["knocked 0"], "Caro wins +2", 3),
    ("draw-poker", hands("draw-poker"), ["everyone 4", "folded 2", "paid 2 1"], "Beto wins +5", 5),
    ("domino-poker", hands("domino-poker"), ["everyone 5", "folded 2", "paid 2 2"], "Ana wins +7", 5),
]


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(viewport=PHONE, has_touch=True, is_mobile=True, reduced_motion="reduce")
    yield context.new_page()
    context.close()


class Thumb:
    """Taps and counts."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.taps = 0

    def tap(self, what: Locator) -> None:
        what.tap()
        self.taps += 1

    def answer(self, said: str) -> None:
        """Tap an answer: "knocked 0", "everyone 4", "paid 2 1" (seat and amount)."""
        match said.split():
            case ["everyone", amount]:
                self.tap(self.page.locator("[name=everyone-paid]"))
                self.page.keyboard.type(amount)
            case ["paid", seat, amount]:
                self.tap(self.page.locator(f"[name=players-{seat}-paid]"))
                self.page.keyboard.type(amount)
            case [chip, seat]:
                self.tap(self.page.locator(f"#seat-{seat} label.chip", has_text=chip))


@pytest.mark.parametrize(("game", "held", "answers", "won", "most"), GAMES, ids=[row[0] for row in GAMES])
def test_a_round_costs_one_tap_a_card_and_few_more(
    page: Page, address: str, game: str, held: list[str], answers: list[str], won: str, most: int
) -> None:
    start_night(page, address, NAMES, game)
    thumb = Thumb(page)
    thumb.tap(page.get_by_role("link", name="First round"))
    # who is out first, so that the keyboard goes past them
    for said in answers:
        if said.startswith("folded"):
            thumb.answer(said)
    cards = " ".join(held).split()
    expect(page.locator(".seat.active")).to_have_id("seat-0")
    before = thumb.taps
    for card in cards:
        thumb.tap(page.locator(f'[data-picker] [data-piece="{card}"]'))
    assert thumb.taps - before == len(cards)
    for seat, hand in enumerate(held):
        expect(page.locator(f"[name=players-{seat}-hand]")).to_have_value(hand)
    for said in answers:
        if not said.startswith("folded"):
            thumb.answer(said)
    expect(page.locator("[data-missing]")).to_contain_text(won)
    thumb.tap(page.locator("[data-save]"))
    expect(page.locator("#won")).to_have_text(won)
    assert thumb.taps - len(cards) <= most
