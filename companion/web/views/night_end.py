"""The page of a closed night: its result, the payments to tick off, and a picture to share."""

from __future__ import annotations

from flask import make_response, redirect, url_for
from werkzeug.wrappers import Response

from companion.store.identities import names_of
from companion.store.models import PlaySession

from ..access.devices import session_or_404
from ..ledger_lines import ending
from ..text import share_picture
from .night import blueprint, night_page


@blueprint.get("/end")
def end(public_id: str) -> str | Response:
    """Show the result of a closed night."""
    return _page("night/end.html", session_or_404(public_id, "look"))


@blueprint.get("/end.svg")
def end_picture(public_id: str) -> Response:
    """Return the result of a closed night as an SVG picture, which the phone converts to share it."""
    response = make_response(_page("night/end.svg", session_or_404(public_id, "look")))
    response.mimetype = "image/svg+xml"
    return response


def _page(template: str, session: PlaySession) -> str | Response:
    """Render the result of a night; while it is open, redirect to its table."""
    if session.closed_at is None:
        return redirect(url_for("session.table", public_id=session.public_id), 302)
    ended = ending.ending_of(session)
    return night_page(
        template,
        session,
        "session.end",
        ended=ended,
        headline=ended.headline(names_of(session)),
        lasted=ending.lasted(session),
        text=ending.as_text(session, ended),
        plan=ended.plan,
        owed=ended.owed,
        paid=ended.paid,
        art=share_picture,
    )
