"""Which phone enters whose hand or keeps score, and the join code. Every change appears in the night's list of changes.

A seat belongs to the phone that took it until that phone or the scorekeeper frees it: face-down hands are only safe if
nobody can pose as somebody else.
"""

from __future__ import annotations

from collections.abc import Collection

from sqlalchemy import select

from companion.engine.messages import Message

from ..groups.links import free_join_code
from ..groups.reminders import forget
from ..models import Night, Seat, db
from ..refusals import Conflict, Refused, Sent
from .change import apply
from .hand_in_play import keep_dealer


def find_by_code(code: str) -> Night | None:
    """Return the open night with this join code, or None."""
    is_open = Night.closed_at.is_(None)
    return db.session.scalar(select(Night).where(Night.join_code == code, is_open)) if code else None


def take_seat(night: Night, player: int, phone: str, unnamed: Collection[str], sent: Sent) -> int:
    """Give a player's seat to a phone, and free the seat that it had before. Rule: C-7.

    Who sat out or had left is back in the game, from the next hand on.
    Raises Conflict if another phone has the seat. `unnamed` are the names of phones without one, so that the
    message leaves them out.
    """
    before = night.player_on(phone)
    content = {"player": player, **({"instead_of": int(before)} if before is not None else {})}

    def work(night: Night, change: int) -> None:
        seat = _seat(night, player)
        if seat.phone not in (None, phone):
            raise _is_taken(seat, unnamed)
        for other in night.seats:
            if other.phone == phone and other is not seat:
                seat.keeps_score = other.keeps_score  # the phone goes on keeping score
                _free(other)
        seat.phone, seat.phone_name = phone, sent.device
        if seat.state != "in":
            keep_dealer(night)
            seat.state = "in"

    return apply(night.public_id, sent, "seat-taken", content, work)


def _is_taken(seat: Seat, unnamed: Collection[str]) -> Conflict:
    values = {"player": seat.player.name, "phone": seat.phone_name}
    if seat.phone_name in unnamed:
        text = "Another phone has {player}'s seat. Give it up on that phone, or ask the scorekeeper to free it."
    else:
        text = "{player}'s seat belongs to “{phone}”. Give it up on that phone, or ask the scorekeeper to free it."
    return Conflict(Message(text, **values))


def give_up_seat(public_id: str, player: int, phone: str | None, sent: Sent) -> int:
    """Free a player's seat; if `phone` is given, only if that phone has it."""

    def work(night: Night, change: int) -> None:
        seat = _taken(night, player, phone)
        forget(night, str(seat.phone))
        _free(seat)

    return apply(public_id, sent, "seat-given-up", {"player": player}, work, even_if_closed=True)


def let_keep_score(public_id: str, player: int, keeps_score: bool, sent: Sent) -> int:
    """Let the phone with a player's seat keep this night's score, beside those that may anyway, or no longer.

    Raises Conflict if no phone has the seat.
    """

    def work(night: Night, change: int) -> None:
        _taken(night, player).keeps_score = keeps_score

    content = {"player": player, "keeps_score": keeps_score}
    return apply(public_id, sent, "scorekeeper", content, work, even_if_closed=True)


def _taken(night: Night, player: int, phone: str | None = None) -> Seat:
    """Return a player's seat; raises Conflict if no phone has it, or another than the one that is given."""
    seat = _seat(night, player)
    if seat.phone is None or phone not in (None, seat.phone):
        raise Conflict(Message("This seat has already been given up; check who has it now"))
    return seat


def _free(seat: Seat) -> None:
    seat.phone, seat.phone_name, seat.keeps_score = None, None, False


def _seat(night: Night, player: int) -> Seat:
    seat = next((seat for seat in night.seats if seat.player_id == player), None)
    if seat is None:
        raise Refused(Message("Only players of this group can sit at its table"))
    return seat


def renew_code(public_id: str, sent: Sent) -> int:
    """Change a night's join code; phones that joined with the old code need the new one."""

    def work(night: Night, change: int) -> None:
        night.join_code = free_join_code()

    return apply(public_id, sent, "code", {}, work)
