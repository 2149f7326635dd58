"""Pages of rounds whose result the table stated: nothing asks for cards that nobody entered. Rule: C-13."""

from __future__ import annotations

import re

import pytest
from devices import PlayedNight
from flask import Flask
from games.rounds import document

from companion.contract.naming import renamed
from companion.store.night import play
from companion.store.night.play import Sent

ROUNDS = {
    "knock-poker": "Ana knocked won; Beto; Caro dropped",
    "dompe": "Ana called; Beto won; Caro",
    "domino-poker": "Ana paid=3 won; Beto paid=3; Caro paid=1 folded",
    "draw-poker": "Ana paid=2 won: As Ks Qs Js Ts; Beto paid=2; Caro paid=2",
    "knock": "Ana counts=7.5; Beto knocked counts=10; Caro counts=10.5",
    "knock-rummy": "Ana: 4s 4h 4d 6c 7c 8c 2d; Beto counts=10; Caro knocked counts=20",
}


@pytest.fixture
def night(app: Flask) -> PlayedNight:
    night = PlayedNight(app)
    with app.app_context():
        session = night.night.rpartition("/")[2]
        for number, (game, seats) in enumerate(ROUNDS.items(), 1):
            written = renamed(document(game, seats), night.players)
            play.save_round(session, number, written, Sent(f"key {number}", "a phone"))
    return night


def test_every_page_opens(night: PlayedNight) -> None:
    pages = ["", "/changes", "/print", "/pictures", "/round"]
    of_lines = [f"/lines/{number}{page}" for number in range(1, len(ROUNDS) + 1) for page in ("", "/correct", "/void")]
    found = {path: night.keeper.get(f"{night.night}{path}").status_code for path in [*pages, *of_lines]}
    assert set(found.values()) == {200}, found


@pytest.mark.parametrize(("number", "game"), list(enumerate(ROUNDS, 1)), ids=list(ROUNDS))
def test_the_result_tells_no_odds_and_draws_no_cards_that_nobody_entered(
    night: PlayedNight, number: int, game: str
) -> None:
    html = night.html(f"/lines/{number}")
    result = html[html.index('class="result') :]
    shown = re.findall(r'<li class="piece', result)
    given = sum(len(seat.partition(":")[2].split()) for seat in ROUNDS[game].split(";"))
    assert len(shown) == given
    assert "1 in " not in result
    assert ("The table decided" in result) == ("won" in ROUNDS[game])


def test_what_the_table_said_is_listed_in_the_changes(night: PlayedNight) -> None:
    text = re.sub(r"<[^>]+>|\s+", " ", night.html("/changes"))
    text = re.sub(r"\s+", " ", text)
    assert "Has the best hand" in text or "has the best hand" in text
    assert "Beto: points" in text


@pytest.mark.parametrize("number", [1, 2, 5, 6])
def test_a_correction_opens_with_what_the_table_said_and_saves_it_again(night: PlayedNight, number: int) -> None:
    path = f"{night.night}/lines/{number}"
    fields = night.keeper.page(f"{path}/correct").fields
    kept = {name: values for name, values in fields.items() if name != "csrf_token"}
    before = night.keeper.page(path).texts["won"]
    assert fields["way"] == ["" if number == 6 else "points" if number == 5 else "won_by"]
    night.keeper.does(f"{path}/correct", **kept, do="save")
    assert night.keeper.page(path).texts["won"] == before


def test_a_night_goes_on_the_way_its_last_round_was_entered(night: PlayedNight) -> None:
    opened = {game: night.page(f"/round?game={game}").fields["way"] for game in ROUNDS}
    # the last round had cards of one hand
    assert set(map(tuple, opened.values())) == {("",)}


def test_a_round_is_entered_by_the_tables_word_without_scripts(app: Flask) -> None:
    night = PlayedNight(app)
    known = night.round_fields(night.keeper, asked_knocker="0", players_2_dropped="y", **{"players-1-won_by": "y"})
    answer = night.post("/round", **known, do="settle")
    assert "Beto wins" in re.sub(r"<[^>]+>", "", answer.text)
    night.does("/round", **known, do="save")
    assert night.page("/round").fields["way"] == ["won_by"]


def test_points_are_typed_with_a_comma_too(app: Flask) -> None:
    night = PlayedNight(app, "knock")
    points = {"players_0_points": "7,5", "players_1_points": "10", "players_2_points": "10.5"}
    known = night.round_fields(night.keeper, game="knock", asked_knocker="0", **points)
    night.does("/round?game=knock", **known, do="save")
    assert night.page("/lines/1").texts["won"].startswith("Ana wins")


def test_other_phones_learn_what_the_table_said(app: Flask) -> None:
    night = PlayedNight(app)
    night.types(night.keeper, asked_knocker="0", **{"players-1-won_by": "y"})
    told = night.state(night.joined("Caro"))
    assert told["fields"]["players-1-won_by"] is True
    assert told["live"]["settled"]["headline"].startswith("Beto wins")


def test_a_phone_that_enters_the_tables_word_is_asked_for_that(app: Flask) -> None:
    night = PlayedNight(app)
    asked = {way: night.types(night.keeper, asked_knocker="0", way=way)["live"]["missing"] for way in ("won_by", "")}
    assert asked["won_by"] == "Tap who won"
    assert asked[""].startswith("Cards missing")
    rummy = PlayedNight(app, "knock-rummy", secret="another secret that keeps score")
    assert rummy.types(rummy.keeper, game="knock-rummy", asked_knocker="0", way="points")["live"]["missing"] == (
        "Points missing: Ana, Beto and Caro"
    )


def test_a_named_winner_who_was_all_in_leaves_hands_to_enter(app: Flask) -> None:
    night = PlayedNight(app, "domino-poker", **{"buy-in": "20"})
    night.plays("rebuy Beto 20, rebuy Caro 20")
    bets = {"betting": "yes", "bets": "all-in 19; raise 30; call"}
    typed = night.types(
        night.keeper, number="3", game="domino-poker", way="won_by", **{**bets, "players-0-won_by": "y"}
    )
    assert typed["live"]["missing"] == "Hands missing for the side pots: Beto and Caro"
    assert "Still missing: Beto and Caro" in typed["rail"]
