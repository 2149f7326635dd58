"""Payment plans, and the payments made. Rows are only added; a plan can be marked as replaced by a newer one."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from sqlalchemy import BigInteger, CheckConstraint, ForeignKey, String, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column, relationship

from .base import Model, UtcDateTime, now

if TYPE_CHECKING:
    from .night import PlaySession
    from .people import Group


class SettleUp(Model):
    """A fixed payment plan for a session, or if `session_id` is None for all the group's sessions in a currency."""

    __tablename__ = "settle_up"

    id: Mapped[int] = mapped_column(primary_key=True)
    public_id: Mapped[str] = mapped_column(String(16), unique=True)
    submission_key: Mapped[str] = mapped_column(String(64), unique=True)
    group_id: Mapped[int] = mapped_column(ForeignKey("player_group.id"), index=True)
    session_id: Mapped[int | None] = mapped_column(ForeignKey("play_session.id"), index=True)
    currency: Mapped[str | None] = mapped_column(String(3))
    replaced_by_id: Mapped[int | None] = mapped_column(ForeignKey("settle_up.id"))
    device: Mapped[str] = mapped_column(String(100))
    at: Mapped[datetime] = mapped_column(UtcDateTime, default=now)

    group: Mapped[Group] = relationship()
    session: Mapped[PlaySession | None] = relationship()
    replaced_by: Mapped[SettleUp | None] = relationship(remote_side=id, post_update=True)
    payments: Mapped[list[PlannedPayment]] = relationship(order_by="PlannedPayment.position")


class PlannedPayment(Model):
    """A payment in a plan; payer and payee are account keys."""

    __tablename__ = "planned_payment"
    __table_args__ = (
        UniqueConstraint("settle_up_id", "position"),
        CheckConstraint("amount > 0", name="amount"),
        CheckConstraint("payer <> payee", name="accounts"),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    settle_up_id: Mapped[int] = mapped_column(ForeignKey("settle_up.id"))
    position: Mapped[int]
    payer: Mapped[str] = mapped_column(String(20))
    payee: Mapped[str] = mapped_column(String(20))
    amount: Mapped[int] = mapped_column(BigInteger)

    paid: Mapped[list[Paid]] = relationship(back_populates="payment", order_by="Paid.id")

    @property
    def sum_paid(self) -> int:
        return sum(paid.amount for paid in self.paid)


class Paid(Model):
    """An amount paid towards a planned payment; negative if undone."""

    __tablename__ = "paid"
    __table_args__ = (CheckConstraint("amount <> 0", name="amount"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    payment_id: Mapped[int] = mapped_column(ForeignKey("planned_payment.id"), index=True)
    amount: Mapped[int] = mapped_column(BigInteger)
    submission_key: Mapped[str] = mapped_column(String(64), unique=True)
    device: Mapped[str] = mapped_column(String(100))
    at: Mapped[datetime] = mapped_column(UtcDateTime, default=now)

    payment: Mapped[PlannedPayment] = relationship(back_populates="paid")
