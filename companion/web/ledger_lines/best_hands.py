"""Loads players' rarest hands from the rounds in which they were shown."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from companion.engine.hands.rarity import Rarity
from companion.engine.messages import Message
from companion.engine.pieces.sets import Piece
from companion.games import game_of
from companion.store.history import results as history
from companion.store.history.tallies import Summary
from companion.store.log.replay import is_absent, settled
from companion.store.models import Line, Night


@dataclass(frozen=True)
class BestHand:
    """A player's best hand: its description, how rare it is, its cards, and where it was shown."""

    words: Message
    odds: Message
    cards: tuple[Piece, ...]
    night: str
    number: int


def best_hands(group_id: int, sums: Iterable[tuple[int, Summary]]) -> dict[tuple[int, int | None], BestHand]:
    """Load the best hand of each (player's id, sums) pair of a group; returned by (player's id, line's id)."""
    odds = {
        (player, total.best_line_id): Rarity(total.best_at_least, total.best_of).odds
        for player, total in sums
        if total.best_line_id is not None and total.best_at_least is not None and total.best_of is not None
    }
    lines = history.lines_of_hands(group_id, [line for _, line in odds])
    return {(player, line): _shown_hand(*lines[line], player, hand_odds) for (player, line), hand_odds in odds.items()}


def best_hands_of(night: Night) -> dict[str, BestHand]:
    """Return the hands of the players who showed a night's rarest one, by their keys, the one shown first at first.

    Hands of two games that are as rare but read otherwise are two; then it is only the one shown first.
    """
    shown = best_hands(night.group_id, history.best_of(night))
    found = {str(player): hand for (player, _), hand in shown.items()}
    return {key: hand for key, hand in found.items() if hand.words == next(iter(found.values())).words}


def _shown_hand(line: Line, night: str, player: int, odds: Message) -> BestHand:
    """Settle a stored round of a night (public id) again, and return the hand that a player showed in it."""
    if is_absent(line.current.document):
        return BestHand(Message(game_of(line.current.document["game"]).name), odds, (), night, line.number)
    round = settled(line.current.document)
    shown = next(hand for hand in round.settlement.hands if hand.player == str(player))
    cards = tuple(shown.cards or ())
    return BestHand(shown.reading.description, odds, cards, night, line.number)
