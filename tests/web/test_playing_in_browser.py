"""Two phones and the scorekeeper play a hand: a knock round, and a round of bets; the entry form knows it all."""

from __future__ import annotations

import re
from collections.abc import Callable

from browser import boxes_of, code_of, drawn, join_night, show_keys, start_night, tap_cards, tap_quickly
from playwright.sync_api import Page, expect

Phone = Callable[[], Page]


def table_of(phone: Phone, address: str, game: str, buy_in: str = "") -> tuple[str, Page, Page, Page]:
    """Start a night; gives its address, the scorekeeper's phone, and those of Ana and Beto."""
    keeper, ana, beto = phone(), phone(), phone()
    night = start_night(keeper, address, game=game, at="", buy_in=buy_in)
    for page, name in ((ana, "Ana"), (beto, "Beto")):
        join_night(page, address, code_of(keeper, night), name)
    return night, keeper, ana, beto


# the rail is drawn with the answer to a poll, the table only after one more request; until then its buttons are refused
IN_STEP = """() => {
  const [table, rail] = [document.querySelector('#at-table'), document.querySelector('#rail [name=mark]')]
  return !table || !rail || table.dataset.mark === rail.value
}"""


def button(page: Page, name: str) -> None:
    page.wait_for_function(IN_STEP)
    # a finger's click goes to what is there as it lifts; a mouse's is lost if the table is drawn anew meanwhile
    page.locator("#at-table, #rail").get_by_role("button", name=re.compile(rf"^{re.escape(name)}(?!\w)")).tap()


def hold(page: Page, name: str) -> None:
    """Keep a finger on a button until it acts, and lift it from what the table has drawn there meanwhile."""
    # the table may be drawn anew at any moment: this waits until the button stands still
    found = page.locator("#at-table, #rail").get_by_role("button", name=name)
    found.hover()
    box = found.bounding_box()
    assert box is not None
    touch = page.context.new_cdp_session(page)
    at = [{"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}]
    touch.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": at})
    expect(found).to_have_count(0)
    expect(page.locator("#rail")).not_to_have_attribute("inert", "")
    touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    drawn(page)


def test_a_knock_round(phone: Phone, address: str) -> None:
    night, keeper, ana, beto = table_of(phone, address, "knock-poker")
    # the header says so too, on a page that was open before
    expect(ana.locator("[data-dealer]")).to_have_text("Caro deals")
    deals = keeper.locator("#at-table details", has_text="Someone else deals")
    deals.evaluate("one => { one.open = true }")  # a click is lost if the table is drawn anew meanwhile
    button(keeper, "Beto")
    expect(ana.locator("[data-dealer]")).to_have_text("Beto deals")
    button(ana, "Draw who deals first")
    expect(keeper.locator("#at-table")).to_contain_text("was drawn by lot")
    # a short tap is no knock
    ana.locator("#rail [data-hold]").click()
    expect(ana.locator("#rail [role=status]")).to_contain_text("Keep your finger on it")
    expect(ana.locator("#rail [data-hold]")).to_be_visible()
    hold(ana, "Hold to knock")
    expect(ana.locator("#rail [value^=unknock]")).to_be_visible()
    expect(keeper.locator("#at-table")).to_contain_text("Ana knocked")
    # Beto's phone turns to the table when Beto is asked; the scorekeeper says the rest
    expect(beto.locator("#at-table")).to_be_visible()
    button(beto, "Drop")
    expect(keeper.locator(".last-turns")).to_contain_text("Beto dropped")
    keeper.locator("#rail [value^=stay]").click()
    expect(ana.locator("#at-table")).to_be_hidden()  # back to the own hand: everyone shows
    expect(beto.get_by_text("Still missing")).to_be_visible()
    expect(beto.get_by_text("Give Ana 1 now")).to_be_visible()  # who is out has no hand to enter
    keeper.goto(f"{night}/round")
    expect(keeper.locator('[name=asked-knocker][value="0"]')).to_be_checked()
    expect(keeper.locator("[name=players-1-dropped]")).to_be_checked()


def test_the_scorekeeper_says_who_knocked(phone: Phone, address: str) -> None:
    keeper = phone()
    start_night(keeper, address, game="knock-poker", at="")
    keeper.locator("#at-table summary", has_text="Someone knocks").click()
    keeper.locator("#at-table").get_by_role("button", name="Beto").click()
    expect(keeper.locator("#at-table")).to_contain_text("Beto knocked")
    expect(keeper.locator("#rail [role=status]")).to_contain_text("Caro's last turn")
    button(keeper, "Take the knock back")
    expect(keeper.locator("#at-table summary", has_text="Someone knocks")).to_be_visible()


def test_a_round_of_bets(phone: Phone, address: str) -> None:
    night, keeper, ana, beto = table_of(phone, address, "domino-poker")
    entry = keeper.context.new_page()
    entry.goto(f"{night}/round")
    sent: list[str] = []
    entry.on("request", lambda request: sent.append(request.url) if request.method == "POST" else None)
    # a short tap, as one that was meant for what stood there before, folds nothing where checking is free
    ana.locator("#rail [data-hold]").click()
    expect(ana.locator("#rail [role=status]")).to_contain_text("Keep your finger on it")
    expect(ana.locator("#rail [data-hold]")).to_have_text("Hold to fold")
    for chip in ("+5", "+1"):
        button(ana, chip)
    button(ana, "Bet 6")
    # Beto's phone turns to the table by itself
    expect(beto.locator("#rail [role=status]")).to_contain_text("6 to call")
    expect(beto.locator("#at-table")).to_be_visible()
    # brass is for what is usually next, and once there is an amount for the raise
    brass = beto.locator(":is(#rail, #at-table) .primary")
    expect(brass).to_have_text("Call 6")
    button(beto, "+1")
    expect(brass).to_have_text("Raise 2 (put in 8)")  # with the call
    button(beto, "Raise 2")
    expect(keeper.locator("#rail [role=status]")).to_contain_text("Caro's turn")
    button(keeper, "Fold")
    expect(ana.locator("#rail [role=status]")).to_contain_text("Your turn")
    button(ana, "Ask to undo")
    expect(beto.locator("#rail [role=status]")).to_contain_text("Ana asks to undo: Caro folds")
    button(beto, "Leave it")
    expect(ana.locator("#rail [role=status]")).to_contain_text("Your turn")
    button(ana, "Call 2")
    expect(ana.locator("#at-table")).to_be_hidden()
    expect(entry.locator("[name=bets]")).to_have_value("bet 6; raise 8; fold; call")
    expect(entry.locator("#betting")).to_contain_text("The betting is over.")
    # it only had itself drawn: sending the bets back could overwrite the next one
    assert {url.partition("?")[0] for url in sent} == {f"{night}/round"}


def test_who_deals_is_never_cut_in_half(phone: Phone, address: str) -> None:
    _, _, ana, _ = table_of(phone, address, "draw-poker")
    for width, height in ((375, 553), (320, 568), (844, 390)):
        ana.set_viewport_size({"width": width, "height": height})
        bar, dealer = (ana.locator(f".top {part}").bounding_box() for part in (".under", "[data-dealer]"))
        assert bar is not None
        if dealer is not None:  # elsewhere it isn't drawn
            end = bar["y"] + bar["height"]
            assert dealer["y"] >= end or dealer["y"] + dealer["height"] <= end


def test_all_decide_at_once_and_nobody_is_told_before(phone: Phone, address: str) -> None:
    night, keeper, ana, beto = table_of(phone, address, "guts")
    screen = phone()
    screen.goto(f"{address}join/{code_of(keeper, night)}")
    screen.goto(f"{night}/table")
    button(ana, "Cards are dealt")
    button(beto, "I'm out")
    expect(beto.locator("#rail")).to_contain_text("You're out")
    expect(screen.locator("body")).to_contain_text("Still deciding: Ana and Caro")
    expect(ana.locator("#rail")).to_contain_text("In or out?")
    button(ana, "I'm in")
    ana.locator("#rail [data-place=hand]").tap()
    tap_cards(ana, "As Ad 3h")
    expect(ana.locator("#rail")).to_contain_text("Still deciding: Caro")
    expect(screen.locator("body")).to_contain_text("Still deciding: Caro")
    expect(screen.locator("body")).not_to_contain_text("Hand is in")
    button(keeper, "Caro is in")
    for page in (ana, beto, screen):
        expect(page.locator("body")).to_contain_text("Caro's hand is missing")
    expect(screen.locator("body")).to_contain_text("Hand is in")
    expect(ana.locator("#rail")).to_contain_text("Your hand is in")


def test_no_key_moves_when_the_rail_has_a_button_more(phone: Phone, address: str) -> None:
    page = phone()
    night = start_night(page, address, game="guts", at="")
    for said in ("Cards are dealt", "Ana is in", "Beto is in", "Caro is in"):
        button(page, said)
    page.goto(f"{night}/me")
    page.get_by_role("button").filter(has_text="Ana").click()
    page.locator(".playing [data-picker]").wait_for()
    for width, height in ((390, 844), (320, 568), (844, 390)):
        page.set_viewport_size({"width": width, "height": height})
        before = boxes_of(page, "[data-piece]")[0]["y"]
        tap_quickly(page, "Ks")
        expect(page.locator("#rail [value^=show]")).to_be_visible()
        assert abs(boxes_of(page, "[data-piece]")[0]["y"] - before) <= 1, (width, height)
        page.locator("[data-erase]:visible").click()
        expect(page.locator("#rail [value^=show]")).to_have_count(0)


def test_a_host_who_plays_goes_to_the_hand_of_somebody_without_a_phone(phone: Phone, address: str) -> None:
    page = phone()
    night = start_night(page, address, game="knock-poker", at="/me")
    page.get_by_role("button").filter(has_text="Ana").click()
    page.locator(".playing #at-table").wait_for()
    page.locator("[data-at-table]").click()  # from the table to the keys
    tap_cards(page, "As Ks")
    expect(page.locator('[data-tab="0"]')).to_contain_text("2/5")
    page.locator('[data-tab="2"]').click()
    page.wait_for_url(f"{night}/round#seat-2")
    expect(page.locator('[data-tab="2"]')).to_have_attribute("aria-current", "true")
    # there the own hand lies face down, also while it isn't whole
    expect(page.locator('[data-tab="0"]')).to_contain_text("2/5")
    expect(page.locator("[data-piece][data-owner]")).to_have_count(0)
    tap_cards(page, "9s")
    expect(page.locator('[data-tab="2"]')).to_contain_text("1/5")


def test_a_foul_hand_is_offered_unless_others_still_act(phone: Phone, address: str) -> None:
    _night, _keeper, ana, beto = table_of(phone, address, "knock-poker")
    beto.locator(".playing #at-table").wait_for()
    beto.locator("[data-at-table]").click()  # from the table to the keys
    foul = beto.locator("[data-meaning=lost]").first
    expect(foul).to_be_visible()  # a table that only enters hands has tapped nothing before
    hold(ana, "Hold to knock")
    expect(beto.locator("#at-table")).to_be_visible()  # it turns to the table by itself
    beto.locator("[data-at-table]").click()
    expect(beto.locator(".seat.active .slots")).to_be_visible()
    expect(foul).to_be_hidden()


def test_all_screens_follow_to_another_game_by_one_tap(phone: Phone, address: str) -> None:
    night, keeper, ana, beto = table_of(phone, address, "knock-poker")
    beto.goto(night)
    screen = phone()
    screen.goto(f"{address}join/{code_of(keeper, night)}")
    screen.goto(f"{night}/table")
    keeper.goto(night)
    keeper.locator(".pick").get_by_role("link", name="Dompe").click()
    for page in (ana, beto, screen):
        expect(page.locator("body")).to_contain_text("Dompe")
    expect(keeper.locator("#at-table [value=game]")).to_have_count(0)
    keeper.locator("#rail [data-place=hands]").click()
    keeper.locator(".switch").click()
    expect(keeper.locator("[aria-current]")).to_contain_text("Dompe")
    keeper.get_by_role("link", name="Domino Poker").click()
    expect(ana.locator("[data-piece]")).to_have_count(20)
    expect(ana.get_by_text("The table plays Domino Poker now.")).to_be_attached()
    expect(screen.locator("#news")).to_contain_text("Domino Poker")
    # somebody's cards are not put aside by one tap
    show_keys(ana)
    ana.locator("[data-piece]").first.click()
    keeper.goto(night)
    expect(keeper.locator(".next")).to_contain_text("is being entered")
    keeper.once("dialog", lambda asked: asked.dismiss())
    keeper.locator(".pick").get_by_role("link", name="Knock Rummy").click()
    expect(keeper.locator('.pick [aria-current][href$="=domino-poker"]')).to_be_visible()
    # a hand in play is not changed; the scorekeeper still sees the other game
    button(keeper, "Check")
    expect(beto.locator("#at-table")).to_contain_text("Ana checks")
    keeper.once("dialog", lambda asked: asked.accept())
    keeper.locator(".pick").get_by_role("link", name="Dompe").click()
    expect(keeper.locator('.pick [aria-current][href$="=dompe"]')).to_be_visible()
    expect(keeper.locator("#at-table [value=game]")).to_have_count(0)
    expect(screen.locator("#news")).to_contain_text("Domino Poker")


def test_an_all_in_is_held(phone: Phone, address: str) -> None:
    _night, keeper, ana, _beto = table_of(phone, address, "domino-poker", buy_in="20")
    button(ana, "Hold to go all-in 19")
    expect(ana.locator("#rail [role=status]")).to_contain_text("Keep your finger on it")
    expect(keeper.locator("#rail [role=status]")).to_contain_text("Ana begins")
    hold(ana, "Hold to go all-in 19")
    expect(keeper.locator("#at-table")).to_contain_text("Ana is all-in with 19")
    # who is asked for more than the stack sees it in the state line; the scorekeeper undoes at once, and isn't asked
    button(keeper, "All-in 19")
    expect(keeper.locator("#at-table")).to_contain_text("Beto is all-in with 19")


def test_a_phone_whose_player_folded_says_so_and_asks_for_no_hand(phone: Phone, address: str) -> None:
    night, keeper, ana, beto = table_of(phone, address, "domino-poker")
    hold(ana, "Hold to fold")
    ana.locator("[data-at-table]").click()
    out, alone = ana.locator(".told-out"), beto.locator(".told-alone")
    expect(out).to_contain_text("You show no hand. The result comes to this phone.")
    for part in (".seat.active .slots", "[data-picker]", "[data-type]"):
        expect(ana.locator(part)).to_be_hidden()
    expect(ana.locator('[data-tab="0"]')).to_contain_text("folded")
    expect(alone).to_be_hidden()
    # the last one in has won and may show a hand at the table: the app would show it to nobody (C-5)
    keeper.goto(night)
    button(keeper, "Check")
    hold(keeper, "Hold to fold")
    expect(alone).to_contain_text("You don't have to show your hand")
    expect(beto.locator("[data-picker]")).to_be_hidden()
    expect(beto.locator("#rail [role=status]")).to_contain_text("Everyone else folded: you win")
    # what was undone is entered again
    button(keeper, "Undo")
    expect(alone).to_be_hidden()
    button(keeper, "Undo")
    expect(keeper.get_by_role("button", name="Check", exact=True)).to_be_visible()
    button(keeper, "Undo")
    expect(ana.locator("#rail [role=status]")).to_contain_text("you begin")
    show_keys(ana)
    expect(out).to_be_hidden()
    expect(ana.locator("[data-picker]")).to_be_visible()
