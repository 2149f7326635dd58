"""The log of a night: changes, lines with their revisions, and transfers. Except for lines, rows are only added."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any

from sqlalchemy import JSON, BigInteger, CheckConstraint, ForeignKey, Index, String, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column, relationship

from .base import Model, UtcDateTime, now

if TYPE_CHECKING:
    from .night import Account, PlaySession


class Change(Model):
    """An action by somebody, under its form's key; `content` is what was sent, to compare if the key is sent again."""

    __tablename__ = "change"
    __table_args__ = (
        UniqueConstraint("session_id", "submission_key"),
        Index("ix_change_in_order", "session_id", "id"),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    session_id: Mapped[int] = mapped_column(ForeignKey("play_session.id"))
    submission_key: Mapped[str] = mapped_column(String(64))
    kind: Mapped[str] = mapped_column(String(20))
    content: Mapped[dict[str, Any]] = mapped_column(JSON)
    device: Mapped[str] = mapped_column(String(100))
    at: Mapped[datetime] = mapped_column(UtcDateTime, default=now)


class Line(Model):
    """A numbered line of a session's log: a round of a game, or another movement (`game` is None).

    Only its current revision counts. Its remark can be changed at any time.
    """

    __tablename__ = "line"
    __table_args__ = (UniqueConstraint("session_id", "number"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    session_id: Mapped[int] = mapped_column(ForeignKey("play_session.id"))
    number: Mapped[int]
    game: Mapped[str | None] = mapped_column(String(40))
    remark: Mapped[str] = mapped_column(String(200), default="")
    current_id: Mapped[int | None] = mapped_column(ForeignKey("revision.id", use_alter=True))

    session: Mapped[PlaySession] = relationship(back_populates="lines")
    # None only until the transaction that adds the line has added its first revision
    current: Mapped[Revision] = relationship(foreign_keys=current_id, post_update=True)
    revisions: Mapped[list[Revision]] = relationship(
        back_populates="line", foreign_keys="Revision.line_id", order_by="Revision.number"
    )


class Revision(Model):
    """A version of a line. `document` is the entry, with players as ids; a voided revision moves nothing.

    `follows` is true if the revision is a consequence of a change to an earlier line.
    """

    __tablename__ = "revision"
    __table_args__ = (UniqueConstraint("line_id", "number"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    line_id: Mapped[int] = mapped_column(ForeignKey("line.id"))
    number: Mapped[int]
    change_id: Mapped[int] = mapped_column(ForeignKey("change.id"))
    document: Mapped[dict[str, Any]] = mapped_column(JSON)
    voided: Mapped[bool] = mapped_column(default=False)
    follows: Mapped[bool] = mapped_column(default=False)

    line: Mapped[Line] = relationship(back_populates="revisions", foreign_keys=line_id)
    change: Mapped[Change] = relationship()
    transfers: Mapped[list[BookedTransfer]] = relationship(order_by="BookedTransfer.position")


class BookedTransfer(Model):
    """An amount in units that a revision moves from one account of its session to another."""

    __tablename__ = "transfer"
    __table_args__ = (
        CheckConstraint("amount > 0", name="amount"),
        CheckConstraint("giver_id <> taker_id", name="accounts"),
    )

    revision_id: Mapped[int] = mapped_column(ForeignKey("revision.id"), primary_key=True)
    position: Mapped[int] = mapped_column(primary_key=True)
    giver_id: Mapped[int] = mapped_column(ForeignKey("account.id"), index=True)
    taker_id: Mapped[int] = mapped_column(ForeignKey("account.id"), index=True)
    amount: Mapped[int] = mapped_column(BigInteger)
    reason: Mapped[str] = mapped_column(String(20))
    rule: Mapped[str] = mapped_column(String(10))

    # loaded with every transfer, because their keys are always needed
    giver: Mapped[Account] = relationship(foreign_keys=giver_id, lazy="joined", innerjoin=True)
    taker: Mapped[Account] = relationship(foreign_keys=taker_id, lazy="joined", innerjoin=True)
