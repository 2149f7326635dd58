"""What everybody in a night still owes or gets: the games, costs and loans together, less what was paid."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from companion.engine.money.settlement import POT
from companion.store.log import ledger
from companion.store.models import Night
from companion.store.money.debts import Owed, owed_in_night
from companion.store.night.reading import sums_of

from .payments import origin_words


@dataclass(frozen=True)
class Left:
    """What is left for an account to get (negative: to pay), where that comes from, and its running gain by play."""

    account: str
    units: int
    origins: list[str]
    won: list[int]


@dataclass(frozen=True)
class ToSettle:
    """What is left to settle in a night, highest first. `owed` has it by account, the pot included.

    `is_play_alone`: it is what everybody won or lost, because nothing was paid yet, and there are no costs or loans.
    """

    rows: list[Left]
    owed: Owed
    pot: int
    is_play_alone: bool


def to_settle(night: Night, balances: Mapping[str, int]) -> ToSettle:
    """Work out what is left to settle in a night, given its balances."""
    owed, sums = owed_in_night(night), sums_of(night)
    won = sums.results
    rows = [
        Left(key, owed.get(key, 0), origin_words(sums.origins_of(key), owed.get(key, 0)), won.get(key, []))
        for key in ledger.ranked(balances)
    ]
    rows.sort(key=lambda row: -row.units)
    is_play_alone = all(row.units == (row.won[-1] if row.won else 0) for row in rows)
    return ToSettle(rows, owed, balances.get(POT, 0), is_play_alone)
