"""Knock Rummy: deadwood, who pays the difference, the knocker's penalty and bonus, and refusals."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rounds import Hand, document, entered, hand_of, is_as_rare, places, refuses, settled, settles
from tables import each_row

GAME = "knock-rummy"

# seven cards; the category column is the unmatched rest
HANDS = """
4s 4h 4d 6c 7c 8c 9c | | no deadwood
4s 4h 4d 4c 6c 7c 8c | | no deadwood
Ac 2c 3c 4c 5c 6c 7c | | no deadwood
4s 4h 4d 6c 7c 8c Kd | Kd | 10 deadwood
Qs Ks As 2h 3h 5d 9c | Qs Ks As 2h 3h 5d 9c | 40 deadwood
As 2s 3s Th Jd Qc Kh | Th Jd Qc Kh | 40 deadwood
Js Qs Ks Ah 3d 5c 7h | Ah 3d 5c 7h | 16 deadwood
5s 5h 5d 6d 7d 9c Kh | 5s 5h 9c Kh | 29 deadwood
5s 5h 5d 5c 6d 7d 9c | 9c | 9 deadwood
9s 9h 9c 7h 8h Th Ac | 9s 9c Ac | 19 deadwood
As Ah 2d 4c 6h 8s Td | As Ah 2d 4c 6h 8s Td | 32 deadwood
"""

ZERO, OTHER_ZERO = "4s 4h 4d 6c 7c 8c 9c", "Ts Th Td 2h 2d 2c 2s"
FIVE, ALSO_FIVE, THIRD_FIVE = "As Ah Ad 2c 3c 4c 5h", "9s 9h 9d Tc Jc Qc 5s", "Ks Kh Kd 6s 7s 8s 5d"
TEN, SEVENTEEN = "6h 7h 8h 2d 3d 4d Ts", "Jh Jd Js 3h 3s 5c 6d"
LONG_FIVE = "4s 4h 4d 6c 7c 8c Jh Jd Js 5h"  # ten cards, as two play
LONG_TEN = "9s 9h 9d Ac 2c 3c Ks Kh Kd Th"
LONG_ZERO, LONG_OTHER_ZERO = "4s 4h 4d 6c 7c 8c Jh Jd Js Jc", "9s 9h 9d Ac 2c 3c Ks Kh Kd Kc"
UNPAID = "odd_chips=unpaid"
HIGH_ACE, CORNER = "Qs Ks As 4h 5h 6h 7h", "Kd Ad 2d 9c Tc Jc Qc"
TEN_FOR_THREE = f"Ana knocked: {LONG_FIVE}; Beto: {LONG_TEN}; Caro: 7h 8h 9c Qs Qh Qd 2s 2h 5c Kc"  # Caro: 2 2 5 10

SIX = "As Ah Ad 2c 3c 4c", "9s 9h 9d Tc Jc 5s", "Ks Kh Kd 6s 7s 9c", "6h 7h 8h 2d 3d 5d", "Jh Jd Js 3h 3s 5c"
SIXTH = "Qh Qd 4h 7c 8d 2s"
ALL_SIX = "Ana: {}; Beto: {}; Caro: {}; Dani: {}; Eli knocked: {}".format(*SIX)
BELOW = "penalty_to=everybody-below"
ROUNDS = f"""
kr_8_odd_chip_by_suit | Ana: {ALSO_FIVE}; Beto: {FIVE}; Caro: {TEN}
    | Caro>Ana 2 deadwood KR-5; Caro>Beto 3 deadwood KR-5 | odd_chips=suit
kr_8_odd_chip_by_highest_card | Ana: {ALSO_FIVE}; Beto: {FIVE}; Caro: {TEN}
    | Caro>Ana 2 deadwood KR-5; Caro>Beto 3 deadwood KR-5 | odd_chips=highest-card
kr_1_ten_cards_for_two | Ana knocked: {LONG_ZERO}; Beto: {LONG_TEN}
    | Beto>Ana 10 deadwood KR-6; Beto>Ana 25 rum-bonus KR-6
kr_2_the_least_deadwood | Ana knocked: {FIVE}; Beto: 9s 9h 9c 7h 8h Th Ac; Caro: {SEVENTEEN}
    | Beto>Ana 14 deadwood KR-3; Caro>Ana 12 deadwood KR-3
kr_3_five_against_ten | Ana knocked: {LONG_FIVE}; Beto: {LONG_TEN} | Beto>Ana 5 deadwood KR-3
kr_3_stakes | Ana knocked: {LONG_FIVE}; Beto: {LONG_TEN} | Beto>Ana 125 deadwood KR-3 | stake=25
kr_3_another_one_knocked | Ana: {LONG_FIVE}; Beto knocked: {LONG_TEN}
    | Beto>Ana 5 deadwood KR-3; Beto>Ana 10 knocker-penalty KR-3
kr_3_penalty | Ana: {LONG_FIVE}; Beto knocked: {LONG_TEN} | Beto>Ana 5 deadwood KR-3; Beto>Ana 7 knocker-penalty KR-3
    | knocker_penalty=7
kr_3_all_others_pay | Ana: {TEN}; Beto: {FIVE}; Caro knocked: {SEVENTEEN}
    | Ana>Beto 5 deadwood KR-3; Caro>Beto 12 deadwood KR-3; Caro>Beto 10 knocker-penalty KR-3
kr_4_the_other_takes_all | Ana knocked: {FIVE}; Beto: {ALSO_FIVE}; Caro: {TEN} | Caro>Beto 5 deadwood KR-4
kr_4_the_others_share | Ana knocked: {FIVE}; Beto: {ALSO_FIVE}; Caro: {THIRD_FIVE}; Dani: {TEN}
    | Dani>Beto 3 deadwood KR-4; Dani>Caro 2 deadwood KR-4
kr_4_nobody_else_pays | Ana knocked: {LONG_FIVE}; Beto: 9s 9h 9d Ac 2c 3c Ks Kh Kd 5s
kr_5_all_payments_are_shared | Ana knocked: {TEN}; Beto: {FIVE}; Caro: {ALSO_FIVE}; Dani: {SEVENTEEN}
    | Ana>Beto 5 deadwood KR-5; Ana>Beto 9 knocker-penalty KR-5; Ana>Caro 1 knocker-penalty KR-5;
    Dani>Caro 12 deadwood KR-5
kr_5_odd_unit_to_the_first_in_turn_order
    | Ana: {FIVE}; Beto dealer: {SEVENTEEN}; Caro: {ALSO_FIVE}; Dani knocked: {TEN}
    | Dani>Caro 5 deadwood KR-5; Dani>Caro 9 knocker-penalty KR-5; Dani>Ana 1 knocker-penalty KR-5;
    Beto>Ana 12 deadwood KR-5
kr_6_rum_beats_another_rum | Ana: {OTHER_ZERO}; Beto knocked: {ZERO}; Caro: {SEVENTEEN}
    | Caro>Beto 17 deadwood KR-6; Ana,Caro>Beto 25 rum-bonus KR-6
kr_6_shared_bonus_odd_unit_from_the_first | Ana: {OTHER_ZERO}; Beto knocked: {ZERO}; Caro: {SEVENTEEN}
    | Caro>Beto 17 deadwood KR-6; Ana>Beto 13 rum-bonus KR-6; Caro>Beto 12 rum-bonus KR-6 | rum_bonus_from=shared
kr_6_bonus | Ana knocked: {LONG_ZERO}; Beto: {LONG_OTHER_ZERO} | Beto>Ana 20 rum-bonus KR-6 | rum_bonus=10 stake=2
kr_7_no_penalty_and_no_bonus | Ana: {LONG_ZERO}; Beto: {LONG_TEN} | Beto>Ana 10 deadwood KR-3
kr_7_a_tie_is_shared | Ana: {FIVE}; Beto: {ALSO_FIVE}; Caro: {TEN}
    | Caro>Ana 3 deadwood KR-5; Caro>Beto 2 deadwood KR-5
kr_8_the_odd_unit_is_not_paid | Ana knocked: {FIVE}; Beto: {ALSO_FIVE}; Caro: {THIRD_FIVE}; Dani: {TEN}
    | Dani>Beto,Caro 2 deadwood KR-4 | {UNPAID}
kr_8_the_last_payer_keeps_it | Ana knocked: {TEN}; Beto: {FIVE}; Caro: {ALSO_FIVE}; Dani: {SEVENTEEN}
    | Ana>Beto 5 deadwood KR-5; Ana>Beto 8 knocker-penalty KR-5; Ana>Caro 2 knocker-penalty KR-5;
    Dani>Caro 11 deadwood KR-5 | {UNPAID}
kr_8_a_payer_of_two_kinds_keeps_of_the_last | Ana: {FIVE}; Beto dealer knocked: {TEN}; Caro: {ALSO_FIVE}
    | Beto>Caro 5 deadwood KR-5; Beto>Caro 2 knocker-penalty KR-5; Beto>Ana 7 knocker-penalty KR-5 | {UNPAID}
kr_9_at_the_limit | Ana knocked: {LONG_FIVE}; Beto: {LONG_TEN} | Beto>Ana 5 deadwood KR-3 | knock_limit="5"
kr_9_more_than_any_limit | Ana: {LONG_FIVE}; Beto knocked: 9s 9h 7d Ac 2c Qs Ks Kh 8d Th
    | Beto>Ana 71 deadwood KR-3; Beto>Ana 10 knocker-penalty KR-3
kr_10_the_ace_is_low | Ana knocked: {HIGH_ACE}; Beto: {CORNER}
    | Ana>Beto 8 deadwood KR-3; Ana>Beto 10 knocker-penalty KR-3 | cards="7"
kr_10_high_or_low | Ana knocked: {HIGH_ACE}; Beto: {CORNER} | Beto>Ana 13 deadwood KR-6; Beto>Ana 25 rum-bonus KR-6
    | cards="7" ace=high-or-low
kr_10_round_the_corner | Ana: {HIGH_ACE}; Beto knocked: {CORNER} | Ana>Beto 25 rum-bonus KR-6
    | cards="7" ace=round-the-corner
kr_10_the_knock_limit_counts_the_same_runs | Ana knocked: {HIGH_ACE}; Beto: {CORNER}
    | Beto>Ana 13 deadwood KR-6; Beto>Ana 25 rum-bonus KR-6 | cards="7" ace=high-or-low knock_limit="0"
kr_11_seven_cards_for_two | Ana knocked: {FIVE}; Beto: {ALSO_FIVE} | | cards="7"
kr_11_ten_cards_for_three | {TEN_FOR_THREE} | Beto>Ana 5 deadwood KR-3; Caro>Ana 38 deadwood KR-3 | cards="10"
"""

ROUNDS += f"""
kr_11_six_cards_for_five | {ALL_SIX}
    | Beto>Ana 25 deadwood KR-3; Caro>Ana 22 deadwood KR-3; Dani>Ana 10 deadwood KR-3; Eli>Ana 11 deadwood KR-3;
    Eli>Ana 10 knocker-penalty KR-3 | cards=fewer
kr_11_six_players | {ALL_SIX}; Flor: {SIXTH}
    | Beto>Ana 25 deadwood KR-3; Caro>Ana 22 deadwood KR-3; Dani>Ana 10 deadwood KR-3; Eli>Ana 11 deadwood KR-3;
    Flor>Ana 41 deadwood KR-3; Eli>Ana 10 knocker-penalty KR-3 | cards=fewer
kr_12_everybody_below | Ana: {TEN}; Beto: {FIVE}; Caro knocked: {SEVENTEEN}
    | Ana>Beto 5 deadwood KR-3; Caro>Beto 12 deadwood KR-3; Caro>Ana,Beto 10 knocker-penalty KR-12 | {BELOW}
kr_12_nobody_is_below | Ana knocked: {FIVE}; Beto: {ALSO_FIVE}; Caro: {TEN} | Caro>Beto 5 deadwood KR-4 | {BELOW}
kr_12_the_tied_are_below | Ana knocked: {TEN}; Beto: {FIVE}; Caro: {ALSO_FIVE}
    | Ana>Beto 3 deadwood KR-5; Ana>Caro 2 deadwood KR-5; Ana>Beto,Caro 10 knocker-penalty KR-12 | {BELOW}
kr_13_laid_off | Ana knocked: 4s 4h 4d 6c 7c 8c Ks; Beto: 4c 9c Tc Qh Qd Qs 2h; Caro: {SEVENTEEN}
    | Ana>Beto 8 deadwood KR-3; Caro>Beto 10 deadwood KR-3; Ana>Beto 10 knocker-penalty KR-3 | lay_offs=true
kr_13_not_on_a_rum | Ana knocked: {ZERO}; Beto: Tc Jc Qs 2h 2d 9d Ah; Caro: {SEVENTEEN}
    | Beto>Ana 44 deadwood KR-6; Caro>Ana 17 deadwood KR-6; Beto,Caro>Ana 25 rum-bonus KR-6 | lay_offs=true
kr_13_all_around_the_corner | Ana knocked: 3c 4c 5c 6c 7c 8c Kd; Beto: 9c Tc Jc Qc Kc Ac 2c
    | Ana>Beto 10 deadwood KR-3; Ana>Beto 10 knocker-penalty KR-3 | lay_offs=true ace=round-the-corner cards="7"
kr_13_nothing_follows_a_high_ace | Ana knocked: Qs Ks As 4h 4d 4c 2s; Beto: Js 2c 9h 9d 9c 7h 8d
    | Beto>Ana 15 deadwood KR-3 | lay_offs=true ace=high-or-low cards="7"
kr_14_nobody_pays_yet | Ana kept=20 knocked: {FIVE}; Beto kept=7: {TEN}; Caro: {SEVENTEEN} | | total=50
kr_14_the_total | Ana kept=33 knocked: {FIVE}; Beto kept=7: {TEN}; Caro: {SEVENTEEN}
    | Beto>Ana 86 points KR-14; Caro>Ana 100 points KR-14 | total=50 stake=2
kr_14_somebody_else_has_more | Ana kept=48 knocked: {TEN}; Beto kept=48: {FIVE}; Caro: {SEVENTEEN}
    | Ana>Beto 27 points KR-14; Caro>Beto 75 points KR-14 | total=50
kr_14_equally_many_share
    | Ana kept=41: {FIVE}; Beto kept=42: {ALSO_FIVE}; Caro kept=2 knocked: {TEN}; Dani kept=1: {SEVENTEEN}
    | Caro>Ana 53 points KR-14; Dani>Ana 1 points KR-14; Dani>Beto 53 points KR-14 | total=50
kr_14_the_odd_chip_is_not_paid
    | Ana kept=42: {FIVE}; Beto kept=42: {ALSO_FIVE}; Caro kept=2 knocked: {TEN}; Dani kept=1: {SEVENTEEN}
    | Caro>Ana 53 points KR-14; Dani>Beto 53 points KR-14 | total=50 odd_chips=unpaid
"""

BAD = f"""
kr_14_negative | Ana kept=-1 knocked: {FIVE}; Beto: {TEN}; Caro: {SEVENTEEN} | round.kept.Ana bad-value | total=50
kr_9_by_counted_points | Ana knocked counts=6; Beto counts=9; Caro counts=71
    | round.points.Ana invalid-knock; round.points.Caro bad-value | knock_limit="5"
kr_9_above_the_limit | Ana knocked: {LONG_TEN}; Beto: {LONG_FIVE} | round.hands.Ana invalid-knock | knock_limit="5"
kr_9_only_with_no_deadwood | Ana knocked: {LONG_FIVE}; Beto: {LONG_TEN} | round.hands.Ana invalid-knock
    | knock_limit="0"
kr_9_the_others_may_have_more | Ana: {LONG_TEN}; Beto knocked: {LONG_FIVE}; Caro: 2s
    | round.hands.Ana wrong-hand-size; round.hands.Beto wrong-hand-size; round.hands.Caro wrong-hand-size
    | knock_limit="5"
kr_9_a_text | Ana knocked: {LONG_FIVE}; Beto: {LONG_TEN} | rules.knock_limit bad-rule-value | knock_limit=5
kr_11_five_with_ten_cards_each | Ana knocked; Beto; Caro; Dani; Eli | players too-many-players | cards="10"
kr_11_six_with_ten_cards_each | Ana knocked; Beto; Caro; Dani; Eli; Flor | players too-many-players | cards="10"
kr_11_ten_cards_where_seven_are_played | Ana knocked: {LONG_FIVE}; Beto: {LONG_TEN}
    | round.hands.Ana wrong-hand-size; round.hands.Beto wrong-hand-size | cards="7"
ten_cards_for_three | Ana: {LONG_FIVE}; Beto: {ALSO_FIVE}; Caro: 6h 7h 8s 2d 3d 4c Ts
    | round.hands.Ana wrong-hand-size
six_players | Ana; Beto; Caro; Dani; Eli; Flor | players too-many-players
seven_players | Ana; Beto; Caro; Dani; Eli; Flor; Gil | players too-many-players | cards=fewer
kr_13_the_knockers_cards_are_needed | Ana knocked counts=5; Beto: {TEN}; Caro counts=20 | round.points.Ana bad-value
    | lay_offs=true
no_ante_here | Ana: {LONG_FIVE}; Beto: {LONG_TEN} | rules.ante unknown-rule | ante=1
nobody_drops_here | Ana dropped: {LONG_FIVE}; Beto: {LONG_TEN} | round.dropped unknown-field
"""


@each_row(HANDS, Hand)
def test_kr_2_deadwood(row: Hand) -> None:
    free = [rank + suit for suit in "dcsh" for rank in "T9876543" if rank + suit not in row.cards]
    seats = f"Ana: {row.cards}; Beto: {' '.join(free[:7])}; Caro: {' '.join(free[7:14])}"
    shown = hand_of("Ana", settled(document(GAME, seats)))
    assert (shown["category"], shown["description"]) == ("deadwood", row.description)
    assert shown["unmatched"] == row.category.split()
    assert type(shown["points"]) is int
    assert str(shown["points"] or "no") == row.description.split()[0]
    assert sorted(sum(shown["melds"], shown["unmatched"])) == sorted(row.cards.split())


@pytest.mark.parametrize(
    ("seats", "winners", "placed"),
    [
        (f"Ana knocked: {FIVE}; Beto: {ALSO_FIVE}; Caro: {TEN}", ["Beto"], "1 Ana, 1 Beto, 3 Caro"),
        (f"Ana: {OTHER_ZERO}; Beto knocked: {ZERO}; Caro: {SEVENTEEN}", ["Beto"], "1 Ana, 1 Beto, 3 Caro"),
        (f"Ana: {OTHER_ZERO}; Beto: {ZERO}; Caro knocked: {SEVENTEEN}", ["Ana", "Beto"], "1 Ana, 1 Beto, 3 Caro"),
    ],
)
def test_kr_4_to_6_winners_of_a_tie(seats: str, winners: list[str], placed: str) -> None:
    settlement = settled(document(GAME, seats))
    assert (settlement["winners"], places(settlement)) == (winners, placed)


def test_kr_8_what_is_not_paid_is_told() -> None:
    seats = f"Ana knocked: {TEN}; Beto: {FIVE}; Caro: {ALSO_FIVE}; Dani: {SEVENTEEN}"
    told = settled(document(GAME, seats, UNPAID))["transfers"]
    assert [one["amount"] for one in told if str(one).count("less what can't be shared, 1")] == [11]


def test_kr_1_a_carried_pot_stays_as_it_is() -> None:
    settlement = settled(document(GAME, f"Ana knocked: {LONG_FIVE}; Beto: {LONG_TEN}", pot=9))
    assert settlement["pot"] == {"opening": 9, "in": 0, "out": 0, "closing": 9}


def unpaid(deadwood: dict[str, int], knocker: str, stake: int) -> dict[str, int]:
    """Settle a tie unit by unit: the last debtor keeps one unit until the rest can be shared."""
    least = min(deadwood.values())
    tied = [player for player in deadwood if deadwood[player] == least]
    takers = [player for player in tied if player != knocker]
    owed = {player: (deadwood[player] - least) * stake for player in deadwood}
    owed[knocker] += 10 * stake * (knocker not in tied)
    while sum(owed.values()) % len(takers):
        last = [player for player in owed if owed[player]][-1]
        owed[last] -= 1
    each = sum(owed.values()) // len(takers)
    return {player: each * (player in takers) - owed[player] for player in deadwood}


@given(st.data())
def test_kr_8_counted_unit_by_unit(data: st.DataObject) -> None:
    """Hands with 5 points, and perhaps one with more, in any seats; the dealer sits last."""
    rest = ["6h 7h 8h 2d 3d 4d Ts", "Jh Jd Js 3h 3s 5c 6d", "Qs Qh Td Th 8d 7d 2h", "Kc Qd Jc 9c 8c 2s 4s"]
    hands = data.draw(st.permutations([FIVE, ALSO_FIVE, THIRD_FIVE]))[: data.draw(st.integers(2, 3))]
    free = [hand for hand in rest if not any(set(hand.split()) & set(other.split()) for other in hands)]
    hands += [data.draw(st.sampled_from(free))] if free else []
    seats = data.draw(st.permutations(hands))
    names = ["Ana", "Beto", "Caro", "Dani"][: len(seats)]
    knocker, stake = data.draw(st.sampled_from(names)), data.draw(st.integers(1, 7))
    marked = [f"{name}{' knocked' * (name == knocker)}: {hand}" for name, hand in zip(names, seats, strict=True)]
    settlement = settled(document(GAME, "; ".join(marked), UNPAID, stake=stake))
    deadwood = {hand["player"]: hand["points"] for hand in settlement["hands"]}
    in_order = {name: deadwood[name] for name in names}
    assert settlement["net"] == unpaid(in_order, knocker, stake)


def plain_points(deadwood: dict[str, int], knocker: str | None) -> dict[str, int]:
    """Write down what the players of a round get, point by point; they are in turn order."""
    least = min(deadwood.values())
    got = dict.fromkeys(deadwood, 0)
    if knocker is not None and not deadwood[knocker]:
        got[knocker] = sum(deadwood.values()) + 25 * (len(deadwood) - 1)
        return got
    tied = [player for player in deadwood if deadwood[player] == least]
    takers = [player for player in tied if player != knocker or len(tied) == 1]
    paid = sum(deadwood[player] - least for player in deadwood) + 10 * (knocker is not None and knocker not in tied)
    for point in range(paid):
        got[takers[point % len(takers)]] += 1
    return got


@given(
    st.lists(st.tuples(st.lists(st.integers(0, 12), min_size=3, max_size=3), st.integers(-1, 2)), max_size=12),
    st.integers(1, 60),
    st.integers(1, 7),
)
def test_kr_14_a_whole_game_on_paper(rounds: list[tuple[list[int], int]], total: int, stake: int) -> None:
    """Each round is told the points on paper; as soon as somebody has the total, the others pay what they lack."""
    names = ["Ana", "Beto", "Caro"]  # Caro deals
    paper = dict.fromkeys(names, 0)
    for deadwood, at in rounds:
        knocker = names[at] if at >= 0 else None
        seats = (
            f"{name}{' knocked' * (name == knocker)} counts={points} kept={paper[name]}"
            for name, points in zip(names, deadwood, strict=True)
        )
        settlement = settled(document(GAME, "; ".join(seats), f"total={total}", stake=stake))
        got = plain_points(dict(zip(names, deadwood, strict=True)), knocker)
        paper = {name: paper[name] + got[name] for name in names}
        due = dict.fromkeys(names, 0)
        if max(paper.values()) >= total:
            first = [name for name in names if paper[name] == max(paper.values())]
            for name in names:
                due[name] -= stake * (paper[first[0]] - paper[name])
            for chip in range(-sum(due.values())):
                due[first[chip % len(first)]] += 1
            paper = dict.fromkeys(names, 0)
        assert settlement["net"] == due
        assert settlement["kept"]["closing"] == paper


LINES = {
    "low": ["A23456789TJQK"],
    "high-or-low": ["A23456789TJQK", "23456789TJQKA"],
    "round-the-corner": ["A23456789TJQKA23456789TJQ"],
}


def is_meld(cards: Sequence[str], ace: str) -> bool:
    """Return whether three or more cards are a set or a run."""
    ranks = {card[0] for card in cards}
    if len(cards) < 3 or len(ranks) == 1:
        return len(cards) >= 3
    in_a_row = (line[at : at + len(cards)] for line in LINES[ace] for at in range(len(line)))
    is_run = any(ranks == {*part} and len(part) == len(cards) == len(ranks) for part in in_a_row)
    return is_run and len({card[1] for card in cards}) == 1


def plain_deadwood(cards: frozenset[str], ace: str) -> int:
    """Try every meld for a first card, or none."""
    if not cards:
        return 0
    first = min(cards)
    rest = cards - {first}
    worth = {"A": 1, "T": 10, "J": 10, "Q": 10, "K": 10}.get(first[0], 0) or int(first[0])
    found = [worth + plain_deadwood(rest, ace)]
    for size in range(2, len(cards)):
        for others in combinations(sorted(rest), size):
            if is_meld((first, *others), ace):
                found.append(plain_deadwood(rest - {*others}, ace))
    return min(found)


def plain_laid_off(cards: frozenset[str], melds: list[list[str]], ace: str) -> int:
    """Try to add every card to every meld, again and again."""
    found = [plain_deadwood(cards, ace)]
    for at, meld in enumerate(melds):
        for card in cards:
            if is_meld([*meld, card], ace):
                longer = [*melds[:at], [*meld, card], *melds[at + 1 :]]
                found.append(plain_laid_off(cards - {card}, longer, ace))
    return min(found)


@pytest.mark.parametrize("ace", LINES)
def test_kr_13_every_lay_off_is_tried(ace: str) -> None:
    """The knocker has two melds; the others' cards are often next to them."""
    random, lower = Random(13), 0
    for _ in range(60):
        first, suit, rank = random.randrange(10), random.choice("shdc"), random.choice("A23456789TJQK")
        start = random.choice(LINES[ace])
        run = [one + suit for one in start[first : first + random.randint(3, 4)]]
        same = [rank + one for one in random.sample("shdc", 3) if rank + one not in run]
        held = [*run, *(same if len(same) == 3 else [])]
        deck = [one + other for one in LINES["low"][0] for other in "shdc"]
        near = [card for card in deck if card[1] == suit or card[0] == rank]
        rest = [card for card in random.sample(deck, 52) if card not in held]
        knocker = [*held, *rest][:7]
        near = [card for card in random.sample(near, len(near)) if card not in knocker]
        mine = [*near[:4], *(card for card in rest if card not in knocker and card not in near[:4])][:7]
        third = [card for card in rest if card not in knocker and card not in mine][:7]
        seats = f"Ana knocked: {' '.join(knocker)}; Beto: {' '.join(mine)}; Caro: {' '.join(third)}"
        settlement = settled(document(GAME, seats, f"lay_offs=true ace={ace}"))
        knocked, beto, caro = (hand_of(player, settlement) for player in ("Ana", "Beto", "Caro"))
        on = knocked["melds"] if knocked["points"] else []
        for shown, cards in ((beto, mine), (caro, third)):
            assert shown["points"] == plain_laid_off(frozenset(cards), on, ace), (seats, ace)
            assert sorted(sum(shown["melds"], shown["unmatched"])) == sorted(cards)
            lower += shown["points"] < plain_deadwood(frozenset(cards), ace)
    assert lower > 20


def test_kr_10_runs_are_named_from_end_to_end() -> None:
    written = document(GAME, f"Ana knocked: {HIGH_ACE}; Beto: {CORNER}", 'cards="7" ace=round-the-corner')
    melds = hand_of("Beto", settled(written))["melds"]
    assert [sorted(meld) for meld in melds] == [["2d", "Ad", "Kd"], ["9c", "Jc", "Qc", "Tc"]]
    game, round = entered(written)
    said = game.describe_cards(round.hands["Beto"], round)
    assert str(said) == "king to two of diamonds and nine to queen of clubs; no deadwood"


# hands with other runs are not counted. Rule: KR-10
RARITY = f"""
{ZERO} | 1 in 32,630 | cards="7"
{FIVE} | 1 in 1,743 | cards="7"
{LONG_ZERO} | 1 in 115,733
{LONG_FIVE} | 1 in 7,873
{LONG_FIVE} | None | ace=high-or-low
"""

test_round = settles(GAME, ROUNDS)
test_bad_round = refuses(GAME, BAD)
test_rarity = is_as_rare(GAME, RARITY, "Ana: {}; Beto: {other}")
