"""Forged requests: every form carries a token, which Flask-WTF's `CSRFProtect` checks once for the whole app.

A view that can draw its form again is marked with `redraws`: it also runs with a stale token, its form does not
validate, and nothing typed is lost. All other views are not run; they answer 400. Only the API is exempt, which takes
nothing but JSON and stores nothing.
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
    """Check the token of every request that may change something; the last of the hooks before a view."""
    protection.init_app(app)
    app.before_request(_check)


class TokenForm(FlaskForm):  # type: ignore[misc]
    """A form with a token. It validates only in a request whose token and referrer were found good."""

    def validate(self, extra_validators: Any = None) -> bool:
        """Tell whether the request was checked, and the fields are right."""
        if not g.get("csrf_valid", False):
            self.csrf_token.errors = [STALE.template]
            return False
        return bool(super().validate(extra_validators))


def redraws(view: View) -> View:
    """Mark a view that draws its form again where that does not validate, and changes nothing then."""
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
    """Check the token in a view that is exempt until it has said how long a body may be; its form tells the outcome."""
    with suppress(CSRFError):
        protection.protect()
