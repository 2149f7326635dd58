"""Sums up what was won and lost in nights, as a group's page lists them: without reading what each round moved."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from itertools import accumulate

from sqlalchemy import Select, bindparam, case, select
from sqlalchemy.orm import aliased

from ..db.database import execute
from ..log.ledger import balances_of
from ..log.replay import APART_ACCOUNTS, OWED_BACK
from ..models import Account, BookedTransfer, Line, Night, Result
from ..night_key import of_same_group


def won_in(nights: Mapping[int, int]) -> dict[int, dict[str, int]]:
    """Return what was won and lost in several nights, as in `reading.NightSums.results`, by night id and account key.

    `nights` has each night's group, by id. Includes the pot, with what is left in it.
    """
    return _without_owed(nights, balances_of(nights))


def won_so_far(night: Night, balances: Mapping[str, int]) -> dict[str, int]:
    """Return what was won and lost in a night with these balances, as in `won_in`."""
    return _without_owed({night.id: night.group_id}, {night.id: dict(balances)})[night.id]


def _without_owed(nights: Mapping[int, int], balances: dict[int, dict[str, int]]) -> dict[int, dict[str, int]]:
    """Take loans, buy-ins and shared costs out of the balances of nights, by night id and account key."""
    for night, borrower, lender, amount in execute(_owed(), {"groups": set(nights.values()), "nights": list(nights)}):
        balances[night][borrower] += amount
        balances[night][lender] -= amount
    return balances


@cache
def _owed() -> Select[int, str, str, int]:
    """Build the statement of `_without_owed`, which takes longer than executing it."""
    giver, taker = aliased(Account), aliased(Account)
    return (
        select(Line.night_id, giver.key, taker.key, BookedTransfer.amount)
        .join(BookedTransfer, of_same_group(BookedTransfer, Line, BookedTransfer.revision_id == Line.current_id))
        .join(BookedTransfer.giver.of_type(giver))
        .join(BookedTransfer.taker.of_type(taker))
        .where(Line.group_id.in_(bindparam("groups")), Line.night_id.in_(bindparam("nights")))
        .where(Line.game.is_(None), BookedTransfer.reason.in_(OWED_BACK), giver.key.not_like(APART_ACCOUNTS))
    )


def curves_of(winners: Mapping[Night, int]) -> dict[int, list[int]]:
    """Return one player's running total in each night, by night id: 0 at first, then after each round."""
    if not winners:
        return {}
    nets: dict[int, list[int]] = {night.id: [] for night in winners}
    # an outer join from the lines, so that SQLite begins with these: else it would read all results of the group
    player = case({night.id: player for night, player in winners.items()}, value=Line.night_id)
    query = (
        select(Line.night_id, Result.net)
        .outerjoin(Result, of_same_group(Result, Line, (Result.line_id == Line.id) & (Result.player_id == player)))
        .where(Line.group_id.in_({night.group_id for night in winners}), Line.night_id.in_(nets))
        .order_by(Line.night_id, Line.number)
    )
    for night_id, net in execute(query).all():
        if net is not None:  # otherwise the player wasn't in it, or it isn't a round that counts
            nets[night_id].append(net)
    return {night_id: list(accumulate(won, initial=0)) for night_id, won in nets.items()}
