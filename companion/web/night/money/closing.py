"""Closing a night, with what is in its pot then, and opening it again."""

from __future__ import annotations

from flask import redirect, request, url_for
from werkzeug.wrappers import Response

from companion.store.log.ledger import balances
from companion.store.models import Night
from companion.store.money.settle_up import plan_closed
from companion.store.money.stacks import stacks_of
from companion.store.night import settings as night_changes
from companion.store.night.play import last_round

from ...access.forms import redraws, refusals_shown, sent
from ...access.lookup import night_or_404
from ...access.pin import PinForm, must_know_pin
from ..frame import blueprint, night_page


@blueprint.route("/close", methods=["GET", "POST"])
@redraws
def close(public_id: str) -> str | Response:
    """Close a night, splitting its pot or carrying it over, or reopen it; a GET asks first."""
    night = night_or_404(public_id)
    if request.method == "GET":
        return _close_page(night)
    form = PinForm()
    action = form.do.data
    with refusals_shown(form, lambda: _close_page(night_or_404(public_id))):
        must_know_pin(night.group, form.pin.data)
        if action == "reopen":
            night_changes.reopen(public_id, sent(form))
        else:
            night_changes.close(public_id, action == "split", sent(form))
    if action == "reopen":
        return redirect(url_for("night.table", public_id=public_id), 303)
    plan_closed(night_or_404(public_id), sent(form))
    return redirect(url_for("night.end", public_id=public_id), 303)


def _close_page(night: Night) -> str:
    units = balances(night)
    last, names = last_round(night, voided_too=False), night.group.names
    # as a split has it
    sharers = [names[key] for key in last.current.document["players"]] if last is not None else []
    more = {"balances": units, "stacks": stacks_of(night, units), "sharers": sharers}
    return night_page("night/close.html", night, "night.money", **more)
