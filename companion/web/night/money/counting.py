"""Counting the chips at the end of a night, and booking what is missing or too much."""

from __future__ import annotations

from collections.abc import Sequence

from flask import abort, redirect, request, url_for
from werkzeug.wrappers import Response

from companion.store.models import Night
from companion.store.money.stacks import Stacks, stacks_of
from companion.store.night import chips, play
from companion.store.night.reading import round_numbers

from ...access.forms import redraws, refusals_shown, sent
from ...access.lookup import account_names, night_or_404
from ...groups.settings.chips import would_be
from ...http.requests.parsing import line_number
from ...text.money import unit_scale, units
from ..frame import blueprint, night_page
from .count_form import CountForm


@blueprint.route("/count", methods=["GET", "POST"])
@redraws
def count(public_id: str) -> str | Response:
    """Compare the counted chips with what everyone should have; book the differences only once confirmed."""
    night = night_or_404(public_id, "look" if request.method == "GET" else "keep")
    stacks = stacks_of(night) or abort(404)
    form = CountForm().offer(stacks.on_table, night.group)
    if request.method == "POST":
        with refusals_shown(form, lambda: _count_page(night_or_404(public_id), form, stacks)):
            names = account_names(night.group)
            form.add_up({account: names[account] for account in stacks.on_table})
    if request.method == "GET":
        form.count_none(player for player in stacks.left if not stacks.on_table[player])
    if request.method == "GET" or not form.counts.validate():
        return _count_page(night, form, stacks)
    counted = {key: form.counts[key].units for key in stacks.on_table}
    rows = chips.compare(night, counted)
    if form.do.data != "book":
        return _count_page(night, form, stacks, rows)
    with refusals_shown(form, lambda: _count_page(night_or_404(public_id), form, stacks, rows)):
        chips.book_count(public_id, line_number(form.number.data), counted, sent(form))
    return redirect(url_for("night.money", public_id=public_id), 303)


def _count_page(
    night: Night,
    form: CountForm,
    stacks: Stacks,
    rows: Sequence[chips.Counted] = (),
) -> str:
    missing = -sum(row.difference for row in rows)
    return night_page(
        "night/count.html",
        night,
        "night.money",
        stacks=stacks,
        counts=form.counts,
        coloured=form.chips,
        by_colour=form.by_colour,
        would_be=would_be(night.group, abs(missing), unit_scale()),
        rows=rows,
        numbers=round_numbers(night),
        missing=chips.missing_message(missing, units(abs(missing))) if missing else None,
        number=play.next_number(night),
    )
