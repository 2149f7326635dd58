"""What a phone may know of the round being entered, as its script reads it."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

from flask import request

from companion.table.hand import HandInPlay
from companion.table.moved_seats import moved_since

from ..access.devices import known_device
from ..access.lookup import is_own_hand
from ..round.draft.draft_cells import fields_of
from ..round.draft.shared import SharedRound, live_here
from ..round.draft.showdown import late_sentences
from ..round.form.document import shown_in_front
from ..round.rail import state_line
from ..round.told import note_beside_hand
from ..text.language import say
from ..text.money import units

_MAX_WORD_LENGTH = 40  # more than any game's key or any way to enter a round


def mark_of(version: int) -> str:
    """Return what changes with what this phone may know: the version of its night, and what its page asked for."""
    # what a phone may see depends on the device and its seat, and taking a seat increases the version; what is missing
    # depends on the way the round is entered. Quoted, because a header takes no quotation mark, line break or "€"
    asked = (
        quote(text[:_MAX_WORD_LENGTH])
        for text in (request.args.get("game", ""), *(request.values.get(key, "") for key in ("way", "own")))
    )
    return "-".join([str(version), (known_device() or "")[:6], *asked])


def state_json(shared: SharedRound) -> dict[str, Any]:
    """Return the JSON for a phone: the night's state, and what the phone may see of the round being entered.

    If the seats have changed since the hand began, that is the first problem, and the hand has no result yet.
    """
    round, form, live = shared.round, shared.form, live_here(shared)
    before, hand = round.before, HandInPlay(round)
    night, is_own = before.night, is_own_hand(before.night)
    left = shown_in_front(form) or {}
    moved = moved_since(round)
    if moved is not None:
        live = {**live, "out": {}, "settled": None, "wrong": [{"id": "", "text": say(moved)}, *live["wrong"]]}
    return {
        "version": night.version,
        "mark": mark_of(night.version),
        "closed": night.closed_at is not None,
        "number": before.number,
        "saved": before.last.number if before.last else 0,
        "key": round.key,
        "game": round.game.key,
        "seats": round.players,
        "own": is_own,
        "me": -1 if round.my_seat is None else round.my_seat,
        "chooses": round.players.index(hand.chooser) if hand.waits_for_game and hand.chooser else -1,
        "fields": {name: "" if field.data is None else field.data for name, field in fields_of(form).items()},
        "down": list(form.face_down),
        "late": [say(message) for message in late_sentences(night)],
        "hand": hand.shown_mark,
        "rail": state_line(round, hand),
        "note": note_beside_hand(round, is_own=is_own),
        "in_front": {str(seat): units(left[player]) for seat, player in enumerate(form.players) if player in left},
        "live": live,
    }
