"""What was paid by the plans of a night, and what can still be."""

from __future__ import annotations

from sqlalchemy import BigInteger, ColumnElement, cast, func, select

from companion.engine.messages import Message
from companion.engine.money.payments import Payment

from ..db.database import execute
from ..models import Night, Paid, PlannedPayment, SettleUp
from ..night_key import of_night
from ..refusals import AlreadySo, Refused

ALREADY = {
    "paid": Message("It was already marked paid on another phone"),
    "undone": Message("It was already undone on another phone"),
}


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


def units_to_book(plan: SettleUp, payment: PlannedPayment | None, amount: int | None) -> int:
    """Return what is booked as paid: the amount, or if it is None what undoes everything. See `settle_up.pay`."""
    if payment is None:
        raise Refused(Message("This plan has no such payment; open it again"))
    if plan.replaced_by_id is not None:
        raise Refused(Message("A newer plan has replaced this one; tick off the payment there"))
    if amount is None and not payment.sum_paid:
        raise AlreadySo(ALREADY["undone"])
    if amount is not None and amount > 0 and payment.sum_paid == payment.amount:
        raise AlreadySo(ALREADY["paid"])
    units = -payment.sum_paid if amount is None else amount
    if units == 0 or not 0 <= payment.sum_paid + units <= payment.amount:
        raise Refused(Message("That is more than is left of this payment; enter less"))
    return units
