"""What each phone of a night polls: the round being entered, as far as this phone may know it."""

from __future__ import annotations

from flask import Blueprint, Response, jsonify, request
from werkzeug.wrappers import Response as AnyResponse

from companion.store.db.news import unchanged

from ..access.lookup import glance_or_404, night_or_404
from ..http.answers.news import offer_news
from ..round.draft.shared import shared_round
from ..round.next_round import next_round
from .state_json import mark_of, state_json

blueprint = Blueprint("draft", __name__, url_prefix="/s/<public_id>")


@blueprint.get("/state")
def state(public_id: str) -> AnyResponse:
    """Return what this phone may know about the round being entered; 304 if nothing has changed."""
    begun = unchanged().begin()
    glance = glance_or_404(public_id)
    mark = mark_of(glance.version)
    if request.if_none_match.contains_weak(mark):
        response = Response(status=304, mimetype="application/json")
    else:
        night = night_or_404(public_id, "look")
        response = jsonify(state_json(shared_round(next_round(night))))
    response.set_etag(mark, weak=True)
    response.cache_control.no_cache = True
    offer_news(response, glance, begun)
    return response
