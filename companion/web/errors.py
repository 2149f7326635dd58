"""Errors for people, and the same as JSON under /api (RFC 9457)."""

from __future__ import annotations

from flask import Flask, Response, render_template, request
from werkzeug.exceptions import HTTPException, InternalServerError

from companion.contract import problems_document
from companion.engine.messages import Message
from companion.engine.problems import Problem

from .api import PREFIX, problem_response

_WAYS_OUT = {
    400: Message("The browser sent something that this page does not understand. Go back and try again."),
    404: Message("There is nothing at this address. Start again from the games."),
    405: Message("This address cannot be used like that. Start again from the games."),
    413: Message("That is more than this page takes. Send less."),
    500: Message("Something went wrong on our side; nothing was changed. Go back and try again."),
}


def init_app(app: Flask) -> None:
    """Answer every error in the app's clothes."""
    app.register_error_handler(HTTPException, _answer)


def _answer(error: HTTPException) -> Response:
    status = error.code or InternalServerError.code
    way_out = _WAYS_OUT.get(status, Message("Go back and try again."))
    if request.path.startswith(f"{PREFIX}/"):
        problem = Problem("", "bad-request", way_out)
        response = problem_response(problems_document([problem], status, error.name), status)
    else:
        response = Response(render_template("error.html", status=status, title=error.name, way_out=way_out), status)
    # the headers that belong to the error, such as Allow; the body's own are ours
    for name, value in error.get_headers():
        if name not in ("Content-Type", "Content-Length"):
            response.headers[name] = value
    return response
