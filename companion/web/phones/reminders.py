"""Reminders on a phone that shows another app: whose turn it is, and what its player owes when the night is over.

A phone asks for them by a switch of a night's pages, which its script shows where the browser can do it. They are
written when they are sent, in the language that the phone had then, and never name a card.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from flask import Blueprint, abort, current_app, jsonify, url_for
from werkzeug.wrappers import Response
from wtforms import StringField

from companion.engine.messages import Message
from companion.games import all_games
from companion.store.groups import reminders as store
from companion.store.groups.reminders import Reminder
from companion.store.groups.webhooks import is_address
from companion.store.models import Night, db
from companion.store.money.debts import owed_in_night
from companion.store.night.drafts import game_at_table, round_in
from companion.table.hand import HandInPlay

from ..access.devices import device_id, known_device
from ..access.forms import ActForm
from ..access.lookup import my_player, night_or_404
from ..http.answers.headers import is_https
from ..http.network.hosts import public_url
from ..http.requests.rate_limits import Limit
from ..text.language import in_language, locale, say
from ..text.money import units
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


def look(key: store.NightKey) -> None:
    """See whose turn it is in a night that has changed, once for all of its phones."""
    night = db.session.get_one(Night, key)
    if night.closed_at is None:
        hand = HandInPlay(round_in(night, all_games()[game_at_table(night)], None))
        turn = hand.turn if hand.is_dealt and not hand.is_shown else None
        store.note_turn(night, {seat.phone for seat in night.seats if seat.phone and seat.player_key == turn})


def written(reminders: Sequence[Reminder]) -> list[str | None]:
    """Return what each of these phones of one night is told, for its service worker; None where it is nothing."""
    night = db.session.get_one(Night, (reminders[0].group_id, reminders[0].night_id))
    owed = owed_in_night(night) if night.closed_at is not None else {}
    return [_text(night, owed, reminder) for reminder in reminders]


def _text(night: Night, owed: Mapping[str, int], reminder: Reminder) -> str | None:
    player = night.player_on(reminder.phone)
    if player is None or (reminder.event == "over") != (night.closed_at is not None):
        return None
    message = Message("It's your turn") if reminder.event == "turn" else _balance(night, owed.get(player, 0))
    with current_app.test_request_context(), in_language(reminder.language):
        return json.dumps({"title": night.group.name, "body": say(message), "page": f"s/{night.public_id}"})


def _balance(night: Night, owed: int) -> Message:
    if owed < 0:
        return Message("The night is over: you owe {amount}", amount=units(-owed, night.currency))
    if owed > 0:
        return Message("The night is over: you get {amount}", amount=units(owed, night.currency))
    return Message("The night is over: you are even")
