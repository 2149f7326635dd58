"""Draw Poker with CARDominoes: hands with wild tiles, bets and side pots, exchanges, and refusals."""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import combinations
from random import Random

import pytest
import shared_rounds
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from plain_poker import DECK, JOKER, RANKS, Plain, plain_best, plain_strength
from rounds import (
    document,
    entered,
    every_reason_is_true,
    is_as_rare,
    lines,
    orders,
    places,
    problems,
    reads,
    refuses,
    settled,
    settles,
    transfers,
)
from shared_rounds import FLUSH, OFF, OPENERS, PAIR, SAME, antes, called

from companion.engine.betting.draw_game import order_of
from companion.engine.money.settlement import won_pot
from companion.games.draw_poker import CARDOMINOES_WITH_JOKERS

GAME = "draw-poker"

HANDS = f"""
Td Jd Qd Kd Ad | royal-flush | royal flush
8s 7s 6s 5s 4s | straight-flush | straight flush, eight high
6s 6h 6d 6c Ad | four-of-a-kind | four of a kind, sixes
Qs Qh Qd 3c 3d | full-house | full house, queens over threes
Kc Jc 8c 5c 2c | flush | flush, king high
9h 8s 7d 6c 5h | straight | straight, nine high
5h 4s 3d 2c Ah | straight | straight, five high
7s 7h 7d Kc 2d | three-of-a-kind | three of a kind, sevens
As Ah 8d 8c 5d | two-pairs | two pair, aces and eights
Ts Th 9d 6c 3d | pair | pair of tens
As Jh 9d 6c 3d | high-card | high card, ace
Ks Kh Kd Kc Jk | five-of-a-kind | five of a kind, kings | wild=jokers
Ks Kh Kd Jk Jk | five-of-a-kind | five of a kind, kings | wild=jokers
Jk Jk Js Jh 2c | five-of-a-kind | five of a kind, aces | wild="2" jokers_too=true one_eyed_jacks=true
Jk Jk Js Jh 2c | royal-flush | royal flush | wild="2" jokers_too=true one_eyed_jacks=true {OFF}
Jk Jk Js Jh 2c | royal-flush | royal flush | wild="2" jokers_too=true one_eyed_jacks=true wild_use=not-held
Jk Jk Js Jh 2c | five-of-a-kind | five of a kind, aces | wild="2" jokers_too=true one_eyed_jacks=true wild_use=bug
As Ks 9s 5s Jk | flush | flush, ace high | wild=jokers
As Ks Jk Ts Jk | royal-flush | royal flush | wild=jokers
2s 2h 2d 2c Ks | five-of-a-kind | five of a kind, kings | wild="2"
As Ah Ad Ac Ks | five-of-a-kind | five of a kind, kings | wild=A
Ks Kh Kd Kc 2s | four-of-a-kind | four of a kind, kings | wild="2" {OFF}
Ks Kh Kd 2c 2s | four-of-a-kind | four of a kind, kings | wild="2" {OFF}
2s 2h 2d 2c Ks | royal-flush | royal flush | wild="2" {OFF}
Ks Kh Kd Kc 2s | four-of-a-kind | four of a kind, kings | wild="3"
"""
HANDS += "".join(
    f"""{rank}s {a}s {b}h {c}d {d}c | pair | pair of {"queens" if a == "Q" else "kings"} | wild="{rank}"\n"""
    for rank, a, b, c, d in (
        *("2KT73", "3KT74", "4KT72", "5KT72", "6KT72", "7KT52", "8KT52"),
        *("9K852", "TK852", "JK852", "QK852", "KQ852", "AK852"),
    )
)

ORDER = f"""
Ah Kh Qh Jh Th > Kd Qd Jd Td 9d
6c 5c 4c 3c 2c > 5d 4d 3d 2d Ad
5d 4d 3d 2d Ad > As Ah Ac Kd Kc
6h 5s 4d 3d 2c > 5h 4s 3s 2d Ac
Ah Ks Qd Jd Tc > Kh Qs Js Td 9c
Js Jd 6h 6c 3s = Jh Jc 6d 6s 3h
2s 2h 2d 2c Jk > Ah Kh Qh Jh Th | wild=jokers
Ah Kh Qh Jh Th > 3s 3h 3d 3c Jk | wild=jokers {OFF}
As Ks 9s 5s Jk > Ah Kh Qh Jh 9h | wild=jokers
Ks Kh Kd Kc Jk > Qs Qh Qd Qc Ad | wild=jokers {OFF}
9s 9h 9d Ac Jk > 8s 8h 8d 8c Ad | wild=jokers
8c 7d 6s Jk 4h = 8d 7h 6d 5d 4s | wild=jokers
"""

ANTES, TWO = antes("DR")
ONE_JOKER = "Kh Kd Jk 7s 4c"

ROUNDS = called(shared_rounds.POTS + shared_rounds.DRAWS, "DR")
ROUNDS += f"""
dr_1_last_one_left_need_not_show | Ana paid=3 folded; Beto paid=4; Caro paid=2 folded
    | Ana,Beto,Caro>pot 2 ante DR-1; Ana>pot 1 bets DR-1; Beto>pot 2 bets DR-1; pot>Beto 19 pot DR-1 | ante=2 pot=10
dr_1_a_tie_shares_a_layer | Ana paid=1: {SAME[0]}; Beto paid=4: {SAME[1]}; Caro paid=4: Kd Qs Jh Tc 6h
    | {ANTES}; Beto,Caro>pot 3 bets DR-1; pot>Ana 2 pot DR-1; pot>Beto 1 pot DR-1; pot>Beto 6 pot DR-1 | all_in=true
dr_3_a_joker_makes_the_flush_a_a_k_9_5 | Ana paid=1: As Ks 9s 5s Jk; Beto paid=1: Ah Kh Qh Jh 9h
    | {TWO}; pot>Ana 2 pot DR-1 | wild=jokers
dr_3_deuces_wild | Ana paid=1: As Ah 9d 5c 2s; Beto paid=1: Ks Kh Qd Qc 9h
    | {TWO}; pot>Ana 2 pot DR-1 | wild="2"
dr_6_four_exchanged_with_an_ace
    | Ana paid=1 exchanged=4: {FLUSH}; Beto paid=1 exchanged=3: {PAIR}; Caro paid=1 folded exchanged=4
    | {ANTES}; pot>Ana 3 pot DR-1
dr_10_a_smaller_raise | Ana: {FLUSH}; Beto: {PAIR} / Ana bet 4, Beto raise 6, Ana call / Ana check, Beto check
    | {TWO}; Ana,Beto>pot 6 bets DR-1; pot>Ana 14 pot DR-1
dr_11_three_bugs_make_a_flush_not_four_kings | Ana paid=1: 2s 2h 2d Kc 4c; Beto paid=1: 9s 9h 9d 9c 7c
    | {TWO}; pot>Beto 2 pot DR-1 | wild="2" wild_use=bug
dr_7_two_rounds_of_betting
    | Ana: {FLUSH}; Beto: {PAIR}; Caro / Ana bet 2, Beto call, Caro fold / Ana check, Beto bet 3, Ana call
    | {ANTES}; Ana,Beto>pot 5 bets DR-1; pot>Ana 13 pot DR-1
dr_7_one_left_before_the_exchange | Ana; Beto; Caro / Ana check, Beto bet 1, Caro fold, Ana fold
    | {ANTES}; Beto>pot 1 bets DR-1; pot>Beto 4 pot DR-1
dr_7_nothing_to_bet_after_all_but_one_are_all_in | Ana: {PAIR}; Beto: {FLUSH} / Ana bet 5, Beto all-in 3
    | {TWO}; Ana>pot 5 bets DR-1; Beto>pot 3 bets DR-1; pot>Beto 8 pot DR-1;
    pot>Ana 2 returned DR-1 | all_in=true
dr_8_the_antes_may_be_told | Ana passed paid=1; Beto paid=1; Caro paid=1 | {ANTES} | {OPENERS}
dr_8_less_than_the_ante_all_in | Ana passed paid=3; Beto paid=1; Caro paid=0
    | Ana>pot 3 ante DR-1; Beto>pot 1 ante DR-1 | {OPENERS} ante=3 all_in=true
dr_8_everybody_checked_and_plays_on | Ana: {FLUSH}; Beto: {PAIR} / Ana check, Beto check / Ana check, Beto check
    | {TWO}; pot>Ana 2 pot DR-1 | {OPENERS}
dr_9_equal_hands_share | Ana paid=1: {ONE_JOKER}; Beto paid=1: As Qd 8h 5c 2s; Caro paid=1: Ks Kc Jk 7d 4h
    | {ANTES}; pot>Ana 2 pot DR-2; pot>Caro 1 pot DR-2 | wild=jokers
dr_9_a_wild_rank_is_wild_where_it_stands_for_itself | Ana paid=1: 2s 2h Kd 9c 7h; Beto paid=1: Ks Kh Kc 9d 7s
    | {TWO}; pot>Beto 2 pot DR-1 | wild="2" equal_hands=natural-first
dr_9_as_many_wild_tiles_are_equal | Ana paid=1: {ONE_JOKER}; Beto paid=1: Ks Kc Jk 7d 4h
    | {TWO}; pot>Ana,Beto 1 pot DR-2 | wild=jokers equal_hands=natural-first
"""

BAD = called(shared_rounds.BAD_DRAWS, "DR")
BAD += f"""
dr_7_no_raise_left | Ana: {FLUSH}; Beto: {PAIR} / Ana bet 2, Beto raise 4, Ana raise 4, Beto call
    | round.bets.2 illegal-bet | most_raises=1
dr_7_the_all_in_of_a_caller_is_a_call
    | Ana: {FLUSH}; Beto: {PAIR}; Caro / Ana bet 1, Beto call, Caro raise 3, Ana fold, Beto all-in 3
    | round.bets.4 illegal-bet | all_in=true
dr_8_without_openers_but_with_hands | Ana passed: {PAIR}; Beto | round.passed_in bad-value
dr_8_with_bets | Ana passed paid=2; Beto paid=2 | round.passed_in bad-value | {OPENERS}
dr_8_with_a_bet_told | Ana passed; Beto / Ana check, Beto bet 2, Ana call | round.passed_in bad-value | {OPENERS}
dr_8_with_bets_after_an_exchange | Ana passed; Beto / Ana check, Beto check / Ana check, Beto check
    | round.passed_in bad-value | {OPENERS}
dr_8_with_a_hand | Ana passed: {PAIR}; Beto | round.passed_in bad-value | {OPENERS}
dr_8_with_bets_and_a_fold | Ana passed paid=2: {PAIR}; Beto paid=1 folded
    | round.passed_in bad-value; round.passed_in bad-value | {OPENERS}
dr_8_less_than_the_ante | Ana passed paid=1; Beto paid=2 | round.paid.Ana bad-value; round.paid.Ana unequal-bets
    | {OPENERS} ante=2
dr_8_an_ante_missing | Ana passed paid=1; Beto | round.paid.Beto missing-field | {OPENERS}
dr_8_won_by_somebody | Ana passed won; Beto | round.won_by bad-value | {OPENERS}
dr_8_bets_not_over | Ana passed; Beto / Ana check | round.bets missing-field | {OPENERS}
dr_7_who_called_raises | Ana: {FLUSH}; Beto: {PAIR}; Caro / Ana bet 1, Beto call, Caro raise 3, Ana fold, Beto raise 9
    | round.bets.4 illegal-bet
dr_7_second_round_missing | Ana: {FLUSH}; Beto: {PAIR} / Ana check, Beto check
    | round.bets_after_exchange missing-field
dr_7_first_round_missing | Ana: {FLUSH}; Beto: {PAIR} /  / Ana check, Beto check | round.bets missing-field
dr_7_smallest_above_largest | Ana paid=1; Beto paid=1 folded | rules.maximum_bet bad-value
    | minimum_bet=3 maximum_bet=2
dr_6_four_without_an_ace | Ana paid=1 exchanged=4: {PAIR}; Beto paid=1: {FLUSH} | round.exchanged.Ana bad-value
dr_6_five | Ana paid=1: {PAIR}; Beto paid=1 exchanged=5: {FLUSH} | round.exchanged.Beto bad-value
no_such_wild_tile | Ana paid=1: {PAIR}; Beto paid=1: {FLUSH} | rules.wild bad-rule-value | wild="1"
"""


@pytest.mark.parametrize(
    ("cards", "rules", "ranks"),
    [
        ("Ks Kh Kd Kc Jk", f"wild=jokers {OFF}", "A"),
        ("As Ah Ad Ac Jk", f"wild=jokers {OFF}", "K"),
        ("Ks Kh Kd Kc Jk", "wild=jokers", "K"),
        ("Ks Jk Qd Jh Jk", "wild=jokers", "AT"),
    ],
)
def test_dr_4_wild_tiles_stand_for(cards: str, rules: str, ranks: str) -> None:
    (shown,) = settled(document(GAME, f"Ana paid=1: {cards}; Beto paid=1 folded", rules))["hands"]
    assert sorted(tile[0] for tile in shown["wild_as"]) == sorted(ranks)


def test_dr_8_nobody_wins_a_passed_in_round() -> None:
    settlement = settled(document(GAME, "Ana passed; Beto", OPENERS, pot=3))
    assert (settlement["winners"], settlement["hands"]) == ([], [])
    assert settlement["decided_by"] == "Nobody opened, so the antes stay in the pot"
    assert settlement["pot"] == {"opening": 3, "in": 2, "out": 0, "closing": 5}


@pytest.mark.parametrize("bets", [[], None])
def test_dr_8_empty_bets_count_as_not_given(bets: object) -> None:
    written = document(GAME, "Ana passed; Beto", OPENERS)
    if bets is not None:
        written["round"] |= {"bets": bets, "bets_after_exchange": bets, "paid": {}, "folded": []}
    assert transfers(settled(written)) == lines(TWO)


@pytest.mark.parametrize("given", [None, 1, "yes"], ids=str)
def test_dr_8_an_invalid_answer_leaves_open_who_shows(given: object) -> None:
    written = document(GAME, "Ana paid=1; Beto paid=1", OPENERS)
    written["round"]["passed_in"] = given
    assert problems(written) == ["round.passed_in bad-value"]


def test_dr_9_says_what_decided() -> None:
    seats = "Ana paid=1: Kd Jk Jk 7s 4c; Beto paid=1: Ks Kh Kc 7d 4h"
    settlement = settled(document(GAME, seats, "wild=jokers equal_hands=natural-first"))
    assert places(settlement) == "1 Beto, 2 Ana"
    assert settlement["decided_by"] == (
        "Beto's three of a kind beats Ana's three of a kind: 0 wild tiles against 2 wild tiles"
    )


@settings(max_examples=300)
@given(st.data())
def test_dr_9_the_fewest_wild_tiles_among_the_best(data: st.DataObject) -> None:
    """Deals from few ranks, so that hands are often equal, and counts wild tiles by their text."""
    wild = data.draw(st.sampled_from(["jokers", "2", "K"]))
    letters = "K92"
    tiles = [rank + suit for rank in letters for suit in "shdc"] + ["Jk", "Jk"] * (wild == "jokers")
    dealt = data.draw(st.permutations(tiles))
    hands = {"Ana": dealt[:5], "Beto": dealt[5:10]}
    seats = "; ".join(f"{player} paid=1: {' '.join(hand)}" for player, hand in hands.items())
    rule = json.dumps(wild)
    shared = settled(document(GAME, seats, f"wild={rule}"))["winners"]
    fewest = {p: sum(tile == "Jk" or tile[0] == wild for tile in hands[p]) for p in shared}
    expected = [player for player in shared if fewest[player] == min(fewest.values())]
    assert settled(document(GAME, seats, f"wild={rule} equal_hands=natural-first"))["winners"] == expected


ALL_SHOW = ("As Ad Ah 9c 2c", "Ks Kd 9h 8c 3c", "Qs Jd 9d 7c 4c", "Qh Jh 9s 7d 4d")


@settings(max_examples=200)
@given(
    st.lists(st.tuples(st.sampled_from((0, 0, 3, 3, 5)), st.booleans()), min_size=2, max_size=4),
    st.sampled_from((0, 7)),
    st.data(),
)
def test_dr_1_of_a_bet_only_what_somebody_else_put_in_is_won(
    seats: list[tuple[int, bool]], pot: int, data: st.DataObject
) -> None:
    """Counts chip by chip: of each player's n-th chip, those that two players or more put in can be won."""
    most = max((paid for paid, folds in seats if not folds), default=0)
    assume(any(not folds for _, folds in seats) and all(paid <= most for paid, folds in seats if folds))
    hands = data.draw(st.permutations(ALL_SHOW))
    written = "; ".join(
        f"{name} paid={paid}{' folded' if folds else f': {hand}'}"
        for name, (paid, folds), hand in zip(("Ana", "Beto", "Caro", "Dani"), seats, hands, strict=False)
    )
    entry = document(GAME, written, "ante=0 all_in=true", pot=pot)
    every_reason_is_true(settled(entry))
    game, round = entered(entry)
    settlement = game.settle(round)
    won = won_pot((t.giver, t.taker, t.amount, t.reason) for t in settlement.transfers)
    columns = [sum(paid > chip for paid, _ in seats) for chip in range(most)]
    assert won.units == pot + sum(number for number in columns if number > 1)
    assert set(won.winners) <= set(settlement.winners)
    assert bool(won.winners) == bool(won.units)


# what Ana, Beto and Caro, who holds the best hand, paid; why the pot pays what it pays
OF_TWO = "Ana: pair of kings is best of Ana and Beto in this part of the pot"
REASONS = [
    ((5, 5, 0), [OF_TWO]),
    ((5, 5, 2), ["Caro: three of a kind, aces is best of Ana, Beto and Caro in this part of the pot", OF_TWO]),
    ((5, 5, 5), ["Caro: best hand: three of a kind, aces"]),
    (
        (5, 0, 2),
        [
            "Caro: three of a kind, aces is best of Ana and Caro in this part of the pot",
            "Ana: nobody else paid into this part of the pot",
        ],
    ),
]


@pytest.mark.parametrize(("paid", "reasons"), REASONS)
def test_dr_1_why_somebody_takes_a_part_of_the_pot(paid: tuple[int, ...], reasons: list[str]) -> None:
    held = zip(("Ana", "Beto", "Caro"), paid, ("Ks Kd 9h 8c 3c", "Qs Jd 9d 7c 4c", "As Ad Ah 9c 2c"), strict=True)
    seats = "; ".join(f"{player} paid={units}: {hand}" for player, units, hand in held)
    told = settled(document(GAME, seats, "ante=0 all_in=true"))["transfers"]
    assert [f"{t['to']}: {t['because']}" for t in told if t["from"] == "pot"] == reasons


RARITY = """
Ts Th Tc Kd Kc | 1 in 1,394
Ts Th Tc Kd Jk | 1 in 854 | wild=jokers
9s 9h 9d 9c Jk | 1 in 87,848 | wild=jokers
As Ah Ad Ac Jk | 1 in 4,583 | wild=jokers five_of_a_kind=off
As Ks Qs 2h 2d | 1 in 2,248 | wild="2"
"""

test_dr_2_hand = reads(GAME, HANDS, "Ana paid=1: {}; Beto paid=1 folded")
test_dr_3_dr_5_order = orders(GAME, ORDER, "Ana paid=1: {}; Beto paid=1: {}")
test_round = settles(GAME, ROUNDS)
test_bad_round = refuses(GAME, BAD)
test_rarity = is_as_rare(GAME, RARITY, "Ana paid=1: {}; Beto paid=1: {other}")


def plain_use(cards: Sequence[str], use: str, five_of_a_kind: bool = True) -> Plain:
    """Judge five cards with jokers by putting in cards that aren't held; a bug as an ace also if it is."""
    natural = [card for card in cards if card != JOKER]
    jokers = len(cards) - len(natural)
    free = [card for card in DECK if card not in natural]
    found = [plain_strength([*natural, *put]) for put in combinations(free, jokers)]
    if use == "bug":
        found = [one for one in found if one[0] in (5, 6, 9)]
        ace = "As" if natural[0][1] != "s" else "Ah"  # of another suit, so that it makes no flush
        found.append(plain_strength([*natural, *[ace] * jokers]))
    return max(found)


@pytest.mark.thorough
def test_dr_12_several_wild_kinds_by_trying_every_card() -> None:
    """Jokers, one-eyed jacks and twos are all put in as jokers of the plain reading."""
    random = Random(12)
    order = order_of(CARDOMINOES_WITH_JOKERS, "2", True, "any", True)
    wild = [JOKER, JOKER, "Js", "Jh", "2s", "2h", "2d", "2c"]
    natural = [card for card in DECK if card not in wild]
    read = []
    for number in range(60):
        held = random.sample(wild, 3 if number % 15 == 0 else random.randint(1, 2))
        cards = [*random.sample(natural, 5 - len(held)), *held]
        hand = CARDOMINOES_WITH_JOKERS.hand(" ".join(cards))
        assert hand is not None
        read.append((order.strength(hand), plain_best([JOKER if card in wild else card for card in cards], JOKER)))
    for one, other in combinations(read, 2):
        mine = (one[0].level, one[0].ranks), (other[0].level, other[0].ranks)
        assert (mine[0] > mine[1]) == (one[1] > other[1]), (one, other)
        assert (mine[0] == mine[1]) == (one[1] == other[1]), (one, other)


@pytest.mark.parametrize("use", ["not-held", "bug"])
def test_dr_11_wild_tiles_by_trying_every_card(use: str) -> None:
    """Hands with one joker or two, often of one suit or of neighbours, are ordered as the plain reading orders them."""
    random = Random(11)
    order = order_of(CARDOMINOES_WITH_JOKERS, "jokers", True, use)  # type: ignore[arg-type]
    read = []
    for number in range(150):
        jokers = 1 + (number % 3 == 0)
        suit, start = random.choice("shdc"), random.randrange(9)
        some = random.choice([DECK, [c for c in DECK if c[1] == suit], [c for c in DECK if c[0] in RANKS[start:][:5]]])
        cards = [*random.sample(some, 5 - jokers), *[JOKER] * jokers]
        hand = CARDOMINOES_WITH_JOKERS.hand(" ".join(cards))
        assert hand is not None
        read.append((cards, order.strength(hand), plain_use(cards, use)))
    for one, other in combinations(read, 2):
        mine = (one[1].level, one[1].ranks), (other[1].level, other[1].ranks)
        assert (mine[0] > mine[1]) == (one[2] > other[2]), (one, other)
        assert (mine[0] == mine[1]) == (one[2] == other[2]), (one, other)
    assert {level for _, _, (level, _) in read} >= ({5, 6, 9, 8, 4} if use == "not-held" else {5, 6, 9, 4, 2})
