"""What is still owed in a night or in all of a group's: the balances, less what was paid."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from functools import cache
from typing import Any

from sqlalchemy import CompoundSelect, bindparam, func, select, union_all
from sqlalchemy.orm import aliased

from companion.engine.money.payments import MAX_EXACT

from ..log.ledger import apart_balances_of, balances_of
from ..log.replay import APART_ACCOUNTS, nets
from ..models import Account, BookedTransfer, Change, Group, Line, Night, Paid, PlannedPayment, Revision, SettleUp, db
from ..night_key import of_same_group

Owed = dict[str, int]

_OF_THESE = (
    Night.group_id.in_(bindparam("groups", expanding=True)),
    Night.id.in_(bindparam("nights", expanding=True)),
)


@cache
def _settled() -> CompoundSelect[Any]:
    """Return the statement for what is settled in some nights, as (night's id, giver, taker, units).

    That is what their lines had moved when the newest plan for all nights was made, because that plan took it over, and
    what was paid on their own plans since.
    """
    # not a constant, because building it makes SQLAlchemy configure all models, which would slow down the start
    whole, giver, taker = aliased(SettleUp), aliased(Account), aliased(Account)
    # the newest plan for all nights that covers a night
    newest_whole = (
        select(func.max(whole.id))
        .where(whole.night_id.is_(None), whole.group_id == Night.group_id)
        .where(whole.currency.is_not_distinct_from(Night.currency))
        .correlate(Night)
        .scalar_subquery()
    )
    then = (
        select(func.max(Revision.id))
        .join(Revision.change)
        .where(Revision.group_id == Line.group_id, Revision.line_id == Line.id, Change.at < SettleUp.at)
        .correlate(Line, SettleUp)
        .scalar_subquery()
    )
    return union_all(
        select(Night.id, giver.key, taker.key, BookedTransfer.amount)
        .select_from(Night)
        .join(SettleUp, of_same_group(SettleUp, Night, SettleUp.id == newest_whole))
        .join(Night.lines)
        .join(BookedTransfer, of_same_group(BookedTransfer, Line, BookedTransfer.revision_id == then))
        .join(BookedTransfer.giver.of_type(giver))
        .join(BookedTransfer.taker.of_type(taker))
        .where(*_OF_THESE, giver.key.not_like(APART_ACCOUNTS)),  # no such plan takes over costs apart from the games
        select(Night.id, PlannedPayment.payer, PlannedPayment.payee, Paid.amount)
        .select_from(Night)
        .join(SettleUp, of_same_group(SettleUp, Night, SettleUp.night_id == Night.id))
        .join(SettleUp.payments)
        .join(PlannedPayment.paid)
        .where(*_OF_THESE)
        .where(SettleUp.id > func.coalesce(newest_whole, 0), SettleUp.is_apart.is_(False)),
    )


def is_fewest(owed: Owed) -> bool:
    """Return whether a plan surely has the fewest payments there can be."""
    return len(owed) <= MAX_EXACT


def owed_in_night(night: Night) -> Owed:
    """Return what each of a night's accounts is still owed (+) or owes (-), in units.

    A plan for all nights takes over what the night's players owed when it was made. After that, only what has changed
    since is owed in the night.
    """
    return owed_in_nights({night.id: night.group_id})[night.id]


def owed_in_nights(nights: Mapping[int, int]) -> dict[int, Owed]:
    """Return what the accounts of several nights are owed or owe, by night id.

    `nights` has each night's group, by id.
    """
    owed = {night: Counter(balances) for night, balances in balances_of(nights).items()}
    parameters = {"groups": list(set(nights.values())), "nights": list(nights)}
    for night, giver, taker, amount in db.session.execute(_settled(), parameters):
        owed[night][giver] += amount
        owed[night][taker] -= amount
    return {night: nonzero(sums) for night, sums in owed.items()}


def owed_apart(night: Night) -> dict[str, Owed]:
    """Return what each player is still owed or owes for costs apart from the games, by each currency of such costs."""
    return owed_apart_in({night.id: night.group_id})[night.id]


def owed_apart_in(nights: Mapping[int, int]) -> dict[int, dict[str, Owed]]:
    """Return the same for several nights, by night id. `nights` has each night's group, by id."""
    owed = {
        night: {currency: Counter(sums) for currency, sums in balances.items()}
        for night, balances in apart_balances_of(nights).items()
    }
    with_costs = [night for night, sums in owed.items() if sums]
    paid = (
        select(SettleUp.night_id, SettleUp.currency, PlannedPayment.payer, PlannedPayment.payee, Paid.amount)
        .select_from(SettleUp)
        .join(SettleUp.payments)
        .join(PlannedPayment.paid)
        .where(SettleUp.group_id.in_(set(nights.values())), SettleUp.night_id.in_(with_costs), SettleUp.is_apart)
    )
    for night, currency, payer, payee, amount in db.session.execute(paid).all() if with_costs else ():
        sums = owed[int(night or 0)][str(currency)]
        sums[payer] += amount
        sums[payee] -= amount
    return {night: {currency: nonzero(units) for currency, units in sums.items()} for night, sums in owed.items()}


def owed_in_group(group: Group, currency: str | None) -> Owed:
    """Return what each account is still owed or owes over all nights in a currency (None: chips)."""
    nights = select(Night.id).where(Night.group_id == group.id, Night.currency == currency)
    of_these = (Account.group_id == group.id, Account.night_id.in_(nights), Account.key.not_like(APART_ACCOUNTS))
    sums = select(Account.key, func.sum(Account.balance)).where(*of_these).group_by(Account.key)
    sums = sums.order_by(func.min(Account.id))
    owed = Counter({key: int(balance) for key, balance in db.session.execute(sums)})
    paid = (
        select(PlannedPayment.payer, PlannedPayment.payee, func.sum(Paid.amount))
        .select_from(SettleUp)
        .join(SettleUp.payments)
        .join(PlannedPayment.paid)
        .where(SettleUp.group_id == group.id, SettleUp.currency == currency, SettleUp.is_apart.is_(False))
        .group_by(PlannedPayment.payer, PlannedPayment.payee)
    )
    owed.subtract(nets((payer, payee, int(amount)) for payer, payee, amount in db.session.execute(paid)))
    return nonzero(owed)


def nonzero(sums: Mapping[str, int]) -> Owed:
    """Return the sums without those that are 0."""
    return {key: units for key, units in sums.items() if units}
