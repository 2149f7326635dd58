"""Taps and seconds of a round by keys, by a photograph of each hand, and by one of the whole table.

    .venv/bin/python tests/measuring_photos.py FOLDER

FOLDER is one that tests/camera/training/samples.py writes (`--rows 60`), or photographs in its form: `cards.json` and
the folder `cards`. The first four hands of five without a common card are one round of Knock Poker; the table is the
four pictures side by side. What is read wrong or not at all is corrected before the hand is used, as a player would.
Not a test: it prints what it measured.
"""

from __future__ import annotations

import io
import json
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

sys.path.append(str(Path(__file__).resolve().parent))

from browser import PHONE, cards_of, chromium, served
from measuring import tap
from PIL import Image
from playwright.sync_api import Locator, Page

from companion.engine.pieces.cards import FRENCH

PLAYERS, SIZE = 4, 5
PACE = 700  # milliseconds for a tap: to look for the key, and touch it
AIMING, AIMING_TAPS = 4.0, 2  # seconds and taps in the phone's own camera: aim, release, "use this photo"
TABLE_SIDE = 1920
PLAIN = "Object.defineProperty(navigator, 'mediaDevices', { value: undefined })"  # a photo instead of the viewfinder


@dataclass
class Hand:
    """The cards of a hand, and a picture of them."""

    cards: list[str]
    picture: bytes


class Thumb:
    """Plays on a phone: counts taps and pictures, and the seconds spent waiting for readings."""

    def __init__(self, page: Page) -> None:
        self.page, self.taps, self.pictures, self.waited = page, 0, 0, 0.0
        self.corrected = 0

    def tap(self, found: Locator) -> None:
        """Tap something."""
        tap(self.page, found, PACE)
        self.taps += 1

    def key(self, card: str) -> None:
        """Tap a card's key."""
        self.tap(self.page.locator(f'[data-picker] [data-piece="{card}"]'))

    def photograph(self, button: Locator, picture: bytes, use: Locator) -> Any:
        """Tap a camera button, and wait for the reading; returns what the server read."""
        began = 0.0
        with self.page.expect_response("**/photo") as answered:
            with self.page.expect_file_chooser() as chooser:
                self.tap(button)
            began = time.perf_counter()
            chooser.value.set_files({"name": "hand.jpg", "mimeType": "image/jpeg", "buffer": picture})
        use.wait_for()
        self.waited += time.perf_counter() - began
        self.pictures += 1
        return answered.value.json()

    def correct(self, read: list[str], there: list[str]) -> None:
        """Replace the cards that were read wrong in the hand that is looked at, and add those that are missing."""
        missing = [card for card in there if card not in read]
        slots = self.page.locator(".seat.active .slots .slot")
        for at, card in enumerate(read):
            if card not in there:
                self.tap(slots.nth(at))
                self.key(missing.pop())
                self.corrected += 1
        if missing:
            self.tap(self.page.locator(".seat.active .slots .slot.empty").first)
        for card in missing:
            self.key(card)
            self.corrected += 1


def by_keys(thumb: Thumb, hands: list[Hand]) -> None:
    """Enter all hands by tapping."""
    for hand in hands:
        for card in hand.cards:
            thumb.key(card)


def by_photographs(thumb: Thumb, hands: list[Hand]) -> None:
    """Enter each hand by a photograph."""
    use = thumb.page.get_by_role("button", name="Use this hand")
    for seat, hand in enumerate(hands):
        button = thumb.page.locator(f"#seat-{seat} label", has=thumb.page.locator("[data-photo]"))
        answer = thumb.photograph(button, hand.picture, use)
        thumb.correct([one["piece"] for one in answer["hand"]], hand.cards)
        thumb.tap(use)


def by_one_photograph(thumb: Thumb, hands: list[Hand]) -> None:
    """Enter all hands by one photograph of the table, in which they lie as on the page."""
    page = thumb.page
    use = page.get_by_role("button", name="Use these hands")
    answer = thumb.photograph(page.locator("[data-photo-table]"), table(hands), use)
    read = {hand["number"]: [one["piece"] for one in hand["seen"]] for hand in answer["hands"]}
    lies = [max(read, key=lambda number: len(set(read[number]) & set(hand.cards))) for hand in hands]
    for seat, number in enumerate(lies):
        if answer["given"].get(str(seat)) != number:
            page.locator("dialog select").nth(seat).select_option(str(number))
            thumb.taps += 2
            thumb.corrected += 1
    thumb.tap(use)
    page.locator("dialog.table-photo").wait_for(state="detached")
    one = page.get_by_role("button", name="Use this hand")
    while one.is_visible():  # hands that aren't sure are looked at one after the other
        seat = int(str(page.locator(".seat.active").get_attribute("data-seat")))
        thumb.correct(read[lies[seat]][:SIZE], hands[seat].cards)
        thumb.tap(one)
        page.wait_for_timeout(100)
    for seat, hand in enumerate(hands):
        if set(cards_of(page, seat).split()) != set(hand.cards):
            thumb.tap(page.locator(f'[data-tab="{seat}"]'))
            thumb.correct(cards_of(page, seat).split(), hand.cards)


def table(hands: list[Hand]) -> bytes:
    """Lay four pictures side by side, clockwise from the bottom, as the players sit."""
    side = TABLE_SIDE // 2
    whole = Image.new("RGB", (TABLE_SIDE, TABLE_SIDE), (90, 90, 90))
    for hand, (x, y) in zip(hands, [(0, side), (0, 0), (side, 0), (side, side)], strict=True):
        with Image.open(io.BytesIO(hand.picture)) as picture:
            picture.thumbnail((round(0.8 * side),) * 2)  # so that hands are a card apart
            whole.paste(picture, (x + (side - picture.width) // 2, y + (side - picture.height) // 2))
    return encoded(whole)


def encoded(picture: Image.Image) -> bytes:
    """Encode a picture as a phone would."""
    file = io.BytesIO()
    picture.save(file, "JPEG", quality=88)
    return file.getvalue()


def hands_in(folder: Path) -> list[Hand]:
    """Choose the first hands of five without a common card."""
    chosen: list[Hand] = []
    for name, entry in sorted(json.loads((folder / "cards.json").read_text()).items()):
        cards = [FRENCH.spellings[card].text for card in entry["cards"] if card in FRENCH.spellings]
        if len(cards) == SIZE and len({*cards}.union(*(hand.cards for hand in chosen))) == SIZE * (len(chosen) + 1):
            chosen.append(Hand(cards, (folder / "cards" / name).read_bytes()))
            if len(chosen) == PLAYERS:
                return chosen
    raise SystemExit(f"{folder} has no {PLAYERS} hands of {SIZE} without a common card.")


WAYS: dict[str, Callable[[Thumb, list[Hand]], None]] = {
    "by keys": by_keys,
    "a photograph of each hand": by_photographs,
    "a photograph of the table": by_one_photograph,
}


def main() -> None:
    """Play the round each way, and print a line for each."""
    hands = hands_in(Path(sys.argv[1]))
    print("| a round of Knock Poker, four players | taps | of them corrections | seconds | waiting for readings |")
    print("|---|---|---|---|---|")
    with served() as address, chromium() as browser:
        for way, enter in WAYS.items():
            page = browser.new_context(viewport=PHONE, has_touch=True, is_mobile=True).new_page()
            page.add_init_script(PLAIN)
            page.goto(f"{address}settle/knock-poker")
            thumb, began = Thumb(page), time.perf_counter()
            enter(thumb, hands)
            assert [sorted(cards_of(page, seat).split()) for seat in range(PLAYERS)] == [
                sorted(hand.cards) for hand in hands
            ]
            thumb.tap(page.locator('[data-tab="0"]'))
            thumb.tap(page.locator("#seat-0 label.chip", has_text="knocked"))
            thumb.tap(page.locator("[data-settle]"))
            page.locator("#won").wait_for()
            seconds = time.perf_counter() - began + AIMING * thumb.pictures
            taps = thumb.taps + AIMING_TAPS * thumb.pictures
            print(f"| {way} | {taps} | {thumb.corrected} | {seconds:.0f} | {thumb.waited:.1f} |", flush=True)
            page.context.close()


if __name__ == "__main__":
    main()
