"""The page of a closed night: its result, the payments to tick off, and a picture to share."""

from __future__ import annotations

from flask import make_response, redirect, url_for
from werkzeug.wrappers import Response

from companion.store.models import Night

from ..access.lookup import night_or_404
from ..ledger_lines import ending
from ..text import share_picture
from .frame import blueprint, night_page


@blueprint.get("/end")
def end(public_id: str) -> str | Response:
    """Show the result of a closed night."""
    return _page("night/end.html", night_or_404(public_id, "look"))


@blueprint.get("/end.svg")
def end_picture(public_id: str) -> Response:
    """Return the result of a closed night as an SVG picture, which the phone converts to share it."""
    response = make_response(_page("night/end.svg", night_or_404(public_id, "look")))
    response.mimetype = "image/svg+xml"
    return response


def _page(template: str, night: Night) -> str | Response:
    """Render the result of a night; while it is open, redirect to its table."""
    if night.closed_at is None:
        return redirect(url_for("night.table", public_id=night.public_id), 302)
    ended = ending.ending_of(night)
    return night_page(
        template,
        night,
        "night.end",
        ended=ended,
        headline=ended.headline(night.names),
        lasted=ending.lasted(night),
        text=ending.as_text(night, ended),
        plan=ended.plan,
        owed=ended.owed,
        paid=ended.paid,
        costs_apart=ended.costs,
        art=share_picture,
    )
