"""The JSON documents: a round as the table entered it, its bets, progress and problems, and its settlement.

The web form, the API and the store all go through this package; the rules themselves are in the games.

- `reading`: the room that reads a round document, part by part
- what is written: `documents` of settlements and problems, `progress` of a round that is being entered, the
  `catalogue` of games, the API's `schema`
- a table's `own_games`, tried by `conformance` with `random_rounds`
- `naming` puts players' keys in the place of names
"""

from .documents import problems_document, settlement_document
from .progress import HandSoFar, Progress, may_reveal_hands, progress, progress_document
from .reading.bets import betting_document
from .reading.round_document import Entered, read_bets, read_round

__all__ = [
    "Entered",
    "HandSoFar",
    "Progress",
    "betting",
    "may_reveal_hands",
    "problems_document",
    "progress",
    "progress_document",
    "read_round",
    "settle",
    "settlement_document",
]


def settle(document: object) -> tuple[int, dict[str, object]]:
    """Settle a round document. Returns 200 and the settlement, or 422 and every problem found."""
    entered = read_round(document)
    settlement = entered.settlement()
    if settlement is None:
        return 422, problems_document(entered.problems)
    return 200, settlement_document(settlement)


def betting(document: object) -> tuple[int, dict[str, object]]:
    """Return the state of a round's betting, which may be unfinished; hands are ignored.

    Returns 200 with whose turn it is and what that player may do, or 422 and every problem found.
    """
    bets = read_bets(document)
    if bets.round is None or bets.betting is None:
        return 422, problems_document(bets.problems, title="These bets aren't possible")
    return 200, betting_document(bets.round, bets.betting)
