"""A page's forms: their token against forgery, carrying one out once, and its page again if it is refused.

Every form carries a token, which Flask-WTF's `CSRFProtect` checks centrally. Views that can show their form again are
marked with `redraws`. They run even with a stale token; their form then doesn't validate, and nothing typed is lost.
All other views aren't run; the response is 400. Only the API is exempt: it accepts nothing but JSON, and stores nothing
without a token, which no browser sends by itself.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, TypeVar

from flask import Flask, Response, current_app, g, jsonify, make_response, request
from flask_wtf import FlaskForm
from flask_wtf.csrf import CSRFError, CSRFProtect, generate_csrf
from markupsafe import Markup
from wtforms import HiddenField

from companion.engine.messages import Message
from companion.store.refusals import Conflict, Refused, Sent

from ..http.monitoring import figures
from ..http.requests.parsing import asks_for_json
from ..text.fields import ButtonField
from ..text.language import say
from .devices import device_name

_TOO_LONG = Message("This page was open too long. Nothing is lost: press the button again.")
_STALE = Message("This page was open too long; reload it")
_NOT_RIGHT = Message("To fix")
_KEY_BYTES = 12
_REDRAWS = "redraws_stale_forms"
View = TypeVar("View")

protection = CSRFProtect()


class _ShownAgain(Exception):  # noqa: N818 - the way out of a view, not a bug
    """Ends a view with this response."""

    def __init__(self, response: Response) -> None:
        self.response = response


def init_app(app: Flask) -> None:
    """Let templates begin a form and say a problem, let `refusals_shown` end a view, and answer a page's script."""
    app.jinja_env.globals.update(act_fields=act_fields)
    app.context_processor(lambda: {"problem": g.get("problem")})
    app.register_error_handler(_ShownAgain, lambda shown: shown.response)
    app.after_request(_answer_script)


def check_tokens(app: Flask) -> None:
    """Check the token of every request that could change something; must be the last hook before a view."""
    protection.init_app(app)
    app.before_request(_check)


def _check() -> None:
    view = current_app.view_functions.get(request.endpoint or "")
    try:
        protection.protect(apply_exemptions=True)
    except CSRFError as error:
        if not getattr(view, _REDRAWS, False):
            error.way_out = _STALE
            raise


def check_late() -> None:
    """Check the token of an exempt view, after that has raised its body limit; its form then shows the result."""
    with suppress(CSRFError):
        protection.protect()


def is_stale() -> bool:
    """Return whether the request has no valid token, usually because its page was open too long."""
    return not g.get("csrf_valid", False)


def redraws(view: View) -> View:
    """Mark a view that shows its form again, without changing anything, if the form doesn't validate."""
    setattr(view, _REDRAWS, True)
    return view


def new_key() -> str:
    """Return a key for a form, so that its change is only made once, even if it is sent twice."""
    return secrets.token_urlsafe(_KEY_BYTES)


class ActForm(FlaskForm):  # type: ignore[misc]
    """What every form has: the CSRF token, the key that makes its change happen once, and the button pressed.

    It only validates if the request's token and referrer are valid.
    """

    key = HiddenField(default=new_key)
    do = ButtonField(default="")

    def validate(self, extra_validators: Any = None) -> bool:
        """Return whether the request passed the CSRF check and the fields are valid."""
        if is_stale():
            self.csrf_token.errors = [_STALE.template]
            return False
        return bool(super().validate(extra_validators))


def act_fields() -> Markup:
    """Return the hidden fields that every form on a page begins with: the CSRF token and a key of its own."""
    form = ActForm(formdata=None)
    return Markup(form.csrf_token(id=False)) + form.key(id=False)


def sent(form: Any) -> Sent:
    """Return what a change records about its form and sender."""
    return Sent(str(form.key.data)[:64], device_name())


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


def show_problem(problem: Message) -> None:
    """Note why something is refused, for the page that is shown again: its template has it as `problem`."""
    g.problem = problem


@contextmanager
def refusals_shown(form: Any, page: Callable[[], str]) -> Iterator[None]:
    """Run the block if the form is valid, or there is none. If either is refused, end the view with `page()`.

    Its template says why: see `show_problem`. A form's own errors are at its fields. If somebody else changed the same
    thing first, the page gets status 409.
    """
    try:
        if form is not None and not form.validate():
            raise Refused(_TOO_LONG if "csrf_token" in form.errors else _NOT_RIGHT)
        yield
    except Refused as refused:
        figures.refused(refused)
        show_problem(refused.message)
        response = make_response(page())
        if isinstance(refused, Conflict):
            response.status_code = 409
        raise _ShownAgain(response) from refused


def refused_json(refused: Refused, status: int = 200, **more: object) -> tuple[Response, int]:
    """Count a refusal, and tell a page's script why; `more` is what else the script gets."""
    figures.refused(refused)
    return jsonify(problem=say(refused.message), **more), status


@contextmanager
def refusals_told(form: Any, page: Callable[[], str]) -> Iterator[None]:
    """Run the block like `refusals_shown`, but tell the page's script why it is refused if that sent the form.

    The script's status is 400 if the form is stale; for both it is 409 for a conflict, and 422 if the block is refused.
    """
    if not form.validate():
        show_problem(_TOO_LONG)
        raise _ShownAgain(make_response(stale_json() if asks_for_json() else page()))
    try:
        yield
    except Refused as refused:
        figures.refused(refused)
        show_problem(refused.message)
        told = jsonify(problem=say(refused.message)) if asks_for_json() else page()
        raise _ShownAgain(make_response(told, 409 if isinstance(refused, Conflict) else 422)) from refused


def stale_json() -> tuple[Response, int]:
    """Tell a page's script that its form's token is stale."""
    return jsonify(problem=say(_STALE)), 400
