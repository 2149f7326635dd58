"""Straight Poker: hands as dealt, one round of bets, side pots, and refusals."""

from __future__ import annotations

from collections import Counter

import shared_rounds
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from plain_poker import DECK, best_of, plain_strength
from rounds import document, is_as_rare, orders, problems, reads, refuses, settled, settles
from shared_rounds import FLUSH, HIGH, PAIR, antes, called

GAME = "straight-poker"

HANDS = """
Td Jd Qd Kd Ad | royal-flush | royal flush
Qs Qh Qd 3c 3d | full-house | full house, queens over threes
5h 4s 3d 2c Ah | straight | straight, five high
Ts Th 9d 6c 3d | pair | pair of tens
As Jh 9d 6c 3d | high-card | high card, ace
"""

ORDER = """
6c 5c 4c 3c 2c > 5d 4d 3d 2d Ad
6h 5s 4d 3d 2c > 5h 4s 3s 2d Ac
Js Jd 6h 6c 3s = Jh Jc 6d 6s 3h
As Kh 9d 6c 3d > Ad Qh Js Tc 9s
"""

ANTES, TWO = antes("SP")

ROUNDS = called(shared_rounds.POTS, "SP")
ROUNDS += f"""
sp_1_the_last_one_left_need_not_show | Ana paid=3 folded; Beto paid=4
    | Ana,Beto>pot 2 ante SP-1; Ana>pot 1 bets SP-1; Beto>pot 2 bets SP-1; pot>Beto 17 pot SP-1 | ante=2 pot=10
sp_3_one_round_of_bets
    | Ana: {PAIR}; Beto: {FLUSH}; Caro / Ana check, Beto bet 2, Caro call, Ana raise 5, Beto call, Caro fold
    | {ANTES}; Ana,Beto>pot 5 bets SP-1; Caro>pot 2 bets SP-1; pot>Beto 15 pot SP-1
sp_3_who_called_may_raise
    | Ana: {PAIR}; Beto; Caro: {HIGH} / Ana bet 1, Beto call, Caro raise 3, Ana raise 6, Beto fold, Caro call
    | {ANTES}; Ana>pot 7 bets SP-1; Beto>pot 1 bets SP-1; Caro>pot 7 bets SP-1; pot>Ana 18 pot SP-1
sp_3_everyone_checks | Ana: {PAIR}; Beto: {FLUSH} / Ana check, Beto check | {TWO}; pot>Beto 2 pot SP-1
sp_3_a_bet_of_less_than_a_stake | Ana: {FLUSH}; Beto: {PAIR} / Ana bet 10, Beto call
    | Ana,Beto>pot 25 ante SP-1; Ana,Beto>pot 10 bets SP-1; pot>Ana 70 pot SP-1 | stake=25
sp_3_limits_of_a_raise | Ana: {FLUSH}; Beto: {PAIR} / Ana bet 3, Beto raise 4, Ana call
    | {TWO}; Ana,Beto>pot 4 bets SP-1; pot>Ana 10 pot SP-1 | minimum_bet=3 minimum_raise=1
sp_3_the_largest_raise | Ana: {FLUSH}; Beto: {PAIR} / Ana bet 3, Beto raise 5, Ana call
    | {TWO}; Ana,Beto>pot 5 bets SP-1; pot>Ana 12 pot SP-1 | maximum_bet=3 maximum_raise=2
sp_4_raised_after_a_short_all_in | Ana: {FLUSH}; Beto: {PAIR}; Caro: Tc 9s 5d 3s 2d
    / Ana bet 4, Beto all-in 6, Caro call, Ana raise 6, Caro call
    | {ANTES}; Ana>pot 10 bets SP-1; Beto>pot 6 bets SP-1; Caro>pot 10 bets SP-1; pot>Ana 21 pot SP-1;
    pot>Ana 8 pot SP-1 | all_in=true
sp_1_a_foul_hand_loses | Ana paid=3 foul; Beto paid=3: {PAIR}; Caro paid=3: {HIGH}
    | {ANTES}; Ana,Beto,Caro>pot 2 bets SP-1; pot>Beto 9 pot SP-1
sp_1_who_mucks_has_lost_a_side_pot | Ana paid=2: {PAIR}; Beto paid=5: {HIGH}; Caro paid=5 mucked
    | {ANTES}; Ana>pot 1 bets SP-1; Beto,Caro>pot 4 bets SP-1; pot>Ana 6 pot SP-1; pot>Beto 6 pot SP-1 | all_in=true
sp_1_who_mucks_keeps_a_side_pot_alone | Ana paid=2: {PAIR}; Beto paid=5 folded; Caro paid=6 mucked
    | {ANTES}; Ana>pot 1 bets SP-1; Beto>pot 4 bets SP-1; Caro>pot 5 bets SP-1; pot>Ana 6 pot SP-1;
    pot>Caro 7 pot SP-1 | all_in=true
sp_1_the_last_one_who_has_not_mucked_need_not_show | Ana paid=3; Beto paid=3 mucked; Caro paid=3 foul
    | {ANTES}; Ana,Beto,Caro>pot 2 bets SP-1; pot>Ana 9 pot SP-1
sp_1_an_unmatched_bet_comes_back_to_a_foul_hand | Ana paid=2; Beto paid=5 foul
    | {TWO}; Ana>pot 1 bets SP-1; Beto>pot 4 bets SP-1; pot>Ana 4 pot SP-1; pot>Beto 3 returned SP-1 | all_in=true
sp_1_after_bets_too | Ana; Beto mucked / Ana bet 2, Beto call | {TWO}; Ana,Beto>pot 2 bets SP-1; pot>Ana 6 pot SP-1
sp_1_stated_beside_a_muck | Ana paid=2 won; Beto paid=2 mucked; Caro paid=2
    | {ANTES}; Ana,Beto,Caro>pot 1 bets SP-1; pot>Ana 6 pot SP-1
sp_3_two_raises | Ana: {FLUSH}; Beto: {PAIR} / Ana bet 2, Beto raise 4, Ana raise 4, Beto call
    | {TWO}; Ana,Beto>pot 6 bets SP-1; pot>Ana 14 pot SP-1 | most_raises=2
"""

BAD = f"""
sp_1_unequal_bets | Ana paid=5: {PAIR}; Beto paid=4: {FLUSH} | round.paid.Beto unequal-bets | ante=4
sp_3_no_raise_left | Ana: {FLUSH}; Beto: {PAIR} / Ana bet 2, Beto raise 4, Ana raise 4, Beto call
    | round.bets.2 illegal-bet | most_raises=1
sp_4_a_smaller_raise | Ana: {FLUSH}; Beto: {PAIR} / Ana bet 4, Beto raise 6, Ana call
    | round.bets.1 illegal-bet | raise_as_last=true
sp_4_not_raised_after_a_short_all_in | Ana: {FLUSH}; Beto: {PAIR}; Caro: Tc 9s 5d 3s 2d
    / Ana bet 4, Beto all-in 6, Caro call, Ana raise 6, Caro call
    | round.bets.3 illegal-bet | all_in=true short_all_in_reopens=false
sp_3_the_betting_is_not_over | Ana: {FLUSH}; Beto: {PAIR} / Ana bet 2 | round.bets missing-field
sp_3_smallest_above_largest | Ana paid=1; Beto paid=1 folded | rules.maximum_bet bad-value
    | minimum_bet=3 maximum_bet=2
no_exchange | Ana paid=1 exchanged=1: {FLUSH}; Beto paid=1: {PAIR} | round.exchanged unknown-field
no_second_round | Ana: {FLUSH}; Beto: {PAIR} / Ana check, Beto check / Ana check, Beto check
    | round.bets_after_exchange unknown-field
everybody_has_lost | Ana paid=1 foul; Beto paid=1 mucked; Caro paid=1 folded | round.foul bad-value
nobody_shows_for_a_side_pot | Ana paid=1: {PAIR}; Beto paid=3 mucked; Caro paid=3 mucked
    | round.mucked bad-value | all_in=true
a_foul_hand_is_not_entered | Ana paid=1 foul: 8c 8d; Beto paid=1: {FLUSH}; Caro paid=1: {HIGH}
    | round.hands.Ana unexpected-hand
an_undeclared_foul_hand | Ana paid=1: 8c 8d; Beto paid=1: {FLUSH} | round.hands.Ana wrong-hand-size
a_muck_has_not_won | Ana paid=1 mucked won; Beto paid=1; Caro paid=1 | round.won_by bad-value
everybody_folded | Ana paid=1 folded; Beto paid=1 folded | round.folded bad-value
"""

RARITY = """
Ts Th Tc Kd Kc | 1 in 1,394
Td Jd Qd Kd Ad | 1 in 649,740
"""

SAID = (" folded", " foul", " mucked")


@settings(max_examples=200, deadline=None)
@given(
    random=st.randoms(use_true_random=False),
    paid=st.lists(st.tuples(st.integers(0, 6), st.sampled_from(["", "", "", *SAID])), min_size=2, max_size=5),
    pot=st.integers(0, 9),
)
def test_sp_1_chip_by_chip(random: object, paid: list[tuple[int, str]], pot: int) -> None:
    """Take everybody's n-th chips together: the best hand of those who stayed in and paid as many takes them.

    A foul hand or a muck isn't the best, unless nobody else who stayed in paid as many.
    """
    names = [f"P{at}" for at in range(len(paid))]
    said = {name: word for name, (_, word) in zip(names, paid, strict=True)}
    stayed = [name for name in names if said[name] != " folded"]
    may_win = [name for name in stayed if not said[name]]
    put = {name: chips for name, (chips, _) in zip(names, paid, strict=True)}
    assume(stayed and all(put[name] <= max(put[one] for one in stayed) for name in names))
    letters = random.choice(["AK2", "23456789TJQKA", "9TJQKA"])  # type: ignore[attr-defined]
    deck = [card for card in DECK if card[0] in letters] + [card for card in DECK if card[0] not in letters]
    dealt = random.sample(deck[: max(5 * len(names), 12)], 5 * len(names))  # type: ignore[attr-defined]
    hands = {name: dealt[5 * at : 5 * at + 5] for at, name in enumerate(names)}
    strengths = {name: plain_strength(hand) for name, hand in hands.items()}
    seats = "; ".join(
        f"{name} paid={put[name]}{said[name]}"
        f"{': ' + ' '.join(hands[name]) if name in may_win and len(may_win) > 1 else ''}"
        for name in names
    )
    cuts = [[name for name in stayed if put[name] >= put[one]] for one in stayed]
    written = document(GAME, seats, "ante=0 all_in=true", pot=pot)
    if any(len(players) > 1 and not {*players} & {*may_win} for players in cuts):
        assert {*problems(written)} <= {"round.foul bad-value", "round.mucked bad-value"}
        return
    settlement = settled(written)
    won = {name: -put[name] for name in names}
    below, carried = 0, pot  # which belongs to the lowest part
    for cut in sorted({put[name] for name in stayed}):
        part = carried + sum(min(put[name], cut) - min(put[name], below) for name in names)
        alone = [name for name in stayed if put[name] >= cut]
        takers = best_of(strengths, alone if len(alone) == 1 else [name for name in alone if name in may_win])
        for chip in range(part):
            won[takers[chip % len(takers)]] += 1
        below, carried = cut, 0
    assert Counter(settlement["net"]) == Counter(won)


test_sp_2_hand = reads(GAME, HANDS, "Ana paid=1: {}; Beto paid=1 folded")
test_sp_2_order = orders(GAME, ORDER, "Ana paid=1: {}; Beto paid=1: {}")
test_round = settles(GAME, ROUNDS)
test_bad_round = refuses(GAME, BAD)
test_rarity = is_as_rare(GAME, RARITY, "Ana paid=1: {}; Beto paid=1: {other}")
