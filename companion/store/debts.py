"""What is still owed in a session or in all of a group's: the balances, less what was paid."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping

from sqlalchemy import bindparam, func, select, union_all
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

Owed = dict[str, int]

_whole, _giver, _taker = aliased(SettleUp), aliased(Account), aliased(Account)
# the newest plan for all nights that covers a session
_NEWEST_WHOLE = (
    select(func.max(_whole.id))
    .where(_whole.session_id.is_(None), _whole.group_id == PlaySession.group_id)
    .where(_whole.currency.is_not_distinct_from(PlaySession.currency))
    .correlate(PlaySession)
    .scalar_subquery()
)
_THEN = (
    select(func.max(Revision.id))
    .join(Change, Change.id == Revision.change_id)
    .where(Revision.line_id == Line.id, Change.at <= SettleUp.at)
    .correlate(Line, SettleUp)
    .scalar_subquery()
)
# per session: what its lines moved up to the newest plan for all nights, and what was paid on its own plans since
_SETTLED = union_all(
    select(PlaySession.id, _giver.key, _taker.key, BookedTransfer.amount)
    .select_from(PlaySession)
    .join(SettleUp, SettleUp.id == _NEWEST_WHOLE)
    .join(Line, Line.session_id == PlaySession.id)
    .join(BookedTransfer, BookedTransfer.revision_id == _THEN)
    .join(_giver, _giver.id == BookedTransfer.giver_id)
    .join(_taker, _taker.id == BookedTransfer.taker_id)
    .where(PlaySession.id.in_(bindparam("sessions", expanding=True))),
    select(PlaySession.id, PlannedPayment.payer, PlannedPayment.payee, Paid.amount)
    .select_from(PlaySession)
    .join(SettleUp, SettleUp.session_id == PlaySession.id)
    .join(PlannedPayment, PlannedPayment.settle_up_id == SettleUp.id)
    .join(Paid, Paid.payment_id == PlannedPayment.id)
    .where(PlaySession.id.in_(bindparam("sessions", expanding=True)))
    .where(SettleUp.id > func.coalesce(_NEWEST_WHOLE, 0)),
)


def owed_in_session(session: PlaySession) -> Owed:
    """Return what each of a session's accounts is still owed (+) or owes (-), in units.

    A plan for all nights takes over what the session's players owed when it was made. After that, only what has changed
    since is owed in the session.
    """
    return owed_in_sessions([session.id])[session.id]


def owed_in_sessions(sessions: Collection[int]) -> dict[int, Owed]:
    """Return what the accounts of several sessions are owed or owe, by session id."""
    owed = {session: Counter(balances) for session, balances in balances_of(sessions).items()}
    for session, giver, taker, amount in db.session.execute(_SETTLED, {"sessions": list(sessions)}):
        owed[session][giver] += amount
        owed[session][taker] -= amount
    return {session: nonzero(sums) for session, sums in owed.items()}


def owed_in_group(group: Group, currency: str | None) -> Owed:
    """Return what each account is still owed or owes over all sessions in a currency (None: chips)."""
    sessions = select(PlaySession.id).where(PlaySession.group_id == group.id, PlaySession.currency == currency)
    sums = select(Account.key, func.sum(Account.balance)).where(Account.session_id.in_(sessions)).group_by(Account.key)
    sums = sums.order_by(func.min(Account.id))
    owed = Counter({key: int(balance) for key, balance in db.session.execute(sums)})
    paid = (
        select(PlannedPayment.payer, PlannedPayment.payee, func.sum(Paid.amount))
        .join(PlannedPayment, Paid.payment_id == PlannedPayment.id)
        .join(SettleUp, PlannedPayment.settle_up_id == SettleUp.id)
        .where(SettleUp.group_id == group.id, SettleUp.currency == currency)
        .group_by(PlannedPayment.payer, PlannedPayment.payee)
    )
    for payer, payee, amount in db.session.execute(paid):
        owed[payer] += int(amount)
        owed[payee] -= int(amount)
    return nonzero(owed)


def nonzero(sums: Mapping[str, int]) -> Owed:
    """Return the sums without those that are 0."""
    return {key: units for key, units in sums.items() if units}
