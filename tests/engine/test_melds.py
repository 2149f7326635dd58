"""Least deadwood against rlcard's gin rummy and a brute force over all melds."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from itertools import combinations
from random import Random
from typing import get_args

import pytest
from cheap import takes_at_most
from rlcard.games.base import Card as OtherCard
from rlcard.games.gin_rummy.utils.melding import get_best_meld_clusters
from rlcard.games.gin_rummy.utils.utils import get_deadwood_count

from companion.engine.hands.melds import LOW, Ace, Arrangement, least_deadwood, runs_with, value
from companion.engine.pieces.cards import FRENCH, Card

ORDER = "A23456789TJQK"
POINTS = {rank: at if at < 10 else 10 for at, rank in enumerate(ORDER, 1)}
ORDERS: dict[Ace, str] = {"low": ORDER, "high-or-low": ORDER + "A", "round-the-corner": ORDER + ORDER[:-1]}


def hand_of(typed: str) -> list[Card]:
    return [card for token in FRENCH.tokens(typed) if (card := FRENCH.find(token))]


def is_set(cards: Sequence[str]) -> bool:
    return len(cards) in (3, 4) and len({card[0] for card in cards}) == 1


def points(cards: Iterable[str]) -> int:
    return sum(POINTS[card[0]] for card in cards)


def is_meld(cards: Sequence[str], ace: Ace) -> bool:
    """Return whether cards are a set, or a run in order without duplicates."""
    ranks = "".join(card[0] for card in cards)
    is_in_order = len(ranks) >= 3 and ranks in ORDERS[ace] and len(set(cards)) == len(cards)
    return is_set(cards) or (is_in_order and len({card[1] for card in cards}) == 1)


def laid(hand: Sequence[Card], ace: Ace = "low") -> Arrangement:
    """Lay out a hand: every card once, in a valid set or run or unmatched, and these add up to the deadwood."""
    found = least_deadwood(hand, runs_with(ace))
    melds = [[card.text for card in meld] for meld in found.melds]
    assert all(is_meld(meld, ace) for meld in melds), melds
    held = sorted([*(card for meld in melds for card in meld), *(card.text for card in found.unmatched)])
    assert held == sorted(card.text for card in hand)
    assert found.deadwood == points(card.text for card in found.unmatched)
    return found


def sample(number: int, size: int, seed: int) -> list[list[Card]]:
    """Alternate between random hands and hands of five neighbouring ranks."""
    random = Random(seed)
    hands = []
    for at in range(number):
        low = random.randint(1, 9)
        cards = [card for card in FRENCH.pieces if at % 2 or low <= card.rank < low + 5]
        hands.append(random.sample(cards, size))
    return hands


@pytest.mark.parametrize("part", range(4))
def test_deadwood_of_ten_cards_is_that_of_rlcard(part: int) -> None:
    for hand in sample(250, 10, seed=part):
        found = laid(hand)
        others = [OtherCard(rank=card.text[0], suit=card.text[1].upper()) for card in hand]
        clusters = get_best_meld_clusters(others)
        expected = get_deadwood_count(others, clusters[0]) if clusters else points(card.text for card in hand)
        assert found.deadwood == expected, hand


CASES = {
    "nothing": ("Ah 3d 5c 7s 9h Jd Kc", 45),
    "a set": ("9h 9d 9c 2s 4h", 6),
    "four of a rank": ("9h 9d 9c 9s 4h", 4),
    "a run": ("4h 5h 6h 6d Kd", 16),
    "two of a rank are no set": ("9h 9d 2c", 20),
    "two neighbours are no run": ("9h 8h 2c", 19),
    "a run is of one suit": ("9h 8d 7h", 24),
    "ace low": ("Ah 2h 3h Kd", 10),
    "no queen, king, ace": ("Qh Kh Ah", 21),
    "no king, ace, two": ("Kh Ah 2h", 13),
    "ace to king": ("Ah 2h 3h 4h 5h 6h 7h 8h 9h Th", 0),
    "a card lies in one meld only": ("7h 7d 7c 8h 9h", 14),
    "the fourth goes to the run": ("7h 7d 7c 7s 8s 9s", 0),
    "middle of a run lent to a set": ("3s 4s 5s 6s 7s 5h 5d", 10),
    "two runs of a suit": ("Ah 2h 3h 5h 6h 7h", 0),
    "three sets and one left": ("2h 2d 2c 5h 5d 5c 9h 9d 9c Kh", 10),
    "sets or runs": ("2h 3h 4h 2d 3d 4d 2c 3c 4c 5s", 5),
    "KR-1 values": ("Ah Td Jc Qs Kh", 41),
}


@pytest.mark.parametrize(("typed", "deadwood"), CASES.values(), ids=CASES)
def test_kr_2_deadwood(typed: str, deadwood: int) -> None:
    assert laid(hand_of(typed)).deadwood == deadwood


def test_kr_1_value_of_every_card() -> None:
    assert {card.text: value(card) for card in FRENCH.pieces} == {
        rank + suit: POINTS[rank] for rank in ORDER for suit in "cdhs"
    }


def test_unmatched_cards_stay_as_they_are_held() -> None:
    found = least_deadwood(hand_of("Kh 9h 2d 9d As 9c"))
    assert [card.text for card in found.unmatched] == ["Kh", "2d", "As"]


def test_a_duplicate_card_fails_the_assertion() -> None:
    with pytest.raises(AssertionError):
        least_deadwood(hand_of("9s 9h 9s"))


def best_of(hand: Sequence[str], ace: Ace) -> int:
    """The least points left, trying for each card, rank by rank, every meld with it or none.

    Runs of three to five suffice, because longer ones can be split into them.
    """
    order = ORDERS[ace]
    stretches = {order[at : at + size] for size in (3, 4, 5) for at in range(len(order) - size + 1)}
    held = sorted(hand, key=lambda card: (ORDER.index(card[0]), card[1]))
    bits = {card: 1 << at for at, card in enumerate(held)}
    sets = [some for rank in ORDER for size in (3, 4) for some in combinations([c for c in held if c[0] == rank], size)]
    runs = [[rank + suit for rank in stretch] for stretch in stretches if len(set(stretch)) > 2 for suit in "cdhs"]
    melds: dict[int, list[int]] = {}
    for meld in (*sets, *(run for run in runs if bits.keys() >= set(run))):
        taken = sum(bits[card] for card in meld)
        melds.setdefault(taken & -taken, []).append(taken)

    @cache
    def least(left: int) -> int:
        if not left:
            return 0
        first = left & -left
        loose = POINTS[held[first.bit_length() - 1][0]] + least(left ^ first)
        return min([loose, *(least(left ^ meld) for meld in melds.get(first, ()) if meld & left == meld)])

    return least((1 << len(held)) - 1)


@pytest.mark.parametrize("ace", get_args(Ace))
@pytest.mark.parametrize("size", [3, 7, 10, 14, 18])
def test_kr_10_deadwood_is_the_least_wherever_the_ace_may_stand(size: int, ace: Ace) -> None:
    """Random hands, and hands of six neighbouring ranks, which may go around the corner."""
    random = Random(size)
    for at in range(150):
        low = random.randrange(13)
        ranks = {ORDER[(low + step) % 13] for step in range(6)} if at % 3 else set(ORDER)
        hand = random.sample([card for card in FRENCH.pieces if card.text[0] in ranks], size)
        assert laid(hand, ace).deadwood == best_of([card.text for card in hand], ace), hand


@pytest.mark.parametrize("ace", get_args(Ace))
@pytest.mark.parametrize("size", [24, 30, 36, 40, 44])
def test_deadwood_of_large_hands_is_that_of_trying_every_meld(size: int, ace: Ace) -> None:
    random = Random(size)
    for _ in range(4):
        hand = random.sample(FRENCH.pieces, size)
        assert laid(hand, ace).deadwood == best_of([card.text for card in hand], ace), hand


ACE_CASES: dict[str, tuple[Ace, str, int, str]] = {
    "low": ("low", "Qh Kh Ah", 21, ""),
    "high": ("high-or-low", "Qh Kh Ah", 0, "QKA"),
    "low still": ("high-or-low", "Ah 2h 3h", 0, "A23"),
    "high only as the last": ("high-or-low", "Kh Ah 2h", 13, ""),
    "one place only": ("high-or-low", "Ah 2h 3h Qh Kh", 5, "QKA"),
    "to spare": ("high-or-low", "Ah 2h 3h 4h Qh Kh", 0, "QKA 234"),
    "a queen that a set takes": ("high-or-low", "Ah 2h 3h Qh Kh Qd Qs", 10, "A23"),
    "round": ("round-the-corner", "Kh Ah 2h", 0, "KA2"),
    "far round": ("round-the-corner", "Qh Kh Ah 2h 3h", 0, "QKA23"),
    "no card twice": ("round-the-corner", "Ah 2h Kh Kd", 10, "KA2"),
    "the whole suit": ("round-the-corner", "Ah 2h 3h 4h 5h 6h 7h 8h 9h Th Jh Qh Kh", 0, ORDER),
}


@pytest.mark.parametrize(("ace", "typed", "deadwood", "runs"), ACE_CASES.values(), ids=ACE_CASES)
def test_kr_10_place_of_the_ace(ace: Ace, typed: str, deadwood: int, runs: str) -> None:
    found = laid(hand_of(typed), ace)
    assert found.deadwood == deadwood
    ranks = ["".join(card.text[0] for card in meld) for meld in found.melds]
    assert sorted(rank for rank in ranks if len(set(rank)) > 1) == sorted(runs.split())


@pytest.mark.parametrize("size", [36, 44, 49, 52])
def test_no_hand_takes_long(size: int) -> None:
    """Trying every way to take or leave 13 sets would be 13 billion steps."""
    random = Random(size)
    hands = [random.sample(FRENCH.pieces, size) for _ in range(10)]
    with takes_at_most(10 * 150_000):
        for hand in hands:
            least_deadwood(hand, LOW)
