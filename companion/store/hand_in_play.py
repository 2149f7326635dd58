"""Actions during a hand, such as betting and knocking, which players make on their own phones.

They are stored in the draft of the round, one after the other.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from companion.engine.messages import Message

from .change import apply, locked, must_be_open
from .database import retry_transaction, transaction
from .drafts import Cells, begin, must_not_be_saved, values_of, with_cells
from .models import PlaySession
from .refusals import Conflict, Refused, Sent
from .sent_forms import digest, must_be_same

# cells of the draft that aren't fields of the round's form, and so aren't saved with the round
TURN = "turn-"  # followed by a player's id: "<who knocked> <what the player did>", which is "stay", "drop" or "done"
ASKED_BACK = "asked-back"  # id of the player who asks the table to undo the last action
ORDER = "order"  # ids of the players when the hand began, in seat order, separated by dots
BETS_ORDER = "bets-order"  # the same, when the first bet was entered on the round's own page
LOT = "lot"  # id of the dealer, if drawn by lot
_SENT = "done"  # the forms that were carried out, newest last: the key, and a digest of what it asked for
_MAX_SENT = 40
_MAX_KEY_LENGTH = 64

# returns the cells that an action sets, given the session and the current cells without hands; raises Refused
Action = Callable[[PlaySession, Cells], Cells]


@retry_transaction
def act(public_id: str, number: int, key: str, device: str, action: Action, said: Sequence[str] = ()) -> PlaySession:
    """Carry out an action exactly once per form key. `number` is the line the phone expects the round to become.

    `said` is what the form asked for. Raises Conflict if the round was saved meanwhile, or the form asked for something
    else the first time, and Refused if the session is closed or the action isn't possible.
    """
    with transaction(rereads=False):
        session = locked(public_id)
        must_be_open(session)
        draft = session.draft
        cells = values_of(draft)
        sent: dict[str, str] = dict(cells.get(_SENT, ()))
        if key[:_MAX_KEY_LENGTH] in sent:
            must_be_same(sent[key[:_MAX_KEY_LENGTH]] == digest(said))
            return session
        must_not_be_saved(session, draft.key if draft is not None else "", number)
        changed = dict(action(session, cells))
        changed[_SENT] = [*map(list, sent.items()), [key[:_MAX_KEY_LENGTH], digest(said)]][-_MAX_SENT:]
        _write_cells(session, changed, device)
    return session


def _write_cells(session: PlaySession, changed: Cells, device: str) -> None:
    draft = session.draft or begin(session)
    draft.cells = with_cells(draft, changed, device)
    session.version += 1


def set_dealer(public_id: str, number: int, player: int, device: str, sent: Sent, *, by_lot: bool) -> int:
    """Set the dealer of the next hand, chosen or drawn by lot, and record it in the list of changes.

    `number` is the line the phone expects the round to become. Returns the change's id. Raises Conflict if the round
    was saved meanwhile, or if another phone has already drawn the lot.
    """

    def work(session: PlaySession, change: int) -> None:
        draft = session.draft
        must_not_be_saved(session, draft.key if draft is not None else "", number)
        seat = next((seat for seat in session.seats if seat.player_id == player and seat.state == "in"), None)
        if seat is None:
            raise Refused(Message("Only somebody in this round can deal"))
        if by_lot and values_of(draft).get(LOT):
            raise Conflict(Message("Another phone has just drawn the dealer; check who deals"))
        _write_cells(session, {"dealer": str(player), LOT: str(player) if by_lot else ""}, device)

    return apply(public_id, sent, "dealer", {"player": player, "by_lot": by_lot}, work)
