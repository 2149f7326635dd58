"""The page of a player who leaves, or takes a break: what they owe or get and why, and the payments to tick off."""

from __future__ import annotations

from flask import abort, redirect, request, url_for
from werkzeug.wrappers import Response

from companion.engine.messages import Message
from companion.store.log.ledger import Accounts
from companion.store.models import Night, SettleUp
from companion.store.money import settle_up
from companion.store.money.leaving import Due, dues_of
from companion.store.night import settings as night_changes
from companion.store.night.reading import sums_of
from companion.store.refusals import Conflict, Refused, Sent

from ...access.forms import ActForm, redraws, refusals_shown, sent
from ...access.lookup import may, my_player, night_or_404
from ...ledger_lines.payments import origin_words
from ..frame import blueprint, night_page
from .ticking import tick_off

_CHANGED = Message("What is owed has changed meanwhile; look again before you tick it")
_STATES = {"left": "left", "later": "left", "out": "out"}


@blueprint.route("/leave", methods=["GET", "POST"])
@redraws
def leave(public_id: str) -> str | Response:
    """Show what a player owes or gets who leaves, tick that off, and free the seat: the own phone's, or for anybody.

    The buttons: "left" once all is ticked, "later" to settle later, "out" for a break; and for payments that no plan
    has yet, "pay" and "open" with what they are (see `Due.row`), which make a plan of that player's payments.
    """
    night = night_or_404(public_id, "look")
    mine = my_player(night)
    names = night.names
    player = request.values.get("player") or mine
    if not player and may("keep"):
        player = next(iter(names)) if request.method == "GET" else abort(400)
    if player not in names or not (may("keep") or player == mine):
        abort(403)
    if night.closed_at is not None:
        return redirect(url_for("night.money", public_id=public_id), 303)
    if request.method == "GET":
        return _page(night, player)
    form = ActForm()
    with refusals_shown(form, lambda: _page(night_or_404(public_id, "look"), player)):
        if form.do.data in _STATES:
            _leave(night, player, form.do.data, sent(form))
            to = "night.people" if may("keep") else "night.table"
            return redirect(url_for(to, public_id=public_id), 303)
        plan, position = _planned(night, player, form)
        if form.do.action == "open":
            address = url_for("paying.payment", public_id=plan.public_id, position=position, leaves=player)
            return redirect(address, 303)
        told = tick_off(plan.public_id, position, plan.payments[position].amount, sent(form))
    return redirect(url_for("night.leave", public_id=public_id, player=player, already=told), 303)


def _leave(night: Night, player: str, do: str, sent: Sent) -> None:
    if do == "left" and _is_open(dues_of(night, player)):
        raise Refused(Message("Tick what is paid, or settle with the others later"))
    states = {str(seat.player_id): seat.state for seat in night.seats} | {player: _STATES[do]}
    seats = [(int(key), state) for key, state in states.items()]
    night_changes.set_seats(night.public_id, seats, sent, [do, player])


def _is_open(dues: list[Due]) -> bool:
    return any(due.units for due in dues)


def _planned(night: Night, player: str, form: ActForm) -> tuple[SettleUp, int]:
    """Return the plan with the payment of the pressed button, making one if needed, and the payment's position."""
    if form.do.action not in ("pay", "open"):
        abort(400)
    costs = form.do.row.partition("/")[0] or None
    due = next((due for due in dues_of(night, player) if due.costs == costs), None)
    if due is None:
        raise Conflict(_CHANGED)
    plan = due.plan
    if plan is None:
        made = Sent(f"{str(form.key.data)[:60]}-up", sent(form).device)
        plan = settle_up.make_plan(
            night.group, night, due.currency, None, made, is_apart=costs is not None, player=player
        )
    positions = [payment.position for payment in plan.payments if due.row(payment) == form.do.row]
    if not positions:
        raise Conflict(_CHANGED)
    return plan, positions[0]


def _page(night: Night, player: str) -> str:
    dues = dues_of(night, player)
    return night_page(
        "night/leave.html",
        night,
        "night.people",
        player=player,
        is_mine=player == my_player(night),
        dues=dues,
        is_open=_is_open(dues),
        origins=origin_words(sums_of(night).origins_of(player), dues[0].units),
        pot=Accounts.of(night).pot,
        state=next(seat.state for seat in night.seats if str(seat.player_id) == player),
    )
