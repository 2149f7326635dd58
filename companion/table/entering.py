"""What a phone types into the round at hand, and which of it counts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from .cells import BETS, BETS_ORDER, GAME, TABLE, Values, joined
from .next_round import Before, NextRound
from .sight import with_kinds


@dataclass(frozen=True)
class Typed:
    """What was typed on a phone: the game it was typed for, the players by seat as on its page, and the cells.

    `keeps`: the phone keeps score, so it may write everything; a player's own phone only what is about its player.
    """

    game: str
    seats: Sequence[str]
    cells: Values
    keeps: bool


def accepted(typed: Typed, round: NextRound[Before]) -> Values:
    """Return the cells that count; none if the seats have changed since the page was loaded.

    `round` is as the phone may see it, played as the game that was typed.
    """
    if list(typed.seats) != round.players:
        return {}
    if not typed.keeps:
        me = str(round.me or "")
        return with_kinds({me: typed.cells[me]} if me in typed.cells else {}, round.kind)
    return joined([with_kinds(typed.cells, round.kind), {TABLE: {**_began_to_bet(typed, round), GAME: typed.game}}])


def _began_to_bet(typed: Typed, round: NextRound[Before]) -> dict[str, str]:
    """Return the cell that keeps the seats when the first bet is entered on the round's own page."""
    asked = typed.cells.get(TABLE, {})
    if BETS not in asked or (asked[BETS] and round.entered(TABLE, BETS)):
        return {}
    return {BETS_ORDER: ".".join(round.players) if asked[BETS] else ""}
