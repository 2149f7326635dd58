"""What is still owed in a session or in all of a group's: the balances, less what was paid."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from functools import cache
from typing import Any

from sqlalchemy import CompoundSelect, bindparam, func, select, union_all
from sqlalchemy.orm import aliased

from .ledger import balances_of
from .models import (
    Account,
    BookedTransfer,
    Change,
    Group,
    Line,
    Paid,
    PlannedPayment,
    PlaySession,
    Revision,
    SettleUp,
    db,
)
from .night_key import of_same_group
from .replay import nets

Owed = dict[str, int]

_OF_THESE = (
    PlaySession.group_id.in_(bindparam("groups", expanding=True)),
    PlaySession.id.in_(bindparam("sessions", expanding=True)),
)


@cache
def _settled() -> CompoundSelect[Any]:
    """Return the statement for what is settled in some sessions, as (session's id, giver, taker, units).

    That is what their lines had moved when the newest plan for all nights was made, because that plan took it over, and
    what was paid on their own plans since.
    """
    # not a constant, because building it makes SQLAlchemy configure all models, which would slow down the start
    whole, giver, taker = aliased(SettleUp), aliased(Account), aliased(Account)
    # the newest plan for all nights that covers a session
    newest_whole = (
        select(func.max(whole.id))
        .where(whole.session_id.is_(None), whole.group_id == PlaySession.group_id)
        .where(whole.currency.is_not_distinct_from(PlaySession.currency))
        .correlate(PlaySession)
        .scalar_subquery()
    )
    then = (
        select(func.max(Revision.id))
        .join(Revision.change)
        .where(Revision.group_id == Line.group_id, Revision.line_id == Line.id, Change.at < SettleUp.at)
        .correlate(Line, SettleUp)
        .scalar_subquery()
    )
    return union_all(
        select(PlaySession.id, giver.key, taker.key, BookedTransfer.amount)
        .select_from(PlaySession)
        .join(SettleUp, of_same_group(SettleUp, PlaySession, SettleUp.id == newest_whole))
        .join(PlaySession.lines)
        .join(BookedTransfer, of_same_group(BookedTransfer, Line, BookedTransfer.revision_id == then))
        .join(BookedTransfer.giver.of_type(giver))
        .join(BookedTransfer.taker.of_type(taker))
        .where(*_OF_THESE),
        select(PlaySession.id, PlannedPayment.payer, PlannedPayment.payee, Paid.amount)
        .select_from(PlaySession)
        .join(SettleUp, of_same_group(SettleUp, PlaySession, SettleUp.session_id == PlaySession.id))
        .join(SettleUp.payments)
        .join(PlannedPayment.paid)
        .where(*_OF_THESE)
        .where(SettleUp.id > func.coalesce(newest_whole, 0)),
    )


def owed_in_session(session: PlaySession) -> Owed:
    """Return what each of a session's accounts is still owed (+) or owes (-), in units.

    A plan for all nights takes over what the session's players owed when it was made. After that, only what has changed
    since is owed in the session.
    """
    return owed_in_sessions({session.id: session.group_id})[session.id]


def owed_in_sessions(sessions: Mapping[int, int]) -> dict[int, Owed]:
    """Return what the accounts of several sessions are owed or owe, by session id.

    `sessions` has each session's group, by id.
    """
    owed = {session: Counter(balances) for session, balances in balances_of(sessions).items()}
    given = {"groups": list(set(sessions.values())), "sessions": list(sessions)}
    for session, giver, taker, amount in db.session.execute(_settled(), given):
        owed[session][giver] += amount
        owed[session][taker] -= amount
    return {session: nonzero(sums) for session, sums in owed.items()}


def owed_in_group(group: Group, currency: str | None) -> Owed:
    """Return what each account is still owed or owes over all sessions in a currency (None: chips)."""
    sessions = select(PlaySession.id).where(PlaySession.group_id == group.id, PlaySession.currency == currency)
    of_these = (Account.group_id == group.id, Account.session_id.in_(sessions))
    sums = select(Account.key, func.sum(Account.balance)).where(*of_these).group_by(Account.key)
    sums = sums.order_by(func.min(Account.id))
    owed = Counter({key: int(balance) for key, balance in db.session.execute(sums)})
    paid = (
        select(PlannedPayment.payer, PlannedPayment.payee, func.sum(Paid.amount))
        .select_from(SettleUp)
        .join(SettleUp.payments)
        .join(PlannedPayment.paid)
        .where(SettleUp.group_id == group.id, SettleUp.currency == currency)
        .group_by(PlannedPayment.payer, PlannedPayment.payee)
    )
    owed.subtract(nets((payer, payee, int(amount)) for payer, payee, amount in db.session.execute(paid)))
    return nonzero(owed)


def nonzero(sums: Mapping[str, int]) -> Owed:
    """Return the sums without those that are 0."""
    return {key: units for key, units in sums.items() if units}
