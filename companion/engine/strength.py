"""The total order of hands, whatever the game: strengths, readings of hands and the places that follow from them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from .messages import Message
from .pieces import Piece


class Strength(NamedTuple):
    """How good a hand is; the greater one wins, equal ones tie.

    `level` orders the categories of a game, `ranks` decide within one, from first to last.
    """

    level: int
    category: str
    ranks: tuple[int, ...]


@dataclass(frozen=True)
class Reading:
    """What a hand comes to: its strength and the words for it.

    `name` is the category ("full house"), `description` the whole hand ("full house, nines over fours"), `details` has
    one phrase for each of the strength's ranks, for the sentence that says what decided.
    `points` is the value as written ("7.5"), or None in games without points. `melds` and `unmatched` are the
    arrangement of a rummy hand. `wild_as` are the cards that the wild ones stand for, in the order they are held.
    """

    strength: Strength
    name: Message
    description: Message
    details: tuple[Message, ...] = ()
    points: str | int | None = None
    melds: tuple[tuple[Piece, ...], ...] | None = None
    unmatched: tuple[Piece, ...] | None = None
    wild_as: tuple[Piece, ...] | None = None


@dataclass(frozen=True)
class ShownHand:
    """A hand on the table with its place: 1 for the best, equal hands share one and the next place is left out.

    `cards` is None where the table only said what the hand counts (C-13).
    """

    player: str
    place: int
    cards: tuple[Piece, ...] | None
    reading: Reading


def placed(
    order: Sequence[str], cards: Mapping[str, tuple[Piece, ...]], readings: Mapping[str, Reading]
) -> tuple[ShownHand, ...]:
    """Order the shown hands, best first, equal ones in `order` (turn order or show order); some have no `cards`."""
    shown = sorted((p for p in order if p in readings), key=lambda p: readings[p].strength, reverse=True)
    hands: list[ShownHand] = []
    for number, player in enumerate(shown, 1):
        equal = hands and hands[-1].reading.strength == readings[player].strength
        hands.append(ShownHand(player, hands[-1].place if equal else number, cards.get(player), readings[player]))
    return tuple(hands)


def winners_first(hands: Sequence[ShownHand], winners: Sequence[str]) -> tuple[ShownHand, ...]:
    """Put those whom the table named as holding the best hand in place 1, whatever they show, and the others below."""
    others = [hand for hand in hands if hand.player not in winners]
    return (
        *(replace(hand, place=1) for hand in hands if hand.player in winners),
        *(
            replace(hand, place=len(winners) + 1 + sum(o.reading.strength > hand.reading.strength for o in others))
            for hand in others
        ),
    )


def best(hands: Sequence[ShownHand]) -> tuple[str, ...]:
    """Name the players in the first of these places; the hands come best first."""
    return tuple(hand.player for hand in hands if hand.place == hands[0].place)


def deciding(hands: Sequence[ShownHand], won_by: tuple[str, ...] = ()) -> Message:
    """Say in one sentence why the first place went as it did; `won_by` are those whom the table named.

    Two hands of one category are told apart by the first rank in which they differ.
    """
    if won_by:
        one = "The table decided: {players} has the best hand"
        many = "The table decided: {players} tie for the best hand"
        return Message(one, many, n=len(won_by), players=won_by)
    first = hands[0]
    tied = best(hands)
    if len(tied) > 1:
        return Message("{players} tie with {hand}", players=tied, hand=first.reading.description)
    if len(hands) == 1:
        return Message("{player} shows {hand}", player=first.player, hand=first.reading.description)
    second = hands[1]
    values: dict[str, Any] = {
        "winner": first.player,
        "hand": first.reading.name,
        "loser": second.player,
        "other": second.reading.name,
    }
    above, below = first.reading.strength, second.reading.strength
    if above.level != below.level:
        return Message("{winner}'s {hand} beats {loser}'s {other}", **values)
    at = next(i for i, (a, b) in enumerate(zip(above.ranks, below.ranks, strict=True)) if a != b)
    values |= {"more": first.reading.details[at], "less": second.reading.details[at]}
    if first.reading.points is not None:
        return Message("{winner}'s hand beats {loser}'s hand: {more} against {less}", **values)
    return Message("{winner}'s {hand} beats {loser}'s {other}: {more} against {less}", **values)
