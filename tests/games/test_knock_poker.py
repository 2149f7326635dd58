"""Knock Poker: hands, who pays whom under each rule, and refusals."""

from __future__ import annotations

import pytest
from rounds import (
    Bad,
    Case,
    Hand,
    cases,
    compare,
    document,
    every_reason_is_true,
    lines,
    listed,
    others,
    problems,
    rarity,
    settled,
    settled_case,
    transfers,
)

GAME = "knock-poker"

HANDS = [
    Hand("Ah Kh Qh Jh Th", "royal-flush", "royal flush"),
    Hand("7c 6c 5c 4c 3c", "straight-flush", "straight flush, seven high"),
    Hand("5d 4d 3d 2d Ad", "straight-flush", "straight flush, five high"),
    Hand("9s 9h 9d 9c Qd", "four-of-a-kind", "four of a kind, nines"),
    Hand("Ts Th Tc Kd Kc", "full-house", "full house, tens over kings"),
    Hand("9s 9h 9d 4c 4d", "full-house", "full house, nines over fours"),
    Hand("Ad Kd 8d 5d 3d", "flush", "flush, ace high"),
    Hand("Jh Ts 9d 8d 7c", "straight", "straight, jack high"),
    Hand("Ah Ks Qd Jd Tc", "straight", "straight, ace high"),
    Hand("5h 4s 3d 2d Ac", "straight", "straight, five high"),
    Hand("5s 5h 5d Ac 8h", "three-of-a-kind", "three of a kind, fives"),
    Hand("Js Jd 6h 6c 2s", "two-pairs", "two pair, jacks and sixes"),
    Hand("8h 8c Js 7d 4h", "pair", "pair of eights"),
    Hand("Kd Qs Jh Tc 8h", "high-card", "high card, king"),
    Hand("4d 3s 2h Ac Kh", "high-card", "high card, ace"),
]

ORDER = [
    "Ah Kh Qh Jh Th > 9c 8c 7c 6c 5c",
    "6c 5c 4c 3c 2c > 5d 4d 3d 2d Ad",
    "5d 4d 3d 2d Ad > As Ah Ac Kd Kc",
    "9s 9h 9d 9c 2d > 8s 8h 8d 8c Ad",
    "2s 2h 2d 2c 3d > As Ah Ad Kc Kd",
    "3s 3h 3d 2c 2d > Ah Kh Qh Jh 9h",
    "3s 3h 3d 2c 2d > 2s 2h Ad Ac Kh",
    "Ah Kh 8h 5h 3h > Ad Kd 8d 5d 2d",
    "Ah Kh 8h 5h 3h = Ad Kd 8d 5d 3d",
    "7h 5h 4h 3h 2h > Ah Kd Qd Jd Td",
    "6h 5s 4d 3d 2c > 5h 4s 3s 2d Ac",
    "Jh Ts 9d 8d 7c = Js Td 9c 8h 7s",
    "2s 2h 2d 4c 3d > As Ah Kd Kc Qh",
    "Js Jd 6h 6c 2s > Jh Jc 5h 5c As",
    "Js Jd 6h 6c 3s > Jh Jc 6d 6s 2h",
    "Js Jd 6h 6c 3s = Jh Jc 6d 6s 3h",
    "2h 2c 5s 4d 3h > Ad Kc Qs Jh 9h",
    "8h 8c Js 7d 4h > 8d 8s Jh 7c 3h",
    "Kd Qs Jh Tc 8h > Kh Qd Jc Ts 7h",
]

FULL, FLUSH, PAIR, HIGH = "9s 9h 9d 4c 4s", "Ah Kh 8h 5h 3h", "8c 8d Js 7d 4h", "Kd Qs Jh Tc 6h"
SAME = "9c 8s Jd 7s 4d", "Ad Kc Js 9c 6d", "Ac Ks Jd 9h 6s"  # the last two are equal
ANTES = "Ana,Beto,Caro,Dani>pot 1 ante KP-1"
THREE = "Ana,Beto,Caro>pot 1 ante KP-1"
ROYAL, OTHER_ROYAL, STEEL, FOUR = "Ah Kh Qh Jh Th", "As Ks Qs Js Ts", "7c 6c 5c 4c 3c", "9s 9h 9d 9c Qd"

# Rule: KP-13; the lowest hand that reaches a minimum, and the highest that does not
LEAST = {
    "pair": "2s 2h 5c 4d 3h",
    "pair-of-queens": "Qs Qh 4c 3d 2h",
    "pair-of-kings": "Ks Kh 4c 3d 2h",
    "two-pairs": "3s 3h 2s 2h 4c",
    "three-of-a-kind": "2s 2h 2c 4d 3h",
    "straight": "As 2s 3h 4d 5c",
    "flush": "2h 3h 4h 5h 7h",
    "full-house": "2s 2h 2c 3d 3h",
}
BELOW = {
    "pair": "As Kh Qc Jd 9h",
    "pair-of-queens": "Js Jh Ac Kd Qh",
    "pair-of-kings": "Qs Qh Ac Kd Jh",
    "two-pairs": "As Ah Kc Qd Jh",
    "three-of-a-kind": "As Ah Kc Kd Qh",
    "straight": "As Ah Ac Kd Qh",
    "flush": "As Kh Qc Jd Th",
    "full-house": "Ah Kh Qh Jh 9h",
}

ROUNDS = [
    Case(
        "kp_1_ante",
        f"Ana knocked: {FULL}; Beto: {PAIR}",
        "Ana,Beto>pot 50 ante KP-1; Beto>Ana 50 stayed-in KP-4; pot>Ana 100 pot KP-4",
        "ante=2",
        stake=25,
    ),
    Case(
        "kp_1_no_ante",
        f"Ana knocked: {FULL}; Beto: {PAIR}",
        "Beto>Ana 2 stayed-in KP-4",
        "ante=0",
    ),
    Case(
        "kp_1_turn_order_starts_after_the_dealer",
        f"Ana: {PAIR}; Beto dealer: {FULL}; Caro knocked: {HIGH}",
        "Caro,Ana,Beto>pot 1 ante KP-1; Caro>Ana,Beto 2 lost-knock KP-5; pot>Beto 3 pot KP-5",
    ),
    Case(
        "kp_2_suits_never_decide",
        f"Ana: {SAME[1]}; Beto: {SAME[2]}",
        "Ana,Beto>pot 1 ante KP-1; pot>Ana,Beto 1 pot KP-8",
    ),
    Case(
        "kp_3_drops_are_kept_by_a_knocker_who_lost",
        f"Ana knocked: {PAIR}; Beto: {FLUSH}; Caro dropped; Dani dropped",
        f"{ANTES}; Caro,Dani>Ana 1 drop KP-3; Ana>Beto 2 lost-knock KP-5; pot>Beto 4 pot KP-5",
    ),
    Case(
        "kp_3_drop_fee",
        f"Ana knocked: {PAIR}; Beto: {HIGH}; Caro dropped",
        f"{THREE}; Caro>Ana 3 drop KP-3; Beto>Ana 2 stayed-in KP-4; pot>Ana 3 pot KP-4",
        "drop_fee=3",
    ),
    Case(
        "kp_4_knocker_wins",
        f"Ana knocked: {FULL}; Beto: {FLUSH}; Caro: {PAIR}; Dani: {HIGH}",
        f"{ANTES}; Beto,Caro,Dani>Ana 2 stayed-in KP-4; pot>Ana 4 pot KP-4",
    ),
    Case(
        "kp_4_carried_pot_and_payment",
        f"Ana knocked: {FULL}; Beto: {FLUSH}",
        "Ana,Beto>pot 1 ante KP-1; Beto>Ana 5 stayed-in KP-4; pot>Ana 9 pot KP-4",
        "knock_payment=5",
        pot=7,
    ),
    Case(
        "kp_5_knocker_loses_and_pays_all",
        f"Ana knocked: {PAIR}; Beto: {FLUSH}; Caro dropped; Dani: {HIGH}",
        f"{ANTES}; Caro>Ana 1 drop KP-3; Ana>Beto,Dani 2 lost-knock KP-5; pot>Beto 4 pot KP-5",
    ),
    Case(
        "kp_5_knocker_loses_and_spares_the_winner",
        f"Ana knocked: {PAIR}; Beto: {FLUSH}; Caro: {FULL}; Dani: {HIGH}",
        f"{ANTES}; Ana>Beto,Dani 2 lost-knock KP-5; pot>Caro 4 pot KP-5",
        "losing_knocker_pays=not-winner",
    ),
    Case(
        "kp_6_knocker_ties",
        f"Ana knocked: {SAME[1]}; Beto: {SAME[2]}; Caro: {HIGH}; Dani: 8c 7h 5d 3s 2d",
        f"{ANTES}; Caro,Dani>pot 2 stayed-in KP-6; pot>Ana,Beto 4 pot KP-6",
    ),
    Case(
        "kp_6_one_split_of_the_sum_odd_unit_in_turn_order",
        f"Ana: {SAME[1]}; Beto: {HIGH}; Caro knocked: {SAME[2]}",
        f"{THREE}; Beto>pot 2 stayed-in KP-6; pot>Ana 3 pot KP-6; pot>Caro 2 pot KP-6",
    ),
    Case(
        "kp_6_odd_unit_stays",
        f"Ana: {SAME[1]}; Beto: {HIGH}; Caro knocked: {SAME[2]}",
        f"{THREE}; Beto>pot 2 stayed-in KP-6; pot>Ana,Caro 2 pot KP-6",
        "odd_chips=stay-in-pot",
    ),
    Case(
        "kp_6_all_tie",
        f"Ana knocked: {SAME[1]}; Beto: {SAME[2]}; Caro dropped",
        f"{THREE}; Caro>Ana 1 drop KP-3; pot>Ana 2 pot KP-6; pot>Beto 1 pot KP-6",
    ),
    Case(
        "kp_7_others_tie",
        f"Ana knocked: {HIGH}; Beto: {SAME[1]}; Caro: {SAME[2]}; Dani: 8c 7h 5d 3s 2d",
        f"{ANTES}; Ana>Beto,Caro,Dani 2 lost-knock KP-7; pot>Beto,Caro 2 pot KP-7",
    ),
    Case(
        "kp_7_spares_nobody",
        f"Ana knocked: {HIGH}; Beto: {SAME[1]}; Caro: {SAME[2]}",
        f"{THREE}; Ana>Beto,Caro 2 lost-knock KP-7; pot>Beto 2 pot KP-7; pot>Caro 1 pot KP-7",
        "losing_knocker_pays=not-winner",
    ),
    Case("kp_8_nobody_knocked", f"Ana: {PAIR}; Beto: {FLUSH}; Caro: {HIGH}", f"{THREE}; pot>Beto 3 pot KP-8"),
    Case(
        "kp_8_nobody_knocked_and_a_tie",
        f"Ana: {HIGH}; Beto: {SAME[1]}; Caro: {SAME[2]}",
        f"{THREE}; pot>Beto 2 pot KP-8; pot>Caro 1 pot KP-8",
    ),
    Case(
        "kp_9_stock_ran_out_after_a_knock",
        f"Ana: {PAIR}; Beto knocked: {FLUSH}; Caro dropped",
        f"{THREE}; Caro>Beto 1 drop KP-3; Ana>Beto 2 stayed-in KP-4; pot>Beto 3 pot KP-4",
    ),
    Case(
        "kp_10_everyone_else_dropped",
        "Ana knocked; Beto dropped; Caro dropped",
        f"{THREE}; Beto,Caro>Ana 1 drop KP-3; pot>Ana 3 pot KP-10",
    ),
    Case(
        "kp_11_simple_knocker_loses",
        f"Ana knocked: {PAIR}; Beto: {FLUSH}; Caro: {HIGH}",
        f"{THREE}; pot>Beto 3 pot KP-11",
        "settlement=simple",
    ),
    Case(
        "kp_11_simple_tie",
        f"Ana knocked: {SAME[1]}; Beto: {SAME[2]}; Caro: {HIGH}",
        f"{THREE}; pot>Ana 2 pot KP-11; pot>Beto 1 pot KP-11",
        "settlement=simple",
    ),
    Case(
        "kp_12_draw_fee",
        f"Ana knocked drew=2: {FULL}; Beto drew=1: {FLUSH}; Caro dropped drew=3; Dani: {PAIR}",
        f"""{ANTES}; Ana>pot 4 draw-fee KP-12; Beto>pot 2 draw-fee KP-12; Caro>pot 6 draw-fee KP-12
        Caro>Ana 1 drop KP-3; Beto,Dani>Ana 2 stayed-in KP-4; pot>Ana 16 pot KP-4""",
        "draw_fee=2",
    ),
    Case(
        "kp_12_draws_without_a_fee",
        f"Ana drew=2: {FULL}; Beto drew=1: {FLUSH}",
        "Ana,Beto>pot 1 ante KP-1; pot>Ana 2 pot KP-8",
    ),
    Case(
        "kp_13_a_pair_of_jacks_may_knock",
        f"Ana knocked: Jc Jd 2s 3d 5h; Beto: {HIGH}",
        "Ana,Beto>pot 1 ante KP-1; Beto>Ana 2 stayed-in KP-4; pot>Ana 2 pot KP-4",
        "minimum_knock=pair-of-jacks",
    ),
    *(
        Case(
            f"kp_13_the_least_of_{minimum}",
            f"Ana knocked: {cards}; Beto: Ts 8d 7s 6c 5d",
            "Ana,Beto>pot 1 ante KP-1; Beto>Ana 2 stayed-in KP-4; pot>Ana 2 pot KP-4",
            f"minimum_knock={minimum}",
        )
        for minimum, cards in LEAST.items()
    ),
    Case(
        "kp_13_anything_higher_too",
        f"Ana knocked: {FOUR}; Beto: {HIGH}",
        "Ana,Beto>pot 1 ante KP-1; Beto>Ana 2 stayed-in KP-4; pot>Ana 2 pot KP-4",
        "minimum_knock=pair-of-queens",
    ),
    Case(
        "kp_13_a_pair_of_aces_may_knock",
        f"Ana knocked: Ac Ad 2s 3d 4h; Beto: {HIGH}",
        "Ana,Beto>pot 1 ante KP-1; Beto>Ana 2 stayed-in KP-4; pot>Ana 2 pot KP-4",
        "minimum_knock=pair-of-aces",
    ),
    Case(
        "kp_14_first_turn_and_four_of_a_kind",
        f"Ana knocked first: {FOUR}; Beto: {FLUSH}; Caro dropped",
        f"""{THREE}; Caro>Ana 1 drop KP-3; Beto>Ana 2 stayed-in KP-4; Beto,Caro>Ana 2 first-turn-bonus KP-14
        Beto,Caro>Ana 1 hand-bonus KP-14; pot>Ana 3 pot KP-4""",
        "bonuses=true",
    ),
    Case(
        "kp_14_first_turn_lost",
        f"Ana knocked first: {PAIR}; Beto: {FLUSH}",
        "Ana,Beto>pot 1 ante KP-1; Ana>Beto 2 lost-knock KP-5; pot>Beto 2 pot KP-5",
        "bonuses=true",
    ),
    Case(
        "kp_14_off",
        f"Ana knocked first: {FOUR}; Beto: {FLUSH}",
        "Ana,Beto>pot 1 ante KP-1; Beto>Ana 2 stayed-in KP-4; pot>Ana 2 pot KP-4",
    ),
    Case(
        "kp_14_royal_flush_of_another_player",
        f"Ana knocked: {STEEL}; Beto: {ROYAL}; Caro dropped",
        f"""{THREE}; Caro>Ana 1 drop KP-3; Ana>Beto 2 lost-knock KP-5; Ana,Caro>Beto 4 hand-bonus KP-14
        pot>Beto 3 pot KP-5""",
        "bonuses=true",
    ),
    Case(
        "kp_14_straight_flush_without_a_knock",
        f"Ana: {STEEL}; Beto: {FLUSH}",
        "Ana,Beto>pot 1 ante KP-1; Beto>Ana 2 hand-bonus KP-14; pot>Ana 2 pot KP-8",
        "bonuses=true",
    ),
    Case(
        "kp_14_in_a_simple_settlement",
        f"Ana knocked first: {STEEL}; Beto: {FLUSH}",
        """Ana,Beto>pot 1 ante KP-1; Beto>Ana 2 first-turn-bonus KP-14; Beto>Ana 2 hand-bonus KP-14
        pot>Ana 2 pot KP-11""",
        "bonuses=true settlement=simple",
    ),
    Case(
        "kp_14_tied_winners_share_the_hand_bonus",
        f"Ana knocked first: {ROYAL}; Beto: {OTHER_ROYAL}; Caro: {FOUR}",
        f"""{THREE}; Caro>pot 2 stayed-in KP-6; Caro>pot 4 hand-bonus KP-14
        pot>Ana 3 pot KP-6; pot>Beto 2 pot KP-6; pot>Ana,Beto 2 hand-bonus KP-14""",
        "bonuses=true",
    ),
    Case(
        "kp_14_two_splits_with_an_odd_unit_each",
        f"Ana: {ROYAL}; Beto: {OTHER_ROYAL}; Caro: {FOUR}",
        f"""{THREE}; Caro>pot 5 hand-bonus KP-14
        pot>Ana 2 pot KP-8; pot>Beto 1 pot KP-8; pot>Ana 3 hand-bonus KP-14; pot>Beto 2 hand-bonus KP-14""",
        "bonuses=true bonus_royal_flush=5",
    ),
    Case(
        "kp_14_odd_units_of_both_splits_stay",
        f"Ana: {ROYAL}; Beto: {OTHER_ROYAL}; Caro: {FOUR}",
        f"{THREE}; Caro>pot 5 hand-bonus KP-14; pot>Ana,Beto 1 pot KP-8; pot>Ana,Beto 2 hand-bonus KP-14",
        "bonuses=true bonus_royal_flush=5 odd_chips=stay-in-pot",
    ),
    Case(
        "kp_14_lone_player_shows",
        f"Ana knocked: {FOUR}; Beto dropped",
        "Ana,Beto>pot 1 ante KP-1; Beto>Ana 1 drop KP-3; Beto>Ana 1 hand-bonus KP-14; pot>Ana 2 pot KP-10",
        "bonuses=true",
    ),
    Case(
        "kp_14_lone_player_does_not_show",
        "Ana knocked first; Beto dropped",
        "Ana,Beto>pot 1 ante KP-1; Beto>Ana 1 drop KP-3; Beto>Ana 2 first-turn-bonus KP-14; pot>Ana 2 pot KP-10",
        "bonuses=true",
    ),
]

BAD = [
    Bad("drop_without_a_knock", f"Ana: {PAIR}; Beto: {FLUSH}; Caro dropped", "round.dropped bad-value"),
    Bad(
        "drop_in_a_simple_settlement",
        f"Ana knocked: {PAIR}; Beto: {FLUSH}; Caro dropped",
        "round.dropped bad-value",
        "settlement=simple",
    ),
    Bad("knocker_dropped", f"Ana knocked dropped; Beto: {FLUSH}; Caro: {PAIR}", "round.dropped bad-value"),
    Bad("everybody_dropped", "Ana dropped; Beto dropped", "round.dropped bad-value"),
    Bad("first_turn_without_a_knock", f"Ana first: {PAIR}; Beto: {HIGH}", "round.knocked_before_drawing bad-value"),
    Bad(
        "first_turn_one_draw",
        f"Ana knocked first drew=1: {PAIR}; Beto: {HIGH}",
        "round.knocked_before_drawing bad-value",
    ),
    Bad(
        "first_turn_two_draws",
        f"Ana knocked first drew=2: {PAIR}; Beto: {HIGH}",
        "round.knocked_before_drawing bad-value",
    ),
    Bad(
        "kp_13_tens",
        f"Ana knocked: Tc Td 2s 3d 5h; Beto: {PAIR}",
        "round.hands.Ana invalid-knock",
        "minimum_knock=pair-of-jacks",
    ),
    Bad(
        "kp_13_kings",
        f"Ana knocked: Kc Kd 2s 3d 5h; Beto: {PAIR}",
        "round.hands.Ana invalid-knock",
        "minimum_knock=pair-of-aces",
    ),
    *(
        Bad(
            f"kp_13_below_{minimum}",
            f"Ana knocked: {cards}; Beto: Ts 8d 7s 6c 5d",
            "round.hands.Ana invalid-knock",
            f"minimum_knock={minimum}",
        )
        for minimum, cards in BELOW.items()
    ),
    Bad(
        "kp_13_a_lone_knocker_who_shows",
        "Ana knocked: Kc Kd 2s 3d 5h; Beto dropped",
        "round.hands.Ana invalid-knock",
        "minimum_knock=pair-of-aces",
    ),
    Bad("missing_hand", f"Ana knocked: {PAIR}; Beto", "round.hands.Beto missing-hand"),
    Bad("hand_of_a_dropped_player", f"Ana knocked: {PAIR}; Beto dropped: {FLUSH}", "round.hands.Beto unexpected-hand"),
    Bad("four_cards", f"Ana: 8c 8d Js 7d; Beto: {FLUSH}", "round.hands.Ana wrong-hand-size"),
    Bad("card_twice", f"Ana: {PAIR}; Beto: Ah Kh 8h 5h 8d", "round.hands.Beto duplicate-card"),
    Bad("joker", f"Ana: {PAIR}; Beto: Ah Kh 8h 5h Jk", "round.hands.Beto bad-card"),
    Bad("one_player", f"Ana: {PAIR}", "players too-few-players"),
    Bad("negative_ante", f"Ana: {PAIR}; Beto: {FLUSH}", "rules.ante bad-rule-value", "ante=-1"),
    Bad("unknown_rule", f"Ana: {PAIR}; Beto: {FLUSH}", "rules.rum_bonus unknown-rule", "rum_bonus=1"),
    Bad("unasked_answer", f"Ana paid=5: {PAIR}; Beto: {FLUSH}", "round.paid unknown-field"),
    Bad(
        "all_at_once",
        f"Ana knocked: {PAIR}; Beto: Ah Kh 8h 5h 8d; Caro: 1x 2d 3d 4d",
        "rules.ante bad-rule-value; round.hands.Caro bad-card; round.hands.Beto duplicate-card; "
        "round.hands.Caro wrong-hand-size",
        "ante=1001",
    ),
]


@pytest.mark.parametrize("hand", cases(HANDS))
def test_kp_2_hand(hand: Hand) -> None:
    settlement = settled(document(GAME, f"Ana knocked: {hand.cards}; Beto dropped"))
    (shown,) = settlement["hands"]
    assert (shown["category"], shown["description"]) == (hand.category, hand.description)
    assert [shown["points"], shown["melds"], shown["unmatched"], shown["wild_as"]] == [None] * 4


@pytest.mark.parametrize("row", ORDER)
def test_kp_2_order(row: str) -> None:
    assert compare(GAME, row, "", "") == row


@pytest.mark.parametrize("case", cases(ROUNDS))
def test_round(case: Case) -> None:
    settlement = settled_case(GAME, case)
    assert transfers(settlement) == lines(case.transfers)
    every_reason_is_true(settlement)


@pytest.mark.parametrize("bad", cases(BAD))
def test_bad_round(bad: Bad) -> None:
    assert sorted(problems(GAME, bad)) == sorted(listed(bad.problems))


RARITY = [
    ("Ah Kh Qh Jh Th", "royal flush: 1 in 649,740", ""),
    ("9s 9h 9d 4c 4d", "full house: 1 in 694; this hand or better: 1 in 1,109", ""),
    ("8c 8d Js 7d 4h", "pair: 4 in 10; this hand or better: 3 in 10", "settlement=simple"),
    ("7c 5d 4s 3d 2h", "high card: 5 in 10", ""),
]


@pytest.mark.parametrize(("hand", "words", "rules"), RARITY)
def test_rarity(hand: str, words: str, rules: str) -> None:
    assert rarity(GAME, f"Ana knocked: {hand}; Beto: {others(GAME, hand, rules)}", rules) == words
