"""Poker hands judged slowly and plainly, to check the engine's tables: by counting ranks, and by trying every card."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from itertools import product

RANKS, SUITS = "23456789TJQKA", "shdc"
DECK = [rank + suit for suit in SUITS for rank in RANKS]
JOKER = "Jk"
Plain = tuple[int, list[int]]


def plain_strength(cards: Sequence[str]) -> Plain:
    """Judge five natural cards, or three; a greater value wins, equal ones tie. Five of a kind is on top."""
    counts = Counter(RANKS.index(card[0]) for card in cards)
    ranks = sorted(counts, key=lambda rank: (counts[rank], rank), reverse=True)
    shape = sorted(counts.values(), reverse=True)
    is_flush = len({card[1] for card in cards}) == 1
    top = max(ranks) if len(ranks) == len(cards) and max(ranks) - min(ranks) == len(cards) - 1 else None
    if sorted(ranks) == [*range(len(cards) - 1), RANKS.index("A")]:
        top = len(cards) - 2  # the ace is low
    if shape == [5]:
        return 10, ranks
    if top is not None:
        return (9 if is_flush else 5), [top]
    levels = {(4, 1): 8, (3, 2): 7, (3, 1, 1): 4, (2, 2, 1): 3, (2, 1, 1, 1): 2}
    return (6 if is_flush else levels.get(tuple(shape), 1)), ranks


def plain_best(cards: Sequence[str], wild: str, five_of_a_kind: bool = True) -> Plain:
    """Judge five cards of which jokers or a rank are wild, by putting every card in the place of each wild one."""
    natural = [card for card in cards if not is_wild(card, wild)]
    tried = (plain_strength([*natural, *put]) for put in product(DECK, repeat=len(cards) - len(natural)))
    return max(found for found in tried if five_of_a_kind or found[0] < 10)


def is_wild(card: str, wild: str) -> bool:
    """Return whether a card is wild: a joker, or one of the rank that is."""
    return card == JOKER or card[0] == wild


def best_of(strengths: dict[str, Plain], players: Collection[str]) -> list[str]:
    """Return which of these players have the best hand."""
    most = max(strengths[player] for player in players)
    return [player for player in players if strengths[player] == most]
