"""The chips that a group has: how many of each colour, and what one is worth. Packs of them make equal buy-ins."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from companion.engine.messages import Message

from ..db.database import retry_transaction, transaction
from ..log.sent_forms import is_new
from ..models import Group
from ..refusals import Refused, Sent
from .deleting import must_stand
from .turns import must_be_written_here

COLOURS = {
    "white": Message("white"),
    "red": Message("red"),
    "blue": Message("blue"),
    "green": Message("green"),
    "black": Message("black"),
    "yellow": Message("yellow"),
    "purple": Message("purple"),
    "orange": Message("orange"),
}
MAX_VALUE, MAX_NUMBER = 1_000_000, 9_999
_MAX_TRIES = 5_000  # of packs, until one fits


class Chip(NamedTuple):
    """A colour, what a chip of it is worth (in whole chips, or the night's currency), and how many there are."""

    colour: str
    value: int
    number: int


def chips_of(group: Group) -> list[Chip]:
    """List a group's chips, the lowest value first; none if it hasn't said."""
    return [Chip(*chip) for chip in group.chips]


def problem_with(chips: Sequence[Chip]) -> Message | None:
    """Return what is wrong with a set of chips, or None."""
    if not all(1 <= chip.value <= MAX_VALUE and 1 <= chip.number <= MAX_NUMBER for chip in chips):
        text = "A chip is worth 1 to {value}, and there are 1 to {number} of a colour"
        return Message(text, value=f"{MAX_VALUE:,}", number=f"{MAX_NUMBER:,}")
    if len({chip.value for chip in chips}) != len(chips):
        return Message("Two colours have the same value; give each its own")
    return None


@retry_transaction
def set_chips(group: Group, chips: Iterable[Chip], sent: Sent) -> None:
    """Store a group's chips; an empty list means that it has none of its own. Raises Refused if they can't be."""
    by_value = sorted(chips, key=lambda chip: chip.value)
    problem = problem_with(by_value)
    if problem is not None:
        raise Refused(problem)
    with transaction():
        must_stand(group)
        if is_new(group.id, sent.key, ["chips", [list(chip) for chip in by_value]]):
            must_be_written_here(group)
            group.chips = [list(chip) for chip in by_value]


def pack(chips: Sequence[Chip], players: int, worth: int) -> dict[str, int] | None:
    """Return how many chips of each colour make a buy-in for each of the players; None if it doesn't work out.

    With as many small chips as there are, so that there is change at the table.
    """
    shares = [
        (chip.colour, chip.value, chip.number // max(players, 1)) for chip in sorted(chips, key=lambda c: -c.value)
    ]
    tries = 0

    def fill(at: int, rest: int) -> list[int] | None:
        nonlocal tries
        tries += 1
        if at == len(shares):
            return [] if rest == 0 else None
        _, value, share = shares[at]
        below = sum(value * share for _, value, share in shares[at + 1 :])
        least = max(-((below - rest) // value), 0)
        for number in range(least, min(share, rest // value) + 1):
            if tries > _MAX_TRIES:
                return None
            others = fill(at + 1, rest - number * value)
            if others is not None:
                return [number, *others]
        return None

    numbers = fill(0, worth) if shares else None
    if numbers is None:
        return None
    return {colour: number for (colour, _, _), number in reversed([*zip(shares, numbers, strict=True)]) if number}


def worth_of(chips: Iterable[Chip], numbers: Mapping[str, int]) -> int:
    """Return what some chips are worth together, given how many of each colour."""
    return sum(chip.value * numbers.get(chip.colour, 0) for chip in chips)


def made_of(chips: Iterable[Chip], worth: int, most: int = 20) -> dict[str, int]:
    """Return how many chips of one colour alone are worth so much, for each colour of which up to `most` would be."""
    return {
        chip.colour: worth // chip.value for chip in chips if 0 < worth <= most * chip.value and worth % chip.value == 0
    }
