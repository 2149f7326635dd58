"""The log of a night: changes, lines with their revisions, and the transfers between its accounts.

Of changes, revisions and transfers, rows are only added; of a line, only its current revision and remark change.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, BigInteger, CheckConstraint, Index, String, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column, relationship

from .base import Model, OfGroup, UtcDateTime, WithId, now, refers


class Change(WithId, Model):
    """An action by somebody, under its form's key; `content` is what was sent, to compare if the key is sent again."""

    __tablename__ = "change"
    __table_args__ = (
        refers("session_id", "play_session"),
        UniqueConstraint("session_id", "submission_key", "group_id"),
        Index("ix_change_in_order", "session_id", "id"),
    )

    session_id: Mapped[int]
    submission_key: Mapped[str] = mapped_column(String(64))
    kind: Mapped[str] = mapped_column(String(20))
    content: Mapped[dict[str, Any]] = mapped_column(JSON)
    device: Mapped[str] = mapped_column(String(100))
    at: Mapped[datetime] = mapped_column(UtcDateTime, default=now)


class Line(WithId, Model):
    """A numbered line of a session's log: a round of a game, or another movement (`game` is None).

    Only its current revision counts. Its remark can be changed at any time.
    """

    __tablename__ = "line"
    __table_args__ = (
        refers("session_id", "play_session"),
        refers("current_id", "revision", use_alter=True),
        UniqueConstraint("session_id", "number", "group_id"),
    )

    session_id: Mapped[int]
    number: Mapped[int]
    game: Mapped[str | None] = mapped_column(String(40))
    remark: Mapped[str] = mapped_column(String(200), default="")
    current_id: Mapped[int | None]

    # None only until the transaction that adds the line has added its first revision
    current: Mapped[Revision] = relationship(foreign_keys="[Line.current_id, Line.group_id]", viewonly=True)
    revisions: Mapped[list[Revision]] = relationship(
        foreign_keys="[Revision.line_id, Revision.group_id]", order_by="Revision.number", viewonly=True
    )


class Revision(WithId, Model):
    """A version of a line. `document` is the entry, with players as ids; a voided revision moves nothing.

    `follows` is true if the revision is a consequence of a change to an earlier line.
    """

    __tablename__ = "revision"
    __table_args__ = (
        refers("line_id", "line"),
        refers("change_id", "change"),
        UniqueConstraint("line_id", "number", "group_id"),
    )

    line_id: Mapped[int]
    number: Mapped[int]
    change_id: Mapped[int]
    document: Mapped[dict[str, Any]] = mapped_column(JSON)
    voided: Mapped[bool] = mapped_column(default=False)
    follows: Mapped[bool] = mapped_column(default=False)

    line: Mapped[Line] = relationship(foreign_keys="[Revision.line_id, Revision.group_id]", viewonly=True)
    change: Mapped[Change] = relationship(viewonly=True)
    transfers: Mapped[list[BookedTransfer]] = relationship(order_by="BookedTransfer.position", viewonly=True)


class Account(WithId, Model):
    """An account of a session: a player (the key is the player's id), "pot" or "bank". `balance` is in units."""

    __tablename__ = "account"
    __table_args__ = (
        refers("session_id", "play_session"),
        UniqueConstraint("session_id", "key", "group_id"),
    )

    session_id: Mapped[int]
    key: Mapped[str] = mapped_column(String(20))
    balance: Mapped[int] = mapped_column(BigInteger, default=0)


class BookedTransfer(OfGroup, Model):
    """An amount in units that a revision moves from one account of its session to another."""

    __tablename__ = "transfer"
    __table_args__ = (
        refers("revision_id", "revision"),
        refers("giver_id", "account"),
        refers("taker_id", "account"),
        CheckConstraint("amount > 0", name="amount"),
        CheckConstraint("giver_id <> taker_id", name="accounts"),
    )

    revision_id: Mapped[int] = mapped_column(primary_key=True)
    position: Mapped[int] = mapped_column(primary_key=True)
    giver_id: Mapped[int]
    taker_id: Mapped[int]
    amount: Mapped[int] = mapped_column(BigInteger)
    reason: Mapped[str] = mapped_column(String(20))
    rule: Mapped[str] = mapped_column(String(10))

    # loaded with every transfer, because their keys are always needed
    giver: Mapped[Account] = relationship(
        foreign_keys="[BookedTransfer.giver_id, BookedTransfer.group_id]", lazy="joined", innerjoin=True, viewonly=True
    )
    taker: Mapped[Account] = relationship(
        foreign_keys="[BookedTransfer.taker_id, BookedTransfer.group_id]", lazy="joined", innerjoin=True, viewonly=True
    )
