"""A printed night: its content, that a typical one fits on one page of A4, and that large amounts are legible."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from browser import PHONE, served
from devices import SECRET, PlayedNight
from flask import Flask
from playwright.sync_api import Browser

from companion.contract.naming import renamed
from companion.engine.game import EXAMPLE_PLAYERS
from companion.games import all_games
from companion.store.groups import groups
from companion.store.night import play
from companion.store.refusals import Sent

ROUNDS = 30


def test_it_has_every_round_the_balances_and_the_payments(app: Flask) -> None:
    night = PlayedNight(app, begins="round")
    buy_in = {"movement": "buy-in", "from_": night.players["Caro"], "to": "bank", "amount": "7", "note": "chips"}
    night.does("/move", **buy_in)
    night.books()
    night.plays("void 3")
    assert f"{night.night}/print" in night.page("/rounds").all("a", "href")
    html = night.html("/print")
    rows = [re.sub(r"<[^>]+>", "|", row) for row in re.findall(r"<tr.*?</tr>", html, re.DOTALL)]
    cells = [[" ".join(cell.split()) for cell in row.split("|") if cell.strip()] for row in rows]
    assert cells[1][1:] == ["+6", "\u22123", "\u22123"]
    assert cells[2] == ["buy-in&nbsp;\u00b7 chips", "\u22127"]
    assert cells[3] == ["2", "Knock Poker", "void"]
    assert cells[4] == ["Won or lost", "+6", "\u22123", "\u22123"]
    assert cells[5] == ["Total, with costs and loans", "+6", "\u22123", "\u221210"]
    assert html.count("<em>pays</em>") == 3


def test_payments_that_were_made_are_not_printed_like_open_ones(app: Flask) -> None:
    night = PlayedNight(app, begins="round, close, settle")
    night.does(night.plan(), do="pay-0", **{"amount-0": "3"})
    night.does(night.plan(), do="pay-1", **{"amount-1": "1"})
    text = night.text("/print")
    assert "Beto pays Ana 3 ✓ paid Caro pays Ana 3 1 paid, 2 to go" in text
    night.plays("reopen, round")  # a new plan replaces this one; what was paid stays on the page
    assert "Beto pays Ana 3 ✓ paid" in night.text("/print")


def document(game: str, example: Mapping[str, Any], ids: dict[str, str]) -> dict[str, Any]:
    """Turn an example for four into a round at a table of five."""
    found = all_games()[game]
    named = {"called": found.example_name} if found.is_named else {}
    return renamed({"game": game, **named, "rules": {}, "players": list(EXAMPLE_PLAYERS), "round": dict(example)}, ids)


def test_thirty_rounds_of_five_players_fit_one_page_of_a4(app: Flask, browser: Browser) -> None:
    with app.app_context():
        group = groups.make_group("Friday table", [*EXAMPLE_PLAYERS, "Maximiliano"], SECRET)
        ids = {player.name: str(player.id) for player in group.players}
        many = [game for game in all_games().values() if game.seats[1] >= len(EXAMPLE_PLAYERS)]
        rounds = [(game, example) for game in many for example in game.examples]
        seats = list(map(int, ids.values()))
        night = groups.start_night(group, seats, rounds[0][0].key, {}, "key").public_id
        for number in range(ROUNDS):
            game, example = rounds[number % len(rounds)]
            play.save_round(night, number + 1, document(game.key, example, ids), Sent(f"key {number}", "a phone"))
    with served(app) as address, browser.new_page(viewport=PHONE) as page:
        page.goto(f"{address}open/{SECRET}")
        page.goto(f"{address}s/{night}/print")
        assert page.locator("tbody tr").count() == ROUNDS
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
        paper = page.pdf(prefer_css_page_size=True)
    assert len(re.findall(rb"/Type\s*/Page\b", paper)) == 1
    assert re.search(rb"/MediaBox \[0 0 59[45][.\d]* 84[12]", paper)


def test_large_amounts_of_many_players_are_printed_side_by_side(app: Flask, browser: Browser) -> None:
    names = [*EXAMPLE_PLAYERS, "Maximiliana de la Cruz", "Concepción Villanueva-Etxeberria", "Ñ", "Hugo", "Irene"]
    with app.app_context():
        group = groups.make_group("Friday table", names, SECRET)
        ids = {player.name: str(player.id) for player in group.players}
        seats = list(map(int, ids.values()))
        night = groups.start_night(group, seats, "knock", {}, "key", 123_450, "MXN").public_id
        for number in range(1, 4):
            played = {"knocker": names[0], "won_by": [names[number]]}
            written = {"game": "knock", "rules": {}, "stake": 123_450, "players": names, "round": played}
            play.save_round(night, number, renamed(written, ids), Sent(f"key {number}", "a phone"))
    with served(app) as address, browser.new_page(viewport=PHONE) as page:
        page.goto(f"{address}open/{SECRET}")
        page.goto(f"{address}s/{night}/print")
        paper = page.pdf(prefer_css_page_size=True)
        page.emulate_media(media="print")
        page.set_viewport_size({"width": 1047, "height": 718})  # A4 on its side, within its margins
        cut = "(cells) => cells.filter((cell) => cell.scrollWidth > cell.clientWidth).map((cell) => cell.textContent)"
        assert page.locator(".night :is(td, th)").evaluate_all(cut) == []
        assert page.evaluate("document.documentElement.scrollWidth") == 1047
    assert re.search(rb"/MediaBox \[0 0 84[12][.\d]* 59[45]", paper)
