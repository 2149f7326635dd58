"""Rounds that several games settle alike, by rules of the same number: Draw Poker, Five-Card Draw, Straight Poker."""

from __future__ import annotations

PAIR, FLUSH, HIGH = "8c 8d Js 7d 4h", "Ah Kh 8h 5h 3h", "Kd Qs Jh Tc 6h"
SAME = "Ad Kc Js 9c 6d", "Ac Ks Jd 9h 6s"
OFF, OPENERS = "five_of_a_kind=off", "openers=pair-of-jacks"


def antes(rule: str) -> tuple[str, str]:
    """Return the antes of three players, and of two."""
    return f"Ana,Beto,Caro>pot 1 ante {rule}-1", f"Ana,Beto>pot 1 ante {rule}-1"


def called(rows: str, rule: str) -> str:
    """Call rows by a game's rules, which are XX in them."""
    return rows.replace("XX", rule).replace("xx_", f"{rule.lower()}_")


ANTES, TWO = antes("XX")

# of all games with bets whose rules 1 and 2 say who gets the pot
POTS = f"""
xx_2_odd_chip_by_suit | Ana paid=1: Ac Kd Jh 9d 6c; Beto paid=1: As Kh Jd 9c 6d; Caro paid=1: 8c 7h 5d 3s 2d
    | {ANTES}; pot>Ana 1 pot XX-2; pot>Beto 2 pot XX-2 | odd_chips=suit
xx_2_odd_chip_by_highest_card | Ana paid=1: Ac Kd Jh 9d 6c; Beto paid=1: As Kh Jd 9c 6d; Caro paid=1: 8c 7h 5d 3s 2d
    | {ANTES}; pot>Ana 1 pot XX-2; pot>Beto 2 pot XX-2 | odd_chips=highest-card
xx_1_best_hand | Ana paid=5: {PAIR}; Beto paid=5: {FLUSH}; Caro paid=3 folded
    | {ANTES}; Ana,Beto>pot 4 bets XX-1; Caro>pot 2 bets XX-1; pot>Beto 13 pot XX-1
xx_1_side_pots | Ana paid=2: {FLUSH}; Beto paid=5: {PAIR}; Caro paid=6: {HIGH}
    | {ANTES}; Ana>pot 1 bets XX-1; Beto>pot 4 bets XX-1; Caro>pot 5 bets XX-1; pot>Ana 6 pot XX-1;
    pot>Beto 6 pot XX-1; pot>Caro 1 returned XX-1 | all_in=true
xx_2_equal_hands_share | Ana paid=1: {SAME[0]}; Beto paid=1: {SAME[1]}; Caro paid=1 folded
    | {ANTES}; pot>Ana 2 pot XX-2; pot>Beto 1 pot XX-2
xx_2_odd_unit_stays | Ana paid=1: {SAME[0]}; Beto paid=1: {SAME[1]}; Caro paid=1 folded
    | {ANTES}; pot>Ana,Beto 1 pot XX-2 | odd_chips=stay-in-pot
"""
# of the games with a draw
DRAWS = f"""
xx_12_a_joker_too | Ana paid=1: Kh Kd Jk 7s 4c; Beto paid=1: Ac Ad 8h 7c 3s; Caro paid=1 folded
    | {ANTES}; pot>Ana 3 pot XX-1 | wild="2" jokers_too=true
xx_12_without_a_joker | Ana paid=1: Kh Kd 2s 7s 4c; Beto paid=1: Ac Ad 8h 7c 3s; Caro paid=1 folded
    | {ANTES}; pot>Ana 3 pot XX-1 | wild="2"
xx_12_a_one_eyed_jack | Ana paid=1: Kh Kd Js 7s 4c; Beto paid=1: Ac Ad 8h 7c 3s; Caro paid=1 folded
    | {ANTES}; pot>Ana 3 pot XX-1 | one_eyed_jacks=true
xx_12_another_jack | Ana paid=1: Kh Kd Jc 7s 4c; Beto paid=1: Ac Ad 8h 7c 3s; Caro paid=1 folded
    | {ANTES}; pot>Beto 3 pot XX-1 | one_eyed_jacks=true
xx_13_false_openers_lose | Ana paid=4 false; Beto paid=4: {PAIR}; Caro paid=4: {HIGH}
    | {ANTES}; Ana,Beto,Caro>pot 3 bets XX-1; pot>Beto 12 pot XX-1; Ana>pot 2 false-openers XX-13
    | {OPENERS} false_openers_cost=2
xx_13_nobody_else_is_left | Ana paid=4 false; Beto paid=1 folded; Caro paid=1 folded
    | {ANTES}; Ana>pot 3 bets XX-1; Ana>pot 5 false-openers XX-13 | {OPENERS} false_openers_cost=5 pot=2
xx_13_at_no_cost | Ana paid=4 false; Beto paid=1 folded; Caro paid=1 folded
    | {ANTES}; Ana>pot 3 bets XX-1 | {OPENERS}
xx_13_who_has_folded_pays_too | Ana paid=2 folded false; Beto paid=3; Caro paid=1 folded
    | Ana>pot 2 bets XX-1; Beto>pot 3 bets XX-1; Caro>pot 1 bets XX-1; pot>Beto 6 pot XX-1;
    Ana>pot 50 false-openers XX-13 | {OPENERS} false_openers_cost=1 stake=50 ante=0
xx_13_bets_one_by_one | Ana; Beto false / Ana check, Beto bet 3, Ana fold
    | {TWO}; Beto>pot 3 bets XX-1; Beto>pot 1 false-openers XX-13 | {OPENERS} false_openers_cost=1
xx_3_every_rank_once | Ana paid=1: As Kh 8d 5c 2s; Beto paid=1: Qs Jh 9d 7c 3s; Caro paid=1: Th 6d 4c 5h Jd
    | {ANTES}; pot>Ana 3 pot XX-1
xx_4_five_of_a_kind_is_on_top | Ana paid=1: Ah Kh Qh Jh Th; Beto paid=1: 3s 3h 3d 3c Jk
    | {TWO}; pot>Beto 2 pot XX-1 | wild=jokers
xx_4_five_of_a_kind_is_off | Ana paid=1: Ah Kh Qh Jh Th; Beto paid=1: 3s 3h 3d 3c Jk
    | {TWO}; pot>Ana 2 pot XX-1 | wild=jokers {OFF}
xx_5_the_ace_is_low_in_a_straight | Ana paid=1: 5h 4s 3s 2d Ac; Beto paid=1: 6h 5s 4d 3d 2c
    | {TWO}; pot>Beto 2 pot XX-1
xx_10_raised_after_a_short_all_in | Ana: {FLUSH}; Beto: {PAIR}; Caro: Tc 9s 5d 3s 2d
    / Ana bet 4, Beto all-in 6, Caro call, Ana raise 6, Caro call / Ana check, Caro check
    | {ANTES}; Ana>pot 10 bets XX-1; Beto>pot 6 bets XX-1; Caro>pot 10 bets XX-1; pot>Ana 21 pot XX-1;
    pot>Ana 8 pot XX-1 | all_in=true
xx_11_a_double_ace_flush | Ana paid=1: As Jk Ks 9s 5s; Beto paid=1: Ah Kh Qh 9h 5h
    | {TWO}; pot>Ana 2 pot XX-1 | wild=jokers
xx_11_no_double_ace_flush | Ana paid=1: As Jk Ks 9s 5s; Beto paid=1: Ah Kh Qh 9h 6h
    | {TWO}; pot>Beto 2 pot XX-1 | wild=jokers wild_use=not-held
xx_11_a_bug_makes_no_pair_of_kings | Ana paid=1: Kc Jk Qd 8s 4h; Beto paid=1: Kd Kh Qs 9s 5s
    | {TWO}; pot>Beto 2 pot XX-1 | wild=jokers wild_use=bug
xx_7_a_bet_of_less_than_a_stake | Ana: {FLUSH}; Beto: {PAIR} / Ana bet 10, Beto call / Ana check, Beto check
    | Ana,Beto>pot 25 ante XX-1; Ana,Beto>pot 10 bets XX-1; pot>Ana 70 pot XX-1 | stake=25
xx_7_limits_of_a_raise | Ana: {FLUSH}; Beto: {PAIR} / Ana bet 3, Beto raise 4, Ana call / Ana check, Beto check
    | {TWO}; Ana,Beto>pot 4 bets XX-1; pot>Ana 10 pot XX-1 | minimum_bet=3 minimum_raise=1
xx_7_the_largest_raise | Ana: {FLUSH}; Beto: {PAIR} / Ana bet 3, Beto raise 5, Ana call / Ana check, Beto check
    | {TWO}; Ana,Beto>pot 5 bets XX-1; pot>Ana 12 pot XX-1 | maximum_bet=3 maximum_raise=2
xx_7_raises_in_both_rounds
    | Ana: {FLUSH}; Beto: {PAIR} / Ana bet 2, Beto raise 4, Ana raise 4, Beto call
    / Ana bet 1, Beto raise 2, Ana raise 2, Beto call
    | {TWO}; Ana,Beto>pot 9 bets XX-1; pot>Ana 20 pot XX-1 | most_raises=2
xx_8_everybody_checked | Ana passed; Beto; Caro / Ana check, Beto check, Caro check | {ANTES} | {OPENERS}
xx_9_natural_first | Ana paid=1: Kd Jk Jk 7s 4c; Beto paid=1: Ks Kh Kc 7d 4h
    | {TWO}; pot>Beto 2 pot XX-1 | wild=jokers equal_hands=natural-first
"""
DRAWS += "".join(
    f"xx_8_passed_in_without_{openers} | Ana passed; Beto; Caro | Ana,Beto,Caro>pot 2 ante XX-1"
    f" | ante=2 pot=5 openers={openers}\n"
    for openers in ("pair-of-jacks", "pair-of-aces", "two-pairs")
)

BAD_DRAWS = f"""
xx_13_any_hand_may_open | Ana paid=1 false: {PAIR}; Beto paid=1: {FLUSH} | round.false_openers bad-value
xx_13_two_openers | Ana paid=1 false; Beto paid=1 false; Caro paid=1: {FLUSH} | round.false_openers bad-value
    | {OPENERS}
xx_13_somebody_else_opened | Ana; Beto false / Ana bet 3, Beto call / Ana check, Beto check
    | round.false_openers bad-value | {OPENERS}
xx_13_nobody_opened | Ana; Beto false / Ana check, Beto check / Ana check, Beto check
    | round.false_openers bad-value | {OPENERS}
xx_13_passed_in | Ana passed; Beto false | round.passed_in bad-value | {OPENERS}
xx_13_everybody_has_lost | Ana paid=1 false; Beto paid=1 foul | round.foul bad-value | {OPENERS}
xx_8_without_openers | Ana passed; Beto | round.passed_in bad-value
xx_8_with_a_fold | Ana passed folded; Beto | round.passed_in bad-value | {OPENERS}
everybody_folded | Ana paid=1 folded; Beto paid=1 folded | round.folded bad-value
three_jokers | Ana paid=1: Ks Qs 9d Jk Jk; Beto paid=1: 2s 3h 4d 5c Jk | round.hands.Beto duplicate-card | wild=jokers
seven_players | Ana paid=1; B paid=1; C paid=1; D paid=1; E paid=1; F paid=1; G paid=1 | players too-many-players
"""
