"""A night: its seats, and the draft of the next round."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from sqlalchemy import JSON, BigInteger, CheckConstraint, String, Text, and_, bindparam, event, false, select
from sqlalchemy.orm import Mapped, column_property, mapped_column, relationship

from companion.engine.players import PlayerKey
from companion.table.cells import has_begun

from .base import (
    Model,
    OfGroup,
    UtcDateTime,
    WithId,
    asked_for_by_group,
    belongs_to_group,
    by_clock,
    forget,
    impersonal,
    next_at,
    now,
    personal,
    read_once,
    refers,
)
from .log import Change
from .people import Player

if TYPE_CHECKING:
    from .log import Account, Line
    from .people import Group


EVERY_GAME = "all"  # the key in `stakes` of the stake of all games
REVISIONS = ("correction", "void", "undo")  # the kinds of changes that revise a line
TOLD = (*REVISIONS, "stakes")  # the kinds that phones announce until the next round is saved


class Night(WithId, Model):
    """One night of one group, with its own copy of every house rule (`rules`: option values by game).

    `stake_units` is the value of a stake at first: 1 in chips, or in the smallest units of `currency`. `stakes` are
    those set since, in units: by game, and under `EVERY_GAME` that of the games without one of their own.
    `buy_in_units` are the chips everyone starts with; None in a night without stacks. `dealer_chooses`: before each
    hand, the dealer is asked which game is played. A night has one clock, that of the computer on which it was opened:
    `utc_offset` is how many seconds it was ahead of UTC, `month` ("2026-11") its month by that clock. `version` grows
    with every change to the night or its draft. `join_code` lets phones in while the night is open; phones that joined
    may still look after it is closed, and are there if it is reopened. `last_round` is when the last one begins, by the
    night's clock ("01:00"). `payments_by` is what the table chose to see after its rounds ("chips" or "score"); None
    before anybody has.
    """

    __tablename__ = "night"
    __table_args__ = (
        belongs_to_group(),
        CheckConstraint("stake_units > 0", name="stake"),
        CheckConstraint("buy_in_units > 0", name="buy_in"),
    )

    group_id: Mapped[int] = asked_for_by_group()
    public_id: Mapped[str] = impersonal(String(16), unique=True)
    submission_key: Mapped[str] = impersonal(String(64), unique=True)
    game: Mapped[str] = impersonal(String(40))
    rules: Mapped[dict[str, Any]] = impersonal(JSON())
    stake_units: Mapped[int]
    stakes: Mapped[dict[str, int]] = impersonal(JSON(), default=dict, server_default="{}")
    currency: Mapped[str | None] = impersonal(String(3))
    buy_in_units: Mapped[int | None] = mapped_column(BigInteger)
    dealer_chooses: Mapped[bool] = mapped_column(default=False, server_default=false())
    place: Mapped[str] = personal(String(100), default="")
    note: Mapped[str] = personal(Text(), default="")
    last_round: Mapped[str | None] = impersonal(String(5))
    payments_by: Mapped[str | None] = impersonal(String(5))
    opened_at: Mapped[datetime] = mapped_column(UtcDateTime, default=now)
    utc_offset: Mapped[int]
    month: Mapped[str] = impersonal(String(7))
    closed_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    version: Mapped[int] = mapped_column(default=0)
    join_code: Mapped[str | None] = impersonal(String(6), unique=True)

    group: Mapped[Group] = relationship()
    seats: Mapped[list[Seat]] = relationship(order_by="Seat.position")
    lines: Mapped[list[Line]] = relationship(viewonly=True, order_by="Line.number")
    accounts: Mapped[list[Account]] = relationship(order_by="Account.id")
    draft: Mapped[Draft | None] = relationship(viewonly=True)
    if TYPE_CHECKING:  # it is assigned below
        newest_told: Mapped[str | None]

    def stake_of(self, game: str) -> int:
        """Return the units of a stake in a game, from the next round on. Rule: C-1."""
        return self.stakes.get(game) or self.stakes.get(EVERY_GAME) or self.stake_units

    @property
    def own_stakes(self) -> dict[str, int]:
        """The stakes of the games that have one of their own."""
        return {game: units for game, units in self.stakes.items() if game != EVERY_GAME}

    @property
    def payments_shown(self) -> str:
        """Which payments a result shows: what the table chose last, else chips where there are stacks. Rule: C-12."""
        return self.payments_by or ("score" if self.buy_in_units is None else "chips")

    @property
    def is_being_entered(self) -> bool:
        """Whether something of a hand was entered that isn't saved."""
        return self.draft is not None and self.draft.has_begun

    def player_keys(self, *states: str) -> list[PlayerKey]:
        """List the players' keys in seat order, optionally only those whose seat is in one of these states."""
        return [PlayerKey(player) for player, _name, state, _phone in self._seated if not states or state in states]

    @property
    def names(self) -> dict[str, str]:
        """The players' names by key, in seat order."""
        return {PlayerKey(player): name for player, name, _state, _phone in self._seated}

    @property
    def without_phones(self) -> list[PlayerKey]:
        """The keys of those in the round who have no phone of their own, in seat order."""
        return [PlayerKey(player) for player, _name, state, taken in self._seated if state == "in" and taken is None]

    def player_on(self, phone: str) -> PlayerKey | None:
        """Return the key of the player whose seat a phone has taken, or None."""
        return next((PlayerKey(player) for player, _name, _state, taken in self._seated if taken == phone), None)

    @property
    def _seated(self) -> Sequence[Any]:
        """Return (player id, name, state, phone) of each seat in order."""
        return read_once(self, _SEATED, {"group": self.group_id, "night": self.id})

    def here(self, moment: datetime) -> datetime:
        """Return a moment by this night's clock, wherever the app runs by now."""
        return by_clock(moment, self.utc_offset)

    @property
    def began(self) -> datetime:
        """When it was opened, by its own clock."""
        return self.here(self.opened_at)

    def is_last_round(self, moment: datetime) -> bool:
        """Return whether the time of the last round has come; the time is the first such one after the night began."""
        return self.last_round is not None and moment >= next_at(self.began, self.last_round)


# the kind of the newest change that may be announced, "round" if one was saved after it; read together with the night
Night.newest_told = column_property(
    select(Change.kind)
    .where(Change.group_id == Night.group_id, Change.night_id == Night.id, Change.kind.in_(("round", *TOLD)))
    .order_by(Change.id.desc())
    .limit(1)
    .correlate_except(Change)
    .scalar_subquery(),
    deferred=True,
)


class Seat(OfGroup, Model):
    """A player's place at the table. `state` is "in", "out" (sits out) or "left".

    `phone` is the id of the device that enters this player's hand, and `phone_name` is that device's name when it took
    the seat; both are None while no phone has it. `keeps_score`: the phone may do in this night what the scorekeeper
    may, for as long as it has the seat.
    """

    __tablename__ = "seat"
    __table_args__ = (
        refers("night_id", "night"),
        refers("player_id", "player"),
        CheckConstraint("state IN ('in', 'out', 'left')", name="state"),
    )

    night_id: Mapped[int] = mapped_column(primary_key=True)
    player_id: Mapped[int] = mapped_column(primary_key=True)
    position: Mapped[int]
    state: Mapped[str] = impersonal(String(4), default="in")
    phone: Mapped[str | None] = personal(String(16))
    phone_name: Mapped[str | None] = personal(String(100))
    keeps_score: Mapped[bool] = mapped_column(default=False, server_default=false())

    player: Mapped[Player] = relationship(lazy="joined", innerjoin=True, viewonly=True)

    @property
    def player_key(self) -> PlayerKey:
        """The key of the player who sits there."""
        return PlayerKey(self.player_id)


_SEATED = (
    select(Seat.player_id, Player.name, Seat.state, Seat.phone)
    .join(Player, and_(Player.id == Seat.player_id, Player.group_id == Seat.group_id))
    .where(Seat.group_id == bindparam("group"), Seat.night_id == bindparam("night"))
    .order_by(Seat.position)
)
event.listen(Night, "expire", forget, raw=True)


class Draft(OfGroup, Model):
    """The round being entered on a night's phones. Deleted when the round is saved, which happens once per `key`.

    `cells` has what was typed: name → [value, device]. `shown` is true once the hands are revealed, and stays true
    unless the game is changed. `late` are the changes made after that, as pairs of what was changed and whose it is.
    """

    __tablename__ = "draft"
    __table_args__ = (refers("night_id", "night"),)
    goes_with_group = True

    night_id: Mapped[int] = mapped_column(primary_key=True)
    key: Mapped[str] = impersonal(String(64))
    cells: Mapped[dict[str, Any]] = personal(JSON())
    shown: Mapped[bool] = mapped_column(default=False)
    late: Mapped[list[list[str]]] = impersonal(JSON(), default=list)

    @property
    def has_begun(self) -> bool:
        """Whether more was entered than what is settled before a hand."""
        return has_begun(self.cells)
