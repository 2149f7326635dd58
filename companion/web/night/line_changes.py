"""Voiding a line or undoing its last change, after a page that shows what that changes in later rounds; its remark."""

from __future__ import annotations

from functools import partial

from flask import abort, redirect, render_template, url_for
from werkzeug.wrappers import Response
from wtforms import HiddenField, StringField

from companion.store.log.replay import LineEntry
from companion.store.models import Line, Night
from companion.store.night import play, revising
from companion.store.night.reading import rounds_played

from ..access.forms import ActForm, redraws, refusals_shown, sent
from ..access.lookup import line_or_404, night_or_404
from ..http.requests.parsing import row_number
from ..ledger_lines.differences import differences_between
from ..round.effects import effects_of
from .frame import MAX_REMARK_LENGTH, blueprint, without_controls
from .line import line_page


class LineForm(ActForm):
    """The buttons that void a line or take a change back; `seen` is the revision the page showed."""

    seen = HiddenField(default="")


class RemarkForm(ActForm):
    """The form of a line's remark."""

    remark = StringField(filters=[without_controls])


@blueprint.get("/lines/<int:number>/void")
def void(public_id: str, number: int) -> str:
    """Ask before voiding a line, showing what that changes."""
    night = night_or_404(public_id)
    line = line_or_404(night, number)
    return _asked(night, line, LineEntry(number, line.current.document, voided=True), "void")


@blueprint.get("/lines/<int:number>/undo")
def undo(public_id: str, number: int) -> str:
    """Ask before undoing the last change to a line, showing what that changes."""
    night = night_or_404(public_id)
    line = line_or_404(night, number)
    return _asked(night, line, revising.entry_before_change(line), "back")


def _asked(night: Night, line: Line, entry: LineEntry, do: str) -> str:
    (other,) = differences_between(night, [line.current.document, entry.document])
    shown = {"night": night, "line": line, "round_number": rounds_played(night, line.number), "entry": entry}
    page = partial(render_template, "round/void.html", **shown, do=do, other=other)
    with refusals_shown(None, page):
        return page(effects=effects_of(night, entry))


@blueprint.post("/lines/<int:number>")
@redraws
def change_line(public_id: str, number: int) -> Response:
    """Void a line, or undo its last change."""
    line = line_or_404(night_or_404(public_id), number)
    form = LineForm()
    seen = row_number(form.seen.data)
    if seen is None:
        abort(400)
    with refusals_shown(form, lambda: line_page(public_id, number)):
        if form.do.data == "void":
            revising.correct(public_id, number, line.current.document, seen, sent(form), voided=True)
        else:
            revising.undo(public_id, number, seen, sent(form))
    return redirect(url_for("night.line", public_id=public_id, number=number, saved="yes"), 303)


@blueprint.post("/lines/<int:number>/remark")
@redraws
def remark(public_id: str, number: int) -> Response:
    """Set a line's remark."""
    line_or_404(night_or_404(public_id), number)
    form = RemarkForm()
    text = (form.remark.data or "")[:MAX_REMARK_LENGTH]
    with refusals_shown(form, lambda: line_page(public_id, number, text)):
        play.write_remark(public_id, number, text, sent(form))
    return redirect(url_for("night.line", public_id=public_id, number=number), 303)
