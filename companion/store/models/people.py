"""Groups, their players, secret links, saved house rules, and the forms they sent.

A player is identified in three ways:

- The id is the number of the player's row. Database tables and changes of seats use it.
- The key is the id as text, a `PlayerKey`. Everything else uses it: documents, the ledger, the draft, forms and URLs.
- The name is unique in a group and may change. It is put in where a person reads it.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal

from sqlalchemy import JSON, CheckConstraint, Index, String, Text, UniqueConstraint, bindparam, event, select
from sqlalchemy.orm import Mapped, mapped_column, relationship

from companion.engine.players import PlayerKey

from .base import (
    Model,
    OfGroup,
    UtcDateTime,
    WithId,
    asked_for_by_group,
    belongs_to_group,
    forget,
    impersonal,
    now,
    personal,
    read_once,
    refers,
)

Access = Literal["keep", "play", "look"]  # what a link allows: keeping score, entering one player's hand, or looking


class Group(Model):
    """People who play together; `public_id` is used in URLs.

    `is_complete` is false during an import, and after an aborted one; such a group is invisible and may be
    inconsistent. `chips` are those by colour: [colour, value, number]; see `chip_sets`. `is_demo` marks a made-up
    group to try out the app. `deleted_at` is when it was deleted (see `deleting`), by the form with the key
    `deletion_key`. `turn` and `handed_over_at` say where it is written; see `turns`.
    """

    __tablename__ = "player_group"

    id: Mapped[int] = mapped_column(primary_key=True)
    public_id: Mapped[str] = impersonal(String(16), unique=True)
    name: Mapped[str] = personal(String(100))
    pin_hash: Mapped[str | None] = personal(String(200))
    made_at: Mapped[datetime] = mapped_column(UtcDateTime, default=now)
    chips: Mapped[list[list[Any]]] = impersonal(JSON(), default=list, server_default="[]")
    is_complete: Mapped[bool] = mapped_column(default=True)
    is_demo: Mapped[bool] = mapped_column(default=False)
    turn: Mapped[int] = mapped_column(default=0, server_default="0")
    handed_over_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    deleted_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    deletion_key: Mapped[str | None] = impersonal(String(64), index=True, unique=True)

    players: Mapped[list[Player]] = relationship(back_populates="group", order_by="Player.id")
    links: Mapped[list[Link]] = relationship(back_populates="group")

    @property
    def names(self) -> dict[str, str]:
        """The players' names by key; their order, which never changes, gives the players' colours."""
        if "players" in self.__dict__:
            return {PlayerKey(player.id): player.name for player in self.players}
        return {PlayerKey(player): name for player, name in read_once(self, _PLAYERS, {"group": self.id})}


class Link(WithId, Model):
    """A group's secret link, stored as a hash. `number` counts its renewals."""

    __tablename__ = "link"
    __table_args__ = (
        belongs_to_group(),
        UniqueConstraint("group_id", "access"),
        CheckConstraint("access IN ('keep', 'play', 'look')", name="access"),
    )
    goes_with_group = True

    access: Mapped[Access] = impersonal(String(4))
    number: Mapped[int] = mapped_column(default=1)
    secret_hash: Mapped[str] = impersonal(String(64), unique=True)

    group: Mapped[Group] = relationship(back_populates="links")


class ApiToken(WithId, Model):
    """What lets a program into a group through the API, with a right; stored as a hash. Revoking deletes nothing."""

    __tablename__ = "api_token"
    __table_args__ = (
        belongs_to_group(),
        Index("ix_api_token_of_group", "group_id"),
        CheckConstraint("access IN ('keep', 'play', 'look')", name="access"),
    )
    goes_with_group = True

    label: Mapped[str] = personal(String(40))
    access: Mapped[Access] = impersonal(String(4))
    secret_hash: Mapped[str] = impersonal(String(64), unique=True)
    made_at: Mapped[datetime] = mapped_column(UtcDateTime, default=now)
    used_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    revoked_at: Mapped[datetime | None] = mapped_column(UtcDateTime)

    group: Mapped[Group] = relationship()


class Player(WithId, Model):
    """A player of a group, who can be renamed or retired but not deleted. `folded` is the name for comparisons."""

    __tablename__ = "player"
    __table_args__ = (belongs_to_group(), UniqueConstraint("group_id", "folded"))

    name: Mapped[str] = personal(String(100))
    folded: Mapped[str] = personal(Text(), erased="id")
    retired: Mapped[bool] = mapped_column(default=False)

    group: Mapped[Group] = relationship(back_populates="players")


_PLAYERS = select(Player.id, Player.name).where(Player.group_id == bindparam("group")).order_by(Player.id)
event.listen(Group, "expire", forget, raw=True)


class PayHandle(OfGroup, Model):
    """How a player gets paid in one way (`kind`): an account number, a name in an app, or words; see `handles`."""

    __tablename__ = "pay_handle"
    __table_args__ = (refers("player_id", "player"),)
    goes_with_group = True

    group_id: Mapped[int] = asked_for_by_group()
    player_id: Mapped[int] = mapped_column(primary_key=True)
    kind: Mapped[str] = impersonal(String(10), primary_key=True)
    text: Mapped[str] = personal(String(100))


class RuleSet(WithId, Model):
    """A group's saved house rules for one game. `folded` is the name for comparisons.

    `rules` has all the options that the game had when the set was saved.
    """

    __tablename__ = "rule_set"
    __table_args__ = (belongs_to_group(), UniqueConstraint("group_id", "game", "folded"))
    goes_with_group = True

    game: Mapped[str] = impersonal(String(40))
    name: Mapped[str] = personal(String(40))
    folded: Mapped[str] = personal(Text())
    rules: Mapped[dict[str, Any]] = impersonal(JSON())


class Season(OfGroup, Model):
    """A season that a group closed: its name, what decides it ("net" or "wins"), and its last month ("2026-11").

    It begins in the month after the one before it. `number` counts from 1.
    """

    __tablename__ = "season"
    __table_args__ = (belongs_to_group(), CheckConstraint("ranked_by IN ('net', 'wins')", name="ranked_by"))
    goes_with_group = True

    group_id: Mapped[int] = asked_for_by_group()
    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    name: Mapped[str] = personal(String(40))
    ranked_by: Mapped[str] = impersonal(String(4))
    until: Mapped[str] = impersonal(String(7))


class NextNight(OfGroup, Model):
    """The night that a group plans: `at` by a clock that is `utc_offset` seconds ahead of UTC; see `next_night`.

    `public_id` identifies it in calendars, `revision` counts its changes, `last_round` is a time such as "01:00".
    """

    __tablename__ = "next_night"
    __table_args__ = (belongs_to_group(),)
    goes_with_group = True

    group_id: Mapped[int] = asked_for_by_group()
    public_id: Mapped[str] = impersonal(String(16))
    at: Mapped[datetime] = mapped_column(UtcDateTime)
    utc_offset: Mapped[int]
    place: Mapped[str] = personal(String(100))
    last_round: Mapped[str | None] = impersonal(String(5))
    revision: Mapped[int]


class Coming(OfGroup, Model):
    """Whether a player comes to the night that the group plans."""

    __tablename__ = "coming"
    __table_args__ = (refers("player_id", "player"),)
    goes_with_group = True

    group_id: Mapped[int] = asked_for_by_group()
    player_id: Mapped[int] = mapped_column(primary_key=True)
    comes: Mapped[bool]


class TypedText(WithId, Model):
    """A text that people of a group typed, which changes and revisions refer to by its id; see `typed`.

    It stands outside the ledger, so that it can be deleted. `digest` is for finding it again.
    """

    __tablename__ = "typed"
    __table_args__ = (belongs_to_group(), UniqueConstraint("group_id", "digest"))
    goes_with_group = True

    digest: Mapped[str] = personal(String(64))
    text: Mapped[str] = personal(Text())


class SentForm(OfGroup, Model):
    """A form that was carried out: its key, a digest of what it said, and when it came; see `sent_forms`."""

    __tablename__ = "sent_form"
    __table_args__ = (belongs_to_group(),)
    goes_with_group = True

    group_id: Mapped[int] = asked_for_by_group()
    key: Mapped[str] = impersonal(String(64), primary_key=True)
    digest: Mapped[str] = personal(String(64))
    at: Mapped[datetime] = mapped_column(UtcDateTime, default=now)
