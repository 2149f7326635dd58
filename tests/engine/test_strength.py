"""Ranking shown hands, who is best, and the sentence about what decided."""

from __future__ import annotations

import pytest

from companion.engine.hands.strength import Reading, ShownHand, Strength, assign_places, best, describe_decision
from companion.engine.messages import Message

NAMES = {1: "pair", 2: "flush"}


def reading(text: str) -> Reading:
    """Parse "2 9 5": a level, and the ranks that decide within it."""
    level, *ranks = map(int, text.split())
    name = Message(NAMES[level])
    return Reading(
        Strength(level, NAMES[level], tuple(ranks)),
        name,
        Message("{name} {top}", name=name, top=ranks[0]),
        tuple(Message("a {rank}", rank=rank) for rank in ranks),
    )


def shown(typed: str, order: str = "ABCD") -> tuple[ShownHand, ...]:
    """Rank "A:2 9 5, B:1 3": hands by player."""
    readings = {player: reading(text) for player, text in (hand.split(":") for hand in typed.split(", "))}
    return assign_places(order, dict.fromkeys(readings, ()), readings)


CASES = {
    # hands, turn order, places, the best, what decided
    "alone": ("A:1 9", "ABCD", "A1", "A", "A shows pair 9"),
    "category": ("A:1 9, B:2 3", "ABCD", "B1 A2", "B", "B's flush beats A's pair"),
    "first rank": ("A:1 9, B:1 8", "ABCD", "A1 B2", "A", "A's pair beats B's pair: a 9 against a 8"),
    "second rank": ("A:2 9 4, B:2 9 5", "ABCD", "B1 A2", "B", "B's flush beats A's flush: a 5 against a 4"),
    "two tie": ("A:1 9, B:1 9", "ABCD", "A1 B1", "AB", "A and B tie with pair 9"),
    "tied in turn order": ("A:1 9, B:1 9, C:1 9", "CABD", "C1 A1 B1", "CAB", "C, A and B tie with pair 9"),
    "place after a tie": ("A:1 9, B:2 9, C:2 9, D:1 8", "ABCD", "B1 C1 A3 D4", "BC", "B and C tie with flush 9"),
    "tie for second": ("A:1 8, B:1 8, C:2 9", "DBAC", "C1 B2 A2", "C", "C's flush beats B's pair"),
    "who does not show": ("D:1 3, B:1 4", "ABCD", "B1 D2", "B", "B's pair beats D's pair: a 4 against a 3"),
}


@pytest.mark.parametrize(("typed", "order", "places", "first", "words"), CASES.values(), ids=CASES)
def test_places_and_what_decided(typed: str, order: str, places: str, first: str, words: str) -> None:
    hands = shown(typed, order)
    assert " ".join(f"{hand.player}{hand.place}" for hand in hands) == places
    assert "".join(best(hands)) == first
    assert str(describe_decision(hands)) == words


def test_nobody_shows() -> None:
    assert assign_places("ABCD", {}, {}) == ()
    assert best(()) == ()


@pytest.mark.parametrize(
    ("higher", "lower"),
    [("2 3", "1 9"), ("1 9", "1 8"), ("1 9 2", "1 9 1"), ("1 9 9 2", "1 9 8 7")],
)
def test_level_first_then_ranks_from_first_to_last(higher: str, lower: str) -> None:
    assert reading(higher).strength > reading(lower).strength
