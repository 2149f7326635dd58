"""Shared costs of a night, such as a pizza: who paid how much, for what, and for whom."""

from __future__ import annotations

from flask import abort, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from companion.store.log.replay import COST
from companion.store.log.typed import with_texts
from companion.store.models import Line, Night
from companion.store.night import play, revising

from ...access.forms import redraws, refusals_shown, sent
from ...access.lookup import line_or_404, night_or_404
from ...http.requests.parsing import row_number
from ..frame import blueprint
from .forms import CostForm


@blueprint.route("/cost", methods=["GET", "POST"])
@redraws
def cost(public_id: str) -> str | Response:
    """Enter a shared cost, or correct the one of `line`."""
    night = night_or_404(public_id)
    form = CostForm() if request.method == "POST" else CostForm(formdata=None)
    asked = form.line.data if request.method == "POST" else request.args.get("line")
    line = _line(night, asked) if asked else None
    known = with_texts(night.group_id, [line.current.document])[0] if line else None
    form.offer(night, known)
    if request.method == "GET":
        return _page(night, form, line)

    def page() -> str:
        return _page(night_or_404(public_id), form.offer(night, known), line)

    with refusals_shown(form, page):
        _book(night, form, line)
    if line is not None:
        return redirect(url_for("night.line", public_id=public_id, number=line.number, saved="yes"), 303)
    return redirect(url_for("night.money", public_id=public_id, _anchor="movements"), 303)


def _book(night: Night, form: CostForm, line: Line | None) -> None:
    document, made = form.document(night), sent(form)
    if line is None:
        play.move(night.public_id, play.next_number(night), document, made)
        return
    seen = row_number(form.seen.data)
    revising.correct(night.public_id, line.number, document, abort(400) if seen is None else seen, made)


def _line(night: Night, asked: str) -> Line:
    """Return the cost with this number; 404 if there is none."""
    line = line_or_404(night, row_number(asked) or 0)
    return line if line.current.document.get("movement") == COST else abort(404)


def _page(night: Night, form: CostForm, line: Line | None) -> str:
    return render_template("night/cost.html", night=night, form=form, line=line, people=night.group.names)
