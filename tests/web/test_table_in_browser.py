"""A table with phones and a screen in the room: it follows the night by itself, and reads aloud."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack

import pytest
from browser import boxes_of, code_of, drawn, enter_hand, join_night, start_night, tap_quickly, tick
from night_of_six_games import MORE, NAMES, NIGHT, SCREEN, Table, save
from playwright.sync_api import Browser, Page, Route, expect

A_ROUND_OF_EACH = (0, 3, 4, 7, 8, 10)  # of the hands of the night
STUB = """
  window.spoken = []
  window.SpeechSynthesisUtterance = class extends EventTarget { constructor(text) { super(); this.text = text } }
  Object.defineProperty(window, 'speechSynthesis', { value: {
    cancel() {},
    speak(said) { spoken.push([said.text, said.lang]); said.dispatchEvent(new Event('start')) },
  } })
"""
Phone = Callable[..., Page]


def play_round(page: Page, night: str) -> None:
    page.goto(f"{night}/round")
    for seat, hand in enumerate(NIGHT[2].hands):
        enter_hand(page, seat, hand)
    tick(page, '[name=asked-knocker][value="0"]')
    save(page)


def test_four_phones_and_a_screen_play_a_round_of_each_game(browser: Browser, address: str) -> None:
    """One phone is offline for the second round. One game is bet on the players' phones, one on the scorekeeper's."""
    with ExitStack() as stack:
        table = Table(browser, address, stack, tap=tap_quickly)
        assert list(table.play([NIGHT[at] for at in A_ROUND_OF_EACH], away=1)) == []
        table.close()


def test_four_phones_and_a_screen_play_a_night_of_ten_games(browser: Browser, address: str) -> None:
    hands = [*(NIGHT[at] for at in A_ROUND_OF_EACH), *MORE]
    assert len({hand.game for hand in hands}) == 10
    with ExitStack() as stack:
        table = Table(browser, address, stack, tap=tap_quickly)
        assert list(table.play(hands, away=7)) == []
        table.close()


def test_the_screen_is_as_high_as_the_window_and_hands_lie_level(phone: Phone, address: str) -> None:
    screen = phone(is_mobile=False)
    night = start_night(screen, address, NAMES)
    play_round(screen, night)
    for width, height in ((1440, 900), (1920, 1080), (820, 1180), (844, 390)):
        screen.set_viewport_size({"width": width, "height": height})
        screen.goto(f"{night}/table")
        expect(screen.locator("#news")).to_have_attribute("data-stage", "result")
        assert screen.evaluate("document.documentElement.scrollHeight") == height
        _, left, _, right = boxes_of(screen, ".place .hand")
        assert left["top"] == pytest.approx(right["top"], abs=1)
        (words,) = boxes_of(screen, ".middle")
        assert left["right"] <= words["left"] and words["right"] <= right["left"]
        for box in boxes_of(screen, ".plate"):
            assert box["left"] >= 0 and box["bottom"] <= height


def test_a_result_is_read_aloud_once_and_only_where_that_was_chosen(phone: Phone, address: str) -> None:
    keeper, screen = phone(), phone(STUB, viewport=SCREEN, is_mobile=False)
    night = start_night(keeper, address, NAMES)
    join_night(screen, address, code_of(keeper, night), "Beto")
    screen.goto(f"{address}phone")
    screen.get_by_label("Yes", exact=True).check()
    with screen.expect_navigation():
        screen.get_by_role("button", name="Save").click()
    screen.goto(f"{night}/table")
    play_round(keeper, night)
    expect(screen.locator("#news")).to_have_attribute("data-stage", "result")
    (text, language), *more = screen.evaluate("spoken")
    assert text.startswith("Ana wins 9. Ana's full house beats Beto's flush. ")
    assert (language, more) == ("en", [])
    with screen.expect_response(lambda answer: answer.request.resource_type == "fetch"):
        screen.reload()
    drawn(screen)
    assert screen.evaluate("spoken") == []


def test_without_the_script_the_screen_is_loaded_again(phone: Phone, address: str) -> None:
    keeper, screen = phone(), phone(viewport=SCREEN, is_mobile=False, java_script_enabled=False)
    night = start_night(keeper, address, NAMES)
    screen.goto(f"{address}join/{code_of(keeper, night)}")
    screen.route("**/table", in_a_second)
    screen.get_by_role("link", name="Table view").click()
    expect(screen.locator(".place")).to_have_count(4)
    with screen.expect_navigation():
        pass
    expect(screen.locator(".place")).to_have_count(4)


def in_a_second(route: Route) -> None:
    """Let a page that is loaded again after five seconds be so after one."""
    answer = route.fetch()
    assert 'http-equiv="refresh" content="5"' in answer.text()
    route.fulfill(response=answer, body=answer.text().replace('content="5"', 'content="1"'))
