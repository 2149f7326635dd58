"""When the hands of a round turn over, and what was changed after that.

Hands are face down until all are in. Once revealed, they stay so unless the game is changed: nobody can look and then
cover up. Anyone who afterwards changes something that looking could have influenced is named on every phone.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from companion.engine.messages import Message
from companion.engine.players import PlayerKey

from .cells import GAME, HAND, KIND, TABLE, Values, each, value
from .hand import HandInPlay

# the kind of late change that turns the hands face down again, because another game needs other hands
GAME_CHANGED = "game"
Late = list[list[str]]  # changes made after the reveal: what was changed, and whose it is
_SENTENCES = {
    "own-hand": "{player} changed the hand after all were shown",
    "own-answers": "{player} changed an answer after all hands were shown",
    "hand": "{player}'s hand was changed after all were shown",
    "answers": "An answer of {player} was changed after all hands were shown",
    GAME_CHANGED: "The game was changed after all hands were shown",
}


def has_turns_left(hand: HandInPlay) -> bool:
    """Return whether somebody still has a turn after a knock entered at the table, so hands must not be revealed."""
    return bool(hand.is_begun and hand.knocked and hand.is_on_phones and hand.turn)


def late_changes(me: str | None, before: Values, typed: Values, players: Sequence[str]) -> Late:
    """Pick, from the cells newly typed on a phone, the changes that everyone must be told about; see `_late_change`."""
    found = []
    for owner, question, new in each(typed):
        was = value(before, owner, question)
        if _differs(was, new) and (change := _late_change(owner, question, was, new, me, players)) is not None:
            found.append(change)
    return found


def late_sentence(what: str, whose: str) -> Message:
    """Describe a late change."""
    return Message(_SENTENCES[what], player=PlayerKey(whose))


def _differs(was: Any, new: Any) -> bool:
    """Return whether a cell's meaning changed; the order and spelling of a hand's cards don't matter."""
    if isinstance(was, str) and isinstance(new, str):
        return sorted(was.lower().replace(",", " ").split()) != sorted(new.lower().replace(",", " ").split())
    return bool(was or new) and was != new


def _late_change(
    owner: str, question: str, was: Any, new: Any, me: str | None, players: Sequence[str]
) -> list[str] | None:
    """Describe a change and whose it is; None if looking at the hands can't have influenced it.

    `me` is the player whose phone it was typed on, or None. The scorekeeper often enters amounts after the hands are
    revealed; these are reported only if they replace others.
    """
    if (owner, question) == (TABLE, GAME):
        return [GAME_CHANGED, ""] if was else None
    if owner not in players or question == KIND:
        return None
    what = "hand" if question == HAND else "answers"
    if owner == me:
        return [f"own-{what}", owner]
    return [what, owner] if what == "hand" or was or new is True else None
