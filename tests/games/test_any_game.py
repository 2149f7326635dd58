"""Any other game: who won, what the others pay, the pot, refusals; and the same sums by an independent reading."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from rounds import document, problems, refuses, settled, settles

GAME = "any-game"
ANTES = "Ana,Beto,Caro>pot 1 ante AG-4"

ROUNDS = f"""
ag_1_the_others_pay | Ana pays=3; Beto pays=5; Caro won; Dani pays=3 | Ana>Caro 3 paid AG-2; Beto>Caro 5 paid AG-2;
    Dani>Caro 3 paid AG-2
ag_2_in_turn_order | Ana pays=3; Beto won; Caro dealer pays=1 | Ana>Beto 3 paid AG-2; Caro>Beto 1 paid AG-2
ag_2_who_pays_nothing | Ana won; Beto pays=0; Caro pays=2 | Caro>Ana 2 paid AG-2
ag_2_amounts_are_units | Ana won; Beto pays=2 | Beto>Ana 2 paid AG-2 | stake=25
ag_3_two_share_and_the_odd_unit_goes_first | Ana won; Beto won; Caro pays=2; Dani pays=3
    | Caro>Ana 2 paid AG-3; Dani>Ana 1 paid AG-3; Dani>Beto 2 paid AG-3
ag_3_one_has_an_own_amount | Ana pays=4; Beto won; Caro pays=4; Dani won gets=6
    | Ana>Beto 2 paid AG-3; Ana>Dani 2 paid AG-3; Caro>Dani 4 paid AG-3
ag_3_both_have | Ana won gets=1; Beto won gets=3; Caro pays=4 | Caro>Ana 1 paid AG-3; Caro>Beto 3 paid AG-3
ag_4_the_ante | Ana won; Beto; Caro | {ANTES}; pot>Ana 3 pot AG-4 | ante=1
ag_4_with_what_was_carried | Ana won; Beto won; Caro pays=2 | {ANTES}; Caro>Ana,Beto 1 paid AG-3;
    pot>Ana 4 pot AG-4; pot>Beto 3 pot AG-4 | ante=1 pot=4
ag_4_the_odd_unit_stays | Ana won; Beto won; Caro | {ANTES}; pot>Ana,Beto 3 pot AG-4 | ante=1 pot=4
    odd_chips=stay-in-pot
ag_5_the_pot_stays | Ana won stays; Beto pays=2 | Beto>Ana 2 paid AG-2 | pot=9
ag_5_it_takes_what_is_left_over | Ana won stays gets=1; Beto pays=2 | Beto>Ana 1 paid AG-2;
    Beto>pot 1 left-over AG-5 | pot=9
ag_5_it_pays_what_is_missing | Ana won stays gets=7; Beto pays=2 | Beto>Ana 2 paid AG-2; pot>Ana 5 pot AG-5 | pot=9
ag_5_it_pays_it_all | Ana won stays gets=9; Beto | pot>Ana 9 pot AG-5 | pot=9
ag_5_antes_are_in_it | Ana won stays gets=2; Beto; Caro | {ANTES}; pot>Ana 2 pot AG-5 | ante=1
"""
test_settlements = settles(GAME, ROUNDS)

BAD = """
nobody-won | Ana pays=1; Beto | round.won_by missing-field
nothing-is-paid | Ana won; Beto | round.pays missing-field
a-winner-pays | Ana won pays=1; Beto pays=1 | round.pays.Ana contradiction
a-loser-gets | Ana won; Beto gets=1 | round.gets.Beto contradiction
the-winner-gets-less | Ana won gets=1; Beto pays=2 | round.gets.Ana contradiction
the-winner-gets-more | Ana won gets=3; Beto pays=2 | round.gets.Ana contradiction
one-of-two-gets-more-than-all | Ana won gets=3; Beto won; Caro pays=2 | round.gets.Ana contradiction
even-with-the-pot | Ana won gets=3 stays; Beto won; Caro pays=2 | round.gets.Ana contradiction | pot=9
the-pot-holds-too-little | Ana won gets=8 stays; Beto pays=2 | round.gets.Ana contradiction | pot=5
below-0 | Ana won; Beto pays=-1 | round.pays.Beto bad-value; round.pays missing-field
a-knock | Ana knocked won; Beto pays=1 | round.knocker unknown-field
"""
test_refusals = refuses(GAME, BAD)


@pytest.mark.parametrize(
    ("called", "code"),
    [
        ("", "missing-field"),
        ("   ", "missing-field"),
        (" knock POKER ", "bad-value"),
        ("x" * 41, "bad-value"),
        ("a\nb", "bad-value"),
        (7, "bad-value"),
        (None, "bad-value"),
    ],
)
def test_ag_1_the_game_needs_a_name_of_its_own(called: Any, code: str) -> None:
    round = document(GAME, "Ana won; Beto pays=1")
    assert problems({**round, "called": called}) == [f"called {code}"]
    del round["called"]
    assert problems(round) == ["called missing-field"]


def test_a_hand_is_refused() -> None:
    round = document(GAME, "Ana won; Beto pays=1")
    round["round"]["hands"] = {"Ana": "9s"}
    assert problems(round) == ["round.hands.Ana unexpected-hand"]


def test_ag_1_a_game_with_a_name_takes_none() -> None:
    round = document("knock", "Ana counts=1; Beto counts=2")
    assert problems({**round, "called": "Knock"}) == ["called unknown-field"]


def nets_by_hand(round: dict[str, Any], order: list[str], ante: int, pot: int, odd_stays: bool) -> dict[str, int]:
    """Work out who ends with what as people do at the table: with piles of single chips, one moved at a time."""
    piles, middle = dict.fromkeys(order, 0), pot
    for player in order:
        piles[player] -= ante
        middle += ante
    paid = 0
    for player, units in round["pays"].items():
        piles[player] -= units
        paid += units
    winners = [player for player in order if player in round["won_by"]]
    for player, units in round["gets"].items():
        piles[player] += units
        paid -= units
    sharers = [player for player in winners if player not in round["gets"]]
    turn = 0
    while sharers and paid:
        piles[sharers[turn % len(sharers)]] += 1
        paid -= 1
        turn += 1
    if round["pot_stays"]:
        return {**piles, "pot": middle + paid}
    for _ in range(middle // len(winners)):
        for player in winners:
            piles[player] += 1
            middle -= 1
    for player in winners[: 0 if odd_stays else middle]:
        piles[player] += 1
        middle -= 1
    return {**piles, "pot": middle}


def test_random_rounds_come_to_what_chips_moved_one_by_one_come_to() -> None:
    random, done = Random(49), 0
    for _ in range(2000):
        players = ["Ana", "Beto", "Caro", "Dani", "Eva"][: random.randint(2, 5)]
        won = random.sample(players, random.randint(1, len(players)))
        pays = {player: random.randint(0, 9) for player in players if player not in won}
        gets = {player: random.randint(0, 9) for player in won if random.random() < 0.3}
        over, stays = sum(pays.values()) - sum(gets.values()), random.random() < 0.5
        ante, pot, odd_stays = random.randint(0, 2), random.randint(0, 9), random.random() < 0.5
        held = pot + ante * len(players)
        is_shared = len(gets) < len(won)
        fits = over >= 0 if is_shared else over == 0 or (stays and -over <= held)
        round = {"won_by": won, "pays": pays, "gets": gets, "pot_stays": stays}
        written = {
            "game": GAME,
            "called": "Perudo",
            "rules": {"ante": ante, "odd_chips": "stay-in-pot" if odd_stays else "turn-order"},
            "players": players,
            "pot": pot,
            "round": round,
        }
        if not fits:
            assert {problem.partition(" ")[2] for problem in problems(written)} == {"contradiction"}
        elif pays or gets or held:
            settlement = settled(written)
            found = {**settlement["net"], "pot": settlement["pot"]["closing"]}
            assert found == nets_by_hand(round, players, ante, pot, odd_stays)
            assert settlement["winners"] == [player for player in players if player in won]
            done += 1
    assert done > 800
