"""A round while it is being entered: what hands are worth so far, who leads, what is missing and what is wrong."""

from __future__ import annotations

from copy import deepcopy
from typing import Any, NamedTuple

import pytest
from games.rounds import document, listed
from sample_rounds import RESULTS, ROUNDS, changed
from tables import each_row

from companion.contract import progress, progress_document, settle

KP, DO, DP, DR, KN, KR = "knock-poker", "dompe", "domino-poker", "draw-poker", "knock", "knock-rummy"


class Part(NamedTuple):
    """A partial round and its progress.

    `hands`: "Ana 5! full house, nines over fours, leads // Beto 2 -", with "!" for a complete hand and "-" if nothing
    can be said yet. `missing` and `wrong` ("field code") are separated by semicolons.
    """

    id: str
    game: str
    seats: str
    hands: str = ""
    missing: str = ""
    wrong: str = ""
    rules: str = ""


PARTS = f"""
nothing-yet | {KP} | Ana; Beto | | 5 of Ana; 5 of Beto
one-card | {KP} | Ana: 9s; Beto | Ana 1 - | 4 of Ana; 5 of Beto
one-hand | {KP} | Ana: 9s 9h 9d 4c 4d; Beto | Ana 5! full house, nines over fours | 5 of Beto
two-hands-of-three | {KP} | Ana: 9s 9h 9d 4c 4d; Beto: Ah Kh 8h 5h 3h; Caro: Ks
    | Ana 5! full house, nines over fours, leads // Beto 5! flush, ace high, in 2nd place so far // Caro 1 -
    | 4 of Caro
in-the-order-of-the-seats | {KP} | Ana; Beto dealer; Caro | | 5 of Ana; 5 of Beto; 5 of Caro
who-dropped-shows-no-hand | {KP} | Ana knocked; Beto dropped; Caro | | 5 of Ana; 5 of Caro
who-dropped-before-somebody-knocked | {KP} | Ana; Beto dropped; Caro | | 5 of Ana; 5 of Caro; ?
a-tie | {KP} | Ana: Ah Kd 8c 5s 3h; Beto: As Kc 8d 5h 3c; Caro: 2h 3d 4s 7d 9c
    | Ana 5! high card, ace, ties for the lead // Beto 5! high card, ace, ties for the lead // Caro 5! high card,
    nine, in 3rd place
a-card-too-many | {KP} | Ana: 9s 9h 9d 4c 4d 2c; Beto | Ana 6 - | 5 of Beto | round.hands.Ana wrong-hand-size
a-card-that-is-none | {KP} | Ana: 9s Zz; Beto | | 5 of Beto | round.hands.Ana bad-card
a-card-twice-in-one-hand | {KR} | Ana: Ah Ah; Beto: 9s | Beto 1 9 deadwood | 9 of Beto
    | round.hands.Ana duplicate-card
a-card-in-two-hands | {KP} | Ana: 9s 9h; Beto: 9s | Ana 2 - // Beto 1 - | 3 of Ana; 4 of Beto
    | round.hands.Beto duplicate-card
a-hand-of-who-dropped | {KP} | Ana knocked; Beto dropped: 9s; Caro | | 5 of Ana; 5 of Caro
    | round.hands.Beto unexpected-hand
a-bad-rule | {KP} | Ana: 9s; Beto | Ana 1 - | 4 of Ana; 5 of Beto | rules.ante bad-rule-value | ante=0.5
equal-hands-below-the-best | {KP} | Ana: 9s 9h 9d 4c 4d; Beto: Ah Kd 8c 5s 3h; Caro: As Kc 8d 5h 3c
    | Ana 5! full house, nines over fours, leads // Beto 5! high card, ace, shares 2nd place // Caro 5! high card,
    ace, shares 2nd place
do-4-hands-that-can-not-win | {DO} | Ana: Ks Kd 9h 9c 4s; Beto called: 7c 7d 7h 2s 3d; Caro: Ah Qd Jc 5s 2h;
    Dani: Th Tc 6s 8d 4d
    | Ana 5! two pair, kings and nines, below three of a kind // Beto 5! three of a kind, sevens, leads // Caro 5! high
    card, ace, below three of a kind // Dani 5! pair of tens, below three of a kind
spanish-cards | {DO} | Ana: 1o 2o; Beto called: 12b | Ana 2 - // Beto 1 - | 3 of Ana; 4 of Beto | | deck=spanish-40
dompe-asks-for-the-caller | {DO} | Ana: Ks; Beto | Ana 1 - | 4 of Ana; 5 of Beto; ?
do-6-six-card-win | {DO} | Ana showed: 2c 3c 4c 5c 9c Kc; Beto | Ana 6! six-card flush, an outright win
do-6-five-of-six | {DO} | Ana showed: 2c 3c 4c 5c 9c; Beto | Ana 5! -
do-6-six-cards-that-do-not-win | {DO} | Ana showed: 2c 3c 4c 5c 9d Kc; Beto | Ana 6! six cards, no outright win |
    | round.hands.Ana not-an-outright-win
do-6-six-cards-before-anything-is-said | {DO} | Ana: 2c 3c 4c 5c 9c Kc; Beto called
    | Ana 6 six-card flush, an outright win | 5 of Beto | round.hands.Ana wrong-hand-size
paid-is-asked | {DP} | Ana paid=1: 6-6; Beto | Ana 1 - | 4 of Ana; 5 of Beto; ?
folded-shows-no-hand | {DP} | Ana paid=2: 2-2 3-3 4-4 5-5 6-6; Beto paid=1 folded; Caro paid=2 | Ana 5! royal
    | 5 of Caro
c-13-who-won-needs-no-hand | {KP} | Ana won; Beto; Caro
c-13-a-hand-that-was-begun | {KP} | Ana won; Beto: 9s 9h; Caro | Beto 2 - | 3 of Beto
c-13-given-hands-stand-below-the-winners | {KP} | Ana won; Beto: 9s 9h 9d 4c 4d; Caro: Ah Kh 8h 5h 3h
    | Beto 5! full house, nines over fours, in 2nd place // Caro 5! flush, ace high, in 3rd place
c-13-a-contradiction | {KP} | Ana won: Ah Kh 8h 5h 3h; Beto: 9s 9h 9d 4c 4d
    | Ana 5! flush, ace high, leads // Beto 5! full house, nines over fours, in 2nd place |
    | round.hands.Beto contradiction
c-13-a-part-of-the-pot-that-no-winner-paid-into | {DP} | Ana paid=2 won; Beto paid=5; Caro paid=5: 6-6 | Caro 1 -
    | 5 of Beto; 4 of Caro | | all_in=true
c-13-sums-are-asked-first | {DP} | Ana paid=2 won; Beto paid=5; Caro | | ? | | all_in=true
c-13-everyone-folded | {DP} | Ana paid=2 folded won; Beto paid=2 folded | | | round.folded bad-value | all_in=true
c-13-points | {KN} | Ana counts=7.5; Beto; Caro counts=10; Dani: 5s Qh 7d Ac 2s
    | Ana 0! 7½ points, in 2nd place so far // Caro 0! 10 points, in 3rd place so far // Dani 5! 3½ points, leads
    | 5 of Beto
c-13-deadwood | {KR} | Ana counts=12; Beto | Ana 0! 12 deadwood | 10 of Beto
alone-in-the-hand-shows-none | {DR} | Ana paid=4; Beto paid=1 folded
kn-2-points-while-they-grow | {KN} | Ana knocked: 7s Qh; Beto: Ks 2d | Ana 2 ½ point // Beto 2 12 points
    | 3 of Ana; 3 of Beto
no-points-in-poker | {KN} | Ana knocked: 5s Qh; Beto | Ana 2 - | 3 of Ana; 5 of Beto | | hand=poker
kr-2-melds-while-they-grow | {KR} | Ana knocked: 4s 4h 4d 6c 7c 8c; Beto: Kh
    | Ana 6 3 fours and six to eight of clubs; no deadwood // Beto 1 10 deadwood | 4 of Ana; 9 of Beto
"""


def told(found: dict[str, Any]) -> str:
    """Write the progress of hands in the table's notation."""
    rows = []
    for player, hand in found["hands"].items():
        texts = [text for text in (hand["reading"], hand["standing"]) if text is not None]
        rows.append(f"{player} {hand['size']}{'!' * hand['complete']} {', '.join(texts) or '-'}")
    return " // ".join(rows)


def as_listed(missing: list[str]) -> list[str]:
    """Write what is missing in the table's notation; "?" stands for an open question."""
    return [text if " of " in text and text[0].isdecimal() else "?" for text in missing]


@each_row(PARTS, Part)
def test_part_of_a_round(row: Part) -> None:
    found: Any = progress_document(progress(document(row.game, row.seats, row.rules)))
    assert told(found) == row.hands
    assert list(dict.fromkeys(as_listed(found["missing"]))) == listed(row.missing)
    assert [f"{error['field']} {error['code']}" for error in found["errors"]] == listed(row.wrong)


@pytest.mark.parametrize("game", ROUNDS)
def test_a_complete_round_is_settled(game: str) -> None:
    before = deepcopy(ROUNDS[game])
    found: Any = progress_document(progress(ROUNDS[game]))
    assert (200, found["settlement"]) == settle(ROUNDS[game])
    assert (found["missing"], found["errors"]) == ([], [])
    winner = [RESULTS[game][0]] if "hands" in ROUNDS[game]["round"] else []
    assert [hand["player"] for hand in found["settlement"]["hands"] if hand["place"] == 1] == winner
    leads = [player for player, hand in found["hands"].items() if hand["standing"] == "leads"]
    assert leads == winner
    assert before == ROUNDS[game]


@pytest.mark.parametrize("game", ROUNDS)
def test_a_round_that_lacks_a_card_is_not_settled(game: str) -> None:
    for player, hand in ROUNDS[game]["round"].get("hands", {}).items():
        short = " ".join(hand.split()[:-1])
        found: Any = progress_document(progress(changed(game, {f"round.hands.{player}": short})))
        assert found["settlement"] is None
        assert (found["missing"], found["errors"]) == ([f"1 of {player}"], [])
        assert not found["hands"][player]["complete"]
        assert found["hands"][player]["standing"] is None


def test_a_wrong_answer_settles_nothing() -> None:
    found = progress(changed("knock-poker", {"round.dropped": ["Zoe"]}))
    assert found.settlement is None
    assert "unknown-player" in [problem.code for problem in found.wrong]


def test_unfinished_bets_settle_nothing() -> None:
    found: Any = progress_document(progress(document("domino-poker", "Ana: 6-6; Beto / Ana bet 4")))
    assert found["settlement"] is None
    assert found["hands"]["Ana"]["size"] == 1


ODD: list[object] = [None, []]
ODD += [
    {"game": game, "players": players, "round": round}
    for game in (KP, DO, DP, DR, KN, KR, "whist")
    for players in (["Ana", "Beto"], ["Ana", "Beto", "Caro"], [], None, [1, 2])
    for round in (None, [], {}, {"hands": None}, {"hands": {"Ana": 5}}, {"hands": {"Ana": ["9s", None]}, "paid": []})
]


def test_odd_input_is_reported_as_wrong_or_missing() -> None:
    for given in ODD:
        found: Any = progress_document(progress(given))
        assert found["settlement"] is None
        assert found["errors"] or found["missing"], given
