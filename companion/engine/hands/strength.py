"""Ranks hands in any game: their strengths, descriptions and places."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from ..messages import Message
from ..pieces.sets import Piece


class Strength(NamedTuple):
    """How good a hand is; the greater one wins, equal ones tie.

    `level` ranks the game's categories; `ranks` decide within a category, most significant first.
    """

    level: int
    category: str
    ranks: tuple[int, ...]


@dataclass(frozen=True)
class Reading:
    """What a hand is worth, and how to describe it.

    `name` is the category ("full house"), `description` the whole hand ("full house, nines over fours"). `details` has
    a phrase for each of the strength's ranks, to explain which one decided. `points` is the value as written ("7.5"),
    None in games without points. `melds` and `unmatched` are the arrangement of a rummy hand. `wild_as` are the cards
    the wild cards stand for, highest first. A hand that isn't enough to win with (`can_win`) leads over nobody.
    """

    strength: Strength
    name: Message
    description: Message
    details: tuple[Message, ...] = ()
    points: str | int | None = None
    melds: tuple[tuple[Piece, ...], ...] | None = None
    unmatched: tuple[Piece, ...] | None = None
    wild_as: tuple[Piece, ...] | None = None
    can_win: bool = True


@dataclass(frozen=True)
class ShownHand:
    """A shown hand and its place. Equal hands share a place, and the next one is skipped: 1, 1, 3.

    `cards` is None if the table only entered the hand's points (C-13).
    """

    player: str
    place: int
    cards: tuple[Piece, ...] | None
    reading: Reading


def assign_places(
    order: Sequence[str], cards: Mapping[str, tuple[Piece, ...]], readings: Mapping[str, Reading]
) -> tuple[ShownHand, ...]:
    """Rank the evaluated hands, best first; equal hands keep `order`. Hands known only by points have no `cards`."""
    shown = sorted((p for p in order if p in readings), key=lambda p: readings[p].strength, reverse=True)
    hands: list[ShownHand] = []
    for number, player in enumerate(shown, 1):
        equal = hands and hands[-1].reading.strength == readings[player].strength
        hands.append(ShownHand(player, hands[-1].place if equal else number, cards.get(player), readings[player]))
    return tuple(hands)


def winners_first(hands: Sequence[ShownHand], winners: Sequence[str]) -> tuple[ShownHand, ...]:
    """Give the winners named by the table place 1, whatever they show, and rank the others below them."""
    others = [hand for hand in hands if hand.player not in winners]
    return (
        *(replace(hand, place=1) for hand in hands if hand.player in winners),
        *(
            replace(hand, place=len(winners) + 1 + sum(o.reading.strength > hand.reading.strength for o in others))
            for hand in others
        ),
    )


def best(hands: Sequence[ShownHand]) -> tuple[str, ...]:
    """Return the players in first place; `hands` are best first."""
    return tuple(hand.player for hand in hands if hand.place == hands[0].place)


def describe_decision(hands: Sequence[ShownHand], won_by: tuple[str, ...] = ()) -> Message:
    """Explain in one sentence what decided first place; `won_by` are the winners named by the table, if any.

    Two hands of the same category are distinguished by the first rank in which they differ.
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
        # name the unit only once: "3 against 4½ points"
        values["more"] = values["more"].values.get("points", values["more"])
        return Message("{winner} beats {loser}: {more} against {less}", **values)
    return Message("{winner}'s {hand} beats {loser}'s {other}: {more} against {less}", **values)
