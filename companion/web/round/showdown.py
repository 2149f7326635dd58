"""When the hands of a shared round are revealed, and the reports of changes after that.

Hands are face down until all are in. Once revealed, they stay so unless the game is changed: nobody can look and then
cover up. Anyone who afterwards changes something that looking could have influenced is named on every phone.
"""

from __future__ import annotations

from typing import Any

from companion.contract import is_all_in, read_round
from companion.engine.game import AnyGame
from companion.engine.messages import Message
from companion.games import all_games
from companion.store import drafts as store
from companion.store.before_round import BeforeRound
from companion.store.drafts import GAME_CHANGED, Cells, Late
from companion.store.identities import names_of
from companion.store.models import PlaySession

from ..access.devices import my_player
from ..text.language import say
from . import draft_cells
from .document import document
from .hand_in_play import HandInPlay, hand_in_play
from .prefill import new_round, players_of

_SENTENCES = {
    "own-hand": "{player} changed the hand after all were shown",
    "own-answers": "{player} changed an answer after all hands were shown",
    "hand": "{player}'s hand was changed after all were shown",
    "answers": "An answer of {player} was changed after all hands were shown",
    GAME_CHANGED: "The game was changed after all hands were shown",
}


def entered_game(session: PlaySession) -> AnyGame:
    """Return the game the round is being entered for, whichever game a phone is looking at."""
    chosen = store.values_of(session.draft).get(draft_cells.GAME)
    return all_games().get(str(chosen)) or all_games()[session.game]


def reveal_if_all_in(
    session: PlaySession, read: tuple[AnyGame, bool] | None = None, before: BeforeRound | None = None
) -> bool:
    """Reveal the hands once the last one that must be shown is in; returns whether that just happened.

    `read` is a (game, all hands are in) pair from an earlier reading of the draft. It is used only if its game is the
    one being entered, because only that one counts.
    """
    draft, cells = session.draft, store.values_of(session.draft)
    if draft is None or draft.shown or not any(cells[cell] for cell in cells if draft_cells.is_hand(cell)):
        return False
    game, before = entered_game(session), before or BeforeRound(session)
    if not (read[1] if read is not None and read[0] is game else _is_all_in(session, game, before)):
        return False
    if has_turns_left(hand_in_play(session, game, before)):
        return False
    store.reveal(session.public_id, draft.key)
    return True


def has_turns_left(hand: HandInPlay) -> bool:
    """Return whether somebody still has a turn after a knock entered at the table, so hands must not be revealed."""
    return bool(hand.is_begun and hand.knocked and hand.is_on_phones and hand.turn)


def _is_all_in(session: PlaySession, game: AnyGame, before: BeforeRound) -> bool:
    form = new_round(session, game, before)
    draft_cells.fill(form, players_of(session, game), store.values_of(session.draft))
    return is_all_in(read_round(document(form, form.names)))


def late_changes(session: PlaySession, before: Cells, typed: Cells) -> Late:
    """Pick, from the cells newly typed on this phone, the changes that everyone must be told about."""
    me = my_player(session)
    changed = [(cell, before.get(cell, ""), value) for cell, value in typed.items()]
    found = [_late_change(cell, was, value, me) for cell, was, value in changed if _differs(was, value)]
    return [change for change in found if change is not None]


def _differs(was: Any, value: Any) -> bool:
    """Return whether a cell's meaning changed; the order and spelling of a hand's cards don't matter."""
    if isinstance(was, str) and isinstance(value, str):
        return sorted(was.lower().replace(",", " ").split()) != sorted(value.lower().replace(",", " ").split())
    return bool(was or value) and was != value


def _late_change(cell: str, was: Any, value: Any, me: str | None) -> list[str] | None:
    """Describe a change and whose it is; None if looking at the hands can't have influenced it.

    `me` is the player whose phone it was typed on, or None. The scorekeeper often enters amounts after the hands are
    revealed; these are reported only if they replace others.
    """
    if cell == draft_cells.GAME:
        return [GAME_CHANGED, ""] if was else None
    if not cell.startswith("players-"):
        return None
    player = cell.split("-")[1]
    what = "hand" if draft_cells.is_hand(cell) else "answers"
    if player == me:
        return [f"own-{what}", player]
    return [what, player] if what == "hand" or was or value is True else None


def late_sentences(session: PlaySession) -> list[str]:
    """Return sentences about the changes made after the round's hands were revealed."""
    changes = session.draft.late if session.draft is not None else []
    names = names_of(session) if changes else {}
    return [say(Message(_SENTENCES[what], player=names.get(whose, ""))) for what, whose in changes]
