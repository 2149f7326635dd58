"""What a player who leaves a night still owes or gets, and the payments that settle it at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from companion.engine.money.payments import Payment

from ..models import Night, PlannedPayment, SettleUp
from .debts import Owed, owed_apart, owed_in_night
from .settle_up import payments_of, plan_for, plan_for_costs, planned_for_leaver, unpaid_of


@dataclass(frozen=True, slots=True)
class Due:
    """What a player owes (-) or is owed (+) in units: by the games, or if `costs` is a currency by costs apart.

    `plan` is the night's plan if it settles that, and `payments` are then all of the player's in it; otherwise those
    that would settle it.
    """

    costs: str | None
    currency: str | None
    units: int
    plan: SettleUp | None
    payments: Sequence[PlannedPayment | Payment]

    def row(self, payment: PlannedPayment | Payment) -> str:
        """Return what a button says of a payment, so that one that has changed meanwhile isn't ticked."""
        return "/".join((self.costs or "", payment.payer, payment.payee, str(payment.amount)))


def dues_of(night: Night, player: str) -> list[Due]:
    """List what a player owes or gets if they leave a night now: by its games, then by each currency of costs apart."""
    owed = owed_in_night(night)
    dues = [_due(None, night.currency, owed, player, plan_for(night, owed))]
    for currency, sums in sorted(owed_apart(night).items()):
        dues.append(_due(currency, currency, sums, player, plan_for_costs(night, currency)))
    return [due for due in dues if due.costs is None or due.payments]


def _due(costs: str | None, currency: str | None, owed: Owed, player: str, plan: SettleUp | None) -> Due:
    units = owed.get(player, 0)
    before = plan if plan is not None and plan.night_id is not None and not plan.replaced_by_id else None
    if before is None or unpaid_of(before).get(player, 0) != units:
        return Due(costs, currency, units, None, payments_of(player, planned_for_leaver(player, owed, before)))
    return Due(costs, currency, units, before, payments_of(player, before.payments))
