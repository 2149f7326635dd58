"""The two JSON documents: a round as the table saw it, and what it comes to.

The web form, the API and whatever stores or exports rounds go through here; the rules are the games'.
"""

from .bets import betting_document
from .documents import problems_document, settlement_document
from .progress import Progress, is_all_in, progress, progress_document
from .reading import Entered, read_bets, read_round

__all__ = [
    "Entered",
    "Progress",
    "betting",
    "is_all_in",
    "problems_document",
    "progress",
    "progress_document",
    "read_round",
    "settle",
    "settlement_document",
]


def settle(document: object) -> tuple[int, dict[str, object]]:
    """Settle a round document; gives 200 and the settlement, or 422 and all the problems that can be told at once."""
    entered = read_round(document)
    if entered.game is None or entered.round is None:
        return 422, problems_document(entered.problems)
    return 200, settlement_document(entered.game.settle(entered.round))


def betting(document: object) -> tuple[int, dict[str, object]]:
    """Tell how the betting of a round stands, whose bets may not be at their end.

    Gives 200 with whose turn it is and what that player may do, or 422 and all the problems; hands are not looked at.
    """
    found = read_bets(document)
    if found.round is None or found.betting is None:
        return 422, problems_document(found.problems, title="The bets cannot be as entered")
    return 200, betting_document(found.round, found.betting)
