"""The pages in browsers that lack or refuse something: storage, the right key, the version of the page."""

from __future__ import annotations

import pytest
from browser import PHONE, enter_round, start_night
from devices import HANDS
from playwright.sync_api import Browser, expect

# how a browser without storage answers: with cookies blocked, and inside another app
BLOCKED = {"refused": "throw new DOMException('Access is denied', 'SecurityError')", "missing": "return null"}


@pytest.mark.parametrize("answer", BLOCKED.values(), ids=BLOCKED)
def test_a_round_is_entered_and_saved_without_storage(browser: Browser, address: str, answer: str) -> None:
    context = browser.new_context(viewport=PHONE, has_touch=True, is_mobile=True, reduced_motion="reduce")
    for name in ("localStorage", "sessionStorage"):
        context.add_init_script(
            f"Object.defineProperty(window, '{name}', {{ configurable: true, get() {{ {answer} }} }})"
        )
    page = context.new_page()
    night = start_night(page, address, list(HANDS), "knock-poker")
    page.goto(f"{night}/round")
    enter_round(page, HANDS.values())
    page.locator("[data-settle]").tap()
    page.locator("button[value=save]:visible").tap()
    page.wait_for_url("**/lines/1?saved=yes")
    expect(page.locator("#won")).to_contain_text("Ana wins")
    context.close()
