"""What must be seen whatever the names, the amounts, the colours and the way that the phone is held."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from io import BytesIO
from itertools import chain, pairwise, product
from typing import Any, NamedTuple
from urllib.parse import urljoin

import pytest
from browser import A_PHONE, boxes_of, code_of, enter_hand, join_night, scale_text, start_night
from every_page import Site
from PIL import Image
from playwright.sync_api import Browser, Locator, Page, expect

from companion.games import all_games

Size = tuple[int, int]
UPRIGHT, SHORT, USUAL, WIDE, LOW, TABLET = (320, 568), (390, 553), (390, 844), (844, 390), (667, 375), (820, 1180)
TURNED = (568, 320)  # the smallest phone on its side
Opened = Callable[..., Page]
Phone = Callable[..., Page]


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

    def put_back() -> None:
        while taken:
            shelf, page = taken.pop()
            page.goto(f"{site_address}healthz")  # or what was typed would be there again, as after a reload
            page.evaluate("localStorage.clear(), sessionStorage.clear()")
            shelf.append(page)

    def on_screen(name: str, size: Size, language: str = "en", text: int = 1, **options: Any) -> Page:
        put_back()
        shelf = kept[f"{text} {options}"]
        if not shelf:
            shelf.append(browser.new_context(**{**A_PHONE, **options}).new_page())
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
    put_back()


class Screen(NamedTuple):
    """Parts of views that a check must find nothing wrong with, on screens of these sizes and in these languages."""

    views: str  # one or several, with commas
    parts: str  # all parts that are visible
    wrong: str  # in JavaScript, of `part`
    sizes: Sequence[Size] = (USUAL,)
    languages: str = "en"
    before: str = ""  # in JavaScript
    text: int = 1


WIDER, HIGHER = "part.scrollWidth > part.clientWidth", "part.scrollHeight > part.clientHeight"
CUT = f"{WIDER} || {HIGHER}"
GAMES = "knock, knock-poker, knock-rummy, domino-poker, draw-poker"
# until the script has drawn the form
SETTLED = "await until(() => document.querySelector('.playing .strip, .playing .seat.active'))\n"
UNFOLDED = "document.querySelectorAll('details').forEach((one) => { one.open = true })\n"
LONGEST = "Faltan cartas: Jugador 1 (4), Jugador 2 (5), Jugador 3 (5) y Jugador 4 (5)"
# the first word of what a tab says
FIRST_WORD = """(() => {
  const word = document.createRange()
  word.setStart(part.firstChild, 0)
  word.setEnd(part.firstChild, part.textContent.search(/ |$/))
  return word.getBoundingClientRect().right > part.getBoundingClientRect().right
})()"""
# words that go on in the next line
BROKEN = """(() => {
  const texts = document.createTreeWalker(part, NodeFilter.SHOW_TEXT)
  while (texts.nextNode()) {
    for (const { 0: word, index } of texts.currentNode.data.matchAll(/[^\\s-]+/g)) {
      const range = document.createRange()
      range.setStart(texts.currentNode, index)
      range.setEnd(texts.currentNode, index + word.length)
      if (new Set([...range.getClientRects()].map((box) => Math.round(box.top))).size > 1) return true
    }
  }
})()"""
# a dot between two lines is out of sight
FIRST_DOT = """(() => {
  const edge = part.getBoundingClientRect().left + parseFloat(getComputedStyle(part.querySelector('i')).width)
  const tops = [...part.children].map((one) => one.getBoundingClientRect().top)
  return ![...part.querySelectorAll('i')].every((dot, at) =>
    tops[at + 1] === tops[at] || dot.getBoundingClientRect().right <= edge + 1)
})()"""
FIRST_DOT_OF_CORRECTION = """(() => {
  const [game, dealer] = [...part.children].map((one) => one.getBoundingClientRect())
  const dot = parseFloat(getComputedStyle(part.lastElementChild, '::before').width)
  const edge = part.getBoundingClientRect().left + parseFloat(getComputedStyle(part).clipPath.split(' ').at(-1))
  return dealer.top <= game.top || dealer.left + dot > edge + .1
})()"""
LINES = "Math.round(part.clientHeight / parseFloat(getComputedStyle(part).lineHeight))"
# below the dock, the tabs or the window
BELOW = """part.getBoundingClientRect().bottom > Math.min(
  innerHeight, ...[...document.querySelectorAll('.dock, .tabs')].map((bar) => bar.getBoundingClientRect().top))"""
LONG_WORDS = """
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  while (texts.nextNode()) {
    for (const name of ['Maximiliana de la Cruz', 'Guadalupe', 'José Ángel', 'Los domingos de la familia']) {
      texts.currentNode.data = texts.currentNode.data.replace(name, 'W'.repeat(60))
    }
  }"""
NAMES = """document.querySelector('[data-way]').click()
  document.querySelectorAll('.name:not(b)').forEach((field) => {
    field.value = 'Moni'
    field.dispatchEvent(new Event('input', { bubbles: true }))
  })"""

KNOCKED = "document.querySelector('.seat [name^=asked-]').click()\n"


def written(selector: str, text: str) -> str:
    return f"{SETTLED}document.querySelector('{selector}').textContent = '{text}'\n"


SCREENS = {
    "a name has its room beside all answers": Screen(
        "settle knock-poker, dompe, knock, whisky-poker",
        ".won b",
        f"part.clientWidth < 30 || {WIDER}",
        [UPRIGHT, USUAL, WIDE],
        before=f"{NAMES}\n{KNOCKED}",
    ),
    "what a tab says of who isn't named yet is whole": Screen(
        "settle knock-poker, dompe, knock, knock-rummy, thirty-one, whisky-poker",
        ".tab.said small",
        "part.scrollHeight > part.clientHeight + 1"
        f" || part.parentNode.scrollHeight > part.parentNode.clientHeight || {FIRST_WORD}",
        [UPRIGHT, (360, 640), USUAL],
        "en, es",
        SETTLED + KNOCKED,
    ),
    "a name can be typed beside all answers of a knock": Screen(
        "settle knock-poker, dompe, knock, thirty-one, whisky-poker",
        ".seat.active .line",
        f"part.querySelector('input.name').clientWidth < 38 || {WIDER}",
        [UPRIGHT],
        "en, es",
        SETTLED + KNOCKED,
    ),
    "a ten is whole on the smallest card of a hand": Screen(
        "settle knock-rummy, gin-rummy, knock-poker",
        ".seat.active .slot .face b",
        "part.clientHeight > 1.5 * parseFloat(getComputedStyle(part).fontSize)"
        " || part.getBoundingClientRect().right > part.closest('.slot').getBoundingClientRect().right",
        [(375, 553), UPRIGHT, (320, 640), WIDE],
        before=f"{SETTLED}document.querySelectorAll('.key[data-piece^=T]').forEach((key) => key.click())\n",
    ),
    "four players fit the strip": Screen(f"settle {GAMES}", ".strip", WIDER, before=SETTLED),
    "the reading is seen below the hand": Screen(
        "settle knock-poker, dompe, knock-rummy",
        ".seat.active",
        "part.scrollHeight > part.clientHeight + 5",  # less than what is empty below the reading
        [(390, 664), (360, 640), SHORT, UPRIGHT],
        "es",
        SETTLED,
    ),
    "what stands below a hand is seen beside the news and what is missing": Screen(
        "family round, five round, my hand",
        ".seat.active",
        "part.scrollTop > 0 || part.scrollHeight > part.clientHeight + 5",
        [(390, 664), (375, 667), UPRIGHT, (412, 915), USUAL],
        "es",
        SETTLED,
    ),
    "the balance beside the keys is whole or left out": Screen(
        "my hand",
        ".docked .mine > *",
        # below the line it isn't seen at all
        "part.getBoundingClientRect().top < part.parentNode.getBoundingClientRect().bottom - 4"
        f" && ({WIDER} || part.getBoundingClientRect().bottom > part.parentNode.getBoundingClientRect().bottom)",
        [USUAL, (360, 740)],
        "en, es",
        SETTLED,
    ),
    "what a knock wins is read beside a long amount": Screen(
        "my hand",
        ".prospects li > span:not(.player)",
        "part.clientWidth < 80 || part.parentNode.scrollWidth > part.parentNode.clientWidth",
        [SHORT, (320, 640), (360, 640)],
        "es",
        f"{SETTLED}document.querySelector('[data-at-table]').click()\n"
        + written(".prospects b", "bote 1,200, +200 de cada quien"),
    ),
    "a long reading is whole": Screen(
        "settle knock-poker",
        ".seat.active .reading",
        CUT,
        [WIDE, LOW],
        before=written(".seat.active .reading", "full house, nines over fours, leads"),
    ),
    "a long reading in Spanish is whole": Screen(
        "settle knock-poker",
        ".seat.active .reading",
        CUT,
        [WIDE, LOW],
        "es",
        written(".seat.active .reading", "full de nueves con cuatros"),
    ),
    "what is missing is said whole": Screen(
        "settle dompe", "[data-missing]", HIGHER, [UPRIGHT, WIDE], "es", written("[data-missing]", LONGEST)
    ),
    "a question is said whole": Screen(
        "settle dompe",
        "[data-missing]",
        HIGHER,
        [UPRIGHT, WIDE],
        "es",
        written("[data-missing]", "Di quién dompeó o quién mostró una mano ganadora"),
    ),
    "who deals is seen beside a note": Screen(
        "four in euros, night round five-card-draw, stacks round domino-poker",
        "[data-dealer]",
        # the lowest pixels of a line are empty
        "part.getBoundingClientRect().bottom > part.parentNode.getBoundingClientRect().bottom + 2",
        [UPRIGHT, (360, 640), USUAL],
        "en, es",
        SETTLED
        + "document.querySelector('[data-note]').classList.remove('unseen')\n"
        + written("[data-note]", "next round: stake 5"),
    ),
    "and below the longest name of a game": Screen(
        "night round draw-poker",
        "[data-dealer]",
        "part.getBoundingClientRect().bottom > part.parentNode.getBoundingClientRect().bottom + 2",
        languages="en, es",
        before=SETTLED,
    ),
    "a phone on its side shows tonight": Screen("home, demo home", ".tonight .primary", BELOW, [WIDE], "es"),
    "a phone on its side shows the first": Screen("family night end", ".podium .place-1 .step", BELOW, [WIDE], "es"),
    "the felt ends where the bar begins": Screen(
        "family night, demo night, stacks", ".oval .plate", BELOW, [WIDE], "es"
    ),
    "the standings end where the bar begins": Screen("family night money", ".standings tr", BELOW, [WIDE], "es"),
    "the last ones end where the bar begins": Screen("family night end", ".others li", BELOW, [WIDE], "es"),
    "the bar is low on a phone on its side": Screen(
        "family night, demo night, stacks, family night money, family night end",
        ".tabs, .dock",
        # on the table tab it is above the rail
        "part.getBoundingClientRect().top < innerHeight - 48 - (document.getElementById('rail')?.offsetHeight ?? 0)",
        [WIDE],
        "es",
    ),
    "the head is whole on a phone on its side": Screen(
        "family night, demo night, stacks, family night money, family night end", ".top", HIGHER, [WIDE], "es"
    ),
    "who is out of chips leaves room for the next round": Screen(
        "stacks", "#rail .primary", "part.getBoundingClientRect().bottom > innerHeight", [UPRIGHT, SHORT], "es"
    ),
    "hands in the list of rounds take two lines": Screen("night rounds", ".rounds div > a", f"{LINES} > 2", [UPRIGHT]),
    "no line begins with a dot": Screen("family night, home, night people", ".top .dotted", FIRST_DOT, [UPRIGHT], "es"),
    "nor that of a correction": Screen("correction", ".under", FIRST_DOT_OF_CORRECTION, [UPRIGHT], "es"),
    "a result too long for the dock is its winner alone": Screen(
        "family night lines 1 correct",
        "[data-missing]",
        f"part.textContent !== 'José Ángel wins +MX$6,172.50' || {HIGHER}",
        before="await until(() => document.querySelector('[data-missing].settled'))",
    ),
    "no amount is cut in the strip": Screen(
        "stacks round domino-poker", ".tab:has(.stack), .tab .stack", WIDER, [UPRIGHT, USUAL, WIDE], before=SETTLED
    ),
    "no word in the strip is cut": Screen(
        "night lines 1 correct",
        ".tab.said small:not(.stack)",
        FIRST_WORD,
        [UPRIGHT, USUAL, WIDE],
        "en, es",
        "await until(() => document.querySelectorAll('.tab.said').length === 3)",
    ),
    "head to head shows all columns": Screen("family group players 19", ".scroll", WIDER, [UPRIGHT, USUAL, TABLET]),
    "names are whole where somebody won": Screen(
        "settle dompe", ".won b", f"part.textContent !== 'Moni' || {WIDER}", [UPRIGHT, USUAL], before=SETTLED + NAMES
    ),
    "a long name has a row of its own in the strip": Screen(
        "family round",
        '[data-tab="0"]',
        "part.querySelector('b').getBoundingClientRect().width < part.getBoundingClientRect().width * .8",
        before=SETTLED,
    ),
    "and so has what it says": Screen("family round", '[data-tab="0"] small', f"{LINES} !== 1", before=SETTLED),
    "the table view on an upright phone has its head in one line": Screen(
        "table view, table view while played", ".head h1, .middle h2", f"{LINES} !== 1", [UPRIGHT]
    ),
    "and takes the whole width": Screen(
        "table view, table view while played",
        ".place",
        "part.getBoundingClientRect().left < 0 || part.getBoundingClientRect().right > innerWidth",
        [UPRIGHT],
    ),
    "no name is broken beside an amount": Screen(
        "family night end", ".owed > li > span:not(.pair)", BROKEN, [UPRIGHT, USUAL, TABLET]
    ),
    "a tick stands beside its amount": Screen(
        "family night end",
        ".owed > li:has(.tick)",
        """(([amount, tick]) => tick.y >= amount.bottom || tick.x <= amount.x)(
          [part.querySelector('b'), part.querySelector('.tick')].map((one) => one.getBoundingClientRect()))""",
        [UPRIGHT, USUAL, TABLET],
    ),
    "an amount stands beside who pays it": Screen(
        "night settle costs=EUR",
        ".plan > li > b",
        "part.getBoundingClientRect().top >= part.previousElementSibling.getBoundingClientRect().bottom",
        [(360, 640), USUAL],
        "en, es",
    ),
    "a name of one long word is broken": Screen(
        "family night money, family night end, family night settle, family night lines 1, family group, family seats",
        "html",
        "part.scrollWidth !== innerWidth",
        [UPRIGHT],
        before=UNFOLDED + LONG_WORDS,
    ),
    "a long amount has its line without an icon": Screen(
        "family night end", ".much b, .much .icon", f"part.matches('.icon') || {WIDER}"
    ),
    "names in a plan take the whole width": Screen(
        "old plan of all", ".payments > li .pair + span", "part.textContent.includes('Ñ') && part.clientHeight >= 30"
    ),
    "text twice as large takes the whole width": Screen(
        "night lines 1, night changes, family night lines 1, table view",
        ".rows p:not(:empty), .parts dd:not(:empty), .carried:not(:empty), .plate .said:not(:empty)",
        "part.getBoundingClientRect().width <= 190",
        [UPRIGHT],
        before=UNFOLDED,
        text=2,
    ),
}
FOUND = """async () => {
  const until = async (isSo) => { while (!isSo()) await new Promise(requestAnimationFrame) }
  %s
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))
  const seen = [...document.querySelectorAll(%r)].filter((part) => part.checkVisibility())
  return [seen.length, seen.filter((part) => %s).map((part) => part.outerHTML)]
}"""


def views_of(names: str) -> list[str]:
    """Split the names of views; "settle" stands only before the first game."""
    start = "settle " if names.startswith("settle ") else ""
    return [start + name for name in names.removeprefix(start).split(", ")]


@pytest.mark.parametrize("what", SCREENS)
def test_on_a_screen(opened: Opened, what: str) -> None:
    row = SCREENS[what]
    for name, size, language in product(views_of(row.views), row.sizes, row.languages.split(", ")):
        page = opened(name, size, language, row.text)
        count, wrong = page.evaluate(FOUND % (row.before, row.parts, row.wrong))
        assert (count > 0, wrong) == (True, []), (name, size, language)


def lightness(what: Locator) -> int:
    """Return by how much the lightest spot within a part's edge is lighter than the darkest, of 255."""
    picture = Image.open(BytesIO(what.screenshot())).convert("L")
    width, height = picture.size
    darkest, lightest = picture.crop((6, 6, width - 6, height - 6)).getextrema()
    return int(lightest - darkest)


# a system colour that a sheet asks for is left as it is, so that text and ground may become the same
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_forced_colours_leave_it_legible(opened: Opened, theme: str) -> None:
    rows = [
        ("demo home", ".button.primary", 128),
        ("settle knock-poker", "[data-settle]", 128),
        ("settle knock-poker", '.tab[aria-current="true"]', 128),
        ("stacks round domino-poker", ".thirds .primary", 128),
        ("family night money", ".tick[aria-pressed=true]", 64),  # and the ground that the system marks things with
        ("settle domino-poker", ".seat.active .slot:has(svg)", 128),
    ]
    for name, what, least in rows:
        page = opened(name, USUAL, forced_colors="active", color_scheme=theme)
        if name == "settle domino-poker":
            enter_hand(page, 0, "6-6")
        assert lightness(page.locator(what).locator("visible=true").first) > least, (name, what)
    page = opened("settle knock-poker", USUAL, forced_colors="active", color_scheme=theme)
    enter_hand(page, 0, "As Ks")
    for what in (".seat.active .chip span", ".seat.active .slot:has(svg)"):  # what can be tapped has an edge
        part = page.locator(what).locator("visible=true").first
        assert part.evaluate("(part) => getComputedStyle(part).borderStyle") == "solid", what


def test_the_longest_name_of_a_game_is_whole_in_the_bar(page: Page, address: str) -> None:
    start_night(page, address, game="draw-poker", at="/round")
    cut = """(part) => {
      const text = document.createRange()
      text.selectNodeContents(part.firstChild)
      return text.getBoundingClientRect().bottom - part.getBoundingClientRect().bottom
    }"""
    for width, height in (SHORT, UPRIGHT, WIDE):
        page.set_viewport_size({"width": width, "height": height})
        page.reload()
        expect(page.locator(".playing .strip")).to_be_visible()
        (bar,), (name,), (game,) = (boxes_of(page, what) for what in (".top", ".top h1", ".switch"))
        assert bar["top"] <= name["top"]
        assert name["bottom"] <= game["top"] + 1
        assert bar["height"] == 40
        assert page.locator(".under > .switch").evaluate(cut) < 2  # the lowest pixels of a line are empty


def test_short_names_are_whole_in_their_tabs(page: Page, address: str) -> None:
    night = start_night(page, address, ("Ana", "Pedro", "Carolina", "Diego"))
    cut = "(names) => names.filter((name) => name.scrollWidth > name.clientWidth).map((name) => name.textContent)"
    for key, game in all_games().items():
        if key == "any-game":  # has no hands, and so no tabs
            continue
        page.goto(f"{night}/round?game={key}")
        for size in (UPRIGHT, (360, 640), (375, 667), (390, 664), USUAL):
            page.set_viewport_size({"width": size[0], "height": size[1]})
            names = page.locator(".playing .strip .who")
            expect(names).to_have_count(min(4, game.seats[1]))
            assert names.evaluate_all(cut) == [], (key, size)


@pytest.mark.parametrize("language", ["en", "es"])
def test_icons_stay_within_their_tabs(phone: Phone, address: str, language: str) -> None:
    page = phone(locale=language)
    page.set_viewport_size({"width": 320, "height": 568})
    page.goto(f"{address}settle/domino-poker")
    page.locator('[data-tab="0"]').tap()
    beside = """(icons) => icons.filter((icon) => {
      const [inner, outer] = [icon, icon.closest('.tab')].map((one) => one.getBoundingClientRect())
      const text = icon.nextElementSibling.getBoundingClientRect()
      return inner.left < outer.left || inner.right > outer.right || text.top < inner.bottom
    }).map((icon) => icon.closest('.tab').textContent.trim())"""
    icons = page.locator(".playing .strip .tab svg")
    expect(icons).to_have_count(2)
    assert icons.evaluate_all(beside) == []


def test_what_the_dock_tells_moves_no_key(opened: Opened) -> None:
    for size in (UPRIGHT, SHORT, USUAL, WIDE):
        page = opened("settle knock-poker", size, "es")
        expect(page.locator(".playing .strip")).to_be_visible()
        (before,) = boxes_of(page, "[data-picker]")
        page = opened("ready to save", size, "es")
        expect(page.locator("[data-missing].settled")).to_contain_text("Ana gana +6")
        (after,) = boxes_of(page, "[data-picker]")
        assert after["top"] == before["top"], size


def test_a_page_opens_where_it_begins_or_goes_to_what_is_wrong(opened: Opened) -> None:
    for size in (UPRIGHT, SHORT, USUAL, WIDE):
        if size in (UPRIGHT, SHORT):
            page = opened("correction", size)
            expect(page.locator(".effects")).to_be_focused()
            assert page.evaluate("scrollY") == 0
        page = opened("group", size)
        again = page.get_by_role("button", name="Start another night like last time")
        expect(again).to_be_visible()
        page.get_by_text("Or choose").click()
        expect(again).to_be_hidden()  # it would ignore what is chosen
        page.locator("#currency").select_option("EUR")
        page.locator("#stake").fill("")
        page.locator(".button[name=do][value=start]").click()
        expect(page.locator("#stake")).to_be_focused()
        expect(page.locator("#stake-error")).to_be_in_viewport(ratio=1)


def test_the_table_view_keeps_off_the_edges_of_a_phone_on_its_side(opened: Opened) -> None:
    for width, height in (WIDE, LOW):
        page = opened("table view while played", (width, height))
        *boxes, told, code = boxes_of(page, ".place .plate, .place .hand, .middle, .join b")
        assert len(boxes) == 6
        for box in boxes:
            assert box["bottom"] <= height - 8
            assert box["bottom"] <= told["top"] or box["top"] >= told["bottom"]
        assert code["right"] <= width


def test_no_words_are_written_over_a_hand_on_the_table_view(opened: Opened) -> None:
    covered = """() => {
      const words = document.createRange()
      const lines = [...document.querySelectorAll('.head > *, .middle > *')].flatMap((one) => {
        words.selectNodeContents(one)
        return [...words.getClientRects()]
      })
      const parts = [...document.querySelectorAll('.place .plate, .place .piece, .side h2')]
      return parts.filter((part) => lines.some((line) => {
        const box = part.getBoundingClientRect()
        return Math.min(line.right, box.right) - Math.max(line.left, box.left) > 1 &&
          Math.min(line.bottom, box.bottom) - Math.max(line.top, box.top) > 1
      })).map((part) => part.outerHTML)
    }"""
    names = ("Concepción", "Maximiliana")
    told = f"{names[0]} wins +MX$1,150.00|{names[0]} beats {names[1]}: full house over flush"
    for size, language in product((WIDE, LOW, TABLET), ("en", "es")):
        for name in ("five on a table view", "eight on a table view"):
            page = opened(name, size, language)
            page.evaluate(
                """([lead, why]) => {
                  document.querySelector('.middle h2').textContent = lead
                  document.querySelector('.middle p').textContent = why
                  document.querySelector('.head p').textContent = 'Draw Poker with CARDominoes'
                }""",
                told.split("|"),
            )
            assert page.evaluate(covered) == [], (name, size, language)


def test_equal_sums_stand_together(opened: Opened) -> None:
    page = opened("family night end", USUAL)
    # three share the second place, so that the podium has no room for all of them
    assert len(boxes_of(page, ".podium .step")) == 1
    assert page.locator(".others .place").all_inner_texts() == ["2", "2", "2", "5", "6"]


def test_what_is_tapped_stands_apart(opened: Opened) -> None:
    rows = [
        ("error 404", "main .button", 6),
        ("night close", "#close > p > .button", 8),
        ("night money", "#chips .field, #chips .button", 6),
        ("settle dompe", "#rules [value=add], .grid > .field:first-child", 6),
        ("settle dompe", "#seat-0 .foot > .chips > .button", 6),
    ]
    for name, what, least in rows:
        page = opened(name, UPRIGHT, "es")
        page.locator("details").evaluate_all("(all) => all.forEach((one) => { one.open = true })")
        boxes = boxes_of(page, what)
        assert len(boxes) > 1
        for above, below in pairwise(boxes):
            assert below["top"] - above["bottom"] >= least or below["left"] - above["right"] >= least, name


def test_who_bets_on_a_phone_on_its_side_need_not_scroll(phone: Phone, address: str) -> None:
    asked, page = phone(), phone()
    night = start_night(asked, address, game="draw-poker", at="")
    join_night(page, address, code_of(asked, night), "Ana")
    page.get_by_role("button", name="Draw who deals first", exact=True).click()
    expect(page.locator("#at-table")).to_contain_text("was drawn by lot")
    turn = page.locator("#rail [role=status]")
    while "you" not in (said := turn.inner_text()).lower():  # somebody else was drawn to begin
        asked.goto(night)
        asked.locator("#rail [value^=check]").click()
        expect(turn).not_to_have_text(said, use_inner_text=True)
    for width, height in (WIDE, LOW):
        page.set_viewport_size({"width": width, "height": height})
        expect(page.locator("#rail .halves")).to_be_visible()
        bottoms = [box["bottom"] for box in boxes_of(page, "#rail .halves .button, #at-table .acting button")]
        assert len(bottoms) >= 3
        assert 0 < max(bottoms) <= height


@pytest.mark.parametrize(("size", "seen"), [(UPRIGHT, 1), ((360, 640), 2), (USUAL, 2), (WIDE, 2), (LOW, 2)])
def test_who_won_and_who_pays_whom_is_seen_at_first_glance(opened: Opened, size: Size, seen: int) -> None:
    for name in ("settled knock-poker", "settled domino-poker", "night lines 1"):
        page = opened(name, size)
        (dock,) = boxes_of(page, ".dock")
        heading, *payments = [box for box in boxes_of(page, "#won, .moves .payments > li") if box["height"]]
        assert heading["top"] >= 0
        assert len(payments) >= seen
        assert max(payment["bottom"] for payment in payments[:seen]) <= dock["top"], name


def test_a_long_amount_leaves_room_for_who_pays_whom(opened: Opened) -> None:
    page = opened("family group", UPRIGHT)
    page.goto(urljoin(page.url, "/"))
    rooms = """(rows) => rows.map((row) => {
      row.querySelector('b:last-child').textContent = 'MX$7,407.00'
      return row.querySelector('a').clientWidth
    })"""
    assert min(page.locator(".owed > li:has(small)").evaluate_all(rooms)) >= 96


def test_the_head_of_a_new_group_is_low_on_a_laptop(phone: Phone, address: str) -> None:
    page = phone(viewport={"width": 1280, "height": 800}, is_mobile=False)
    page.goto(f"{address}groups/new")
    for at, name in enumerate(("Ana", "Beto")):
        page.locator("[name=player]").nth(at).fill(name)
    page.get_by_role("button", name="Next: choose the game").click()
    expect(page.get_by_role("button", name="Start tonight")).to_be_visible()
    page.wait_for_load_state()
    assert page.locator(".top").evaluate("(head) => head.offsetHeight") < 200


def test_text_twice_as_large_leaves_no_link_below_the_dock(opened: Opened) -> None:
    for name in ("night lines 1", "night lines 1 void", "settled dompe"):
        page = opened(name, UPRIGHT, "es", text=2)
        page.locator(".languages a").last.click(trial=True)
        (dock,) = boxes_of(page, ".dock")
        page.evaluate("scrollTo(0, 0)")
        (moved,) = boxes_of(page, ".dock")
        # what covers half of the page stays with it
        assert dock["height"] < UPRIGHT[1] / 3 or dock["top"] != moved["top"], name


@pytest.mark.parametrize("language", ["en", "es"])
@pytest.mark.parametrize("game", ["knock-poker", "knock"])
def test_all_answers_of_a_single_round_are_in_sight_after_a_knock(opened: Opened, game: str, language: str) -> None:
    page = opened(f"settle {game}", USUAL, language)
    page.locator('[data-tab="1"]').click()
    page.locator("#seat-1 label.chip").first.click()
    page.locator('[data-tab="2"]').click()
    for size in (UPRIGHT, (360, 640), (375, 667), (390, 664), (360, 740), (412, 732), USUAL, WIDE, LOW, TURNED):
        page.set_viewport_size({"width": size[0], "height": size[1]})
        answers = [box for box in boxes_of(page, "#seat-2 .chips .chip") if box["width"]]
        assert len(answers) >= 3
        assert [box for box in answers if box["x"] < 0 or box["x"] + box["width"] > size[0]] == [], size


def test_the_name_of_the_game_is_tapped_on_44_pixels(opened: Opened) -> None:
    missed = """(game) => {
      const { left, top } = game.getBoundingClientRect()
      const bar = document.querySelector('.top').offsetHeight
      const [high, low] = bar < 44 ? [1, bar - 1] : [bar / 2 - 22 + 1, bar / 2 + 22 - 1]
      const points = [[left + 22, top + 6], [left + 22, bar / 2]]
      for (const x of [left + 1, left + 43]) points.push([x, high], [x, low])
      return points.filter(([x, y]) => document.elementFromPoint(x, y)?.closest('.switch') !== game)
    }"""
    for name, size in product(
        ("night round five-card-draw", "night round", "stacks round domino-poker"), (UPRIGHT, USUAL, WIDE)
    ):
        page = opened(name, size)
        expect(page.locator(".playing .strip")).to_be_visible()
        game = page.locator(".under > .switch")
        assert game.evaluate(missed) == [], (name, size)
        middle = "(one) => { const { x, y, width, height } = one.getBoundingClientRect();"
        middle += " return document.elementFromPoint(x + width / 2, y + height / 2)?.closest('.switch') === one }"
        assert game.evaluate(middle), (name, size)


@pytest.mark.parametrize("size", [UPRIGHT, USUAL, WIDE])
def test_a_note_leaves_game_and_dealer_in_sight(opened: Opened, size: Size) -> None:
    page = opened("my hand", size, "es")
    expect(page.locator(".playing .strip")).to_be_visible()
    page.evaluate("""() => {
      const note = document.querySelector('[data-note]')
      note.innerHTML = '<a href=""><span>Se corrigió la ronda 1</span><b>&nbsp;(−$1,050.50)</b></a>'
      note.classList.remove('unseen')
    }""")
    bar, name, dealer, amount = (
        boxes_of(page, what)[0] for what in (".top", ".top h1", "[data-dealer]", "[data-note] b")
    )
    game = boxes_of(page, ".under > :first-child")[0]
    assert name["top"] >= bar["top"]
    assert name["bottom"] <= game["top"] + 2
    for box in (game, dealer):
        assert box["width"] > 30 and box["top"] < amount["top"]
    column = boxes_of(page, ".top > div")[0]
    assert amount["right"] <= column["right"] and amount["bottom"] <= bar["bottom"] + 1


@pytest.mark.parametrize("size", [UPRIGHT, USUAL, LOW])
def test_points_stand_beside_their_player(opened: Opened, size: tuple[int, int]) -> None:
    page = opened("four in euros", size, "en")
    page.locator("[data-way=points]").click()
    for at, name in enumerate(["Ana", "Beto", "Caro", "Dani"]):
        expect(page.locator(f"#seat-{at} .line > .name")).to_be_visible()
        expect(page.locator(f"#seat-{at} .line > .name")).to_have_text(name)
