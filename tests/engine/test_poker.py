"""Poker ranking against published counts, treys, combinatorics, and brute force over what wild cards can stand for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations_with_replacement
from random import Random

import pytest
import treys
from tables import table

from companion.engine.hands.poker import HIGH_TO_LOW, LEVELS, NAMES, PokerOrder, categories, heights
from companion.engine.hands.straights import straight_top
from companion.engine.pieces.cards import FRENCH, FRENCH_WITH_JOKER, SPANISH_40, SPANISH_48, Card, CardSet, french

LOW_TO_HIGH = (
    "high-card",
    "pair",
    "two-pairs",
    "three-of-a-kind",
    "straight",
    "flush",
    "full-house",
    "four-of-a-kind",
    "straight-flush",
    "royal-flush",
    "five-of-a-kind",
)
TWO_JOKERS = french(2)


def hand_of(cards: CardSet, typed: str) -> tuple[Card, ...]:
    return tuple(card for token in cards.tokens(typed) if (card := cards.find(token)))


def test_categories_from_high_to_low() -> None:
    assert tuple(reversed(HIGH_TO_LOW)) == LOW_TO_HIGH
    assert sorted(LEVELS, key=LEVELS.__getitem__) == list(LOW_TO_HIGH)


def one_hand_of_every_strength() -> Iterator[tuple[Card, ...]]:
    """Every choice of five ranks in mixed suits, and of five different ranks in one suit."""
    by_rank = list(zip(*FRENCH.groups, strict=True))
    for ranks in combinations_with_replacement(range(13), 5):
        if max(Counter(ranks).values()) < 5:
            suits = [ranks[:at].count(rank) for at, rank in enumerate(ranks)]
            if suits == [0] * 5:
                yield tuple(by_rank[rank][0] for rank in ranks)
                suits[-1] = 1
            yield tuple(by_rank[rank][suit] for rank, suit in zip(ranks, suits, strict=True))


def test_all_7462_strengths_and_20000_hands_rank_as_in_treys() -> None:
    order, evaluate = PokerOrder(FRENCH), treys.Evaluator().evaluate
    in_treys = {card: treys.Card.new(card.text) for card in FRENCH.pieces}
    ladder = sorted({order.strength(hand) for hand in one_hand_of_every_strength()}, reverse=True)
    dense = {strength: rank for rank, strength in enumerate(ladder, 1)}
    assert len(dense) == 7462
    random = Random(7462)
    sample = [tuple(random.sample(FRENCH.pieces, 5)) for _ in range(20_000)]
    for hand in (*one_hand_of_every_strength(), *sample):
        assert dense[order.strength(hand)] == evaluate([], [in_treys[card] for card in hand]), hand


# --- wild cards, against brute force over ranks and suits ---

ORDERS = {
    "french": "23456789TJQKA",
    "40": [str(n) for n in (*range(2, 8), 10, 11, 12, 1)],
    "48": [str(n) for n in (*range(2, 13), 1)],
}
Pair = tuple[int, str]  # a card as its rank, 0 for the 2, and its suit


def pairs(hand: Sequence[Card], ranks: Sequence[str]) -> list[Pair]:
    return [(ranks.index(card.text[:-1]), card.text[-1]) for card in hand]


@cache
def plain_value(ranks: tuple[int, ...], one_suit: bool, number_of_ranks: int) -> tuple[int, tuple[int, ...]]:
    """Evaluate five cards, given as ranks from high to low with duplicates allowed, in the simplest way."""
    groups = sorted(((number, rank) for rank, number in Counter(ranks).items()), reverse=True)
    shape = [number for number, _ in groups]
    by_group = tuple(rank for _, rank in groups)
    ace = number_of_ranks - 1
    top = None
    if shape == [1, 1, 1, 1, 1] and ranks[0] - ranks[4] == 4:
        top = ranks[0]
    elif ranks == (ace, 3, 2, 1, 0):
        top = 3
    if shape == [5]:
        category, order = "five-of-a-kind", by_group
    elif one_suit and top is not None:
        category, order = ("royal-flush" if top == ace else "straight-flush"), (top,)
    elif shape == [4, 1]:
        category, order = "four-of-a-kind", by_group
    elif shape == [3, 2]:
        category, order = "full-house", by_group
    elif one_suit:
        category, order = "flush", ranks
    elif top is not None:
        category, order = "straight", (top,)
    else:
        names = {3: "three-of-a-kind", 2: "pair", 1: "high-card"}
        category, order = ("two-pairs" if shape == [2, 2, 1] else names[shape[0]]), by_group
    return LOW_TO_HIGH.index(category), order


def value_of(cards: Sequence[Pair], number_of_ranks: int) -> tuple[int, tuple[int, ...]]:
    ranks = tuple(sorted((rank for rank, _ in cards), reverse=True))
    return plain_value(ranks, len({suit for _, suit in cards}) == 1, number_of_ranks)


def brute_force(
    natural: Sequence[Pair], wild: int, number_of_ranks: int, suits: str, five_of_a_kind: bool
) -> tuple[int, tuple[int, ...]]:
    """Try every card of the deck for every wild card, including those in the hand.

    For three and four wild cards only two suits are tried, one of them the hand's: more suits give no other hands.
    """
    if wild > 2:
        suits = natural[0][1] + next(suit for suit in suits if suit != natural[0][1])
    everything = [(rank, suit) for suit in suits for rank in range(number_of_ranks)]
    hands = ((*natural, *some) for some in combinations_with_replacement(everything, wild))
    values = {value_of(hand, number_of_ranks) for hand in hands}
    fives = LOW_TO_HIGH.index("five-of-a-kind")
    return max(value for value in values if five_of_a_kind or value[0] != fives)


def rare_and_random(cards: Sequence[Card], number: int, size: int, seed: str) -> Iterator[tuple[Card, ...]]:
    """Alternate hands of one suit, of neighbours in one suit or any, of two or three ranks, and of random cards."""
    random = Random(seed)
    suits = sorted({card.suit for card in cards})
    for at in range(number):
        low, suit = random.randrange(-1, 10), random.choice(suits)
        near = [card for card in cards if card.height in range(low, low + 5) or (low == -1 and card.rank == 1)]
        some = set(random.sample(range(10), 3))
        choices = [
            [card for card in cards if card.suit == suit],
            [card for card in near if card.suit == suit],
            near,
            [card for card in cards if card.height in some],
            cards,
        ][at % 5]
        yield tuple(random.sample(choices if len(choices) >= size else cards, size))


# cards, the order of ranks, the wild cards, {number of wild cards in the hand: number of hands tried}
WILD = {
    "one joker": (FRENCH_WITH_JOKER, "french", "Jk", {1: 250}),
    "two jokers": (TWO_JOKERS, "french", "Jk", {0: 50, 1: 50, 2: 50}),
    "wild sevens": (FRENCH, "french", "7c 7d 7h 7s", {0: 50, 1: 75, 2: 50, 3: 20, 4: 4}),
    "wild aces": (FRENCH, "french", "Ac Ad Ah As", {0: 50, 1: 75, 2: 50, 3: 20, 4: 4}),
    "wild kings": (FRENCH, "french", "Kc Kd Kh Ks", {1: 75, 2: 50, 3: 20, 4: 4}),
    "wild twos": (FRENCH, "french", "2c 2d 2h 2s", {1: 75, 2: 50, 3: 20, 4: 4}),
    "yuca of 40": (SPANISH_40, "40", "2o", {0: 75, 1: 250}),
    "yuca of 48": (SPANISH_48, "48", "2o", {0: 75, 1: 250}),
}
WILD_ROWS = [
    pytest.param(*row[:3], wild, number, five, id=f"{key}, {wild} in hand, five of a kind {'on' if five else 'off'}")
    for key, row in WILD.items()
    for wild, number in row[3].items()
    for five in (True, False)
]


@pytest.mark.parametrize(("cards", "order_key", "wild_texts", "wild", "number", "five"), WILD_ROWS)
def test_wild_cards_make_the_best_hand_of_all_cards(
    cards: CardSet, order_key: str, wild_texts: str, wild: int, number: int, five: bool
) -> None:
    ranks = ORDERS[order_key]
    wild_cards = hand_of(cards, wild_texts)
    order = PokerOrder(cards, wild_cards, five_of_a_kind=five)
    held = (wild_cards * 2)[:wild]
    others = [card for card in cards.pieces if card not in wild_cards]
    for natural in rare_and_random(others, number, 5 - wild, f"{wild_texts} {wild}"):
        expected = brute_force(pairs(natural, ranks), wild, len(ranks), cards.suits, five)
        hand = (*held, *natural)
        strength = order.strength(hand)
        assert (LOW_TO_HIGH.index(strength.category), strength.ranks) == expected, hand
        assert order.strength((*natural, *held)) == strength
        reading = order.read(hand)
        assert reading.strength == strength
        if wild == 0:
            assert reading.wild_as is None
            continue
        stands_for = [card for card in reading.wild_as or () if isinstance(card, Card)]
        assert len(stands_for) == wild
        assert all(card in cards.pieces and not card.is_joker for card in stands_for)
        assert value_of(pairs((*natural, *stands_for), ranks), len(ranks)) == expected, (hand, stands_for)


SETS = {"52": FRENCH, "53": FRENCH_WITH_JOKER, "54": TWO_JOKERS, "40": SPANISH_40, "48": SPANISH_48}
# cards | hand | category | what it says | what the wild cards stand for, if only one hand is as good | wild
READ = """
53 | Ah Kh 9h 5h Jk | flush | flush, ace high | Ah
53 | 9s 9h 9d 9c Jk | five-of-a-kind | five of a kind, nines
53 | Ah Kh Jh Th Jk | royal-flush | royal flush | Qh
53 | Ah 2h 3h 5h Jk | straight-flush | straight flush, five high | 4h
52 | 2c 3h 4d 7s Ac | straight | straight, five high | | 7c 7d 7h 7s
54 | Kh Jk Jk 3d 3s | four-of-a-kind | four of a kind, threes | 3c 3h
40 | 7b 10b 11e 12c 2o | straight | straight, ace high | | 2o
48 | 9b 10b 11e 12c 2o | straight | straight, ace high | | 2o
48 | 6b 7b 10e 11c 2o | pair | pair of Caballos | | 2o
52 | 9s 9h 9d 4c 4d | full-house | full house, nines over fours
52 | 9s 9h 6d 6c 4d | two-pairs | two pair, nines and sixes
52 | 6s 6h 6d 5c 4d | three-of-a-kind | three of a kind, sixes
52 | 6s 6h As 5c 4d | pair | pair of sixes
52 | Ks Qh Jd Tc 8h | high-card | high card, king
"""


@pytest.mark.parametrize("row", table(READ), ids=" ".join)
def test_read_says_what_it_is(row: tuple[str, ...]) -> None:
    key, typed, category, words, *more = row
    stands_for, wild = (*more, "", "")[:2]
    reading = PokerOrder(SETS[key], hand_of(SETS[key], wild)).read(hand_of(SETS[key], typed))
    assert reading.strength.category == category
    assert str(reading.description) == words
    assert str(reading.name) == str(NAMES[category])
    if stands_for:
        assert sorted(card.text for card in reading.wild_as or ()) == stands_for.split()


def test_dr_4_five_of_a_kind_off_reads_four_kings_with_an_ace() -> None:
    order = PokerOrder(TWO_JOKERS, five_of_a_kind=False)
    reading = order.read(hand_of(TWO_JOKERS, "Ks Kh Kd Kc Jk"))
    assert reading.strength.category == "four-of-a-kind"
    assert [str(word) for word in reading.details] == ["kings", "ace"]


def test_every_strength_has_a_phrase_for_each_of_its_ranks() -> None:
    order = PokerOrder(FRENCH)
    for hand in one_hand_of_every_strength():
        reading = order.read(hand)
        assert len(reading.details) == len(reading.strength.ranks)
        assert reading.wild_as is None
        assert sorted(heights(reading.strength, 13)) == sorted(card.height for card in hand)


@pytest.mark.parametrize(
    ("held", "number_of_ranks", "length", "top"),
    [
        ((12, 11, 10, 9, 8), 13, 5, 12),
        ((12, 3, 2, 1, 0), 13, 5, 3),
        ((12, 11, 2, 1, 0), 13, 5, None),
        ((4, 3, 2, 1, 0), 13, 5, 4),
        ((7, 6), 13, 5, 10),
        ((0,), 13, 5, 4),
        ((12, 0), 13, 5, 3),
        ((12, 4), 13, 5, None),
        ((12, 4), 13, 6, 4),
        ((12, 4, 3, 2, 1, 0), 13, 6, 4),
        ((12, 5, 4, 3, 2, 1), 13, 6, None),
        ((9, 8, 7, 6, 5, 4), 10, 6, 9),
        ((9,), 10, 5, 9),
    ],
    ids=str,
)
def test_top_of_the_highest_straight(held: tuple[int, ...], number_of_ranks: int, length: int, top: int | None) -> None:
    assert straight_top(held, number_of_ranks, length) == top


@pytest.mark.parametrize("category", categories(), ids=lambda category: category.key)
def test_example_of_a_category_is_one(category: object) -> None:
    key, example = category.key, category.example  # type: ignore[attr-defined]
    assert PokerOrder(FRENCH_WITH_JOKER).strength(hand_of(FRENCH_WITH_JOKER, example)).category == key


def test_categories_can_be_left_out() -> None:
    assert [c.key for c in categories()] == list(reversed(LOW_TO_HIGH))
    assert [c.key for c in categories("royal-flush", "pair")] == [
        key for key in reversed(LOW_TO_HIGH) if key not in ("royal-flush", "pair")
    ]
