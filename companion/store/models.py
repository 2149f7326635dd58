"""The tables. Entries and transfers are only ever added; sums are kept beside them by the same transaction."""

from __future__ import annotations

import secrets
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from flask_sqlalchemy import SQLAlchemy
from sqlalchemy import (
    JSON,
    BigInteger,
    CheckConstraint,
    DateTime,
    Dialect,
    ForeignKey,
    Index,
    MetaData,
    String,
    Text,
    TypeDecorator,
    UniqueConstraint,
)
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column, relationship


class UtcDateTime(TypeDecorator[datetime]):
    """A moment in UTC; SQLite forgets the time zone, so it is put back."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        return value.replace(tzinfo=UTC) if value is not None and value.tzinfo is None else value


def now() -> datetime:
    """Tell the time, in UTC."""
    return datetime.now(UTC)


# no vowels, so that no words come up; nothing that is mistaken for something else, said or written
_CODE_LETTERS = "CDFHJKMNPRTWXY3479"


def new_join_code() -> str:
    """Make a code of six letters and digits that lets a phone in: one of 34 million."""
    return "".join(secrets.choice(_CODE_LETTERS) for _ in range(6))


def new_public_id() -> str:
    """Make what stands in an address, which nobody guesses; by itself it opens nothing."""
    return secrets.token_urlsafe(9)


class Base(DeclarativeBase):
    """Names every constraint, so that migrations can speak of it."""

    metadata = MetaData(
        naming_convention={
            "ix": "ix_%(column_0_N_label)s",
            "uq": "uq_%(table_name)s_%(column_0_N_name)s",
            "ck": "ck_%(table_name)s_%(constraint_name)s",
            "fk": "fk_%(table_name)s_%(column_0_N_name)s",
            "pk": "pk_%(table_name)s",
        }
    )


db = SQLAlchemy(model_class=Base)

if TYPE_CHECKING:
    Model = Base
else:
    Model = db.Model  # made when the module is loaded, so no type checker sees it


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
    """Somebody of a group; renamed and retired, never deleted. `folded` is the name as it is compared."""

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


class PlaySession(Model):
    """One night of one group, with its own copy of every house rule (`rules`: option values by game).

    `stake_units` is the value of a stake: 1 in chips, whole minor units of `currency` in money. `buy_in_units` are the
    chips that everybody starts with; None in a night without stacks. `version` grows with every change of the session
    and of its draft. `join_code` lets phones in while the session is open; those that are in may look on afterwards.
    """

    __tablename__ = "play_session"
    __table_args__ = (
        CheckConstraint("stake_units > 0", name="stake"),
        CheckConstraint("buy_in_units > 0", name="buy_in"),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    public_id: Mapped[str] = mapped_column(String(16), unique=True)
    submission_key: Mapped[str] = mapped_column(String(64), unique=True)
    group_id: Mapped[int] = mapped_column(ForeignKey("player_group.id"), index=True)
    game: Mapped[str] = mapped_column(String(40))
    rules: Mapped[dict[str, Any]] = mapped_column(JSON)
    stake_units: Mapped[int]
    currency: Mapped[str | None] = mapped_column(String(3))
    buy_in_units: Mapped[int | None] = mapped_column(BigInteger)
    place: Mapped[str] = mapped_column(String(100), default="")
    note: Mapped[str] = mapped_column(Text, default="")
    opened_at: Mapped[datetime] = mapped_column(UtcDateTime, default=now)
    closed_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    version: Mapped[int] = mapped_column(default=0)
    join_code: Mapped[str | None] = mapped_column(String(6), unique=True)

    group: Mapped[Group] = relationship()
    seats: Mapped[list[Seat]] = relationship(back_populates="session", order_by="Seat.position")
    lines: Mapped[list[Line]] = relationship(back_populates="session", order_by="Line.number")
    changes: Mapped[list[Change]] = relationship(viewonly=True, order_by="Change.id")
    accounts: Mapped[list[Account]] = relationship(back_populates="session", order_by="Account.id")
    draft: Mapped[Draft | None] = relationship(viewonly=True)


class Seat(Model):
    """A player's place at the table. `state`: "in", "out" (sits out) or "left".

    `phone` is the id of the device that enters this player's hand, and `phone_name` what it was called when it took
    the seat; both are None while the seat is free.
    """

    __tablename__ = "seat"
    __table_args__ = (CheckConstraint("state IN ('in', 'out', 'left')", name="state"),)

    session_id: Mapped[int] = mapped_column(ForeignKey("play_session.id"), primary_key=True)
    player_id: Mapped[int] = mapped_column(ForeignKey("player.id"), primary_key=True)
    position: Mapped[int]
    state: Mapped[str] = mapped_column(String(4), default="in")
    phone: Mapped[str | None] = mapped_column(String(16))
    phone_name: Mapped[str | None] = mapped_column(String(100))

    session: Mapped[PlaySession] = relationship(back_populates="seats")
    player: Mapped[Player] = relationship(lazy="joined", innerjoin=True)


class Draft(Model):
    """The round of a session that is being entered, from all its phones; gone when it is saved, by `key`.

    `cells`: what was typed, by a name of the form's choosing → [value, device]. `shown`: the hands were turned up, and
    stay up. `late`: what was changed after that, see `drafts.late_change`.
    """

    __tablename__ = "draft"

    session_id: Mapped[int] = mapped_column(ForeignKey("play_session.id"), primary_key=True)
    key: Mapped[str] = mapped_column(String(64))
    cells: Mapped[dict[str, Any]] = mapped_column(JSON)
    shown: Mapped[bool] = mapped_column(default=False)
    late: Mapped[list[list[str]]] = mapped_column(JSON, default=list)


class Attempt(Model):
    """How often something that is limited was tried before `expires_at` (seconds since 1970)."""

    __tablename__ = "attempt"

    key: Mapped[str] = mapped_column(String(200), primary_key=True)
    times: Mapped[int]
    expires_at: Mapped[int] = mapped_column(BigInteger, index=True)


class Account(Model):
    """Where money is in a session: a player (the key is the player's id), "pot" or "bank". `balance` is in units."""

    __tablename__ = "account"
    __table_args__ = (UniqueConstraint("session_id", "key"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    session_id: Mapped[int] = mapped_column(ForeignKey("play_session.id"))
    key: Mapped[str] = mapped_column(String(20))
    balance: Mapped[int] = mapped_column(BigInteger, default=0)

    session: Mapped[PlaySession] = relationship(back_populates="accounts")


class Change(Model):
    """What somebody did, with the key that its form was given; `content` is what was sent, for a repeat of the key."""

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

    Its current revision is what counts; a remark may be written beside it at any time.
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
    current: Mapped[Revision | None] = relationship(foreign_keys=current_id, post_update=True)
    revisions: Mapped[list[Revision]] = relationship(
        back_populates="line", foreign_keys="Revision.line_id", order_by="Revision.number"
    )


class Revision(Model):
    """What a line said at a time. `document` is the entry, players by their id; a voided one moves nothing.

    `follows` tells that an earlier line's change brought it about.
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
    transfers: Mapped[list[Transfer]] = relationship(back_populates="revision", order_by="Transfer.position")


class Transfer(Model):
    """Units that a revision moves from one account of its session to another."""

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

    revision: Mapped[Revision] = relationship(back_populates="transfers")
    # told by their keys wherever a transfer is
    giver: Mapped[Account] = relationship(foreign_keys=giver_id, lazy="joined", innerjoin=True)
    taker: Mapped[Account] = relationship(foreign_keys=taker_id, lazy="joined", innerjoin=True)


class SettleUp(Model):
    """A plan of payments, frozen: of one session, or with `session_id` None of all the group's of a currency."""

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
    payments: Mapped[list[PlannedPayment]] = relationship(
        back_populates="settle_up", order_by="PlannedPayment.position"
    )


class PlannedPayment(Model):
    """A line of a plan; payer and payee are keys of accounts."""

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

    settle_up: Mapped[SettleUp] = relationship(back_populates="payments")
    paid: Mapped[list[Paid]] = relationship(back_populates="payment", order_by="Paid.id")

    @property
    def sum_paid(self) -> int:
        """How much of it was paid so far."""
        return sum(paid.amount for paid in self.paid)


class Paid(Model):
    """That something of a planned payment was paid, or with a negative amount taken back; only ever added."""

    __tablename__ = "paid"
    __table_args__ = (CheckConstraint("amount <> 0", name="amount"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    payment_id: Mapped[int] = mapped_column(ForeignKey("planned_payment.id"), index=True)
    amount: Mapped[int] = mapped_column(BigInteger)
    submission_key: Mapped[str] = mapped_column(String(64), unique=True)
    device: Mapped[str] = mapped_column(String(100))
    at: Mapped[datetime] = mapped_column(UtcDateTime, default=now)

    payment: Mapped[PlannedPayment] = relationship(back_populates="paid")


class Result(Model):
    """What a round that counts was for one of its players; worked out from the current revision of its line.

    `month` is the one in which the session began, in UTC ("2026-11"); `currency` is "" for chips. `hand_at_least` of
    `hand_of` hands are as good as the one shown or better; None without a hand, or where the game does not count.
    """

    __tablename__ = "result"
    __table_args__ = (Index("ix_result_in_order", "group_id", "month", "currency", "session_id", "number"),)

    line_id: Mapped[int] = mapped_column(ForeignKey("line.id"), primary_key=True)
    player_id: Mapped[int] = mapped_column(ForeignKey("player.id"), primary_key=True)
    group_id: Mapped[int] = mapped_column(ForeignKey("player_group.id"))
    session_id: Mapped[int] = mapped_column(ForeignKey("play_session.id"))
    number: Mapped[int]
    game: Mapped[str] = mapped_column(String(40))
    month: Mapped[str] = mapped_column(String(7))
    currency: Mapped[str] = mapped_column(String(3))
    net: Mapped[int] = mapped_column(BigInteger)
    won: Mapped[bool]
    knocked: Mapped[bool]
    has_left: Mapped[bool]
    hand_at_least: Mapped[int | None] = mapped_column(BigInteger)
    hand_of: Mapped[int | None] = mapped_column(BigInteger)


class Tally(Model):
    """The results of a player in one game (or in all: "") in a month, summed up: see `tallies.Summary`."""

    __tablename__ = "tally"

    group_id: Mapped[int] = mapped_column(ForeignKey("player_group.id"), primary_key=True)
    player_id: Mapped[int] = mapped_column(ForeignKey("player.id"), primary_key=True)
    game: Mapped[str] = mapped_column(String(40), primary_key=True)
    month: Mapped[str] = mapped_column(String(7), primary_key=True)
    currency: Mapped[str] = mapped_column(String(3), primary_key=True)
    rounds: Mapped[int]
    wins: Mapped[int]
    net: Mapped[int] = mapped_column(BigInteger)
    knocks: Mapped[int]
    good_knocks: Mapped[int]
    folds: Mapped[int]
    biggest_win: Mapped[int] = mapped_column(BigInteger)
    biggest_loss: Mapped[int] = mapped_column(BigInteger)
    streak_first: Mapped[int]
    streak_last: Mapped[int]
    streak_best: Mapped[int]
    best_at_least: Mapped[int | None] = mapped_column(BigInteger)
    best_of: Mapped[int | None] = mapped_column(BigInteger)
    best_line_id: Mapped[int | None] = mapped_column(ForeignKey("line.id"))


class Duel(Model):
    """How two players, the one with the lower id first, did in the rounds of a game and month that both played."""

    __tablename__ = "duel"

    group_id: Mapped[int] = mapped_column(ForeignKey("player_group.id"), primary_key=True)
    first_id: Mapped[int] = mapped_column(ForeignKey("player.id"), primary_key=True)
    second_id: Mapped[int] = mapped_column(ForeignKey("player.id"), primary_key=True)
    game: Mapped[str] = mapped_column(String(40), primary_key=True)
    month: Mapped[str] = mapped_column(String(7), primary_key=True)
    currency: Mapped[str] = mapped_column(String(3), primary_key=True)
    rounds: Mapped[int]
    better: Mapped[int]
    worse: Mapped[int]
    difference: Mapped[int] = mapped_column(BigInteger)
