"""The camera of a hand in Chromium, with files in the place of a phone's camera."""

from __future__ import annotations

import io
import json
import re
from pathlib import Path

import pytest
from browser import PHONE, cards_of, code_of, has_script, join_night, start_night
from PIL import Image
from playwright.sync_api import Browser, Locator, Page, expect

from companion import camera

SAMPLES = Path(__file__).parent.parent / "camera" / "samples"
PHOTO = SAMPLES / "cards" / "rendered_001.jpg"
CARDS = {"Th", "3h", "8h", "Ad", "Jc"}
KNOCK_POKER = "settle/knock-poker"


def photograph(page: Page, seat: int, file: Path = PHOTO) -> None:
    page.set_input_files(f"#seat-{seat} [data-photo]", file)


def told(page: Page) -> Locator:
    return page.locator(".seat.active .told")


def marks(page: Page) -> Locator:
    return page.locator(".photo .mark")


def slot(page: Page, at: int) -> Locator:
    return page.locator(".seat.active .slots .slot").nth(at)


def use(page: Page) -> Locator:
    return page.get_by_role("button", name="Use this hand")


def answers(page: Page, hand: list[tuple[str, bool]], more: tuple[str, ...] = (), doubtful: int = 0) -> None:
    """Let the server say what it reads, each at a place of its own."""
    boxes = iter([[100 + 40 * at, 60, 30, 40] for at in range(12)])
    found = {
        "hand": [{"piece": piece, "sure": sure, "box": next(boxes)} for piece, sure in hand],
        "more": [{"piece": piece, "sure": True, "box": next(boxes)} for piece in more],
        "doubtful": [next(boxes) for _ in range(doubtful)],
        "told": "It was read.",
    }
    page.route("**/photo", lambda route: route.fulfill(body=json.dumps(found), content_type="application/json"))


def test_a_photo_fills_the_hand_and_stands_above_it_until_it_is_right(page: Page, address: str) -> None:
    page.goto(address + KNOCK_POKER)
    photograph(page, 0)
    expect(told(page)).to_contain_text("All 5 cards read.")
    expect(marks(page)).to_have_count(5)
    expect(page.locator(".photo canvas")).to_be_visible()
    expect(page.locator("[data-picker]")).to_be_hidden()
    # it is only proposed: nothing of it is in the form until its player has looked
    assert cards_of(page, 0) == ""
    use(page).tap()
    assert set(cards_of(page, 0).split()) == CARDS
    expect(page.locator(".photo")).to_have_count(0)
    expect(page.locator(".seat.active")).to_have_id("seat-1")
    expect(page.locator("[data-picker]")).to_be_visible()


def test_a_tap_on_a_mark_or_a_slot_selects_its_card_and_the_next_key_replaces_it(page: Page, address: str) -> None:
    page.goto(address + KNOCK_POKER)
    answers(page, [("Ah", True), ("Kh", True), ("Qh", False), ("Jh", True), ("Th", True)])
    photograph(page, 0)
    unsure = page.get_by_role("button", name="queen of hearts, unsure")
    expect(unsure).to_have_count(2)  # the slot, and its mark
    expect(slot(page, 2)).to_have_class("slot unsure")
    marks(page).nth(2).tap()
    expect(slot(page, 2)).to_have_attribute("aria-pressed", "true")
    expect(unsure).to_have_count(0)
    page.locator('[data-picker] [data-piece="Qd"]').tap()
    expect(marks(page).nth(2)).to_have_attribute("aria-label", "queen of diamonds")
    expect(page.locator("[data-picker]")).to_be_hidden()
    slot(page, 4).tap()  # its card in the hand does the same
    page.locator('[data-picker] [data-piece="9h"]').tap()
    use(page).tap()
    assert cards_of(page, 0) == "Ah Kh Qd Jh 9h"


def test_what_is_missing_is_tapped(page: Page, address: str) -> None:
    page.goto(address + KNOCK_POKER)
    answers(page, [("Ah", True), ("Kh", True), ("Qh", True)], doubtful=2)
    photograph(page, 0)
    expect(page.locator(".mark.unread")).to_have_count(2)
    page.locator(".mark.unread").first.tap()
    for card in ("2c", "3c"):
        page.locator(f'[data-picker] [data-piece="{card}"]').tap()
    expect(page.locator("[data-picker]")).to_be_hidden()
    use(page).tap()
    assert cards_of(page, 0) == "Ah Kh Qh 2c 3c"


def test_what_does_not_fit_takes_the_place_of_a_selected_card(page: Page, address: str) -> None:
    page.goto(address + KNOCK_POKER)
    answers(page, [(f"{rank}h", True) for rank in "AKQJT"], more=("2c",))
    photograph(page, 0)
    spare = page.locator(".mark.more")
    expect(spare).to_have_attribute("aria-label", re.compile("clubs, not in the hand"))
    slot(page, 4).tap()
    spare.tap()
    use(page).tap()
    assert cards_of(page, 0) == "Ah Kh Qh Jh 2c"


def test_a_full_hand_is_replaced_only_when_that_is_meant(page: Page, address: str) -> None:
    page.goto(address + KNOCK_POKER)
    for card in ("2c", "3c", "4c", "5c", "6c"):
        page.locator(f'[data-picker] [data-piece="{card}"]').tap()
    page.locator('[data-tab="0"]').tap()
    page.once("dialog", lambda dialog: dialog.dismiss())
    photograph(page, 0)
    expect(page.locator(".photo")).to_have_count(0)
    page.on("dialog", lambda dialog: dialog.accept())
    photograph(page, 0)
    expect(told(page)).to_contain_text("All 5 cards read.")
    page.get_by_role("button", name="Cancel").tap()
    assert cards_of(page, 0) == "2c 3c 4c 5c 6c"
    photograph(page, 0)
    use(page).tap()
    assert set(cards_of(page, 0).split()) == CARDS


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


def test_settling_takes_the_proposed_hand_along(page: Page, address: str) -> None:
    page.goto(address + KNOCK_POKER)
    photograph(page, 0)
    expect(use(page)).to_be_visible()
    page.locator("[data-settle]").tap()
    expect(page.locator("#problems")).to_be_visible()
    assert set(cards_of(page, 0).split()) == CARDS


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


def test_on_the_own_phone(page: Page, browser: Browser, address: str) -> None:
    night = start_night(page, address, ["Ana", "Beto"], "knock-poker")
    code = code_of(page, night)
    context = browser.new_context(viewport=PHONE, has_touch=True, is_mobile=True)
    beto = context.new_page()
    join_night(beto, address, code, "Beto")
    photograph(beto, 1)
    expect(told(beto)).to_contain_text("All 5 cards read.")
    with beto.expect_response("**/draft"):
        use(beto).tap()
    page.goto(f"{night}/round")
    expect(page.locator("#seat-1 [data-reading]")).to_have_text("cards face down: 5")
    context.close()


@pytest.mark.parametrize("size", [(320, 568), (390, 664), (844, 390), (1280, 800)], ids=str)
def test_picture_hand_and_action_are_in_sight(browser: Browser, address: str, size: tuple[int, int]) -> None:
    context = browser.new_context(viewport={"width": size[0], "height": size[1]}, has_touch=True)
    page = context.new_page()
    page.goto(address + KNOCK_POKER)
    answers(page, [(f"{rank}h", rank == "A") for rank in "AKQJT"])
    photograph(page, 0)
    for part in (".photo canvas", ".seat.active .slot", ".look .primary", "[data-settle]"):
        expect(page.locator(part).first).to_be_in_viewport(ratio=0.99)
    marks(page).first.tap()
    for part in (".seat.active .slot", "[data-piece]:last-child", "[data-settle]"):
        expect(page.locator(part).last).to_be_in_viewport(ratio=0.99)
    context.close()


def test_taps_of_a_round_with_the_camera(page: Page, address: str) -> None:
    """A round of three by photographs: two taps a hand, where its cards take five."""
    page.goto(address + KNOCK_POKER)
    taps = 0
    hands = [[f"{rank}{suit}" for rank in "A2345"] for suit in "hsdc"]
    for seat, hand in enumerate(hands):
        page.unroute_all()
        answers(page, [(card, True) for card in hand])
        photograph(page, seat)  # a tap on the camera button; the rest is the phone's own camera
        use(page).tap()
        taps += 2
    for seat, hand in enumerate(hands):
        assert cards_of(page, seat) == " ".join(hand)
    page.locator('[data-tab="0"]').tap()
    page.locator("#seat-0 label.chip", has_text="knocked").tap()
    page.locator("[data-settle]").tap()
    expect(page.locator("#won")).to_be_visible()
    assert taps == 8 < sum(map(len, hands))


def test_without_javascript_the_form_comes_back_with_the_hand(browser: Browser, address: str) -> None:
    context = browser.new_context(viewport=PHONE, java_script_enabled=False)
    page = context.new_page()
    page.goto(address + KNOCK_POKER)
    assert not has_script(page)
    page.fill("[name=players-1-name]", "Beto")
    page.locator("#seat-1 details.keys summary").click()
    page.set_input_files("#photo-1", PHOTO)
    page.locator("#seat-1").get_by_role("button", name="Read the photo").click()
    expect(page.locator("#seat-1 [role=status]")).to_contain_text("All 5 cards read.")
    assert set(cards_of(page, 1).split()) == CARDS
    expect(page.locator("[name=players-1-name]")).to_have_value("Beto")
    context.close()
