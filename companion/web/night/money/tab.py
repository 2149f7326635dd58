"""A night's money tab: who still owes or gets how much, chips, loans and the like, and who pays whom."""

from __future__ import annotations

from flask import redirect, url_for
from werkzeug.wrappers import Response

from companion.store.log import ledger
from companion.store.models import Night
from companion.store.money import settle_up
from companion.store.money.paid import paid_before
from companion.store.money.stacks import stacks_of
from companion.store.night import play
from companion.store.night.reading import movements_of

from ...access.forms import redraws, refusals_shown, sent
from ...access.lookup import night_or_404
from ...ledger_lines.costs import cost_amount
from ...ledger_lines.summary import summarize_all
from ...ledger_lines.to_settle import to_settle
from ...text.money import typed as as_typed
from ..frame import blueprint, night_page
from .forms import BuyInForm, MoveForm, RebuyForm

_MAX_MOVEMENTS = 100


@blueprint.get("/money")
def money(public_id: str) -> str:
    """Show the money tab."""
    return money_page(night_or_404(public_id, "look"))


def money_page(
    night: Night,
    place: str = "",
    *,
    movement: MoveForm | None = None,
    buy_in: BuyInForm | None = None,
    rebuy: RebuyForm | None = None,
) -> str:
    """Render the tab; a problem is shown in the form named `place`: "moves", "buy-in" or "rebuy"."""
    balances = ledger.balances(night)
    left = to_settle(night, balances)
    plan, owed = settle_up.plan_or_owed(night, left.owed)
    usual = as_typed(night.buy_in_units) if night.buy_in_units else ""
    return night_page(
        "night/money.html",
        night,
        "night.money",
        left=left,
        movements_made=summarize_all(movements_of(night, _MAX_MOVEMENTS)),
        place=place,
        form=(movement or MoveForm(formdata=None)).offer(night),
        buy_in=buy_in or BuyInForm(formdata=None, data={"buy_in": usual}),
        rebuy=rebuy or RebuyForm(formdata=None).offer(night),
        stacks=stacks_of(night, balances),
        plan=plan,
        owed=owed,
        paid=paid_before(night, plan),
        costs_apart=settle_up.apart_plans(night),
        cost_amount=cost_amount,
    )


@blueprint.post("/move")
@redraws
def move(public_id: str) -> Response:
    """Book a buy-in, a side bet, a loan, or what goes into the pot or out of it outside a round.

    A loan is owed by the borrower, a side bet by its loser, and a buy-in that was paid by the bank.
    """
    night = night_or_404(public_id)
    form = MoveForm().offer(night)
    with refusals_shown(form, lambda: money_page(night_or_404(public_id), "moves", movement=form)):
        play.move(public_id, play.next_number(night), form.document(), sent(form))
    return redirect(url_for("night.money", public_id=public_id, _anchor="movements"), 303)
