"""Dompe: hands of five and six cards, near-ties, the pot, and refusals."""

from __future__ import annotations

import pytest
from rounds import Hand, document, hand_of, is_as_rare, orders, places, reads, refuses, settled, settles
from tables import each_row

from companion.contract import settle

GAME = "dompe"

FIVES = """
9s 9h 9d 9c Jk | five-of-a-kind | five of a kind, nines
7c 6c 5c 4c 3c | straight-flush | straight flush, seven high
Ah Kh Qh Jh Th | straight-flush | straight flush, ace high
Ah Kh Jk Jh Th | straight-flush | straight flush, ace high
9s 9h 9d 9c 4h | four-of-a-kind | four of a kind, nines
9s 9h 9d Jk 4h | four-of-a-kind | four of a kind, nines
9s 9h 9d 4c 4d | full-house | full house, nines over fours
9s 9h Jk 4c 4d | full-house | full house, nines over fours
Ad Kd 8d 5d 3d | flush | flush, ace high
As Ks 9s 5s Jk | flush | flush, ace high
Jh Ts 9d 8d 7c | straight | straight, jack high
5s 4h 3d 2c Ah | straight | straight, five high
Jk 4h 3d 2c Ah | straight | straight, five high
8s 7h 6d Jk 4c | straight | straight, eight high
2s 2h 2d 7c Kd | three-of-a-kind | three of a kind, twos
Ks Kd Jk 9h 4c | three-of-a-kind | three of a kind, kings
Ks Kd 9h 9c 4s | no-hand | two pair, kings and nines, below three of a kind
Ks 9h 7c 4s Jk | no-hand | pair of kings, below three of a kind
9s 9h 9d 9c 4h | four-of-a-kind | four of a kind, nines | deck=plain
5o 6c 7e 10b 11o | straight | straight, Caballo high | deck=spanish-40
7o 10c 11e 12b 1o | straight | straight, ace high | deck=spanish-40
5o 4c 3e 2b 1o | straight | straight, five high | deck=spanish-40
5o 6c 7e 10b 11o | no-hand | high card, Caballo, below three of a kind | deck=spanish-48
7o 8c 9e 10b 11o | straight | straight, Caballo high | deck=spanish-48
9o 10c 11e 12b 1o | straight | straight, ace high | deck=spanish-48
2o 5c 5e 5b 7o | four-of-a-kind | four of a kind, fives | deck=spanish-40 yuca=true
2o 5c 5e 5b 7o | three-of-a-kind | three of a kind, fives | deck=spanish-40
2o 12c 12e 12b 12o | five-of-a-kind | five of a kind, Reyes | deck=spanish-48 yuca=true
"""

SIXES = """
Ad Kd 9d 8d 5d 3d | six-card-flush | six-card flush
Ad Kd 9d 8d 5d Jk | six-card-flush | six-card flush
9d 8d 7d 6d 5d 4d | six-card-flush | six-card flush
Jh Ts 9d 8d 7c 6c | six-card-straight | six-card straight
Ah Ks Qd Jd Tc 9c | six-card-straight | six-card straight
Ah 2s 3d 4d 5c 6c | six-card-straight | six-card straight
Ah 2s Jk 4d 5c 6c | six-card-straight | six-card straight
Ks Kd 9h 9c 4s 4h | three-pairs | three pairs
Ks Kd 9h 9c 4s Jk | three-pairs | three pairs
9s 9h 9d 9c Jk | five-of-a-kind | five of a kind, nines
4o 5c 6e 7b 10o 11c | six-card-straight | six-card straight | deck=spanish-40
6o 7c 8e 9b 10o 11c | six-card-straight | six-card straight | deck=spanish-48
1o 3o 5o 2o 7o 12o | six-card-flush | six-card flush | deck=spanish-40
1c 3c 5c 2o 7c 12c | six-card-flush | six-card flush | deck=spanish-40 yuca=true
"""

NO_WINS = """
9s 9h 9d 9c 4s 4h | four of a kind, nines | 4h 4s
9s 9h 9d 4s 4h Jk | four of a kind, nines | 4h 4s
9s 9h 9d 4s 4h 4d | full house, nines over fours | 4h 4s 4d
9s 9h 9d 9c 4h Jk | hold a quintilla | 4h
Qh Ks Ad 2d 3c 4c | no five of them are a hand | Qh Ks Ad 2d 3c 4c
Ks Kd 9h 9c 4s 5h | no five of them are a hand | 4s 5h
9s 9h 9d 9c 4h | four of a kind, nines |
9s 8h 7d 6c 5h | straight, nine high |
4o 5c 6e 7b 10o 11c | no five of them are a hand | 4o 5c 6e 7b 10o 11c | deck=spanish-48
"""

# A-A-K-9-5 beats A-K-Q-J-9; the seed's two: queen of spades over queen of clubs, and the joker wins, even as a 5
ORDER = """
9s 9h 9d 9c Jk > Ah Kh Qh Jh Th
5c 4c 3c 2c Ac > As Ah Ad Ks Kd
6c 5c 4c 3c 2c > 5d 4d 3d 2d Ad
2s 2h 2d 2c 3s > As Ah Ad Ks Kd
2s 2h 2d 3c 3d > Ac Kc Qc Jc 9c
7c 5c 4c 3c 2c > As Kh Qd Jd Th
5s 4h 3d 2c Ac > Ks Kh Kd 9c 4d
As Ks 9s 5s Jk > Ah Kh Qh Jh 9h
Qs Jd Th 9s 8c > Qc Jh Td 9d 8s
8c 7d 6s Jk 4h > 8d 7h 6d 5d 4s
Ad Kd 8d 5d 3d > Ah Kh 8h 5h 3h
Ah Kh 8h 5h 3h > As Ks 8s 5s 3s
As Ks 8s 5s 3s > Ac Kc 8c 5c 3c
5d 4s 3s 2h Ac > 5c 4d 3d 2c Ad
5h 4d 3d 2d Ac > 5s 4h 3c 2c Ad
Ad Kc Qc Jc Tc > Ah Kd Qd Jd Td
As Ah Ks 9d Jk > Qs Qh Qd 7h 2c
1o 12o 7o 5o 3o > 1c 12c 7c 5c 3c | deck=spanish-40
1c 12c 7c 5c 3c > 1e 12e 7e 5e 3e | deck=spanish-40
1e 12e 7e 5e 3e > 1b 12b 7b 5b 3b | deck=spanish-40
5b 4b 2o 6c 7c > 5o 4c 3o 6o 7o | deck=spanish-40 yuca=true
"""

THREE, TWO = "Beto,Ana,Caro>pot 1 ante DO-1", "Ana,Beto>pot 1 ante DO-1"
SPADES = "suits=spades-first"
TRIPLE, STRAIGHT, NOTHING = "2s 2h 2d 7c Kd", "Jh Ts 9d 8d 7h", "Ks Qd 9h 9c 4s"

ROUNDS = f"""
do_1_turn_order_runs_to_the_right
    | Ana called: {STRAIGHT}; Beto: {TRIPLE}; Caro dealer: {NOTHING}; Dani: 3s 4h 5d 6c 8c
    | Beto,Ana,Dani,Caro>pot 50 ante DO-1; pot>Ana 200 pot DO-7 | ante=2 stake=25
do_2_no_ante | Ana called: {TRIPLE}; Beto: {NOTHING} | | ante=0 deck=plain
do_2_spanish_40_the_7_is_next_to_the_sota | Ana called: 5o 6c 7e 10b 11o; Beto: 3o 3c 3e 1b 12o
    | {TWO}; pot>Ana 2 pot DO-7 | deck=spanish-40
do_2_spanish_48_the_7_is_not_next_to_the_sota | Ana: 5o 6c 7e 10b 11o; Beto called: 3o 3c 3e 1b 12o
    | {TWO}; pot>Beto 2 pot DO-7 | deck=spanish-48
do_2_yuca | Ana: 2o 4c 4e 1b 12o; Beto called: 3o 3c 3e 1c 12c | {TWO}; pot>Ana 2 pot DO-7
    | deck=spanish-40 yuca=true
do_3_a_double_ace_flush | Ana: As Ks 9s 5s Jk; Beto called: Ah Kh Qh Jh 9h
    | {TWO}; pot>Ana 2 pot DO-7
do_4_no_hand_never_wins | Ana: As Ah Kc Kh 4c; Beto called: {TRIPLE} | {TWO}; pot>Beto 2 pot DO-7
do_5_three_pairs | Ana showed: Ks Kd 9h 9c 4s Jk; Beto; Caro | {THREE}; pot>Ana 3 pot DO-6
do_6_quintilla | Ana; Beto showed: 9s 9h 9d 9c Jk; Caro | {THREE}; pot>Beto 8 pot DO-6 | pot=5
do_7_the_caller_is_beaten_and_pays_nothing | Ana called: {TRIPLE}; Beto: {STRAIGHT}; Caro: Ks Qd 9h 9s 4s
    | {THREE}; pot>Beto 3 pot DO-7
do_8_the_joker_wins | Ana: 8c 7d 6s Jk 4h; Beto called: 8d 7h 6d 5d 4s | {TWO}; pot>Ana 2 pot DO-7
do_8_the_highest_cards_suit | Ana: Qs Jd Th 9s 8c; Beto called: Qc Jh Td 9d 8s; Caro: Qh Jc Tc 9h 8h
    | {THREE}; pot>Caro 3 pot DO-7
do_9_the_caller_shows_first | Ana: 8c 7d 6s Jk 4h; Beto called: 8d 7h 6d 5d 4s
    | {TWO}; pot>Beto 2 pot DO-7 | equal_hands=first-to-show
do_9_then_on_anticlockwise | Ana: Qd Js Ts 9s 8c; Beto: Qc Jh Td 9d 8s; Caro called: 2s 2h 2d 7c Kd
    | {THREE}; pot>Beto 3 pot DO-7 | equal_hands=first-to-show
do_6_an_outright_win_after_a_call | Ana called; Beto showed: 9s 9h 9d 9c Jk; Caro | {THREE}; pot>Beto 3 pot DO-6
do_6_of_the_caller | Ana called showed: Ks Kd 9h 9c 4s Jk; Beto; Caro | {THREE}; pot>Ana 3 pot DO-6
do_10_spades_first | Ana: Qs Jd Th 9s 8c; Beto called: Qc Jh Td 9d 8s; Caro: Qh Jc Tc 9h 8h; Dani: Qd Js Ts 9c 8d
    | Caro,Beto,Ana,Dani>pot 1 ante DO-1; pot>Ana 4 pot DO-7 | {SPADES}
do_10_the_wild_card_wins_all_the_same | Ana: 8c 7d 6s Jk 4h; Beto called: 8s 7h 6d 5d 4s
    | {TWO}; pot>Ana 2 pot DO-7 | {SPADES}
do_11_bonus | Ana; Beto showed: 9s 9h 9d 9c Jk; Caro
    | Beto,Ana,Caro>pot 25 ante DO-1; Ana,Caro>Beto 50 hand-bonus DO-11; pot>Beto 80 pot DO-6
    | outright_bonus=2 pot=5 stake=25
do_11_needs_no_hand | Ana; Beto showed won; Caro | {THREE}; Ana,Caro>Beto 2 hand-bonus DO-11; pot>Beto 3 pot DO-6
    | outright_bonus=2
do_11_no_bonus_after_a_call | Ana called: {TRIPLE}; Beto: {NOTHING} | {TWO}; pot>Ana 2 pot DO-7
    | outright_bonus=2
do_7_who_mucks_has_lost | Ana called: {TRIPLE}; Beto mucked; Caro foul; Dani: {NOTHING}
    | Caro,Beto,Ana,Dani>pot 1 ante DO-1; pot>Ana 4 pot DO-7
do_7_nobody_else_shows | Ana called; Beto mucked; Caro foul | {THREE}; pot>Ana 3 pot DO-7
do_7_told_beside_a_muck | Ana called; Beto won; Caro mucked | {THREE}; pot>Beto 3 pot DO-7
"""

BAD = f"""
the_caller_must_show | Ana called mucked; Beto: {STRAIGHT}; Caro: {NOTHING} | round.mucked bad-value
who_wins_outright_must_show | Ana showed foul; Beto | round.foul bad-value
a_muck_is_not_entered | Ana called: {TRIPLE}; Beto mucked: {STRAIGHT}; Caro: {NOTHING}
    | round.hands.Beto unexpected-hand
do_6_shown_after_a_call_but_no_win | Ana called; Beto showed: 9s 9h 9d 4d 4s | round.hands.Beto not-an-outright-win
do_6_only_the_winner_shows | Ana called: {TRIPLE}; Beto showed: 9s 9h 9d 9c Jk | round.hands.Ana unexpected-hand
neither_called_nor_shown | Ana: 2s 2h 2d 7c Kd; Beto: Ks Qd 9h 9c 4s | round.caller missing-field
do_7_called_with_two_pairs | Ana called: Ks Kc 9h 9c 4s; Beto: {TRIPLE} | round.hands.Ana invalid-knock
do_6_nine_nine_nine_nine_four_four | Ana showed: 9s 9h 9d 9c 4s 4h; Beto | round.hands.Ana not-an-outright-win
do_6_two_triplets | Ana showed: 9s 9h 9d 4d 4s 4h; Beto | round.hands.Ana not-an-outright-win
others_need_not_show | Ana showed: 9s 9h 9d 9c Jk; Beto: {TRIPLE} | round.hands.Beto unexpected-hand
do_2_yuca_with_a_french_deck | Ana called: {TRIPLE}; Beto: {NOTHING} | rules.yuca bad-rule-value | yuca=true
do_2_no_joker_in_a_plain_deck | Ana called: {TRIPLE}; Beto: Ks Qd 9h 9c Jk | round.hands.Beto bad-card | deck=plain
do_2_no_eight_in_spanish_40 | Ana called: 3o 3c 3e 1b 12o; Beto: 1o 2c 8e 4b 5o | round.hands.Beto bad-card
    | deck=spanish-40
six_cards_after_a_call | Ana called: {TRIPLE} Kh; Beto: {STRAIGHT} | round.hands.Ana wrong-hand-size
six_players | Ana showed: 9s 9h 9d 9c Jk; Beto; Caro; Dani; Eli; Flor | players too-many-players
"""


@each_row(NO_WINS, Hand)
def test_do_6_no_outright_win_says_what_it_is_and_what_to_discard(row: Hand) -> None:
    made, discards = row.category, row.description.split()
    status, answer = settle(document(GAME, f"Ana showed: {row.cards}; Beto", row.rules))
    assert status == 422
    (error,) = answer["errors"]  # type: ignore[misc]
    assert error["code"] == "not-an-outright-win"
    assert made in error["message"]
    assert not discards or any(f"discard {card}" in error["message"] for card in discards)


@pytest.mark.parametrize(
    ("cards", "ranks"),
    [
        ("Ah 2s Jk 4d 5c 6c", "3"),
        ("9s 8h 7d 6c 5s Jk", "T"),
        ("As Kh Qd Jc Ts Jk", "9"),
        ("As 2h 3d 4c 5s Jk", "6"),
        ("Ks Kd 9h 9c 4s Jk", "4"),
    ],
)
def test_do_6_the_wild_card_completes_the_higher_hand(cards: str, ranks: str) -> None:
    shown = hand_of("Ana", settled(document(GAME, f"Ana showed: {cards}; Beto")))
    assert [card[0] for card in shown["wild_as"]] == [*ranks]


def test_do_4_no_hands_share_the_last_place() -> None:
    seats = "Ana: Ks Kd 9h 9c 4s; Beto called: 2s 2h 2d 7c Kc; Caro: Ah Qs Jd 8c 3d"
    assert places(settled(document(GAME, seats))) == "1 Beto, 2 Ana, 2 Caro"


@pytest.mark.parametrize(
    ("rules", "expected"),
    [("", "1 Ana, 2 Beto, 3 Caro"), ("equal_hands=first-to-show", "1 Caro, 2 Beto, 3 Ana")],
)
def test_do_9_the_better_place_too(rules: str, expected: str) -> None:
    seats = "Ana: Qd Js Ts 9s 8c; Beto: Qh Jh Td 9d 8s; Caro called: Qc Jc Tc 9h 8h"
    assert places(settled(document(GAME, seats, rules))) == expected


# each suit beats the next, from high to low
SUITS = """
Qs Jd Th 9s 8c > Qh Jc Tc 9h 8h | deck=plain suits=spades-first
Qh Jc Tc 9h 8h > Qd Js Ts 9c 8d | deck=plain suits=spades-first
Qd Js Ts 9c 8d > Qc Jh Td 9d 8s | deck=plain suits=spades-first
12e 11o 10c 7e 6b > 12c 11b 10e 7o 6o | deck=spanish-40 suits=spades-first
12c 11b 10e 7o 6o > 12o 11e 10b 7c 6c | deck=spanish-40 suits=spades-first
12o 11e 10b 7c 6c > 12b 11c 10o 7b 6e | deck=spanish-40 suits=spades-first
"""
# 40 straight flushes, no royal apart
CALLED = """
9s 9h 9d Jk 4d | 1 in 1,775
Ah Kh Qh Jh Th | 1 in 649,740 | deck=plain
9s 9h 9d 9c 4d | 1 in 8,122 | deck=plain
9s 9h 9d 9c 4d | 1 in 8,122 | deck=plain equal_hands=first-to-show
12o 12c 12e 2o 4c | 1 in 1,434 | deck=spanish-40 yuca=true
"""
SHOWED = """
9s 9h 9d 9c Jk | 1 in 478,281
Ad Kd 9d 8d 5d 3d | 1 in 82
Ks Kd 9h 9c 4s 4h | 1 in 193 | deck=plain
12o 12c 9o 9c 2o 4c | 1 in 60 | deck=spanish-48 yuca=true
"""
NO_HAND = "Ks Kd 9h 9c 4s | every hand"

test_do_4_five_cards = reads(GAME, FIVES, "Ana: {}; Beto called: {other}")  # cards of one suit, so a flush or better
test_do_5_outright_win = reads(GAME, SIXES, "Ana showed: {}; Beto")
test_do_8_order = orders(GAME, ORDER, "Ana called: {}; Beto: {}")
test_do_10_suits = orders(GAME, SUITS, "Ana called: {}; Beto: {}")
test_round = settles(GAME, ROUNDS)
test_bad_round = refuses(GAME, BAD)
test_rarity_of_five = is_as_rare(GAME, CALLED, "Ana called: {}; Beto: {other}")
test_rarity_of_six = is_as_rare(GAME, SHOWED, "Ana showed: {}; Beto")
test_rarity_of_no_hand = is_as_rare(GAME, NO_HAND, "Ana: {}; Beto called: 7c 7d 7h 2s 3d")
