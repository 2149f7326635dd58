"""The ranking of hands, shown over a round being entered, and under the table's house rules."""

from browser import PHONE, cards_of, tap_cards
from playwright.sync_api import Browser, expect


def test_the_card_lies_over_the_round_and_takes_no_key(browser: Browser, address: str) -> None:
    with browser.new_page(viewport=PHONE, reduced_motion="reduce") as page:
        page.goto(f"{address}settle/knock")
        tap_cards(page, "Ks Kh")
        page.get_by_role("link", name="hands").click()
        card = page.get_by_role("dialog", name="The hands, from high to low")
        expect(card).to_contain_text("their number")
        page.keyboard.press("Backspace")
        card.get_by_role("button", name="Back to the round").click()
        assert cards_of(page, 0) == "Ks Kh"
        assert len(page.context.pages) == 1


def test_the_card_follows_the_house_rules_as_they_are_set(browser: Browser, address: str) -> None:
    with browser.new_page(viewport=PHONE, reduced_motion="reduce") as page:
        page.goto(f"{address}settle/knock-poker")
        card = page.get_by_role("dialog", name="The hands, from high to low")
        page.get_by_role("link", name="hands").click()
        expect(card).to_contain_text("The usual rules.")
        card.get_by_role("button", name="Back to the round").click()
        page.locator("#rules > summary").click()
        page.get_by_label("Minimum knock").select_option("pair-of-kings")
        page.get_by_role("link", name="hands").click()
        expect(card).to_contain_text("A pair of kings or better may knock")
        expect(card).not_to_contain_text("The usual rules.")
