"""The groups: who plays together, by which links they come in, and the house rules they keep."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any

from sqlalchemy import JSON, CheckConstraint, ForeignKey, String, Text, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column, relationship

from .base import Model, UtcDateTime, now

if TYPE_CHECKING:
    from .night import PlaySession
    from .settling import SettleUp


class Group(Model):
    """People who play together; `public_id` stands in addresses.

    `is_complete` is False while an import writes it, and stays so where that was broken off: nobody sees it, and it
    need not fit. `is_demo`: made up, to look around in. `deleted_at`: it is gone for everybody, see `deleting`;
    `deletion_key` is the key of the form that did it.
    """

    __tablename__ = "player_group"

    id: Mapped[int] = mapped_column(primary_key=True)
    public_id: Mapped[str] = mapped_column(String(16), unique=True)
    name: Mapped[str] = mapped_column(String(100))
    pin_hash: Mapped[str | None] = mapped_column(String(200))
    made_at: Mapped[datetime] = mapped_column(UtcDateTime, default=now)
    is_complete: Mapped[bool] = mapped_column(default=True)
    is_demo: Mapped[bool] = mapped_column(default=False)
    deleted_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    deletion_key: Mapped[str | None] = mapped_column(String(64), index=True, unique=True)

    players: Mapped[list[Player]] = relationship(back_populates="group", order_by="Player.id")
    links: Mapped[list[Link]] = relationship(back_populates="group")
    sessions: Mapped[list[PlaySession]] = relationship(viewonly=True, order_by="PlaySession.id")
    plans: Mapped[list[SettleUp]] = relationship(viewonly=True, order_by="SettleUp.id")


class Link(Model):
    """A secret address of a group, of which only the hash is kept. `access`: "keep" (score), "play" (enter the own
    hand) or "look". `number` grows when the link is renewed.
    """

    __tablename__ = "link"
    __table_args__ = (
        UniqueConstraint("group_id", "access"),
        CheckConstraint("access IN ('keep', 'play', 'look')", name="access"),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    group_id: Mapped[int] = mapped_column(ForeignKey("player_group.id"))
    access: Mapped[str] = mapped_column(String(4))
    number: Mapped[int] = mapped_column(default=1)
    secret_hash: Mapped[str] = mapped_column(String(64), unique=True)

    group: Mapped[Group] = relationship(back_populates="links")


class Player(Model):
    """A player of a group: renamed or retired, never deleted. `folded` is the name as it is compared."""

    __tablename__ = "player"
    __table_args__ = (UniqueConstraint("group_id", "folded"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    group_id: Mapped[int] = mapped_column(ForeignKey("player_group.id"))
    name: Mapped[str] = mapped_column(String(100))
    folded: Mapped[str] = mapped_column(Text)
    retired: Mapped[bool] = mapped_column(default=False)

    group: Mapped[Group] = relationship(back_populates="players")


class RuleSet(Model):
    """House rules of a game that a group keeps under a name; `folded` is the name as it is compared.

    `rules` has every option of the game at the time when the set was kept.
    """

    __tablename__ = "rule_set"
    __table_args__ = (UniqueConstraint("group_id", "game", "folded"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    group_id: Mapped[int] = mapped_column(ForeignKey("player_group.id"))
    game: Mapped[str] = mapped_column(String(40))
    name: Mapped[str] = mapped_column(String(40))
    folded: Mapped[str] = mapped_column(Text)
    rules: Mapped[dict[str, Any]] = mapped_column(JSON)
