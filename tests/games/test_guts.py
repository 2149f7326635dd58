"""Guts: three-card hands, who is in, the pot and who matches it, and refusals."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from plain_poker import DECK, RANKS, Plain, best_of
from rounds import document, is_as_rare, orders, reads, refuses, settled, settles, transfers
from tables import each_row

from companion.engine.pieces.cards import FRENCH
from companion.games.guts import read

GAME = "guts"
STRAIGHTS = "straights=true"

HANDS = f"""
9s 9h 9d | three-of-a-kind | three of a kind, nines
9s 9h Kd | pair | pair of nines
As Kh 9d | high-card | high card, ace
7c 6c 5c | high-card | high card, seven
7c 6c 5c | straight-flush | straight flush, seven high | {STRAIGHTS}
Ah Kd Qs | straight | straight, ace high | {STRAIGHTS}
Ah 3d 2s | straight | straight, three high | {STRAIGHTS}
Ad Qd 8d | flush | flush, ace high | {STRAIGHTS}
"""

ORDER = f"""
2s 2h 2d > As Ah Kd
3s 3h 2d > 2s 2h Ad
3s 3h 4d > 3d 3c 2d
Ks Qh 9d = Kh Qd 9s
As 3h 2d > Ks Qh Jd
7c 6c 5c > As Ah Ad | {STRAIGHTS}
2s 2h 2d > Ah Kd Qs | {STRAIGHTS}
4s 3h 2d > Ad Qd 8d | {STRAIGHTS}
4s 3d 2h > Ah 3s 2d | {STRAIGHTS}
5d 4d 2d > As Ah Kd | {STRAIGHTS}
"""

TRIPS, PAIR, HIGH, ALSO_HIGH, LOW = "9s 9h 9d", "8s 8h Kc", "Ad Kd 7d", "Ah Kh 7h", "Jc 6s 4h"
ANTES, THREE, TWO = (f"{players}>pot 1 ante GU-1" for players in ("Ana,Beto,Caro,Dani", "Ana,Beto,Caro", "Ana,Beto"))

ROUNDS = f"""
gu_3_odd_chip_by_suit | Ana: Ac Kd 9h; Beto: As Kh 9d; Caro out
    | {THREE}; pot>Ana 1 pot GU-3; pot>Beto 2 pot GU-3 | odd_chips=suit
gu_3_odd_chip_by_highest_card | Ana: Ac Kd 9h; Beto: As Kh 9d; Caro out
    | {THREE}; pot>Ana 1 pot GU-3; pot>Beto 2 pot GU-3 | odd_chips=highest-card
gu_1_ante | Ana: {PAIR}; Beto: {HIGH} | Ana,Beto>pot 75 ante GU-1; pot>Ana 150 pot GU-3; Beto>pot 150 match-pot GU-3
    | ante=3 stake=25
gu_1_no_ante_while_there_is_a_pot | Ana: {PAIR}; Beto: {HIGH}; Caro out
    | pot>Ana 7 pot GU-3; Beto>pot 7 match-pot GU-3 | pot=7
gu_1_before_every_deal | Ana: {PAIR}; Beto: {HIGH}; Caro out
    | {THREE}; pot>Ana 10 pot GU-3; Beto>pot 10 match-pot GU-3 | pot=7 ante_when=every
gu_2_the_ace_is_high | Ana: {LOW}; Beto: {HIGH} | {TWO}; pot>Beto 2 pot GU-3; Ana>pot 2 match-pot GU-3
gu_2_straights_count | Ana: 4s 3h 2d; Beto: {PAIR} | {TWO}; pot>Ana 2 pot GU-3; Beto>pot 2 match-pot GU-3 | {STRAIGHTS}
gu_3_all_the_others_match | Ana: {PAIR}; Beto: {TRIPS}; Caro: {HIGH}; Dani out
    | {ANTES}; pot>Beto 4 pot GU-3; Ana,Caro>pot 4 match-pot GU-3
gu_3_the_tied_split_and_do_not_match | Ana: {HIGH}; Beto: {LOW}; Caro: {ALSO_HIGH}
    | {THREE}; pot>Ana 2 pot GU-3; pot>Caro 1 pot GU-3; Beto>pot 3 match-pot GU-3
gu_3_the_odd_unit_stays | Ana: {HIGH}; Beto: {LOW}; Caro: {ALSO_HIGH}
    | {THREE}; pot>Ana,Caro 1 pot GU-3; Beto>pot 3 match-pot GU-3 | odd_chips=stay-in-pot
gu_3_by_the_tables_word | Ana won; Beto; Caro out | {THREE}; pot>Ana 3 pot GU-3; Beto>pot 3 match-pot GU-3
gu_4_only_one_is_in | Ana; Beto out; Caro out | {THREE}; pot>Ana 3 pot GU-4
gu_4_and_may_show | Ana: {PAIR}; Beto out | {TWO}; pot>Ana 2 pot GU-4
gu_5_everyone_is_out | Ana out; Beto out; Caro out | {THREE}
gu_5_with_a_pot | Ana out; Beto out | | pot=5
gu_6_up_to_the_limit | Ana: {PAIR}; Beto: {HIGH}; Caro: {LOW}
    | pot>Ana 90 pot GU-3; Beto,Caro>pot 50 match-pot GU-3 | match_limit=2 stake=25 pot=90
gu_6_a_pot_below_the_limit | Ana: {PAIR}; Beto: {HIGH} | {TWO}; pot>Ana 2 pot GU-3; Beto>pot 2 match-pot GU-3
    | match_limit=3
gu_6_a_limit_of_one | Ana: {PAIR}; Beto: {HIGH} | {TWO}; pot>Ana 2 pot GU-3; Beto>pot 1 match-pot GU-3 | match_limit=1
"""

BAD = f"""
a_hand_of_somebody_out | Ana: {PAIR}; Beto out: {HIGH} | round.hands.Beto unexpected-hand
a_winner_who_is_out | Ana: {PAIR}; Beto out won; Caro: {HIGH} | round.won_by bad-value
a_winner_when_everyone_is_out | Ana out won; Beto out | round.won_by bad-value
a_hand_when_everyone_is_out | Ana out: {PAIR}; Beto out | round.hands.Ana unexpected-hand
five_cards | Ana: 2s 3s 4s 5s 6s; Beto: {HIGH} | round.hands.Ana wrong-hand-size
"""

# 52 hands of three of a kind, 48 of a straight flush; 3,744 pairs
RARITY = f"""
2s 2h 2d | 1 in 425
2s 2h 3d | 1 in 6
2s 2h 2d | 1 in 221 | {STRAIGHTS}
Ah Kd Qs | 1 in 138 | {STRAIGHTS}
4s 3h 2d | every hand
"""

DECIDED = f"""
Ana: {PAIR}; Beto: {TRIPS} | Beto's three of a kind beats Ana's pair
Ana: {HIGH}; Beto: {ALSO_HIGH} | Ana and Beto tie with high card, ace
Ana; Beto out | Everyone else is out, so Ana takes the pot
Ana out; Beto out | Everyone is out, so the pot stays
"""


@each_row(DECIDED)
def test_what_decided(row: tuple[str, ...]) -> None:
    seats, words = row
    assert settled(document(GAME, seats))["decided_by"] == words


def test_gu_5_nobody_wins() -> None:
    settlement = settled(document(GAME, "Ana out; Beto out", pot=3))
    assert (settlement["winners"], settlement["hands"], settlement["payments"]) == ([], [], [])
    assert settlement["pot"] == {"opening": 3, "in": 0, "out": 0, "closing": 3}


def test_gu_3_the_pot_doubles_with_two_losers() -> None:
    first = settled(document(GAME, f"Ana: {PAIR}; Beto: {TRIPS}; Caro: {HIGH}", pot=10))
    assert first["pot"]["closing"] == 20
    second = settled(document(GAME, "Ana; Beto out; Caro out", pot=first["pot"]["closing"]))
    assert transfers(second) == ["pot>Ana 20 pot GU-4"]


def three(hand: Sequence[str], straights: bool = True) -> Plain:
    """Judge three cards as people do."""
    high, middle, low = heights = sorted((RANKS.index(card[0]) for card in hand), reverse=True)
    is_flush = len({card[1] for card in hand}) == 1
    top = high if [middle, low] == [high - 1, high - 2] else 1 if heights == [12, 1, 0] else None
    if high == low:
        return 5, heights
    if straights and top is not None:
        return (6 if is_flush else 4), [top]
    if straights and is_flush:
        return 3, heights
    if middle in (high, low):
        return 2, [middle, high + low - middle]
    return 1, heights


@pytest.mark.parametrize("straights", [False, True])
def test_gu_2_every_hand_is_ranked_as_people_do(straights: bool) -> None:
    """Rank all 22,100 hands twice: those that people call equal are equal, and the order is the same."""
    steps: dict[tuple[int, ...], set[tuple[int, tuple[int, ...]]]] = {}
    for hand in combinations(DECK, 3):
        level, ranks = three(hand, straights)
        cards = FRENCH.hand(" ".join(hand))
        assert cards is not None
        strength = read(cards, straights).strength
        steps.setdefault((level, *ranks), set()).add((strength.level, strength.ranks))
    found = [step for plain in sorted(steps) for step in steps[plain]]
    assert len(found) == len(steps)
    assert found == sorted(set(found))


@settings(deadline=None)
@given(
    random=st.randoms(use_true_random=False),
    out=st.lists(st.sampled_from(["", "", "", " out", " foul", " mucked"]), min_size=2, max_size=6),
    pot=st.integers(0, 20),
    limit=st.integers(0, 12),
    every=st.booleans(),
)
def test_chip_by_chip(random: object, out: list[str], pot: int, limit: int, every: bool) -> None:
    names = [f"P{at}" for at in range(len(out))]
    deck = random.sample(DECK, 52)[: 3 * len(names)]  # type: ignore[attr-defined]
    hands = {name: deck[3 * at : 3 * at + 3] for at, name in enumerate(names)}
    said = dict(zip(names, out, strict=True))
    players = [name for name in names if said[name] != " out"]
    may_win = players if len(players) < 2 else [name for name in players if not said[name]]
    assume(may_win or not players)
    shown = {name: f": {' '.join(hands[name])}" for name in may_win if len(may_win) > 1}
    seats = "; ".join(f"{name}{said[name]}{shown.get(name, '')}" for name in names)
    rules = f"match_limit={limit} ante_when={'every' if every else 'empty'} {STRAIGHTS}"
    settlement = settled(document(GAME, seats, rules, pot=pot))
    won, middle, after = dict.fromkeys(names, 0), pot, 0
    for name in names if every or not pot else ():
        won[name] -= 1
        middle += 1
    if not players:
        after = middle
    else:
        winners = may_win if len(may_win) == 1 else best_of({name: three(hands[name]) for name in may_win}, may_win)
        for chip in range(middle):
            won[winners[chip % len(winners)]] += 1
        for name in players:
            matched = 0
            while name not in winners and matched < middle and (not limit or matched < limit):
                matched += 1
            won[name] -= matched
            after += matched
    assert settlement["net"] == won
    assert settlement["pot"]["closing"] == after


test_gu_2_hand = reads(GAME, HANDS, "Ana: {}; Beto: {other}")
test_gu_2_order = orders(GAME, ORDER, "Ana: {}; Beto: {}")
test_round = settles(GAME, ROUNDS)
test_bad_round = refuses(GAME, BAD)
test_rarity = is_as_rare(GAME, RARITY, "Ana: {}; Beto: {other}")
