"""What a player's phone announces: that a round was corrected or voided, and that the player left the table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from flask import request
from flask import session as cookie

from companion.engine.messages import Message
from companion.engine.players import PlayerKey
from companion.store.identities import keys_of
from companion.store.log import ledger
from companion.store.models import Night
from companion.store.night import play
from companion.store.night.change import newest_revision
from companion.store.night.reading import rounds_played

from ..text.money import units

_READ = "told"  # in the cookie: the night, and the change that was read there last
_OF_ROUND = {
    "correction": Message("Round {number} was corrected"),
    "void": Message("Round {number} was voided"),
    "undo": Message("The last change to round {number} was undone"),
}
_OF_ENTRY = {
    "correction": Message("Entry {number} was corrected"),
    "void": Message("Entry {number} was voided"),
    "undo": Message("The last change to entry {number} was undone"),
}


@dataclass(frozen=True)
class News:
    """An announced change: its id, what was changed, and what that means for this player."""

    change_id: int
    what: Message
    mine: Message


def news_for(night: Night, me: PlayerKey) -> News | None:
    """Return the newest correction or void that this phone hasn't put away; None once the next round is saved."""
    change = newest_revision(night)
    if change is None:
        return None
    if request.args.get("told") == str(change.id):
        cookie[_READ] = [night.public_id, change.id]
    if cookie.get(_READ) == [night.public_id, change.id]:
        return None
    line = play.find_line(night, change.content["number"])
    assert line is not None
    is_round = line.game is not None
    number = rounds_played(night, line.number) if is_round else line.number
    what = (_OF_ROUND if is_round else _OF_ENTRY)[change.kind]
    moved = ledger.moved_by(night, change.id).get(me, 0)
    return News(change.id, Message(what.template, number=number), _meaning(moved))


def _meaning(moved: int) -> Message:
    if not moved:
        return Message("Nothing changes for you")
    text = "You have {amount} more" if moved > 0 else "You have {amount} less"
    return Message(text, amount=units(abs(moved)))


def left_sentence(night: Night, me: PlayerKey, balances: Mapping[str, int]) -> Message | None:
    """Tell a player who has left the table so, with what is owed; None to the others."""
    if night.closed_at is not None or me not in keys_of(night, "left"):
        return None
    net = balances.get(me, 0)
    if not net:
        return Message("You left the table. You're even.")
    text = "You left the table. You get {amount}." if net > 0 else "You left the table. You owe {amount}."
    return Message(text, amount=units(abs(net)))
