"""Shared costs on the pages: six taps, who owes what, apart or with the games, corrected, undone; bad input."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from browser import start_night
from devices import Device, PlayedNight, words
from flask import Flask
from playwright.sync_api import Page, expect

PIZZA = {"what": "Pizza", "payer": "{Ana}", "for_": ["{Ana}", "{Beto}", "{Caro}"], "amount": "37", "currency": "JPY"}


def cost(night: PlayedNight, **more: Any) -> str:
    """Enter the pizza; returns the problem, "" if there is none."""
    said = {**PIZZA, **more}
    said["for_"] = [night.players.get(name.strip("{}"), name) for name in said["for_"]]
    response = night.post("/cost", **said)
    return "" if response.status_code == 303 else words(response.text)


@pytest.mark.parametrize(
    ("tonight", "more", "owed"),
    [
        ({"currency": "JPY", "stake": "1"}, {}, "Ana pays: Beto 12, Caro 12"),
        ({"currency": "JPY", "stake": "1"}, {"apart": "y"}, "apart: Beto 12, Caro 12"),
        ({}, {}, "apart: Beto 12, Caro 12"),
        ({}, {"for_": ["{Beto}", "{Caro}"]}, "apart: Beto 19, Caro 18"),
        ({}, {"share-2": "3"}, "apart: Beto 22, Caro 7"),
    ],
)
def test_each_owes_a_part_with_the_games_or_apart(app: Flask, tonight: Any, more: Any, owed: str) -> None:
    night = PlayedNight(app, **tonight)
    assert cost(night, **more) == ""
    money = words(night.html("/money"))
    is_apart = owed.startswith("apart")
    assert ("Shared costs: who pays whom" in money) == is_apart
    for one in owed.partition(": ")[2].split(", "):
        player, amount = one.split()
        assert f"{player} pays Ana ¥{amount}" in money.replace("JP¥", "¥").replace("\u00a0", ""), money
    assert words(night.html("/lines/1")).count("Ana paid") == 1
    # nobody wins or loses by it: neither tonight nor in the leaderboard
    assert "Nobody" in words(night.keeper.get(night.group).text) or "¥" not in words(night.keeper.get(night.group).text)


def test_a_plan_of_its_own_is_made_ticked_and_replaced_when_the_cost_is_corrected(app: Flask) -> None:
    night = PlayedNight(app, begins="round")
    assert cost(night) == ""
    night.does("/close", do="leave")
    page = night.keeper.page(f"{night.night}/end")
    assert words(page.html).count("Beto pays Ana") == 4  # for the games and for the pizza, also in the text to share
    plan = page.html.rpartition('action="/plans/')[2].partition('"')[0]
    assert night.keeper.does(f"/plans/{plan}", do="pay-0", **{"amount-0": "12"}, back="end").endswith("#costs-JPY")
    assert "12" in words(night.html("/settle?costs=JPY"))
    assert "still to go" not in words(night.html("/settle"))
    night.does("/close", do="reopen")
    assert cost(night, amount="40", line="2", seen="1") == ""
    money = words(night.html("/money"))
    assert "Beto pays Ana ¥1" in money  # 13, of which 12 are paid
    assert "was" not in money
    night.does("/lines/2", do="undo", seen="2")
    night.does("/lines/2", do="void", seen="3")
    money = words(night.html("/money"))
    assert "Ana pays Beto ¥12" in money  # what was paid for nothing
    assert "corrected" in words(night.html("/lines/2"))


def test_the_own_phone_tells_at_the_end_who_pays_what_for_them_too(night: PlayedNight) -> None:
    ana, beto = night.guest("play"), night.guest("play")
    for device, name in ((ana, "Ana"), (beto, "Beto")):
        device.does(f"{night.night}/me", player=night.players[name])
    assert cost(night, for_=["{Beto}"]) == ""
    night.does("/close", do="leave")
    html = night.html("", beto)
    assert "You pay Ana ¥37 for shared costs" in words(html)
    assert "/settle?costs=JPY" in html.partition("data-unpaid")[2].partition("</p>")[0]
    assert "Beto pays you ¥37 for shared costs" in night.text("", ana)
    beto.does(night.plan("/end"), do="pay-0", **{"amount-0": "30"})
    assert "You pay Ana ¥7 for shared costs" in night.text("", beto)
    beto.does(night.plan("/end"), do="pay-0", **{"amount-0": "7"})
    assert ["for shared costs" in night.text("", device) for device in (ana, beto)] == [False, False]


@pytest.mark.parametrize(
    ("more", "problem"),
    [
        ({"payer": "nobody"}, "Tap who paid"),
        ({"payer": ""}, "Tap who paid"),
        ({"for_": []}, "Somebody else must share it"),
        ({"for_": ["{Ana}"]}, "Somebody else must share it"),
        ({"for_": ["{Ana}", "77"]}, "Somebody else must share it"),
        ({"amount": ""}, "Enter an amount, for example 36"),
        ({"amount": "0"}, "isn't an amount"),
        ({"amount": "1.5"}, "isn't a whole amount"),
        ({"share-1": "0"}, "A share is a whole number from 1 to 99"),
        ({"share-1": "１"}, "A share is a whole number from 1 to 99"),
        ({"share-1": "9" * 5000}, "A share is a whole number from 1 to 99"),
    ],
)
def test_what_is_wrong_is_said_and_nothing_is_lost(app: Flask, more: dict[str, Any], problem: str) -> None:
    night = PlayedNight(app, currency="JPY", stake="1")
    told = cost(night, **more)
    assert problem in told, told
    assert "Ana paid" not in night.html("/money")


@pytest.mark.parametrize(
    ("languages", "currency"),
    [("en-US,en;q=0.9", "USD"), ("es-MX", "MXN"), ("en-001,de-CH;q=0.8", "CHF"), ("en", "EUR"), ("zh-Hant", "EUR")],
)
def test_a_cost_in_a_night_for_chips_begins_with_the_browsers_country(
    night: PlayedNight, languages: str, currency: str
) -> None:
    html = night.keeper.get(f"{night.night}/cost", headers={"Accept-Language": languages}).text
    assert f" ({currency})</label>" in html


def test_only_the_scorekeeper_enters_costs_and_only_of_this_night(app: Flask) -> None:
    night = PlayedNight(app, begins="round")
    looker, player = Device(app), night.joined("Beto")
    looker.open(night.links()["look"])
    for device in (looker, player):
        assert device.get(f"{night.night}/cost").status_code == 403
        assert night.post("/cost", device, **PIZZA).status_code == 403
    paths = (
        "/cost?line=1",
        "/cost?line=9",
        "/cost?line=x",
        f"/cost?line={10**20}",
        "/settle?costs=EUR",
        "/settle?costs=",
    )
    assert [night.keeper.get(night.night + path).status_code for path in paths] == [404] * len(paths)
    assert "isn't a currency" not in cost(night, currency="XXXX", note="\x00")


# whether the middle of what is tapped is neither below the screen nor under the bar at its bottom
IN_SIGHT = """one => {
  const { x, y, width, height } = one.getBoundingClientRect()
  return one.contains(document.elementFromPoint(x + width / 2, y + height / 2))
}"""


@pytest.mark.parametrize(
    ("tab", "size"), [("", (390, 844)), ("/money", (390, 844)), ("/money", (320, 568)), ("/money", (844, 390))]
)
def test_pizza_among_four_takes_six_taps_without_scrolling(
    phone: Callable[..., Page], address: str, tab: str, size: tuple[int, int]
) -> None:
    """One phone in the middle: Ana paid 36 for pizza, for everybody; from a tab of the night to the booked cost."""
    width, height = size
    page = phone(viewport={"width": width, "height": height})
    start_night(page, address, names=("Ana", "Beto", "Caro", "Dani"), at=tab)
    payer = page.locator("[data-sharer] label", has_text="Ana").first
    keys = [page.get_by_role("button", name=key, exact=True) for key in "36"]
    pizza, save = page.locator("label", has_text="Pizza"), page.get_by_role("button", name="Save")
    way = [page.get_by_role("link", name="Shared cost"), pizza, payer, *keys, save]
    assert len(way) == 6
    for what in way:
        expect(what).to_be_in_viewport(ratio=1)
        assert what.evaluate(IN_SIGHT), what
        place = what.bounding_box()
        what.tap()
        if what in keys:
            assert what.bounding_box() == place  # or the next tap of the thumb would hit another one
        if what is keys[-1]:
            assert page.locator("[data-comes-to]").inner_text().split() == ["36", "9", "each"]
    page.wait_for_url("**/money#movements")
    assert page.locator("#news").inner_text().count("9") == 3
    assert "for Ana, Beto, Caro and Dani" in " ".join(page.locator("main").inner_text().split())
