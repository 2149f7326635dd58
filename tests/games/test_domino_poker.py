"""Domino Poker: every hand of the set, bets and side pots, and refusals."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from random import Random
from typing import Any

import pytest
from rounds import document, is_as_rare, orders, reads, refuses, settled, settles

from companion.contract.random_rounds import standing
from companion.engine.pieces.dominoes import TILES
from companion.games.domino_poker import read

GAME = "domino-poker"

HANDS = """
2-2 3-3 4-4 5-5 6-6 | royal | royal
2-6 3-6 4-6 5-6 6-6 | straight-sixes | straight sixes, up to the 6
1-6 2-6 3-6 4-6 5-6 | straight-sixes | straight sixes, up to the 5
2-5 3-5 4-5 5-5 5-6 | straight-fives | straight fives, up to the 6
1-5 2-5 3-5 4-5 5-5 | straight-fives | straight fives, up to the 5
2-4 3-4 4-4 4-5 4-6 | straight-fours | straight fours, up to the 6
1-4 2-4 3-4 4-4 4-5 | straight-fours | straight fours, up to the 5
2-2 3-3 4-4 6-6 1-5 | four-of-a-kind | four of a kind, double 6
3-3 2-2 4-4 3-5 1-5 | full-house | full house, double 4
3-3 2-2 4-4 1-6 4-6 | full-house | full house, double 4
3-3 4-4 6-6 1-2 4-5 | three-of-a-kind | three of a kind, double 6
1-6 2-6 3-6 4-6 6-6 | flush | flush, in 6s
1-5 2-5 3-5 5-5 5-6 | flush | flush, in 5s
1-3 2-3 3-3 3-4 3-5 | flush | flush, in 3s
1-2 2-2 2-3 2-4 2-5 | flush | flush, in 2s
1-2 1-3 1-4 1-5 1-6 | flush | flush, in 1s
1-3 2-3 3-3 3-4 3-5 | high-card | high card, double 3 | low_straights=high-card
1-2 2-2 2-3 2-4 2-5 | high-card | high card, double 2 | low_straights=high-card
1-2 1-3 1-4 1-5 1-6 | high-card | high card, 1-6, no double | low_straights=high-card
1-3 2-3 3-3 3-4 3-6 | flush | flush, in 3s | low_straights=high-card
2-2 6-6 1-3 2-5 3-4 | pair | pair, double 6
1-3 2-5 3-4 4-6 5-5 | high-card | high card, double 5
1-3 2-5 3-4 4-6 1-2 | high-card | high card, 4-6, no double
"""

ORDER = """
2-6 3-6 4-6 5-6 6-6 > 2-2 3-3 4-4 5-5 1-5
1-6 2-6 3-6 4-6 5-6 > 2-2 3-3 4-4 5-5 1-5
2-2 3-3 4-4 6-6 1-2 > 2-5 3-5 4-5 5-5 5-6
1-5 2-5 3-5 4-5 5-5 > 2-2 4-4 6-6 3-6 1-3
2-2 3-3 5-5 3-6 1-3 > 2-4 3-4 4-4 4-5 4-6
1-4 2-4 3-4 4-4 4-5 > 2-2 3-3 6-6 1-2 3-5
2-2 3-3 4-4 1-2 4-5 > 1-6 2-6 3-6 4-6 6-6
1-2 1-3 1-4 1-5 1-6 > 5-5 6-6 2-3 2-4 3-4
2-2 3-3 1-4 1-5 2-6 > 6-6 1-2 3-4 3-5 4-5
6-6 2-2 1-3 2-5 3-4 > 5-5 4-4 1-2 2-3 3-6
5-5 2-2 1-3 2-5 3-4 > 4-4 3-3 1-2 2-3 3-6
1-4 2-4 3-4 4-4 4-6 > 1-2 2-2 2-3 2-5 2-6
1-3 2-3 3-3 3-4 3-5 > 1-2 2-2 2-4 2-5 2-6
6-6 1-3 2-5 3-4 4-5 > 5-5 1-2 2-3 3-6 4-6
2-2 1-3 1-4 3-5 4-5 > 1-2 2-3 3-6 4-6 5-6
5-6 1-2 1-3 1-4 2-3 > 4-6 2-4 2-5 3-4 3-5
4-6 1-2 1-3 1-4 2-3 > 3-6 2-4 2-5 3-4 3-5
4-5 1-2 1-3 1-4 2-3 > 3-5 2-4 2-5 3-4 1-5
"""

SIXES, FIVES, FOURS = "1-6 2-6 3-6 4-6 5-6", "1-5 2-5 3-5 4-5 5-5", "1-4 2-4 3-4 4-4 1-2"
ANTES, TWO = "Ana,Beto,Caro>pot 1 ante DP-1", "Ana,Beto>pot 1 ante DP-1"
FOUR_ANTES = "Ana,Beto,Caro,Dani>pot 1 ante DP-1"

ROUNDS = f"""
dp_1_best_hand | Ana paid=5: {FIVES}; Beto paid=5: {SIXES}; Caro paid=3 folded
    | {ANTES}; Ana,Beto>pot 4 bets DP-1; Caro>pot 2 bets DP-1; pot>Beto 13 pot DP-1
dp_1_last_one_left_need_not_show | Ana paid=75 folded; Beto paid=100; Caro paid=50 folded
    | Ana,Beto,Caro>pot 50 ante DP-1; Ana>pot 25 bets DP-1; Beto>pot 50 bets DP-1; pot>Beto 232 pot DP-1
    | ante=2 pot=7 stake=25
dp_2_four_of_a_kind_over_straight_fives | Ana paid=1: 2-2 3-3 4-4 6-6 1-2; Beto paid=1: 2-5 3-5 4-5 5-5 5-6
    | {TWO}; pot>Ana 2 pot DP-1
dp_3_straight_fours_over_three_of_a_kind | Ana paid=1: 1-4 2-4 3-4 4-4 4-5; Beto paid=1: 2-2 3-3 6-6 1-2 3-5
    | {TWO}; pot>Ana 2 pot DP-1
dp_4_a_low_straight_is_a_flush | Ana paid=1: 1-3 2-3 3-3 3-4 3-5; Beto paid=1: 5-5 6-6 1-2 2-4 1-4
    | {TWO}; pot>Ana 2 pot DP-1
dp_4_a_low_straight_counts_by_its_doubles | Ana paid=1: 1-3 2-3 3-3 3-4 3-5; Beto paid=1: 5-5 6-6 1-2 2-4 1-4
    | {TWO}; pot>Beto 2 pot DP-1 | low_straights=high-card
dp_5_the_highest_double | Ana paid=1: 5-5 4-4 1-2 2-3 3-6; Beto paid=1: 6-6 2-2 1-3 2-5 3-4
    | {TWO}; pot>Beto 2 pot DP-1
dp_6_the_full_house_without_the_double_one | Ana paid=1: 3-3 2-2 4-4 3-5 1-5; Beto paid=1: 1-4 2-4 3-4 4-5 4-6
    | {TWO}; pot>Ana 2 pot DP-1
dp_7_side_pots | Ana paid=2: {SIXES}; Beto paid=5: {FIVES}; Caro paid=5: {FOURS}; Dani paid=4 folded
    | {FOUR_ANTES}; Ana>pot 1 bets DP-1; Beto,Caro>pot 4 bets DP-1; Dani>pot 3 bets DP-1; pot>Ana 8 pot DP-7;
    pot>Beto 8 pot DP-7 | all_in=true
dp_7_the_opening_pot_belongs_to_the_lowest | Ana paid=2: {SIXES}; Beto paid=5: {FIVES}; Caro paid=5: {FOURS}
    | {ANTES}; Ana>pot 1 bets DP-1; Beto,Caro>pot 4 bets DP-1; pot>Ana 9 pot DP-7; pot>Beto 6 pot DP-7
    | all_in=true pot=3
dp_7_what_only_one_paid_goes_back | Ana paid=2: {SIXES}; Beto paid=6: {FIVES}
    | {TWO}; Ana>pot 1 bets DP-1; Beto>pot 5 bets DP-1; pot>Ana 4 pot DP-7;
    pot>Beto 4 returned DP-7 | all_in=true
dp_7_with_a_fold_in_it_the_layer_is_won | Ana paid=2: {SIXES}; Beto paid=6: {FIVES}; Caro paid=4 folded
    | {ANTES}; Ana>pot 1 bets DP-1; Beto>pot 5 bets DP-1; Caro>pot 3 bets DP-1; pot>Ana 6 pot DP-7;
    pot>Beto 6 pot DP-7 | all_in=true
dp_7_less_than_the_ante | Ana paid=2: {SIXES}; Beto paid=3: {FIVES}; Caro paid=3: {FOURS}
    | Ana>pot 2 ante DP-1; Beto,Caro>pot 3 ante DP-1; pot>Ana 6 pot DP-7; pot>Beto 2 pot DP-7 | all_in=true ante=3
dp_10_a_smaller_raise | Ana: {SIXES}; Beto: {FIVES} / Ana bet 4, Beto raise 6, Ana call
    | {TWO}; Ana,Beto>pot 6 bets DP-1; pot>Ana 14 pot DP-1
dp_10_a_raise_of_the_last_one | Ana: {SIXES}; Beto: {FIVES} / Ana bet 4, Beto raise 8, Ana call
    | {TWO}; Ana,Beto>pot 8 bets DP-1; pot>Ana 18 pot DP-1 | raise_as_last=true
dp_10_raised_after_a_short_all_in
    | Ana: {SIXES}; Beto: {FIVES}; Caro: {FOURS} / Ana bet 4, Beto all-in 6, Caro call, Ana raise 6, Caro call
    | {ANTES}; Ana>pot 10 bets DP-1; Beto>pot 6 bets DP-1; Caro>pot 10 bets DP-1; pot>Ana 21 pot DP-7;
    pot>Ana 8 pot DP-7 | all_in=true
dp_10_called_after_a_short_all_in
    | Ana: {SIXES}; Beto: {FIVES}; Caro: {FOURS} / Ana bet 4, Beto all-in 6, Caro call, Ana call
    | {ANTES}; Ana,Beto,Caro>pot 6 bets DP-1; pot>Ana 21 pot DP-7 | all_in=true short_all_in_reopens=false
dp_8_check_bet_call | Ana: {SIXES}; Beto: {FIVES} / Ana check, Beto bet 4, Ana call
    | {TWO}; Ana,Beto>pot 4 bets DP-1; pot>Ana 10 pot DP-1
dp_8_raised_and_folded | Ana: {SIXES}; Beto: {FIVES}; Caro / Ana bet 2, Beto raise 5, Caro fold, Ana call
    | {ANTES}; Ana,Beto>pot 5 bets DP-1; pot>Ana 13 pot DP-1
dp_8_the_last_one_left | Ana; Beto; Caro / Ana check, Beto bet 4, Caro fold, Ana fold
    | {ANTES}; Beto>pot 4 bets DP-1; pot>Beto 10 pot DP-1 | pot=3
dp_8_a_bet_of_less_than_a_stake | Ana: {SIXES}; Beto: {FIVES} / Ana bet 10, Beto call
    | Ana,Beto>pot 25 ante DP-1; Ana,Beto>pot 10 bets DP-1; pot>Ana 70 pot DP-1 | stake=25
dp_8_all_in_for_less | Ana: {FIVES}; Beto: {SIXES}; Caro: {FOURS} / Ana bet 4, Beto all-in 2, Caro call
    | {ANTES}; Ana>pot 4 bets DP-1; Beto>pot 2 bets DP-1; Caro>pot 4 bets DP-1; pot>Beto 9 pot DP-7;
    pot>Ana 4 pot DP-7 | all_in=true
dp_8_all_in_by_the_ante | Ana: {FIVES}; Beto: {SIXES}; Caro: {FOURS} / Beto all-in-by-ante, Ana bet 4, Caro call
    | {ANTES}; Ana,Caro>pot 4 bets DP-1; pot>Beto 3 pot DP-7; pot>Ana 8 pot DP-7 | all_in=true
dp_9_a_raise_may_be_smaller_than_a_bet | Ana: {SIXES}; Beto: {FIVES} / Ana bet 3, Beto raise 4, Ana call
    | {TWO}; Ana,Beto>pot 4 bets DP-1; pot>Ana 10 pot DP-1 | minimum_bet=3 minimum_raise=1
dp_9_a_raise_may_be_larger_than_a_bet | Ana: {SIXES}; Beto: {FIVES} / Ana bet 2, Beto raise 7, Ana call
    | {TWO}; Ana,Beto>pot 7 bets DP-1; pot>Ana 16 pot DP-1 | maximum_bet=2 maximum_raise=5
dp_9_two_raises | Ana: {SIXES}; Beto: {FIVES} / Ana bet 2, Beto raise 4, Ana raise 4, Beto call
    | {TWO}; Ana,Beto>pot 6 bets DP-1; pot>Ana 14 pot DP-1 | most_raises=2
dp_9_an_all_in_with_no_raise_left_is_a_call | Ana: {SIXES}; Beto: {FIVES} / Ana bet 2, Beto all-in 4, Ana all-in 2
    | {TWO}; Ana,Beto>pot 4 bets DP-1; pot>Ana 10 pot DP-7 | most_raises=1 all_in=true
dp_7_the_best_hand_paid_in_full_and_takes_all | Ana paid=5: {SIXES}; Beto paid=2: {FIVES}; Caro paid=5: {FOURS}
    | {ANTES}; Ana>pot 4 bets DP-1; Beto>pot 1 bets DP-1; Caro>pot 4 bets DP-1; pot>Ana,Ana 6 pot DP-7 | all_in=true
"""

BAD = f"""
dp_10_less_than_the_last_raise | Ana: {SIXES}; Beto: {FIVES} / Ana bet 4, Beto raise 6, Ana call
    | round.bets.1 illegal-bet | raise_as_last=true
dp_10_not_open_again
    | Ana: {SIXES}; Beto: {FIVES}; Caro: {FOURS} / Ana bet 4, Beto all-in 6, Caro call, Ana raise 6, Caro call
    | round.bets.3 illegal-bet | all_in=true short_all_in_reopens=false
dp_8_out_of_turn | Ana: {FIVES}; Beto: {SIXES} / Beto bet 4 | round.bets.0 illegal-bet
dp_8_not_over | Ana: {FIVES}; Beto: {SIXES} / Ana bet 4 | round.bets missing-field
dp_8_smallest_above_largest | Ana paid=1; Beto paid=1 folded | rules.maximum_bet bad-value
    | minimum_bet=3 maximum_bet=2
dp_9_smallest_raise_above_largest | Ana paid=1; Beto paid=1 folded | rules.maximum_raise bad-value
    | minimum_raise=3 maximum_raise=2
dp_9_smallest_raise_above_the_largest_bet | Ana paid=1; Beto paid=1 folded | rules.minimum_raise bad-value
    | minimum_raise=3 maximum_bet=2
dp_9_a_raise_with_none_left | Ana: {FIVES}; Beto: {SIXES} / Ana bet 2, Beto raise 4, Ana raise 4, Beto call
    | round.bets.2 illegal-bet | most_raises=1
dp_9_an_all_in_that_raises_with_none_left | Ana: {FIVES}; Beto: {SIXES} / Ana bet 2, Beto all-in 4, Ana all-in 3
    | round.bets.2 illegal-bet | most_raises=1 all_in=true
dp_9_too_small_a_raise | Ana: {FIVES}; Beto: {SIXES} / Ana bet 2, Beto raise 4, Ana call | round.bets.1 illegal-bet
    | minimum_raise=3
dp_9_too_many_raises | Ana paid=1; Beto paid=1 folded | rules.most_raises bad-rule-value | most_raises=101
dp_8_there_is_one_round | Ana: {FIVES}; Beto: {SIXES} / Ana check, Beto check / Ana check, Beto check
    | round.bets_after_exchange unknown-field
dp_7_folded_under_the_ante | Ana paid=5; Beto paid=1 folded | round.paid.Beto bad-value | ante=2 all_in=true
dp_7_folded_for_more | Ana paid=5: {FIVES}; Beto paid=3: {SIXES}; Caro paid=6 folded | round.paid.Caro unequal-bets
    | all_in=true
everybody_folded | Ana paid=1 folded; Beto paid=1 folded | round.folded bad-value
dp_6_double_one | Ana paid=1: 1-1 2-2 4-4 3-5 1-5; Beto paid=1: {SIXES} | round.hands.Ana bad-card
tile_twice_turned_round | Ana paid=1: 1-5 2-5 3-5 4-5 6-5; Beto paid=1: {SIXES} | round.hands.Beto duplicate-card
five_players | Ana paid=1; Beto paid=1 folded; Caro paid=1 folded; Dani paid=1 folded; Eli paid=1 folded
    | players too-many-players
"""


def test_dp_2_all_hands_by_category() -> None:
    assert Counter(read(hand).strength.category for hand in combinations(TILES, 5)) == {
        "high-card": 9_797,
        "pair": 4_550,
        "flush": 25,
        "three-of-a-kind": 450,
        "straight-fours": 2,
        "full-house": 600,
        "straight-fives": 2,
        "four-of-a-kind": 75,
        "straight-sixes": 2,
        "royal": 1,
    }


@pytest.mark.parametrize("low_straights", ["flush", "high-card"])
def test_dp_5_no_two_hands_of_one_deal_are_equal(low_straights: str) -> None:
    equal: dict[object, list[frozenset[object]]] = {}
    for hand in combinations(TILES, 5):
        equal.setdefault(read(hand, low_straights).strength, []).append(frozenset(hand))
    for hands in equal.values():
        shares_a_tile = frozenset.intersection(*hands) or all(one & other for one, other in combinations(hands, 2))
        assert shares_a_tile, hands[:2]


def test_dp_7_a_returned_part_makes_no_winner() -> None:
    seats = f"Ana paid=2: {SIXES}; Beto paid=6: {FIVES}"
    assert settled(document(GAME, seats, "all_in=true"))["winners"] == ["Ana"]


def test_dp_7_a_player_of_an_empty_part_decides_nothing() -> None:
    seats = f"Ana paid=0: {SIXES}; Beto paid=5: {FIVES}; Caro paid=5: 1-2 1-3 2-2 3-4 1-4"
    settlement = settled(document(GAME, seats, "all_in=true"))
    assert settlement["winners"] == ["Beto"]
    assert settlement["decided_by"] == "Beto's straight fives beats Caro's high card"


# three of five doubles, and two of the five other tiles of one of six numbers, are a full house
RARITY = """
2-2 3-3 4-4 5-5 6-6 | 1 in 15,504
2-6 3-6 4-6 5-6 6-6 | 1 in 7,752
1-6 2-6 3-6 4-6 5-6 | 1 in 5,168
2-2 4-4 3-3 3-6 1-3 | 1 in 23
1-6 2-6 3-6 4-6 6-6 | 1 in 14
1-6 2-6 3-6 4-6 6-6 | 1 in 14 | low_straights=high-card
"""

test_dp_2_hand = reads(GAME, HANDS, "Ana paid=1: {}; Beto paid=1 folded")
test_dp_5_order = orders(GAME, ORDER, "Ana paid=1: {}; Beto paid=1: {}")
test_round = settles(GAME, ROUNDS)
test_bad_round = refuses(GAME, BAD)
test_rarity = is_as_rare(GAME, RARITY, "Ana paid=1: {}; Beto paid=1: {other}")


def plain_raise(actions: list[dict[str, Any]], names: list[str], least: int, as_last: bool) -> tuple[bool, int]:
    """Return whether whoever is next may raise after short all-ins, and with how much at least; by the list alone."""
    paid, had_turn, biggest = dict.fromkeys(names, 0), set(), 0
    for action in actions:
        player, before = action["player"], max(paid.values())
        paid[player] += before - paid[player] if action["action"] == "call" else action.get("amount", 0)
        more = paid[player] - before
        if more > 0 and (action["action"] != "all-in" or more >= max(biggest, least, 1)):
            biggest = more
        had_turn.add(player)
    gone = {action["player"] for action in actions if action["action"] in ("fold", "all-in")}
    at = names.index(actions[-1]["player"])
    player = next(name for name in [*names[at + 1 :], *names[: at + 1]] if name not in gone)
    missing = max(paid.values()) - paid[player]
    is_open = player not in had_turn or missing >= max(biggest, least, 1)
    return is_open, missing + max(least, biggest if as_last else 0, 1)


@pytest.mark.parametrize("as_last", [False, True])
def test_dp_10_raises_by_an_independent_reading(as_last: bool) -> None:
    random, closed = Random(10), 0
    names = ["Ana", "Beto", "Caro", "Dani"]
    for _ in range(150):
        least = random.choice([0, 2, 3])
        rules = f"all_in=true short_all_in_reopens=false minimum_bet={least}"
        written = document(GAME, "; ".join(names), rules)
        written["rules"]["raise_as_last"] = as_last
        bets = written["round"].setdefault("bets", [])
        while not (state := standing(written))["over"] and len(bets) < 14:
            offered = {move["action"]: move for move in state["may"]}
            if "call" in offered:
                is_open, at_least = plain_raise(bets, names, least, as_last)
                assert ("raise" in offered) == is_open, bets
                assert not is_open or offered["raise"]["least"] == at_least, bets
                closed += not is_open
            kinds = [kind for kind in offered for _ in range(1 if kind == "fold" else 4)]
            action = {"player": state["turn"], "action": random.choice(kinds)}
            if "least" in offered[action["action"]] and action["action"] in ("bet", "raise", "all-in"):
                low, high = offered[action["action"]]["least"], offered[action["action"]]["most"]
                action["amount"] = random.randint(low, low + 6 if high is None else min(high, low + 6))
            bets.append(action)
    assert closed > 5
