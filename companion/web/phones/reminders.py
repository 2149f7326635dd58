"""The switch for reminders on a phone that shows another app; `due_reminders` says what they are.

A phone asks for them on a night's pages, whose script shows the switch where the browser can do it.
"""

from __future__ import annotations

from typing import Any

from flask import Blueprint, abort, current_app, jsonify, url_for
from werkzeug.wrappers import Response
from wtforms import StringField

from companion.store.groups import reminders as store
from companion.store.groups.webhooks import is_address
from companion.store.models import Night

from ..access.devices import device_id, known_device
from ..access.forms import ActForm
from ..access.lookup import my_player, night_or_404
from ..http.answers.headers import is_https
from ..http.network.hosts import public_url
from ..http.requests.rate_limits import Limit
from ..text.language import locale, say
from .web_push import are_keys, is_available, public_key

blueprint = Blueprint("reminders", __name__, url_prefix="/s/<public_id>")
_MAX_ENDPOINT = 1000
_CHOICES = Limit("reminders", minute=20, hour=200)


class ReminderForm(ActForm):
    """What a browser tells of itself when it is to be reminded."""

    endpoint = StringField(default="")
    p256dh = StringField(default="")
    auth = StringField(default="")


@blueprint.app_template_global("reminder_switch")
def switch(night: Night) -> dict[str, Any] | None:
    """Return what the switch needs to know; None if this phone can't be reminded in this night."""
    if not is_available() or not current_app.config["PLATFORM"].phones or not is_https():
        return None
    if night.closed_at is not None or my_player(night) is None:
        return None
    return {
        "address": url_for("reminders.choose", public_id=night.public_id),
        "key": public_key(),
        "is_on": store.is_subscribed(night, known_device() or ""),
    }


@blueprint.post("/reminders")
def choose(public_id: str) -> Response | tuple[Response, int]:
    """Remind this phone in this night, or no longer."""
    night, form = night_or_404(public_id, "play"), ReminderForm()
    if form.do.data == "off":
        store.unsubscribe(night, device_id())
        return jsonify(done=True)
    if _CHOICES.count():
        abort(429)
    endpoint, key, auth = form.endpoint.data or "", form.p256dh.data or "", form.auth.data or ""
    is_possible = is_available() and my_player(night) is not None and night.closed_at is None
    is_fit = len(endpoint) <= _MAX_ENDPOINT and is_address(endpoint)
    if not is_possible or not is_fit or not are_keys(key, auth):
        return jsonify(problem=say("This phone can't be reminded")), 422
    language = locale().language
    if not store.subscribe(night, device_id(), (endpoint, key, auth), public_url("home.home"), language):
        return jsonify(problem=say("Too many phones are reminded in this night")), 422
    return jsonify(done=True)
