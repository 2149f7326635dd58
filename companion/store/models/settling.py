"""Payment plans, and the payments made. Rows are only added; a plan can be marked as replaced by a newer one."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from sqlalchemy import BigInteger, CheckConstraint, String, UniqueConstraint, false
from sqlalchemy.orm import Mapped, mapped_column, relationship

from .base import Model, UtcDateTime, WithId, asked_for_by_group, belongs_to_group, impersonal, now, personal, refers

if TYPE_CHECKING:
    from .night import Night
    from .people import Group


class SettleUp(WithId, Model):
    """A fixed payment plan for a night, or if `night_id` is None for all the group's nights in a currency.

    With `is_apart` it is for a night's shared costs in that currency, which are settled apart from its games.
    """

    __tablename__ = "settle_up"
    __table_args__ = (
        belongs_to_group(),
        refers("night_id", "night"),
        refers("replaced_by_id", "settle_up"),
    )

    group_id: Mapped[int] = asked_for_by_group()
    public_id: Mapped[str] = impersonal(String(16), unique=True)
    submission_key: Mapped[str] = impersonal(String(64), unique=True)
    night_id: Mapped[int | None] = mapped_column(index=True)
    currency: Mapped[str | None] = impersonal(String(3))
    is_apart: Mapped[bool] = mapped_column(default=False, server_default=false())
    replaced_by_id: Mapped[int | None]
    device: Mapped[str] = personal(String(100))
    at: Mapped[datetime] = mapped_column(UtcDateTime, default=now)

    group: Mapped[Group] = relationship(viewonly=True)
    night: Mapped[Night | None] = relationship(viewonly=True)
    replaced_by: Mapped[SettleUp | None] = relationship(
        foreign_keys="[SettleUp.replaced_by_id]", remote_side="SettleUp.id", post_update=True
    )
    payments: Mapped[list[PlannedPayment]] = relationship(order_by="PlannedPayment.position")


class PlannedPayment(WithId, Model):
    """A payment in a plan; payer and payee are account keys."""

    __tablename__ = "planned_payment"
    __table_args__ = (
        refers("settle_up_id", "settle_up"),
        UniqueConstraint("settle_up_id", "position", "group_id"),
        CheckConstraint("amount > 0", name="amount"),
        CheckConstraint("payer <> payee", name="accounts"),
    )

    settle_up_id: Mapped[int]
    position: Mapped[int]
    payer: Mapped[str] = impersonal(String(20))
    payee: Mapped[str] = impersonal(String(20))
    amount: Mapped[int] = mapped_column(BigInteger)

    paid: Mapped[list[Paid]] = relationship(back_populates="payment", order_by="Paid.id", lazy="joined")

    @property
    def paid_how(self) -> str | None:
        """The kind of handle by which it was paid last, if that was said and it isn't undone."""
        return self.paid[-1].how if self.paid and self.sum_paid else None

    @property
    def sum_paid(self) -> int:
        return sum(paid.amount for paid in self.paid)

    @property
    def rest(self) -> int:
        """The units that are still to pay."""
        return self.amount - self.sum_paid


class Paid(WithId, Model):
    """An amount paid towards a planned payment; negative if undone. `how` is a kind of handle, if that was said."""

    __tablename__ = "paid"
    __table_args__ = (
        refers("payment_id", "planned_payment"),
        CheckConstraint("amount <> 0", name="amount"),
    )

    payment_id: Mapped[int] = mapped_column(index=True)
    amount: Mapped[int] = mapped_column(BigInteger)
    how: Mapped[str | None] = impersonal(String(10))
    submission_key: Mapped[str] = impersonal(String(64), unique=True)
    device: Mapped[str] = personal(String(100))
    at: Mapped[datetime] = mapped_column(UtcDateTime, default=now)

    payment: Mapped[PlannedPayment] = relationship(back_populates="paid")
