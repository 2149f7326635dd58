"""Chips that a player was too short to hand over: they count in the stacks, but don't lie on the table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from sqlalchemy import or_, select
from sqlalchemy.orm import aliased

from ..log.replay import MOVES_CHIPS, nets
from ..models import Account, BookedTransfer, Line, Night, db
from ..night_key import of_night, of_same_group

_Move = tuple[str, str, int]


class Missed(NamedTuple):
    """Chips, in units, that `giver` didn't have and `taker` therefore never got. Both are account keys."""

    giver: str
    taker: str
    units: int


def missed_in(night: Night, stacks: Mapping[str, int]) -> tuple[Missed, ...]:
    """Work out which chips never changed hands in a night, given everybody's stack and the pot's by account key."""
    return missed(stacks, _moves(night)) if min(stacks.values(), default=0) < 0 else ()


def missed(stacks: Mapping[str, int], moves: Iterable[_Move]) -> tuple[Missed, ...]:
    """Play the moves again with real chips: whoever lacks some hands them over as soon as they have them.

    `stacks` are those after the moves. What is still missing then is what makes a stack negative, or follows from it.
    """
    moves = list(moves)
    here = Counter(stacks)
    here.subtract(nets(moves))  # before the first move
    due: list[_Move] = []
    for move in moves:
        due, is_new = [*due, move], True
        while is_new:
            before, due = due, _handed_over(here, due)
            is_new = due != before
    sums: Counter[tuple[str, str]] = Counter()
    for giver, taker, units in due:
        sums[giver, taker] += units
    rests = {(giver, taker): units - sums[taker, giver] for (giver, taker), units in [*sums.items()]}
    return tuple(Missed(*pair, units) for pair, units in rests.items() if units > 0)


def _handed_over(here: Counter[str], due: Iterable[_Move]) -> list[_Move]:
    """Hand over what the givers have, and return what is still due."""
    rest = []
    for giver, taker, units in due:
        paid = min(units, max(here[giver], 0))
        here[giver] -= paid
        here[taker] += paid
        if units > paid:
            rest.append((giver, taker, units - paid))
    return rest


def _moves(night: Night) -> list[_Move]:
    """List the moves of chips in a night, in order."""
    giver, taker = aliased(Account), aliased(Account)
    query = (
        select(giver.key, taker.key, BookedTransfer.amount)
        .select_from(Line)
        .join(BookedTransfer, of_same_group(BookedTransfer, Line, BookedTransfer.revision_id == Line.current_id))
        .join(BookedTransfer.giver.of_type(giver))
        .join(BookedTransfer.taker.of_type(taker))
        .where(*of_night(Line, night), or_(Line.game.is_not(None), BookedTransfer.reason.in_(MOVES_CHIPS)))
        .order_by(Line.number, BookedTransfer.position)
    )
    return [(payer, payee, units) for payer, payee, units in db.session.execute(query)]
