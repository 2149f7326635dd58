"""What every answer tells the browser: no foreign, inline or framed content."""

from __future__ import annotations

from flask import Flask, Response

_POLICY = (
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; "
    "base-uri 'none'; frame-ancestors 'none'"
)
_HEADERS = {
    "Content-Security-Policy": _POLICY,
    "X-Content-Type-Options": "nosniff",
    # not no-referrer: over HTTPS the CSRF check needs it on this site
    "Referrer-Policy": "same-origin",
}


def init_app(app: Flask) -> None:
    """Add the headers to every answer."""
    app.after_request(_add)


def _add(response: Response) -> Response:
    for name, value in _HEADERS.items():
        response.headers.setdefault(name, value)
    return response
