"""What was paid by the plans of a night."""

from __future__ import annotations

from sqlalchemy import BigInteger, ColumnElement, cast, func, select

from companion.engine.money.payments import Payment

from ..db.database import execute
from ..models import Night, Paid, PlannedPayment, SettleUp
from ..night_key import of_night


def key_of(table: type[PlannedPayment | SettleUp | Night]) -> tuple[ColumnElement[int], ColumnElement[int]]:
    """Return the columns of a table's key."""
    return table.group_id.expression, table.id.expression


def paid_before(night: Night, plan: SettleUp | None) -> list[Payment]:
    """List what was paid on a night's other plans, the oldest plan first."""
    sums = func.sum(Paid.amount)
    query = (
        select(PlannedPayment.payer, PlannedPayment.payee, cast(sums, BigInteger))
        .select_from(SettleUp)
        .join(SettleUp.payments)
        .join(PlannedPayment.paid)
        .where(*of_night(SettleUp, night), SettleUp.is_apart.is_(False))
        .group_by(*key_of(PlannedPayment))
        .having(sums > 0)
        .order_by(PlannedPayment.id)
    )
    if plan is not None:
        query = query.where(SettleUp.id != plan.id)
    return [Payment(*row) for row in execute(query)]
