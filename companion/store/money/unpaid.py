"""The payments still to be made in the current plans of several groups."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import BigInteger, cast, func, select

from ..models import Group, Night, Paid, PlannedPayment, SettleUp, by_clock, db
from .debts import Owed, nonzero, owed_apart_in, owed_in_nights
from .paid import key_of


@dataclass(frozen=True, slots=True)
class Unpaid:
    """The unpaid rest of a planned payment. A group's plan has no night; `currency` is None for chips."""

    group: str
    group_name: str
    night: str | None
    opened_at: datetime | None
    utc_offset: int | None
    currency: str | None
    payer: str
    payee: str
    rest: int
    is_apart: bool

    @property
    def costs(self) -> str | None:
        """The currency of the costs that are settled apart from the games; None for the games."""
        return self.currency if self.is_apart else None

    @property
    def began(self) -> datetime | None:
        """When the night was opened, by its own clock."""
        return by_clock(self.opened_at, self.utc_offset or 0) if self.opened_at else None


def unpaid_in(groups: Collection[Group]) -> list[Unpaid]:
    """List the payments in these groups' current plans that aren't fully paid, newest plans first.

    A plan that no longer fits its night isn't counted: the night was reopened, and more was played.
    """
    if not groups:
        return []
    rest = PlannedPayment.amount - cast(func.coalesce(func.sum(Paid.amount), 0), BigInteger)
    query = (
        select(SettleUp.group_id, SettleUp.night_id)
        .add_columns(Group.public_id, Group.name, Night.public_id, Night.opened_at)
        .add_columns(Night.utc_offset)
        .add_columns(SettleUp.currency, PlannedPayment.payer, PlannedPayment.payee, rest, SettleUp.is_apart)
        .select_from(SettleUp)
        .join(SettleUp.payments)
        .join(SettleUp.group)
        .outerjoin(SettleUp.night)
        .outerjoin(PlannedPayment.paid)
        .where(SettleUp.group_id.in_([group.id for group in groups]), SettleUp.replaced_by_id.is_(None))
        .group_by(*key_of(PlannedPayment), *key_of(SettleUp), Group.id, *key_of(Night))
        .having(rest > 0)
        .order_by(SettleUp.id.desc(), PlannedPayment.position)
    )
    rows = db.session.execute(query).all()
    unpaid = [(night, Unpaid(*row)) for _, night, *row in rows]
    outdated = _with_outdated_plan(unpaid, {night: group for group, night, *_ in rows if night is not None})
    return [payment for night, payment in unpaid if (night, payment.costs) not in outdated]


def _with_outdated_plan(
    unpaid: Collection[tuple[int | None, Unpaid]], groups: Mapping[int, int]
) -> set[tuple[int, str | None]]:
    """Return the nights of these payments whose plan no longer settles what is owed, each with the plan's `costs`.

    `groups` has each night's group, by id.
    """
    left: dict[tuple[int, str | None], Counter[str]] = defaultdict(Counter)
    for night, payment in unpaid:
        if night is not None:
            left[night, payment.costs][payment.payer] -= payment.rest
            left[night, payment.costs][payment.payee] += payment.rest
    of_games = owed_in_nights(groups) if groups else {}
    owed: dict[tuple[int, str | None], Owed] = {(night, None): units for night, units in of_games.items()}
    with_costs = {night: groups[night] for night, costs in left if costs}
    for night, of_night in owed_apart_in(with_costs).items() if with_costs else ():
        owed |= {(night, currency): units for currency, units in of_night.items()}
    return {key for key in left if nonzero(left[key]) != owed[key]}
