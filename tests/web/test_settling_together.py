"""Several phones settle one night: each page follows the others' ticks, and a payment ticked twice is no mistake."""

from __future__ import annotations

import re
from collections.abc import Callable
from time import time
from typing import Any

import pytest
from browser import code_of, join_night, start_night
from devices import PlayedNight, words
from flask import Flask
from playwright.sync_api import Page, expect

TWICE = "It was already marked paid on another phone."


@pytest.fixture
def night(app: Flask) -> PlayedNight:
    """A closed night: Beto and Caro each owe Ana 1 for a round."""
    return PlayedNight(app).plays("round, close")


# the button that two phones press, the page it is on, where the second is led, and what that says
BUTTONS = [
    ("pay-0", "end", "{night}/end?already=paid#already", TWICE),
    ("pay-0", "night", "{night}/money?already=paid#already", TWICE),
    ("pay-0", "", "{night}/settle?already=paid", TWICE),
    ("unpay-0", "end", "{night}/end?already=undone#already", "It was already undone on another phone."),
]


@pytest.mark.parametrize(("do", "back", "to", "told"), BUTTONS)
def test_what_another_phone_did_already_is_told_calmly(
    night: PlayedNight, do: str, back: str, to: str, told: str
) -> None:
    plan = night.plan()
    sent: dict[str, Any] = {"amount-0": night.page("/end").fields["amount-0"], "back": back}
    if do == "unpay-0":
        night.does(plan, do="pay-0", **sent)
    night.does(plan, do=do, **sent)
    address = night.does(plan, do=do, **sent)
    assert address == to.format(night=night.night)
    html = night.html(address.removeprefix(night.night).partition("#")[0])
    assert told in words(html) and 'role="alert"' not in html
    assert ('aria-pressed="true"' in night.html("/end")) == (do == "pay-0")
    assert told not in night.text("/end")
    assert night.text("/end?already=odd").count("already") == 0


def test_it_is_told_on_the_groups_page_and_to_a_leaver_too(app: Flask) -> None:
    night = PlayedNight(app).plays("round")
    night.does("{group}/settle")
    plan = night.plan("{group}/settle")
    sent: dict[str, Any] = {"amount-0": night.page("{group}/settle").fields["amount-0"]}
    night.does(plan, do="pay-0", **sent)
    assert night.does(plan, do="pay-0", **sent).endswith("/settle?already=paid")
    assert TWICE in night.text("{group}/settle?already=paid")
    night.plays("round, settle")
    plan, more = night.plan(), {"leaves": night.players["Beto"]}
    sent = {"amount-0": night.page("/settle").fields["amount-0"]}
    night.does(plan, do="pay-0", **sent, **more)
    assert TWICE in night.text(night.does(plan, do="pay-0", **sent, **more).removeprefix(night.night))


def test_at_the_end_payments_come_first_and_ones_own_before_the_others(night: PlayedNight) -> None:
    caro = night.plays("reopen").joined("Caro")
    night.plays("close")
    told = words(night.html("/end", caro))
    places = [told.index(text) for text in ("Who pays whom", "Caro pays Ana", "Beto pays Ana", "Best hand")]
    assert places == sorted(places)
    others = words(night.html("/end"))
    assert others.index("Beto pays Ana") < others.index("Caro pays Ana")
    assert re.findall(r'name="do" value="([^"]+)"', night.html("/end", caro)) == ["pay-1"]


@pytest.mark.parametrize("path", ["/settle", "{group}/settle"])
def test_a_page_to_settle_up_follows_unless_it_says_what_was_wrong(night: PlayedNight, path: str) -> None:
    followed = re.findall(r'data-follow="([^"]+)" data-version="(\d+)"', night.html(path))
    assert [address for address, _ in followed] == [f"{night.night}/state"]
    night.does(night.plan(), do="pay-0", **{"amount-0": "1"})
    assert re.findall(r'data-version="(\d+)"', night.html(path)) != [followed[0][1]]
    wrong = night.post(night.plan(), do="pay-1", **{"amount-1": "lots"}).text
    assert "data-follow" not in wrong and "scripts/follow" not in wrong


def with_a_cost(keeper: Page, address: str, tapped: str) -> str:
    """Start a night and save a cost of 9, after a tap on a player's name; return the night's URL."""
    night = start_night(keeper, address, at="/cost")
    keeper.locator("[data-sharer] label", has_text=tapped).first.tap()
    keeper.get_by_role("button", name="9", exact=True).tap()
    keeper.get_by_role("button", name="Save").tap()
    keeper.wait_for_url("**/money#movements")
    return night


def test_a_leavers_page_and_a_payments_follow_what_others_tick(phone: Callable[..., Page], address: str) -> None:
    keeper, beto, other = phone(), phone(), phone()
    night = with_a_cost(keeper, address, "Caro")
    join_night(beto, address, code_of(keeper, night), "Beto")
    for page in (beto, other):
        page.clock.set_fixed_time(time())  # every poll seems to take no time
    beto.goto(f"{night}/leave")
    beto.locator("button.how").tap()  # makes the plan
    expect(beto.get_by_role("button", name="It is paid")).to_be_visible()
    payment = beto.url
    beto.goto(f"{night}/leave")
    other.context.add_cookies(beto.context.cookies())
    other.goto(payment)
    for page, amount in ((beto, "You owe"), (other, "Beto pays Caro")):
        expect(page.locator("#felt")).to_contain_text(amount)
    keeper.goto(payment)
    keeper.get_by_role("button", name="It is paid").tap()
    expect(beto.locator("#felt")).to_contain_text("You owe nothing")
    expect(beto.locator(".tick")).to_have_attribute("aria-pressed", "true")
    expect(beto.get_by_role("button", name="Beto leaves")).to_be_enabled()
    expect(other.locator("#felt")).to_contain_text("Paid")
    expect(other.get_by_role("button", name="It is paid")).to_have_count(0)
    keeper.goto(f"{night}/close")
    keeper.get_by_role("button", name="End the night").tap()
    # a page that a closed night no longer has leads to what it has
    beto.wait_for_url("**/money")


def test_phones_see_a_night_end_and_each_others_ticks(phone: Callable[..., Page], address: str) -> None:
    keeper, caro, other = phone(), phone(), phone()
    night = with_a_cost(keeper, address, "Ana")
    for page, name in ((caro, "Caro"), (other, "Beto")):
        page.clock.set_fixed_time(time())  # every poll seems to take no time
        join_night(page, address, code_of(keeper, night), name)
    # before somebody leaves, because a page that enters a hand is then loaded again
    other.goto(f"{night}/money")
    other.get_by_role("link", name="Settle up").first.tap()
    other.wait_for_url("**/settle?costs=*")
    caro.goto(f"{night}/leave")
    caro.get_by_role("button", name="Settle with the others later").tap()
    caro.wait_for_url(night)
    expect(caro.locator(".tabs")).to_have_count(1)
    keeper.goto(f"{night}/close")
    keeper.get_by_role("button", name="End the night").tap()
    keeper.wait_for_url("**/end")
    expect(caro.locator(".tabs")).to_have_count(1)
    caro.get_by_role("link", name="How the night ended").tap()
    expect(other.locator("[data-unpaid]")).to_have_count(2)
    caro.get_by_role("button", name="Paid by Caro").tap()
    for page in (keeper, caro):
        expect(page.locator("[aria-pressed=true]")).to_have_count(1)
    expect(other.locator("li.done")).to_have_count(1)


def test_the_big_screen_shows_what_is_still_to_pay_after_the_night(app: Flask) -> None:
    night = PlayedNight(app).plays("round")
    night.does("/cost", what="Pizza", payer="{Beto}", for_=night.players["Caro"], amount="7", apart="y", currency="JPY")
    assert "Who pays whom" not in night.plays("reopen, void 1").text("/table")
    screen = night.plays("round, close").text("/table").replace("\u2060", "")
    assert "Who pays whom Beto pays Ana 3 Caro pays Ana 3 Caro pays Beto ¥7 Shared costs Tonight" in screen
    assert "data-closed" not in night.html("/table")
    night.does(night.plan(), do="pay-0", **{"amount-0": "3"})
    night.does(night.plan(), do="pay-1", **{"amount-1": "1"})
    screen = night.text("/table").replace("\u2060", "")
    assert "Who pays whom Caro pays Ana 2 Caro pays Beto ¥7 Shared costs Tonight" in screen
    night.does(night.plan(), do="pay-1", **{"amount-1": "2"})
    night.does(night.plan("/settle?costs=JPY"), do="pay-0", **{"amount-0": "7"})
    assert "Who pays whom Nobody owes anything. Tonight" in night.text("/table")
    assert "data-closed" in night.html("/table")
