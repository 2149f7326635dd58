"""The two JSON documents: a round as the table saw it, and what it comes to.

The web form, the API and whatever stores or exports rounds go through here; the rules are the games'.
"""

from .documents import problems_document, settlement_document
from .progress import Progress, progress, progress_document
from .reading import Entered, read_round

__all__ = [
    "Entered",
    "Progress",
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
