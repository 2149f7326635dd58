"""How each game is dealt, by house rules and seats, and who has a turn left after a knock or a call."""

from __future__ import annotations

import pytest
from rounds import values
from tables import table

from companion.engine.game import AnyRound, seated
from companion.games import AnyGame, all_games

SEATS = ("Ana", "Beto", "Caro", "Dani", "Eli")  # clockwise


def seated_at(game: AnyGame, number: int, dealer: str, rules: str = "", **answers: object) -> AnyRound:
    return seated(game, game.options(**values(rules)), SEATS[:number], dealer, **answers)


# game | players | dealer | house rules | the deal
DEALS = """
knock-poker | 4 | Caro |
    | Caro shuffles and deals, clockwise; Beto cuts; everyone antes 1;
    five cards each, one at a time from Dani; turn the next one up beside the stock; Dani begins
knock-poker | 2 | Ana | ante=0
    | Ana shuffles and deals, clockwise; Beto cuts; five cards each, one at a time from Beto;
    turn the next one up beside the stock; Beto begins
dompe | 4 | Caro | ante=2
    | Caro shuffles and deals, anticlockwise; Beto cuts; everyone antes 2;
    five cards each, one at a time from Beto; Beto gets one more; Beto begins
dompe | 2 | Ana | deck=spanish-40
    | Ana shuffles and deals, anticlockwise; Beto cuts; everyone antes 1;
    five cards each, one at a time from Beto; Beto gets one more; Beto begins
domino-poker | 3 | Caro | | Caro deals, clockwise; everyone antes 1; five tiles each, face down; Ana begins
draw-poker | 5 | Eli | wild=jokers
    | Eli shuffles and deals, clockwise; everyone antes 1; five tiles each, face down;
    CARDominoes are tiles that show a playing card each; a deck of cards will do; Ana begins
knock | 4 | Beto |
    | Beto deals, clockwise; everyone antes 1; five cards each, face down;
    turn the next one up beside the stock; Caro begins
five-card-draw | 3 | Beto | wild=jokers
    | Beto shuffles and deals, clockwise; Ana cuts; everyone antes 1; five cards each, one at a time from Caro;
    Caro begins
straight-poker | 3 | Beto | ante=2
    | Beto shuffles and deals, clockwise; Ana cuts; everyone antes 2; five cards each, one at a time from Caro;
    Caro begins
guts | 3 | Beto |
    | Beto deals, clockwise; Ana cuts; everyone antes 1; three cards each, one at a time from Caro; all decide at once
any-game | 3 | Beto | | Beto deals, clockwise
whisky-poker | 3 | Beto | | Beto deals, clockwise; everyone antes 1; five cards each, face down;
    a hand of five to the middle, face down; Caro begins
gin-rummy | 2 | Beto |
    | Beto deals, clockwise; ten cards each, one at a time from Ana; turn the next one up beside the stock; Ana begins
thirty-one | 3 | Beto |
    | Beto deals, clockwise; everyone antes 1; three cards each, face down;
    turn the next one up beside the stock; Caro begins
thirty-one | 3 | Beto | played_for=lives
    | Beto deals, clockwise; three cards each, face down; turn the next one up beside the stock; Caro begins
knock-rummy | 2 | Beto |
    | Beto shuffles and deals, clockwise; Ana cuts; ten cards each, one at a time from Ana;
    turn the next one up beside the stock; Ana begins
knock-rummy | 3 | Beto |
    | Beto shuffles and deals, clockwise; Ana cuts; seven cards each, one at a time from Caro;
    turn the next one up beside the stock; Caro begins
knock-rummy | 3 | Beto | cards="10"
    | Beto shuffles and deals, clockwise; Ana cuts; ten cards each, one at a time from Caro;
    turn the next one up beside the stock; Caro begins
"""


@pytest.mark.parametrize("row", table(DEALS), ids=lambda row: " ".join(row[:4]))
def test_c_10_the_deal(row: tuple[str, ...]) -> None:
    game, number, dealer, rules, said = row
    found = all_games()[game]
    deal = found.deal(seated_at(found, int(number), dealer, rules))
    assert "; ".join(map(str, deal.sentences())) == said


@pytest.mark.parametrize("game", all_games().values(), ids=lambda game: game.key)
def test_c_10_there_are_enough_pieces_for_the_deal(game: AnyGame) -> None:
    round = seated_at(game, min(game.seats[1], len(SEATS)), "Ana")
    deal = game.deal(round)
    dealt = deal.each * len(deal.order) + deal.first_gets_extra + deal.is_turned_up
    assert dealt <= len(game.pieces(round.options))
    assert deal.each in game.hand_sizes(round)


# game | dealer | who knocked or called | house rules | who still has a turn, in order | which | in words
LAST = """
knock-poker | Dani | Beto | | Caro Dani Ana | stay-or-drop | Beto knocked. Last turns: Caro, Dani, then Ana
knock-poker | Ana | Dani | | Ana Beto Caro | stay-or-drop | Dani knocked. Last turns: Ana, Beto, then Caro
knock-poker | Dani | Beto | settlement=simple | | None | Beto knocked; nobody has another turn, so everyone shows
dompe | Dani | Beto | | Ana Dani | outright-win
    | Beto called. Last turns: Ana, then Dani; an outright win ends the round
dompe | Beto | Caro | | Beto | outright-win | Caro called. Last turn: Beto; an outright win ends the round
dompe | Beto | Ana | | Dani Caro Beto | outright-win
    | Ana called. Last turns: Dani, Caro, then Beto; an outright win ends the round
dompe | Beto | Beto | | | outright-win | Beto called; nobody has another turn, so everyone shows
knock | Dani | Caro | | Dani Ana Beto | draw | Caro knocked. Last draws: Dani, Ana, then Beto
knock | Ana | Caro | hand=poker | Dani Ana Beto | draw | Caro knocked. Last draws: Dani, Ana, then Beto
whisky-poker | Dani | Caro | | Dani Ana Beto | swap | Caro knocked. Last turns: Dani, Ana, then Beto
thirty-one | Dani | Caro | played_for=lives | Dani Ana Beto | draw | Caro knocked. Last draws: Dani, Ana, then Beto
knock-rummy | Dani | Beto | | | None | Beto knocked; nobody has another turn, so everyone shows
"""


@pytest.mark.parametrize("row", table(LAST), ids=lambda row: " ".join(row[:4]))
def test_c_11_the_last_turns(row: tuple[str, ...]) -> None:
    game, dealer, by, rules, players, turn, said = row
    found = all_games()[game]
    (key,) = [question.key for question in found.questions if question.meaning == "knocked"]
    last = found.last_turns(seated_at(found, 4, dealer, rules, **{key: by}))
    assert last is not None
    assert (last.by, last.players, str(last.turn)) == (by, tuple(players.split()), turn)
    assert str(last.sentence()) == said


@pytest.mark.parametrize("game", all_games().values(), ids=lambda game: game.key)
def test_c_11_nobody_has_knocked(game: AnyGame) -> None:
    assert game.last_turns(seated_at(game, 2, "Ana")) is None
