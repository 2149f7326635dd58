"""What is counted of each player during a hand, such as cards drawn, and what each of it costs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from companion.engine.questions.entry import Question

from .next_round import Before, NextRound


@dataclass(frozen=True)
class PlayerCounts:
    """A number that is counted per player during the hand; `counts` is by player.

    `fee` are the units that a player puts in the pot for each at once. Rule: C-12.
    """

    key: str
    label: str
    maximum: int
    counts: Mapping[str, int]
    fee: int = 0


def counters_of(round: NextRound[Before]) -> tuple[PlayerCounts, ...]:
    """Return what is counted under the hand's house rules."""
    asked = [question for question in round.game.questions if question.kind == "counts"]
    asked = [q for q in asked if not q.only_with or getattr(round.options, q.only_with)]
    return tuple(
        PlayerCounts(
            q.key,
            q.label,
            round.game.most_counted(q, round.options),
            {p: _count(round, p, q.key) for p in round.players},
            _fee(round, q),
        )
        for q in asked
    )


def _fee(round: NextRound[Before], question: Question) -> int:
    """Return what each costs in units: the house rule with which it is asked, if that is an amount."""
    stakes = getattr(round.options, question.only_with) if question.only_with else 0
    return round.stake * stakes if type(stakes) is int else 0


def _count(round: NextRound[Before], player: str, key: str) -> int:
    """Return a player's count; 0 if none was entered that can be read."""
    entered = str(round.entered(player, key))
    return int(entered) if entered.isascii() and entered.isdigit() else 0
