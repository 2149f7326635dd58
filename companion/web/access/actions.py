"""Runs a form's action, and returns the refusal if there is one."""

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
    """Run `work` if the form is valid. Returns why it was refused, or None; a form's own errors are at its fields.

    If somebody else changed the same thing first, any page that shows the refusal gets status 409.
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
    """Tell a page's script that its form's token is stale."""
    return jsonify(problem=say(STALE)), 400


def _conflict(response: Response) -> Response:
    response.status_code = 409
    return response
