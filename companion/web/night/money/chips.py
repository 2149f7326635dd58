"""A night's chips: setting the buy-in, and rebuys."""

from __future__ import annotations

from flask import redirect, url_for
from werkzeug.wrappers import Response

from companion.engine.messages import Message
from companion.store.night import chips

from ...access.forms import redraws, refusals_shown, sent
from ...access.lookup import night_or_404
from ...text.language import say
from ...text.money import read_typed
from ..frame import blueprint
from .forms import BuyInForm, RebuyForm
from .tab import money_page


@blueprint.post("/buy-in")
@redraws
def buy_in(public_id: str) -> Response:
    """Set the buy-in, or play without stacks."""
    night_or_404(public_id)
    form = BuyInForm()

    def page(problem: Message) -> str:
        if form.validate():  # the form was fine, so the store refused the amount
            form.buy_in.errors = [say(problem)]
        return money_page(night_or_404(public_id), problem, "buy-in", buy_in=form)

    with refusals_shown(form, page):
        typed = (form.buy_in.data or "").strip()
        chips.set_buy_in(public_id, read_typed(typed) if typed else None, sent(form))
    return redirect(url_for("night.money", public_id=public_id, _anchor="chips"), 303)


@blueprint.post("/rebuy")
@redraws
def rebuy(public_id: str) -> Response:
    """Book that a player bought more chips."""
    form = RebuyForm().offer(night_or_404(public_id))
    with refusals_shown(form, lambda problem: money_page(night_or_404(public_id), problem, "rebuy", rebuy=form)):
        chips.rebuy(public_id, form.player.data, form.chips.units or 0, sent(form))
    if form.back.data == "table":
        return redirect(url_for("night.table", public_id=public_id), 303)
    return redirect(url_for("night.money", public_id=public_id, _anchor="movements"), 303)
