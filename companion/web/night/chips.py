"""A night's chips: setting the buy-in, rebuys, and counting the chips at the end."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from flask import abort, redirect, request, url_for
from werkzeug.wrappers import Response
from wtforms import HiddenField

from companion.engine.messages import Message
from companion.store.models import Night
from companion.store.money.stacks import stacks_of
from companion.store.night import chips, play
from companion.store.night.reading import round_numbers

from ..access.actions import refusals_shown
from ..access.devices import ActForm, night_or_404, sent
from ..http.csrf import redraws
from ..http.parsing import line_number
from ..text.fields import AmountField, Rows
from ..text.language import say
from ..text.money import read_typed, units
from .frame import blueprint, night_page
from .money import BuyInForm, RebuyForm, money_page


class CountForm(ActForm):
    """The counted chips, with a field for each account; `number` is the next line's number when the page was shown."""

    number = HiddenField(default="")

    counts: Rows

    def offer(self, accounts: Iterable[str]) -> CountForm:
        """Add a field for each account."""
        self.counts = Rows("count", accounts, AmountField(default="", example=40, filters=[lambda text: text[:60]]))
        return self


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
    back = "night.table" if form.back.data == "table" else "night.money"
    return redirect(url_for(back, public_id=public_id), 303)


@blueprint.route("/count", methods=["GET", "POST"])
@redraws
def count(public_id: str) -> str | Response:
    """Compare the counted chips with what everyone should have; book the differences only once confirmed."""
    night = night_or_404(public_id, "look" if request.method == "GET" else "keep")
    stacks = stacks_of(night) or abort(404)
    form = CountForm().offer(stacks.on_table)
    if request.method == "GET" or not form.counts.validate():
        return _count_page(night, form, stacks.on_table)
    counted = {key: form.counts[key].units for key in stacks.on_table}
    rows = chips.compare(night, counted)
    if form.do.data != "book":
        return _count_page(night, form, stacks.on_table, rows)
    with refusals_shown(form, lambda why: _count_page(night_or_404(public_id), form, stacks.on_table, rows, why)):
        chips.book_count(public_id, line_number(form.number.data), counted, sent(form))
    return redirect(url_for("night.money", public_id=public_id), 303)


def _count_page(
    night: Night,
    form: CountForm,
    expected: Mapping[str, int],
    rows: Sequence[chips.Counted] = (),
    problem: Message | None = None,
) -> str:
    missing = -sum(row.difference for row in rows)
    return night_page(
        "night/count.html",
        night,
        "night.money",
        expected=expected,
        counts=form.counts,
        rows=rows,
        numbers=round_numbers(night),
        missing=chips.missing_message(missing, units(abs(missing))) if missing else None,
        number=play.next_number(night),
        problem=problem,
    )
