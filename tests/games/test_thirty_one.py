"""Thirty-One: the best suit, three of a kind, the pot or the lives, 31 shown at once, and refusals."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from rounds import document, hand_of, is_as_rare, orders, reads, refuses, settled, settles, transfers
from tables import each_row

from companion.engine.pieces.cards import FRENCH
from companion.games.thirty_one import Options, count

GAME = "thirty-one"
LIVES = "played_for=lives"

HANDS = """
As Ks Qs | 31 | 31 points
Ah Th 2c | 21 | 21 points
As Ks 7d | 21 | 21 points
As Kh Td | 11 | 11 points
9d 8d 7d | 24 | 24 points
7s 7h 7d | 30.5 | 30½ points
Ac Ah Ad | 30.5 | 30½ points
7s 7h 7d | 7 | 7 points | three_of_a_kind=false
2s 3h 4d | 4 | 4 points
"""

ORDER = """
As Ks Qs > 7s 7h 7d
2s 2h 2d > Jd Td Kd
Ah Kh 9h > Ks Qs 9s
As 9s 2h = Th Jh 3d
Jd Td Kd > 2s 2h 2d | three_of_a_kind=false
"""

BLITZ, HIGH, ALSO_HIGH, MIDDLE, LOW, ALSO_LOW = "As Ks Qs", "Kh Qh 9h", "Kd Qd 9d", "9s 8s 2d", "6c 4h 2c", "8c 7h 5h"
ANTES, THREE, TWO = (f"{players}>pot 1 ante TH-1" for players in ("Ana,Beto,Caro,Dani", "Ana,Beto,Caro", "Ana,Beto"))

ROUNDS = f"""
th_4_odd_chip_by_suit | Ana: Kc 9c 2d; Beto: Ks 9s 3d; Caro: 2h 3h 4c
    | {THREE}; pot>Ana 1 pot TH-4; pot>Beto 2 pot TH-4 | odd_chips=suit
th_4_odd_chip_by_highest_card | Ana: Kc 9c 2d; Beto: Ks 9s 3d; Caro: 2h 3h 4c
    | {THREE}; pot>Ana 1 pot TH-4; pot>Beto 2 pot TH-4 | odd_chips=highest-card
th_1_ante | Ana: {LOW}; Beto: {HIGH} | Ana,Beto>pot 75 ante TH-1; pot>Beto 150 pot TH-4 | ante=3 stake=25
th_2_the_best_suit | Ana: As 2h Kd; Beto knocked: 9s 8s 2d | {TWO}; pot>Beto 2 pot TH-4
th_3_three_of_a_kind | Ana: 2s 2h 2c; Beto knocked: {HIGH} | {TWO}; pot>Ana 2 pot TH-4
th_3_counts_nothing_special | Ana: 2s 2h 2c; Beto knocked: {HIGH} | {TWO}; pot>Beto 2 pot TH-4 | three_of_a_kind=false
th_4_the_highest_takes_the_pot | Ana knocked: {LOW}; Beto: {MIDDLE}; Caro: {HIGH} | {THREE}; pot>Caro 7 pot TH-4 | pot=4
th_4_the_tied_split | Ana: {LOW}; Beto knocked: {HIGH}; Caro: {ALSO_HIGH}
    | {THREE}; pot>Beto 2 pot TH-4; pot>Caro 1 pot TH-4
th_4_the_odd_unit_stays | Ana: {LOW}; Beto: {HIGH}; Caro: {ALSO_HIGH}
    | {THREE}; pot>Beto,Caro 1 pot TH-4 | odd_chips=stay-in-pot
th_4_by_counted_points | Ana counts=20; Beto: {LOW}; Caro counts="30.5" | {THREE}; pot>Caro 3 pot TH-4
th_5_thirty_one_at_once | Ana; Beto showed: {BLITZ}; Caro | {THREE}; pot>Beto 3 pot TH-5
th_5_after_a_knock | Ana knocked; Beto showed: {BLITZ}; Caro | {THREE}; pot>Beto 3 pot TH-5
th_5_told | Ana; Beto showed counts=31; Caro | {THREE}; pot>Beto 3 pot TH-5
th_5_thirty_one_at_the_end_is_the_highest | Ana: {BLITZ}; Beto knocked: {HIGH} | {TWO}; pot>Ana 2 pot TH-4
th_6_the_lowest_loses_a_life | Ana: {HIGH}; Beto knocked: {MIDDLE}; Caro: {LOW} | Caro>pot 25 life TH-6
    | {LIVES} stake=25 pot=50
th_6_nobody_knocked | Ana: {HIGH}; Beto: {LOW}; Caro: {ALSO_LOW} | Beto>pot 1 life TH-6 | {LIVES}
th_6_all_who_tie_for_lowest | Ana: {HIGH}; Beto: 9d 7c 3s; Caro: 9c 5d 4h; Dani knocked: {MIDDLE}
    | Beto,Caro>pot 1 life TH-6 | {LIVES}
th_6_but_not_the_knocker | Ana: {HIGH}; Beto knocked: 9d 7c 3s; Caro: 9c 5d 4h | Caro>pot 1 life TH-6 | {LIVES}
th_6_all_are_equal | Ana: 9d 7c 3s; Beto: 9c 5d 4h | | {LIVES}
th_6_all_are_equal_to_the_knocker | Ana: 9d 7c 3s; Beto knocked: 9c 5d 4h; Caro: 9h 6c 2s
    | Ana,Caro>pot 1 life TH-6 | {LIVES}
th_7_the_knocker_loses_two | Ana: {HIGH}; Beto knocked: {LOW}; Caro: {MIDDLE} | Beto>pot 2 life TH-7 | {LIVES}
th_7_or_three | Ana: {HIGH}; Beto knocked: {LOW} | Beto>pot 3 life TH-7 | {LIVES} knocker_lives=3
th_8_thirty_one_at_once | Ana; Beto showed: {BLITZ}; Caro knocked | Ana,Caro>pot 1 life TH-8 | {LIVES}
th_9_the_last_round | Ana last: {HIGH}; Beto knocked: {MIDDLE} | Beto>pot 2 life TH-7; pot>Ana 12 pot TH-9
    | {LIVES} pot=10
th_9_not_yet | Ana: {HIGH}; Beto knocked: {MIDDLE} | Beto>pot 2 life TH-7 | {LIVES} pot=10
th_4_a_foul_hand_loses | Ana foul; Beto knocked: {MIDDLE}; Caro: {LOW} | {THREE}; pot>Beto 3 pot TH-4
th_4_nobody_else_shows | Ana; Beto knocked foul | {TWO}; pot>Ana 2 pot TH-4
th_6_who_shows_no_hand_is_lowest | Ana: {LOW}; Beto mucked; Caro knocked: {MIDDLE}; Dani foul
    | Beto,Dani>pot 1 life TH-6 | {LIVES}
th_7_a_knocker_with_a_foul_hand | Ana: {LOW}; Beto knocked foul; Caro: {HIGH} | Beto>pot 2 life TH-7 | {LIVES}
th_9_the_only_one_who_shows | Ana last; Beto knocked mucked | Beto>pot 2 life TH-7; pot>Ana 12 pot TH-9
    | {LIVES} pot=10
"""
BAD = f"""
everybody_has_lost | Ana foul; Beto mucked | round.foul bad-value
who_showed_31_must_show | Ana; Beto showed mucked; Caro | round.mucked bad-value
no_thirty_one | Ana; Beto showed: {HIGH} | round.hands.Beto not-an-outright-win
no_thirty_one_told | Ana; Beto showed counts="30.5" | round.points.Beto not-an-outright-win
a_hand_beside_it | Ana: {LOW}; Beto showed: {BLITZ} | round.hands.Ana unexpected-hand
more_than_31 | Ana counts="31.5"; Beto counts=31 | round.points.Ana bad-value
a_last_round_for_the_pot | Ana last: {LOW}; Beto: {HIGH} | round.last_round bad-value
a_last_round_with_two_left | Ana last: {LOW}; Beto: {HIGH}; Caro knocked: {MIDDLE} | round.last_round bad-value
    | {LIVES}
a_last_round_in_which_nobody_lost | Ana last: 9d 7c 3s; Beto: 9c 5d 4h | round.last_round bad-value | {LIVES}
a_last_round_without_a_hand | Ana last; Beto: {HIGH} | round.hands.Ana missing-hand | {LIVES}
points_and_a_hand | Ana counts=3: {LOW}; Beto: {HIGH} | round.points.Ana bad-value
a_knocker_of_no_lives | Ana: {LOW}; Beto: {HIGH} | rules.knocker_lives bad-rule-value | knocker_lives=0
four_cards | Ana: 2s 3s 4s 5s; Beto: {HIGH} | round.hands.Ana wrong-hand-size
"""

# 24 hands of 31, 52 of three of a kind, 32 of 30
RARITY = """
As Ks Qs | 1 in 921
7s 7h 7d | 1 in 291
As Ks 9s | 1 in 205
As Ks 9s | 1 in 395 | three_of_a_kind=false
2s 2h 3d | every hand
"""

DECIDED = f"""
Ana: {BLITZ}; Beto: {HIGH} | Ana beats Beto: 31 against 29 points |
Ana; Beto showed: {BLITZ} | Beto shows 31 |
Ana: {LOW}; Beto: {HIGH} | Ana is lowest with 8 points and loses a life | {LIVES}
Ana: 9d 7c 3s; Beto: 9c 5d 4h; Caro: {HIGH} | Ana and Beto are lowest with 9 points and lose a life | {LIVES}
Ana: {LOW}; Beto knocked: {MIDDLE} | Ana is lowest with 8 points and loses a life | {LIVES}
Ana knocked: {LOW}; Beto: {HIGH} | Ana knocked and is lowest with 8 points, so loses 2 lives | {LIVES}
Ana knocked: 9d 7c 3s; Beto: 9c 5d 4h | Ana knocked and ties for lowest with 9 points, so Beto loses a life | {LIVES}
Ana foul; Beto: {LOW}; Caro: {HIGH} | Ana shows no hand and loses a life | {LIVES}
Ana foul; Beto mucked; Caro: {HIGH} | Ana and Beto show no hand and lose a life | {LIVES}
Ana foul knocked; Beto: {LOW}; Caro: {HIGH} | Ana knocked but shows no hand, so loses 2 lives | {LIVES}
Ana foul; Beto | Nobody else shows a hand, so Beto takes the pot |
Ana: 9d 7c 3s; Beto: 9c 5d 4h | All hands are equal, so nobody loses a life | {LIVES}
"""


@each_row(DECIDED)
def test_what_decided(row: tuple[str, ...]) -> None:
    seats, words, rules = row
    assert settled(document(GAME, seats, rules))["decided_by"] == words


DECK = [rank + suit for rank in "A23456789TJQK" for suit in "cdhs"]
WORTH = dict(zip("A23456789TJQK", [11, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10], strict=True))


def best_suit(hand: list[str]) -> float:
    """Count a hand as people do: the three alike first, then suit by suit."""
    if hand[0][0] == hand[1][0] == hand[2][0]:
        return 30.5
    return max(sum(WORTH[card[0]] for card in hand if card[1] == suit) for suit in "cdhs")


def test_to_2_every_hand_counts_as_people_count() -> None:
    for hand in combinations(DECK, 3):
        cards = FRENCH.hand(" ".join(hand))
        assert cards is not None
        points = count(cards, Options()).points
        assert float(str(points)) == best_suit([*hand]), hand


@given(
    random=st.randoms(use_true_random=False),
    pot=st.integers(0, 40),
    lives=st.booleans(),
    said=st.lists(st.sampled_from(["", "", "", " foul", " mucked"]), min_size=2, max_size=9),
)
def test_counted_chip_by_chip(random: object, pot: int, lives: bool, said: list[str]) -> None:
    """Deal, and move the chips one by one, as the rules say to a table."""
    number = len(said)
    assume("" in said)
    deck = random.sample(DECK, 3 * number)  # type: ignore[attr-defined]
    names = [f"P{at}" for at in range(number)]
    hands = {name: deck[3 * at : 3 * at + 3] for at, name in enumerate(names)}
    knocker = random.choice([None, *names])  # type: ignore[attr-defined]
    left = [name for name, word in zip(names, said, strict=True) if not word]
    shown = {name: f": {' '.join(hands[name])}" for name in left if len(left) > 1}
    seats = "; ".join(
        f"{name}{' knocked' * (name == knocker)}{word}{shown.get(name, '')}"
        for name, word in zip(names, said, strict=True)
    )
    settlement = settled(document(GAME, seats, LIVES if lives else "", pot=pot))
    totals = {name: best_suit(hand) if name in left else 0 for name, hand in hands.items()}
    won, middle = dict.fromkeys(names, 0), pot
    lowest = [name for name in names if totals[name] == min(totals.values())]
    if not lives:
        for name in names:
            won[name] -= 1
            middle += 1
        highest = [name for name in names if totals[name] == max(totals.values())]
        for at in range(middle):
            won[highest[at % len(highest)]] += 1
        middle = 0
    elif lowest == [knocker]:
        won[knocker] -= 2
        middle += 2
    elif knocker or len(lowest) < number:
        for name in lowest:
            if name != knocker:
                won[name] -= 1
                middle += 1
    assert settlement["net"] == won
    assert settlement["pot"]["closing"] == middle


@pytest.mark.parametrize("given", ["Ana; Beto showed: As Ks Qs", "Ana counts=3; Beto showed counts=31"])
def test_to_5_only_31_is_shown(given: str) -> None:
    settlement = settled(document(GAME, given))
    assert [hand["player"] for hand in settlement["hands"]] == ["Beto"]
    assert hand_of("Beto", settlement)["points"] == "31"
    assert transfers(settlement)[-1] == "pot>Beto 2 pot TH-5"


test_to_2_hand = reads(GAME, HANDS, "Ana: {}; Beto: {other}")
test_to_3_order = orders(GAME, ORDER, "Ana: {}; Beto: {}")
test_round = settles(GAME, ROUNDS)
test_bad_round = refuses(GAME, BAD)
test_rarity = is_as_rare(GAME, RARITY, "Ana knocked: {}; Beto: {other}")
