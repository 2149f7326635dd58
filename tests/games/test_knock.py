"""Knock: points, the pot and who matches it, the poker variant, and refusals."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rounds import document, hand_of, is_as_rare, orders, reads, refuses, settled, settles, transfers
from tables import each_row

GAME = "knock"
POKER = "hand=poker"

# in a game of points the category column is `points`, in poker the category
HANDS = f"""
5s Qh 7d Ac 2s | 3.5 | 3½ points
5s 5h Qd Qc 7s | 0.5 | ½ point
5s 5h 5d Qc Qs | 0 | 0 points
7s 7h 7d 7c Qs | 2 | 2 points
Ks Jh Td 9c 8s | 47 | 47 points
As 2h 3d 4c 6s | 16 | 16 points
Ks Kh Jd Jc 7s | 40.5 | 40½ points
9s 9h 9d 4c 4d | full-house | full house, nines over fours | {POKER}
5s 4h 3d 2c Ah | straight | straight, five high | {POKER}
Ah Kh Qh Jh Th | royal-flush | royal flush | {POKER}
"""

ORDER = """
5s 5h 5d Qc Qs > 7s 7h 7d 7c Qh
5s Qh 7d Ac 2s > 5d Qd Ah 3c Qs
7s 7h As Qd Qc = 2s 5h 5d Qs Qh
As Qd Qc Qs 5d = Ah Qh 5s 5h 5c
Js 5d 5h 5c 5s = Kd Qc Qd Qh Qs
"""

LOW, ALSO_LOW, MIDDLE, HIGH = "As Ah 5s Qd Qc", "2s 5h 5d Qs Qh", "2h 3d 4c 5c 6s", "Ks Kh Kd Jc Js"
ANTES, THREE = "Ana,Beto,Caro,Dani>pot 1 ante KN-1", "Ana,Beto,Caro>pot 1 ante KN-1"
TWO = "Ana,Beto>pot 1 ante KN-1"
OTHER = "8c 8d 9h Tc 4h"

ROUNDS = f"""
kn_2_odd_chip_by_suit | Ana: {ALSO_LOW}; Beto knocked: {LOW}; Caro: {HIGH}
    | {THREE}; pot>Ana 1 pot KN-2; pot>Beto 2 pot KN-2 | odd_chips=suit
kn_2_odd_chip_by_highest_card | Ana: {ALSO_LOW}; Beto knocked: {LOW}; Caro: {HIGH}
    | {THREE}; pot>Ana 1 pot KN-2; pot>Beto 2 pot KN-2 | odd_chips=highest-card
kn_1_ante | Ana: {LOW}; Beto: {HIGH} | Ana,Beto>pot 75 ante KN-1; pot>Ana 150 pot KN-4 | ante=3 stake=25
kn_2_lowest_wins | Ana knocked: {LOW}; Beto: {MIDDLE}; Caro: {HIGH} | {THREE}; pot>Ana 7 pot KN-2 | pot=4
kn_2_the_tied_split | Ana: {HIGH}; Beto knocked: {LOW}; Caro: {ALSO_LOW}
    | {THREE}; pot>Beto 2 pot KN-2; pot>Caro 1 pot KN-2
kn_2_odd_unit_stays | Ana: {HIGH}; Beto knocked: {LOW}; Caro: {ALSO_LOW} | {THREE}; pot>Beto,Caro 1 pot KN-2
    | odd_chips=stay-in-pot
kn_3_the_four_dollar_pot | Ana: {LOW}; Beto knocked: {MIDDLE}; Caro: {HIGH}; Dani: {OTHER}
    | {ANTES}; pot>Ana 4 pot KN-2; Beto>pot 4 match-pot KN-3
kn_3_the_carried_part_is_matched | Ana: {LOW}; Beto knocked: {MIDDLE}
    | {TWO}; pot>Ana 12 pot KN-2; Beto>pot 12 match-pot KN-3 | pot=10
kn_3_a_tie_for_lowest_is_lowest | Ana: {LOW}; Beto knocked: {ALSO_LOW}
    | {TWO}; pot>Ana,Beto 1 pot KN-2
kn_3_matches_what_the_tied_left_too | Ana: {LOW}; Beto: {ALSO_LOW}; Caro knocked: {HIGH}
    | {THREE}; pot>Ana,Beto 1 pot KN-2; Caro>pot 3 match-pot KN-3 | odd_chips=stay-in-pot
kn_4_nobody_knocked | Ana: {MIDDLE}; Beto: {LOW} | {TWO}; pot>Beto 2 pot KN-4
kn_5_poker | Ana: {LOW}; Beto knocked: {HIGH}; Caro: {OTHER} | {THREE}; pot>Beto 3 pot KN-5 | {POKER}
kn_5_poker_matches_as_well | Ana knocked: {LOW}; Beto: {HIGH}; Caro: {OTHER}
    | {THREE}; pot>Beto 3 pot KN-5; Ana>pot 3 match-pot KN-3 | {POKER}
kn_5_poker_ties_split | Ana: Ad Kc Js 9c 6d; Beto knocked: Ac Ks Jd 9h 6s
    | {TWO}; pot>Ana,Beto 1 pot KN-5 | {POKER}
kn_6_no_match | Ana: {LOW}; Beto knocked: {MIDDLE} | {TWO}; pot>Ana 2 pot KN-2 | match_pot=false
"""

LOSES, THIRD_LOW = "knocker_tie=loses", "5c 7s 7h 7d 7c"
ROUNDS += f"""
kn_7_matches_up_to_the_limit | Ana: {LOW}; Beto knocked: {MIDDLE}
    | Ana,Beto>pot 25 ante KN-1; pot>Ana 300 pot KN-2; Beto>pot 75 match-pot KN-3 | match_limit=3 pot=250 stake=25
kn_7_a_pot_below_the_limit | Ana: {LOW}; Beto knocked: {MIDDLE}
    | {TWO}; pot>Ana 2 pot KN-2; Beto>pot 2 match-pot KN-3 | match_limit=3
kn_8_a_knocker_who_ties_loses | Ana: {LOW}; Beto knocked: {ALSO_LOW}; Caro: {HIGH}
    | {THREE}; pot>Ana 3 pot KN-8; Beto>pot 3 match-pot KN-8 | {LOSES}
kn_8_the_others_who_tied_share | Ana: {LOW}; Beto knocked: {ALSO_LOW}; Caro: {HIGH}; Dani: {THIRD_LOW}
    | {ANTES}; pot>Ana 3 pot KN-8; pot>Dani 2 pot KN-8; Beto>pot 5 match-pot KN-8 | {LOSES} pot=1
kn_8_a_knocker_who_is_lowest_alone_wins | Ana: {MIDDLE}; Beto knocked: {LOW}
    | {TWO}; pot>Beto 2 pot KN-2 | {LOSES}
kn_8_without_the_match | Ana: {LOW}; Beto knocked: {ALSO_LOW} | {TWO}; pot>Ana 2 pot KN-8
    | {LOSES} match_pot=false
kn_8_in_poker_up_to_the_limit | Ana: Ad Kc Js 9c 6d; Beto knocked: Ac Ks Jd 9h 6s
    | Ana,Beto>pot 2 ante KN-1; pot>Ana 4 pot KN-8; Beto>pot 1 match-pot KN-8 | {POKER} {LOSES} match_limit=1 ante=2
kn_8_by_the_tables_word | Ana won; Beto knocked won; Caro | {THREE}; pot>Ana 3 pot KN-8; Beto>pot 3 match-pot KN-8
    | {LOSES}
kn_8_by_counted_points | Ana counts=2; Beto knocked counts=2; Caro counts=30
    | {THREE}; pot>Ana 3 pot KN-8; Beto>pot 3 match-pot KN-8 | {LOSES}
kn_8_nobody_knocked | Ana: {LOW}; Beto: {ALSO_LOW} | {TWO}; pot>Ana,Beto 1 pot KN-4 | {LOSES}
"""

ROUNDS += f"""
kn_9_own_values | Ana: As Ah 2d 3c 4c; Beto: 5s 5h Qd Qc 7s
    | {TWO}; pot>Ana 2 pot KN-4 | counts_1="0" counts_12="25" counts_5="11"
kn_2_a_foul_hand_loses | Ana foul; Beto knocked: {MIDDLE}; Caro: {HIGH} | {THREE}; pot>Beto 3 pot KN-2
kn_2_points_of_who_mucks_do_not_count | Ana mucked counts=1; Beto knocked counts=7; Caro counts=30
    | {THREE}; pot>Beto 3 pot KN-2
kn_3_a_knocker_with_a_foul_hand_matches | Ana: {MIDDLE}; Beto knocked foul; Caro: {HIGH}
    | {THREE}; pot>Ana 3 pot KN-2; Beto>pot 3 match-pot KN-3
kn_3_nobody_else_shows | Ana; Beto knocked mucked | {TWO}; pot>Ana 2 pot KN-2; Beto>pot 2 match-pot KN-3
kn_5_a_poker_hand_mucked | Ana mucked; Beto knocked: {HIGH}; Caro: {OTHER} | {THREE}; pot>Beto 3 pot KN-5 | {POKER}
kn_9_half_points | Ana: As 2h 3d 4c 6s; Beto: Ah 2d 3c 4s 8h | {TWO}; pot>Beto 2 pot KN-4 | counts_8="1.5"
"""
BAD = f"""
everybody_has_lost | Ana foul; Beto mucked | round.foul bad-value
kn_9_more_points_than_there_are | Ana counts=51; Beto counts=3 | round.points.Ana bad-value
kn_9_no_such_value | Ana: {LOW}; Beto: {HIGH} | rules.counts_5 bad-rule-value | counts_5="16"
nobody_drops_here | Ana: {LOW}; Beto dropped: {HIGH} | round.dropped unknown-field
no_such_variant | Ana: {LOW}; Beto: {HIGH} | rules.hand bad-rule-value | hand=lowball
toggles_are_true_or_false | Ana: {LOW}; Beto: {HIGH} | rules.match_pot bad-rule-value | match_pot=1
"""


def test_kn_3_the_next_pot_holds_eight_dollars() -> None:
    seats = f"Ana: {LOW}; Beto knocked: {MIDDLE}; Caro: {HIGH}; Dani: {OTHER}"
    first = settled(document(GAME, seats))
    assert first["pot"] == {"opening": 0, "in": 8, "out": 4, "closing": 4}
    assert first["net"] == {"Ana": 3, "Beto": -5, "Caro": -1, "Dani": -1}
    second = settled(document(GAME, seats.replace(" knocked", ""), pot=first["pot"]["closing"]))
    assert transfers(second)[-1] == "pot>Ana 8 pot KN-4"


TIED = f"""
Ana: {LOW}; Beto knocked: {ALSO_LOW}; Caro: {HIGH} | Ana
    | Beto knocked but only ties with Ana at 2 points, so Ana wins
Ana: {LOW}; Beto knocked: {ALSO_LOW}; Caro: {THIRD_LOW} | Ana, Caro
    | Beto knocked but only ties with Ana and Caro at 2 points, so Ana and Caro win
Ana won; Beto knocked won; Caro | Ana | The table decided: Beto knocked but only ties with Ana, so Ana wins
"""


@each_row(TIED)
def test_kn_8_the_place_stays_shared(row: tuple[str, ...]) -> None:
    seats, winners, decided = row
    settlement = settled(document(GAME, seats, LOSES))
    assert ", ".join(settlement["winners"]) == winners
    assert settlement["decided_by"] == decided
    assert "won" in seats or hand_of("Beto", settlement)["place"] == 1


@given(pot=st.integers(0, 60), stake=st.integers(1, 9), limit=st.integers(0, 12), tie=st.booleans())
def test_kn_7_counted_chip_by_chip(pot: int, stake: int, limit: int, tie: bool) -> None:
    beto = ALSO_LOW if tie else MIDDLE
    rules = f"match_limit={limit} {LOSES}"
    settlement = settled(document(GAME, f"Ana: {LOW}; Beto knocked: {beto}", rules, pot=pot, stake=stake))
    middle = [1] * (pot + 2 * stake)
    matched = 0
    while matched < len(middle) and (limit == 0 or matched < limit * stake):
        matched += 1
    assert settlement["net"] == {"Ana": len(middle) - stake, "Beto": -stake - matched}
    assert settlement["pot"]["closing"] == matched


@given(
    st.lists(st.sampled_from(["0", "0.5", "1", "1.5", "2", "7", "11", "15", "20", "25"]), min_size=13, max_size=13),
    st.randoms(use_true_random=False),
)
def test_kn_9_own_values_added_up(values: list[str], random: Random) -> None:
    ranks = "A23456789TJQK"
    deck = [rank + suit for rank in ranks for suit in "shdc"]
    cards = random.sample(deck, 10)
    written = document(GAME, f"Ana: {' '.join(cards[:5])}; Beto: {' '.join(cards[5:])}")
    written["rules"] |= {f"counts_{at}": value for at, value in enumerate(values, 1)}
    worth = dict(zip(ranks, map(Fraction, values), strict=True))
    totals = [sum(worth[card[0]] for card in hand) for hand in (cards[:5], cards[5:])]
    settlement = settled(written)
    assert [Fraction(hand_of(name, settlement)["points"]) for name in ("Ana", "Beto")] == totals
    expected = [name for name, total in zip(("Ana", "Beto"), totals, strict=True) if total == min(totals)]
    assert settlement["winners"] == expected


# the pot held 4: the limit says something only where it takes some of that off
LIMITS = [(0, ""), (3, ", up to the limit"), (4, ""), (5, "")]


@pytest.mark.parametrize(("limit", "words"), LIMITS)
def test_kn_7_the_limit_is_named_where_it_counts(limit: int, words: str) -> None:
    given = document(GAME, f"Ana: {LOW}; Beto knocked: {MIDDLE}", f"match_limit={limit}", pot=2)
    (matched,) = (one for one in settled(given)["transfers"] if one["reason"] == "match-pot")
    assert matched["because"] == f"Beto knocked and lost, so matches the pot{words}"


# five of the eight fives and queens; one of the sevens and four of them
RARITY = """
5s 5h Qh Qd Qc | 1 in 46,410
5s 5h Qh Qd 7c | 1 in 7,735
Ks Kh Kd Jc Th | every hand
5s 5h Qh Qd Qc | 1 in 1,785 | hand=poker
"""

test_kn_2_hand = reads(GAME, HANDS, "Ana: {}; Beto: {other}")
test_kn_2_order = orders(GAME, ORDER, "Ana: {}; Beto: {}")
test_round = settles(GAME, ROUNDS)
test_bad_round = refuses(GAME, BAD)
test_rarity = is_as_rare(GAME, RARITY, "Ana knocked: {}; Beto: {other}")
