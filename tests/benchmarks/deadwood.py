"""Benchmarks the least deadwood of seven and ten cards and its arrangement, parsed from text like a hand in the app."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from companion.engine.hands.melds import Arrangement, least_deadwood
from companion.engine.pieces.cards import FRENCH

from .race import Contender, Race, installed

SLOW = 10


def races(number: int) -> Iterator[Race]:
    """Race over random hands, and over hands of five neighbouring ranks, where sets and runs compete."""
    random = Random(number)
    for size in (7, 10):
        for kind in ("any", "neighbouring"):
            hands = [
                [card.text for card in random.sample(neighbours(random) if kind != "any" else FRENCH.pieces, size)]
                for _ in range(number)
            ]
            what = f"{size} {kind} cards as text"
            ours = Contender("ours", laid_out, hands)
            yield Race(f"melds of {what}", ours, spiel_of(hands, with_melds=False))
            yield Race(f"melds of {what}", ours, spiel_of(hands, with_melds=True), 0.5)
            if size == 10:
                yield Race(f"melds of {what}", ours, rlcard_of(hands[::SLOW]))


def laid_out(texts: list[str]) -> Arrangement:
    """Parse a hand and arrange it."""
    return least_deadwood([card for card in map(FRENCH.find, texts) if card is not None])


def neighbours(random: Random) -> list[Any]:
    """Return the cards of five neighbouring ranks."""
    low = random.randint(1, 9)
    return [card for card in FRENCH.pieces if low <= card.rank < low + 5]


def spiel_of(hands: list[list[str]], with_melds: bool) -> Contender[Any]:
    """Call open_spiel's C++ from text. Its melds don't include the deadwood, so the unmatched cards are added up."""
    pyspiel, name = installed("pyspiel"), f"open_spiel {'best_meld_group' if with_melds else 'min_deadwood'}"
    if not pyspiel:
        return Contender(name, None, ())
    utils = pyspiel.gin_rummy.GinRummyUtils(13, 4, 10)
    cards_of, least, best, points = (
        utils.card_strings_to_card_ints,
        utils.min_deadwood,
        utils.best_meld_group,
        utils.total_card_value,
    )

    def melds(hand: list[str]) -> tuple[int, object]:
        cards = cards_of(hand)
        found = best(cards)
        return points(cards) - points(found), found

    return Contender(name, melds if with_melds else lambda hand: least(cards_of(hand)), hands)


def rlcard_of(hands: list[list[str]]) -> Contender[Any]:
    """Call rlcard, from text; it takes ten cards only."""
    from rlcard.games.base import Card
    from rlcard.games.gin_rummy.utils.melding import get_best_meld_clusters

    return Contender("rlcard", lambda hand: get_best_meld_clusters([Card(c[1].upper(), c[0]) for c in hand]), hands)
