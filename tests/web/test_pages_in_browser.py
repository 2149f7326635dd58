"""The pages in Chromium on a phone: by tapping and by typing, with and without JavaScript."""

from __future__ import annotations

import pytest
from browser import HANDS, PHONE, answer, enter_round, open_seat, play_example, start_night, tap_cards, tick
from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect

from companion.games import all_games

PICTURE_HANDS = {seat: hand for seat, hand in enumerate(HANDS.values()) if hand}


def phone(browser: Browser, **more: object) -> BrowserContext:
    return browser.new_context(viewport=PHONE, has_touch=True, is_mobile=True, reduced_motion="reduce", **more)


def key(page: Page, card: str) -> Locator:
    return page.locator(f'[data-picker] [data-piece="{card}"]')


def line(page: Page, seat: int) -> Locator:
    return page.locator(f"[name=players-{seat}-hand]")


def filled(page: Page, seat: int) -> Locator:
    return page.locator(f"#seat-{seat} [data-slots] .slot:not(.empty)")


def reading(page: Page, seat: int) -> Locator:
    return page.locator(f"#seat-{seat} [data-reading]")


def expect_active(page: Page, seat: int) -> None:
    expect(page.locator(".seat.active")).to_have_id(f"seat-{seat}")


def test_a_round_by_tapping_from_the_home_page(page: Page, address: str) -> None:
    page.goto(address)
    page.get_by_role("link", name="Knock Poker", exact=True).tap()
    answer(page, 0, "knocked")
    answer(page, 2, "dropped")
    # one tap a card, and nothing between the hands
    for card in " ".join(PICTURE_HANDS.values()).split():
        key(page, card).tap()
    expect(page.locator("[data-missing]")).to_contain_text("Player 1 wins +8")
    page.locator("[data-settle]").tap()
    expect(page.locator("#won")).to_have_text("Player 1 wins +8")
    page.locator(".segments label", has_text="Keep score").tap()
    expect(page.locator(".by-score .pair + span")).to_have_text(
        ["Player 2 pays Player 1 3", "Player 3 pays Player 1 2", "Player 4 pays Player 1 3"], use_inner_text=True
    )


def test_a_full_hand_goes_on_to_the_next_player_who_is_in(page: Page, address: str) -> None:
    page.goto(f"{address}settle/knock-poker")
    expect_active(page, 0)
    answer(page, 1, "dropped")
    expect_active(page, 0)
    tap_cards(page, HANDS["Ana"])
    expect_active(page, 2)
    expect(filled(page, 0)).to_have_count(5)
    answer(page, 2, "dropped")
    expect_active(page, 3)


def test_a_tap_on_what_is_missing_leads_to_it(page: Page, address: str) -> None:
    page.goto(f"{address}settle/knock-poker")
    tap_cards(page, HANDS["Ana"])
    open_seat(page, 0)
    missing, asked = page.locator("[data-missing]"), page.locator(".chips[data-current]")
    expect(missing).to_contain_text("Player 2 (5)")
    missing.tap()
    expect_active(page, 1)
    tap_cards(page, HANDS["Beto"])
    for seat in (2, 3):
        answer(page, seat, "dropped")
    expect(missing).to_contain_text("knocked")
    missing.tap()
    expect(asked).to_be_visible()
    answer(page, 0, "knocked")
    expect(asked).to_have_count(0)


def test_what_the_hands_come_to_stands_beside_them(page: Page, address: str) -> None:
    page.goto(f"{address}settle/knock-poker")
    tap_cards(page, HANDS["Ana"])
    expect(reading(page, 0)).to_have_text("full house, nines over fours")
    tap_cards(page, HANDS["Beto"])
    expect(reading(page, 0)).to_have_text("full house, nines over fours, leads")
    expect(reading(page, 1)).to_have_text("flush, ace high, in 2nd place")
    expect(page.locator("[data-missing]")).to_have_text("Cards missing: Player 3 (5) and Player 4 (5)")


def test_a_winning_hand_of_six_is_tapped(page: Page, address: str) -> None:
    page.goto(f"{address}settle/dompe")
    answer(page, 0, "showed an outright win")
    tap_cards(page, "Ad Kd 9d 8d 5d 3d")
    expect(reading(page, 0)).to_contain_text("six-card flush, an outright win")
    page.locator("[data-settle]").tap()
    expect(page.locator(".winner p")).to_have_text("Player 1 shows an outright win: six-card flush.")


def test_taking_a_player_out_keeps_the_place_and_the_keys_alive(page: Page, address: str) -> None:
    page.goto(f"{address}settle/knock-rummy")
    for name in ("Player 4", "Player 3"):
        page.locator("#rules summary").tap()
        page.get_by_role("button", name=f"{name} ×").tap()
        expect(page.locator("[data-name]")).to_have_count(3 if name == "Player 4" else 2)
    if page.locator("#rules[open]").count():
        page.locator("#rules summary").tap()
    tap_cards(page, "As 2s 3s")
    expect(line(page, 0)).to_have_value("As 2s 3s")
    expect(page.locator("#seat-0 .slot")).to_have_count(10)
    expect(filled(page, 0)).to_have_count(3)


def test_typed_lines_come_and_go(page: Page, address: str) -> None:
    page.goto(f"{address}settle/knock")
    expect(line(page, 0)).to_be_hidden()
    page.locator("[data-type]").tap()
    expect(page.locator("[data-type]")).to_have_attribute("aria-pressed", "true")
    expect(line(page, 0)).to_be_visible()
    expect(page.locator("[data-picker]")).to_be_hidden()
    page.locator("[data-type]").tap()
    expect(line(page, 0)).to_be_hidden()
    expect(page.locator("[data-picker]")).to_be_visible()


# game, what is typed, and the cards that it stands for
SPELLINGS = [
    ("knock", "10d A♥ 9S", "Td Ah 9s"),
    ("knock", "AhKd9s", "Ah Kd 9s"),
    ("knock", "10hA♥️9s", "Th Ah 9s"),
    ("domino-poker", "62 3:3", "2-6 3-3"),
    ("domino-poker", "[2-6]335–4", "2-6 3-3 4-5"),
]


@pytest.mark.parametrize(("game", "typed", "cards"), SPELLINGS)
def test_every_spelling_of_the_line_is_a_key(page: Page, address: str, game: str, typed: str, cards: str) -> None:
    page.goto(f"{address}settle/{game}")
    open_seat(page, 0)
    page.locator("[data-type]").tap()
    line(page, 0).fill(typed)
    expect(filled(page, 0)).to_have_count(len(cards.split()))
    page.locator("[data-type]").tap()
    for card in cards.split():
        expect(key(page, card)).to_have_attribute("aria-pressed", "true")


def test_a_call_stays_beside_an_outright_win(page: Page, address: str) -> None:
    page.goto(f"{address}settle/dompe")
    answer(page, 0, "called")
    answer(page, 0, "showed an outright win")
    expect(page.locator("[name=asked-caller]:checked")).to_have_value("0")
    expect(page.locator("[name=asked-shown_by]:checked")).to_have_value("0")
    # who called with five shows six
    expect(page.locator(".seat").nth(0).locator(".slot")).to_have_count(6)


def test_the_line_and_the_keys_stay_in_step(page: Page, address: str) -> None:
    page.goto(f"{address}settle/knock-poker")
    page.locator("[data-type]").tap()
    line(page, 0).fill("9s, ah")
    page.locator("[data-type]").tap()
    expect(key(page, "9s")).to_have_attribute("aria-pressed", "true")
    key(page, "Kd").tap()
    key(page, "Ah").tap()
    expect(line(page, 0)).to_have_value("9s Kd")
    # a slot that is tapped waits for another card, or for the key that takes its card back
    filled(page, 0).first.tap()
    expect(filled(page, 0).first).to_have_attribute("aria-pressed", "true")
    expect(line(page, 0)).to_have_value("9s Kd")
    key(page, "2c").tap()
    expect(line(page, 0)).to_have_value("2c Kd")
    filled(page, 0).first.tap()
    page.get_by_role("button", name="Remove the card").tap()
    expect(line(page, 0)).to_have_value("Kd")
    expect(key(page, "2c")).to_have_attribute("aria-pressed", "false")


def test_cards_of_others_are_grey_with_their_initial(page: Page, address: str) -> None:
    page.goto(f"{address}settle/knock-poker")
    open_seat(page, 1)
    page.fill("[name=players-1-name]", "Beto")
    open_seat(page, 0)
    tap_cards(page, HANDS["Ana"])
    expect_active(page, 1)
    expect(key(page, "9s")).to_have_attribute("data-owner", "P1")
    expect(key(page, "9s")).to_have_attribute("aria-disabled", "true")
    key(page, "9s").tap(force=True)
    expect(line(page, 1)).to_have_value("")
    key(page, "Ah").tap()
    open_seat(page, 2)
    expect(key(page, "Ah")).to_have_attribute("data-owner", "B")
    open_seat(page, 1)
    key(page, "Ah").tap()  # gives it back
    open_seat(page, 2)
    expect(key(page, "Ah")).not_to_have_attribute("data-owner", "B")


def test_a_full_hand_takes_no_more_cards(page: Page, address: str) -> None:
    page.goto(f"{address}settle/knock-poker")
    tap_cards(page, HANDS["Ana"])
    open_seat(page, 0)
    key(page, "2c").tap()
    expect(line(page, 0)).to_have_value(HANDS["Ana"])
    expect(page.locator("[data-told]")).to_contain_text("Player 1 has all the cards")


# game, keys in turn, and the line of the first hand afterwards
TYPED = [
    ("knock-poker", "9 s 1 0 d a h", "9s Td Ah"),
    ("knock-poker", "9 S K d Backspace", "9s"),
    ("knock-poker", "9 s k d ArrowLeft Q c", "9s Qc Kd"),
    ("knock-poker", "9 s k d ArrowLeft ArrowLeft Backspace", "9s Kd"),
    ("knock-poker", "9 s ArrowLeft ArrowRight k d", "9s Kd"),
    ("knock-poker", "z z 9 s", "9s"),
    ("domino-poker", "6 2 3 3", "2-6 3-3"),
]


@pytest.mark.parametrize(("game", "keys", "cards"), TYPED)
def test_letters_and_digits_type_cards(page: Page, address: str, game: str, keys: str, cards: str) -> None:
    page.goto(f"{address}settle/{game}")
    open_seat(page, 0)
    for pressed in keys.split():
        page.keyboard.press(pressed)
    expect(line(page, 0)).to_have_value(cards)


def test_arrows_go_to_the_other_hands(page: Page, address: str) -> None:
    page.goto(f"{address}settle/knock-poker")
    for pressed, seat in (("ArrowDown", 1), ("ArrowDown", 2), ("ArrowUp", 1), ("ArrowUp", 0), ("ArrowUp", 3)):
        page.keyboard.press(pressed)
        expect_active(page, seat)
    page.keyboard.press("9")
    page.keyboard.press("s")
    expect(line(page, 3)).to_have_value("9s")


def test_a_name_is_typed_and_no_card(page: Page, address: str) -> None:
    page.goto(f"{address}settle/knock-poker")
    page.locator("[name=players-0-name]").focus()
    page.keyboard.type("9s Ana")
    expect(page.locator("[name=players-0-name]")).to_have_value("9s Ana")
    expect(line(page, 0)).to_have_value("")


def test_another_deck_redraws_the_keys_and_keeps_the_names(page: Page, address: str) -> None:
    page.goto(f"{address}settle/dompe")
    page.fill("[name=players-0-name]", "Ana")
    page.locator("#rules summary").tap()
    page.select_option("[name=rules-deck]", "spanish-40")
    expect(key(page, "12b")).to_have_count(1)
    expect(key(page, "Kd")).to_have_count(0)
    expect(page.locator("[name=players-0-name]")).to_have_value("Ana")


def test_who_deals_stands_in_the_summary(page: Page, address: str) -> None:
    page.goto(f"{address}settle/knock-poker")
    expect(page.locator("[data-dealer]")).to_have_text("Player 4 deals")
    page.locator("#rules summary").tap()
    page.locator("#dealers label").nth(1).tap()
    expect(page.locator("[data-dealer]")).to_have_text("Player 2 deals")
    # nor does a reload say that somebody else deals
    page.locator("#rules summary").tap()
    page.reload()
    expect(page.locator("[data-dealer]")).to_have_text("Player 2 deals")


def test_a_reload_loses_nothing(page: Page, address: str) -> None:
    page.goto(f"{address}settle/knock-poker")
    tap_cards(page, "9s 9h")
    expect(page.locator("[data-missing]")).to_contain_text("Player 1 (3)")
    page.reload()
    expect(page.locator("[data-missing]")).to_contain_text("Player 1\u00a0(3), Player 2\u00a0(5), Player 3\u00a0(5)")
    expect(page.locator("input.name")).to_have_count(4)
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


def test_once_a_clash_is_mended_in_one_hand_the_other_is_no_longer_marked(page: Page, address: str) -> None:
    page.goto(f"{address}settle/knock-poker")
    page.locator("[data-type]").tap()
    for seat, hand in enumerate(("9s 9h 4c 4d 2c", "Qs Qh 5c 5d 3c", "Qs 8h 7c 6d 3d", "As Kh Jc 8d 2d")):
        line(page, seat).fill(hand)
    tick(page, '[name=asked-knocker][value="0"]')
    page.locator("[data-settle]").tap()
    expect(page.locator("[data-tab].wrong")).to_have_count(2)
    open_seat(page, 2)
    filled(page, 2).first.tap()
    key(page, "Tc").tap()
    expect(page.locator("[data-missing]")).to_contain_text("Player 2 wins")
    expect(page.locator("[data-tab].wrong, .error, [aria-invalid]")).to_have_count(0)


def test_without_javascript_a_round_is_tapped_settled_and_dealt_again(browser: Browser, address: str) -> None:
    context = phone(browser, java_script_enabled=False)
    page = context.new_page()
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
    context.close()


@pytest.mark.parametrize("path", ["", *(f"{kind}/{key}" for key in all_games() for kind in ("settle", "help"))])
def test_nothing_is_wider_than_the_screen(browser: Browser, address: str, path: str) -> None:
    with browser.new_page() as page:
        page.goto(address + path)
        if path.startswith("settle"):
            expect(page.locator(".playing")).to_be_visible()
            page.locator("#rules summary").click()
        for width in (320, 390, 820):
            page.set_viewport_size({"width": width, "height": 844})
            assert page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("game", all_games())
def test_keys_are_large_enough_for_a_thumb(page: Page, address: str, game: str) -> None:
    page.goto(f"{address}settle/{game}")
    open_seat(page, 0)
    boxes = page.locator("[data-picker] .key").evaluate_all(
        "keys => keys.map(key => { const box = key.getBoundingClientRect(); return [box.width, box.height] })"
    )
    assert len(boxes) >= 20
    assert min(min(box) for box in boxes) >= 44


def test_a_typed_name_shows_on_the_players_tab(page: Page, address: str) -> None:
    page.goto(f"{address}settle/knock-poker")
    tab = page.locator('[data-tab="0"]')
    expect(tab.locator("b")).to_be_hidden()
    page.fill("[name=players-0-name]", "ana")
    expect(page.get_by_role("group", name="ana", exact=True)).to_have_count(1)
    expect(tab.locator("b")).to_have_text("ana")
    expect(tab.locator("b")).to_be_visible()
    expect(tab.locator(".player")).to_have_text("A")


def test_the_tab_of_what_is_shown_is_the_only_one_marked(page: Page, address: str) -> None:
    page.goto(f"{address}settle/draw-poker")
    marked = page.locator("[data-strip] [aria-current]")
    for shown in ("Bets", "Who won", "Bets", "Player 2"):
        page.locator("[data-strip] a", has_text=shown).tap()
        expect(marked).to_have_count(1)
        expect(marked).to_contain_text(shown)


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
    names = ["דנה", "يوسف", "Ana"]
    session = start_night(page, address, names, "knock-poker")
    page.goto(f"{session}/round")
    enter_round(page, ["9s 9h 9d 4c 4d", "Ah Kh 8h 5h 3h", "8c 8d Js 7d 4h"])
    page.locator("[data-save]").tap()
    page.wait_for_url("**/lines/1?saved=yes")
    page.locator(".why summary").click()
    for where in ("main .transfers li", "main .payments li > span", ".paid-before small", "main .payments div", "#won"):
        lines = page.locator(where)
        assert lines.count() and lines.evaluate_all(SWAPPED) == [], where


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


@pytest.mark.parametrize("locale", ["en-GB", "es-MX"])
def test_no_choice_is_cut_on_the_narrowest_phone(browser: Browser, address: str, locale: str) -> None:
    context = browser.new_context(viewport={"width": 320, "height": 568}, is_mobile=True, has_touch=True, locale=locale)
    page, seen = context.new_page(), 0
    session = start_night(page, address, ["Ana", "Beto"], "knock")
    page.goto(session)
    group = page.locator('a[href^="/g/"]').first.get_attribute("href")
    pages = [f"{address}{group}".replace("//g", "/g"), f"{session}/money"]
    pages += [f"{address}settle/{key}" for key in all_games()] + [f"{session}/rules?game={key}" for key in all_games()]
    for path in pages:
        page.goto(path)
        page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true })")
        seen += page.locator("select").count()
        assert page.evaluate(CUT_CHOICES) == [], path
    assert seen > 40
    context.close()
