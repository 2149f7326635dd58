"""The API's URL prefix, and problem responses (RFC 9457)."""

from __future__ import annotations

from flask import Response, current_app

PREFIX = "/api"


MEDIA_TYPE = "application/problem+json"


def problem_response(document: dict[str, object], status: int) -> Response:
    """Return a problem document as an RFC 9457 response."""
    return current_app.response_class(current_app.json.dumps(document), status, mimetype=MEDIA_TYPE)
