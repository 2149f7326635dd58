"""A night's money tab: standings, chips, loans and the like, who pays whom, and closing the night."""

from __future__ import annotations

from typing import Any

from flask import redirect, request, url_for
from werkzeug.wrappers import Response
from wtforms import HiddenField, SelectField, StringField, ValidationError

from companion.engine.messages import Message
from companion.engine.settlement import POT
from companion.store.identities import names_of
from companion.store.log import ledger
from companion.store.log.replay import POT_MOVE, is_of_pot
from companion.store.models import Night
from companion.store.money import settle_up
from companion.store.money.stacks import MAX_BUY_IN, stacks_of
from companion.store.night import play
from companion.store.night import settings as night_changes
from companion.store.night.reading import movements_of, sums_of
from companion.store.refusals import Sent

from ...access.actions import refusals_shown
from ...access.devices import ActForm, night_or_404, sent
from ...access.pin import PinForm, must_know_pin
from ...http.requests.csrf import redraws
from ...ledger_lines.costs import cost_amount, cost_words
from ...ledger_lines.summary import summarize_all
from ...text.fields import AmountField
from ...text.labels import MOVEMENTS, pot_and_bank
from ...text.language import say
from ...text.money import buy_in_message, read_typed
from ...text.money import typed as as_typed
from ..frame import MAX_REMARK_LENGTH, blueprint, night_page, without_controls

_MAX_MOVEMENTS = 100
_ENTERED = ("buy-in", "side-bet", "loan", POT_MOVE)
_NOBODY_YET = {"": Message("Choose…")}


class MoveForm(ActForm):
    """What moves outside a round: a debt, paid at the end of the night (a buy-in, a side bet or a loan), or the pot."""

    movement = SelectField(validate_choice=False)
    giver = SelectField(name="from", validate_choice=False)
    taker = SelectField(name="to", validate_choice=False)
    amount = AmountField(least=1)
    note = StringField(filters=[without_controls])

    accounts: dict[str, str]
    kinds: tuple[str, ...]

    def offer(self, night: Night) -> MoveForm:
        """Fill in the choices. With stacks, a buy-in isn't a debt: see `chips`."""
        self.kinds = _ENTERED if night.buy_in_units is None else _ENTERED[1:]
        self.movement.choices = {key: MOVEMENTS[key] for key in self.kinds}
        self.accounts = {**names_of(night), **pot_and_bank()}
        self.giver.choices = self.taker.choices = {**_NOBODY_YET, **self.accounts}
        return self

    def validate_movement(self, field: SelectField) -> None:
        if field.data not in self.kinds:
            raise ValidationError(say("Say what it is: choose from the list"))

    def validate_giver(self, field: SelectField) -> None:
        if field.data not in self.accounts:
            raise ValidationError(say("Say from whom"))

    def validate_taker(self, field: SelectField) -> None:
        """Accept another account than the giver's; the pot only in a movement of the pot, which has no bank."""
        if field.data not in self.accounts:
            raise ValidationError(say("Say to whom"))
        giver = self.giver.data
        if field.data == giver:
            raise ValidationError(say("Nobody can owe themselves; choose somebody else"))
        if self.movement.data == POT_MOVE and not is_of_pot(giver, field.data):
            raise ValidationError(say("One of the two is the pot, and the other one a player"))
        if self.movement.data != POT_MOVE and POT in (giver, field.data):
            raise ValidationError(say("For the pot, choose “into or out of the pot” above"))

    def document(self) -> dict[str, Any]:
        """Return the movement to book."""
        return {
            "movement": self.movement.data,
            "from": self.giver.data,
            "to": self.taker.data,
            "amount": self.amount.units,
            "note": (self.note.data or "")[:MAX_REMARK_LENGTH],
        }


class BuyInForm(ActForm):
    """The buy-in; an empty field means to play without stacks."""

    buy_in = StringField(name="buy-in")

    def validate_buy_in(self, field: StringField) -> None:
        """Accept an empty field, or an amount within the limits."""
        typed = (field.data or "").strip()
        if typed and not 1 <= (read_typed(typed) or 0) <= MAX_BUY_IN:
            raise ValidationError(say(buy_in_message(typed, MAX_BUY_IN)))


class RebuyForm(ActForm):
    """More chips for a player."""

    player = SelectField(validate_choice=False)
    chips = AmountField(least=1, most=MAX_BUY_IN)
    back = HiddenField(default="")

    names: dict[str, str]

    def offer(self, night: Night) -> RebuyForm:
        """Fill in the choices, players without chips first, and the buy-in as the amount."""
        stacks, self.names = stacks_of(night), names_of(night)
        held = stacks.held if stacks else {}
        in_order = sorted(self.names, key=lambda key: held.get(key, 0) > 0)
        self.player.choices = {key: self.names[key] for key in in_order}
        if self.chips.data is None:
            self.chips.data = as_typed(night.buy_in_units or 0)
        return self

    def validate_player(self, field: SelectField) -> None:
        """Accept only players who have a seat."""
        if field.data not in self.names:
            raise ValidationError(say("Choose who buys chips"))


@blueprint.get("/money")
def money(public_id: str) -> str:
    """Show the money tab."""
    return money_page(night_or_404(public_id, "look"))


def money_page(
    night: Night,
    problem: Message | None = None,
    place: str = "",
    *,
    movement: MoveForm | None = None,
    buy_in: BuyInForm | None = None,
    rebuy: RebuyForm | None = None,
) -> str:
    """Render the tab; a problem is shown in the form named `place`: "moves", "buy-in" or "rebuy"."""
    balances = ledger.balances(night)
    plan, owed = settle_up.plan_or_owed(night)
    usual = as_typed(night.buy_in_units) if night.buy_in_units else ""
    return night_page(
        "night/money.html",
        night,
        "night.money",
        ranked=ledger.ranked(balances),
        balances=balances,
        curves=sums_of(night).balances,
        movements_made=summarize_all(movements_of(night, _MAX_MOVEMENTS)),
        problem=problem,
        place=place,
        form=(movement or MoveForm(formdata=None)).offer(night),
        buy_in=buy_in or BuyInForm(formdata=None, data={"buy_in": usual}),
        rebuy=rebuy or RebuyForm(formdata=None).offer(night),
        stacks=stacks_of(night, balances),
        plan=plan,
        owed=owed,
        paid=settle_up.paid_before(night, plan),
        costs_apart=settle_up.apart_plans(night),
        cost_words=cost_words,
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
    with refusals_shown(form, lambda problem: money_page(night_or_404(public_id), problem, "moves", movement=form)):
        play.move(public_id, play.next_number(night), form.document(), sent(form))
    return redirect(url_for("night.money", public_id=public_id), 303)


@blueprint.route("/close", methods=["GET", "POST"])
@redraws
def close(public_id: str) -> str | Response:
    """Close a night, splitting its pot or carrying it over, or reopen it; a GET asks first."""
    night = night_or_404(public_id)
    if request.method == "GET":
        return _close_page(night)
    form = PinForm()
    action = form.do.data
    with refusals_shown(form, lambda problem: _close_page(night_or_404(public_id), problem)):
        must_know_pin(night.group, form.pin.data)
        if action == "reopen":
            night_changes.reopen(public_id, sent(form))
        else:
            night_changes.close(public_id, action == "split", sent(form))
    if action == "reopen":
        return redirect(url_for("night.table", public_id=public_id), 303)
    settle_closed(night_or_404(public_id), sent(form))
    return redirect(url_for("night.end", public_id=public_id), 303)


def _close_page(night: Night, problem: Message | None = None) -> str:
    balances = ledger.balances(night)
    more = {"balances": balances, "stacks": stacks_of(night, balances), "problem": problem}
    return night_page("night/close.html", night, "night.money", **more)


def settle_closed(night: Night, made: Sent) -> None:
    """Make the payment plans of a closed night, unless it has some that still fit or nobody owes anything."""
    _, owed = settle_up.plan_or_owed(night)
    if owed:
        key = Sent(f"{made.key[:60]}-up", made.device)
        settle_up.make_plan(night.group, night, night.currency, None, key)
    for costs in settle_up.apart_plans(night):
        if costs.owed:
            key = Sent(f"{made.key[:56]}-up{costs.currency}", made.device)
            settle_up.make_plan(night.group, night, costs.currency, None, key, is_apart=True)
