"""What everybody at the table may know of the hand that is being played, told from the draft of the round."""

from __future__ import annotations

import pytest
from devices import HANDS, PlayedNight
from flask import Flask

from companion.games import all_games
from companion.store.night.drafts import round_in
from companion.store.night.play import find_night
from companion.table.hand import HandInPlay
from companion.table.last_turns import knock_question


def told(app: Flask, night: PlayedNight, game: str) -> HandInPlay:
    with app.test_request_context("/"):
        session = find_night(night.night.rpartition("/")[2])
        assert session is not None
        hand = HandInPlay(round_in(session, all_games()[game], None))
        _ = {name: getattr(hand, name) for name in dir(hand) if not name.startswith("_")}  # while there is a database
        return hand


def test_before_the_hand_the_deal_is_told(night: PlayedNight, app: Flask) -> None:
    table = told(app, night, "knock-poker")
    ana, beto, caro = night.players.values()
    assert (table.dealer, table.is_first_deal, table.order) == (caro, True, (ana, beto, caro))
    assert str(table.deal[0]) == f"{caro} shuffles and deals, clockwise"
    assert (table.turn, table.knocked, table.pot, table.is_begun) == (None, None, 3, False)


@pytest.mark.parametrize("game", all_games())
def test_every_game_is_told(app: Flask, game: str) -> None:
    table = told(app, PlayedNight(app, game), game)
    declared = all_games()[game]
    assert table.deal and len(table.order) == min(3, declared.seats[1])
    assert table.has_bets == bool(table.played and table.played.offers) == bool(declared.betting_rounds)
    question = knock_question(declared)
    assert table.knock_word == (question.label if question else "")


def test_bets_of_the_entry_form_begin_a_hand_too(app: Flask) -> None:
    night = PlayedNight(app, "domino-poker")
    night.types(night.keeper, game="domino-poker", bets="bet 2")
    table = told(app, night, "domino-poker")
    assert (table.is_begun, table.is_on_phones) == (True, False)


def test_no_card_is_in_it(night: PlayedNight, app: Flask) -> None:
    night.types(night.joined("Ana"), players_0_hand=HANDS["Ana"])
    hand = told(app, night, "knock-poker")
    assert "9s" not in repr([vars(hand), vars(hand.round)])
