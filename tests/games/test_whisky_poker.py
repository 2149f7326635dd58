"""Whisky Poker: the pot, the lowest who pays, everybody who pays, and refusals."""

from __future__ import annotations

from typing import Any

from hypothesis import assume, given, settings
from hypothesis import strategies as st
from plain_poker import DECK, best_of, plain_strength
from rounds import document, is_as_rare, orders, reads, refuses, settled, settles

from companion.contract import read_round

GAME = "whisky-poker"
LOWEST, EVERYONE = "paid_by=lowest", "paid_by=everyone"

HANDS = """
Td Jd Qd Kd Ad | royal-flush | royal flush
5h 4s 3d 2c Ah | straight | straight, five high
Ts Th 9d 6c 3d | pair | pair of tens
"""
ORDER = """
6c 5c 4c 3c 2c > 5d 4d 3d 2d Ad
Js Jd 6h 6c 3s = Jh Jc 6d 6s 3h
"""
PAIR, FLUSH, HIGH = "8c 8d Js 7d 4h", "Ah Kh 8h 5h 3h", "Kd Qs Jh Tc 6h"
SAME = "Ad Kc Js 9c 6d", "Ac Ks Jd 9h 6s"
ROUNDS = f"""
wh_1_ante | Ana knocked: {PAIR}; Beto: {FLUSH} | Ana,Beto>pot 50 ante WH-1; pot>Beto 100 pot WH-4 | ante=2 stake=25
wh_2_the_best_hand | Ana: {PAIR}; Beto: {HIGH}; Caro knocked: {SAME[1]}
    | Ana,Beto,Caro>pot 1 ante WH-1; pot>Ana 3 pot WH-4
wh_3_who_knocked_does_not_matter | Ana: {FLUSH}; Beto: {PAIR} | Ana,Beto>pot 1 ante WH-1; pot>Ana 9 pot WH-4 | pot=7
wh_4_the_tied_split | Ana: {SAME[0]}; Beto knocked: {HIGH}; Caro: {SAME[1]}
    | Ana,Beto,Caro>pot 1 ante WH-1; pot>Ana 2 pot WH-4; pot>Caro 1 pot WH-4
wh_4_the_odd_unit_stays | Ana: {SAME[0]}; Beto knocked: {HIGH}; Caro: {SAME[1]}
    | Ana,Beto,Caro>pot 1 ante WH-1; pot>Ana,Caro 1 pot WH-4 | odd_chips=stay-in-pot
wh_4_told | Ana; Beto won knocked; Caro | Ana,Beto,Caro>pot 1 ante WH-1; pot>Beto 3 pot WH-4
wh_5_the_lowest_pays | Ana: {PAIR}; Beto: {FLUSH}; Caro knocked: {HIGH} | Caro>Beto 6 forfeit WH-5
    | {LOWEST} loss=2 stake=3
wh_5_all_who_tie_for_lowest | Ana: {SAME[0]}; Beto: {FLUSH}; Caro knocked: {SAME[1]} | Ana,Caro>Beto 1 forfeit WH-5
    | {LOWEST} pot=5
wh_5_the_best_share | Ana: {SAME[0]}; Beto knocked: {HIGH}; Caro: {SAME[1]}
    | Beto>Ana 2 forfeit WH-5; Beto>Caro 1 forfeit WH-5 | {LOWEST} loss=3
wh_5_all_are_equal | Ana: {SAME[0]}; Beto knocked: {SAME[1]} | | {LOWEST}
wh_5_told | Ana: {PAIR}; Beto won knocked; Caro: {HIGH} | Caro>Beto 1 forfeit WH-5 | {LOWEST}
wh_6_everybody_pays | Ana: {PAIR}; Beto: {FLUSH}; Caro knocked: {HIGH} | Ana,Caro>Beto 2 forfeit WH-6
    | {EVERYONE} loss=2
wh_6_the_best_share | Ana: {SAME[0]}; Beto knocked: {HIGH}; Caro: {SAME[1]}; Dani: {FLUSH}
    | Ana,Beto,Caro>Dani 1 forfeit WH-6 | {EVERYONE}
wh_6_told | Ana won; Beto won knocked; Caro | Caro>Ana 2 forfeit WH-6; Caro>Beto 1 forfeit WH-6 | {EVERYONE} loss=3
wh_4_a_foul_hand_loses | Ana foul; Beto knocked: {HIGH}; Caro: {PAIR}
    | Ana,Beto,Caro>pot 1 ante WH-1; pot>Caro 3 pot WH-4
wh_4_nobody_else_shows | Ana foul; Beto knocked; Caro mucked | Ana,Beto,Caro>pot 1 ante WH-1; pot>Beto 3 pot WH-4
wh_5_who_shows_no_hand_is_lowest | Ana mucked; Beto knocked: {HIGH}; Caro: {PAIR}; Dani foul
    | Ana,Dani>Caro 1 forfeit WH-5 | {LOWEST}
wh_5_told_beside_a_foul_hand | Ana foul; Beto knocked; Caro won | Ana>Caro 1 forfeit WH-5 | {LOWEST}
wh_6_a_knocker_who_mucks_pays_too | Ana mucked knocked; Beto: {HIGH}; Caro: {PAIR} | Ana,Beto>Caro 1 forfeit WH-6
    | {EVERYONE}
"""
BAD = f"""
everybody_has_lost | Ana foul knocked; Beto mucked | round.foul bad-value
a_foul_hand_is_not_entered | Ana foul: 2s 3s; Beto knocked: {PAIR}; Caro: {FLUSH} | round.hands.Ana unexpected-hand
a_hand_is_missing | Ana knocked: {PAIR}; Beto | round.hands.Beto missing-hand
who_is_lowest_is_not_told | Ana knocked; Beto won; Caro: {PAIR} | round.hands.Ana missing-hand | {LOWEST}
another_is_best | Ana knocked: {FLUSH}; Beto won: {PAIR} | round.hands.Ana contradiction
four_cards | Ana knocked: 2s 3s 4s 5s; Beto: {FLUSH} | round.hands.Ana wrong-hand-size
nothing_to_lose | Ana knocked: {PAIR}; Beto: {FLUSH} | rules.loss bad-rule-value | loss=0
"""
RARITY = "Ts Th Tc Kd Kc | 1 in 1,394"


def test_what_is_missing_without_the_lowest_hand() -> None:
    told = document(GAME, f"Ana knocked; Beto won; Caro: {PAIR}", LOWEST)
    (problem,) = read_round(told).problems
    assert str(problem.message).startswith("Who won doesn't settle this round: it matters what the others hold")


@settings(max_examples=150, deadline=None)
@given(
    random=st.randoms(use_true_random=False),
    number=st.integers(2, 6),
    paid_by=st.sampled_from(["pot", "lowest", "everyone"]),
    loss=st.integers(1, 4),
    said=st.lists(st.sampled_from(["", "", " foul", " mucked"]), min_size=6, max_size=6),
)
def test_wh_4_to_wh_6_chip_by_chip(random: Any, number: int, paid_by: str, loss: int, said: list[str]) -> None:
    """Let each who pays give one chip after the other, round the best hands in turn."""
    names = [f"P{at}" for at in range(number)]
    letters = random.choice(["AK2", "23456789TJQKA", "9TJQKA"])
    deck = [card for card in DECK if card[0] in letters] + [card for card in DECK if card[0] not in letters]
    dealt = random.sample(deck[: 5 * number + 2], 5 * number)
    hands = {name: dealt[5 * at : 5 * at + 5] for at, name in enumerate(names)}
    strengths = {name: plain_strength(hand) for name, hand in hands.items()}
    left = [name for name, word in zip(names, said, strict=False) if not word]
    assume(left)
    shown = {name: f": {' '.join(hands[name])}" for name in left if len(left) > 1}
    seats = "; ".join(
        f"{name}{' knocked' * (name == 'P0')}{word}{shown.get(name, '')}"
        for name, word in zip(names, said, strict=False)
    )
    settlement = settled(document(GAME, seats, f"ante={loss} paid_by={paid_by} loss={loss}"))
    takers = best_of(strengths, left)
    payers = [name for name in names if name not in takers]
    if paid_by == "lowest":
        lowest = [name for name in names if name not in left]
        lowest = lowest or [name for name in names if strengths[name] == min(strengths.values())]
        payers = [name for name in payers if name in lowest]
    elif paid_by == "pot":
        payers = names
    won = dict.fromkeys(names, 0)
    for chip in range(loss * len(payers)):
        won[payers[chip // loss]] -= 1
        won[takers[chip % len(takers)]] += 1
    assert settlement["net"] == won


test_wh_2_hand = reads(GAME, HANDS, "Ana knocked: {}; Beto: {other}")
test_wh_2_order = orders(GAME, ORDER, "Ana knocked: {}; Beto: {}")
test_round = settles(GAME, ROUNDS)
test_bad_round = refuses(GAME, BAD)
test_rarity = is_as_rare(GAME, RARITY, "Ana knocked: {}; Beto: {other}")
