"""When the hands of a shared round are revealed, and the reports of changes after that.

Hands are face down until all are in. Once revealed, they stay so unless the game is changed: nobody can look and then
cover up. Anyone who afterwards changes something that looking could have influenced is named on every phone.
"""

from __future__ import annotations

from companion.engine.messages import Message
from companion.store import drafts as store
from companion.store.drafts import GAME_CHANGED
from companion.store.identities import names_of
from companion.store.models import PlaySession

from .hand_in_play import HandInPlay, hand_in_play
from .next_round import round_at_table
from .shared import SharedRound, shared_round

_SENTENCES = {
    "own-hand": "{player} changed the hand after all were shown",
    "own-answers": "{player} changed an answer after all hands were shown",
    "hand": "{player}'s hand was changed after all were shown",
    "answers": "An answer of {player} was changed after all hands were shown",
    GAME_CHANGED: "The game was changed after all hands were shown",
}


def reveal_if_all_in(session: PlaySession, read: SharedRound | None = None) -> bool:
    """Reveal the hands once the last one that must be shown is in; returns whether that just happened.

    Whether they are all in depends on their sizes alone. Pass `read` if the draft as it is now has already been read;
    it is used if it was read as the game being entered.
    """
    draft = session.draft
    if draft is None or draft.shown:
        return False
    round = round_at_table(session, read.round.before if read else None)
    if not any(hand.size for hand in round.hands.values()):
        return False
    shared = read if read is not None and read.round.game is round.game else shared_round(round)
    if not shared.may_be_revealed or _has_turns_left(hand_in_play(round)):
        return False
    store.reveal(session.public_id, draft.key)
    return True


def _has_turns_left(hand: HandInPlay) -> bool:
    """Return whether somebody still has a turn after a knock entered at the table, so hands must not be revealed."""
    return bool(hand.is_begun and hand.knocked and hand.is_on_phones and hand.turn)


def late_sentences(session: PlaySession) -> list[Message]:
    """Return sentences about the changes made after the round's hands were revealed."""
    changes = session.draft.late if session.draft is not None else []
    names = names_of(session) if changes else {}
    return [Message(_SENTENCES[what], player=names.get(whose, "")) for what, whose in changes]
