"""Payments in words, for pages and for messages to share."""

from __future__ import annotations

from collections.abc import Mapping

from companion.engine.money.payments import Payment
from companion.engine.money.settlement import POT
from companion.store.groups.handles import KINDS
from companion.store.models import PlannedPayment

from ..text.language import say
from ..text.money import PAGES, units


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


def how_far(payment: PlannedPayment, currency: str | None = PAGES) -> str:
    """Return how much of a payment has been made; call this only if that isn't 0."""
    rest = payment.amount - payment.sum_paid
    if not rest:
        kind = KINDS.get(payment.paid_how or "")
        return f"✓ {say('paid')}" if kind is None else f"✓ {say('paid')}, {say(kind.label)}"
    return say("{paid} paid, {rest} to go", paid=units(payment.sum_paid, currency), rest=units(rest, currency))
