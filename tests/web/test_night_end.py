"""The end of a night: the page of a closed one, and the picture that a phone makes of it."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest
from browser import PHONE, served
from devices import Device, Night
from flask import Flask
from PIL import Image
from playwright.sync_api import Browser, expect

from companion.web.text.share_picture import CHIPS, fitted

# a phone's own sheet, which keeps what it is handed
SHEET = """
    navigator.canShare = () => true
    window.shared = new Promise((resolve) => {
      navigator.share = async ({ files: [file], text }) =>
        resolve([file.type, (await createImageBitmap(file)).width, text])
    })
"""
SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture
def night(app: Flask) -> Night:
    """Give a night of two rounds that Ana won, with a loan between them."""
    night = Night(app)
    night.books()
    night.keeper.does(
        f"{night.session}/move", movement="loan", from_=night.players["Beto"], to=night.players["Caro"], amount="1"
    )
    night.books()
    return night


def settle_up_of(night: Night) -> str:
    """Return where a closed night's page sends its ticks: the address of its plan."""
    (action,) = [one for one in night.keeper.page(f"{night.session}/end").all("form", "action") if "/plans/" in one]
    return action


def test_closing_leads_to_the_end_of_the_night(night: Night) -> None:
    assert night.keeper.does(f"{night.session}/close", do="leave") == f"{night.session}/end"


def test_an_open_night_is_not_at_its_end(night: Night) -> None:
    for path in ("end", "end.svg"):
        answer = night.keeper.get(f"{night.session}/{path}")
        assert (answer.status_code, answer.location) == (302, night.session)


def test_the_page_tells_what_the_night_came_to(night: Night) -> None:
    night.keeper.does(f"{night.session}/close", do="leave")
    page = night.keeper.get(f"{night.session}/end").text
    told = " ".join(re.sub(r"<[^>]+>", " ", page).split())
    assert "Ana takes the night" in told
    assert "2 rounds" in told
    assert "Best hand" in told and "Full house, nines over fours" in told
    assert "Biggest pot" in told and "Turning point" in told
    assert "Beto pays Ana" in told
    # the second round is line 3: a loan stands between them
    assert f'href="{night.session}/lines/1">round 1</a>' in page
    assert "round 3" not in told


def test_payments_are_ticked_on_the_page_and_lead_back_to_it(night: Night) -> None:
    night.keeper.does(f"{night.session}/close", do="leave")
    amount = night.keeper.page(f"{night.session}/end").fields["amount-0"]
    back_to = night.keeper.does(settle_up_of(night), do="pay-0", back="end", **{"amount-0": amount})
    assert back_to == f"{night.session}/end"
    assert 'aria-pressed="true"' in night.keeper.get(f"{night.session}/end").text


def test_a_night_closed_again_after_another_round_has_a_new_plan(night: Night) -> None:
    night.keeper.does(f"{night.session}/close", do="leave")
    action = settle_up_of(night)
    night.keeper.does(action, do="pay-0", back="end", **{"amount-0": "1"})
    night.keeper.does(f"{night.session}/close", do="reopen")
    night.books()
    assert "If you stopped now" in night.keeper.get(f"{night.session}/money").text
    assert "Out of date" in night.keeper.get(f"{night.session}/settle").text
    night.keeper.does(f"{night.session}/close", do="leave")
    assert settle_up_of(night) != action
    assert "Out of date" not in night.keeper.get(f"{night.session}/settle").text


def test_what_was_paid_of_an_earlier_plan_is_told(night: Night) -> None:
    night.keeper.does(f"{night.session}/close", do="leave")
    night.keeper.does(settle_up_of(night), do="pay-0", back="end", **{"amount-0": "1"})
    night.keeper.does(f"{night.session}/close", do="reopen")
    night.books()
    told = re.compile("Paid before.*?Beto.*?pays.*?Ana.*?<b>1</b>", re.DOTALL)
    assert told.search(night.keeper.get(f"{night.session}/money").text)
    night.keeper.does(f"{night.session}/close", do="leave")
    assert told.search(night.keeper.get(f"{night.session}/end").text)
    assert "Beto pays Ana 1 (✓ paid)" in night.keeper.get(f"{night.session}/end").text
    for page in ("end.svg", "print"):  # paid before, and to be paid
        assert night.keeper.page(f"{night.session}/{page}").text.count("Beto pays Ana") == 2


def test_who_only_looks_on_ticks_and_reopens_nothing(night: Night) -> None:
    night.keeper.does(f"{night.session}/close", do="leave")
    viewer = Device(night.app)
    viewer.open(night.links()["look"])
    page = viewer.get(f"{night.session}/end").text
    assert "takes the night" in page
    assert "Reopen" not in page and 'class="tick"' not in page
    assert Device(night.app).get(f"{night.session}/end.svg").status_code == 404


def test_a_night_without_rounds_has_an_end_too(app: Flask) -> None:
    night = Night(app)
    night.keeper.does(f"{night.session}/close", do="leave")
    page = night.keeper.get(f"{night.session}/end").text
    assert "A night without a winner" in page and "Nobody owes anything." in page
    assert night.keeper.get(f"{night.session}/end.svg").status_code == 200


def test_equals_share_the_night(app: Flask) -> None:
    night = Night(app)
    ana, beto, caro = night.players.values()
    for winner in (ana, beto):
        night.keeper.does(f"{night.session}/move", movement="side-bet", from_=caro, to=winner, amount="2")
    night.keeper.does(f"{night.session}/close", do="leave")
    page = night.keeper.get(f"{night.session}/end").text
    assert "Ana and Beto share the night" in page
    assert re.findall(r'class="step"><span>(\d)</span>', page) == ["1", "1", "3"]


def test_the_picture_is_whole_by_itself(night: Night) -> None:
    night.keeper.does(f"{night.session}/close", do="leave")
    answer = night.keeper.get(f"{night.session}/end.svg")
    assert answer.mimetype == "image/svg+xml"
    root = ElementTree.fromstring(answer.data)
    assert (root.get("width"), root.get("height")) == ("1080", "1350")
    assert not [one for one in root.iter() if one.get("style") or one.tag in (f"{SVG}style", f"{SVG}image")]
    assert not re.search(r'(?:href|src)="(?!#)', answer.text)
    known = {one.get("id") for one in root.iter()}
    used = {one.get("href", "").removeprefix("#") for one in root.iter(f"{SVG}use")}
    assert used and used <= known
    words = [one.text for one in root.iter(f"{SVG}text")]
    assert {"Ana takes the night", "Beto pays Ana", "Best hand"} <= set(words)
    spanish = night.keeper.client.get(f"{night.session}/end.svg", headers={"Accept-Language": "es-MX"}).text
    assert "Beto le paga a Ana" in spanish


def test_the_last_line_of_the_picture_is_below_its_card(app: Flask) -> None:
    night = Night(app)
    night.books()
    for name in ("Ana", "Caro"):  # three payments and the turning point are all that it takes
        night.keeper.does(f"{night.session}/move", movement="loan", from_=night.players[name], to="bank", amount="1")
    night.keeper.does(f"{night.session}/close", do="leave")
    root = ElementTree.fromstring(night.keeper.get(f"{night.session}/end.svg").data)
    (card,) = [one for one in root.iter(f"{SVG}rect") if one.get("fill") == "#fffefb"]
    last = list(root.iter(f"{SVG}text"))[-1]
    assert int(card.get("height", "")) == 302 + 84 * 4
    top = float(last.get("y", "")) - float(last.get("font-size", ""))
    assert int(card.get("y", "")) + int(card.get("height", "")) < top
    assert float(last.get("y", "")) < 1350


def test_the_picture_has_the_colours_of_the_page() -> None:
    with open("static/styles/components/player.css", encoding="utf-8") as file:
        styles = file.read()
    found = re.findall(r"\.player-\d \{ --chip: (#\w+);(?: --on-chip: (#\w+);)? \}", styles)
    assert tuple((chip, letter or "#fff") for chip, letter in found) == CHIPS


def test_text_of_any_length_fits() -> None:
    assert fitted("Ana", 40, 200) == 40
    assert fitted("Maximiliana de la Cruz", 40, 200) < 20


@pytest.mark.parametrize("shares", [False, True], ids=["saved", "shared"])
def test_the_phone_makes_a_picture_of_it(browser: Browser, night: Night, shares: bool) -> None:
    night.keeper.does(f"{night.session}/close", do="leave")
    cookie = night.keeper.client.get_cookie("session")
    assert cookie is not None
    with served(night.app) as address, browser.new_context(viewport=PHONE, accept_downloads=True) as context:
        context.add_cookies([{"name": "session", "value": cookie.value, "url": address}])
        page, said = context.new_page(), list[str]()
        page.on("pageerror", lambda error: said.append(str(error)))
        page.on("console", lambda message: said.append(message.text))
        if shares:
            page.add_init_script(SHEET)
        page.goto(f"{address.rstrip('/')}{night.session}/end")
        button = page.locator("[data-share]")
        if shares:
            expect(button).to_have_text("Share the picture")
            button.click()
            kind, width, text = page.evaluate("window.shared")
            assert (kind, width) == ("image/png", 1080)
            assert "Ana takes the night" in text
        else:
            expect(button).to_have_text("Save the picture")
            with page.expect_download() as found:
                button.click()
            assert found.value.suggested_filename.endswith(".png")
            picture = Image.open(found.value.path()).convert("RGB")
            assert picture.size == (1080, 1350)
            # the paper in the middle, the winner's chip
            assert [picture.getpixel(at) for at in ((100, 700), (590, 340))] == [(255, 254, 251), (168, 31, 55)]
        assert said == []


def test_a_plan_for_all_nights_names_players_who_were_not_there(night: Night) -> None:
    night.keeper.does(f"{night.session}/close", do="leave")
    first, (ana, beto, caro) = night.session, night.players.values()
    seats = {"order": [ana, beto, caro], "player": [ana, caro], "game": "knock", "currency": ""}
    night.session = night.keeper.does(f"{night.group}/tonight", **seats, do="start")
    night.keeper.does(f"{night.session}/move", movement="loan", from_=caro, to=ana, amount="1")
    night.keeper.does(f"{night.session}/close", do="leave")
    night.keeper.does(f"{night.group}/settle")
    for page in ("end", "end.svg", "money", "print"):
        for session in (first, night.session):
            assert "Beto" in night.keeper.page(f"{session}/{page}").text
