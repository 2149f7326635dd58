"""Making the change that a form of buttons asks for, or saying why not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from flask import Response, after_this_request, jsonify

from companion.engine.messages import Message
from companion.store.refusals import Conflict, Refused

from ..http.csrf import STALE
from ..text.language import say

TOO_LONG = Message("This page was open too long. Nothing is lost: press the button again.")
_NOT_RIGHT = Message("To fix")


def refusal(form: Any, work: Callable[[], object]) -> Message | None:
    """Make a change; gives the sentence that says why not, if it was refused. A form's own errors stand at its fields.

    Where somebody else was first the answer, whatever page it is, is a 409.
    """
    if not form.validate():
        return TOO_LONG if "csrf_token" in form.errors else _NOT_RIGHT
    try:
        work()
    except Refused as refused:
        if isinstance(refused, Conflict):
            after_this_request(_conflict)
        return refused.message
    return None


def stale_json() -> tuple[Response, int]:
    """Tell a page's script that the token of its form is stale."""
    return jsonify(problem=say(STALE)), 400


def _conflict(response: Response) -> Response:
    response.status_code = 409
    return response
