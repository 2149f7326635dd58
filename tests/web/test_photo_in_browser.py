"""The cameras of a hand and of the whole table in Chromium, with files in the place of a phone's camera."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from browser import cards_of, code_of, join_night, show_keys, start_night
from PIL import Image
from playwright.sync_api import Locator, Page, expect

from companion import camera

SAMPLES = Path(__file__).parent.parent / "camera" / "samples"
PHOTO = SAMPLES / "cards" / "rendered_001.jpg"
CARDS = {"Th", "3h", "8h", "Ad", "Jc"}
TABLES = json.loads((SAMPLES / "tables.json").read_text())
FOUR = next(name for name, entry in TABLES.items() if len(entry["hands"]) == 4)
KNOCK_POKER = "settle/knock-poker"
SIZES = ((320, 568), (390, 664), (844, 390), (1280, 800))
Phone = Callable[..., Page]


def photograph(page: Page, seat: int | None = None, file: Path = PHOTO) -> None:
    """Photograph a hand, or the whole table."""
    page.set_input_files("[data-photo-table] input" if seat is None else f"#seat-{seat} [data-photo]", file)


def told(page: Page) -> Locator:
    return page.locator(".seat.active .told")


def use(page: Page) -> Locator:
    return page.get_by_role("button", name="Use this hand")


def answers(page: Page, **found: Any) -> None:
    """Let the server say what it reads."""
    body = json.dumps({"told": "It was read.", **found})
    page.route("**/photo", lambda route: route.fulfill(body=body, content_type="application/json"))


def test_a_photo_fills_the_hand_and_stands_above_it_until_it_is_right(page: Page, address: str) -> None:
    page.goto(address + KNOCK_POKER)
    photograph(page, 0)
    expect(told(page)).to_contain_text("All 5 cards read.")
    expect(page.locator(".photo .mark")).to_have_count(5)
    expect(page.locator(".photo canvas")).to_be_visible()
    expect(page.locator("[data-picker]")).to_be_hidden()
    # it is only proposed: nothing of it is in the form until its player has looked
    assert cards_of(page, 0) == ""
    use(page).tap()
    assert set(cards_of(page, 0).split()) == CARDS
    expect(page.locator(".photo")).to_have_count(0)
    expect(page.locator(".seat.active")).to_have_id("seat-1")
    expect(page.locator("[data-picker]")).to_be_visible()


def test_what_is_no_photo_is_said_and_the_hand_stays(page: Page, address: str, tmp_path: Path) -> None:
    page.goto(address + KNOCK_POKER)
    page.locator('[data-picker] [data-piece="2c"]').tap()
    broken = tmp_path / "scan.jpg"
    broken.write_bytes(b"%PDF-1.7")
    photograph(page, 0, broken)
    expect(told(page)).to_contain_text("This file isn't a picture")
    expect(told(page).get_by_role("link")).to_have_attribute("href", "/help/photo")
    expect(page.locator("[data-told]")).to_contain_text("This file isn't a picture")
    page.get_by_role("button", name="Cancel").tap()
    assert cards_of(page, 0) == "2c"
    expect(page.locator("[data-picker]")).to_be_visible()
    photograph(page, file=broken)
    expect(page.locator("dialog .told")).to_contain_text("This file isn't a picture")
    page.locator("dialog").get_by_role("button", name="Cancel").tap()
    expect(page.locator("dialog.table-photo")).to_have_count(0)


def test_the_picture_is_made_small_and_stripped_on_the_phone(
    page: Page, address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent: list[bytes] = []
    monkeypatch.setattr(camera, "read_hand", lambda picture, *_: sent.append(picture) or [])
    file, exif = tmp_path / "large.jpg", Image.Exif()
    exif[0x010E] = "where it was taken"
    Image.new("RGB", (2000, 1500)).save(file, exif=exif)
    page.goto(address + KNOCK_POKER)
    photograph(page, 0, file)
    expect(told(page)).to_contain_text("No cards were found")
    (picture,) = sent
    with Image.open(io.BytesIO(picture)) as image:
        assert (image.format, image.size) == ("JPEG", (1280, 960))
        assert not image.getexif()


def test_on_the_own_phone(phone: Phone, address: str) -> None:
    keeper, beto = phone(), phone()
    join_night(beto, address, code_of(keeper, start_night(keeper, address, at="/round")), "Beto")
    show_keys(beto)
    photograph(beto, 1)
    expect(told(beto)).to_contain_text("All 5 cards read.")
    with beto.expect_response("**/draft"):
        use(beto).tap()
    expect(keeper.locator("#seat-1 [data-reading]")).to_have_text("cards face down: 5")


def test_a_photo_of_the_table_fills_all_hands(page: Page, address: str) -> None:
    page.goto(address + KNOCK_POKER)
    photograph(page, file=SAMPLES / "tables" / FOUR)
    dialog = page.get_by_role("dialog", name="All hands in one picture")
    expect(dialog).to_contain_text("4 hands found.")
    expect(dialog.locator(".outline")).to_have_count(4)
    expect(dialog.get_by_role("combobox")).to_have_count(4)
    assert [cards_of(page, seat) for seat in range(4)] == [""] * 4
    page.get_by_role("button", name="Use these hands").tap()
    for _ in range(4):  # those with an unsure card are looked at one after the other
        if use(page).is_visible():
            use(page).tap()
    for seat, hand in enumerate(TABLES[FOUR]["hands"]):
        cards = {card.replace("10", "T") for card in hand}
        assert len(cards & set(cards_of(page, seat).split())) >= 4


def test_picture_hand_and_action_are_in_sight(phone: Phone, address: str) -> None:
    page = phone(is_mobile=False)
    hand = [
        {"piece": f"{rank}h", "sure": rank == "A", "box": [100 + 40 * at, 60, 30, 40]}
        for at, rank in enumerate("AKQJT")
    ]
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        page.goto(address + KNOCK_POKER)
        page.unroute_all()
        answers(page, hand=hand, more=[], doubtful=[])
        photograph(page, 0)
        for part in (".photo canvas", ".seat.active .slot", ".look .primary", "[data-settle]"):
            expect(page.locator(part).first).to_be_in_viewport(ratio=0.99)
        page.locator(".photo .mark").first.tap()
        for part in (".seat.active .slot", "[data-piece]:last-child", "[data-settle]"):
            expect(page.locator(part).last).to_be_in_viewport(ratio=0.99)
        # and those of the whole table
        page.goto(address + KNOCK_POKER)
        expect(page.locator("[data-photo-table]")).to_be_in_viewport(ratio=0.99)
        page.unroute_all()
        tables = [{"number": n, "box": [100 * n, 60, 90, 90], "seen": hand, "doubtful": []} for n in range(1, 5)]
        answers(page, hands=tables, given={str(n): n + 1 for n in range(4)})
        photograph(page)
        expect(page.locator("dialog canvas")).to_be_in_viewport(ratio=0.99)
        assert page.evaluate("document.querySelector('dialog.table-photo').scrollWidth") <= width
        page.get_by_role("button", name="Use these hands").scroll_into_view_if_needed()
