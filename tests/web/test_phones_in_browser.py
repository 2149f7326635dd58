"""Several phones on one night: each enters a hand, one reloads, one is away for a while; one round is booked."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from time import time

import pytest
from browser import (
    PHONE,
    cards_of,
    code_of,
    enter_hand,
    enter_round,
    first_held,
    join_night,
    open_seat,
    start_night,
    tap_cards,
    tick,
)
from devices import HANDS
from playwright.sync_api import Browser, Page, Route, expect

ANA, BETO, CARO = HANDS.values()
SOON = 2_000  # milliseconds: "within two seconds"

Phone = Callable[..., Page]


@pytest.fixture
def phone(browser: Browser) -> Iterator[Phone]:
    with ExitStack() as contexts:

        def another(java_script_enabled: bool = True) -> Page:
            context = browser.new_context(
                viewport=PHONE,
                has_touch=True,
                is_mobile=True,
                reduced_motion="reduce",
                java_script_enabled=java_script_enabled,
            )
            contexts.callback(context.close)
            return context.new_page()

        yield another


def fix_time(page: Page) -> None:
    """Let every poll of a phone seem to take no time, because it polls less often when the server is slow."""
    page.clock.set_fixed_time(time())


def stop_clock(page: Page) -> None:
    """Control the timers of a phone with a fixed time, so that its polls don't depend on the computer's speed."""
    page.clock.pause_at(page.evaluate("Date.now()") / 1000 + 60)  # seconds


def reading(seat: int) -> str:
    return f"#seat-{seat} [data-reading]"


def begin_round(keeper: Page, address: str) -> tuple[str, str]:
    """Start a night and its first round; returns the session's URL and code."""
    session = start_night(keeper, address, list(HANDS), "knock-poker")
    code = code_of(keeper, session)
    keeper.goto(f"{session}/round")
    return session, code


def keeper_and(name: str, phone: Phone, address: str) -> tuple[Page, Page]:
    """Start a night's first round on the scorekeeper's phone, and let a player's phone join."""
    keeper, player = phone(), phone()
    _, code = begin_round(keeper, address)
    join_night(player, address, code, name)
    return keeper, player


def test_three_phones_enter_one_round(phone: Phone, address: str) -> None:
    keeper, beto, caro = phone(), phone(), phone()
    for page in (beto, caro):
        fix_time(page)
    session, code = begin_round(keeper, address)
    for page, name in ((beto, "Beto"), (caro, "Caro")):
        join_night(page, address, code, name)

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
    expect(keeper.locator("[name=players-1-hand]")).to_have_value(BETO)
    for page in (keeper, beto, caro):
        expect(page.locator(reading(1))).to_have_text("flush, ace high, in 2nd place")
    for page in (beto, caro):
        stop_clock(page)
    tick(keeper, '[name=asked-knocker][value="0"]')
    keeper.locator("[data-save]").tap()
    expect(keeper.locator("#won")).to_have_text("Ana wins +6")
    for page in (beto, caro):
        page.clock.run_for(SOON)
        expect(page.locator("#won")).to_have_text("Ana wins +6")
    keeper.goto(f"{session}/rounds")
    expect(keeper.locator(".rounds > li")).to_have_count(1)


def test_what_changed_on_another_phone_is_settled_again_before_it_is_saved(phone: Phone, address: str) -> None:
    keeper, caro = keeper_and("Caro", phone, address)
    enter_round(keeper, HANDS.values())
    expect(keeper.locator("[data-save]")).to_be_visible()
    keeper.locator("[data-settle]").tap()
    expect(keeper.locator("#won")).to_have_text("Ana wins +6")
    save = keeper.locator("[data-again]")
    # what comes back from the server as it was sent changes nothing
    expect(keeper.locator(reading(2))).not_to_be_empty()
    expect(save).to_have_text("Save round")

    tick(caro, "[name=players-2-dropped]")
    expect(save).to_have_text("Recalculate")
    expect(keeper.locator("[data-overtaken]")).to_contain_text("changed on another phone")
    save.tap()
    expect(keeper.locator("#won")).to_have_text("Ana wins +5")
    expect(save).to_have_text("Save round")
    save.tap()
    expect(keeper.locator(".saved")).to_be_visible()
    expect(keeper.locator("#won")).to_have_text("Ana wins +5")


def test_a_phone_that_only_watches_follows_the_night(phone: Phone, address: str) -> None:
    keeper, watcher = phone(), phone()
    session = start_night(keeper, address, list(HANDS), "knock-poker")
    join_night(watcher, address, code_of(keeper, session), "Beto")
    fix_time(watcher)
    watcher.goto(f"{session}/rounds")
    expect(watcher.locator("#news")).to_contain_text("Nothing yet")
    stop_clock(watcher)
    keeper.goto(f"{session}/round")
    enter_round(keeper, HANDS.values())
    keeper.locator("[data-save]").tap()
    expect(keeper.locator("#won")).to_be_visible()
    watcher.clock.run_for(SOON)
    expect(watcher.locator(".rounds > li")).to_contain_text("Ana, full house")
    expect(watcher.locator(".rounds > li")).to_contain_text("+6")
    # the chart on the felt as well
    expect(watcher.locator("#felt .chart")).to_be_visible()


def test_a_round_saved_while_offline_is_booked_once(phone: Phone, address: str) -> None:
    keeper = phone()
    session, _ = begin_round(keeper, address)
    enter_round(keeper, HANDS.values())
    expect(keeper.locator("[data-save]")).to_be_visible()
    keeper.context.set_offline(True)
    keeper.locator("[data-save]").tap()
    expect(keeper.locator("[data-missing]")).to_contain_text("No connection. The round is kept")
    keeper.context.set_offline(False)
    expect(keeper.locator("#won")).to_have_text("Ana wins +6")
    keeper.goto(f"{session}/rounds")
    expect(keeper.locator(".rounds > li")).to_have_count(1)


def test_a_tap_sends_what_changed(phone: Phone, address: str) -> None:
    keeper = phone()
    begin_round(keeper, address)
    with keeper.expect_request("**/draft") as asked:
        tap_cards(keeper, "9s")
    body = asked.value.post_data or ""
    assert "players-0-hand=9s" in body
    assert "players-1-hand" not in body
    assert len(body) < 300


def test_a_round_that_is_saved_overtakes_its_draft(phone: Phone, address: str) -> None:
    keeper = phone()
    begin_round(keeper, address)
    enter_round(keeper, HANDS.values())
    expect(keeper.locator("[data-save]")).to_be_visible()
    held: list[Route] = []
    keeper.route("**/round*", lambda route: held.append(route))
    with keeper.expect_request("**/draft"):
        keeper.route("**/draft", lambda route: None)  # it stays on its way
        tick(keeper, "[name=players-2-dropped]")
    tick(keeper, "[name=players-2-dropped]")
    with keeper.expect_event("requestfailed", lambda asked: asked.url.endswith("/draft")):
        keeper.locator("[data-save]").tap()
    first_held(keeper, held).continue_()
    expect(keeper.locator("#won")).to_have_text("Ana wins +6")


def test_what_was_typed_offline_survives_a_reload(phone: Phone, address: str) -> None:
    keeper = phone()
    begin_round(keeper, address)
    keeper.route("**/draft", lambda route: route.abort())
    tap_cards(keeper, "9s 9h")
    expect(keeper.locator("[data-missing]")).to_contain_text("No connection")
    keeper.reload()
    expect(keeper.locator("[name=players-0-hand]")).to_have_value("9s 9h")


@pytest.mark.parametrize("is_closed", [False, True], ids=["stays open", "closed"])
@pytest.mark.parametrize("change", ["newcomer", "swap", "leave"])
def test_what_was_typed_offline_survives_a_change_of_seats(
    phone: Phone, address: str, change: str, is_closed: bool
) -> None:
    keeper, caro = keeper_and("Caro", phone, address)
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
        keeper.locator("button", has_text="Leave").first.click()
        expect(keeper.locator("button", has_text="Back in")).to_be_visible()

    caro.context.set_offline(False)
    if is_closed:
        caro.goto(here)
    seat = 2 if change == "newcomer" else 1
    expect(caro.locator(f"[name=players-{seat}-hand]")).to_have_value(CARO)
    keeper.goto(here)
    expect(keeper.locator(reading(seat))).to_have_text("cards face down: 5")


def test_the_scorekeeper_turns_hands_up(phone: Phone, address: str) -> None:
    keeper, beto = keeper_and("Beto", phone, address)
    enter_hand(beto, 1, BETO)
    expect(keeper.locator(reading(1))).to_have_text("cards face down: 5")
    keeper.locator("#rules summary").tap()
    keeper.locator("[data-show]").tap()
    keeper.locator("#rules summary").tap()
    expect(keeper.locator(reading(1))).to_have_text("flush, ace high")
    expect(keeper.locator("[name=players-1-hand]")).to_have_value(BETO)


def test_the_same_without_javascript(phone: Phone, address: str) -> None:
    keeper, beto = phone(java_script_enabled=False), phone(java_script_enabled=False)
    session = start_night(keeper, address, list(HANDS), "knock-poker")
    join_night(beto, address, code_of(keeper, session), "Beto")
    keys = beto.locator("details.keys").first
    if keys.get_attribute("open") is None:
        keys.locator("summary").tap()
    for card in BETO.split():
        keys.locator("label.key", has=beto.locator(f'[value="{card}"]')).tap()
    beto.get_by_role("button", name="Done").tap()
    # tapped keys are sent in the order in which they are drawn
    expect(beto.locator("[name=players-1-hand]")).not_to_have_value("")
    assert sorted(cards_of(beto, 1).split()) == sorted(BETO.split())
    keeper.goto(f"{session}/round")
    expect(keeper.locator(reading(1))).to_have_text("cards face down: 5")
    for seat, hand in ((0, ANA), (2, CARO)):
        enter_hand(keeper, seat, hand)
    tick(keeper, '[name=asked-knocker][value="0"]')
    keeper.locator("[data-settle]").tap()
    expect(keeper.locator("#won")).to_have_text("Ana wins +6")
    keeper.get_by_role("button", name="Save").tap()
    expect(keeper.locator("#won")).to_have_text("Ana wins +6")
    beto.goto(f"{session}/lines/1")
    expect(beto.locator("#won")).to_have_text("Ana wins +6")


def beto_shows_nobody(phone: Phone, address: str) -> tuple[Page, Page, Page, str]:
    """Have Beto and Caro enter hands on their phones; returns Ana's, Beto's and the keeper's phone, and the code."""
    keeper, ana, beto, caro = (phone() for _ in range(4))
    _, code = begin_round(keeper, address)
    for page, name in ((beto, "Beto"), (caro, "Caro")):
        join_night(page, address, code, name)
    enter_hand(beto, 1, BETO)
    enter_hand(caro, 2, CARO)
    return ana, beto, keeper, code


def test_a_seat_is_not_taken_to_look_at_its_hand(phone: Phone, address: str) -> None:
    ana, beto, keeper, code = beto_shows_nobody(phone, address)
    ana.goto(f"{address}join")
    ana.fill("#code", code)
    ana.get_by_role("button", name="Join").click()
    expect(ana.get_by_role("button", name="Beto")).to_contain_text("taken")
    ana.get_by_role("button", name="Beto").click()
    expect(ana.locator("#problems")).to_contain_text("Another phone has Beto's seat")
    # nor when Beto has given it up: what lies there stays down
    beto.get_by_role("link", name="Back to the night").click()
    beto.get_by_role("link", name="People").click()
    beto.get_by_role("link", name="Change player or give up this seat").click()
    beto.get_by_role("button", name="Give up the seat of Beto").click()
    ana.get_by_role("button", name="Beto").click()
    ana.wait_for_url("**/round")
    expect(ana.locator(reading(1))).to_have_text("cards face down: 5")
    assert cards_of(ana, 1) == ""
    keeper.goto(keeper.url.replace("/round", "/changes"))
    expect(keeper.locator(".log")).to_contain_text("Seat given up")


def test_a_phone_whose_seat_was_freed_asks_whose_it_is(phone: Phone, address: str) -> None:
    keeper, beto = keeper_and("Beto", phone, address)
    tap_cards(beto, "Ah Kh")
    expect(keeper.locator(reading(1))).to_have_text("cards face down: 2")
    keeper.goto(keeper.url.replace("/round", "/people"))
    keeper.locator("summary", has_text="Phones and the code").click()
    keeper.locator("button", has_text="Free the seat").click()
    beto.wait_for_url("**/me")


def test_who_drops_out_to_look_and_comes_back_is_named_on_every_phone(phone: Phone, address: str) -> None:
    ana, beto, keeper, code = beto_shows_nobody(phone, address)
    join_night(ana, address, code, "Ana")
    expect(ana.locator(reading(1))).to_have_text("cards face down: 5")
    tick(ana, "[name=players-0-dropped]")
    expect(ana.locator(reading(1))).to_contain_text("flush, ace high")
    tick(ana, "[name=players-0-dropped]")
    for page in (keeper, beto, ana):
        expect(page.locator("[data-late]")).to_have_text("Ana changed an answer after all hands were shown")
        expect(page.locator(reading(1))).to_contain_text("flush, ace high")
    enter_hand(ana, 0, ANA)
    for page in (keeper, beto, ana):
        expect(page.locator("[data-late]")).to_contain_text("Ana changed the hand after all were shown")
