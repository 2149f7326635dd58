"""What must be seen whatever the names, the amounts, the colours and the way that the phone is held."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from io import BytesIO
from itertools import chain, pairwise
from typing import Any
from urllib.parse import urljoin

import pytest
from browser import boxes_of, code_of, enter_hand, enter_round, join_night, open_seat, scale_text, start_night
from every_page import Site
from PIL import Image
from playwright.sync_api import Browser, Locator, Page, expect

UPRIGHT, WIDE = (320, 568), (844, 390)
CUT = "(part) => part.scrollWidth > part.clientWidth"
Opened = Callable[..., Page]


@pytest.fixture(scope="module")
def kept() -> Iterator[dict[str, list[Page]]]:
    """Pages for the next test, by the options of their screens: a new one takes as long as three addresses in it."""
    pages: dict[str, list[Page]] = defaultdict(list)
    yield pages
    for page in chain(*pages.values()):
        page.context.close()


@pytest.fixture
def opened(browser: Browser, site: Site, site_address: str, kept: dict[str, list[Page]]) -> Iterator[Opened]:
    """Opens a view of the site, by its name, on a screen of some size, with `text` times as large a text."""
    taken: list[tuple[list[Page], Page]] = []

    def on_screen(name: str, size: tuple[int, int], language: str = "en", text: int = 1, **options: Any) -> Page:
        shelf = kept[f"{text} {options}"]
        if not shelf:
            context = browser.new_context(has_touch=True, is_mobile=True, reduced_motion="reduce", **options)
            shelf.append(context.new_page())
            scale_text(shelf[0], text)
        page = shelf.pop()
        taken.append((shelf, page))
        view = next(view for view in site.views if view.name == name)
        cookie = site.cookie(view.phone, language, "light")
        page.context.add_cookies([{"name": "session", "value": cookie, "url": site_address}])
        page.set_viewport_size({"width": size[0], "height": size[1]})
        page.goto(site_address + site.address(view, unfolded=False))
        return page

    yield on_screen
    for shelf, page in taken:
        page.goto(f"{site_address}healthz")  # or what was typed would be there again, as after a reload
        page.evaluate("localStorage.clear(), sessionStorage.clear()")
        shelf.append(page)


def lines_of(page: Page, what: str) -> int:
    """Return in how many lines a text is written."""
    lines = """(what) => {
      const part = document.querySelector(what)
      return Math.round(part.clientHeight / parseFloat(getComputedStyle(part).lineHeight))
    }"""
    return int(page.evaluate(lines, what))  # in one go: the page may be drawn anew at any moment


def contrast(what: Locator) -> int:
    """Return by how much the lightest spot within a part's edge is lighter than the darkest, of 255."""
    picture = Image.open(BytesIO(what.screenshot())).convert("L")
    width, height = picture.size
    darkest, lightest = picture.crop((6, 6, width - 6, height - 6)).getextrema()
    return int(lightest - darkest)


@pytest.mark.parametrize("game", ["knock", "knock-poker", "knock-rummy", "domino-poker", "draw-poker"])
def test_four_players_fit_the_strip_of_a_phone(opened: Opened, game: str) -> None:
    page = opened(f"settle {game}", (390, 844))
    expect(page.locator(".playing .strip")).to_be_visible()
    assert not page.locator(".strip").evaluate(CUT)


@pytest.mark.parametrize("language", ["en", "es"])
@pytest.mark.parametrize("game", ["dompe", "knock", "knock-poker", "knock-rummy", "domino-poker", "draw-poker"])
def test_every_choice_of_a_house_rule_is_whole(opened: Opened, game: str, language: str) -> None:
    page = opened(f"settle {game}", (390, 844), language)
    page.locator("#rules > summary").click()
    # a list whose width follows its longest choice
    too_long = """() => [...document.querySelectorAll('#rules select')].filter((list) => {
      const { width } = list.getBoundingClientRect()
      list.style.cssText = 'width: max-content; max-width: none'
      return list.getBoundingClientRect().width > width
    }).map((list) => list.name)"""
    assert page.evaluate(too_long) == []


@pytest.mark.parametrize("size", [(390, 553), UPRIGHT, WIDE], ids=["390", "320", "844"])
def test_the_longest_name_of_a_game_is_whole_in_the_bar(browser: Browser, address: str, size: tuple[int, int]) -> None:
    viewport = {"width": size[0], "height": size[1]}
    with browser.new_context(viewport=viewport, has_touch=True, is_mobile=True) as context:
        session = start_night(page := context.new_page(), address, ("Ana", "Beto", "Caro"), "draw-poker")
        page.goto(f"{session}/round")
        expect(page.locator(".playing .strip")).to_be_visible()
        name, game, bar = (page.locator(what).bounding_box() for what in (".top h1", ".switch summary", ".top"))
        assert name and game and bar
        assert bar["y"] <= name["y"]
        assert name["y"] + name["height"] <= game["y"] + 1
        assert bar["height"] == 40
        cut = """(part) => {
          const text = document.createRange()
          text.selectNodeContents(part.firstElementChild)
          return text.getBoundingClientRect().bottom - part.getBoundingClientRect().bottom
        }"""
        assert page.locator(".under > .switch").evaluate(cut) < 2  # the lowest pixels of a line are empty


@pytest.mark.parametrize("size", [(390, 664), (360, 640), (390, 553), UPRIGHT], ids=["664", "640", "553", "568"])
@pytest.mark.parametrize("game", ["knock-poker", "dompe", "knock-rummy"])
def test_the_reading_is_seen_below_the_hand(opened: Opened, size: tuple[int, int], game: str) -> None:
    page = opened(f"settle {game}", size, "es")
    expect(page.locator(".seat.active")).to_be_visible()
    hidden = page.locator(".seat.active").evaluate("(seat) => seat.scrollHeight - seat.clientHeight")
    assert hidden <= 5  # less than what is empty below the reading


@pytest.mark.parametrize("size", [WIDE, (667, 375)], ids=["844", "667"])
@pytest.mark.parametrize(
    ("language", "reading"), [("en", "full house, nines over fours, leads"), ("es", "full de nueves con cuatros")]
)
def test_a_long_reading_is_whole_on_a_phone_on_its_side(
    opened: Opened, size: tuple[int, int], language: str, reading: str
) -> None:
    page = opened("settle knock-poker", size, language)
    expect(page.locator(".seat.active")).to_be_visible()
    cut = """(part, reading) => {
      part.textContent = reading
      return part.scrollHeight > part.clientHeight || part.scrollWidth > part.clientWidth
    }"""
    assert not page.locator(".seat.active .reading").evaluate(cut, reading)


@pytest.mark.parametrize(
    ("name", "what"),
    [("home", ".tonight .primary"), ("demo home", ".tonight .primary"), ("family night end", ".podium .place-1 .step")],
    ids=["home", "four players", "end"],
)
def test_a_phone_on_its_side_shows_what_a_page_is_for(opened: Opened, name: str, what: str) -> None:
    page = opened(name, WIDE, "es")
    box, dock = page.locator(what).bounding_box(), page.locator(".dock")
    lowest = dock.evaluate("(dock) => dock.getBoundingClientRect().top") if dock.count() else WIDE[1]
    assert box and box["y"] + box["height"] <= lowest


@pytest.mark.parametrize("size", [UPRIGHT, (390, 553), (390, 844), WIDE], ids=["320", "553", "390", "844"])
def test_what_the_dock_tells_moves_no_key(opened: Opened, size: tuple[int, int]) -> None:
    page = opened("settle knock-poker", size, "es")
    expect(page.locator(".playing .strip")).to_be_visible()
    (before,) = boxes_of(page, "[data-picker]")
    page = opened("ready to save", size, "es")
    expect(page.locator("[data-missing].settled")).to_contain_text("Ana gana +6")
    (after,) = boxes_of(page, "[data-picker]")
    assert after["top"] == before["top"]


@pytest.mark.parametrize("size", [UPRIGHT, (390, 553)], ids=["320", "553"])
def test_a_correction_opens_where_it_begins(opened: Opened, size: tuple[int, int]) -> None:
    page = opened("correction", size)
    expect(page.locator(".effects")).to_be_focused()
    assert page.evaluate("scrollY") == 0


def test_settle_is_the_next_thing_once_nothing_is_missing(browser: Browser, address: str) -> None:
    with browser.new_page(viewport={"width": 390, "height": 844}) as page:
        page.goto(f"{address}settle/knock-poker")
        settle = page.locator("[data-settle]")
        expect(settle).not_to_contain_class("primary")
        enter_round(page, ["9s 9h 9d 4c 4d", "Ah Kh 8h 5h 3h", "8c 8d Js 7d 4h", "2s 2h Jc 7c 4s"])
        expect(settle).to_contain_class("primary")
        # a card that another player holds has that player's colour
        open_seat(page, 1)
        key = page.locator('[data-picker] [data-piece="9s"]')
        expect(key).to_have_class("key player-0")
        open_seat(page, 0)
        expect(key).to_have_class("key")


def test_hands_in_the_list_of_rounds_take_two_lines(opened: Opened) -> None:
    page = opened("night rounds", UPRIGHT)
    lines = "(rows) => rows.map((row) => Math.round(row.clientHeight / parseFloat(getComputedStyle(row).lineHeight)))"
    assert max(page.locator(".rounds div > a").evaluate_all(lines)) == 2


@pytest.mark.parametrize("size", [WIDE, (667, 375)], ids=["844", "667"])
def test_the_table_view_keeps_off_the_edges_of_a_phone_on_its_side(opened: Opened, size: tuple[int, int]) -> None:
    page = opened("table view while played", size)
    *boxes, told, code = boxes_of(page, ".place .plate, .place .hand, .middle, .join b")
    assert len(boxes) == 6
    for box in boxes:
        assert box["bottom"] <= size[1] - 8
        assert box["bottom"] <= told["top"] or box["top"] >= told["bottom"]
    assert code["right"] <= size[0]


@pytest.mark.parametrize(
    ("name", "last"),
    [
        ("family night", ".oval .plate"),
        ("demo night", ".oval .plate"),
        ("stacks", ".oval .plate"),
        ("family night money", ".standings tr"),
        ("family night end", ".others li"),
    ],
)
def test_the_felt_ends_where_the_bar_begins(opened: Opened, name: str, last: str) -> None:
    page = opened(name, WIDE, "es")
    [bar], rows = boxes_of(page, ".tabs, .dock"), boxes_of(page, last)
    assert max(row["bottom"] for row in rows) <= bar["top"]
    assert page.locator(".top").evaluate("(top) => top.scrollHeight <= top.clientHeight")
    assert bar["top"] >= WIDE[1] - 48


def test_equal_sums_stand_on_equal_steps(opened: Opened) -> None:
    page = opened("family night end", (390, 844))
    _, second, third = boxes_of(page, ".podium .step")
    assert second["top"] == third["top"]
    assert page.locator(".others .place").all_inner_texts() == ["2", "5", "6"]


@pytest.mark.parametrize(
    ("name", "what", "least"),
    [
        ("error 404", "main .button", 6),
        ("night close", "#close > p > .button", 8),
        ("night money", "#chips .field, #chips .button", 6),
        ("settle dompe", "[value=add], .grid > .field:first-child", 6),
    ],
)
def test_what_is_tapped_stands_apart(opened: Opened, name: str, what: str, least: int) -> None:
    page = opened(name, UPRIGHT, "es")
    page.locator("details").evaluate_all("(all) => all.forEach((one) => { one.open = true })")
    boxes = boxes_of(page, what)
    assert len(boxes) > 1
    for above, below in pairwise(boxes):
        assert below["top"] - above["bottom"] >= least or below["left"] - above["right"] >= least


@pytest.mark.parametrize("name", ["family night", "home", "night people"])
def test_no_line_begins_with_a_dot(opened: Opened, name: str) -> None:
    page = opened(name, UPRIGHT, "es")
    clipped = """(line) => {
      const edge = line.getBoundingClientRect().left + parseFloat(getComputedStyle(line.querySelector('i')).width)
      const tops = [...line.children].map((part) => part.getBoundingClientRect().top)
      return [...line.querySelectorAll('i')].every((dot, at) =>
        tops[at + 1] === tops[at] || dot.getBoundingClientRect().right <= edge + 1)
    }"""
    assert page.locator(".top .dotted").evaluate(clipped)


def test_the_second_line_of_a_correction_does_not_begin_with_a_dot(opened: Opened) -> None:
    clipped = """(line) => {
      const [game, dealer] = [...line.children].map((part) => part.getBoundingClientRect())
      const dot = parseFloat(getComputedStyle(line.lastElementChild, '::before').width)
      const edge = line.getBoundingClientRect().left + parseFloat(getComputedStyle(line).clipPath.split(' ').at(-1))
      return dealer.top > game.top && dealer.left + dot <= edge + .1
    }"""
    assert opened("correction", UPRIGHT, "es").locator(".under").evaluate(clipped)


def test_a_result_too_long_for_the_dock_is_its_winner_alone(opened: Opened) -> None:
    told = opened("family night lines 1 correct", (390, 844)).locator("[data-missing].settled")
    expect(told).to_have_text("José Ángel wins +MX$6,172.50")
    assert not told.evaluate("(part) => part.scrollHeight > part.clientHeight")


@pytest.mark.parametrize("size", [UPRIGHT, WIDE], ids=["320", "844"])
@pytest.mark.parametrize(
    "text",
    [
        "Di quién dompeó o quién mostró un gane directo",
        "Faltan cartas: Jugador 1 (4), Jugador 2 (5), Jugador 3 (5) y Jugador 4 (5)",
    ],
    ids=["question", "cards"],
)
def test_what_is_missing_is_said_whole_on_the_smallest_phone(opened: Opened, size: tuple[int, int], text: str) -> None:
    told = opened("settle dompe", size, "es").locator("[data-missing]")
    told.evaluate("(part, text) => { part.textContent = text }", text)
    assert not told.evaluate("(part) => part.scrollHeight > part.clientHeight")


@pytest.mark.parametrize("size", [WIDE, (667, 375)], ids=["844", "667"])
def test_who_bets_on_a_phone_on_its_side_need_not_scroll(browser: Browser, address: str, size: tuple[int, int]) -> None:
    with ExitStack() as contexts:
        viewport = {"width": size[0], "height": size[1]}
        keeper, ana = (
            contexts.enter_context(browser.new_context(viewport=viewport, has_touch=True, reduced_motion="reduce"))
            for _ in range(2)
        )
        session = start_night(asked := keeper.new_page(), address, ("Ana", "Beto", "Caro"), "draw-poker")
        asked.goto(session)
        join_night(page := ana.new_page(), address, code_of(asked, session), "Ana")
        page.locator("[data-at-table]").click()
        page.get_by_role("button", name="Draw who deals first", exact=True).click()
        expect(page.locator("#at-table")).to_contain_text("was drawn by lot")
        turn = page.locator("#at-table .turn")
        while "Your" not in (said := turn.inner_text()):  # somebody else was drawn to begin
            asked.goto(session)
            asked.locator("#at-table .thirds .call").click()
            expect(turn).not_to_have_text(said, use_inner_text=True)
        expect(page.locator("#at-table .thirds")).to_be_visible()
        # found and measured in one go: the table may be drawn anew at any moment, also between the two of a locator
        find = "(what) => [...document.querySelectorAll(what)].map((one) => one.getBoundingClientRect().bottom)"
        bottoms = page.evaluate(find, "#at-table :is(.thirds, .wagers) button")
        assert len(bottoms) >= 3
        assert 0 < max(bottoms) <= size[1]


@pytest.mark.parametrize("size", [UPRIGHT, (390, 844), WIDE], ids=["320", "390", "844"])
def test_no_amount_is_cut_in_the_strip(opened: Opened, size: tuple[int, int]) -> None:
    page = opened("stacks round domino-poker", size)
    expect(page.locator(".playing .strip")).to_be_visible()
    stacks = page.locator(".tab .stack")
    assert "100,00" in stacks.all_inner_texts()[0]
    for tab in page.locator(".tab:has(.stack)").all():
        assert not tab.evaluate(CUT), tab.inner_text()
        assert not tab.locator(".stack").evaluate(CUT), tab.inner_text()


@pytest.mark.parametrize("language", ["en", "es"])
@pytest.mark.parametrize("size", [UPRIGHT, (390, 844), WIDE], ids=["320", "390", "844"])
def test_no_word_in_the_strip_is_cut(opened: Opened, size: tuple[int, int], language: str) -> None:
    page = opened("night lines 1 correct", size, language)
    first_words = """() => [...document.querySelectorAll('.tab.said small:not(.stack)')].map((told) => {
      const word = document.createRange()
      word.setStart(told.firstChild, 0)
      word.setEnd(told.firstChild, told.textContent.search(/ |$/))
      return [String(word), told.getBoundingClientRect().right - word.getBoundingClientRect().right]
    })"""
    expect(page.locator(".tab.said")).to_have_count(3)
    words = page.evaluate(first_words)
    assert all(room >= 0 for _word, room in words), words


@pytest.mark.parametrize("size", [UPRIGHT, (390, 844), WIDE], ids=["320", "390", "844"])
def test_what_is_wrong_with_tonight_is_gone_to(opened: Opened, size: tuple[int, int]) -> None:
    page = opened("group", size)
    page.get_by_text("Or choose").click()
    page.locator("#currency").select_option("EUR")
    page.locator("#stake").fill("")
    page.locator(".button[name=do][value=start]").click()
    expect(page.locator("#stake")).to_be_focused()
    expect(page.locator("#stake-error")).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize("size", [UPRIGHT, (390, 553)], ids=["320", "390"])
def test_who_is_out_of_chips_leaves_room_for_the_next_round(opened: Opened, size: tuple[int, int]) -> None:
    page = opened("stacks", size, "es")
    button, tabs = page.locator(".next .primary").bounding_box(), page.locator(".tabs").bounding_box()
    assert button and tabs and button["y"] + button["height"] <= tabs["y"]


@pytest.mark.parametrize("size", [UPRIGHT, (390, 844), (820, 1180)])
def test_head_to_head_shows_all_columns(opened: Opened, size: tuple[int, int]) -> None:
    assert not opened("family group players 14", size).locator(".scroll").last.evaluate(CUT)


def test_a_long_amount_leaves_room_for_who_pays_whom(opened: Opened) -> None:
    page = opened("family group", UPRIGHT)
    page.goto(urljoin(page.url, "/"))
    rooms = """(rows) => rows.map((row) => {
      row.querySelector('b:last-child').textContent = 'MX$7,407.00'
      return row.querySelector('a').clientWidth
    })"""
    widths = page.locator(".owed > li:has(small)").evaluate_all(rooms)
    assert widths
    assert min(widths) >= 96


def test_a_long_name_has_a_row_of_its_own_in_the_strip(opened: Opened) -> None:
    page = opened("family round", (390, 844))
    tab, name = page.locator('[data-tab="0"]'), page.locator('[data-tab="0"] b')
    expect(page.locator(".playing .strip")).to_be_visible()
    whole, text = tab.bounding_box(), name.bounding_box()
    assert whole is not None
    assert text is not None
    assert text["width"] > whole["width"] * 0.8
    assert lines_of(page, '[data-tab="0"] small') == 1


@pytest.mark.parametrize("size", [UPRIGHT, (390, 844)], ids=["320", "390"])
def test_names_are_whole_where_somebody_won(opened: Opened, size: tuple[int, int]) -> None:
    page = opened("settle dompe", size)
    page.locator("[data-way]").tap()
    for name in page.locator(".name:not(b)").all():
        name.evaluate("(field) => { field.value = 'Moni'; field.dispatchEvent(new Event('input', {bubbles: true})) }")
    expect(page.locator(".won b").first).to_have_text("Moni")
    assert not any(name.evaluate(CUT) for name in page.locator(".won b").all())


def test_the_head_of_a_new_group_is_low_on_a_laptop(browser: Browser, address: str) -> None:
    with browser.new_page(viewport={"width": 1280, "height": 800}) as page:
        page.goto(f"{address}groups/new")
        for at, name in enumerate(("Ana", "Beto")):
            page.locator("[name=player]").nth(at).fill(name)
        page.get_by_role("button", name="Create group").click()
        expect(page.get_by_role("button", name="Start tonight")).to_be_visible()
        page.wait_for_load_state()
        assert page.locator(".top").evaluate("(head) => head.offsetHeight") < 200


@pytest.mark.parametrize("name", ["table view", "table view while played"])
def test_the_table_view_on_an_upright_phone_takes_the_whole_width(opened: Opened, name: str) -> None:
    page = opened(name, UPRIGHT)
    assert lines_of(page, ".head h1") == 1
    if page.locator(".middle h2").count():
        assert lines_of(page, ".middle h2") == 1
    for place in boxes_of(page, ".place"):
        assert place["left"] >= 0
        assert place["right"] <= UPRIGHT[0]


@pytest.mark.parametrize("size", [UPRIGHT, (390, 844), (820, 1180)], ids=["320", "390", "820"])
def test_no_name_is_broken_beside_an_amount(opened: Opened, size: tuple[int, int]) -> None:
    page = opened("family night end", size)
    broken = """(rows) => rows.flatMap((row) => {
      const texts = document.createTreeWalker(row, NodeFilter.SHOW_TEXT), found = []
      while (texts.nextNode()) {
        for (const { 0: word, index } of texts.currentNode.data.matchAll(/[^\\s-]+/g)) {
          const range = document.createRange()
          range.setStart(texts.currentNode, index)
          range.setEnd(texts.currentNode, index + word.length)
          if (new Set([...range.getClientRects()].map((box) => Math.round(box.top))).size > 1) found.push(word)
        }
      }
      return found
    })"""
    rows = page.locator(".owed > li > span:not(.pair)")
    assert "Maximiliana" in rows.first.inner_text()
    assert rows.evaluate_all(broken) == []
    for row in page.locator(".owed > li:has(.tick)").all():
        amount, tick = row.locator("b").bounding_box(), row.locator(".tick").bounding_box()
        assert amount is not None
        assert tick is not None
        assert tick["y"] < amount["y"] + amount["height"]
        assert tick["x"] > amount["x"]


@pytest.mark.parametrize(
    "name",
    [*(f"family night {page}" for page in ("money", "end", "settle", "lines 1")), "family group", "family seats"],
)
def test_a_name_of_one_long_word_is_broken(opened: Opened, name: str) -> None:
    page = opened(name, UPRIGHT)
    page.evaluate("""() => {
      document.querySelectorAll('details').forEach((part) => { part.open = true })
      const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
      while (texts.nextNode()) {
        const text = texts.currentNode
        for (const name of ['Maximiliana de la Cruz', 'Guadalupe', 'José Ángel', 'Los domingos de la familia']) {
          text.data = text.data.replace(name, 'W'.repeat(60))
        }
      }
    }""")
    assert page.evaluate("document.documentElement.scrollWidth") == UPRIGHT[0]


def test_a_long_amount_has_its_line_without_an_icon(opened: Opened) -> None:
    page = opened("family night end", (390, 844))
    assert not page.locator(".much .icon").is_visible()
    assert not page.locator(".much b").evaluate(CUT)


def test_names_in_a_plan_take_the_whole_width(opened: Opened) -> None:
    page = opened("old plan of all", (390, 844))
    assert (
        page.locator(".payments > li", has_text="Ñ").locator(".pair + span").evaluate("(one) => one.clientHeight") < 30
    )


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize(
    ("name", "what"),
    [
        ("demo home", ".button.primary"),
        ("night round", "[data-settle]"),
        ("night round", '.tab[aria-current="true"]'),
        ("stacks round domino-poker", ".thirds .primary"),
    ],
    ids=["button", "settle", "tab", "bet"],
)
def test_forced_colours_leave_it_legible(opened: Opened, name: str, what: str, theme: str) -> None:
    # a system colour that a sheet asks for is left as it is, so that text and ground may become the same
    page = opened(name, (390, 844), forced_colors="active", color_scheme=theme)
    assert contrast(page.locator(what).locator("visible=true").first) > 128


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_forced_colours_show_what_is_paid(opened: Opened, theme: str) -> None:
    page = opened("family night money", (390, 844), forced_colors="active", color_scheme=theme)
    assert (
        contrast(page.locator(".tick[aria-pressed=true]").first) > 64
    )  # the tick, and the ground that the system marks things with


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_forced_colours_leave_a_tile_in_a_hand_legible(opened: Opened, theme: str) -> None:
    page = opened("settle domino-poker", (390, 844), forced_colors="active", color_scheme=theme)
    enter_hand(page, 0, "6-6")
    assert contrast(page.locator(".seat.active .slot:has(svg)").last) > 128


@pytest.mark.parametrize("what", [".seat.active .chip span", ".seat.active .slot:has(svg)"], ids=["answer", "card"])
def test_forced_colours_give_what_can_be_tapped_an_edge(opened: Opened, what: str) -> None:
    page = opened("night round", (390, 844), forced_colors="active")
    edge = page.locator(what).locator("visible=true").first.evaluate("(part) => getComputedStyle(part).borderStyle")
    assert edge == "solid"


@pytest.mark.parametrize(
    ("name", "what"),
    [
        ("night lines 1", ".rows p"),
        ("night changes", ".parts dd"),
        ("family night lines 1", ".carried"),
        ("table view", ".plate .said"),
    ],
)
def test_text_twice_as_large_takes_the_whole_width(opened: Opened, name: str, what: str) -> None:
    page = opened(name, UPRIGHT, text=2)
    page.locator("details").evaluate_all("(all) => all.forEach((one) => { one.open = true })")
    widths = [box["width"] for box in boxes_of(page, f"{what}:not(:empty)") if box["width"]]
    assert widths
    assert min(widths) > 190


@pytest.mark.parametrize("name", ["night lines 1", "night lines 1 void", "settled dompe"])
def test_text_twice_as_large_leaves_no_link_below_the_dock(opened: Opened, name: str) -> None:
    page = opened(name, UPRIGHT, "es", text=2)
    page.locator(".languages a").last.click(trial=True)
    (dock,) = boxes_of(page, ".dock")
    page.evaluate("scrollTo(0, 0)")
    (moved,) = boxes_of(page, ".dock")
    assert dock["height"] < UPRIGHT[1] / 3 or dock["top"] != moved["top"]  # what covers half of the page stays with it
