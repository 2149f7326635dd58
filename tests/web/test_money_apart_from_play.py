"""Who is ahead is what was won by play; costs and payments show only where money is settled, and are named there."""

from __future__ import annotations

import re

import pytest
from devices import PlayedNight, words
from flask import Flask

PIZZA = {"what": "Pizza", "payer": "{Beto}", "amount": "36", "currency": "MXN"}


@pytest.fixture
def night(app: Flask) -> PlayedNight:
    """Give a night of two rounds that Ana won, with a pizza between them that Beto paid for all."""
    night = PlayedNight(app, currency="MXN", stake="1")
    night.books()
    night.does("/cost", for_=list(night.players.values()), **PIZZA)
    night.books()
    return night


# Ana won 6 a round; of the pizza everybody has 12
GAINS = {"Ana": "+12.00", "Beto": "−6.00", "Caro": "−6.00"}


def gains(text: str) -> dict[str, str]:
    """Return the first amount after each player's name, without its currency."""
    found = {name: re.search(rf"{name}[^\d+−]*([+−]?)[^\d+−]*(\d+\.\d\d)", text) for name in GAINS}
    return {name: "".join(match.groups()) for name, match in found.items() if match}


def test_every_page_of_the_game_says_what_was_won_without_the_pizza(night: PlayedNight) -> None:
    table = words(" ".join(re.findall(r'<span class="plate">(.*?)</li>', night.html(), re.DOTALL)))
    result = night.text("/lines/3").partition("Standings")[2]
    home = words(night.keeper.get("/").text).partition("rounds")[2]
    screen = words(night.html("/table").partition('<ol class="standings">')[2])
    entry = words(night.html("/round").partition('<aside class="tonight"')[2])
    for where in (table, result, home, screen, entry):
        assert gains(where) == GAINS, where
    assert "+12.00" in night.html("/rounds").partition("<svg")[2]
    assert "30.00" not in night.html("/rounds")
    correction = words(night.html("/lines/3/void"))
    assert "Ana +MX$12.00 +MX$6.00" in correction


def test_a_cost_that_is_voided_shows_what_is_owed_before_and_after(night: PlayedNight) -> None:
    assert "Beto +MX$18.00 −MX$6.00" in words(night.html("/lines/2/void"))


def test_money_says_what_is_left_and_where_it_comes_from(night: PlayedNight) -> None:
    money = night.text("/money")
    assert "Still to settle" in money
    assert "Standings" not in money
    beto = "Beto −MX$6.00 from rounds, +MX$24.00 for shared costs +MX$18.00"
    assert beto in money
    left = {"player": "{Caro}"}
    (paid,) = (do for do in night.page("/leave?player=" + night.players["Caro"]).all("button", "value") if "pay-" in do)
    night.does("/leave", do=paid, **left)
    night.does("/leave", do="left", **left)
    money = night.text("/money")
    caro = "Caro −MX$6.00 from rounds, −MX$12.00 for shared costs, +MX$18.00 paid or planned before MX$0.00"
    assert caro in money
    assert "Beto −MX$6.00 from rounds, +MX$24.00 for shared costs, −MX$18.00 paid or planned before MX$0.00" in money
    settle = night.text("/settle")
    assert "Nobody owes anything" in settle


def test_money_without_costs_and_payments_has_the_standings(app: Flask) -> None:
    money = PlayedNight(app, currency="MXN", stake="1", begins="round").text("/money")
    assert "Standings" in money
    assert "from rounds" not in money
    assert gains(money) == {"Ana": "+6.00", "Beto": "−3.00", "Caro": "−3.00"}


def test_the_printed_sheet_has_both_totals(night: PlayedNight) -> None:
    printed = night.text("/print")
    assert "Won or lost +12.00 −6.00 −6.00 Total, with costs and loans 0.00 +18.00 −18.00" in printed
    night.does("/lines/2", do="void", seen="1")
    assert "Won or lost" not in night.text("/print")


def test_the_text_to_share_names_the_pizza_and_what_was_paid(night: PlayedNight) -> None:
    caro = {"player": "{Caro}"}
    (paid,) = (do for do in night.page("/leave?player=" + night.players["Caro"]).all("button", "value") if "pay-" in do)
    night.does("/leave", do=paid, **caro)
    night.does("/leave", do="left", **caro)
    night.plays("round, close")
    text = night.html("/end").partition("data-text>")[2].partition("<")[0]
    assert "Beto paid MX$36.00 (Pizza) for Ana, Beto and Caro" in text
    assert "The payments also cover loans, buy-ins and shared costs" in text
    assert "Caro pays Beto MX$18.00 (✓ paid)" in text
    night.does("/settle")
    settle = night.html("/settle")
    assert words(settle).count("Caro pays Beto MX$18.00 (✓ paid)") == 1
    assert "Paid before Caro pays Beto ✓ paid MX$18.00" in words(settle).replace("C B ", "")


def test_who_played_no_round_has_no_place(app: Flask) -> None:
    night = PlayedNight(app, begins="round, new Eva, close")
    end = night.html("/end")
    felt = end.partition('id="felt"')[2].partition('id="news"')[0]
    assert "Eva" not in felt
    assert "Beto" in felt
    assert "Eva" not in night.html("/end.svg")
    assert "Eva" not in end.partition("data-text>")[2].partition("<")[0]
