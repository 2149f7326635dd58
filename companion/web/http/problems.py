"""The API's address, and answering with problems (RFC 9457)."""

from __future__ import annotations

from flask import Response, current_app

PREFIX = "/api"


MEDIA_TYPE = "application/problem+json"


def problem_response(document: dict[str, object], status: int) -> Response:
    """Answer with problems, as RFC 9457 has it."""
    return current_app.response_class(current_app.json.dumps(document), status, mimetype=MEDIA_TYPE)
