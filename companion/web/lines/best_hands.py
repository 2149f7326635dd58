"""The rarest hands of players, read again from the rounds where they were shown."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from companion.engine.messages import Message
from companion.engine.pieces import Piece
from companion.store import history
from companion.store.models import Line
from companion.store.replay import settled
from companion.store.tallies import Summary


@dataclass(frozen=True)
class BestHand:
    """A hand worth telling, its cards, how rare it is, and the line where it was shown."""

    words: Message
    odds: Message
    cards: tuple[Piece, ...]
    session: str
    number: int


def best_hands(sums: Iterable[tuple[int, Summary]]) -> dict[tuple[int, int | None], BestHand]:
    """Read the best hands of players again, by the player's id and the line's id."""
    wanted = [(player, summary.best_line_id) for player, summary in sums if summary.best_line_id is not None]
    lines = history.lines_of_hands(line for _, line in wanted)
    return {(player, line): _read(lines[line], player) for player, line in wanted}


def _read(line: Line, player: int) -> BestHand:
    """Read a hand again that was shown in a stored round."""
    assert line.current is not None
    round = settled(line.current.document)
    shown = next(hand for hand in round.settlement.hands if hand.player == str(player))
    rarity = round.game.rarities(round.round.options, round.settlement)[shown.player]
    cards = tuple(shown.cards or ())
    return BestHand(shown.reading.description, rarity.odds_at_least, cards, line.session.public_id, line.number)
