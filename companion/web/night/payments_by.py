"""Which payments the results of a night show on all phones, as somebody at the table chooses."""

from __future__ import annotations

from flask import abort, redirect, url_for
from werkzeug.wrappers import Response
from wtforms import HiddenField, StringField

from companion.store.night import settings as night_changes

from ..access.forms import ActForm, redraws, refusals_shown, sent
from ..access.lookup import night_or_404, own_of
from ..http.requests.parsing import line_number, row_number
from ..text.labels import PAYMENT_KINDS
from .frame import blueprint
from .line import line_page
from .table import table_page


class PaymentsForm(ActForm):
    """The payments to show, and the line whose page showed the others, 0 if it has none yet."""

    moves = StringField(default="")
    number = HiddenField(default="0")


@blueprint.post("/payments-by")
@redraws
def payments_by(public_id: str) -> Response:
    """Show chips or scores after the night's rounds, on all phones. Rule: C-12.

    The scorekeeper may, and whoever may play: they enter the table's rounds, and no amount depends on this.
    """
    night, form = night_or_404(public_id, "play"), PaymentsForm()
    way = form.moves.data or ""
    if way not in PAYMENT_KINDS:
        abort(400)

    def page() -> str:
        number = row_number(form.number.data)
        return line_page(public_id, number, wanted="play") if number else table_page(night)

    with refusals_shown(form, page):
        number = line_number(form.number.data)
        night_changes.set_payments_by(public_id, way, sent(form))
    if number:
        return redirect(url_for("night.line", public_id=public_id, number=number, _anchor="moves"), 303)
    return redirect(url_for("night.table", public_id=public_id, own=own_of(night)), 303)
