"""The log of a night: changes, lines with their revisions, and the transfers between its accounts.

Of changes, revisions and transfers, rows are only added; of a line, only its current revision and remark change.
"""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any

from sqlalchemy import JSON, BigInteger, CheckConstraint, Index, String, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column, relationship

from .base import Model, OfGroup, UtcDateTime, WithId, impersonal, now, personal, refers

if TYPE_CHECKING:
    from .people import TypedText


class Change(WithId, Model):
    """An action by somebody, under its form's key; `content` is what was sent, to compare if the key is sent again.

    Texts that people typed are in `TypedText`: `content` has their ids, and `device_id` is the id of the device's name.
    """

    __tablename__ = "change"
    __table_args__ = (
        refers("night_id", "night"),
        UniqueConstraint("night_id", "submission_key", "group_id"),
        Index("ix_change_in_order", "night_id", "id"),
    )

    night_id: Mapped[int]
    submission_key: Mapped[str] = impersonal(String(64))
    kind: Mapped[str] = impersonal(String(20))
    content: Mapped[dict[str, Any]] = impersonal(JSON())
    device_id: Mapped[int | None]
    at: Mapped[datetime] = mapped_column(UtcDateTime, default=now)

    # not a foreign key: the name is deleted with its group, the change stays
    device_name: Mapped[TypedText | None] = relationship(
        primaryjoin="and_(foreign(Change.device_id) == TypedText.id, Change.group_id == TypedText.group_id)",
        lazy="joined",
        viewonly=True,
    )

    @property
    def device(self) -> str:
        """The device's name; empty once its group is deleted."""
        return self.device_name.text if self.device_name else ""


class Line(WithId, Model):
    """A numbered line of a night's log: a round of a game, or another movement (`game` is None).

    Only its current revision counts. Its remark can be changed at any time.
    """

    __tablename__ = "line"
    __table_args__ = (
        refers("night_id", "night"),
        refers("current_id", "revision", use_alter=True),
        UniqueConstraint("night_id", "number", "group_id"),
    )

    night_id: Mapped[int]
    number: Mapped[int]
    game: Mapped[str | None] = impersonal(String(40))
    remark: Mapped[str] = personal(String(200), default="")
    current_id: Mapped[int | None]

    # None only until the transaction that adds the line has added its first revision
    current: Mapped[Revision] = relationship(foreign_keys="[Line.current_id, Line.group_id]", viewonly=True)
    revisions: Mapped[list[Revision]] = relationship(
        foreign_keys="[Revision.line_id, Revision.group_id]", order_by="Revision.number", viewonly=True
    )


class Revision(WithId, Model):
    """A version of a line. `document` is the entry, with players and notes as ids; a voided revision moves nothing.

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
    document: Mapped[dict[str, Any]] = impersonal(JSON())
    voided: Mapped[bool] = mapped_column(default=False)
    follows: Mapped[bool] = mapped_column(default=False)

    line: Mapped[Line] = relationship(foreign_keys="[Revision.line_id, Revision.group_id]", viewonly=True)
    change: Mapped[Change] = relationship(viewonly=True)
    transfers: Mapped[list[BookedTransfer]] = relationship(order_by="BookedTransfer.position", viewonly=True)


class Account(WithId, Model):
    """An account of a night: a player (the key is the player's id), "pot" or "bank". `balance` is in units."""

    __tablename__ = "account"
    __table_args__ = (
        refers("night_id", "night"),
        UniqueConstraint("night_id", "key", "group_id"),
    )

    night_id: Mapped[int]
    key: Mapped[str] = impersonal(String(20))
    balance: Mapped[int] = mapped_column(BigInteger, default=0)


class BookedTransfer(OfGroup, Model):
    """An amount in units that a revision moves from one account of its night to another."""

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
    reason: Mapped[str] = impersonal(String(20))
    rule: Mapped[str] = impersonal(String(10))

    # loaded with every transfer, because their keys are always needed
    giver: Mapped[Account] = relationship(
        foreign_keys="[BookedTransfer.giver_id, BookedTransfer.group_id]", lazy="joined", innerjoin=True, viewonly=True
    )
    taker: Mapped[Account] = relationship(
        foreign_keys="[BookedTransfer.taker_id, BookedTransfer.group_id]", lazy="joined", innerjoin=True, viewonly=True
    )
