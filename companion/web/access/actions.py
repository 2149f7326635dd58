"""Carries out what a form asks for, and shows the form's page again if that is refused."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from flask import Flask, Response, current_app, jsonify, make_response, request
from flask_wtf.csrf import generate_csrf

from companion.engine.messages import Message
from companion.store.refusals import Conflict, Refused

from ..http.monitoring import figures
from ..http.requests.csrf import STALE, is_stale
from ..http.requests.parsing import asks_for_json
from ..text.language import say

TOO_LONG = Message("This page was open too long. Nothing is lost: press the button again.")
_NOT_RIGHT = Message("To fix")


class _ShownAgain(Exception):  # noqa: N818 - the way out of a view, not a bug
    """Ends a view with this response."""

    def __init__(self, response: Response) -> None:
        self.response = response


def init_app(app: Flask) -> None:
    """Let `refusals_shown` end a view, and answer forms that a page's script sends."""
    app.register_error_handler(_ShownAgain, lambda shown: shown.response)
    app.after_request(_answer_script)


def _answer_script(response: Response) -> Response:
    """Tell a page's script where its form leads, which a browser without scripts follows by itself.

    A form that waited on the phone may be older than the phone's cookie: its script gets a new token to send it with.
    """
    if request.method != "POST" or not asks_for_json():
        return response
    if "csrf_token" in request.form and is_stale():
        response.headers["Companion-Token"] = generate_csrf()
    if response.status_code == 303:
        response.set_data(current_app.json.dumps({"address": response.headers.pop("Location")}))
        response.status_code, response.mimetype = 201, "application/json"
    return response


@contextmanager
def refusals_shown(form: Any, page: Callable[[Message], str]) -> Iterator[None]:
    """Run the block if the form is valid. If the form or the block is refused, end the view with `page(why)`.

    A form's own errors are at its fields. If somebody else changed the same thing first, the page gets status 409.
    """
    try:
        if not form.validate():
            raise Refused(TOO_LONG if "csrf_token" in form.errors else _NOT_RIGHT)
        yield
    except Refused as refused:
        figures.refused(refused)
        response = make_response(page(refused.message))
        if isinstance(refused, Conflict):
            response.status_code = 409
        raise _ShownAgain(response) from refused


def refused_json(refused: Refused, status: int = 200, **more: object) -> tuple[Response, int]:
    """Count a refusal, and tell a page's script why; `more` is what else the script gets."""
    figures.refused(refused)
    return jsonify(problem=say(refused.message), **more), status


def refused_answer(refused: Refused, page: Callable[[Message], str]) -> tuple[Response | str, int]:
    """Count a refusal, and tell the page's script why, or show the page again: 409 for a conflict, otherwise 422."""
    status = 409 if isinstance(refused, Conflict) else 422
    if asks_for_json():
        return refused_json(refused, status)
    figures.refused(refused)
    return page(refused.message), status


def stale_json() -> tuple[Response, int]:
    """Tell a page's script that its form's token is stale."""
    return jsonify(problem=say(STALE)), 400
