"""How rare a hand is among all hands of its deck. The counts come from elsewhere (`counting`)."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import accumulate
from struct import pack

from ..messages import Message
from .strength import Reading, Strength

_SENTENCES = {
    "1 in {n}": "1 in {n} hands is this good",
    "{n} in 10": "{n} in 10 hands are this good",
    "more than 9 in 10": "more than 9 in 10 hands are this good",
    "every hand": "every hand is this good",
}
_OFFSET = 1 << 15  # points may be negative
_RARE = 4  # "1 in 4" is exact enough from here on; "1 in 3" could be anything from two in seven to two in five


@dataclass(frozen=True, slots=True)
class Rarity:
    """How rare a shown hand is: `at_least` of `of` equally likely hands of its deck are as strong or stronger."""

    at_least: int
    of: int

    @property
    def odds(self) -> Message:
        """How often a hand at least as strong as this one is dealt: "1 in 1,109"."""
        return odds(self.at_least, self.of)

    @property
    def sentence(self) -> Message:
        """The odds as a sentence, without a full stop: "1 in 1,109 hands is this good"."""
        return Message(_SENTENCES[self.odds.template], **self.odds.values)


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


def _packed(strength: Strength) -> bytes:
    """Pack what decides between strengths into bytes that are ordered like them: a third of the memory.

    Of two categories on one level, only the ranks decide.
    """
    return pack(f">{1 + len(strength.ranks)}H", *(number + _OFFSET for number in (strength.level, *strength.ranks)))


class HandCounts:
    """How many of a deck's hands have each strength."""

    def __init__(self, counts: Mapping[Strength, int]) -> None:
        self.of = sum(counts.values())
        worst_first = sorted((_packed(strength), number) for strength, number in counts.items())
        self._worst_first = [packed for packed, _ in worst_first]
        # how many hands are weaker than each strength; the last number is all hands
        self._weaker = array("Q", accumulate((number for _, number in worst_first), initial=0))

    def rarity(self, reading: Reading) -> Rarity:
        """Return how rare a hand is; one hand of the deck must have its strength."""
        return Rarity(self.of - self._weaker[bisect_left(self._worst_first, _packed(reading.strength))], self.of)
