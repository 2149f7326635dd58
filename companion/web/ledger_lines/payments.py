"""Payments in words, for pages and for messages to share."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from companion.engine.money.payments import Payment
from companion.engine.money.settlement import POT
from companion.store.groups.handles import KINDS
from companion.store.log.replay import COST
from companion.store.models import PlannedPayment, SettleUp
from companion.store.money.stacks import Stacks

from ..text.language import say
from ..text.money import PAGES, signed, units


def payment_words(payment: Payment | PlannedPayment, names: Mapping[str, str], currency: str | None = PAGES) -> str:
    """Return who pays whom how much, and for a planned payment how much of it has been paid."""
    values = {"payer": names[payment.payer], "payee": names[payment.payee], "amount": units(payment.amount, currency)}
    if payment.payee == POT:
        text = say("{payer} pays the pot {amount}", **values)
    elif payment.payer == POT:
        text = say("The pot pays {payee} {amount}", **values)
    else:
        text = say("{payer} pays {payee} {amount}", **values)
    if isinstance(payment, PlannedPayment) and payment.sum_paid:
        return f"{text} ({how_far(payment, currency)})"
    return text


def paid_words(payment: Payment, names: Mapping[str, str]) -> str:
    """Return a payment that was made on an earlier plan."""
    return f"{payment_words(payment, names)} (✓ {say('paid')})"


def how_far(payment: PlannedPayment, currency: str | None = PAGES) -> str:
    """Return how much of a payment has been made; call this only if that isn't 0."""
    rest = payment.rest
    if not rest:
        kind = KINDS.get(payment.paid_how or "")
        return f"✓ {say('paid')}" if kind is None else f"✓ {say('paid')}, {say(kind.label)}"
    return say("{paid} paid, {rest} to go", paid=units(payment.sum_paid, currency), rest=units(rest, currency))


def origin_words(origins: Mapping[str, int], owed: int) -> list[str]:
    """Say where what a player owes or gets comes from; `origins` are those of `NightSums.origins_of`."""
    parts = {**origins, "paid": owed - sum(origins.values())}
    said = {
        "rounds": say("{amount} from rounds", amount=signed(parts.get("rounds", 0))),
        COST: say("{amount} for shared costs", amount=signed(parts.get(COST, 0))),
        "other": say("{amount} from loans, bets and the like", amount=signed(parts.get("other", 0))),
        "paid": say("{amount} paid or planned before", amount=signed(parts["paid"])),
    }
    return [said[kind] for kind, units in parts.items() if units]


def plan_text(plan: SettleUp, names: Mapping[str, str], stacks: Stacks | None, paid: Iterable[Payment] = ()) -> str:
    """Return a plan as a text message to share: each player's stack, if there are stacks, then a line per payment.

    `paid` are the payments made on earlier plans, which come first.
    """
    there = stacks.on_table if stacks else {}
    held = [(names[key], units(there[key])) for key in stacks.held] if stacks else []
    holding = [say("{player} has {amount} in chips", player=name, amount=n) for name, n in held]
    made = [paid_words(payment, names) for payment in paid]
    return "\n".join([plan.group.name, *holding, *made, *(payment_words(payment, names) for payment in plan.payments)])
