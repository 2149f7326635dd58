"""Several phones on one night: each enters a hand, one reloads, one is away for a while; one round is booked."""

from __future__ import annotations

from collections.abc import Callable
from time import time

import pytest
from browser import (
    boxes_of,
    cards_of,
    code_of,
    enter_hand,
    join_night,
    open_seat,
    show_keys,
    start_night,
    tap_cards,
    tick,
)
from devices import HANDS
from playwright.sync_api import Page, expect
from waiting import until

ANA, BETO, CARO = HANDS.values()
SOON = 2_000  # milliseconds: "within two seconds"

Phone = Callable[..., Page]


def reading(seat: int) -> str:
    return f"#seat-{seat} [data-reading]"


def keeper_and(phone: Phone, address: str, *names: str, game: str = "knock-poker", **options: bool) -> list[Page]:
    """Start a night's first round on the scorekeeper's phone, and let players' phones join."""
    keeper, *players = phones = [phone(**options) for _ in ("Ana", *names)]
    night = start_night(keeper, address, game=game, at="/round")
    for page, name in zip(players, names, strict=True):
        # every poll seems to take no time, because a phone polls less often when the server is slow
        page.clock.set_fixed_time(time())
        join_night(page, address, code_of(keeper, night), name)
    return phones


def test_a_phone_follows_a_game_without_hands(phone: Phone, address: str) -> None:
    keeper, beto = keeper_and(phone, address, "Beto", game="any-game")
    keeper.fill("#called", "Seven-twenty-seven")
    keeper.locator(".won").first.tap()
    keeper.locator("[name=everyone-pays]").fill("2")
    keeper.locator("[data-save]").tap()
    keeper.wait_for_url("**/lines/1?*")
    beto.wait_for_url("**/lines/1?*")
    expect(beto.locator("main")).to_contain_text("You pay Ana 2")


def test_a_phone_whose_player_isnt_in_the_round_shows_the_table(phone: Phone, address: str) -> None:
    keeper, caro = keeper_and(phone, address, "Caro", game="gin-rummy")
    rail = caro.locator("#rail [role=status]")
    expect(rail).to_contain_text("You aren't in this round")
    tick(keeper, '[name=asked-knocker][value="0"]')
    expect(caro.locator("#at-table")).to_contain_text("Ana knocked")
    expect(rail).to_contain_text("Still missing: Ana and Beto")
    caro.locator("[data-at-table]").tap()  # there are no keys to go to
    expect(caro.locator("#at-table")).to_be_visible()
    expect(caro.locator("#entry")).to_be_hidden()


def test_three_phones_enter_one_round(phone: Phone, address: str) -> None:
    keeper, beto, caro = keeper_and(phone, address, "Beto", "Caro")

    # Beto reloads in the middle
    tap_cards(beto, "Ah Kh 8h")
    expect(keeper.locator(reading(1))).to_have_text("cards face down: 3")
    beto.reload()
    expect(beto.locator("[name=players-1-hand]")).to_have_value("Ah Kh 8h")
    tap_cards(beto, "5h 3h")
    expect(beto.locator("[data-missing]")).to_contain_text("Your hand is in. Cards missing: Ana")
    expect(keeper.locator(reading(1))).to_have_text("cards face down: 5")
    assert cards_of(keeper, 1) == ""

    # Caro goes offline and comes back
    caro.context.set_offline(True)
    tap_cards(caro, CARO)
    expect(caro.locator("[data-missing]")).to_contain_text("No connection")
    caro.context.set_offline(False)
    expect(keeper.locator(reading(2))).to_have_text("cards face down: 5")

    # who taps over Beto's hand is asked
    asked: list[str] = []
    keeper.once("dialog", lambda dialog: (asked.append(dialog.message), dialog.dismiss()))
    open_seat(keeper, 1)
    tap_cards(keeper, "2c")
    assert asked == ["Beto entered this hand on their own phone. Replace it?"]
    assert cards_of(keeper, 1) == ""

    enter_hand(keeper, 0, ANA)
    tick(keeper, '[name=asked-knocker][value="0"]')
    expect(keeper.locator("[name=players-1-hand]")).to_have_value(BETO)
    for page in (keeper, beto, caro):
        expect(page.locator(reading(1))).to_have_text("flush, ace high, in 2nd place")
    keeper.locator("[data-settle]").dispatch_event("click")  # as before it was known that nothing is missing
    expect(keeper.locator("#won")).to_have_text("Ana wins +6")

    # what changes on another phone is settled again before it is saved
    again = keeper.locator("[data-again]")
    expect(keeper.locator(reading(2))).not_to_be_empty()
    expect(again).to_have_text("Save round")
    tick(caro, "[name=players-2-dropped]")
    expect(again).to_have_text("Recalculate")
    expect(keeper.locator("[data-overtaken]")).to_contain_text("changed on another phone")
    again.tap()
    expect(keeper.locator("#won")).to_have_text("Ana wins +5")
    for page in (beto, caro):  # so that their polls don't depend on the computer's speed
        page.clock.pause_at(page.evaluate("Date.now()") / 1000 + 60)  # seconds
    again.tap()
    expect(keeper.locator(".saved")).to_be_visible()
    for page in (beto, caro):
        # a poll that was under way when the clock stopped may bring the news of before, and be followed by another
        until(page.locator("#won").count, pause=lambda page=page: page.clock.run_for(SOON))
        expect(page.locator("#won")).to_have_text("Ana wins +5")


@pytest.mark.parametrize(("change", "is_closed"), [("newcomer", False), ("swap", True), ("leave", False)])
def test_what_was_typed_offline_survives_a_change_of_seats(
    phone: Phone, address: str, change: str, is_closed: bool
) -> None:
    keeper, caro = keeper_and(phone, address, "Caro")
    here = caro.url
    caro.context.set_offline(True)
    tap_cards(caro, CARO)
    expect(caro.locator("[data-missing]")).to_contain_text("No connection")
    if is_closed:
        caro.goto("about:blank")

    keeper.goto(keeper.url.replace("/round", "/people"))
    if change == "newcomer":
        keeper.fill("[name=newcomer]", "Dani")
        keeper.click("button[value=new]")
        expect(keeper.get_by_label("Move Dani up")).to_be_visible()
    elif change == "swap":
        with keeper.expect_response("**/seats"):
            keeper.get_by_label("Move Beto down").click()
    else:
        keeper.locator("#seats a", has_text="Leave").first.click()
        keeper.locator("button[value=left]").click()
        expect(keeper.locator("button", has_text="Back in")).to_be_visible()

    caro.context.set_offline(False)
    if is_closed:
        caro.goto(here)
    seat = 2 if change == "newcomer" else 1
    expect(caro.locator(f"[name=players-{seat}-hand]")).to_have_value(CARO)
    keeper.goto(here)
    expect(keeper.locator(reading(seat))).to_have_text("cards face down: 5")


def test_the_same_without_javascript(phone: Phone, address: str) -> None:
    keeper, beto = keeper_and(phone, address, "Beto", java_script_enabled=False)
    keys = beto.locator("details.keys").first
    if keys.get_attribute("open") is None:
        keys.locator("summary").tap()
    for card in BETO.split():
        keys.locator("label.key", has=beto.locator(f'[value="{card}"]')).tap()
    beto.get_by_role("button", name="Done").tap()
    # tapped keys are sent in the order in which they are drawn
    expect(beto.locator("[name=players-1-hand]")).not_to_have_value("")
    assert sorted(cards_of(beto, 1).split()) == sorted(BETO.split())
    keeper.reload()
    expect(keeper.locator(reading(1))).to_have_text("cards face down: 5")
    for seat, hand in ((0, ANA), (2, CARO)):
        enter_hand(keeper, seat, hand)
    tick(keeper, '[name=asked-knocker][value="0"]')
    keeper.locator("[data-settle]").tap()
    expect(keeper.locator("#won")).to_have_text("Ana wins +6")
    keeper.get_by_role("button", name="Save").tap()
    expect(keeper.locator("#won")).to_have_text("Ana wins +6")
    beto.goto(beto.url.replace("/round", "/lines/1"))
    expect(beto.locator("#won")).to_have_text("Ana wins +6")


def test_a_phone_follows_when_its_seat_is_freed_and_hands_are_turned_up(phone: Phone, address: str) -> None:
    keeper, beto, caro = keeper_and(phone, address, "Beto", "Caro")
    enter_hand(beto, 1, BETO)
    expect(keeper.locator(reading(1))).to_have_text("cards face down: 5")
    tick(keeper, '[name=asked-knocker][value="0"]')
    expect(keeper.locator(".dock [role=status]")).to_contain_text("Still missing: Ana and Caro")
    keeper.locator(".dock [value^=show]").tap()
    for page in (keeper, caro):
        expect(page.locator(reading(1))).to_have_text("flush, ace high")
    keeper.goto(keeper.url.replace("/round", "/people"))
    keeper.locator("summary", has_text="Phones and the code").click()
    keeper.locator("button", has_text="Free the seat").first.click()
    beto.wait_for_url("**/me")


def test_what_was_open_stays_open_when_a_form_is_sent(phone: Phone, address: str) -> None:
    keeper = phone()
    start_night(keeper, address, at="/people")
    for fold in ("#phones", "#note-of-night"):
        keeper.locator(f"{fold} > summary").tap()
    keeper.locator("#note-of-night [name=place]").fill("Garage")
    keeper.evaluate("document.body.isOld = true")
    keeper.locator("#note-of-night button").last.tap()
    keeper.wait_for_function("() => !document.body.isOld && document.readyState === 'complete'")
    expect(keeper.locator("#phones[open]")).to_be_visible()
    keeper.reload()
    expect(keeper.locator("#phones")).not_to_have_attribute("open", "")


def test_a_hand_in_an_open_page_hears_of_new_stakes_and_nothing_moves(phone: Phone, address: str) -> None:
    keeper, beto = keeper_and(phone, address, "Beto")
    show_keys(beto)
    tap_cards(beto, "Ah Kh")
    before = boxes_of(beto, ".top, [data-piece]")
    beto.evaluate("document.querySelector('[data-note]').isTheSame = true")
    keeper.goto(keeper.url.replace("/round", "/rules"))
    keeper.locator("#stakes [value=double]").tap()
    expect(beto.locator(".under > [role=status]")).to_have_text("next round: stake 2")
    assert boxes_of(beto, ".top, [data-piece]") == before
    assert beto.evaluate("document.querySelector('[data-note]').isTheSame")  # so that a screen reader hears it
    assert cards_of(beto, 1) == "Ah Kh"
