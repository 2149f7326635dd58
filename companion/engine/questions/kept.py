"""Points that players keep over several rounds, until somebody has as many as the table plays to. Rule: KR-14."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from ..game import AnyGame, AnyRound
from ..messages import Message
from ..money.settlement import Book, Kept, Reason, Settlement
from ..options import integer
from .entry import Question

POINTS = Reason("points")
Payments = list[tuple[str, int, Reason, Message]]  # who pays how many units, and why


def total(rule: str) -> Any:
    """Declare how many points the game is played to; by default each round is paid."""
    text = "Nobody pays until somebody has so many points; 0: each round is paid."
    return integer(0, "Played to a total of", help=text, rule=rule)


def kept_question(game: AnyGame, rules: Mapping[str, Any]) -> Question | None:
    """Return the question for the points from earlier rounds; None if these house rules keep none."""
    asked = next((question for question in game.questions if question.kind == "kept"), None)
    return asked if asked is not None and rules.get(asked.only_with) else None


def settle_kept(
    round: AnyRound, scored: Settlement, pay: Callable[[Sequence[str], Payments, Book], None]
) -> Settlement:
    """Add what a round scored to the points from earlier ones; pay the differences once somebody has the total.

    In `scored` the round is settled with a stake of one unit, so that units are points. `pay` books what the others
    pay those with most points; then all begin again with none.
    """
    opening = {player: round.entry.kept.get(player, 0) for player in round.players}
    points = dict(opening)
    for transfer in scored.transfers:
        points[transfer.taker] += transfer.amount
    most, wanted = max(points.values()), round.options.total
    if most < wanted:
        return replace(scored, transfers=(), kept=Kept(wanted, opening, scored.transfers, points))
    first = tuple(player for player in round.turn_order if points[player] == most)
    book, payments = Book(round.pot_units), []
    for player in round.others(*first):
        why = Message("{player} has {n} points, {most} are most", player=player, n=points[player], most=most)
        payments.append((player, round.units(most - points[player]), POINTS, why))
    pay(first, payments, book)
    one, many = "{decided}; {players} has {most} points and wins", "{decided}; {players} have {most} points and win"
    decided = Message(one, many, n=len(first), decided=scored.decided_by, players=first, most=most)
    kept = Kept(wanted, opening, scored.transfers, dict.fromkeys(round.players, 0))
    return replace(scored, transfers=tuple(book.transfers), decided_by=decided, kept=kept)
