"""A night's chips: setting the buy-in, and rebuys."""

from __future__ import annotations

from flask import redirect, url_for
from werkzeug.wrappers import Response

from companion.store.night import chips
from companion.store.refusals import Refused

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

    with refusals_shown(form, lambda: money_page(night_or_404(public_id), "buy-in", buy_in=form)):
        typed = (form.buy_in.data or "").strip()
        try:
            chips.set_buy_in(public_id, read_typed(typed) if typed else None, sent(form))
        except Refused as refused:
            form.buy_in.errors = [say(refused.message)]
            raise
    return redirect(url_for("night.money", public_id=public_id, _anchor="chips"), 303)


@blueprint.post("/rebuy")
@redraws
def rebuy(public_id: str) -> Response:
    """Book that a player bought more chips."""
    form = RebuyForm().offer(night_or_404(public_id))
    with refusals_shown(form, lambda: money_page(night_or_404(public_id), "rebuy", rebuy=form)):
        chips.rebuy(public_id, form.player.data, form.chips.units or 0, sent(form))
    if form.back.data == "table":
        return redirect(url_for("night.table", public_id=public_id), 303)
    return redirect(url_for("night.money", public_id=public_id, _anchor="movements"), 303)
