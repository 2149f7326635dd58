"""Reminders that are due: whose turn it is, and what a phone's player owes when the night is over.

They are written when they are sent, in the language that the phone had then, and never name a card.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from flask import current_app

from companion.engine.messages import Message
from companion.games import all_games
from companion.store.groups import reminders as store
from companion.store.groups.reminders import Reminder
from companion.store.models import Night, db
from companion.store.money.debts import owed_in_night
from companion.store.night.drafts import game_at_table, round_in
from companion.table.hand import HandInPlay

from ..text.language import in_language, say
from ..text.money import units


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
