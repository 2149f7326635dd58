"""Settling up: payment plans for a night or a whole group, and what has been paid.

A plan is fixed once made; paying one line doesn't change the others. What somebody is still owed is the balance minus
what was paid. A new plan replaces the older ones it covers.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TypeVar

from sqlalchemy import ColumnElement, and_, func, or_, select, update

from companion.engine.messages import Message
from companion.engine.money.payments import Payment, fewest_payments
from companion.engine.money.settlement import POT

from ..db.database import execute, retry_transaction, transaction
from ..db.news import note_locked
from ..groups.deleting import must_stand
from ..groups.turns import must_be_written_here
from ..log.deliveries import tell
from ..log.ledger import moved_by
from ..log.replay import nets
from ..log.sent_forms import is_new, must_be_same
from ..models import Change, Group, Night, Paid, PlannedPayment, SettleUp, db, new_public_id, now
from ..night_key import of_night, of_same_group
from ..refusals import Gone, Refused, Sent
from .debts import Owed, nonzero, owed_apart, owed_in_group, owed_in_night
from .paid import units_to_book

AnyPayment = TypeVar("AnyPayment", Payment, PlannedPayment)


def currencies_of(group: Group) -> list[str | None]:
    """List the currencies a group has played for."""
    query = select(Night.currency).where(Night.group_id == group.id).distinct()
    return sorted(db.session.scalars(query), key=lambda code: code or "")


def planned(owed: Mapping[str, int], banker: str | None = None) -> list[Payment]:
    """Plan payments that settle everything: as few as possible, or all through one banker.

    Payments come in the order of the accounts. For many people there may be fewer: see `debts.is_fewest`.
    """
    if banker is None:
        return list(fewest_payments(owed))
    to_bank = [Payment(key, banker, -units) for key, units in owed.items() if units < 0 and key != banker]
    return [*to_bank, *(Payment(banker, key, units) for key, units in owed.items() if units > 0 and key != banker)]


def still_to_hand_over(night: Night, change_id: int) -> tuple[Payment, ...]:
    """Return the fewest payments that make up for what a change moved, where chips or money lie on the table."""
    return fewest_payments(moved_by(night, change_id))


def payments_of(player: str, payments: Iterable[AnyPayment]) -> list[AnyPayment]:
    """List the payments that a player makes or gets."""
    return [payment for payment in payments if player in (payment.payer, payment.payee)]


def planned_for_leaver(player: str, owed: Owed, before: SettleUp | None) -> list[Payment]:
    """Plan the payments of a player who leaves, after those of the plan before that still settle all of somebody's."""
    unpaid = unpaid_of(before) if before is not None else {}
    settled = {key for key, units in unpaid.items() if units == owed.get(key, 0)}
    left = rests_of(before) if before is not None else []
    kept = [rest for rest in left if settled & {rest.payer, rest.payee}]
    done = nets((line.payer, line.payee, line.amount) for line in kept)
    rest = nonzero({key: owed.get(key, 0) - done.get(key, 0) for key in {**owed, **done}})
    return [*kept, *payments_of(player, planned(rest))]


@retry_transaction
def make_plan(
    group: Group,
    night: Night | None,
    currency: str | None,
    banker: str | None,
    sent: Sent,
    *,
    is_apart: bool = False,
    player: str | None = None,
) -> SettleUp:
    """Store a plan, replacing the ones it covers. The same key again returns the same plan.

    `is_apart`: for a night's costs in a currency, apart from its games. With a `banker` who owes or is owed something,
    all payments are theirs. With a `player` who leaves, it has only that player's payments, and those of others that
    a plan before it has and that still settle what they owe, as of who left before. Raises Refused if nobody
    owes anything.
    """
    with transaction():
        # wait for changes being saved, so that each is either in the plan or later than it: see `debts`
        _lock_nights(group.id, None)
        must_stand(group)
        made: SettleUp | None = db.session.scalar(select(SettleUp).where(SettleUp.submission_key == sent.key))
        must_be_same(made is None or made.group_id == group.id)
        said = ["plan", night.id if night else None, currency, banker, *["apart"] * is_apart]
        is_new(group.id, sent.key, [*said, "of", player] if player else said)
        if made is not None:
            return made
        must_be_written_here(group)
        owed = _owed(group, night, currency, is_apart=is_apart)
        covered = _covered(group, night, currency, is_apart=is_apart)
        if player is None:
            payments = planned(owed, banker if banker in owed and banker != POT else None)
        else:
            payments = planned_for_leaver(player, owed, covered[-1] if covered else None)
        if not payments:
            raise Refused(Message("Nobody owes anything"))
        plan = SettleUp(
            public_id=new_public_id(),
            submission_key=sent.key,
            group_id=group.id,
            night_id=night.id if night else None,
            currency=currency,
            is_apart=is_apart,
            device=sent.device,
            at=_after_all_changes(group),
        )
        for position, payment in enumerate(payments):
            line = PlannedPayment(position=position, payer=payment.payer, payee=payment.payee, amount=payment.amount)
            plan.payments.append(line)
        for older in covered:
            older.replaced_by = plan
        db.session.add(plan)
        _tell_phones(plan, night)
    return plan


def _lock_nights(group_id: int, night_id: int | None) -> None:
    """Within a transaction, lock a night, or all of a group. Plans come after nights, as everywhere, or two would wait
    for each other.
    """
    nights = select(Night.id).where(Night.group_id == group_id).order_by(Night.id).with_for_update()
    db.session.execute(nights if night_id is None else nights.where(Night.id == night_id))


def _tell_phones(plan: SettleUp, night: Night | None) -> None:
    """Within a transaction that locked them, give the nights that a plan may be shown in their next version."""
    shown_in = update(Night).where(Night.group_id == plan.group_id)
    if night is not None:
        note_locked(night.public_id)
        shown_in = shown_in.where(Night.id == night.id)
    execute(shown_in.values(version=Night.version + 1))


def plan_closed(night: Night, made: Sent) -> None:
    """Make the payment plans of a closed night, unless it has some that still fit or nobody owes anything."""
    _, owed = plan_or_owed(night)
    if owed:
        make_plan(night.group, night, night.currency, None, Sent(f"{made.key[:60]}-up", made.device))
    for costs in apart_plans(night):
        if costs.owed:
            key = Sent(f"{made.key[:56]}-up{costs.currency}", made.device)
            make_plan(night.group, night, costs.currency, None, key, is_apart=True)


def _after_all_changes(group: Group) -> datetime:
    """Return the current time, or if the computer's clock was set back, a time after the group's changes."""
    of_nights = of_same_group(Change, Night, Change.night_id == Night.id)
    query = select(func.max(Change.at)).select_from(Night).join(Change, of_nights)
    latest = db.session.scalar(query.where(Night.group_id == group.id))
    return max(now(), latest + timedelta(microseconds=1)) if latest else now()


def _owed(group: Group, night: Night | None, currency: str | None, *, is_apart: bool) -> Owed:
    if night is None:
        return owed_in_group(group, currency)
    return owed_apart(night).get(currency or "", {}) if is_apart else owed_in_night(night)


def _covered(group: Group, night: Night | None, currency: str | None, *, is_apart: bool) -> list[SettleUp]:
    query = select(SettleUp).where(SettleUp.group_id == group.id, SettleUp.replaced_by_id.is_(None))
    query = query.where(SettleUp.is_apart == is_apart)
    if night is not None:
        query = query.where(SettleUp.night_id == night.id)
    return list(db.session.scalars(query.where(SettleUp.currency == currency).order_by(SettleUp.id)))


def find_plan(public_id: str) -> SettleUp | None:
    """Return the plan with this public id, including what has been paid."""
    return db.session.scalar(select(SettleUp).where(SettleUp.public_id == public_id))


def plan_for_group(group: Group, currency: str | None) -> SettleUp | None:
    """Return a group's newest plan for all its nights in a currency (None: chips), with the plan's payments."""
    return _newest(SettleUp.group_id == group.id, SettleUp.night_id.is_(None), SettleUp.currency == currency)


def _newest(*conditions: ColumnElement[bool]) -> SettleUp | None:
    query = select(SettleUp).where(*conditions).order_by(SettleUp.id.desc()).limit(1)
    return db.session.scalar(query)


def plan_for(night: Night, owed: Owed) -> SettleUp | None:
    """Return the current plan for a night, given what is owed in it, with the plan's payments.

    If nothing is owed, this may be a plan for all nights that took over the night's debts.
    """
    covers = and_(*of_night(SettleUp, night), SettleUp.replaced_by_id.is_(None), SettleUp.is_apart.is_(False))
    if not owed:
        of_group = and_(
            SettleUp.night_id.is_(None),
            SettleUp.currency == night.currency,
            SettleUp.group_id == night.group_id,
            select(Change.id).where(*of_night(Change, night), Change.at < SettleUp.at).exists(),
        )
        covers = or_(covers, of_group)
    return _newest(covers)


def plan_or_owed(night: Night, owed: Owed | None = None) -> tuple[SettleUp | None, list[Payment]]:
    """Return the current plan for a night; if there is none that still fits, the payments that would settle it.

    `owed` is what is owed in the night, if the caller has read it already.
    """
    owed = owed_in_night(night) if owed is None else owed
    plan = plan_for(night, owed)
    if plan is None or (plan.night_id == night.id and unpaid_of(plan) != owed):
        return None, planned(owed)
    return plan, []


@dataclass(frozen=True, slots=True)
class ApartPlan:
    """How a night's costs in a currency are settled: by a plan, or if none fits by the payments that would do it."""

    currency: str
    plan: SettleUp | None
    owed: list[Payment]

    @property
    def is_open(self) -> bool:
        """Whether there are payments to make or to look at."""
        return bool(self.plan or self.owed)


def apart_plans(night: Night) -> list[ApartPlan]:
    """List how the costs of a night are settled that are apart from its games, by currency."""
    plans = []
    for currency, owed in sorted(owed_apart(night).items()):
        plan = plan_for_costs(night, currency)
        fits = plan is not None and unpaid_of(plan) == owed
        plans.append(ApartPlan(currency, plan if fits else None, [] if fits else planned(owed)))
    return plans


def plan_for_costs(night: Night, currency: str) -> SettleUp | None:
    """Return the newest plan for the costs of a night in a currency, apart from its games."""
    return _newest(*of_night(SettleUp, night), SettleUp.is_apart.is_(True), SettleUp.currency == currency)


def unpaid_of(plan: SettleUp) -> Owed:
    """Return what each account is still owed (+) or owes (-) by a plan."""
    return nonzero(nets((payment.payer, payment.payee, payment.rest) for payment in plan.payments))


def rests_of(plan: SettleUp) -> list[Payment]:
    """List what is still to pay by a plan."""
    rests = (Payment(line.payer, line.payee, line.rest) for line in plan.payments)
    return [rest for rest in rests if rest.amount]


@retry_transaction
def pay(public_id: str, position: int, amount: int | None, sent: Sent, how: str | None = None) -> Paid:
    """Record that part of a planned payment was made. A negative amount undoes some of it, None undoes everything.

    `how` is a kind of handle. Raises Refused if more would be paid than planned, or more undone than was paid, and
    AlreadySo if all of it was paid, or undone, before.
    """
    with transaction():
        query = select(SettleUp).where(SettleUp.public_id == public_id)
        # of a plan that is gone, nothing is to be locked
        for key in db.session.execute(query.with_only_columns(SettleUp.group_id, SettleUp.night_id)).all():
            _lock_nights(*key)
        query = query.with_for_update().execution_options(populate_existing=True)
        plan: SettleUp | None = db.session.scalar(query)
        if plan is None:
            raise Gone
        payment = next((payment for payment in plan.payments if payment.position == position), None)
        made: Paid | None = db.session.scalar(select(Paid).where(Paid.submission_key == sent.key))
        if made is not None:
            must_be_same(made.payment is payment and (made.amount < 0 if amount is None else made.amount == amount))
            return made
        must_stand(plan.group)
        must_be_written_here(plan.group)
        units = units_to_book(plan, payment, amount)
        paid = Paid(payment=payment, amount=units, how=how, submission_key=sent.key, device=sent.device)
        db.session.add(paid)
        db.session.flush()
        _tell_phones(plan, plan.night)
        tell(plan.group_id, "payment.ticked", plan.night_id, paid.id)
    return paid
