"""The pages in Chromium on a phone: by tapping and by typing, with and without JavaScript.

What the scripts do by themselves is tested in tests/scripts; here they meet the pages, the styles and the server.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest
from browser import HANDS, answer, enter_round, open_seat, play_example, save, start_night, tap_cards
from playwright.sync_api import Locator, Page, expect
from sample_rounds import WITH_HANDS

from companion.games import all_games

PICTURE_HANDS = [hand for hand in HANDS.values() if hand]


def line(page: Page, seat: int) -> Locator:
    return page.locator(f"[name=players-{seat}-hand]")


def filled(page: Page, seat: int) -> Locator:
    return page.locator(f"#seat-{seat} [data-slots] .slot:not(.empty)")


def test_a_round_by_tapping_from_the_home_page(page: Page, address: str) -> None:
    page.goto(address)
    page.get_by_role("link", name="Knock Poker 2 to ").tap()
    answer(page, 0, "knocked")
    answer(page, 2, "dropped")
    missing = page.locator("[data-missing]")
    expect(missing).to_contain_text("Player 1\u00a0(5)")
    # one tap a card, and nothing between the hands
    for card in " ".join(PICTURE_HANDS).split():
        page.locator(f'[data-picker] [data-piece="{card}"]').tap()
    expect(page.locator("#seat-1 [data-reading]")).to_have_text("flush, ace high, in 2nd place")
    expect(missing).to_contain_text("Player 1 wins +8")
    page.locator("[data-settle]").tap()
    expect(page.locator("#won")).to_have_text("Player 1 wins +8")
    page.locator(".segments label", has_text="Keep score").tap()
    some, all_of_it = "3 1 of it already paid if you use chips", "2 already paid if you use chips"
    due = [f"Player {payer} pays Player 1 {said}" for payer, said in ((2, some), (3, all_of_it), (4, some))]
    expect(page.locator(".by-score .pair + span")).to_have_text(due)


def test_a_call_stays_beside_an_outright_win_of_six_cards(page: Page, address: str) -> None:
    page.goto(f"{address}settle/dompe")
    for said in ("called", "showed an outright win"):
        answer(page, 0, said)
    for asked in ("caller", "shown_by"):
        expect(page.locator(f"[name=asked-{asked}]:checked")).to_have_value("0")
    expect(page.locator("#seat-0 .slot")).to_have_count(6)
    tap_cards(page, "Ad Kd 9d 8d 5d 3d")
    expect(page.locator("#seat-0 [data-reading]")).to_contain_text("six-card flush, an outright win")
    page.locator("[data-settle]").tap()
    expect(page.locator(".winner p")).to_have_text("Player 1 shows an outright win: six-card flush.")


def test_what_changes_the_form_keeps_its_place_and_the_keys_alive(page: Page, address: str) -> None:
    page.goto(f"{address}settle/knock-rummy")
    for name in ("Player 4", "Player 3"):
        page.locator("#rules > summary").tap()
        page.get_by_role("button", name=f"{name} ×").tap()
        expect(page.locator("[data-name]")).to_have_count(3 if name == "Player 4" else 2)
    if page.locator("#rules[open]").count():
        page.locator("#rules > summary").tap()
    tap_cards(page, "As 2s 3s")
    expect(line(page, 0)).to_have_value("As 2s 3s")
    expect(page.locator("#seat-0 .slot")).to_have_count(10)
    expect(filled(page, 0)).to_have_count(3)
    # another deck has other keys
    page.goto(f"{address}settle/dompe")
    page.fill("[name=players-0-name]", "Ana")
    page.locator("#rules > summary").tap()
    page.select_option("[name=rules-deck]", "spanish-40")
    expect(page.locator('[data-piece="12b"]')).to_have_count(1)
    expect(page.locator('[data-piece="Kd"]')).to_have_count(0)
    expect(page.locator("[name=players-0-name]")).to_have_value("Ana")


SPELLINGS = {
    "knock": [("10d A♥ 9S", "Td Ah 9s"), ("AhKd9s", "Ah Kd 9s"), ("10hA♥️9s", "Th Ah 9s")],
    "domino-poker": [("62 3:3", "2-6 3-3"), ("[2-6]335–4", "2-6 3-3 4-5")],
}


@pytest.mark.parametrize("game", SPELLINGS)
def test_every_spelling_of_the_line_is_a_key(page: Page, address: str, game: str) -> None:
    page.goto(f"{address}settle/{game}")
    open_seat(page, 0)
    for typed, cards in SPELLINGS[game]:
        expect(line(page, 0)).to_be_hidden()
        page.locator("[data-type]").tap()
        expect(page.locator("[data-picker]")).to_be_hidden()
        line(page, 0).fill(typed)
        expect(filled(page, 0)).to_have_count(len(cards.split()))
        page.locator("[data-type]").tap()
        for card in cards.split():
            expect(page.locator(f'[data-picker] [data-piece="{card}"]')).to_have_attribute("aria-pressed", "true")


def test_a_reload_loses_nothing(page: Page, address: str) -> None:
    page.goto(f"{address}settle/knock-poker")
    dealer = page.locator("[data-dealer]")
    expect(dealer).to_have_text("Player 4 deals")
    page.locator("#rules > summary").tap()
    page.locator("#dealers label").nth(1).tap()
    expect(dealer).to_have_text("Player 2 deals")
    page.locator("#rules > summary").tap()
    tap_cards(page, "9s 9h")
    expect(page.locator("[data-missing]")).to_contain_text("Player 1 (3)")
    page.reload()
    expect(page.locator("[data-missing]")).to_contain_text("Player 1\u00a0(3), Player 2\u00a0(5), Player 3\u00a0(5)")
    expect(dealer).to_have_text("Player 2 deals")
    expect(line(page, 0)).to_have_value("9s 9h")
    expect(filled(page, 0)).to_have_count(2)


def test_an_error_takes_the_focus_and_stands_at_its_field(page: Page, address: str) -> None:
    page.goto(f"{address}settle/knock")
    page.locator("[data-type]").tap()
    line(page, 0).fill("9s 9s 4c 4d Xx")
    page.locator("[data-settle]").tap()
    expect(page.locator("#problems")).to_be_focused()
    expect(page.locator("#players-0-hand-error")).to_contain_text("Xx in Player 1's hand isn't a card of this set")
    # what cannot be read is mended where it was typed
    expect(line(page, 0)).to_be_visible()
    expect(line(page, 0)).to_have_value("9s 9s 4c 4d Xx")


def test_without_javascript_a_round_is_tapped_settled_and_dealt_again(phone: Callable[..., Page], address: str) -> None:
    page = phone(java_script_enabled=False)
    page.goto(f"{address}settle/knock-poker")
    keys = page.locator("details.keys").nth(1)
    keys.locator("summary").tap()
    for card in HANDS["Beto"].split():
        keys.locator("label.key", has=page.locator(f'[value="{card}"]')).tap()
    play_example(page)
    expect(page.locator("#won")).to_have_text("Ana wins +8")
    page.get_by_role("button", name="Next round").tap()
    expect(page.locator("[name=dealer]:checked")).to_have_value("0")
    expect(page.locator("[name=players-0-name]")).to_have_value("Ana")
    expect(page.locator("[name=players-0-hand]")).to_have_value("")


# choices of drop-down lists that need more room than their list has
CUT_CHOICES = """() => [...document.querySelectorAll('select')].flatMap((select) => {
  const { width } = select.getBoundingClientRect()
  return [...select.options].map((option) => option.text).filter((text) => {
    const alone = select.cloneNode()
    alone.append(new Option(text))
    alone.style.cssText = 'position: absolute; width: auto'
    select.after(alone)
    const needed = alone.getBoundingClientRect().width
    alone.remove()
    return needed > width + 0.5
  })
})"""
SMALL_KEYS = """() => [...document.querySelectorAll('[data-picker] .key')].filter((key) => {
  const { width, height } = key.getBoundingClientRect()
  return key.checkVisibility() && Math.min(width, height) < 44
}).map((key) => key.dataset.piece)"""
WIDTHS = (320, 390, 820)


@pytest.mark.parametrize("locale", ["en-GB", "es-MX"])
def test_nothing_is_cut_and_keys_are_large_enough_for_a_thumb(
    phone: Callable[..., Page], address: str, locale: str
) -> None:
    page, lists = phone(locale=locale), 0
    night = start_night(page, address, game="knock", at="")
    group = str(page.locator('a[href^="/g/"]').first.get_attribute("href"))
    paths = [f"{kind}/{key}" for key in all_games() for kind in ("settle", "help")]
    nights = [f"{night}/money", *(f"{night}/rules?game={key}" for key in all_games())]
    for path in (*nights, address, f"{address}{group[1:]}", *(address + path for path in paths)):
        page.set_viewport_size({"width": 390, "height": 844})
        page.goto(path)
        if "settle" in path and path.rpartition("/")[2] in WITH_HANDS:
            open_seat(page, 0)
            assert page.locator("[data-picker] .key").count() >= 20
            assert page.evaluate(SMALL_KEYS) == [], path
        page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true })")
        for width in WIDTHS:
            page.set_viewport_size({"width": width, "height": 844})
            assert page.evaluate("document.documentElement.scrollWidth") <= width, path
            assert page.evaluate(CUT_CHOICES) == [], path
        lists += page.locator("select").count()
    assert lists > 40


# words of a sentence that are drawn to the left of the word before them
SWAPPED = """(lines) => lines.flatMap((line) => {
  const words = []
  const nodes = document.createTreeWalker(line, NodeFilter.SHOW_TEXT)
  while (nodes.nextNode()) {
    for (const found of nodes.currentNode.data.matchAll(/[^\\s\\u2066-\\u2069]+/g)) {
      const range = new Range()
      range.setStart(nodes.currentNode, found.index)
      range.setEnd(nodes.currentNode, found.index + found[0].length)
      const box = range.getBoundingClientRect()
      const isSeen = !nodes.currentNode.parentElement.closest(".player, .unseen")
      if (isSeen) words.push({ text: found[0], left: box.left, top: box.top, bottom: box.bottom })
    }
  }
  return words.filter((word, at) => at && word.top < words[at - 1].bottom && words[at - 1].top < word.bottom
    && word.left < words[at - 1].left).map((word) => `${word.text} in: ${line.innerText}`)
})"""


def test_names_in_hebrew_and_arabic_swap_places_with_nothing(page: Page, address: str) -> None:
    start_night(page, address, ["דנה", "يوسف", "Ana"], at="/round")
    enter_round(page, PICTURE_HANDS)
    save(page)
    page.wait_for_url("**/lines/1?saved=yes")
    page.locator(".why summary").click()
    for where in ("main .transfers li", "main .payments li > span", ".paid-before small", "main .payments div", "#won"):
        lines = page.locator(where)
        assert lines.count() and lines.evaluate_all(SWAPPED) == [], where
