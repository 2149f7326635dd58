"""The end of a night: the page of a closed one, and the picture that a phone makes of it."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from html import unescape
from typing import Any
from xml.etree import ElementTree

import pytest
from browser import PHONE, served
from devices import HANDS, PlayedNight, words
from flask import Flask
from PIL import Image
from playwright.sync_api import Browser, expect
from sqlalchemy import select

from companion.store.history.tallies import Summary
from companion.store.models import Line, Night, db
from companion.web.ledger_lines.best_hands import best_hands
from companion.web.ledger_lines.ending import lasted
from companion.web.text.labels import on_podium
from companion.web.text.share_picture import colours, fitted, width_of, wrapped

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
def night(app: Flask) -> PlayedNight:
    """Give a night of two rounds that Ana won, with a loan between them."""
    return PlayedNight(app, begins="round, loan 1 Beto Caro, round")


def test_an_open_night_is_not_at_its_end_and_closing_leads_there(night: PlayedNight) -> None:
    for path in ("end", "end.svg"):
        answer = night.keeper.get(f"{night.night}/{path}")
        assert (answer.status_code, answer.location) == (302, night.night)
    assert night.does("/close", do="leave") == f"{night.night}/end"


# what was done | the page | what it says | what it doesn't
TOLD: list[tuple[str, str, list[str], list[str]]] = [
    (
        "round, loan 1 Beto Caro, round, close",  # the second round is line 3
        "/end",
        [
            "Ana takes the night",
            "2 rounds",
            "Best hand",
            "Full house, nines over fours",
            "Biggest pot",
            "Beto pays Ana",
        ],
        ["round 3"],
    ),
    ("round, round, close", "/end", ["From round 1 on Ana was ahead to the end"], []),
    ("round, round, void 1", "", ["1 round", "Round 3"], []),  # its number stays taken
    ("round, round, void 1, close", "/end", ["1 round"], []),
    ("round, round, void 1, close", "/end.svg", ["1 round"], []),
    ("close", "/end", ["A night without a winner", "Nobody owes anything."], []),
    ("side-bet 2 Caro Ana, side-bet 2 Caro Beto, close", "/end", ["Ana and Beto share the night"], []),
    (
        "side-bet 2 Ana Beto, loan 50 Beto Caro, close",  # who lends money wins nothing by it
        "/end",
        ["Beto takes the night", "entry 1 on Beto was ahead", "Beto pays Caro 48", "The payments also cover loans"],
        [],
    ),
    ("side-bet 2 Ana Beto, loan 50 Beto Caro, close", "{group}", ["+2"], ["48"]),
    ("round, close, reopen, round", "/money", ["If you stopped now"], []),
    ("round, close, reopen, round", "/settle", ["Out of date"], []),
    ("round, close, reopen, round, close", "/settle", [], ["Out of date"]),
    ("round, settle, void 1", "/settle", ["Out of date", "Beto pays Ana", "nobody owes anything anymore"], []),
    ("round, settle, void 1", "/money", [], ["Beto pays Ana"]),
    ("round, settle", "/settle", [], ["Out of date"]),
]


@pytest.mark.parametrize(("done", "page", "said", "unsaid"), TOLD)
def test_a_page_tells(app: Flask, done: str, page: str, said: list[str], unsaid: list[str]) -> None:
    text = PlayedNight(app).plays(done).text(page)
    assert [sentence for sentence in said if sentence not in text] == []
    assert [sentence for sentence in unsaid if sentence in text] == []


@pytest.mark.parametrize(
    ("kind", "is_told"), [({}, True), ({"currency": "EUR", "stake": "1"}, False), ({"buy-in": "20"}, False)]
)
def test_chips_that_were_handed_over_are_not_paid_again(app: Flask, kind: dict[str, str], is_told: bool) -> None:
    night = PlayedNight(app, begins="round", **kind)
    asked = ("money", "settle")
    told = [night.page(f"/{path}").text for path in asked]
    night.plays("close")
    told += [night.page(f"/{path}").text for path in (*asked, "end")]
    assert ["If everyone keeps their chips, only loans" in text for text in told] == [is_told] * 5


def test_the_biggest_pot_went_to_who_took_it_and_not_to_all_who_were_paid(app: Flask) -> None:
    night = PlayedNight(app)
    night.books(asked_knocker="1")  # Beto loses, and pays Caro as well
    night.plays("close")
    assert "Biggest pot: 3 to Ana\n" in night.html("/end")


def told_of_pots(night: PlayedNight) -> list[str]:
    """Return what each place says of the biggest pot: the page, its text, the picture, the charts."""
    end, svg, charts = (night.html(f"/{page}") for page in ("end", "end.svg", "pictures"))
    panel = end[end.index('id="pot">') : end.index("</section>", end.index('id="pot">'))]
    text = re.search(r"Biggest pot: .*", end)
    assert text is not None
    picture = [one.text or "" for one in ElementTree.fromstring(svg).iter(f"{SVG}text")]
    after = picture[picture.index("Biggest pot") :][:4]
    line = charts[charts.index("Biggest pot") : charts.index("</li>", charts.index("Biggest pot"))]
    return [words(one) for one in (panel, text[0], " ".join(after), line)]


# the rounds' fields; what the four places say of the biggest pot
POTS = [
    (
        "returned",
        [
            {"players": ("1-6 2-5 3-4 1-5 1-2", "5-6 1-3 1-4 2-3 2-4", "6-6 5-5 4-6 3-5 2-2"), "paid": (50, 1, 1)},
            {"players": ("6-6 5-5 4-4 3-3 2-2", "5-6 1-3 1-4 2-3 2-4", "1-6 2-5 3-4 1-5 1-2"), "paid": (3, 3, 3)},
        ],
        ("€9.00", "Ana", "round 2"),
    ),
    (
        "uncalled",  # in all-in rounds too: everybody else folded, and no layer is returned
        [
            {"players": ("", "", ""), "paid": (50, 1, 1), "folded": (1, 2)},
            {"players": ("1-6 2-5 3-4 1-5 1-2", "6-6 5-5 4-4 3-3 2-2", ""), "paid": (2, 2, 1), "folded": (2,)},
        ],
        ("€5.00", "Beto", "round 2"),
    ),
]


@pytest.mark.parametrize(("rounds", "told"), [row[1:] for row in POTS], ids=[row[0] for row in POTS])
def test_chips_that_nobody_matched_are_in_no_biggest_pot(
    app: Flask, rounds: list[dict[str, tuple[Any, ...]]], told: tuple[str, str, str]
) -> None:
    night = PlayedNight(app, game="domino-poker", currency="EUR", stake="0.25")
    for entered in rounds:
        fields = {f"players-{at}-hand": hand for at, hand in enumerate(entered["players"])} | {"betting": ""}
        fields |= {f"players-{at}-paid": str(paid) for at, paid in enumerate(entered["paid"])}
        fields |= {f"players-{at}-folded": "y" for at in entered.get("folded", ())}
        whole = night.round_fields(night.keeper, **fields, **{"rules-all_in": "y"})
        night.does("/round", **whole, do="save")
    night.plays("close")
    amount, winner, round = told
    panel, text, picture, line = told_of_pots(night)
    for place in (panel, text, picture, line):
        assert amount in place
        assert [name for name in night.players if name in place] == [winner]
    assert round in panel and round in line


def test_a_best_hand_is_its_owners(app: Flask) -> None:
    night = PlayedNight(app, begins="round")
    with app.test_request_context("/"):
        line = db.session.scalars(select(Line)).one()
        sums = Summary(best_line_id=line.id, best_at_least=1, best_of=2)
        found = best_hands(line.group_id, [(int(player), sums) for player in night.players.values()])
        hands = [" ".join(card.text for card in hand.cards) for hand in found.values()]
    assert [sorted(hand.split()) for hand in hands] == [sorted(hand.split()) for hand in HANDS.values()]


def test_what_was_paid_of_an_earlier_plan_is_told(night: PlayedNight) -> None:
    first = night.plays("close").plan("/end")
    night.does(first, do="pay-0", back="end", **{"amount-0": "1"})
    told = re.compile("Paid before.*?Beto.*?pays.*?Ana.*?<b>1</b>", re.DOTALL)
    assert told.search(night.plays("reopen, round").html("/money"))
    assert told.search(night.plays("close").html("/end"))
    assert night.plan("/end") != first
    assert "Beto pays Ana 1 (✓ paid)" in night.html("/end")
    for page in ("end.svg", "print"):  # paid before, and to be paid
        assert night.page(f"/{page}").text.count("Beto pays Ana") == 2


def test_phones_that_joined_stay_when_their_night_is_reopened(night: PlayedNight) -> None:
    beto = night.joined("Beto")
    night.plays("round, close, reopen")
    pages = ("", "/state", "/me", "/table", "/round")
    assert [beto.get(f"{night.night}{page}").status_code for page in pages] == [200] * len(pages)


def test_who_only_looks_on_ticks_and_reopens_nothing(night: PlayedNight) -> None:
    page = night.plays("close").html("/end", night.guest("look"))
    assert f'href="{night.night}/lines/1">round 1</a>' in page
    assert "Reopen" not in page and 'class="tick"' not in page


# the seconds from opening to closing, and how long the page says the night lasted
LASTED = [
    (0, ""),
    (59, ""),
    (60, "1 min"),
    (3_599, "59 min"),
    (3_600, "1 h 0 min"),
    (86_399, "23 h 59 min"),
    (86_400, ""),
    (-1, ""),  # the clock was set back
    (-86_400, ""),
]


@pytest.mark.parametrize(("seconds", "told"), LASTED)
def test_how_long_a_night_lasted(app: Flask, seconds: int, told: str) -> None:
    opened_at = datetime(2026, 11, 20, 20, tzinfo=UTC)
    session = Night(opened_at=opened_at, closed_at=opened_at + timedelta(seconds=seconds))
    with app.test_request_context("/"):
        assert lasted(session) == told


def test_equals_share_a_step(app: Flask) -> None:
    page = PlayedNight(app).plays("side-bet 2 Caro Ana, side-bet 2 Caro Beto, close").html("/end")
    assert re.findall(r'class="step"><span>(\d)</span>', page) == ["1", "1", "3"]


def test_the_picture_is_whole_by_itself(night: PlayedNight) -> None:
    night.plays("close")
    answer = night.keeper.get(f"{night.night}/end.svg")
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
    spanish = night.keeper.client.get(f"{night.night}/end.svg", headers={"Accept-Language": "es-MX"}).text
    assert "Beto le paga a Ana" in spanish


def test_the_picture_has_the_colours_of_the_page(app: Flask) -> None:
    with app.app_context():
        found = colours()
    assert found.tokens["brass"] == "#e6b54c"
    assert found.inks["hearts"] == found.tokens["heart"] == "#bf1d22"
    assert len(found.chips) == 10
    assert found.chips[:3] == [("#a81f37", "#fff"), ("#1f55b5", "#fff"), ("#eeb32b", "#241703")]


def test_an_amount_of_any_length_fits_on_its_line() -> None:
    assert fitted(["Ana"], 40, 200) == 40
    size = fitted(["+1", "\u221210,000,000"], 40, 200, 700)
    assert size < 40 and width_of("\u221210,000,000", 700) * size == pytest.approx(200, rel=0.01)


@pytest.mark.parametrize(
    ("texts", "size", "lines"),
    [
        (["Ana", "Beto"], 30, [["Ana"], ["Beto"]]),
        (["Maximiliana de la Cruz", "Ana"], 30, [["Maximiliana", "de la Cruz"], ["Ana"]]),
        (["Concepción Villanueva-Etxeberria"], 20, [["Concepción", "Villanueva-", "Etxeberria"]]),
        (["Y" * 40], 20, [["Y" * 13] * 3 + ["Y"]]),
        (["Ana Laura", "Concepcionistas"], 20, [["Ana Laura"], ["Concepcionistas"]]),
    ],
)
def test_texts_are_wrapped_in_one_size_and_never_shortened(texts: list[str], size: int, lines: list[list[str]]) -> None:
    found = wrapped(texts, (30, 20), 210)
    assert [one.lines for one in found] == lines
    assert {one.size for one in found} == {size}


LONG = (
    "Maximiliana de la Cruz",
    "Concepción Villanueva-Etxeberria",
    "Xóchitl",
    "Bartholomew Featherstonehaugh",
    "W" * 30,
    "José Ángel",
    "Ñ",
    "Guadalupe Hernández Martínez de Iturbide",
    "Friedrich-Wilhelm",
)


@pytest.mark.parametrize("language", ["en", "es-MX"])
@pytest.mark.parametrize(("more", "height"), [(0, 1350), (3, 1750), (9, 2600)], ids=["3", "6", "12"])
def test_nothing_in_the_picture_is_cut_or_left_out(
    browser: Browser, app: Flask, language: str, more: int, height: int
) -> None:
    night = PlayedNight(app, begins="round", currency="MXN", stake="1234.50")
    for name in LONG[:more]:
        night.does("/seats", newcomer=name, do="new", order=list(night.players.values()))
    group = night.page("{group}")
    keys = list(dict.fromkeys([*night.players.values(), *group.fields["order"]]))
    for at, key in enumerate(keys[1:]):
        loan = {"movement": "loan", "from_": keys[0], "to": key, "amount": f"{98765 + 11 * at}.50"}
        night.does("/move", **loan)
    night.plays("close")
    cookie = night.keeper.client.get_cookie("session")
    assert cookie is not None
    with served(night.app) as address, browser.new_context(viewport=PHONE, locale=language) as context:
        context.add_cookies([{"name": "session", "value": cookie.value, "url": address}])
        page = context.new_page()
        page.goto(f"{address.rstrip('/')}{night.night}/end.svg")
        root = page.locator("svg").first
        assert root.get_attribute("width") == "1080"
        high = int(root.get_attribute("height") or 0)
        assert 1350 <= high <= height
        texts = page.evaluate(
            """() => [...document.querySelectorAll('text')].map((one) => {
              const root = document.documentElement.getBoundingClientRect()
              const { x: left, y: top, width, height } = one.getBoundingClientRect()
              const [x, y] = [left - root.left, top - root.top]
              return [one.textContent, x, y + height * .1, x + width, y + height * .9]
            })"""
        )
    for said, left, top, right, bottom in texts:
        assert left >= 20 and right <= 1060 and top > 0 and bottom < high, said
    for at, (said, left, top, right, bottom) in enumerate(texts):
        for other, x, y, far, low in texts[at + 1 :]:
            assert right <= x or far <= left or bottom <= y or low <= top, (said, other)
    told = re.sub(r"\s", "", "".join(one[0] for one in texts))
    text = night.keeper.client.get(f"{night.night}/end", headers={"Accept-Language": language}).text
    summary = unescape(text[text.index("<textarea") : text.index("</textarea>")])
    amounts = re.findall(r"[+\u2212]?(?:MX)?\$[\d,.]+\d", summary)
    assert len(set(amounts)) >= 4 + more
    for amount in amounts:
        assert any(amount in one[0] for one in texts)
    for whole in (*night.players, *LONG[:more], *amounts):
        assert re.sub(r"\s", "", whole) in told
    assert told.count("lepagaa" if language == "es-MX" else "pays") == 2 + more


@pytest.mark.parametrize("shares", [False, True], ids=["saved", "shared"])
def test_the_phone_makes_a_picture_of_it(browser: Browser, night: PlayedNight, shares: bool) -> None:
    night.plays("close")
    cookie = night.keeper.client.get_cookie("session")
    assert cookie is not None
    with served(night.app) as address, browser.new_context(viewport=PHONE, accept_downloads=True) as context:
        context.add_cookies([{"name": "session", "value": cookie.value, "url": address}])
        page, said = context.new_page(), list[str]()
        page.on("pageerror", lambda error: said.append(str(error)))
        page.on("console", lambda message: said.append(message.text))
        if shares:
            page.add_init_script(SHEET)
        page.goto(f"{address.rstrip('/')}{night.night}/end")
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


def test_a_plan_for_all_nights_names_players_who_were_not_there(night: PlayedNight) -> None:
    first, two = night.plays("close").night, ["{Ana}", "{Caro}"]
    night.night = night.does("{group}/tonight", order=two, player=two, game="knock", currency="", do="start")
    night.plays("loan 1 Caro Ana, close").does("{group}/settle")
    for page in ("end", "end.svg", "money", "print"):
        for session in (first, night.night):
            assert "Beto" in night.keeper.page(f"{session}/{page}").text


# nets, highest first | who stands on the podium
PODIUMS = [("5 3 1 0", 3), ("5 3 3", 3), ("5 1 1 1", 1), ("5 4 1 1", 2), ("2 2 2 -6", 3), ("0 0 0 0", 0), ("1", 1)]


@pytest.mark.parametrize(("nets", "standing"), PODIUMS)
def test_equals_stand_together_on_the_podium_or_below_it(nets: str, standing: int) -> None:
    assert on_podium([int(net) for net in nets.split()]) == standing
