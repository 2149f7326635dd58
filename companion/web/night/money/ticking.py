"""Which payments a device may see and tick off, and ticking one."""

from __future__ import annotations

from collections.abc import Iterable

from flask import Flask, request

from companion.engine.messages import Message
from companion.engine.money.payments import Payment
from companion.engine.money.settlement import POT
from companion.store.groups.handles import KINDS
from companion.store.log.replay import BANK
from companion.store.models import Night, PlannedPayment, SettleUp
from companion.store.money import settle_up as store
from companion.store.money.paid import ALREADY
from companion.store.refusals import AlreadySo, Sent

from ...access.lookup import may, my_player
from ...text.language import say


def may_pay(plan: SettleUp, payment: PlannedPayment) -> bool:
    """Return whether this device may see how a payment can be made: its payer's own phone, or the scorekeeper's."""
    if {payment.payee, payment.payer} & {POT, BANK}:
        return False
    return may("keep") or (plan.night is not None and my_player(plan.night) == payment.payer)


def may_tick(plan: SettleUp, payment: PlannedPayment) -> bool:
    """Return whether this device may tick a payment off: the scorekeeper's, or that of who makes or gets it."""
    if plan.replaced_by_id:
        return False
    mine = my_player(plan.night) if plan.night is not None else None
    return may("keep") or mine in (payment.payer, payment.payee)


def how_paid(payment: PlannedPayment) -> str:
    """Return how a payment was made, if that was said."""
    kind = KINDS.get(payment.paid_how or "")
    return say(kind.label) if kind else ""


def tick_off(public_id: str, position: int, amount: int | None, sent: Sent, how: str | None = None) -> str | None:
    """Record a payment, or with None undo all of it; return what `already` is asked with if that was so before."""
    try:
        store.pay(public_id, position, amount, sent, how)
    except AlreadySo:
        return "undone" if amount is None else "paid"
    return None


def already() -> Message | None:
    """Return what a page says whose tick, or whose undoing of one, another phone had made before; mostly nothing."""
    return ALREADY.get(request.args.get("already", ""))


def own_first(payments: Iterable[PlannedPayment | Payment], night: Night) -> list[PlannedPayment | Payment]:
    """Return payments with those of this phone's player first."""
    mine = my_player(night)
    return sorted(payments, key=lambda payment: mine not in (payment.payer, payment.payee))


def init_app(app: Flask) -> None:
    """Register what lists of payments ask for."""
    app.jinja_env.filters.update(own_first=own_first)
    app.jinja_env.globals.update(
        may_pay=may_pay, may_tick=may_tick, how_paid=how_paid, my_player=my_player, already=already
    )
