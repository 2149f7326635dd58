"""Each round's results and their sums, computed from the log for the history pages."""

from __future__ import annotations

from sqlalchemy import BigInteger, Index, String
from sqlalchemy.orm import Mapped, mapped_column

from .base import Model, OfGroup, asked_for_by_group, belongs_to_group, impersonal, refers


class Result(OfGroup, Model):
    """A round's result for one of its players, computed from the current revision of its line.

    `month` is the night's; `currency` is "" for chips. `hand_at_least` of `hand_of` hands are at least as good as
    the one shown; None if no hand was shown, or if the game doesn't count hands.
    """

    __tablename__ = "result"
    __table_args__ = (
        belongs_to_group(),
        refers("line_id", "line"),
        refers("player_id", "player"),
        refers("night_id", "night"),
        Index("ix_result_in_order", "group_id", "month", "currency", "night_id", "number"),
    )

    line_id: Mapped[int] = mapped_column(primary_key=True)
    player_id: Mapped[int] = mapped_column(primary_key=True)
    night_id: Mapped[int]
    number: Mapped[int]
    game: Mapped[str] = impersonal(String(40))
    month: Mapped[str] = impersonal(String(7))
    currency: Mapped[str] = impersonal(String(3))
    net: Mapped[int] = mapped_column(BigInteger)
    won: Mapped[bool]
    knocked: Mapped[bool]
    has_left: Mapped[bool]
    hand_at_least: Mapped[int | None] = mapped_column(BigInteger)
    hand_of: Mapped[int | None] = mapped_column(BigInteger)


class Tally(OfGroup, Model):
    """The sum of a player's results in a month and a game ("" for all games); see `tallies.Summary`."""

    __tablename__ = "tally"
    __table_args__ = (belongs_to_group(), refers("player_id", "player"), refers("best_line_id", "line"))

    group_id: Mapped[int] = asked_for_by_group()
    player_id: Mapped[int] = mapped_column(primary_key=True)
    game: Mapped[str] = impersonal(String(40), primary_key=True)
    month: Mapped[str] = impersonal(String(7), primary_key=True)
    currency: Mapped[str] = impersonal(String(3), primary_key=True)
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
    best_line_id: Mapped[int | None]


class Duel(OfGroup, Model):
    """How two players did against each other in a month's rounds of one game; the lower id comes first."""

    __tablename__ = "duel"
    __table_args__ = (belongs_to_group(), refers("first_id", "player"), refers("second_id", "player"))

    group_id: Mapped[int] = asked_for_by_group()
    first_id: Mapped[int] = mapped_column(primary_key=True)
    second_id: Mapped[int] = mapped_column(primary_key=True)
    game: Mapped[str] = impersonal(String(40), primary_key=True)
    month: Mapped[str] = impersonal(String(7), primary_key=True)
    currency: Mapped[str] = impersonal(String(3), primary_key=True)
    rounds: Mapped[int]
    better: Mapped[int]
    worse: Mapped[int]
    difference: Mapped[int] = mapped_column(BigInteger)
