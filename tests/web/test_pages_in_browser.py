"""The pages in Chromium on a phone: by tapping, by typing, with and without JavaScript."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from browser import PHONE, chromium, served
from playwright.sync_api import Browser, BrowserContext, Page, expect
from screenshot import HANDS, play_example

from companion.games import all_games

KEY = '[name=players-{seat}-cards][value="{card}"]'


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with served() as found:
        yield found


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as found:
        yield found


def phone(browser: Browser, **more: object) -> BrowserContext:
    return browser.new_context(viewport=PHONE, has_touch=True, is_mobile=True, reduced_motion="reduce", **more)


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A phone whose page may log nothing: no error, no breach of the content security policy."""
    context = phone(browser)
    opened = context.new_page()
    said: list[str] = []
    opened.on("console", lambda message: said.append(message.text))
    opened.on("pageerror", lambda error: said.append(str(error)))
    yield opened
    context.close()
    assert said == []


def tap_hand(page: Page, seat: int, hand: str) -> None:
    keys = page.locator("details.keys").nth(seat)
    if keys.get_attribute("open") is None:
        keys.locator("summary").tap()
    for card in hand.split():
        page.locator("label.key", has=page.locator(KEY.format(seat=seat, card=card))).tap()


def test_a_round_by_tapping_from_the_home_page(page: Page, address: str) -> None:
    page.goto(address)
    page.get_by_role("link", name="Knock Poker Knock with").tap()
    for seat, hand in enumerate(HANDS.values()):
        if hand:
            tap_hand(page, seat, hand)
    page.locator("label.chip", has_text="knocked").nth(0).tap()
    page.locator("label.chip", has_text="dropped").nth(2).tap()
    page.locator(".dock button").tap()
    expect(page.locator("#won")).to_have_text("Player 1 wins +8")
    expect(page.locator(".payments li")).to_have_text(
        ["Player 2 pays Player 1 3", "Player 3 pays Player 1 2", "Player 4 pays Player 1 3"], use_inner_text=True
    )


def test_a_full_hand_opens_the_next_players_keys(page: Page, address: str) -> None:
    page.goto(f"{address}settle/knock-poker")
    page.locator("label.chip", has_text="dropped").nth(1).tap()
    tap_hand(page, 0, HANDS["Ana"])
    keys = page.locator("details.keys")
    expect(keys.nth(2)).to_have_attribute("open", "")
    assert [keys.nth(seat).get_attribute("open") for seat in range(4)] == [None, None, "", None]
    expect(keys.nth(0).locator("[data-count]")).to_have_text("5 of 5")


def test_who_drops_needs_no_keys(page: Page, address: str) -> None:
    page.goto(f"{address}settle/knock-poker")
    page.locator("label.chip", has_text="dropped").nth(0).tap()
    expect(page.locator("details.keys").nth(0)).not_to_have_attribute("open", "")
    expect(page.locator("details.keys").nth(1)).to_have_attribute("open", "")


def test_a_winning_hand_of_six_is_tapped(page: Page, address: str) -> None:
    page.goto(f"{address}settle/dompe")
    page.locator("label.chip", has_text="showed a win").nth(0).tap()
    tap_hand(page, 0, "Ad Kd 9d 8d 5d 3d")
    page.locator(".dock button").tap()
    expect(page.locator(".winner p")).to_have_text("Player 1 shows an outright win: six-card flush.")


def test_taking_a_player_out_keeps_the_place_and_the_keys_alive(page: Page, address: str) -> None:
    page.goto(f"{address}settle/knock-rummy")
    page.get_by_role("button", name="Take out player 4").tap()
    page.get_by_role("button", name="Take out player 3").tap()
    expect(page.locator("#seat-1")).to_be_in_viewport()
    tap_hand(page, 0, "As 2s 3s")
    expect(page.locator("[name=players-0-hand]")).to_have_value("As 2s 3s")
    expect(page.locator("#seat-0 [data-count]")).to_have_text("3 of 10")


def test_every_spelling_of_the_line_is_a_key(page: Page, address: str) -> None:
    page.goto(f"{address}settle/knock")
    page.fill("[name=players-0-hand]", "10d A♥ 9S")
    expect(page.locator("#seat-0 [data-count]")).to_have_text("3 of 5")
    page.goto(f"{address}settle/domino-poker")
    page.fill("[name=players-0-hand]", "62 3:3")
    expect(page.locator("#seat-0 [data-count]")).to_have_text("2 of 5")


def test_an_outright_win_takes_the_place_of_a_call(page: Page, address: str) -> None:
    page.goto(f"{address}settle/dompe")
    page.locator("label.chip", has_text="called").nth(0).tap()
    page.locator("label.chip", has_text="showed a win").nth(1).tap()
    expect(page.locator("[name=asked-caller]:checked")).to_have_value("nobody")
    page.locator("label.chip", has_text="called").nth(0).tap()
    expect(page.locator("[name=asked-shown_by]:checked")).to_have_value("nobody")


def test_the_line_and_the_keys_stay_in_step(page: Page, address: str) -> None:
    page.goto(f"{address}settle/knock-poker")
    line = page.locator("[name=players-0-hand]")
    line.fill("9s, ah")
    expect(page.locator(KEY.format(seat=0, card="9s"))).to_be_checked()
    expect(page.locator(KEY.format(seat=0, card="Ah"))).to_be_checked()
    page.locator("label.key", has=page.locator(KEY.format(seat=0, card="Kd"))).tap()
    page.locator("label.key", has=page.locator(KEY.format(seat=0, card="Ah"))).tap()
    expect(line).to_have_value("9s Kd")
    owner = page.locator("label.key", has=page.locator(KEY.format(seat=1, card="9s")))
    expect(owner).to_have_attribute("data-owner", "P1")


def test_another_deck_redraws_the_keys_and_keeps_the_names(page: Page, address: str) -> None:
    page.goto(f"{address}settle/dompe")
    page.fill("[name=players-0-name]", "Ana")
    page.locator("details.panel summary").tap()
    page.select_option("[name=rules-deck]", "spanish-40")
    expect(page.locator(KEY.format(seat=0, card="12b"))).to_have_count(1)
    expect(page.locator("[name=players-0-name]")).to_have_value("Ana")


def test_an_error_takes_the_focus_and_stands_at_its_field(page: Page, address: str) -> None:
    page.goto(f"{address}settle/knock")
    page.fill("[name=players-0-hand]", "9s 9s 4c 4d Xx")
    page.locator(".dock button").tap()
    expect(page.locator("#problems")).to_be_focused()
    expect(page.locator("#players-0-hand-error")).to_contain_text("Xx in Player 1's hand is no card of this set")
    expect(page.locator("[name=players-0-hand]")).to_have_value("9s 9s 4c 4d Xx")


def test_without_javascript_a_round_is_tapped_settled_and_dealt_again(browser: Browser, address: str) -> None:
    context = phone(browser, java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{address}settle/knock-poker")
    tap_hand(page, 1, HANDS["Beto"])
    play_example(page)
    expect(page.locator("#won")).to_have_text("Ana wins +8")
    page.locator(".dock button").tap()
    expect(page.locator("[name=dealer]:checked")).to_have_value("0")
    expect(page.locator("[name=players-0-name]")).to_have_value("Ana")
    expect(page.locator("[name=players-0-hand]")).to_have_value("")
    context.close()


@pytest.mark.parametrize("width", [320, 390, 820])
@pytest.mark.parametrize("path", ["", *(f"{kind}/{key}" for key in all_games() for kind in ("settle", "help"))])
def test_nothing_is_wider_than_the_screen(browser: Browser, address: str, path: str, width: int) -> None:
    context = browser.new_context(viewport={"width": width, "height": 844})
    page = context.new_page()
    page.goto(address + path)
    if path.startswith("settle"):
        expect(page.locator("details.keys").first).to_have_attribute("open", "")
        page.locator("details.panel summary").click()
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    context.close()
