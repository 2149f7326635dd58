"""Renaming the players of a round document: nothing else changes, and it settles the same."""

from __future__ import annotations

import json
from copy import deepcopy
from typing import Any

import pytest
from games.rounds import document
from sample_rounds import ROUNDS, changed
from tables import table

from companion.contract import settle
from companion.contract.naming import renamed

# none of them stands anywhere else in a document
NUMBERS = {"Ana": "#1", "Beto": "#2", "Caro": "#3"}
BACK = {number: name for name, number in NUMBERS.items()}

# rounds of which every kind of answer holds names
OTHERS = """
knock-poker | Ana knocked drew=2: 9s 9h 9d 4c 4d; Beto drew=1: Ah Kh 8h 5h 3h; Caro dropped dealer | draw_fee=1
dompe | Ana; Beto showed: 2c 3c 4c 5c 9c Kc; Caro
draw-poker | Ana paid=4 exchanged=3: 2c 2d 2h 2s 3c; Beto paid=4 exchanged=0: As Ks Qs Js Ts; Caro paid=1 folded
draw-poker | Ana: 2c 2d 2h 2s 3c; Beto: As Ks Qs Js Ts; Caro
    / Ana bet 3, Beto call, Caro fold / Ana check, Beto bet 1, Ana call
knock-poker | Ana won; Beto won; Caro: Ks Jh Td 9c 8s
knock | Ana counts="7.5"; Beto counts=7.5; Caro: Ks Jh Td 9c 8s
knock-rummy | Ana counts=7; Beto knocked counts=12; Caro counts=0
"""
EMPTY_WORD = changed("knock-poker", {"round.won_by": None})
NOBODY_KNOCKED = document("knock-poker", "Ana: 9s 9h 9d 4c 4d; Beto: Ah Kh 8h 5h 3h; Caro: 2s 3c 7h 8d Tc")
NOBODY_KNOCKED["round"]["knocker"] = None
ALL: list[dict[str, Any]] = [*ROUNDS.values(), *table(OTHERS, document), EMPTY_WORD, NOBODY_KNOCKED]
EACH = pytest.mark.parametrize("given", ALL, ids=lambda given: given["game"])


@EACH
def test_renaming_leaves_no_name_and_changes_nothing_else(given: dict[str, Any]) -> None:
    before = deepcopy(given)
    found = renamed(given, NUMBERS)
    assert not [player for player in NUMBERS if player in json.dumps(found)]
    assert renamed(found, BACK) == before
    assert given == before


@EACH
def test_it_settles_to_the_same_under_other_names(given: dict[str, Any]) -> None:
    status, expected = settle(given)
    assert status == 200, expected
    said = json.dumps(expected)
    for player, number in NUMBERS.items():
        said = said.replace(player, number)
    assert settle(renamed(given, NUMBERS)) == (200, json.loads(said))


def test_a_missing_dealer_stays_missing() -> None:
    without = {key: value for key, value in ROUNDS["knock"].items() if key != "dealer"}
    assert "dealer" not in renamed(without, NUMBERS)


def test_names_can_be_swapped() -> None:
    turned = renamed(ROUNDS["knock"], {"Ana": "Beto", "Beto": "Ana", "Caro": "Caro"})
    assert turned["players"] == ["Beto", "Ana", "Caro"]
    assert turned["round"]["hands"]["Beto"] == ROUNDS["knock"]["round"]["hands"]["Ana"]
