"""Actions during a hand, such as betting and knocking, which players make on their own phones.

They are stored in the draft of the round, one after the other.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from companion.engine.game import AnyGame
from companion.engine.messages import Message
from companion.games import all_games
from companion.table.cells import DEALER, LOT, SENT, STAKE, TABLE, Values, joined, value, writer_of, written
from companion.table.input import Asked, carry_out, kept_by
from companion.table.next_round import NextRound

from ..db.database import retry_transaction, transaction
from ..log.sent_forms import digest, must_be_same
from ..models import Night
from ..refusals import Conflict, Refused, Sent
from .before_round import BeforeRound
from .change import apply, locked, must_be_open
from .drafts import begin, changes_what_is_known, entered_of_table, game_at_table, must_not_be_saved, round_in

_MAX_SENT = 40
_MAX_KEY_LENGTH = 64


@retry_transaction
def act(
    public_id: str, number: int, key: str, device: str, game: AnyGame, asked: Asked, said: Sequence[str] = ()
) -> Night:
    """Carry out an action of a hand of this game exactly once per form key.

    `number` is the line the phone expects the round to become; `said` is what the form asked for. Raises Conflict if
    the round was saved meanwhile, or the form asked for something else the first time, and Refused if the night is
    closed or the action isn't possible.
    """
    with transaction(rereads=False):
        night = locked(public_id)
        must_be_open(night)
        draft = night.draft
        sent: dict[str, str] = dict(_entered(night, SENT))
        if key[:_MAX_KEY_LENGTH] in sent:
            must_be_same(sent[key[:_MAX_KEY_LENGTH]] == digest(said))
            return night
        must_not_be_saved(night, draft.key if draft is not None else "", number)
        round = round_in(night, game, device, is_own=asked.is_own)
        changes = carry_out(round, asked)
        forms = [*map(list, sent.items()), [key[:_MAX_KEY_LENGTH], digest(said)]][-_MAX_SENT:]
        changes = joined([changes, kept_by(round.me, keeps=asked.keeps), {TABLE: {SENT: forms}}])
        _write_cells(night, changes, writer_of(device, is_own=asked.is_own), round.before)
    return night


def _entered(night: Night, question: str) -> Any:
    """Return what the table entered in one cell of the draft."""
    return value(entered_of_table(night), TABLE, question, ())


def _write_cells(night: Night, changes: Values, writer: str, before: BeforeRound | None = None) -> None:
    """Write cells to the draft; with what is known `before` the round, the version rises only if they are news."""
    draft = night.draft or begin(night)
    after = written(draft.cells, changes, writer)
    night.version += before is None or changes_what_is_known(night, before, draft.cells, after)
    draft.cells = after


def keep_stake(night: Night) -> None:
    """Within a transaction, note the stake of the hand that is being played, if any of it was entered."""
    if (round := _dealt_round(night)) is not None:
        _write_cells(night, {TABLE: {STAKE: f"{round.game.key} {round.stake}"}}, "")


def keep_dealer(night: Night) -> None:
    """Within a transaction, note who deals the hand that is being played, if any of it was entered.

    Else voiding the round before, or somebody who sits down, would deal it anew while the table plays on. Rule: C-8.
    """
    round = _dealt_round(night)
    if round is not None and round.dealer is not None and not round.entered(TABLE, DEALER):
        _write_cells(night, {TABLE: {DEALER: str(round.dealer)}}, "")


def _dealt_round(night: Night) -> NextRound[BeforeRound] | None:
    round = round_in(night, all_games()[game_at_table(night)], None)
    return round if round.is_dealt else None


def set_dealer(public_id: str, number: int, player: int, device: str, sent: Sent, *, by_lot: bool) -> int:
    """Set the dealer of the next hand, chosen or drawn by lot, and record it in the list of changes.

    `number` is the line the phone expects the round to become. Returns the change's id. Raises Conflict if the round
    was saved meanwhile, or if another phone has already drawn the lot.
    """

    def work(night: Night, change: int) -> None:
        draft = night.draft
        must_not_be_saved(night, draft.key if draft is not None else "", number)
        seat = next((seat for seat in night.seats if seat.player_id == player and seat.state == "in"), None)
        if seat is None:
            raise Refused(Message("Only somebody in this round can deal"))
        if by_lot and _entered(night, LOT):
            raise Conflict(Message("Another phone has just drawn the dealer; check who deals"))
        _write_cells(night, {TABLE: {DEALER: str(player), LOT: str(player) if by_lot else ""}}, device)

    return apply(public_id, sent, "dealer", {"player": player, "by_lot": by_lot}, work)
