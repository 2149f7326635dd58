"""What everybody at the table may know of the hand that is being played, told from the draft of the round."""

from __future__ import annotations

import pytest
from devices import HANDS, Night
from flask import Flask

from companion.games import all_games
from companion.store.play import find_session
from companion.web.round.hand_in_play import HandInPlay, hand_in_play, shown_mark
from companion.web.round.next_round import NextRound


def told(app: Flask, night: Night, game: str) -> HandInPlay:
    with app.test_request_context("/"):
        session = find_session(night.session.rpartition("/")[2])
        assert session is not None
        return hand_in_play(NextRound(session, all_games()[game]))


def test_before_the_hand_the_deal_is_told(app: Flask) -> None:
    night = Night(app)
    table = told(app, night, "knock-poker")
    ana, beto, caro = night.players.values()
    assert (table.dealer, table.is_first_deal, table.order) == (caro, True, (ana, beto, caro))
    assert str(table.deal[0]) == "Caro shuffles and deals, clockwise"
    assert (table.turn, table.knocked, table.pot, table.is_begun) == (None, None, 3, False)


@pytest.mark.parametrize("game", all_games())
def test_every_game_is_told(app: Flask, game: str) -> None:
    table = told(app, Night(app, game), game)
    assert table.deal and len(table.order) == 3
    assert table.has_bets == bool(table.offers) == (game in ("domino-poker", "draw-poker"))
    assert bool(table.knock_word) != table.has_bets


def test_bets_of_the_entry_form_begin_a_hand_too(app: Flask) -> None:
    night = Night(app, "domino-poker")
    night.types(night.keeper, game="domino-poker", bets="bet 2")
    table = told(app, night, "domino-poker")
    assert (table.is_begun, table.is_on_phones) == (True, False)


# cells, and whether the mark of what phones show differs with them
MARKED = [
    ({"players-7-hand": "9s"}, False),
    ({"players-7-draws": "2"}, True),
    ({"players-7-dropped": True}, True),
    ({"dealer": "7"}, True),
    ({"bets": "bet 2"}, True),
    ({"betting": "amounts"}, True),
    ({"asked-knocker": "7"}, True),
    ({"rules-limit": "2"}, False),
]


@pytest.mark.parametrize(("cells", "is_marked"), MARKED, ids=[next(iter(row[0])) for row in MARKED])
def test_cards_are_not_in_the_mark(cells: dict[str, object], is_marked: bool) -> None:
    assert (shown_mark(cells, 1, None) != shown_mark({}, 1, None)) is is_marked


def test_a_line_or_a_stack_more_is_in_the_mark() -> None:
    assert len({shown_mark({}, 1, None), shown_mark({}, 2, None), shown_mark({}, 1, {"Ana": 5})}) == 3


def test_no_card_is_in_it(app: Flask) -> None:
    night = Night(app)
    night.types(night.joined("Ana"), players_0_hand=HANDS["Ana"])
    assert "9s" not in repr(told(app, night, "knock-poker"))
