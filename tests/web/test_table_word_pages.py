"""Pages of rounds that the table judged by itself: nothing asks for cards that nobody entered. Rule: C-13."""

from __future__ import annotations

import re

import pytest
from devices import Night
from flask import Flask
from games.rounds import document

from companion.contract.naming import renamed
from companion.store import play
from companion.store.play import Sent

ROUNDS = {
    "knock-poker": "Ana knocked won; Beto; Caro dropped",
    "dompe": "Ana called; Beto won; Caro",
    "domino-poker": "Ana paid=3 won; Beto paid=3; Caro paid=1 folded",
    "draw-poker": "Ana paid=2 won: As Ks Qs Js Ts; Beto paid=2; Caro paid=2",
    "knock": "Ana counts=7.5; Beto knocked counts=10; Caro counts=10.5",
    "knock-rummy": "Ana: 4s 4h 4d 6c 7c 8c 2d; Beto counts=10; Caro knocked counts=20",
}


@pytest.fixture
def night(app: Flask) -> Night:
    night = Night(app)
    with app.app_context():
        session = night.session.rpartition("/")[2]
        for number, (game, seats) in enumerate(ROUNDS.items(), 1):
            written = renamed(document(game, seats), night.players)
            play.save_round(session, number, written, Sent(f"key {number}", "a phone"))
    return night


def test_every_page_opens(night: Night) -> None:
    pages = ["", "/changes", "/print", "/pictures", "/round"]
    of_lines = [f"/lines/{number}{page}" for number in range(1, len(ROUNDS) + 1) for page in ("", "/correct", "/void")]
    found = {path: night.keeper.get(f"{night.session}{path}").status_code for path in [*pages, *of_lines]}
    assert set(found.values()) == {200}, found


@pytest.mark.parametrize(("number", "game"), list(enumerate(ROUNDS, 1)), ids=list(ROUNDS))
def test_the_answer_tells_no_odds_and_draws_no_cards_that_nobody_entered(night: Night, number: int, game: str) -> None:
    html = night.keeper.get(f"{night.session}/lines/{number}").text
    answer = html[html.index('class="answer"') :]
    shown = re.findall(r'<li class="piece', answer)
    given = sum(len(seat.partition(":")[2].split()) for seat in ROUNDS[game].split(";"))
    # the winner's hand stands at the top as well
    assert len(shown) in (given, 2 * given)
    assert "1 in " not in answer
    assert ("The table decided" in answer) == ("won" in ROUNDS[game])


def test_what_the_table_said_is_listed_in_the_changes(night: Night) -> None:
    text = re.sub(r"<[^>]+>|\s+", " ", night.keeper.get(f"{night.session}/changes").text)
    text = re.sub(r"\s+", " ", text)
    assert "Has the best hand" in text or "has the best hand" in text
    assert "Beto: points" in text
