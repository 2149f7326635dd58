"""The draft of the round being entered, shared by all of a session's phones and merged cell by cell.

A cell is one thing that can be typed, such as a player's hand. The last write to a cell wins. The first write creates
the draft; `play.save_round` deletes it. Once the hands were revealed, anyone who changes something that looking at them
could have influenced is noted, and named on every phone.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping
from typing import Any

from sqlalchemy import bindparam, insert, select, update
from sqlalchemy.orm.attributes import set_committed_value

from companion.engine.messages import Message

from .before_round import BeforeRound
from .change import SHARED_KEY, increase_version, locked, must_be_open
from .database import retry_transaction, transaction
from .face_down import Sight, is_hand, see
from .identities import key_of_phone
from .models import Change, Draft, Line, PlaySession, db
from .night_key import ANY_NIGHT, columns_of_night, of_night, values_of_night
from .play import next_number
from .prepared import Prepared
from .refusals import Conflict, Refused

MAX_CELLS = 400
MAX_VALUE_LENGTH = 1_000
Cells = Mapping[str, Any]
GAME = "game"  # the cell with the key of the game that is entered
# the kind of late change that turns the hands face down again, because another game needs other hands
GAME_CHANGED = "game"
_USED = Prepared(select(Change.content).where(*of_night(Change, ANY_NIGHT), Change.submission_key == bindparam("key")))
_FIRST_ROUND = Prepared(
    select(Line.number)
    .where(*of_night(Line, ANY_NIGHT), Line.number >= bindparam("number"), Line.game.is_not(None))
    .order_by(Line.number)
    .limit(1)
)
_BEGIN = Prepared(insert(Draft).inline())
_WRITE = Prepared(
    update(Draft)
    .where(*of_night(Draft, ANY_NIGHT))
    .values({name: bindparam(f"new_{name}") for name in ("cells", "shown", "late")})
)
Late = list[list[str]]  # changes made after the reveal: what was changed, and the id of whose it is


def sight_of(draft: Draft | None, device: str | None) -> Sight:
    """Return what a device may see of a draft, or without one, what everybody may see; see `face_down`."""
    return see(draft.cells, device, is_shown=draft.shown) if draft is not None else Sight()


def values_of(draft: Draft | None) -> dict[str, Any]:
    """Return the values of a draft's cells, whichever device wrote them, without the hands; empty without a draft."""
    return {cell: value for cell, value in _values(draft).items() if not is_hand(cell)} if draft is not None else {}


def _values(draft: Draft) -> dict[str, Any]:
    return {cell: value for cell, (value, _device) in draft.cells.items()}


def begin(session: PlaySession) -> Draft:
    """Within a transaction, begin the draft of a session's next round, with a key of its own.

    All phones share this key. It isn't one that a phone has chosen, as that could be used up by another change.
    """
    key = SHARED_KEY + secrets.token_urlsafe(12)
    _BEGIN.rows({**columns_of_night(session), "key": key, "cells": {}, "shown": False, "late": []})
    db.session.expire(session, ["draft"])  # it was loaded when there was none
    assert session.draft is not None
    return session.draft


def with_cells(draft: Draft, cells: Cells, device: str) -> dict[str, Any]:
    """Return a draft's cells after a device has written some."""
    return {**draft.cells, **{cell: [value, device] for cell, value in cells.items()}}


@retry_transaction
def enter(
    public_id: str,
    key: str,
    number: int,
    typed: Callable[[PlaySession], Cells],
    device: str,
    *,
    shown: bool = False,
) -> BeforeRound:
    """Write cells to the draft. `key` is the one under which the phone would save the round.

    Returns what is known before the round, with the session; read under the same lock, so that it fits the draft.
    `number` is the line the phone expects the round to become. `typed` returns the cells; it is called once the session
    is locked, so it sees the current seats. `shown` reveals the hands. Raises Conflict, with the line, if the round was
    saved meanwhile; Refused if the session is closed or too much was typed.
    """
    with transaction(rereads=False, keeps=True):
        session = locked(public_id)
        must_be_open(session)
        draft = session.draft
        # saving a round deletes its draft, so as long as there is a draft with this key, the round isn't saved
        if draft is None or draft.key != key:
            must_not_be_saved(session, key, number)
        if draft is None:
            draft = begin(session)
        cells = typed(session)
        merged = with_cells(draft, cells, device)
        if len(merged) > MAX_CELLS or any(len(str(value)) > MAX_VALUE_LENGTH for value in cells.values()):
            raise Refused(Message("That is more than a round holds; type less"))
        was_shown, told = draft.shown, draft.late
        if was_shown:
            new = _late_changes(key_of_phone(session, device), _values(draft), cells)
            told = [*told, *(change for change in new if change not in told)]
            was_shown = GAME_CHANGED not in (what for what, _whose in new)
        if merged != draft.cells or (shown and not was_shown):
            _write(session, draft, cells=merged, shown=was_shown or shown, late=told)
            increase_version(session)
        return BeforeRound(session).read()


def _late_changes(me: str | None, before: Cells, typed: Cells) -> Late:
    """Pick, from the cells newly typed on a phone, the changes that everyone must be told about; see `_late_change`."""
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
    if cell == GAME:
        return [GAME_CHANGED, ""] if was else None
    if not cell.startswith("players-"):
        return None
    player = cell.split("-")[1]
    what = "hand" if is_hand(cell) else "answers"
    if player == me:
        return [f"own-{what}", player]
    return [what, player] if what == "hand" or was or value is True else None


def _write(session: PlaySession, draft: Draft, **columns: Any) -> None:
    """Write these columns without the ORM, which takes four times as long: every tap does this."""
    _WRITE.rows({**values_of_night(session), **{f"new_{name}": value for name, value in columns.items()}})
    for name, value in columns.items():
        set_committed_value(draft, name, value)


@retry_transaction
def reveal(public_id: str, key: str) -> None:
    """Reveal the hands of the round with this key, if it is still being entered."""
    with transaction(rereads=False):
        session = locked(public_id)
        draft = session.draft
        if draft is not None and draft.key == key and not draft.shown:
            draft.shown = True
            session.version += 1


def line_saved_with(session: PlaySession, key: str) -> int | None:
    """Return the number of the line that was saved with a form's key, or None."""
    content: dict[str, Any] = _USED.value({**values_of_night(session), "key": key}) or {}
    return content.get("number")


def line_of_round(session: PlaySession, number: int, key: str) -> int:
    """Return the line that a round becomes, which its phone took for line `number`.

    That is the next one, even if other entries such as loans were saved since; if another round was, it stays `number`,
    which is refused. A round that was already saved with this key keeps its line.
    """
    following = next_number(session)
    if number == following:
        return number
    is_overtaken = _FIRST_ROUND.value({**values_of_night(session), "number": number}) is not None
    return line_saved_with(session, key) or (number if is_overtaken else following)


def must_not_be_saved(session: PlaySession, key: str, number: int) -> None:
    """Raise Conflict if the round was saved, under this key or by another phone since this page was opened."""
    used = _USED.value({**values_of_night(session), "key": key})
    saved = _FIRST_ROUND.value({**values_of_night(session), "number": number})
    if saved is None and used is not None:
        saved = int(used.get("number", number))
    if saved is not None:
        raise Conflict(Message("Round {number} is saved", number=saved), saved)
