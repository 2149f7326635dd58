"""How rare a hand is among all hands of its deck. The counts come from elsewhere (`counting`)."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import accumulate

from .messages import Message
from .strength import Reading, Strength

_RARE = 4  # "1 in 4" is exact enough from here on; "1 in 3" could be anything from two in seven to two in five


@dataclass(frozen=True, slots=True)
class Rarity:
    """How rare a shown hand is among `of` equally likely hands dealt from its deck.

    `alike` is how many hands are of the same `kind`: of its category ("full house"), or, in a game of points, with at
    least as good a count. `at_least` is how many are at least as strong as this hand.
    """

    kind: Message
    alike: int
    at_least: int
    of: int

    @property
    def odds(self) -> Message:
        """How often a hand of this kind is dealt: "1 in 694"."""
        return odds(self.alike, self.of)

    @property
    def odds_at_least(self) -> Message:
        """How often a hand at least as strong as this one is dealt."""
        return odds(self.at_least, self.of)

    @property
    def words(self) -> Message:
        """Both odds in words, or only those of the kind if the others are the same or say "every hand"."""
        if self.odds == self.odds_at_least or self.at_least == self.of:
            return Message("{kind}: {odds}", kind=self.kind, odds=self.odds)
        text = "{kind}: {odds}; this hand or better: {odds_at_least}"
        return Message(text, kind=self.kind, odds=self.odds, odds_at_least=self.odds_at_least)


def odds(hands: int, of: int) -> Message:
    """Express a fraction of all hands in words: "1 in 694", or "4 in 10" for common ones. Rounds half up."""
    one_in = _nearest(of, hands)
    if one_in >= _RARE:
        return Message("1 in {n}", n=f"{one_in:,}")
    if hands == of:
        return Message("every hand")
    in_ten = _nearest(10 * hands, of)
    return Message("more than 9 in 10") if in_ten == 10 else Message("{n} in 10", n=in_ten)


def _nearest(number: int, by: int) -> int:
    return (2 * number + by) // (2 * by)


_Value = tuple[int, tuple[int, ...]]


def _value(strength: Strength) -> _Value:
    """Return what decides between strengths; of two categories on one level, only the ranks decide."""
    return strength.level, strength.ranks


class HandCounts:
    """How many of a deck's hands have each strength."""

    def __init__(self, counts: Mapping[Strength, int]) -> None:
        self.of = sum(counts.values())
        self.by_category: Counter[str] = Counter()
        for strength, number in counts.items():
            self.by_category[strength.category] += number
        self._worst_first = sorted(counts, key=_value)
        # how many hands are weaker than each strength; the last number is all hands
        self._weaker = array("Q", accumulate((counts[strength] for strength in self._worst_first), initial=0))

    def rarity(self, reading: Reading) -> Rarity:
        """Return how rare a hand is; one hand of the deck must have its strength."""
        value = _value(reading.strength)
        at_least = self.of - self._weaker[bisect_left(self._worst_first, value, key=_value)]
        # the category says nothing if all hands are in the same one, as in a game of points
        if len(self.by_category) > 1:
            return Rarity(reading.name, self.by_category[reading.strength.category], at_least, self.of)
        points = reading.description
        kind = points if value == _value(self._worst_first[-1]) else Message("{hand} or better", hand=points)
        return Rarity(kind, at_least, at_least, self.of)
