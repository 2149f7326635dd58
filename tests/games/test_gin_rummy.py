"""Gin Rummy: a knock, gin, an undercut, cards laid off, and refusals; every layout is tried for the check."""

from __future__ import annotations

from itertools import combinations
from random import Random
from typing import Any

import pytest
from rounds import document, hand_of, is_as_rare, orders, reads, refuses, settled, settles

GAME = "gin-rummy"
MELDS = "4s 4h 4d 6c 7c 8c Js Jh Jd"  # nine cards without deadwood
GIN, NINE = "4s 4h 4d 6c 7c 8c 9c Js Jh Jd", f"{MELDS} 9d"
LOSES, TIES, FEWER = "9h Tc Kh Ks Kd 2s 3s Ah 7h 5d", "As 2s 3s Kh Kd Ks Qs Qh Qd 9s", "As 2s 3s Kh Kd Ks Qs Qh Qd 2h"
LAYS = "9c Tc 4c As 2s 3s Kh Ks Kd 5d"  # the nine and ten to the clubs, the four to the fours

HANDS = f"""
{NINE} | deadwood | 9 deadwood
As 2s 3s 9s 9h 9c Kh Kd Ks Ac | deadwood | 1 deadwood
"""
ORDER = f"""
{NINE} > {LOSES}
{NINE} = {TIES}
"""
ROUNDS = f"""
gi_1_aces_and_courts | Ana knocked: As 2s 3s 4s 5s 6s 9h 9d 9c Ah; Beto: Kd Qh Jc 8d 7h 6d 4c 3d 2h Kh
    | Beto>Ana 69 deadwood GI-5
gi_2_an_ace_is_low | Ana knocked: {FEWER}; Beto: Qc Kc Ac 4h 4d 4s 8h 8d 8s 5c | Beto>Ana 4 deadwood GI-5
gi_3_a_lower_limit | Ana knocked: {NINE}; Beto: {LOSES} | Beto>Ana 28 deadwood GI-5 | knock_limit="9"
gi_3_ten | Ana knocked: {MELDS} Td; Beto: {LOSES} | Beto>Ana 27 deadwood GI-5
gi_4_laid_off | Ana knocked: {NINE}; Beto: {LAYS} | Ana>Beto 4 deadwood GI-6; Ana>Beto 10 undercut GI-6
gi_4_not_on_gin | Ana knocked: {GIN}; Beto: Tc 4c 5c As 2s 3s Kh Ks Kd 5d
    | Beto>Ana 24 deadwood GI-7; Beto>Ana 20 gin GI-7
gi_5_the_difference | Ana knocked: {NINE}; Beto: {LOSES} | Beto>Ana 700 deadwood GI-5 | stake=25 pot=7
gi_6_undercut | Ana knocked: {NINE}; Beto: {FEWER} | Ana>Beto 7 deadwood GI-6; Ana>Beto 10 undercut GI-6
gi_6_as_little | Ana knocked: {NINE}; Beto: {TIES} | Ana>Beto 25 undercut GI-6 | undercut_bonus=25
gi_6_no_bonus | Ana: {TIES}; Beto knocked: {NINE} | | undercut_bonus=0
gi_7_gin | Ana: {LOSES}; Beto knocked: {GIN} | Ana>Beto 37 deadwood GI-7; Ana>Beto 25 gin GI-7 | gin_bonus=25
gi_7_gin_ties | Ana counts=0; Beto knocked counts=0 | Ana>Beto 20 gin GI-7
gi_8_the_pot_stays | Ana counts=3; Beto knocked counts=0 | Ana>Beto 3 deadwood GI-7; Ana>Beto 20 gin GI-7 | pot=3
gi_9_told | Ana knocked counts=7; Beto counts=31 | Beto>Ana 24 deadwood GI-5
gi_9_an_undercut_told | Ana knocked counts=7; Beto counts=5 | Ana>Beto 2 deadwood GI-6; Ana>Beto 10 undercut GI-6
gi_10_nobody_pays_yet | Ana knocked counts=7 kept=20; Beto counts=31 kept=3 | | total=100
gi_10_the_total | Ana knocked counts=7 kept=90; Beto counts=31 kept=3 | Beto>Ana 222 points GI-10 | total=100 stake=2
gi_10_equally_many | Ana knocked counts=7 kept=76; Beto counts=31 kept=100 | | total=100
"""
BAD = f"""
a_high_ace | Ana knocked: Qs Ks As 9h 9d 9c 3h 4h 5h 6h; Beto: 2c 3c 4c 5c 6c 7c 8d Td Jd Qd
    | round.hands.Ana invalid-knock
too_much_to_knock | Ana: {NINE}; Beto knocked: {LOSES} | round.hands.Beto invalid-knock
too_much_for_the_table | Ana knocked: {NINE}; Beto: {LOSES} | round.hands.Ana invalid-knock | knock_limit="8"
too_much_told | Ana knocked counts=11; Beto counts=5 | round.points.Ana invalid-knock
one_told_one_shown | Ana knocked counts=7; Beto: {LOSES} | round.hands.Beto bad-value
gi_8_nobody_knocked | Ana counts=7; Beto counts=9 | round.knocker missing-field
nothing_is_shown | Ana: {NINE}; Beto knocked | round.hands.Beto missing-hand
eleven_cards | Ana knocked: {NINE} 2h; Beto: {LOSES} | round.hands.Ana wrong-hand-size
three_players | Ana knocked; Beto; Caro | players too-many-players
more_than_a_hand_has | Ana knocked counts=1; Beto counts=101 | round.points.Beto bad-value
a_limit_above_ten | Ana knocked: {NINE}; Beto: {LOSES} | rules.knock_limit bad-rule-value | knock_limit="11"
"""
RARITY = "As 2s 3s 9s 9h 9c Kh Kd Ks Ac | 1 in 35,189"

DECK = [rank + suit for suit in "cdhs" for rank in "A23456789TJQK"]
RANKS = "A23456789TJQK"
Cards = frozenset[str]


def worth(cards: Cards) -> int:
    return sum(min(RANKS.index(card[0]) + 1, 10) for card in cards)


def is_meld(cards: Cards) -> bool:
    """Say whether some cards are a set or a run."""
    ranks, suits = sorted(RANKS.index(card[0]) for card in cards), {card[1] for card in cards}
    if len(cards) < 3:
        return False
    return len({*ranks}) == 1 or (len(suits) == 1 and ranks == [*range(ranks[0], ranks[0] + len(ranks))])


def plain_layouts(hand: Cards) -> list[tuple[Cards, ...]]:
    """Lay out a hand in every way, by trying all its parts of three cards and more."""
    melds = [frozenset(part) for size in range(3, len(hand) + 1) for part in combinations(sorted(hand), size)]
    found: list[tuple[Cards, ...]] = [()]
    for meld in filter(is_meld, melds):
        found += [(*layout, meld) for layout in found if not any(meld & other for other in layout)]
    return found


def plain_least(hand: Cards) -> int:
    return min(worth(hand - frozenset().union(*layout)) for layout in plain_layouts(hand))


def plain_reply(melds: tuple[Cards, ...], other: Cards) -> int:
    """Try every part of the other's hand, card by card put to a meld that stays one."""
    reached, least = {(melds, other)}, plain_least(other)
    while reached:
        reached = {
            ((*laid[:at], meld | {card}, *laid[at + 1 :]), left - {card})
            for laid, left in reached
            for at, meld in enumerate(laid)
            for card in left
            if is_meld(meld | {card})
        }
        least = min([least, *(plain_least(left) for left in {left for _, left in reached})])
    return least


def plain_gain(hand: Cards, other: Cards, limit: int = 10) -> int | None:
    """What a knocker gains, or loses, in stakes; None if the knock is refused."""
    least = plain_least(hand)
    if least > limit:
        return None
    if least == 0:
        return plain_least(other) + 20
    gains = []
    for layout in plain_layouts(hand):
        deadwood = worth(hand - frozenset().union(*layout))
        if deadwood <= limit:
            more = plain_reply(layout, other) - deadwood
            gains.append(more if more > 0 else more - 10)
    return max(gains)


@pytest.mark.parametrize("seed", range(60))
def test_gi_4_every_layout_and_every_card_laid_off(seed: int) -> None:
    random = Random(seed)
    ranks = RANKS[: random.choice([5, 6, 7])] if seed % 3 else RANKS[random.randrange(8) :][:6]
    deck = [card for card in DECK if card[0] in ranks]
    random.shuffle(deck)
    if seed % 4:  # many neighbours
        deck.sort(key=lambda card: (RANKS.index(card[0]) + random.randrange(3), card[1]))
    hands = {"Ana": deck[:10], "Beto": deck[10:20]}
    written: dict[str, Any] = document(GAME, "; ".join(f"{name}: {' '.join(hand)}" for name, hand in hands.items()))
    written["round"]["knocker"] = "Ana"
    gain = plain_gain(frozenset(hands["Ana"]), frozenset(hands["Beto"]))
    if gain is None:
        written["round"]["knocker"] = "Beto"
        gain = plain_gain(frozenset(hands["Beto"]), frozenset(hands["Ana"]))
        gain = None if gain is None else -gain
    if gain is None:
        pytest.skip("nobody may knock")
    assert settled(written)["net"] == {"Ana": gain, "Beto": -gain}


def test_gi_10_a_whole_game_on_paper() -> None:
    random, paper, games = Random(10), {"Ana": 0, "Beto": 0}, 0
    for _ in range(60):
        knocker, other = random.sample(list(paper), 2)
        less, more = random.randint(0, 10), random.randint(0, 60)
        counts = {knocker: less, other: more}
        seats = "; ".join(
            f"{name}{' knocked' * (name == knocker)} counts={counts[name]} kept={paper[name]}" for name in paper
        )
        settlement = settled(document(GAME, seats, "total=100", stake=5))
        if less == 0:
            paper[knocker] += more + 20
        elif more <= less:
            paper[other] += less - more + 10
        else:
            paper[knocker] += more - less
        due = {"Ana": 0, "Beto": 0}
        if max(paper.values()) >= 100:
            ahead = paper["Ana"] - paper["Beto"]
            due, paper = {"Ana": 5 * ahead, "Beto": -5 * ahead}, {"Ana": 0, "Beto": 0}
            games += 1
        assert settlement["net"] == due
        assert settlement["kept"]["closing"] == paper
    assert games > 5


def test_what_was_laid_off_is_told() -> None:
    settlement = settled(document(GAME, f"Ana knocked: {NINE}; Beto: {LAYS}"))
    assert hand_of("Beto", settlement)["description"] == "5 deadwood after laying off 4c, 9c and Tc"
    assert settlement["decided_by"] == "Beto undercuts Ana: 5 deadwood against 9 deadwood"
    assert {*hand_of("Beto", settlement)["unmatched"]} == {"5d", "4c", "9c", "Tc"}


test_gi_2_hand = reads(GAME, HANDS, "Ana knocked: {}; Beto: {other}")
test_gi_1_order = orders(GAME, ORDER, "Ana knocked: {}; Beto: {}")
test_round = settles(GAME, ROUNDS)
test_bad_round = refuses(GAME, BAD)
test_rarity = is_as_rare(GAME, RARITY, "Ana knocked: {}; Beto: {other}")
