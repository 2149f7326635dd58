"""Makes the README's picture: plays the contract's example through the form and photographs the answer.

Run it as `.venv/bin/python tests/screenshot.py` after a change that shows.
"""

from __future__ import annotations

from pathlib import Path

from browser import PHONE, chromium, enter_hand, served, tick
from playwright.sync_api import Page

PICTURE = Path(__file__).with_name("screenshot.png")
HANDS = {"Ana": "9s 9h 9d 4c 4d", "Beto": "Ah Kh 8h 5h 3h", "Caro": "", "Dani": "8c 8d Js 7d 4h"}


def play_example(page: Page) -> None:
    """Type the contract's example into the form of Knock Poker and settle it."""
    for seat, (name, hand) in enumerate(HANDS.items()):
        page.fill(f"[name=players-{seat}-name]", name)
        if hand:
            enter_hand(page, seat, hand)
    tick(page, '[name=asked-knocker][value="0"]')
    tick(page, "[name=players-2-dropped]")
    page.click("[data-settle]")
    page.wait_for_selector(".answer")


def main() -> None:
    """Make the picture."""
    with served() as address, chromium() as browser:
        page = browser.new_page(viewport=PHONE, reduced_motion="reduce")
        page.goto(f"{address}settle/knock-poker")
        play_example(page)
        page.screenshot(path=PICTURE)
    print(PICTURE)


if __name__ == "__main__":
    main()
