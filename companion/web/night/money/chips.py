"""A night's chips: setting the buy-in, rebuys, and counting the chips at the end."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from flask import abort, redirect, request, url_for
from werkzeug.wrappers import Response
from wtforms import HiddenField, StringField

from companion.engine.messages import Message
from companion.store.groups.chip_sets import COLOURS, Chip, chips_of, made_of, worth_of
from companion.store.models import Group, Night
from companion.store.money.stacks import stacks_of
from companion.store.night import chips, play
from companion.store.night.reading import round_numbers
from companion.store.refusals import Refused

from ...access.actions import refusals_shown
from ...access.devices import ActForm, night_or_404, sent
from ...access.lookup import account_names
from ...groups.settings.chips import MAX_SHOWN, chip_words, whole_number
from ...http.requests.csrf import redraws
from ...http.requests.parsing import line_number
from ...text.fields import AmountField, Rows
from ...text.language import say
from ...text.money import read_typed, unit_scale, units
from ...text.money import typed as as_typed
from ..frame import blueprint, night_page
from .tab import BuyInForm, RebuyForm, money_page


class CountForm(ActForm):
    """The counted chips, with a field for each account; `number` is the next line's number when the page was shown.

    If the group has said which chips it has, there are fields for each colour too, by "account-colour".
    """

    number = HiddenField(default="")

    counts: Rows
    by_colour: Rows
    chips: list[Chip]

    def offer(self, accounts: Iterable[str], group: Group) -> CountForm:
        """Add the fields of each account."""
        known = list(accounts)
        self.counts = Rows("count", known, AmountField(default="", example=40, filters=[lambda text: text[:60]]))
        self.chips = chips_of(group)
        keys = [f"{account}-{chip.colour}" for account in known for chip in self.chips]
        self.by_colour = Rows("chips", keys, StringField(default=""))
        return self

    def add_up(self, accounts: Mapping[str, str]) -> None:
        """Work out the counts of accounts whose chips were typed by colour; raises Refused if those aren't numbers."""
        for account, name in accounts.items():
            numbers = {}
            for chip in self.chips:
                typed = self.by_colour[f"{account}-{chip.colour}"].data.strip()
                number = whole_number(typed or "0")
                if number is None:
                    text = "{player}, {colour}: “{typed}” isn't a whole number"
                    raise Refused(Message(text, player=name, colour=COLOURS[chip.colour], typed=typed[:MAX_SHOWN]))
                if typed:
                    numbers[chip.colour] = number
            if numbers:
                self.counts[account].data = as_typed(worth_of(self.chips, numbers) * unit_scale())


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
    form = CountForm().offer(stacks.on_table, night.group)
    if request.method == "POST":
        with refusals_shown(form, lambda why: _count_page(night_or_404(public_id), form, stacks.on_table, (), why)):
            names = account_names(night.group)
            form.add_up({account: names[account] for account in stacks.on_table})
    if request.method == "GET" or not form.counts.validate():
        return _count_page(night, form, stacks.on_table)
    counted = {key: form.counts[key].units for key in stacks.on_table}
    rows = chips.compare(night, counted)
    if form.do.data != "book":
        return _count_page(night, form, stacks.on_table, rows)
    with refusals_shown(form, lambda why: _count_page(night_or_404(public_id), form, stacks.on_table, rows, why)):
        chips.book_count(public_id, line_number(form.number.data), counted, sent(form))
    return redirect(url_for("night.money", public_id=public_id), 303)


def _would_be(known: Sequence[Chip], units: int) -> list[str]:
    """Say which chips of one colour make up a difference, the fewest first."""
    whole, rest = divmod(units, unit_scale())
    counts = made_of(known, whole) if not rest else {}
    return [chip_words({colour: counts[colour]}) for colour in sorted(counts, key=lambda colour: counts[colour])]


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
        coloured=form.chips,
        by_colour=form.by_colour,
        would_be=_would_be(form.chips, abs(missing)),
        rows=rows,
        numbers=round_numbers(night),
        missing=chips.missing_message(missing, units(abs(missing))) if missing else None,
        number=play.next_number(night),
        problem=problem,
    )
