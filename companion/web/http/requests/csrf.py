"""CSRF protection: every form carries a token, which Flask-WTF's `CSRFProtect` checks centrally.

Views that can show their form again are marked with `redraws`. They run even with a stale token; their form then
doesn't validate, and nothing typed is lost. All other views aren't run; the response is 400. Only the API is exempt: it
accepts nothing but JSON, and stores nothing without a token, which no browser sends by itself.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Any, TypeVar

from flask import Flask, current_app, g, request
from flask_wtf import FlaskForm
from flask_wtf.csrf import CSRFError, CSRFProtect

from companion.engine.messages import Message

STALE = Message("This page was open too long; reload it")
View = TypeVar("View")

protection = CSRFProtect()
_REDRAWS = "redraws_stale_forms"


def init_app(app: Flask) -> None:
    """Check the token of every request that could change something; must be the last hook before a view."""
    protection.init_app(app)
    app.before_request(_check)


class TokenForm(FlaskForm):  # type: ignore[misc]
    """A form with a CSRF token. It only validates if the request's token and referrer are valid."""

    def validate(self, extra_validators: Any = None) -> bool:
        """Return whether the request passed the CSRF check and the fields are valid."""
        if is_stale():
            self.csrf_token.errors = [STALE.template]
            return False
        return bool(super().validate(extra_validators))


def is_stale() -> bool:
    """Return whether the request has no valid token, usually because its page was open too long."""
    return not g.get("csrf_valid", False)


def redraws(view: View) -> View:
    """Mark a view that shows its form again, without changing anything, if the form doesn't validate."""
    setattr(view, _REDRAWS, True)
    return view


def _check() -> None:
    view = current_app.view_functions.get(request.endpoint or "")
    try:
        protection.protect(apply_exemptions=True)
    except CSRFError as error:
        if not getattr(view, _REDRAWS, False):
            error.way_out = STALE
            raise


def check_late() -> None:
    """Check the token of an exempt view, after that has raised its body limit; its form then shows the result."""
    with suppress(CSRFError):
        protection.protect()
