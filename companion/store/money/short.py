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
    due: Counter[tuple[str, str]] = Counter()  # what each still has to hand over to each, the oldest first
    for giver, taker, units in moves:
        due[giver, taker] += units
        while _hand_over(here, due):
            pass  # who got some may have owed them
    rests = {(giver, taker): units - due[taker, giver] for (giver, taker), units in due.items()}
    return tuple(Missed(*pair, units) for pair, units in rests.items() if units > 0)


def _hand_over(here: Counter[str], due: Counter[tuple[str, str]]) -> bool:
    """Hand over what the givers have; return whether that was anything."""
    is_any = False
    for (giver, taker), units in [*due.items()]:
        paid = min(units, max(here[giver], 0))
        if not paid:
            continue
        here[giver] -= paid
        here[taker] += paid
        is_any = True
        if paid < units:
            due[giver, taker] -= paid
        else:
            del due[giver, taker]
    return is_any


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
