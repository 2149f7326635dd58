"""Who gets the units left over by an uneven split: by seat, by the cards held, or nobody. Rule: C-3."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..game import AnyRound
from ..messages import Message
from ..pieces.cards import Card
from .odd_units import OddUnits

_HIGH_TO_LOW, _JOKER = "shdc", 99
_WHY: Mapping[str, Message] = {
    "highest-card": Message("the highest card"),
    "suit": Message("the highest suit"),
}


def odd_units(round: AnyRound, sharers: Sequence[str]) -> OddUnits:
    """Return who gets the odd units of a split among these players, who are given in turn order. Rule: C-3.

    Aces are high, suits go spades, hearts, diamonds, clubs, a joker is above all. Players whose cards aren't known
    come last, in turn order.
    """
    how = getattr(round.options, "odd_chips", "turn-order")
    if how in ("stay-in-pot", "unpaid"):
        return OddUnits(())
    if how not in _WHY:
        return OddUnits(tuple(sharers))

    def held(player: str) -> list[tuple[int, int]]:
        return sorted((_value(card, how) for card in round.hands.get(player, ())), reverse=True)

    return OddUnits(tuple(sorted(sharers, key=held, reverse=True)), _WHY[how])


def _value(card: Card, how: str) -> tuple[int, int]:
    if card.is_joker:
        return _JOKER, _JOKER
    suit = -_HIGH_TO_LOW.index(card.suit)
    return (suit, card.height) if how == "suit" else (card.height, suit)
