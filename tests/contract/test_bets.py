"""Bets in a round document: the state of the betting, and that bets settle like the totals they imply."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from games.rounds import Document, actions, document, settled
from hypothesis import given
from hypothesis import strategies as st
from sample_rounds import ROUNDS, changed

from companion.contract import betting, settle
from companion.contract.random_rounds import bet_to_the_end, standing

DP, DR = "domino-poker", "draw-poker"
SEATS = "Ana; Beto; Caro"


def told(game: str, bets: str, rules: str = "", pot: int = 0, stake: int = 1) -> Document:
    return document(game, f"{SEATS} / {bets}", rules, pot=pot, stake=stake)


# game | bets | rules | the whole document
STANDING: dict[str, tuple[Document, Document]] = {
    "the start": (
        told(DP, ""),
        {"round": "bets", "turn": "Ana", "over": False, "pot": 3, "paid": {"Ana": 1, "Beto": 1, "Caro": 1},
         "folded": [], "all_in": [],
         "may": [{"action": "check"}, {"action": "bet", "least": 1, "most": None}, {"action": "fold"}]},
    ),
    "a bet to call": (
        told(DP, "Ana check, Beto bet 4", "minimum_bet=2 maximum_bet=6", pot=10),
        {"round": "bets", "turn": "Caro", "over": False, "pot": 17, "paid": {"Ana": 1, "Beto": 5, "Caro": 1},
         "folded": [], "all_in": [],
         "may": [{"action": "call", "amount": 4}, {"action": "raise", "least": 6, "most": 10}, {"action": "fold"}]},
    ),
    "stakes of 25": (
        told(DP, "Ana fold", "minimum_bet=2 maximum_bet=6 all_in=true", stake=25),
        {"round": "bets", "turn": "Beto", "over": False, "pot": 75, "paid": {"Ana": 25, "Beto": 25, "Caro": 25},
         "folded": ["Ana"], "all_in": [],
         "may": [{"action": "check"}, {"action": "bet", "least": 50, "most": 150}, {"action": "fold"},
                 {"action": "all-in", "least": 1, "most": 150}]},
    ),
    "all bet": (
        told(DP, "Ana bet 4, Beto all-in 2, Caro fold", "all_in=true"),
        {"round": None, "turn": None, "over": True, "pot": 9, "paid": {"Ana": 5, "Beto": 3, "Caro": 1},
         "folded": ["Caro"], "all_in": ["Beto"], "may": []},
    ),
    "after the exchange": (
        told(DR, "Ana bet 4, Beto fold, Caro call / Ana check"),
        {"round": "bets_after_exchange", "turn": "Caro", "over": False, "pot": 11,
         "paid": {"Ana": 5, "Beto": 1, "Caro": 5}, "folded": ["Beto"], "all_in": [],
         "may": [{"action": "check"}, {"action": "bet", "least": 1, "most": None}, {"action": "fold"}]},
    ),
    "a caller raised": (
        told(DR, "Ana bet 4, Beto call, Caro raise 6, Ana fold"),
        {"round": "bets", "turn": "Beto", "over": False, "pot": 17, "paid": {"Ana": 5, "Beto": 5, "Caro": 7},
         "folded": ["Ana"], "all_in": [], "may": [{"action": "call", "amount": 2}, {"action": "fold"}]},
    ),
}  # fmt: skip


@pytest.mark.parametrize(("written", "expected"), STANDING.values(), ids=STANDING)
def test_state_of_the_bets(written: Document, expected: Document) -> None:
    before = copy.deepcopy(written)
    assert betting(written) == (200, expected)
    assert written == before


def test_stakes_are_in_seat_order() -> None:
    state = standing(told(DP, "") | {"dealer": "Ana"})
    assert state["turn"] == "Beto"
    assert list(state["paid"]) == ["Ana", "Beto", "Caro"]


@pytest.mark.parametrize("game", [DP, DR])
@pytest.mark.parametrize("hands", [{}, {"Ana": 5}, "none", {"Zoe": "1-1"}], ids=str)
@pytest.mark.parametrize("missing", [[], ["bets"]], ids=["none told", "no bets"])
def test_hands_and_bets_may_be_missing(game: str, hands: object, missing: list[str]) -> None:
    round = {key: value for key, value in {"bets": [], "hands": hands}.items() if key not in missing}
    assert standing({"game": game, "players": ["Ana", "Beto"], "round": round})["turn"] == "Ana"


# what is wrong, field and code
REFUSED: dict[str, tuple[Document, str]] = {
    "a game without bets": (ROUNDS["knock"], "game bad-value"),
    "sums": (ROUNDS[DP], "round.bets bad-value"),
    "both": (changed(DP, {"round.bets": actions("Ana check")}), "round.bets bad-value"),
    "after the end": (told(DR, "Ana fold, Beto fold / Caro bet 2"), "round.bets_after_exchange.0 illegal-bet"),
    "no object": ([], " bad-request"),
}  # fmt: skip


@pytest.mark.parametrize(("written", "expected"), REFUSED.values(), ids=REFUSED)
def test_impossible_bets_are_problems(written: object, expected: str) -> None:
    status, answer = betting(written)
    errors: Any = answer["errors"]
    assert (status, answer["status"]) == (422, 422)
    assert "; ".join(f"{error['field']} {error['code']}" for error in errors) == expected


def test_names_in_bets_are_trimmed() -> None:
    assert standing(told(DP, "") | {"round": {"bets": [{"player": " Ana ", "action": "check"}]}})["turn"] == "Beto"


# hands that are good in any number of seats
HANDS = {
    DP: ["2-2 3-3 4-4 5-5 6-6", "1-6 2-6 3-6 4-6 5-6", "1-5 2-5 3-5 4-5 1-2", "1-3 1-4 2-3 2-4 3-4"],
    DR: ["Ah Kh 8h 5h 3h", "8c 8d Js 7d 4h", "Ad Kc Jh 9c 6d", "Ac Ks Jd 9h 6s", "9s 8s Tc 4c 4s", "Qs Qd 2c 2d 3s"],
}


@pytest.mark.parametrize("game", HANDS)
@given(data=st.data())
def test_bets_settle_like_the_totals_they_imply(game: str, data: st.DataObject) -> None:
    players = [f"P{at}" for at in range(data.draw(st.integers(2, len(HANDS[game]))))]
    rules = data.draw(st.fixed_dictionaries({}, optional={"all_in": st.booleans(), "ante": st.integers(0, 3)}))
    if data.draw(st.booleans()):
        rules |= {"minimum_bet": 1, "maximum_bet": 2}
    written: Document = {
        "game": game, "rules": rules, "players": players, "dealer": data.draw(st.sampled_from(players)),
        "stake": data.draw(st.sampled_from([1, 5])), "pot": data.draw(st.integers(0, 7)), "round": {},
    }  # fmt: skip
    state = bet_to_the_end(written, data.draw(st.randoms(use_true_random=False)))
    left = [player for player in players if player not in state["folded"]]
    shown = dict(zip(left, HANDS[game], strict=False)) if len(left) > 1 else {}
    written["round"]["hands"] = shown
    sums = written | {"round": {"paid": state["paid"], "folded": state["folded"], "hands": shown}}
    assert settled(written) == settled(sums)
    assert state["pot"] == written["pot"] + sum(state["paid"].values())


@given(st.data())
def test_truncated_or_damaged_bets_are_refused(data: st.DataObject) -> None:
    written = told(data.draw(st.sampled_from([DP, DR])), "", "all_in=true")
    bet_to_the_end(written, data.draw(st.randoms(use_true_random=False)))
    bets = written["round"]["bets"]
    at = data.draw(st.integers(0, len(bets) - 1))
    cut = written | {"round": {"bets": bets[:at]}}
    assert [error["code"] for error in settle(cut)[1]["errors"]] == ["missing-field"]  # type: ignore[attr-defined]
    other = data.draw(st.sampled_from([p for p in written["players"] if p != bets[at]["player"]]))
    bets[at]["player"] = other
    (error,) = settle(written)[1]["errors"]  # type: ignore[attr-defined]
    assert (error["field"], error["code"]) == (f"round.bets.{at}", "illegal-bet")


@pytest.mark.parametrize("document", [{"game": "nothing", "players": ["Ana", "Beto"], "round": {}}, {"game": DP}])
def test_without_a_game_or_players_there_is_no_betting(document: Document) -> None:
    assert betting(document)[0] == 422
