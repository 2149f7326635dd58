"""Knock Poker: hands, who pays whom under each rule, and refusals."""

from __future__ import annotations

from random import Random

from rounds import document, is_as_rare, orders, reads, refuses, settled, settles

from companion.games import all_games
from companion.games.knock_poker import Options

GAME = "knock-poker"

HANDS = """
Ah Kh Qh Jh Th | royal-flush | royal flush
7c 6c 5c 4c 3c | straight-flush | straight flush, seven high
5d 4d 3d 2d Ad | straight-flush | straight flush, five high
9s 9h 9d 9c Qd | four-of-a-kind | four of a kind, nines
Ts Th Tc Kd Kc | full-house | full house, tens over kings
9s 9h 9d 4c 4d | full-house | full house, nines over fours
Ad Kd 8d 5d 3d | flush | flush, ace high
Jh Ts 9d 8d 7c | straight | straight, jack high
Ah Ks Qd Jd Tc | straight | straight, ace high
5h 4s 3d 2d Ac | straight | straight, five high
5s 5h 5d Ac 8h | three-of-a-kind | three of a kind, fives
Js Jd 6h 6c 2s | two-pairs | two pair, jacks and sixes
8h 8c Js 7d 4h | pair | pair of eights
Kd Qs Jh Tc 8h | high-card | high card, king
4d 3s 2h Ac Kh | high-card | high card, ace
"""

ORDER = """
Ah Kh Qh Jh Th > 9c 8c 7c 6c 5c
5d 4d 3d 2d Ad > As Ah Ac Kd Kc
3s 3h 3d 2c 2d > Ah Kh Qh Jh 9h
Ah Kh 8h 5h 3h = Ad Kd 8d 5d 3d
Jh Ts 9d 8d 7c = Js Td 9c 8h 7s
Js Jd 6h 6c 3s > Jh Jc 6d 6s 2h
Js Jd 6h 6c 3s = Jh Jc 6d 6s 3h
8h 8c Js 7d 4h > 8d 8s Jh 7c 3h
"""

FULL, FLUSH, PAIR, HIGH = "9s 9h 9d 4c 4s", "Ah Kh 8h 5h 3h", "8c 8d Js 7d 4h", "Kd Qs Jh Tc 6h"
SAME = "9c 8s Jd 7s 4d", "Ad Kc Js 9c 6d", "Ac Ks Jd 9h 6s"  # the last two are equal
ANTES = "Ana,Beto,Caro,Dani>pot 1 ante KP-1"
THREE, TWO = "Ana,Beto,Caro>pot 1 ante KP-1", "Ana,Beto>pot 1 ante KP-1"
ROYAL, OTHER_ROYAL, STEEL, FOUR = "Ah Kh Qh Jh Th", "As Ks Qs Js Ts", "7c 6c 5c 4c 3c", "9s 9h 9d 9c Qd"

# Rule: KP-13; a minimum, the lowest hand that reaches it, and the highest that does not
MINIMA = {
    "pair": ("2s 2h 5c 4d 3h", "As Kh Qc Jd 9h"),
    "pair-of-jacks": ("Jc Jd 2s 3d 4h", "Tc Th Ac Kd Qh"),
    "pair-of-queens": ("Qs Qh 4c 3d 2h", "Js Jh Ac Kd Qh"),
    "pair-of-kings": ("Ks Kh 4c 3d 2h", "Qs Qh Ac Kd Jh"),
    "pair-of-aces": ("Ac Ad 2s 3d 4h", "Ks Kh Ac Qd Jh"),
    "two-pairs": ("3s 3h 2s 2h 4c", "As Ah Kc Qd Jh"),
    "three-of-a-kind": ("2s 2h 2c 4d 3h", "As Ah Kc Kd Qh"),
    "straight": ("As 2s 3h 4d 5c", "As Ah Ac Kd Qh"),
    "flush": ("2h 3h 4h 5h 7h", "As Kh Qc Jd Th"),
    "full-house": ("2s 2h 2c 3d 3h", "Ah Kh Qh Jh 9h"),
}

ROUNDS = f"""
kp_8_odd_chip_by_suit | Ana: Ac Kd Jh 9d 6c; Beto: As Kh Jd 9c 6d; Caro: 8c 7h 5d 3s 2d
    | {THREE}; pot>Ana 1 pot KP-8; pot>Beto 2 pot KP-8 | odd_chips=suit
kp_8_odd_chip_by_highest_card | Ana: Ac Kd Jh 9d 6c; Beto: As Kh Jd 9c 6d; Caro: 8c 7h 5d 3s 2d
    | {THREE}; pot>Ana 1 pot KP-8; pot>Beto 2 pot KP-8 | odd_chips=highest-card
kp_18_a_knocker_with_a_foul_hand | Ana knocked foul; Beto: {PAIR}; Caro mucked; Dani: {HIGH}
    | {ANTES}; Ana>Beto,Caro,Dani 2 lost-knock KP-5; pot>Beto 4 pot KP-5
kp_18_a_losing_knocker_pays_no_foul_hand | Ana knocked: {PAIR}; Beto: {FLUSH}; Caro foul
    | {THREE}; Ana>Beto 2 lost-knock KP-5; pot>Beto 3 pot KP-5
kp_18_a_knocker_who_mucks_pays_the_winner | Ana knocked mucked; Beto; Caro foul
    | {THREE}; Ana>Beto 2 lost-knock KP-16; pot>Beto 3 pot KP-18 | losing_knocker_pays=winner
kp_18_nobody_else_shows | Ana knocked; Beto foul; Caro mucked; Dani dropped
    | {ANTES}; Dani>Ana 1 drop KP-3; Beto,Caro>Ana 2 stayed-in KP-4; pot>Ana 4 pot KP-18
kp_1_ante | Ana knocked: {FULL}; Beto: {PAIR}
    | Ana,Beto>pot 50 ante KP-1; Beto>Ana 50 stayed-in KP-4; pot>Ana 100 pot KP-4 | ante=2 stake=25
kp_1_no_ante | Ana knocked: {FULL}; Beto: {PAIR} | Beto>Ana 2 stayed-in KP-4 | ante=0
kp_1_turn_order_starts_after_the_dealer | Ana: {PAIR}; Beto dealer: {FULL}; Caro knocked: {HIGH}
    | Caro,Ana,Beto>pot 1 ante KP-1; Caro>Ana,Beto 2 lost-knock KP-5; pot>Beto 3 pot KP-5
kp_2_suits_never_decide | Ana: {SAME[1]}; Beto: {SAME[2]} | {TWO}; pot>Ana,Beto 1 pot KP-8
kp_3_drops_are_kept_by_a_knocker_who_lost | Ana knocked: {PAIR}; Beto: {FLUSH}; Caro dropped; Dani dropped
    | {ANTES}; Caro,Dani>Ana 1 drop KP-3; Ana>Beto 2 lost-knock KP-5; pot>Beto 4 pot KP-5
kp_3_drop_fee | Ana knocked: {PAIR}; Beto: {HIGH}; Caro dropped
    | {THREE}; Caro>Ana 3 drop KP-3; Beto>Ana 2 stayed-in KP-4; pot>Ana 3 pot KP-4 | drop_fee=3
kp_4_knocker_wins | Ana knocked: {FULL}; Beto: {FLUSH}; Caro: {PAIR}; Dani: {HIGH}
    | {ANTES}; Beto,Caro,Dani>Ana 2 stayed-in KP-4; pot>Ana 4 pot KP-4
kp_4_carried_pot_and_payment | Ana knocked: {FULL}; Beto: {FLUSH}
    | {TWO}; Beto>Ana 5 stayed-in KP-4; pot>Ana 9 pot KP-4 | knock_payment=5 pot=7
kp_5_knocker_loses_and_pays_all | Ana knocked: {PAIR}; Beto: {FLUSH}; Caro dropped; Dani: {HIGH}
    | {ANTES}; Caro>Ana 1 drop KP-3; Ana>Beto,Dani 2 lost-knock KP-5; pot>Beto 4 pot KP-5
kp_5_knocker_loses_and_spares_the_winner | Ana knocked: {PAIR}; Beto: {FLUSH}; Caro: {FULL}; Dani: {HIGH}
    | {ANTES}; Ana>Beto,Dani 2 lost-knock KP-5; pot>Caro 4 pot KP-5 | losing_knocker_pays=not-winner
kp_6_knocker_ties | Ana knocked: {SAME[1]}; Beto: {SAME[2]}; Caro: {HIGH}; Dani: 8c 7h 5d 3s 2d
    | {ANTES}; Caro,Dani>pot 2 stayed-in KP-6; pot>Ana,Beto 4 pot KP-6
kp_6_one_split_of_the_sum_odd_unit_in_turn_order | Ana: {SAME[1]}; Beto: {HIGH}; Caro knocked: {SAME[2]}
    | {THREE}; Beto>pot 2 stayed-in KP-6; pot>Ana 3 pot KP-6; pot>Caro 2 pot KP-6
kp_6_odd_unit_stays | Ana: {SAME[1]}; Beto: {HIGH}; Caro knocked: {SAME[2]}
    | {THREE}; Beto>pot 2 stayed-in KP-6; pot>Ana,Caro 2 pot KP-6 | odd_chips=stay-in-pot
kp_6_all_tie | Ana knocked: {SAME[1]}; Beto: {SAME[2]}; Caro dropped
    | {THREE}; Caro>Ana 1 drop KP-3; pot>Ana 2 pot KP-6; pot>Beto 1 pot KP-6
kp_7_others_tie | Ana knocked: {HIGH}; Beto: {SAME[1]}; Caro: {SAME[2]}; Dani: 8c 7h 5d 3s 2d
    | {ANTES}; Ana>Beto,Caro,Dani 2 lost-knock KP-7; pot>Beto,Caro 2 pot KP-7
kp_7_spares_nobody | Ana knocked: {HIGH}; Beto: {SAME[1]}; Caro: {SAME[2]}
    | {THREE}; Ana>Beto,Caro 2 lost-knock KP-7; pot>Beto 2 pot KP-7; pot>Caro 1 pot KP-7
    | losing_knocker_pays=not-winner
kp_8_nobody_knocked | Ana: {PAIR}; Beto: {FLUSH}; Caro: {HIGH} | {THREE}; pot>Beto 3 pot KP-8
kp_8_nobody_knocked_and_a_tie | Ana: {HIGH}; Beto: {SAME[1]}; Caro: {SAME[2]}
    | {THREE}; pot>Beto 2 pot KP-8; pot>Caro 1 pot KP-8
kp_9_stock_ran_out_after_a_knock | Ana: {PAIR}; Beto knocked: {FLUSH}; Caro dropped
    | {THREE}; Caro>Beto 1 drop KP-3; Ana>Beto 2 stayed-in KP-4; pot>Beto 3 pot KP-4
kp_10_everyone_else_dropped | Ana knocked; Beto dropped; Caro dropped
    | {THREE}; Beto,Caro>Ana 1 drop KP-3; pot>Ana 3 pot KP-10
kp_11_simple_knocker_loses | Ana knocked: {PAIR}; Beto: {FLUSH}; Caro: {HIGH} | {THREE}; pot>Beto 3 pot KP-11
    | settlement=simple
kp_11_simple_tie | Ana knocked: {SAME[1]}; Beto: {SAME[2]}; Caro: {HIGH}
    | {THREE}; pot>Ana 2 pot KP-11; pot>Beto 1 pot KP-11 | settlement=simple
kp_12_draw_fee | Ana knocked drew=2: {FULL}; Beto drew=1: {FLUSH}; Caro dropped drew=3; Dani: {PAIR}
    | {ANTES}; Ana>pot 4 draw-fee KP-12; Beto>pot 2 draw-fee KP-12; Caro>pot 6 draw-fee KP-12; Caro>Ana 1 drop KP-3;
    Beto,Dani>Ana 2 stayed-in KP-4; pot>Ana 16 pot KP-4 | draw_fee=2
kp_12_draws_without_a_fee | Ana drew=2: {FULL}; Beto drew=1: {FLUSH} | {TWO}; pot>Ana 2 pot KP-8
kp_13_anything_higher_too | Ana knocked: {FOUR}; Beto: {HIGH}
    | {TWO}; Beto>Ana 2 stayed-in KP-4; pot>Ana 2 pot KP-4 | minimum_knock=pair-of-queens
kp_14_first_turn_and_four_of_a_kind | Ana knocked first: {FOUR}; Beto: {FLUSH}; Caro dropped
    | {THREE}; Caro>Ana 1 drop KP-3; Beto>Ana 2 stayed-in KP-4; Beto,Caro>Ana 2 first-turn-bonus KP-14;
    Beto,Caro>Ana 1 hand-bonus KP-14; pot>Ana 3 pot KP-4 | bonuses=true
kp_14_first_turn_lost | Ana knocked first: {PAIR}; Beto: {FLUSH}
    | {TWO}; Ana>Beto 2 lost-knock KP-5; pot>Beto 2 pot KP-5 | bonuses=true
kp_14_off | Ana knocked first: {FOUR}; Beto: {FLUSH}
    | {TWO}; Beto>Ana 2 stayed-in KP-4; pot>Ana 2 pot KP-4
kp_14_royal_flush_of_another_player | Ana knocked: {STEEL}; Beto: {ROYAL}; Caro dropped
    | {THREE}; Caro>Ana 1 drop KP-3; Ana>Beto 2 lost-knock KP-5; Ana,Caro>Beto 4 hand-bonus KP-14; pot>Beto 3 pot KP-5
    | bonuses=true
kp_14_straight_flush_without_a_knock | Ana: {STEEL}; Beto: {FLUSH}
    | {TWO}; Beto>Ana 2 hand-bonus KP-14; pot>Ana 2 pot KP-8 | bonuses=true
kp_14_in_a_simple_settlement | Ana knocked first: {STEEL}; Beto: {FLUSH}
    | {TWO}; Beto>Ana 2 first-turn-bonus KP-14; Beto>Ana 2 hand-bonus KP-14; pot>Ana 2 pot KP-11
    | bonuses=true settlement=simple
kp_14_tied_winners_share_the_hand_bonus | Ana knocked first: {ROYAL}; Beto: {OTHER_ROYAL}; Caro: {FOUR}
    | {THREE}; Caro>pot 2 stayed-in KP-6; Caro>pot 4 hand-bonus KP-14; pot>Ana 3 pot KP-6; pot>Beto 2 pot KP-6;
    pot>Ana,Beto 2 hand-bonus KP-14 | bonuses=true
kp_14_two_splits_with_an_odd_unit_each | Ana: {ROYAL}; Beto: {OTHER_ROYAL}; Caro: {FOUR}
    | {THREE}; Caro>pot 5 hand-bonus KP-14; pot>Ana 2 pot KP-8; pot>Beto 1 pot KP-8; pot>Ana 3 hand-bonus KP-14;
    pot>Beto 2 hand-bonus KP-14 | bonuses=true bonus_royal_flush=5
kp_14_odd_units_of_both_splits_stay | Ana: {ROYAL}; Beto: {OTHER_ROYAL}; Caro: {FOUR}
    | {THREE}; Caro>pot 5 hand-bonus KP-14; pot>Ana,Beto 1 pot KP-8; pot>Ana,Beto 2 hand-bonus KP-14
    | bonuses=true bonus_royal_flush=5 odd_chips=stay-in-pot
kp_14_lone_player_shows | Ana knocked: {FOUR}; Beto dropped
    | {TWO}; Beto>Ana 1 drop KP-3; Beto>Ana 1 hand-bonus KP-14; pot>Ana 2 pot KP-10 | bonuses=true
kp_14_lone_player_does_not_show | Ana knocked first; Beto dropped
    | {TWO}; Beto>Ana 1 drop KP-3; Beto>Ana 2 first-turn-bonus KP-14; pot>Ana 2 pot KP-10
    | bonuses=true
"""
ONLY = "ties=antes-only"
ROUNDS += f"""
kp_15_the_knocker_ties | Ana knocked: {SAME[1]}; Beto: {SAME[2]}; Caro: {HIGH}; Dani dropped
    | {ANTES}; Dani>Ana 1 drop KP-3; pot>Ana,Beto 2 pot KP-15 | {ONLY}
kp_15_others_tie | Ana knocked: {HIGH}; Beto: {SAME[1]}; Caro: {SAME[2]}
    | {THREE}; pot>Beto 2 pot KP-15; pot>Caro 1 pot KP-15 | {ONLY}
kp_15_without_a_bonus | Ana knocked: {ROYAL}; Beto: {OTHER_ROYAL}; Caro: {FOUR}
    | {THREE}; pot>Ana 2 pot KP-15; pot>Beto 1 pot KP-15 | {ONLY} bonuses=true
kp_15_no_tie | Ana knocked: {FULL}; Beto: {FLUSH} | {TWO}; Beto>Ana 2 stayed-in KP-4; pot>Ana 2 pot KP-4 | {ONLY}
kp_16_the_winner_alone | Ana knocked: {PAIR}; Beto: {FLUSH}; Caro: {FULL}; Dani: {HIGH}
    | {ANTES}; Ana>Caro 2 lost-knock KP-16; pot>Caro 4 pot KP-5 | losing_knocker_pays=winner
kp_16_each_of_the_tied | Ana knocked: {HIGH}; Beto: {SAME[1]}; Caro: {SAME[2]}; Dani: 8c 7h 5d 3s 2d
    | {ANTES}; Ana>Beto,Caro 2 lost-knock KP-16; pot>Beto,Caro 2 pot KP-7 | losing_knocker_pays=winner
kp_16_another_amount | Ana knocked: {PAIR}; Beto: {FLUSH}; Caro: {HIGH}
    | {THREE}; Ana>Beto,Caro 3 lost-knock KP-5; pot>Beto 3 pot KP-5 | lost_knock=3
kp_16_a_winner_gets_the_usual | Ana knocked: {FULL}; Beto: {FLUSH}
    | {TWO}; Beto>Ana 1 stayed-in KP-4; pot>Ana 2 pot KP-4 | lost_knock=3 knock_payment=1
kp_16_both | Ana knocked: {PAIR}; Beto: {FLUSH}; Caro: {HIGH}
    | {THREE}; Ana>Beto 3 lost-knock KP-16; pot>Beto 3 pot KP-5 | lost_knock=3 losing_knocker_pays=winner
kp_17_knocked_then_drew | Ana knocked first drew-late drew=1: {FULL}; Beto: {FLUSH}; Caro dropped
    | {THREE}; Caro>Ana 1 drop KP-3; Beto>Ana 2 stayed-in KP-4; Beto,Caro>Ana 1 first-turn-bonus KP-17;
    pot>Ana 3 pot KP-4 | bonuses=true bonus_drawn=1
kp_17_lost | Ana knocked first drew-late: {PAIR}; Beto: {FLUSH}
    | {TWO}; Ana>Beto 2 lost-knock KP-5; pot>Beto 2 pot KP-5 | bonuses=true bonus_drawn=1
kp_17_without_the_draw | Ana knocked first: {FULL}; Beto: {FLUSH}
    | {TWO}; Beto>Ana 2 stayed-in KP-4; Beto>Ana 2 first-turn-bonus KP-14; pot>Ana 2 pot KP-4
    | bonuses=true bonus_drawn=1
"""
ROUNDS += "".join(
    f"""kp_13_the_least_of_{minimum} | Ana knocked: {cards}; Beto: Ts 8d 7s 6c 5d
    | {TWO}; Beto>Ana 2 stayed-in KP-4; pot>Ana 2 pot KP-4 | minimum_knock={minimum}\n"""
    for minimum, (cards, _) in MINIMA.items()
)

BAD = f"""
drop_without_a_knock | Ana: {PAIR}; Beto: {FLUSH}; Caro dropped | round.dropped bad-value
drop_in_a_simple_settlement | Ana knocked: {PAIR}; Beto: {FLUSH}; Caro dropped | round.dropped bad-value
    | settlement=simple
knocker_dropped | Ana knocked dropped; Beto: {FLUSH}; Caro: {PAIR} | round.dropped bad-value
everybody_dropped | Ana dropped; Beto dropped | round.dropped bad-value
first_turn_without_a_knock | Ana first: {PAIR}; Beto: {HIGH} | round.knocked_before_drawing bad-value
first_turn_one_draw | Ana knocked first drew=1: {PAIR}; Beto: {HIGH} | round.knocked_before_drawing bad-value
drew_after_no_such_knock | Ana knocked drew-late: {PAIR}; Beto: {HIGH} | round.drew_after_knocking bad-value
kp_13_a_lone_knocker_who_shows | Ana knocked: Kc Kd 2s 3d 5h; Beto dropped | round.hands.Ana invalid-knock
    | minimum_knock=pair-of-aces
all_at_once | Ana knocked: {PAIR}; Beto: Ah Kh 8h 5h 8d; Caro: 1x 2d 3d 4d
    | rules.ante bad-rule-value; round.hands.Caro bad-card; round.hands.Beto duplicate-card;
    round.hands.Caro wrong-hand-size | ante=1001
"""
BAD += "".join(
    f"""kp_13_below_{minimum} | Ana knocked: {cards}; Beto: Ts 8d 7s 6c 5d
    | round.hands.Ana invalid-knock | minimum_knock={minimum}\n"""
    for minimum, (_, cards) in MINIMA.items()
)

RARITY = """
Ah Kh Qh Jh Th | 1 in 649,740
9s 9h 9d 4c 4d | 1 in 1,109
8c 8d Js 7d 4h | 3 in 10 | settlement=simple
7c 5d 4s 3d 2h | every hand
"""

test_kp_2_hand = reads(GAME, HANDS, "Ana knocked: {}; Beto dropped")
test_kp_2_order = orders(GAME, ORDER, "Ana: {}; Beto: {}")
test_round = settles(GAME, ROUNDS)
test_bad_round = refuses(GAME, BAD)
test_rarity = is_as_rare(GAME, RARITY, "Ana knocked: {}; Beto: {other}")


def plain_net(
    knocker: str, stayed: str, winners: str, dropped: str, foul: str, rules: dict[str, object]
) -> dict[str, int]:
    """Pay chip by chip, in a reading of its own; players are letters, and everybody has put in one chip. The pot is
    split as by default: the odd chips to the first of the tied. A losing knocker pays no foul hand.
    """
    everybody = sorted({*stayed, *dropped})
    chips = dict.fromkeys(everybody, -1)
    pot = len(everybody)
    for player in dropped:
        chips[player] -= 1
        chips[knocker] += 1
    lost = rules["lost_knock"] or rules["knock_payment"]
    if len(winners) == 1 or rules["ties"] == "full":
        for player in stayed:
            if player == knocker or (player in winners and knocker in winners):
                continue
            if knocker in winners:
                chips[player] -= int(str(rules["knock_payment"]))
                pot += int(str(rules["knock_payment"]))
            elif (
                rules["losing_knocker_pays"] == "all"
                or (rules["losing_knocker_pays"] == "winner" and player in winners)
                or (rules["losing_knocker_pays"] == "not-winner" and (len(winners) > 1 or player not in winners))
            ):
                if player in foul:
                    continue
                chips[knocker] -= int(str(lost))
                chips[player] += int(str(lost))
    for number in range(pot):
        chips[winners[number % len(winners)]] += 1
    return chips


def test_kp_15_16_and_18_counted_chip_by_chip() -> None:
    """Whoever ties or wins is named by the table; all combinations come up in four hundred rounds."""
    random = Random(49)
    for _ in range(400):
        players = "ABCDEF"[: random.randint(2, 6)]
        knocker = random.choice(players)
        dropped = "".join(p for p in players if p != knocker and random.random() < 0.3)
        stayed = "".join(p for p in players if p not in dropped)
        foul, mucked = ("".join(p for p in stayed if random.random() < 0.2) for _ in range(2))
        left = [p for p in stayed if p not in foul + mucked or len(stayed) == 1]
        if not left:
            continue
        winners = "".join(sorted(random.sample(left, random.randint(1, len(left)))))
        winners = left[0] if len(left) == 1 else winners
        rules: dict[str, object] = {
            "lost_knock": random.choice([0, 3]),
            "knock_payment": random.choice([1, 2]),
            "losing_knocker_pays": random.choice(["all", "not-winner", "winner"]),
            "ties": random.choice(["full", "antes-only"]),
        }
        marks = [
            f"{p}{' knocked' * (p == knocker)}{' dropped' * (p in dropped)}{' won' * (p in winners and len(left) > 1)}"
            f"{' foul' * (p in foul)}{' mucked' * (p in mucked)}"
            for p in players
        ]
        written = document(GAME, "; ".join(marks))
        written["rules"] |= rules
        assert settled(written)["net"] == plain_net(knocker, stayed, winners, dropped, foul, rules), (marks, rules)


def test_kp_13_the_least_knock_is_told_before_it() -> None:
    game = all_games()[GAME]
    assert str(game.least_knock(Options(minimum_knock="pair-of-jacks"))) == "a pair of jacks"
    assert game.least_knock(Options()) is None
