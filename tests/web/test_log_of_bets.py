"""The bets of a hand so far, on the page where they are entered."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect


def test_the_bets_show_their_end_and_scroll_back_to_their_beginning(page: Page, address: str) -> None:
    page.goto(f"{address}settle/draw-poker")
    log = page.locator("#betting .log")
    for before, action in enumerate(("bet", *["raise"] * 6)):
        page.locator(f"#betting .player[value^=act-{action}]").first.tap()
        expect(log).to_contain_text(re.compile(rf"^(.+\s· ){{{before}}}.+$"))
    boxes = "log => [log.firstElementChild, log].map((one) => one.getBoundingClientRect())"
    words, box = log.evaluate(boxes)
    assert words["top"] < box["top"] - 8
    assert words["bottom"] <= box["bottom"] + 1
    log.evaluate("log => log.scrollTo(0, -999)")
    assert log.evaluate(boxes)[0]["top"] >= box["top"] - 1
