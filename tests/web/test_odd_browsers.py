"""The pages in browsers that lack or refuse something: storage, the right key, the version of the page."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from browser import cards_of, enter_hand, enter_round, start_night
from devices import HANDS
from playwright.sync_api import Page, Route, expect

# how a browser without storage answers: with cookies blocked, and inside another app
BLOCKED = {"refused": "throw new DOMException('Access is denied', 'SecurityError')", "missing": "return null"}


@pytest.mark.parametrize("answer", BLOCKED.values(), ids=BLOCKED)
def test_a_round_is_entered_and_saved_without_storage(phone: Callable[..., Page], address: str, answer: str) -> None:
    blocked = "Object.defineProperty(window, '{name}', {{ configurable: true, get() {{ {answer} }} }});"
    page = phone("".join(blocked.format(name=f"{which}Storage", answer=answer) for which in ("local", "night")))
    start_night(page, address, at="/round")
    enter_round(page, HANDS.values())
    page.locator("[data-settle]").tap()
    page.locator("button[value=save]:visible").tap()
    page.wait_for_url("**/lines/1?saved=yes")
    expect(page.locator("#won")).to_contain_text("Ana wins")


@pytest.mark.parametrize("module", ["camera", "table_camera"])
def test_a_page_older_than_the_app_is_loaded_again_for_the_camera(page: Page, address: str, module: str) -> None:
    photo = Path(__file__).parent.parent / "camera" / "samples" / "cards" / "rendered_001.jpg"
    button = {"camera": "#seat-1 [data-photo]", "table_camera": "[data-photo-table] input"}[module]

    def upgraded(route: Route) -> None:
        # as after an upgrade: another version of the script that the page already runs
        answer = route.fetch()
        route.fulfill(response=answer, body=re.sub(r"/hands\.js\?v=\w+", "/hands.js?v=newer", answer.text()))

    page.route("**/scripts/camera.js*", upgraded)
    page.route("**/scripts/table_camera.js*", upgraded)
    start_night(page, address, at="/round")
    page.locator("form.tapping").wait_for()
    enter_hand(page, 0, HANDS["Ana"])
    with page.expect_navigation():
        page.set_input_files(button, photo)
    page.locator("form.tapping").wait_for()
    assert cards_of(page, 0) == HANDS["Ana"]


@pytest.mark.parametrize("word", ["constructor", "__proto__"])
def test_a_word_of_the_language_is_not_a_card(page: Page, address: str, word: str) -> None:
    page.goto(f"{address}settle/knock-poker")
    page.locator("[data-type]").tap()
    page.fill("[name=players-0-hand]", f"9s {word}")
    expect(page.locator("#seat-0 .slot.strange")).to_have_text(word)
