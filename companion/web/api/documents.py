"""The JSON API that stores nothing. It has no logic of its own: documents go to the contract and come back."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache

from flask import Blueprint, Response, abort, jsonify, request

from companion.contract import betting, problems_document, progress, progress_document, settle
from companion.contract.catalogue import games_document
from companion.contract.schema import openapi_document
from companion.engine.messages import Message
from companion.engine.problems import Problem
from companion.games import all_games

from ..http.answers.errors import PREFIX, problem_response
from .bodies import posted_object
from .described import described

blueprint = Blueprint("api", __name__, url_prefix=PREFIX)


@blueprint.before_request
def _take_json_only() -> None:
    """Reject other media types, because another site's form could post them without the user's consent."""
    if request.method not in ("GET", "HEAD", "OPTIONS") and request.mimetype != "application/json":
        abort(415)


@blueprint.post("/settle")
def settle_round() -> Response:
    """Settle a round without storing it."""
    return _answer(settle)


@blueprint.post("/betting")
def play_bets() -> Response:
    """Return the state of a round's betting without storing it."""
    return _answer(betting)


def _answer(work: Callable[[object], tuple[int, dict[str, object]]]) -> Response:
    """Pass the posted document to `work` and return its answer; 400 if the body isn't a JSON object."""
    document = posted_object()
    if document is None:
        text = "The body must be a JSON object that describes a round; see /api/openapi.json"
        problem = Problem("", "bad-request", Message(text))
        return problem_response(problems_document([problem], 400, "The body isn't a JSON object"), 400)
    status, answer = work(document)
    return jsonify(answer) if status == 200 else problem_response(answer, status)


@blueprint.post("/progress")
def progress_of_round() -> Response:
    """Return the state of an unfinished round: what each hand is worth so far, and what is missing."""
    return _answer(lambda document: (200, progress_document(progress(document))))


@blueprint.get("/games")
def games() -> Response:
    """List the games with their house rules."""
    return jsonify(games_document())


@blueprint.get("/openapi.json")
def openapi() -> Response:
    """Return the OpenAPI document."""
    return Response(_openapi_text(tuple(all_games())), mimetype="application/json")


@cache
def _openapi_text(games: tuple[str, ...]) -> str:
    """Return the document as JSON, made once: anybody may ask for its 32 kB as often as they like."""
    return json.dumps(described(openapi_document(PREFIX)))
