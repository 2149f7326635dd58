"""Five-Card Draw: wild cards tried one by one, the exchange, openers, bets, and refusals."""

from __future__ import annotations

import json
from random import Random

import shared_rounds
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from plain_poker import DECK, JOKER, best_of, is_wild, plain_best
from rounds import document, is_as_rare, orders, places, reads, refuses, settled, settles
from shared_rounds import FLUSH, HIGH, OFF, OPENERS, PAIR, antes, called
from tables import each_row

from companion.contract import settle

GAME = "five-card-draw"

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

ANTES, TWO = antes("FD")

ROUNDS = called(shared_rounds.POTS + shared_rounds.DRAWS, "FD")
ROUNDS += f"""
fd_1_ante | Ana paid=3 folded; Beto paid=4 | Ana,Beto>pot 2 ante FD-1; Ana>pot 1 bets FD-1; Beto>pot 2 bets FD-1;
    pot>Beto 17 pot FD-1 | ante=2 pot=10
fd_3_a_joker | Ana paid=1: As Ks 9s 5s Jk; Beto paid=1: Ah Kh Qh Jh 9h
    | {TWO}; pot>Ana 2 pot FD-1 | wild=jokers
fd_6_three_exchanged | Ana paid=1 exchanged=3: {PAIR}; Beto paid=1 folded exchanged=3 | {TWO}; pot>Ana 2 pot FD-1
fd_6_four_with_an_ace | Ana paid=1 exchanged=4: {FLUSH}; Beto paid=1 exchanged=3: {PAIR} | {TWO}; pot>Ana 2 pot FD-1
    | exchange=four-with-ace
fd_6_all_five | Ana paid=1 exchanged=5: {PAIR}; Beto paid=1 exchanged=0: {HIGH} | {TWO}; pot>Ana 2 pot FD-1
    | exchange=five
fd_7_who_called_may_raise
    | Ana; Beto: {PAIR}; Caro: {HIGH} / Ana bet 1, Beto call, Caro raise 3, Ana fold, Beto raise 4, Caro call
    / Beto check, Caro check
    | {ANTES}; Ana>pot 1 bets FD-1; Beto>pot 5 bets FD-1; Caro>pot 5 bets FD-1; pot>Beto 14 pot FD-1
fd_9_equal_hands_share | Ana paid=1: Kh Kd Jk 7s 4c; Beto paid=1: As Qd 8h 5c 2s; Caro paid=1: Ks Kc Jk 7d 4h
    | {ANTES}; pot>Ana 2 pot FD-2; pot>Caro 1 pot FD-2 | wild=jokers
"""

BAD = called(shared_rounds.BAD_DRAWS, "FD")
BAD += f"""
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
