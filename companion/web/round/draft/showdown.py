"""Reveals the hands of a shared round once they are all in; see `table.showing`."""

from __future__ import annotations

from companion.engine.messages import Message
from companion.store.models import Night
from companion.store.night import drafts as store
from companion.table.hand import HandInPlay
from companion.table.showing import late_sentence, must_stay_down

from ..next_round import round_at_table
from .shared import SharedRound, shared_round


def reveal_if_all_in(night: Night, read: SharedRound | None = None) -> bool:
    """Reveal the hands once the last one that must be shown is in; returns whether that just happened.

    Whether they are all in depends on their sizes alone. Pass `read` if the draft as it is now has already been read;
    it is used if it was read as the game being entered.
    """
    draft = night.draft
    if draft is None or draft.shown:
        return False
    round = round_at_table(night, read.round.before if read else None)
    if not any(hand.size for hand in round.hands.values()):
        return False
    shared = read if read is not None and read.round.game is round.game else shared_round(round)
    if not shared.may_be_revealed or must_stay_down(HandInPlay(round)):
        return False
    store.reveal(night.public_id, draft.key)
    return True


def late_sentences(night: Night) -> list[Message]:
    """Return sentences about the changes made after the round's hands were revealed."""
    return [late_sentence(*change) for change in (night.draft.late if night.draft is not None else ())]
