"""A night's chips: setting the buy-in, rebuys, and counting the chips at the end."""

from __future__ import annotations

from dataclasses import replace

from flask import abort, redirect, request, url_for
from werkzeug.wrappers import Response

from companion.engine.messages import Message
from companion.engine.pots import MOST_UNITS
from companion.store import chips, play
from companion.store.night import round_numbers
from companion.store.refusals import Refused
from companion.store.stacks import stacks_of

from ..access.actions import refusal
from ..access.devices import sent
from ..access.lookup import account_names, opened
from ..http.csrf import redraws
from ..http.parsing import whole
from ..text.language import say
from ..text.money import read_typed, units
from .chip_forms import BuyInForm, CountForm, RebuyForm, blank_forms
from .night import blueprint, night_page
from .night_money import money_page


@blueprint.post("/buy-in")
@redraws
def buy_in(public_id: str) -> str | Response:
    """Set the buy-in, or play without stacks."""
    session, form = opened(public_id), BuyInForm()

    def work() -> int:
        typed = (form.buy_in.data or "").strip()
        return chips.set_buy_in(public_id, read_typed(typed) if typed else None, sent(form))

    problem = refusal(form, work)
    if problem is not None:
        session = opened(public_id)
        if form.validate():  # the form was fine, so the store refused the amount
            form.buy_in.errors = [say(problem)]
        return money_page(
            session, chip_forms=replace(blank_forms(session), buy_in=form, place="buy-in", problem=problem)
        )
    return redirect(url_for("session.money", public_id=public_id, _anchor="chips"), 303)


@blueprint.post("/rebuy")
@redraws
def rebuy(public_id: str) -> str | Response:
    """Book that a player bought more chips."""
    session = opened(public_id)
    form = RebuyForm().offer(session)
    problem = refusal(form, lambda: chips.rebuy(public_id, form.player.data, form.chips.units or 0, sent(form)))
    if problem is not None:
        session = opened(public_id)
        return money_page(session, chip_forms=replace(blank_forms(session), rebuy=form, place="rebuy", problem=problem))
    back = "session.show" if form.back.data == "table" else "session.money"
    return redirect(url_for(back, public_id=public_id), 303)


@blueprint.route("/count", methods=["GET", "POST"])
@redraws
def count(public_id: str) -> str | Response:
    """Compare the counted chips with what everyone should have; book the differences only once confirmed."""
    session = opened(public_id, "look" if request.method == "GET" else "keep")
    stacks = stacks_of(session)
    if stacks is None:
        abort(404)
    expected = stacks.on_table
    form, problem = CountForm().offer(expected), None
    rows: list[chips.Counted] = []
    if request.method == "POST" and form.counts.validate():
        counted = {key: form.counts[key].units for key in expected}
        rows = chips.compare(session, counted)
        if form.do.data == "book":
            problem = refusal(form, lambda: _book(public_id, counted, form))
            if problem is None:
                return redirect(url_for("session.money", public_id=public_id), 303)
            session = opened(public_id)
    missing = -sum(row.difference for row in rows)
    return night_page(
        "night/count.html",
        session,
        "session.money",
        expected=expected,
        typed=form.counts.data,
        wrong=form.counts.wrong,
        rows=rows,
        numbers=round_numbers(session),
        missing=chips.missing_message(missing, units(abs(missing))) if missing else None,
        number=play.next_number(session),
        accounts=account_names(session),
        problem=problem,
    )


def _book(public_id: str, counted: dict[str, int], form: CountForm) -> int:
    number = whole(form.number.data)
    if not isinstance(number, int) or not 0 < number < MOST_UNITS:
        raise Refused(Message("This form is broken; open it again"))
    return chips.book_count(public_id, number, counted, sent(form))
