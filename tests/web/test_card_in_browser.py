"""The ranking of hands, shown over a round being entered, under the table's house rules, and in a game's help."""

import pytest
from browser import PHONE, cards_of, tap_cards
from playwright.sync_api import Browser, expect

from companion.games import all_games


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


@pytest.mark.parametrize("script", [True, False])
def test_two_taps_show_which_of_two_hands_wins(browser: Browser, address: str, script: bool) -> None:
    with browser.new_page(viewport=PHONE, java_script_enabled=script) as page:
        page.goto(f"{address}{'settle/dompe' if script else 'help/dompe/card'}")
        if script:
            page.get_by_role("link", name="hands").click()
        shown = page.locator(".duel > div:visible")
        expect(shown.filter(has_text="Flush")).not_to_have_count(0)
        # the lower one first
        page.locator("label", has_text="Five of a kind").click()
        expect(page.get_by_text("beats").locator("visible=true")).to_have_count(0)
        page.locator("label", has_text="Six-card flush").click()
        expect(shown).to_contain_text(["Six-card flush beats", "Five of a kind"])
        expect(page.get_by_text("beats").locator("visible=true")).to_have_count(1)
        expect(page.locator("[aria-live=polite][aria-atomic=true] b.beats:visible")).to_have_count(1)
        page.locator("label", has_text="Six-card flush").click()
        expect(shown.filter(has_text="Full house")).to_be_visible()


@pytest.mark.parametrize("locale", ["en", "es-MX"])
def test_a_game_s_help_says_on_one_screen_who_pays_whom(browser: Browser, address: str, locale: str) -> None:
    with browser.new_page(viewport=PHONE, locale=locale) as page:
        for key in all_games():
            page.goto(f"{address}help/{key}")
            pays, dock = page.locator(".pays, .lead").last.bounding_box(), page.locator(".dock").bounding_box()
            assert pays is not None and dock is not None, key
            assert pays["y"] + pays["height"] <= dock["y"], key
