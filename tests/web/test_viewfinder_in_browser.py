"""The viewfinder in Chromium, whose camera is a film made of drawn hands."""

from __future__ import annotations

import io
import os
import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from browser import A_PHONE, TOO_SMALL, cards_of, launched
from PIL import Image
from playwright.sync_api import Locator, Page, Playwright, Route, expect

SAMPLES = Path(__file__).parent.parent / "camera" / "samples" / "cards"
CARDS = {"Th", "3h", "8h", "Ad", "Jc"}
TABLE = SAMPLES.parent / "tables" / "rendered_001.jpg"  # four hands of five
KNOCK_POKER = "settle/knock-poker"
SIZES = ((320, 568), (390, 844), (844, 390), (1280, 800))
FRAMES = 3
# keeps what the browser lends the page, and notes what is sent to be read, and how much of it at once
NOTES = """
  const lend = navigator.mediaDevices?.getUserMedia.bind(navigator.mediaDevices)
  const ask = window.fetch
  Object.assign(window, { lent: [], sent: [], now: 0, most: 0 })
  if (lend) navigator.mediaDevices.getUserMedia = async (wanted) => {
    const stream = await lend(wanted)
    window.lent.push(...stream.getTracks())
    return stream
  }
  window.fetch = async (url, given) => {
    if (!String(url).endsWith('/photo')) return ask(url, given)
    window.sent.push(given.body.has('frame') ? 'frame' : 'photo')
    window.most = Math.max(window.most, ++window.now)
    return ask(url, given).finally(() => window.now--)
  }
"""
STATES = "window.lent.map(({ readyState }) => readyState)"
# in the place of a browser's own refusal
REFUSES = """
  if (navigator.mediaDevices) navigator.mediaDevices.getUserMedia = async () => {
    throw new DOMException('', 'NotAllowedError')
  }
"""


def film(picture: Image.Image, file: Path) -> Path:
    """Write a film that shows a picture on a green table, as JPEGs one after the other."""
    scene = Image.new("RGB", (1280, 960), (30, 92, 68))
    scene.paste(picture.resize((900, 900)), (190, 30))
    shot = io.BytesIO()
    scene.save(shot, "JPEG", quality=90)
    file.write_bytes(shot.getvalue() * FRAMES)
    return file


Opens = Callable[..., Page]


@contextmanager
def filmed(playwright: Playwright, file: Path) -> Iterator[Opens]:
    """Start a Chromium whose camera shows a film; returns a function that opens a page there."""
    flags = ("--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream")
    with ExitStack() as stack:
        browser = stack.enter_context(launched(playwright, *flags, f"--use-file-for-fake-video-capture={file}"))

        def opens(script: str = NOTES, **options: Any) -> Page:
            context = browser.new_context(**{**A_PHONE, **options})
            stack.callback(context.close)
            context.add_init_script(script)
            return context.new_page()

        yield opens


@pytest.fixture(scope="module")
def hand_in_sight(playwright: Playwright, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Opens]:
    with Image.open(SAMPLES / "rendered_001.jpg") as picture:
        file = film(picture, tmp_path_factory.mktemp("film") / "hand.mjpeg")
    with filmed(playwright, file) as opens:
        yield opens


def finder(page: Page) -> Locator:
    return page.locator("dialog.finder")


def told(page: Page) -> Locator:
    return finder(page).get_by_role("status")


def look(page: Page, seat: int = 0) -> None:
    """Tap a hand's camera button."""
    page.locator(f"#seat-{seat} .camera").click()
    expect(finder(page)).to_be_visible()


def test_it_takes_the_picture_by_itself_and_frees_the_camera(hand_in_sight: Opens, address: str) -> None:
    page = hand_in_sight(viewport={"width": 1280, "height": 800}, is_mobile=False)
    page.goto(address + KNOCK_POKER)
    assert page.evaluate(STATES) == []  # nothing is asked for before the tap
    look(page)
    expect(page.locator(".look .told")).to_contain_text("All 5 cards read.")
    expect(finder(page)).to_have_count(0)
    assert page.evaluate(STATES) == ["ended"]
    sent = page.evaluate("sent")
    assert (set(sent), page.evaluate("most")) == ({"frame"}, 1)
    assert 3 <= len(sent) <= 12
    expect(page.locator(".photo .mark")).to_have_count(5)
    assert cards_of(page, 0) == ""
    page.get_by_role("button", name="Use this hand").click()
    assert set(cards_of(page, 0).split()) == CARDS


def test_it_takes_the_picture_by_hand(hand_in_sight: Opens, address: str) -> None:
    page = hand_in_sight(viewport={"width": 1280, "height": 800}, is_mobile=False)
    page.goto(address + KNOCK_POKER)
    # the server reads no frame meanwhile
    busy = '{"problem": "busy", "again": true}'
    page.route("**/photo", lambda route: route.fulfill(body=busy, content_type="application/json"))
    look(page)
    expect(told(page)).to_contain_text("Other photos are being read.")
    page.unroute_all()
    finder(page).get_by_role("button", name="Take photo").click()
    expect(page.locator(".look .told")).to_contain_text("All 5 cards read.")
    assert (page.evaluate(STATES), page.evaluate("sent").count("photo")) == (["ended"], 1)


def test_it_stops_while_the_page_is_hidden(hand_in_sight: Opens, address: str) -> None:
    page = hand_in_sight()
    page.goto(address + KNOCK_POKER)
    page.route("**/photo", lambda route: route.abort())
    page.locator('[data-picker] [data-piece="2c"]').tap()
    look(page)
    expect(told(page)).to_contain_text("No connection, so nothing can be read.")
    page.evaluate(
        "Object.defineProperty(document, 'hidden', { value: true });"
        "document.dispatchEvent(new Event('visibilitychange'))"
    )
    expect(told(page)).to_contain_text("The camera was turned off")
    assert page.evaluate(STATES) == ["ended"]
    finder(page).get_by_role("button", name="Try again").tap()
    expect(finder(page).get_by_role("button", name="Take photo")).to_be_enabled()
    page.keyboard.press("Escape")
    expect(finder(page)).to_have_count(0)
    assert page.evaluate(STATES) == ["ended", "ended"]
    assert cards_of(page, 0) == "2c"


def test_where_it_is_refused_a_photo_is_chosen(hand_in_sight: Opens, address: str) -> None:
    page = hand_in_sight(REFUSES)
    page.goto(address + KNOCK_POKER)
    look(page)
    expect(told(page)).to_contain_text("Your browser doesn't let this page use the camera.")
    with page.expect_file_chooser() as chosen:
        finder(page).get_by_role("button", name="Choose a photo").tap()
    chosen.value.set_files(SAMPLES / "rendered_001.jpg")
    expect(page.locator(".look .told")).to_contain_text("All 5 cards read.")
    page.get_by_role("button", name="Use this hand").tap()
    with page.expect_file_chooser():  # it isn't asked for again
        page.locator("#seat-1 .camera").tap()


def test_in_the_dark_nothing_is_sent(playwright: Playwright, tmp_path: Path, address: str) -> None:
    with filmed(playwright, film(Image.new("RGB", (900, 720)), tmp_path / "dark.mjpeg")) as opens:
        page = opens()
        page.goto(address + KNOCK_POKER)
        look(page)
        expect(told(page)).to_contain_text("It's too dark.")
        assert page.evaluate("sent") == []
        finder(page).get_by_role("button", name="Stop").tap()
        assert page.evaluate(STATES) == ["ended"]


def test_what_the_hand_is_worth_stands_on_the_picture(hand_in_sight: Opens, address: str) -> None:
    page = hand_in_sight(locale="es-MX", viewport={"width": 320, "height": 568})
    answers: list[str] = []

    def answer(route: Route) -> None:
        body = route.fetch().text() if len(answers) < 2 else None  # the third is waited for
        if body:
            answers.append(body)
            route.fulfill(body=body, content_type="application/json")

    page.route("**/photo", answer)
    page.goto(address + KNOCK_POKER)
    look(page)
    worth = finder(page).locator(".worth")
    expect(worth).to_have_text("Carta alta, as")
    expect(told(page)).to_contain_text("Carta alta, as: ")
    expect(worth).to_be_in_viewport(ratio=0.99)
    assert page.evaluate("document.querySelector('.finder').scrollWidth") <= 320
    if folder := os.environ.get("PICTURES"):
        page.screenshot(path=f"{folder}/finder-worth.png")


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_all_of_it_is_in_sight_and_can_be_read(hand_in_sight: Opens, address: str, theme: Any) -> None:
    page = hand_in_sight(locale="es-MX", color_scheme=theme, is_mobile=False)
    hand = [
        f'{{"piece": "{rank}h", "sure": {str(rank != "T").lower()}, "box": [{60 * at}, 60, 50, 70]}}'
        for at, rank in enumerate("AKQT")
    ]
    body = f'{{"hand": [{", ".join(hand)}], "more": [], "doubtful": [], "told": ""}}'
    page.route("**/photo", lambda route: route.fulfill(body=body, content_type="application/json"))
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        page.goto(address + KNOCK_POKER)
        look(page)
        expect(told(page)).to_contain_text(re.compile("Leídas 4 de 5 cartas"))
        expect(finder(page).locator(".spot")).to_have_count(4)
        for part in ("h2", "header p", "video", ".told", ".button >> nth=0", ".button >> nth=1", ".primary"):
            expect(finder(page).locator(part)).to_be_in_viewport(ratio=0.99)
        video = finder(page).locator("video").bounding_box()
        assert video is not None
        assert video["width"] * video["height"] > width * height * 0.4
        assert page.evaluate("document.querySelector('.finder').scrollWidth") <= width
        assert [one for one in page.evaluate(TOO_SMALL) if "button" in one and "small" in one and "finder" in one] == []
        found = Axe().run(page).response["violations"]
        assert [(rule["id"], [node["target"] for node in rule["nodes"]]) for rule in found] == []
        if folder := os.environ.get("PICTURES"):
            page.screenshot(path=f"{folder}/finder-{width}-{theme}.png")


def test_it_reads_a_whole_table(playwright: Playwright, tmp_path: Path, address: str) -> None:
    scene = Image.new("RGB", (1280, 960), (30, 92, 68))
    with Image.open(TABLE) as picture:
        picture.thumbnail((1280, 960))
        scene.paste(picture, ((1280 - picture.width) // 2, (960 - picture.height) // 2))
    shot = io.BytesIO()
    scene.save(shot, "JPEG", quality=90)
    file = tmp_path / "table.mjpeg"
    file.write_bytes(shot.getvalue() * FRAMES)
    with filmed(playwright, file) as opens:
        page = opens(viewport={"width": 1280, "height": 1100}, is_mobile=False)
        page.goto(address + KNOCK_POKER)
        page.locator("[data-photo-table]").click()
        expect(finder(page).get_by_role("heading")).to_have_text("All hands in one picture")
        choices = page.locator("dialog.table-photo select")
        expect(choices).to_have_count(4)
        sent = page.evaluate("sent")
        assert (set(sent), page.evaluate("most"), page.evaluate(STATES)) == ({"frame"}, 1, ["ended"])
        assert 3 <= len(sent) <= 12
        assert [choices.nth(seat).input_value() for seat in range(4)] == ["1", "2", "3", "4"]
        page.get_by_role("button", name="Use these hands").click()
        expect(page.locator("dialog.table-photo")).to_have_count(0)
