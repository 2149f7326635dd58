"""The deal and the last turns: as data, and as sentences."""

from __future__ import annotations

import pytest

from companion.engine.deal import Deal, Ending, LastTurn, LastTurns

CARDS = ("card", "cards")
BARE = Deal(("Ana", "Beto", "Caro"), 5, CARDS)
FULL = Deal(
    ("Ana", "Beto", "Caro"),
    7,
    CARDS,
    ante=2,
    dealer_shuffles=True,
    is_cut=True,
    one_at_a_time=True,
    first_gets_extra=True,
    is_turned_up=True,
)
TO_THE_RIGHT = Deal(("Ana", "Beto", "Caro"), 12, ("tile", "tiles"), is_clockwise=False, ante=1, is_cut=True)
SAID = [
    (BARE, "Caro deals, clockwise. five cards each, face down. Ana begins"),
    (
        FULL,
        "Caro shuffles and deals, clockwise. Beto cuts. everyone antes 2 stakes. "
        "seven cards each, one at a time from Ana. Ana gets one more. "
        "turn the next one up beside the stock. Ana begins",
    ),
    (
        TO_THE_RIGHT,
        "Caro deals, anticlockwise. Ana cuts. everyone antes 1 stake. 12 tiles each, face down. Ana begins",
    ),
]


@pytest.mark.parametrize(("deal", "said"), SAID, ids=["bare", "full", "to the right"])
def test_c_10_the_deal_in_words(deal: Deal, said: str) -> None:
    assert ". ".join(map(str, deal.sentences())) == said


@pytest.mark.parametrize(("is_clockwise", "cutter"), [(True, "Beto"), (False, "Ana")])
def test_c_10_the_player_at_the_dealers_right_cuts(is_clockwise: bool, cutter: str) -> None:
    # seen in turn order: the last before the dealer who deals clockwise, the first for one who deals the other way
    assert Deal(("Ana", "Beto", "Caro"), 5, CARDS, is_clockwise, is_cut=True).cutter == cutter
    assert Deal(("Ana", "Caro"), 5, CARDS, is_clockwise, is_cut=True).cutter == "Ana"
    assert BARE.cutter is None


LAST: list[tuple[Ending, str, LastTurn | None, str]] = [
    ("knocked", "Beto", "stay-or-drop", "Ana knocked. Last turn: Beto"),
    (
        "knocked",
        "Beto Caro",
        "stay-or-drop",
        "Ana knocked. Last turns: Beto, then Caro",
    ),
    ("called", "Caro", "outright-win", "Ana called. Last turn: Caro; an outright win ends the round"),
    (
        "called",
        "Beto Caro",
        "outright-win",
        "Ana called. Last turns: Beto, then Caro; an outright win ends the round",
    ),
    ("called", "", "outright-win", "Ana called; nobody has another turn, so everyone shows"),
    ("knocked", "Beto", "draw", "Ana knocked. Last draw: Beto"),
    ("knocked", "Beto Caro", "draw", "Ana knocked. Last draws: Beto, then Caro"),
    ("knocked", "", None, "Ana knocked; nobody has another turn, so everyone shows"),
]


@pytest.mark.parametrize(("ending", "players", "turn", "said"), LAST)
def test_c_11_the_last_turns_in_words(ending: Ending, players: str, turn: LastTurn | None, said: str) -> None:
    assert str(LastTurns("Ana", ending, tuple(players.split()), turn).sentence()) == said
