"""The draft of the round being entered, shared by all of a session's phones and merged cell by cell.

A cell is one thing that can be typed, such as a player's hand. The last write to a cell wins. The first write creates
the draft; `play.save_round` deletes it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from sqlalchemy import bindparam, insert, select, update
from sqlalchemy.orm.attributes import set_committed_value

from companion.engine.messages import Message

from .before_round import BeforeRound
from .change import increase_version, locked, must_be_open
from .database import retry_transaction, transaction
from .models import Change, Draft, Line, PlaySession, db
from .prepared import Prepared
from .refusals import Conflict, Refused

MAX_CELLS = 400
MAX_VALUE_LENGTH = 1_000
Cells = Mapping[str, Any]
# the kind of late change that turns the hands face down again, because another game needs other hands
GAME_CHANGED = "game"
_USED = Prepared(
    select(Change.content).where(Change.session_id == bindparam("session"), Change.submission_key == bindparam("key"))
)
_FIRST_ROUND = Prepared(
    select(Line.number)
    .where(Line.session_id == bindparam("session"), Line.number >= bindparam("number"), Line.game.is_not(None))
    .order_by(Line.number)
    .limit(1)
)
_BEGIN = Prepared(insert(Draft).inline())
_WRITE = Prepared(
    update(Draft)
    .where(Draft.session_id == bindparam("session"))
    .values({name: bindparam(f"new_{name}") for name in ("cells", "shown", "late")})
)
Late = list[list[str]]
_NOTHING_LATE: Callable[[PlaySession, Cells, Cells], Late] = lambda _session, _before, _typed: []  # noqa: E731


def values_of(draft: Draft | None) -> dict[str, Any]:
    """Return the values of all of a draft's cells, whichever device wrote them; empty without a draft."""
    return {cell: value for cell, (value, _device) in draft.cells.items()} if draft is not None else {}


def begin(session: PlaySession, key: str) -> Draft:
    """Within a transaction, begin the draft of a session's next round."""
    _BEGIN.rows({"session_id": session.id, "key": key, "cells": {}, "shown": False, "late": []})
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
    late: Callable[[PlaySession, Cells, Cells], Late] = _NOTHING_LATE,
) -> BeforeRound:
    """Write cells to the draft. The first write stores the key under which the round will be saved exactly once.

    Returns the session, with what is known before the round: it is read under the same lock, so that it fits the draft.
    `number` is the line the phone expects the round to become. `typed` returns the cells; it is called once the session
    is locked, so it sees the current seats. `shown` reveals the hands. After that, `late` is called with the session,
    the old cells and the typed ones, and returns the changes everyone must be told about, as pairs of what was changed
    and whose it is. Raises Conflict, with the line, if the round was saved meanwhile; Refused if the session is closed
    or too much was typed.
    """
    with transaction(rereads=False, keeps=True):
        session = locked(public_id)
        must_be_open(session)
        draft = session.draft
        # saving a round deletes its draft, so a draft with this key tells that it isn't saved
        if draft is None or draft.key != key:
            must_not_be_saved(session, key, number)
        if draft is None:
            draft = begin(session, key)
        cells = typed(session)
        merged = with_cells(draft, cells, device)
        if len(merged) > MAX_CELLS or any(len(str(value)) > MAX_VALUE_LENGTH for value in cells.values()):
            raise Refused(Message("That is more than a round holds; type less"))
        was_shown, told = draft.shown, draft.late
        if was_shown:
            new = late(session, values_of(draft), cells)
            told = [*told, *(change for change in new if change not in told)]
            was_shown = GAME_CHANGED not in (what for what, _whose in new)
        if merged != draft.cells or (shown and not was_shown):
            _write(draft, cells=merged, shown=was_shown or shown, late=told)
            increase_version(session)
        return BeforeRound(session).read()


def _write(draft: Draft, **columns: Any) -> None:
    """Write these columns without the ORM, which takes four times as long: every tap does this."""
    _WRITE.rows({"session": draft.session_id, **{f"new_{name}": value for name, value in columns.items()}})
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


def must_not_be_saved(session: PlaySession, key: str, number: int) -> None:
    """Raise Conflict if the round was saved, under this key or by another phone since this page was opened."""
    used = _USED.value({"session": session.id, "key": key})
    saved = _FIRST_ROUND.value({"session": session.id, "number": number})
    if saved is None and used is not None:
        saved = int(used.get("number", number))
    if saved is not None:
        raise Conflict(Message("Round {number} is saved", number=saved), saved)
