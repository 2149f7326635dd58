"""Correcting a saved round; what that changes in later rounds is shown before it is saved."""

from __future__ import annotations

from flask import Blueprint, request
from flask import Response as JsonResponse
from werkzeug.wrappers import Response

from ..access.forms import is_stale, redraws
from ..access.lookup import night_or_404
from ..round.form.document import settle_form
from ..round.form.live import live_answer
from ..round.form.sent_with import sent_with
from .buttons import apply_button
from .page import round_page
from .parts import correction
from .saving import saved_or_shown

blueprint = Blueprint("correction", __name__, url_prefix="/s/<public_id>/lines/<int:number>")


@blueprint.route("/correct", methods=["GET", "POST"])
@redraws
def correct(public_id: str, number: int) -> str | Response:
    """Correct a saved round, after showing what that changes in later rounds."""
    form, part = correction(night_or_404(public_id), number)
    if request.method == "GET" or is_stale() or apply_button(sent_with().do, form):
        return round_page(form, part)
    return saved_or_shown(form, settle_form(form), part)


@blueprint.post("/live")
@redraws
def live(public_id: str, number: int) -> JsonResponse | tuple[JsonResponse, int]:
    """Return the live reading of a correction's form while it is filled in."""
    form, _ = correction(night_or_404(public_id), number)
    return live_answer(form)
