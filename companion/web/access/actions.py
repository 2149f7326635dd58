"""Carries out what a form asks for, and shows the form's page again if that is refused."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from flask import Flask, Response, jsonify, make_response

from companion.engine.messages import Message
from companion.store.refusals import Conflict, Refused

from ..http.csrf import STALE
from ..text.language import say

TOO_LONG = Message("This page was open too long. Nothing is lost: press the button again.")
_NOT_RIGHT = Message("To fix")


class _ShownAgain(Exception):  # noqa: N818 - the way out of a view, not a bug
    """Ends a view with this response."""

    def __init__(self, response: Response) -> None:
        self.response = response


def init_app(app: Flask) -> None:
    """Register the handler that lets `refusals_shown` end a view."""
    app.register_error_handler(_ShownAgain, lambda shown: shown.response)


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
        response = make_response(page(refused.message))
        if isinstance(refused, Conflict):
            response.status_code = 409
        raise _ShownAgain(response) from refused


def stale_json() -> tuple[Response, int]:
    """Tell a page's script that its form's token is stale."""
    return jsonify(problem=say(STALE)), 400
