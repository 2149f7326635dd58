"""Benchmarks five-card strength: from cards, from text, with a wild card, and over all hands."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import combinations, islice
from random import Random
from typing import Any

from companion.engine.hands.poker import PokerOrder
from companion.engine.hands.strength import Strength
from companion.engine.pieces.cards import FRENCH, FRENCH_WITH_JOKER, JOKER, SPANISH_40, Card

from .race import Contender, Limit, Race, installed, timed

PLAIN, WITH_JOKER = PokerOrder(FRENCH), PokerOrder(FRENCH_WITH_JOKER)
YUCA = PokerOrder(SPANISH_40, [card for card in SPANISH_40.pieces if card.text == "2o"])
SLOW = 10  # a peer so many times slower is given as many hands fewer


def races(number: int) -> Iterator[Race]:
    """Race over a number of random hands."""
    random = Random(number)
    hands = [random.sample(FRENCH.pieces, 5) for _ in range(number)]
    texts = [[card.text for card in hand] for hand in hands]
    cards = Contender("ours", PLAIN.strength, hands)
    written = Contender("ours", strength_of, texts)
    yield Race("five cards", cards, treys_of(hands, from_text=False), 1.8)
    yield Race("five cards", cards, eval7_of(texts), 1)
    yield Race("five cards as text", written, treys_of(hands, from_text=True), 2)
    yield Race("five cards as text", written, pokerkit_of(texts[::SLOW]), 10)
    symbols = [[spelled_oddly(card) for card in hand] for hand in hands]
    yield Race("five cards as 10♥", Contender("ours", strength_of, symbols), treys_of(hands, from_text=True), 2)
    with_joker = [[*hand[:4], JOKER] for hand in hands]
    yield Race("four cards and the joker", Contender("ours", WITH_JOKER.strength, with_joker), named(cards), 0.8)
    others = [card for card in SPANISH_40.pieces if card not in YUCA.wild]
    spanish = [[*YUCA.wild, *random.sample(others, 4)] for _ in range(number)]
    yield Race("Spanish 40 with yuca", Contender("ours", YUCA.strength, spanish), named(cards), 0.8)


def strength_of(texts: list[str]) -> Strength:
    """Parse five cards and evaluate them."""
    return PLAIN.strength([*map(FRENCH.find, texts)])  # type: ignore[list-item]  # every text is a card


def named(cards: Contender[Any]) -> Contender[Any]:
    """Use our own evaluation without wild cards as the peer."""
    return Contender("ours, no wild card", cards.call, cards.inputs)


def spelled_oddly(card: Card) -> str:
    """Write a card with a suit symbol, and the ten as 10."""
    return card.text[0].replace("T", "10") + dict(zip("cdhs", "♣♦♥♠", strict=True))[card.suit]


def treys_of(hands: list[list[Card]], from_text: bool) -> Contender[Any]:
    """Evaluate with treys, from its own integers or from text."""
    treys = installed("treys")
    assert treys
    new, evaluate = treys.Card.new, treys.Evaluator().evaluate
    if from_text:
        texts = [[card.text for card in hand] for hand in hands]
        return Contender("treys", lambda hand: evaluate([new(text) for text in hand], []), texts)
    return Contender("treys", lambda hand: evaluate(hand, []), [[new(card.text) for card in hand] for hand in hands])


def eval7_of(texts: list[list[str]]) -> Contender[Any]:
    """Evaluate with eval7, which is compiled, from its own cards."""
    eval7 = installed("eval7")
    if not eval7:
        return Contender("eval7", None, ())
    return Contender("eval7", eval7.evaluate, [[eval7.Card(text) for text in hand] for hand in texts])


def pokerkit_of(texts: list[list[str]]) -> Contender[Any]:
    """Evaluate with pokerkit, from text."""
    pokerkit = installed("pokerkit")
    hand_of = pokerkit and pokerkit.StandardHighHand
    return Contender("pokerkit", hand_of and (lambda hand: hand_of("".join(hand)).entry.index), texts)


def limits(most: int | None) -> Iterator[Limit]:
    """Rank and count all hands, or at most this many of each kind."""

    def all_hands() -> None:
        ordered(PLAIN, islice(combinations(FRENCH.pieces, 5), most))
        ordered(WITH_JOKER, islice(((*four, JOKER) for four in combinations(FRENCH.pieces, 4)), most))
        ordered(YUCA, islice(combinations(SPANISH_40.pieces, 5), most))

    number = "2,598,960 hands, 270,725 with the joker and 658,008 Spanish ones" if most is None else "some hands"
    yield Limit(f"order and count {number}", lambda: timed(all_hands), 6)


def ordered(order: PokerOrder, hands: Iterable[tuple[Card, ...]]) -> list[object]:
    """Return the strengths of the hands from low to high."""
    return sorted(Counter(map(order.strength, hands)))
