"""The table view: a read-only view of a night, for a tablet or TV that everybody at the table sees."""

from __future__ import annotations

from flask import make_response, render_template, request
from werkzeug.wrappers import Response

from companion.store.db.news import unchanged

from ..access.lookup import glance_or_404, may, night_or_404
from ..home import phone_settings
from ..http.answers.news import offer_news
from ..http.network.hosts import public_url, qr_link
from ..night.frame import blueprint
from .seats import free_seats, screen_of


@blueprint.get("/table")
def big_screen(public_id: str) -> Response:
    """Show the table view; the screen polls this, and gets a 304 if nothing has changed."""
    begun = unchanged().begin()
    glance = glance_or_404(public_id)
    mark = f"{glance.version}-{phone_settings.mark()}"
    is_known = request.if_none_match.contains_weak(mark)
    response = make_response("", 304) if is_known else make_response(_page(public_id))
    response.set_etag(mark, weak=True)
    response.cache_control.no_cache = True
    offer_news(response, glance, begun)
    return response


def _page(public_id: str) -> str:
    night = night_or_404(public_id, "look")
    # the join code lets phones play, so a screen that may only look doesn't show it
    may_ask_in = night.join_code and may("play") and not night.closed_at and free_seats(night)
    return render_template(
        "night/big_screen.html",
        night=night,
        screen=screen_of(night),
        people=night.group.names,
        join=qr_link("phones.by_code", code=night.join_code) if may_ask_in else None,
        join_address=public_url("phones.ask"),
    )
