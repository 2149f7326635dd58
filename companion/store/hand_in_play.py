"""What players do while a hand is played, from their own phones: it goes into the draft of the round, one at a time.

A phone says which state of the hand it saw. Where the table has moved on since, nothing is done and it is told so.
"""

from __future__ import annotations

import hashlib
import json
import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from companion.engine.messages import Message

from .database import retry_transaction, transaction
from .drafts import Cells, draft_of, must_not_be_saved
from .models import Draft, PlaySession, db
from .play import apply, locked, must_be_open
from .refusals import Conflict, Refused, Sent

# cells of the draft that no form has; they are gone with it
TURN = "turn-"  # and a player's id: what the player did with a last turn, "stay", "drop" or "done"
ASKED_BACK = "asked-back"  # whose phone asks the table to undo the last action
ORDER = "order"  # who played when the hand began, ids parted by dots
LOT = "lot"  # who was drawn by lot to deal
_SENT = "sent"  # keys of the forms that acted, newest last
_MOST_SENT = 40
_LONGEST_KEY = 64

# gives the cells that an action sets, of the session and the cells so far; raises Refused
Action = Callable[[PlaySession, Cells], Cells]


@dataclass(frozen=True, slots=True)
class Seen:
    """What a phone acts on: the line that it thinks the round will be, and the mark of the state that it shows.

    Without a mark the state does not matter, as with a count that goes up by one.
    """

    number: int
    mark: str | None


def mark_of(cells: Cells) -> str:
    """Give a short mark of cells; an empty cell is like none."""
    said = sorted((cell, value) for cell, value in cells.items() if value)
    return hashlib.sha256(json.dumps(said).encode()).hexdigest()[:12]


def values_of(draft: Draft | None) -> dict[str, Any]:
    """Give what stands in the cells of a draft, whoever put it there."""
    return {cell: value for cell, (value, _device) in draft.cells.items()} if draft is not None else {}


@retry_transaction
def act(
    public_id: str, seen: Seen, key: str, device: str, action: Action, state: Callable[[Cells], Cells]
) -> PlaySession:
    """Do in the hand what a phone asks for, once by its form's key; `state` picks the cells that the mark is of.

    Raises Conflict where the round was saved or the hand has moved on since, Refused when the session is closed or
    the action is not possible.
    """
    with transaction():
        session = locked(public_id)
        must_be_open(session)
        draft = draft_of(session)
        cells = values_of(draft)
        sent = list(cells.get(_SENT, ()))
        if key[:_LONGEST_KEY] in sent:
            return session
        must_not_be_saved(session, draft.key if draft is not None else "", seen.number)
        if seen.mark is not None and seen.mark != mark_of(state(cells)):
            raise Conflict(Message("The hand has moved on; look at how it stands now"))
        changed = dict(action(session, cells))
        changed[_SENT] = [*sent, key[:_LONGEST_KEY]][-_MOST_SENT:]
        _put(session, draft, changed, device)
    return session


def _put(session: PlaySession, draft: Draft | None, changed: Mapping[str, Any], device: str) -> None:
    if draft is None:
        draft = Draft(session_id=session.id, key=secrets.token_urlsafe(12), cells={}, shown=False, late=[])
        db.session.add(draft)
    draft.cells = {**draft.cells, **{cell: [value, device] for cell, value in changed.items()}}
    session.version += 1


def set_dealer(public_id: str, number: int, player: int, device: str, sent: Sent, *, by_lot: bool) -> int:
    """Say who deals the next hand, drawn by lot or chosen; it is in the list of changes.

    `number` is the line that the phone thinks the round will be. A lot is drawn once: who draws again is told whom
    it fell on. Raises Conflict where the round was saved meanwhile or the lot was drawn.
    """

    def work(session: PlaySession, change: int) -> None:
        must_be_open(session)
        draft = draft_of(session)
        must_not_be_saved(session, draft.key if draft is not None else "", number)
        seat = next((seat for seat in session.seats if seat.player_id == player and seat.state == "in"), None)
        if seat is None:
            raise Refused(Message("Only somebody who plays this round can deal"))
        if by_lot and values_of(draft).get(LOT):
            raise Conflict(Message("The lot was drawn on another phone meanwhile; look at who deals"))
        _put(session, draft, {"dealer": str(player), LOT: str(player) if by_lot else ""}, device)

    return apply(public_id, sent, "dealer", {"player": player, "by_lot": by_lot}, work)
