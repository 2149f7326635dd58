"""One payment of a plan, with what its payer needs; and how a player gets paid.

How somebody gets paid is shown to whoever pays them in a plan, on the payer's own phone, and to the scorekeeper, who
may be the only one with a phone at the table: never by a viewer's link, on a big screen or in a picture.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from urllib.parse import quote, urlencode

from babel.numbers import get_currency_precision
from flask import Blueprint, Flask, abort, redirect, render_template, request, url_for
from markupsafe import Markup
from segno.helpers import make_epc_qr
from werkzeug.wrappers import Response
from wtforms import SelectField, StringField

from companion.engine.messages import Message
from companion.engine.money.payments import Payment
from companion.engine.money.settlement import POT
from companion.store.groups.handles import KINDS, MAX_LENGTH, handles_of, set_handle
from companion.store.log.replay import BANK
from companion.store.models import Night, PlannedPayment, SettleUp
from companion.store.money import settle_up as store
from companion.store.money.paid import ALREADY
from companion.store.refusals import AlreadySo, Sent

from ...access.devices import players_address
from ...access.forms import ActForm, redraws, refusals_shown, sent
from ...access.lookup import group_or_404, may, my_player, night_or_404
from ...text.language import dated, in_language, locale, own_names, say
from ...text.money import set_page_currency, typed
from ...text.money import units as written
from ..frame import without_controls

blueprint = Blueprint("paying", __name__)
_MAX_NOTE, _GROUP = 140, 4


@dataclass(frozen=True)
class Way:
    """A way to make a payment: its kind, what to copy and how it is written, the app's link, and a QR code."""

    kind: str
    text: str
    link: str | None
    code: Markup | None

    @property
    def label(self) -> str:
        return say(KINDS[self.kind].label)

    @property
    def written(self) -> str:
        """The text as it is easiest to compare: account numbers in groups of four."""
        if self.kind not in ("clabe", "iban"):
            return self.text
        return " ".join(self.text[at : at + _GROUP] for at in range(0, len(self.text), _GROUP))


def pay_link(kind: str, text: str, amount: Decimal, currency: str, name: str, note: str) -> str | None:
    """Return a payment app's documented link with the amount, as far as it has one; None if there is nothing to open.

    A handle has only characters that its kind allows, so it can't lead to another place.
    """
    if kind == "venmo" and currency == "USD":
        return f"https://venmo.com/{text}?{urlencode({'txn': 'pay', 'amount': amount, 'note': note}, quote_via=quote)}"
    if kind == "paypal":
        return f"https://paypal.me/{text}/{amount}{currency}"
    if kind == "revolut":  # an amount in its link isn't documented
        return f"https://revolut.me/{text}"
    if kind == "upi" and currency == "INR":
        asked = {"pa": text, "pn": name, "am": amount, "cu": currency, "tn": note}
        return f"upi://pay?{urlencode(asked, quote_via=quote, safe='@')}"
    return None


@lru_cache(maxsize=64)
def _epc_code(name: str, iban: str, amount: Decimal, note: str) -> Markup:
    code = make_epc_qr(name=name[:70], iban=iban, amount=amount, text=note, encoding="utf-8")
    return Markup(code.svg_inline(border=4, light="#fff", omitsize=True))


def ways_of(group_id: int, payee: str, name: str, units: int, currency: str | None, note: str) -> list[Way]:
    """List how a player can be paid some units; in chips there are no links and codes, because they aren't money."""
    ways = []
    money = Decimal(units).scaleb(-get_currency_precision(currency)) if currency else Decimal(0)
    for kind, text in handles_of(group_id, int(payee)).items():
        link = pay_link(kind, text, money, currency, name, note) if currency else None
        code = _epc_code(name, text, money, note) if kind == "iban" and currency == "EUR" and money else None
        ways.append(Way(kind, text, link, code))
    return ways


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


@blueprint.get("/plans/<public_id>/<int:position>")
def payment(public_id: str, position: int) -> str | Response:
    """Show one payment: how its payee gets paid, what to copy, open or scan, and the button that ticks it."""
    plan = store.find_plan(public_id) or abort(404)
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
