"""Five-Card Draw: wild cards tried one by one, the exchange, openers, bets, and refusals."""

from __future__ import annotations

import json
from random import Random

from hypothesis import assume, given, settings
from hypothesis import strategies as st
from plain_poker import DECK, JOKER, best_of, is_wild, plain_best
from rounds import document, is_as_rare, orders, places, reads, refuses, settled, settles
from tables import each_row

from companion.contract import settle

GAME = "five-card-draw"
OFF, OPENERS = "five_of_a_kind=off", "openers=pair-of-jacks"

HANDS = f"""
Td Jd Qd Kd Ad | royal-flush | royal flush
6s 6h 6d 6c Ad | four-of-a-kind | four of a kind, sixes
As Ah 8d 8c 5d | two-pairs | two pair, aces and eights
5h 4s 3d 2c Ah | straight | straight, five high
Ks Kh Kd Kc Jk | five-of-a-kind | five of a kind, kings | wild=jokers
As Ks 9s 5s Jk | flush | flush, ace high | wild=jokers
2s 2h 2d 2c Ks | royal-flush | royal flush | wild="2" {OFF}
"""

ORDER = f"""
Ah Ks Qd Jd Tc > Kh Qs Js Td 9c
Js Jd 6h 6c 3s = Jh Jc 6d 6s 3h
2s 2h 2d 2c Jk > Ah Kh Qh Jh Th | wild=jokers
Ah Kh Qh Jh Th > 3s 3h 3d 3c Jk | wild=jokers {OFF}
"""

PAIR, FLUSH, HIGH = "8c 8d Js 7d 4h", "Ah Kh 8h 5h 3h", "Kd Qs Jh Tc 6h"
SAME = "Ad Kc Js 9c 6d", "Ac Ks Jd 9h 6s"
ANTES, TWO = "Ana,Beto,Caro>pot 1 ante FD-1", "Ana,Beto>pot 1 ante FD-1"

ROUNDS = f"""
fd_2_odd_chip_by_suit | Ana paid=1: Ac Kd Jh 9d 6c; Beto paid=1: As Kh Jd 9c 6d; Caro paid=1: 8c 7h 5d 3s 2d
    | {ANTES}; pot>Ana 1 pot FD-2; pot>Beto 2 pot FD-2 | odd_chips=suit
fd_2_odd_chip_by_highest_card | Ana paid=1: Ac Kd Jh 9d 6c; Beto paid=1: As Kh Jd 9c 6d; Caro paid=1: 8c 7h 5d 3s 2d
    | {ANTES}; pot>Ana 1 pot FD-2; pot>Beto 2 pot FD-2 | odd_chips=highest-card
fd_12_a_joker_too | Ana paid=1: Kh Kd Jk 7s 4c; Beto paid=1: Ac Ad 8h 7c 3s; Caro paid=1 folded
    | {ANTES}; pot>Ana 3 pot FD-1 | wild="2" jokers_too=true
fd_12_without_a_joker | Ana paid=1: Kh Kd 2s 7s 4c; Beto paid=1: Ac Ad 8h 7c 3s; Caro paid=1 folded
    | {ANTES}; pot>Ana 3 pot FD-1 | wild="2"
fd_12_a_one_eyed_jack | Ana paid=1: Kh Kd Js 7s 4c; Beto paid=1: Ac Ad 8h 7c 3s; Caro paid=1 folded
    | {ANTES}; pot>Ana 3 pot FD-1 | one_eyed_jacks=true
fd_12_another_jack | Ana paid=1: Kh Kd Jc 7s 4c; Beto paid=1: Ac Ad 8h 7c 3s; Caro paid=1 folded
    | {ANTES}; pot>Beto 3 pot FD-1 | one_eyed_jacks=true
fd_13_false_openers_lose | Ana paid=4 false; Beto paid=4: {PAIR}; Caro paid=4: {HIGH}
    | {ANTES}; Ana,Beto,Caro>pot 3 bets FD-1; pot>Beto 12 pot FD-1; Ana>pot 2 false-openers FD-13
    | {OPENERS} false_openers_cost=2
fd_13_nobody_else_is_left | Ana paid=4 false; Beto paid=1 folded; Caro paid=1 folded
    | {ANTES}; Ana>pot 3 bets FD-1; Ana>pot 5 false-openers FD-13 | {OPENERS} false_openers_cost=5 pot=2
fd_13_at_no_cost | Ana paid=4 false; Beto paid=1 folded; Caro paid=1 folded
    | {ANTES}; Ana>pot 3 bets FD-1 | {OPENERS}
fd_13_who_has_folded_pays_too | Ana paid=2 folded false; Beto paid=3; Caro paid=1 folded
    | Ana>pot 2 bets FD-1; Beto>pot 3 bets FD-1; Caro>pot 1 bets FD-1; pot>Beto 6 pot FD-1;
    Ana>pot 50 false-openers FD-13 | {OPENERS} false_openers_cost=1 stake=50 ante=0
fd_13_bets_one_by_one | Ana; Beto false / Ana check, Beto bet 3, Ana fold
    | {TWO}; Beto>pot 3 bets FD-1; Beto>pot 1 false-openers FD-13 | {OPENERS} false_openers_cost=1
fd_1_best_hand | Ana paid=5: {PAIR}; Beto paid=5: {FLUSH}; Caro paid=3 folded
    | {ANTES}; Ana,Beto>pot 4 bets FD-1; Caro>pot 2 bets FD-1; pot>Beto 13 pot FD-1
fd_1_ante | Ana paid=3 folded; Beto paid=4 | Ana,Beto>pot 2 ante FD-1; Ana>pot 1 bets FD-1; Beto>pot 2 bets FD-1;
    pot>Beto 17 pot FD-1 | ante=2 pot=10
fd_1_side_pots | Ana paid=2: {FLUSH}; Beto paid=5: {PAIR}; Caro paid=6: {HIGH}
    | {ANTES}; Ana>pot 1 bets FD-1; Beto>pot 4 bets FD-1; Caro>pot 5 bets FD-1; pot>Ana 6 pot FD-1;
    pot>Beto 6 pot FD-1; pot>Caro 1 returned FD-1 | all_in=true
fd_2_equal_hands_share | Ana paid=1: {SAME[0]}; Beto paid=1: {SAME[1]}; Caro paid=1 folded
    | {ANTES}; pot>Ana 2 pot FD-2; pot>Beto 1 pot FD-2
fd_2_odd_unit_stays | Ana paid=1: {SAME[0]}; Beto paid=1: {SAME[1]}; Caro paid=1 folded
    | {ANTES}; pot>Ana,Beto 1 pot FD-2 | odd_chips=stay-in-pot
fd_3_a_joker | Ana paid=1: As Ks 9s 5s Jk; Beto paid=1: Ah Kh Qh Jh 9h
    | {TWO}; pot>Ana 2 pot FD-1 | wild=jokers
fd_3_every_rank_once | Ana paid=1: As Kh 8d 5c 2s; Beto paid=1: Qs Jh 9d 7c 3s; Caro paid=1: Th 6d 4c 5h Jd
    | {ANTES}; pot>Ana 3 pot FD-1
fd_4_five_of_a_kind_is_on_top | Ana paid=1: Ah Kh Qh Jh Th; Beto paid=1: 3s 3h 3d 3c Jk
    | {TWO}; pot>Beto 2 pot FD-1 | wild=jokers
fd_4_five_of_a_kind_is_off | Ana paid=1: Ah Kh Qh Jh Th; Beto paid=1: 3s 3h 3d 3c Jk
    | {TWO}; pot>Ana 2 pot FD-1 | wild=jokers {OFF}
fd_5_the_ace_is_low_in_a_straight | Ana paid=1: 5h 4s 3s 2d Ac; Beto paid=1: 6h 5s 4d 3d 2c
    | {TWO}; pot>Beto 2 pot FD-1
fd_6_three_exchanged | Ana paid=1 exchanged=3: {PAIR}; Beto paid=1 folded exchanged=3 | {TWO}; pot>Ana 2 pot FD-1
fd_6_four_with_an_ace | Ana paid=1 exchanged=4: {FLUSH}; Beto paid=1 exchanged=3: {PAIR} | {TWO}; pot>Ana 2 pot FD-1
    | exchange=four-with-ace
fd_6_all_five | Ana paid=1 exchanged=5: {PAIR}; Beto paid=1 exchanged=0: {HIGH} | {TWO}; pot>Ana 2 pot FD-1
    | exchange=five
fd_7_who_called_may_raise
    | Ana; Beto: {PAIR}; Caro: {HIGH} / Ana bet 1, Beto call, Caro raise 3, Ana fold, Beto raise 4, Caro call
    / Beto check, Caro check
    | {ANTES}; Ana>pot 1 bets FD-1; Beto>pot 5 bets FD-1; Caro>pot 5 bets FD-1; pot>Beto 14 pot FD-1
fd_7_a_bet_of_less_than_a_stake | Ana: {FLUSH}; Beto: {PAIR} / Ana bet 10, Beto call / Ana check, Beto check
    | Ana,Beto>pot 25 ante FD-1; Ana,Beto>pot 10 bets FD-1; pot>Ana 70 pot FD-1 | stake=25
fd_7_limits_of_a_raise | Ana: {FLUSH}; Beto: {PAIR} / Ana bet 3, Beto raise 4, Ana call / Ana check, Beto check
    | {TWO}; Ana,Beto>pot 4 bets FD-1; pot>Ana 10 pot FD-1 | minimum_bet=3 minimum_raise=1
fd_7_the_largest_raise | Ana: {FLUSH}; Beto: {PAIR} / Ana bet 3, Beto raise 5, Ana call / Ana check, Beto check
    | {TWO}; Ana,Beto>pot 5 bets FD-1; pot>Ana 12 pot FD-1 | maximum_bet=3 maximum_raise=2
fd_7_raises_in_both_rounds
    | Ana: {FLUSH}; Beto: {PAIR} / Ana bet 2, Beto raise 4, Ana raise 4, Beto call
    / Ana bet 1, Beto raise 2, Ana raise 2, Beto call
    | {TWO}; Ana,Beto>pot 9 bets FD-1; pot>Ana 20 pot FD-1 | most_raises=2
fd_8_everybody_checked | Ana passed; Beto; Caro / Ana check, Beto check, Caro check | {ANTES} | {OPENERS}
fd_10_raised_after_a_short_all_in | Ana: {FLUSH}; Beto: {PAIR}; Caro: Tc 9s 5d 3s 2d
    / Ana bet 4, Beto all-in 6, Caro call, Ana raise 6, Caro call / Ana check, Caro check
    | {ANTES}; Ana>pot 10 bets FD-1; Beto>pot 6 bets FD-1; Caro>pot 10 bets FD-1; pot>Ana 21 pot FD-1;
    pot>Ana 8 pot FD-1 | all_in=true
fd_11_a_double_ace_flush | Ana paid=1: As Jk Ks 9s 5s; Beto paid=1: Ah Kh Qh 9h 5h
    | {TWO}; pot>Ana 2 pot FD-1 | wild=jokers
fd_11_no_double_ace_flush | Ana paid=1: As Jk Ks 9s 5s; Beto paid=1: Ah Kh Qh 9h 6h
    | {TWO}; pot>Beto 2 pot FD-1 | wild=jokers wild_use=not-held
fd_11_a_bug_makes_no_pair_of_kings | Ana paid=1: Kc Jk Qd 8s 4h; Beto paid=1: Kd Kh Qs 9s 5s
    | {TWO}; pot>Beto 2 pot FD-1 | wild=jokers wild_use=bug
fd_9_equal_hands_share | Ana paid=1: Kh Kd Jk 7s 4c; Beto paid=1: As Qd 8h 5c 2s; Caro paid=1: Ks Kc Jk 7d 4h
    | {ANTES}; pot>Ana 2 pot FD-2; pot>Caro 1 pot FD-2 | wild=jokers
fd_9_natural_first | Ana paid=1: Kd Jk Jk 7s 4c; Beto paid=1: Ks Kh Kc 7d 4h
    | {TWO}; pot>Beto 2 pot FD-1 | wild=jokers equal_hands=natural-first
"""
ROUNDS += "".join(
    f"fd_8_passed_in_without_{openers} | Ana passed; Beto; Caro | Ana,Beto,Caro>pot 2 ante FD-1"
    f" | ante=2 pot=5 openers={openers}\n"
    for openers in ("pair-of-jacks", "pair-of-aces", "two-pairs")
)

BAD = f"""
fd_6_four | Ana paid=1 exchanged=4: {FLUSH}; Beto paid=1: {PAIR} | round.exchanged.Ana bad-value
fd_6_four_without_an_ace | Ana paid=1 exchanged=4: {PAIR}; Beto paid=1: {FLUSH} | round.exchanged.Ana bad-value
    | exchange=four-with-ace
fd_6_five_with_an_ace | Ana paid=1 exchanged=5: {FLUSH}; Beto paid=1: {PAIR} | round.exchanged.Ana bad-value
    | exchange=four-with-ace
fd_6_six | Ana paid=1 exchanged=6: {FLUSH}; Beto paid=1: {PAIR} | round.exchanged.Ana bad-value | exchange=five
fd_10_a_smaller_raise | Ana: {FLUSH}; Beto: {PAIR} / Ana bet 4, Beto raise 6, Ana call / Ana check, Beto check
    | round.bets.1 illegal-bet | raise_as_last=true
fd_10_not_raised_after_a_short_all_in | Ana: {FLUSH}; Beto: {PAIR}; Caro: Tc 9s 5d 3s 2d
    / Ana bet 4, Beto all-in 6, Caro call, Ana raise 6, Caro call / Ana check, Caro check
    | round.bets.3 illegal-bet | all_in=true short_all_in_reopens=false
fd_13_any_hand_may_open | Ana paid=1 false: {PAIR}; Beto paid=1: {FLUSH} | round.false_openers bad-value
fd_13_two_openers | Ana paid=1 false; Beto paid=1 false; Caro paid=1: {FLUSH} | round.false_openers bad-value
    | {OPENERS}
fd_13_somebody_else_opened | Ana; Beto false / Ana bet 3, Beto call / Ana check, Beto check
    | round.false_openers bad-value | {OPENERS}
fd_13_nobody_opened | Ana; Beto false / Ana check, Beto check / Ana check, Beto check
    | round.false_openers bad-value | {OPENERS}
fd_13_passed_in | Ana passed; Beto false | round.passed_in bad-value | {OPENERS}
fd_13_everybody_has_lost | Ana paid=1 false; Beto paid=1 foul | round.foul bad-value | {OPENERS}
fd_8_without_openers | Ana passed; Beto | round.passed_in bad-value
fd_8_with_a_fold | Ana passed folded; Beto | round.passed_in bad-value | {OPENERS}
everybody_folded | Ana paid=1 folded; Beto paid=1 folded | round.folded bad-value
three_jokers | Ana paid=1: Ks Qs 9d Jk Jk; Beto paid=1: 2s 3h 4d 5c Jk | round.hands.Beto duplicate-card | wild=jokers
seven_players | Ana paid=1; B paid=1; C paid=1; D paid=1; E paid=1; F paid=1; G paid=1 | players too-many-players
"""

EXCHANGES = f"""
Ana paid=1 exchanged=4: {FLUSH}; Beto paid=1: {PAIR} | three
    | Ana exchanged 4 cards, more than the 3 allowed; fix the number or the house rule
Ana paid=1 exchanged=4: {PAIR}; Beto paid=1: {FLUSH} | four-with-ace
    | Ana exchanged 4 cards, which needs an ace in the hand; fix the number or the hand
Ana paid=1 exchanged=5: {FLUSH}; Beto paid=1: {PAIR} | four-with-ace
    | Ana exchanged 5 cards, more than the 4 allowed; fix the number or the house rule
"""

RARITY = """
Ts Th Tc Kd Kc | 1 in 1,394
9s 9h 9d 9c Jk | 1 in 87,848 | wild=jokers
"""


def test_fd_9_says_what_decided() -> None:
    seats = "Ana paid=1: Kd Jk Jk 7s 4c; Beto paid=1: Ks Kh Kc 7d 4h"
    settlement = settled(document(GAME, seats, "wild=jokers equal_hands=natural-first"))
    assert places(settlement) == "1 Beto, 2 Ana"
    assert settlement["decided_by"] == (
        "Beto's three of a kind beats Ana's three of a kind: 0 wild cards against 2 wild cards"
    )


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_fd_3_every_card_is_tried_for_a_wild_one(data: st.DataObject) -> None:
    """Deal from a few ranks, so that hands are close, with up to two wild cards each, and share the pot by hand."""
    wild = data.draw(st.sampled_from(["jokers", "2", "K", "none"]))
    is_on_top, is_natural_first = data.draw(st.booleans()), data.draw(st.booleans())
    letters = data.draw(st.sampled_from(["K92A", "AKQJT9", "2345A6", "23456789TJQKA"]))
    cards = [card for card in DECK if card[0] in letters] + [JOKER, JOKER] * (wild == "jokers")
    dealt = data.draw(st.permutations(cards))
    hands = {player: dealt[5 * at : 5 * at + 5] for at, player in enumerate(("Ana", "Beto", "Caro"))}
    numbers = {player: sum(is_wild(card, wild) for card in hand) for player, hand in hands.items()}
    if max(numbers.values()) > 2:  # trying them all would take too long
        return
    seats = "; ".join(f"{player} paid=1: {' '.join(hand)}" for player, hand in hands.items())
    rules = f"wild={json.dumps(wild)} five_of_a_kind={'top' if is_on_top else 'off'}"
    if is_natural_first:
        rules += " equal_hands=natural-first"
    settlement = settled(document(GAME, seats, rules, pot=4))
    winners = best_of({player: plain_best(hand, wild, is_on_top) for player, hand in hands.items()}, list(hands))
    if is_natural_first:
        winners = [player for player in winners if numbers[player] == min(numbers[one] for one in winners)]
    won = dict.fromkeys(hands, -1)
    for chip in range(7):
        won[winners[chip % len(winners)]] += 1
    assert settlement["net"] == won


@settings(max_examples=150, deadline=None)
@given(
    random=st.randoms(use_true_random=False),
    paid=st.lists(st.tuples(st.integers(0, 6), st.booleans()), min_size=2, max_size=5),
    pot=st.integers(0, 9),
    cost=st.integers(0, 3),
)
def test_fd_13_chip_by_chip(random: Random, paid: list[tuple[int, bool]], pot: int, cost: int) -> None:
    """One player opened without openers: the others who stayed in play for every chip that one of them paid for too."""
    names = [f"P{at}" for at in range(len(paid))]
    put = {name: chips for name, (chips, _) in zip(names, paid, strict=True)}
    folded = [name for name, (_, folds) in zip(names, paid, strict=True) if folds]
    stayed = [name for name in names if name not in folded]
    assume(stayed and all(put[name] <= max(put[one] for one in stayed) for name in names))
    opener = random.choice(names)
    may_win = [name for name in stayed if name != opener]
    dealt = random.sample(DECK, 5 * len(names))
    hands = {name: dealt[5 * at : 5 * at + 5] for at, name in enumerate(names)}
    shown = {name: f": {' '.join(hands[name])}" for name in may_win if len(may_win) > 1}
    seats = "; ".join(
        f"{name} paid={put[name]}{' folded' * (name in folded)}{' false' * (name == opener)}{shown.get(name, '')}"
        for name in names
    )
    settlement = settled(document(GAME, seats, f"ante=0 all_in=true {OPENERS} false_openers_cost={cost}", pot=pot))
    won, stays = {name: -put[name] - cost * (name == opener) for name in names}, cost
    strengths = {name: plain_best(hand, "none") for name, hand in hands.items()}
    if len(stayed) == 1 and stayed != [opener]:
        won[stayed[0]] += sum(put.values()) + pot
    elif not may_win:
        stays += sum(put.values()) + pot
    else:
        below, carried = 0, pot  # which belongs to the lowest part
        for cut in sorted({put[name] for name in stayed}):
            part = carried + sum(min(put[name], cut) - min(put[name], below) for name in names)
            alone = [name for name in stayed if put[name] >= cut]
            takers = alone if len(alone) == 1 else best_of(strengths, [name for name in alone if name in may_win])
            for chip in range(part):
                won[takers[chip % len(takers)]] += 1
            below, carried = cut, 0
    assert settlement["net"] == won
    assert settlement["pot"]["closing"] == stays


@each_row(EXCHANGES)
def test_fd_6_says_how_many_may_be_exchanged(row: tuple[str, ...]) -> None:
    seats, exchange, words = row
    _, answer = settle(document(GAME, seats, f"exchange={exchange}"))
    assert [error["message"] for error in answer["errors"]] == [words]  # type: ignore[attr-defined]


test_fd_2_hand = reads(GAME, HANDS, "Ana paid=1: {}; Beto paid=1 folded")
test_fd_5_order = orders(GAME, ORDER, "Ana paid=1: {}; Beto paid=1: {}")
test_round = settles(GAME, ROUNDS)
test_bad_round = refuses(GAME, BAD)
test_rarity = is_as_rare(GAME, RARITY, "Ana paid=1: {}; Beto paid=1: {other}")
