"""Settling up: payment plans with as few payments as possible, and ticking off what was paid."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, abort, redirect, render_template, request, url_for
from werkzeug.wrappers import Response
from wtforms import HiddenField, StringField

from companion.engine.money.settlement import POT
from companion.store.groups.groups import last_night
from companion.store.groups.handles import KINDS
from companion.store.models import Group, Night, SettleUp
from companion.store.money import debts
from companion.store.money import settle_up as store
from companion.store.money.paid import paid_before
from companion.store.money.stacks import stacks_of

from ...access.forms import ActForm, redraws, refusals_shown, sent, show_problem
from ...access.lookup import account_names, group_or_404, may, night_or_404
from ...ledger_lines.payments import how_far, plan_text
from ...text.fields import AmountField, Rows
from ...text.money import is_currency, set_page_currency
from .ticking import may_tick, tick_off

blueprint = Blueprint("settle_up", __name__)
_BACK = {"night": "night.money", "end": "night.end"}  # pages that also tick off payments, by the form's `back`


class PayForm(ActForm):
    """The buttons that tick off payments; `back` is the page they are on. Each payment has a field for an amount.

    `leaves`: on the page of a player who leaves, that player.
    """

    back = HiddenField(default="")
    leaves = HiddenField(default="")
    how = StringField(default="")


@blueprint.route("/s/<public_id>/settle", methods=["GET", "POST"])
@redraws
def of_night(public_id: str) -> str | Response:
    """Settle one night: show what is owed and the current plan, or make a new plan."""
    night = night_or_404(public_id, "look" if request.method == "GET" else "keep")
    costs = request.values.get("costs")
    if costs is not None:
        owed = debts.owed_apart(night).get(costs)
        if owed is None:
            abort(404)
        set_page_currency(costs)
        return _page(night.group, night, costs, owed, store.plan_for_costs(night, costs), is_apart=True)
    owed = debts.owed_in_night(night)
    return _page(night.group, night, night.currency, owed, store.plan_for(night, owed))


@blueprint.route("/g/<public_id>/settle", methods=["GET", "POST"])
@redraws
def of_group(public_id: str) -> str | Response:
    """Settle what is still owed from all nights in a currency together."""
    group = group_or_404(public_id, "look" if request.method == "GET" else "keep")
    currency = request.values.get("currency") or None
    if currency is not None and not is_currency(currency):
        abort(404)
    set_page_currency(currency)
    return _page(group, None, currency, debts.owed_in_group(group, currency), store.plan_for_group(group, currency))


def _page(
    group: Group,
    night: Night | None,
    currency: str | None,
    owed: debts.Owed,
    plan: SettleUp | None,
    *,
    is_apart: bool = False,
) -> str | Response:
    asked = request.values.get("banker") or None
    banker = asked if asked in owed and asked != POT else None
    unpaid = store.unpaid_of(plan) if plan is not None else None
    # a plan for all nights may be unpaid, and yet have settled this night
    is_own = plan is not None and plan.night_id == (night.id if night is not None else None)

    def page() -> str:
        return _plan_page(
            group,
            night,
            currency,
            plan,
            currencies=store.currencies_of(group),
            owed=sorted(owed.items(), key=lambda debt: -debt[1]),
            banker=banker,
            unpaid=unpaid,
            fresh=[] if unpaid == owed else store.planned(owed, banker),
            is_void=is_own and bool(unpaid) and not owed,
            is_exact=debts.is_fewest(owed),
            is_apart=is_apart,
        )

    if request.method == "GET":
        return page()
    form = ActForm()
    with refusals_shown(form, page):
        store.make_plan(group, night, currency, asked, sent(form), is_apart=is_apart)
    return redirect(_address(group, night, currency, is_apart=is_apart), 303)


def _plan_page(
    group: Group, night: Night | None, currency: str | None, plan: SettleUp | None, *, is_apart: bool, **more: Any
) -> str:
    """Render a plan; `more` are further values for the template."""
    names = account_names(group)
    stacks = stacks_of(night) if night and not is_apart else None
    paid = paid_before(night, plan) if night and not is_apart else []
    return render_template(
        "group/settle_up.html",
        group=group,
        night=night,
        currency=currency,
        names=names,
        people=group.names,
        plan=plan,
        stacks=stacks,
        text=plan_text(plan, names, stacks, paid) if plan else "",
        paid=paid,
        how_far=how_far,
        costs=currency if is_apart else None,
        followed=night or last_night(group),
        **more,
    )


def _address(
    group: Group, night: Night | None, currency: str | None, *, is_apart: bool, already: str | None = None
) -> str:
    if night is not None:
        costs = currency if is_apart else None
        return url_for("settle_up.of_night", public_id=night.public_id, costs=costs, already=already)
    return url_for("settle_up.of_group", public_id=group.public_id, currency=currency, already=already)


@blueprint.post("/plans/<public_id>")
@redraws
def pay(public_id: str) -> str | Response:
    """Tick off a payment, fully or partly, or undo that: the scorekeeper, or who makes or gets the payment."""
    plan = store.find_plan(public_id) or abort(404)
    group = plan.group
    if plan.night is not None:
        night_or_404(plan.night.public_id, "look")
    else:
        group_or_404(group.public_id)
    set_page_currency(plan.currency)
    form = PayForm()
    amounts = Rows("amount", (str(payment.position) for payment in plan.payments), AmountField(default=""))
    payment = next((payment for payment in plan.payments if str(payment.position) == form.do.row), None)
    if payment is None or form.do.action not in ("pay", "unpay"):
        abort(400)
    if not (may("keep") or may_tick(plan, payment)):
        abort(403)
    amount, position, is_undone = amounts[form.do.row], payment.position, form.do.action == "unpay"

    def page() -> str:
        more = {"typed": amounts.typed, "wrong": position}
        return _plan_page(group, plan.night, plan.currency, plan, is_apart=plan.is_apart, **more)

    if amount.units is None and not is_undone:
        show_problem(amount.problem())
        return page()
    with refusals_shown(form, page):
        how = form.how.data if form.how.data in KINDS and not is_undone else None
        told = tick_off(public_id, position, None if is_undone else amount.units, sent(form), how)
    if plan.night is not None and form.leaves.data in plan.night.names:
        address = url_for("night.leave", public_id=plan.night.public_id, player=form.leaves.data, already=told)
        return redirect(address, 303)
    back = _BACK.get(form.back.data or "")
    if plan.night is not None and back:
        # where the payment was ticked, not at the top of the page
        anchor = "already" if told else f"costs-{plan.currency}" if plan.is_apart else "payments"
        return redirect(url_for(back, public_id=plan.night.public_id, already=told, _anchor=anchor), 303)
    return redirect(_address(group, plan.night, plan.currency, is_apart=plan.is_apart, already=told), 303)
