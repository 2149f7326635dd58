"""One payment of a plan, with what its payer needs; and how a player gets paid.

How somebody gets paid is shown to whoever pays them in a plan, on the payer's own phone, and to the scorekeeper, who
may be the only one with a phone at the table: never by a viewer's link, on a big screen or in a picture.
"""

from __future__ import annotations

from flask import Blueprint, abort, redirect, render_template, request, url_for
from werkzeug.wrappers import Response
from wtforms import SelectField, StringField

from companion.store.groups.handles import KINDS, MAX_LENGTH, handles_of, set_handle
from companion.store.models import Night, PlannedPayment, SettleUp
from companion.store.money.settle_up import find_plan

from ...access.devices import players_address
from ...access.forms import ActForm, redraws, refusals_shown, sent
from ...access.lookup import group_or_404, may, my_player, night_or_404
from ...text.language import dated, in_language, locale, own_names, say
from ...text.money import set_page_currency, typed
from ...text.money import units as written
from ..frame import without_controls
from .ticking import may_pay
from .ways_to_pay import Way, ways_of

blueprint = Blueprint("paying", __name__)
_MAX_NOTE = 140


@blueprint.get("/plans/<public_id>/<int:position>")
def payment(public_id: str, position: int) -> str | Response:
    """Show one payment: how its payee gets paid, what to copy, open or scan, and the button that ticks it."""
    plan = find_plan(public_id) or abort(404)
    if plan.night is not None:
        night_or_404(plan.night.public_id, "look")
    else:
        group_or_404(plan.group.public_id)
    set_page_currency(plan.currency)
    payment = next((payment for payment in plan.payments if payment.position == position), None) or abort(404)
    if not may_pay(plan, payment):  # as far as it may be seen: whoever has a reminder's link may sit on no phone yet
        return (
            redirect(url_for("settle_up.of_night", public_id=plan.night.public_id), 303) if plan.night else abort(403)
        )
    is_own = plan.night is not None and my_player(plan.night) == payment.payer
    names = plan.group.names
    rest = payment.rest
    at = plan.night.began if plan.night else plan.at
    note = f"{plan.group.name}, {dated(at, say('d MMMM'))}"[:_MAX_NOTE]
    return render_template(
        "night/payment.html",
        plan=plan,
        payment=payment,
        night=plan.night,
        group=plan.group,
        names=names,
        people=names,
        rest=rest,
        leaves=_who_leaves(plan.night, payment),
        note=note,
        typed=typed(rest),
        reminders=_reminders(plan, payment, names) if rest and not is_own else [],
        ways=ways_of(plan.group_id, payment.payee, names[payment.payee], rest, plan.currency, note),
    )


def _who_leaves(night: Night | None, payment: PlannedPayment) -> str | None:
    """Return the player on whose page of leaving the payment was tapped, if that is one of the two."""
    asked = request.args.get("leaves")
    return asked if night is not None and night.closed_at is None and asked in (payment.payer, payment.payee) else None


def _reminders(plan: SettleUp, payment: PlannedPayment, names: dict[str, str]) -> list[tuple[str, str, str]]:
    """Return messages for the payer to share, which the app never sends: (language, its name, text), the page's first.

    Without a handle: whoever opens the link sees that only if they may.
    """
    here = locale().language
    link = players_address(plan.group, "paying.payment", public_id=plan.public_id, position=payment.position)
    messages = []
    for code, own_name in sorted(own_names().items(), key=lambda pair: pair[0] != here):
        with in_language(code):
            values = {"payer": names[payment.payer], "payee": names[payment.payee], "group": plan.group.name}
            rest = written(payment.rest)
            text = say(
                "{payer}, {amount} for {payee} is still open ({group}): {link}", amount=rest, link=link, **values
            )
        messages.append((code, own_name, text))
    return messages


class HandleForm(ActForm):
    """The form of one way to be paid; an empty text removes it."""

    kind = SelectField(validate_choice=False)
    text = StringField(filters=[without_controls])


@blueprint.route("/s/<public_id>/paid-by", methods=["GET", "POST"])
@redraws
def handles(public_id: str) -> str | Response:
    """Set how a player gets paid: one's own on one's phone, anybody's on the scorekeeper's."""
    night = night_or_404(public_id, "look")
    mine, names = my_player(night), night.names
    player = request.values.get("player") or mine or (next(iter(names)) if may("keep") else "")
    if player not in names or not (may("keep") or player == mine):
        abort(403)
    form = HandleForm() if request.method == "POST" else HandleForm(formdata=None)
    if request.method == "GET":
        return _handles_page(night, player, form)
    with refusals_shown(form, lambda: _handles_page(night, player, form)):
        set_handle(night.group, int(player), form.kind.data or "", (form.text.data or "")[: MAX_LENGTH + 1], sent(form))
    return redirect(url_for("paying.handles", public_id=public_id, player=player), 303)


def _handles_page(night: Night, player: str, form: HandleForm) -> str:
    form.kind.choices = {kind: known.label for kind, known in KINDS.items()}
    return render_template(
        "night/handles.html",
        night=night,
        player=player,
        names=night.names,
        people=night.group.names,
        form=form,
        ways=[Way(kind, text, None, None) for kind, text in handles_of(night.group_id, int(player)).items()],
    )
