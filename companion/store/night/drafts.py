"""The draft of the round being entered, shared by all of a night's phones and merged cell by cell.

A cell is one thing that can be typed, such as a player's hand; see `table.cells`. The last write to a cell wins. The
first write creates the draft; `play.save_round` deletes it.
"""

from __future__ import annotations

import secrets
from collections.abc import Collection
from typing import Any

from sqlalchemy import bindparam, insert, select, update
from sqlalchemy.orm.attributes import set_committed_value

from companion.engine.game import AnyGame
from companion.engine.messages import Message
from companion.games import all_games, installed
from companion.table.cells import (
    GAME,
    HAND,
    TABLE,
    TURNED,
    Cells,
    Values,
    each,
    has_begun,
    joined,
    value,
    values_in,
    writer_of,
    written,
)
from companion.table.decisions import at_once
from companion.table.hand import HandInPlay
from companion.table.input import Typed, accepted, kept_by
from companion.table.next_round import NextRound
from companion.table.showing import (
    GAME_CHANGED,
    late_changes,
    must_be_decided,
    must_know_who_knocked,
    must_not_be_betting,
    turned_over,
)
from companion.table.sight import AtOnce, Sight, of_table, see, told_to_all

from ..db.database import execute, retry_transaction, transaction
from ..models import Change, Draft, Group, Line, Night, db
from ..night_key import ANY_NIGHT, columns_of_night, of_night, values_of_night
from ..refusals import Conflict, Refused
from .before_round import BeforeRound
from .change import SHARED_KEY, increase_version, locked, must_be_open
from .play import next_number

MAX_CELLS = 400
MAX_VALUE_LENGTH = 1_000
_USED = select(Change.content).where(*of_night(Change, ANY_NIGHT), Change.submission_key == bindparam("key"))
_FIRST_ROUND = (
    select(Line.number)
    .where(*of_night(Line, ANY_NIGHT), Line.number >= bindparam("number"), Line.game.is_not(None))
    .order_by(Line.number)
    .limit(1)
)
_BEGIN = insert(Draft).inline()
_WRITE = (
    update(Draft)
    .where(*of_night(Draft, ANY_NIGHT))
    .values({name: bindparam(f"new_{name}") for name in ("cells", "shown", "late")})
)


def _sight_of(night: Night, before: BeforeRound, device: str | None, *, is_own: bool) -> Sight:
    """Return what a device may see of a night's draft, or without one, what everybody may see; see `table.sight`."""
    draft, decision = night.draft, _decision(night, before)
    if draft is None:
        return see({}, device, is_shown=False, at_once=decision)
    return see(draft.cells, device, is_shown=draft.shown, is_own=is_own, key=draft.key, at_once=decision)


def _decision(night: Night, before: BeforeRound) -> AtOnce | None:
    """Return the decision that all make at once in the game at the table, whichever game is asked about."""
    return at_once(all_games()[game_at_table(night)], before, entered_of_table(night))


def entered_of_table(night: Night) -> Values:
    """Return what was entered of the table; nothing without a draft."""
    return {} if night.draft is None else of_table(night.draft.cells)


def changes_what_is_known(night: Night, before: BeforeRound, was: Cells, now: Cells) -> bool:
    """Return whether new cells are news for anybody but the phone that wrote them.

    While all decide at once, what one enters is none: a version that rises would tell that somebody enters a hand.
    """
    decision = _decision(night, before)
    if decision is None or (night.draft is not None and night.draft.shown) or decision.is_made(was):
        return True
    return told_to_all(was, decision) != told_to_all(now, decision)


def round_in(
    night: Night, game: AnyGame, device: str | None, before: BeforeRound | None = None, *, is_own: bool = False
) -> NextRound[BeforeRound]:
    """Return a night's next round as a device may see it, on the page of the own hand or elsewhere, as this game."""
    me = night.player_on(device) if device is not None else None
    before = before or BeforeRound(night)
    return NextRound(before, game, _sight_of(night, before, device, is_own=is_own), me)


def game_at_table(night: Night) -> str:
    """Return the key of the game that is entered, else of the one set as the next, else of the first one there is."""
    chosen = str(value(entered_of_table(night), TABLE, GAME))
    return chosen if chosen in all_games() else installed(night.game)


def is_being_entered(group: Group) -> bool:
    """Return whether a round of one of a group's nights has been begun and isn't saved."""
    of_night = (Draft.night_id == Night.id) & (Draft.group_id == Night.group_id)
    cells = select(Draft.cells).select_from(Night).join(Draft, of_night).where(Night.group_id == group.id)
    return any(map(has_begun, execute(cells).scalars()))


def begin(night: Night) -> Draft:
    """Within a transaction, begin the draft of a night's next round, with a key of its own.

    All phones share this key. It isn't one that a phone has chosen, as that could be used up by another change.
    """
    key = SHARED_KEY + secrets.token_urlsafe(12)
    execute(_BEGIN, {**columns_of_night(night), "key": key, "cells": {}, "shown": False, "late": []})
    db.session.expire(night, ["draft"])  # it was loaded when there was none
    assert night.draft is not None
    return night.draft


@retry_transaction
def enter(public_id: str, key: str, number: int, typed: Typed, device: str, *, shown: bool = False) -> BeforeRound:
    """Write what was typed to the draft. `key` is the one under which the phone would save the round.

    Returns what is known before the round, with the night; read under the same lock, so that it fits the draft.
    `number` is the line the phone expects the round to become. `shown` reveals the hands. Raises Conflict, with the
    line, if the round was saved meanwhile; Refused if the night is closed, too much was typed, or hands would be
    revealed to players who are still betting.
    """
    with transaction(rereads=False, keeps=True):
        night = locked(public_id)
        must_be_open(night)
        draft = night.draft
        # saving a round deletes its draft, so as long as there is a draft with this key, the round isn't saved
        if draft is None or draft.key != key:
            must_not_be_saved(night, key, number)
        if draft is None:
            draft = begin(night)
        before = BeforeRound(night)
        round = round_in(night, all_games()[typed.game], device, before, is_own=typed.is_own)
        new = accepted(typed, round, night.without_phones)
        writer = writer_of(device, is_own=typed.is_own and round.me is not None)
        merged = written(draft.cells, joined([kept_by(round.me, keeps=typed.keeps), new]), writer)
        if sum(map(len, merged.values())) > MAX_CELLS or any(
            len(str(cell)) > MAX_VALUE_LENGTH for *_, cell in each(new)
        ):
            raise Refused(Message("That is more than a round holds; type less"))
        was_shown, all_late = draft.shown, draft.late
        typed_now = {owner for owner, asked in new.items() if HAND in asked} if was_shown else set()
        if shown or typed_now:
            game = all_games()[typed.game]
            sight = see(merged, None, is_shown=False, at_once=at_once(game, before, values_in(merged)))
            hand = HandInPlay(NextRound(before, game, sight))
            if not was_shown:
                _must_be_over(hand)
            merged = _turned(merged, hand, typed_now if not shown else None, was_shown=was_shown)
        if was_shown:
            me, players = night.player_on(device), night.player_keys()
            late = late_changes(me, values_in(draft.cells), new, players)
            all_late = [*all_late, *(change for change in late if change not in all_late)]
            was_shown = GAME_CHANGED not in (what for what, _whose in late)
        if merged != draft.cells or (shown and not was_shown):
            is_news = shown or changes_what_is_known(night, before, draft.cells, merged)
            _write(night, draft, cells=merged, shown=was_shown or shown, late=all_late)
            if is_news:
                increase_version(night)
        return before.read()


def _turned(
    cells: Cells, hand: HandInPlay, only: Collection[str] | None = None, *, was_shown: bool = False
) -> dict[str, dict[str, Any]]:
    """Return the cells with a note of whose hands turn over, besides those that did before: all that show, or `only`.

    Whoever types a hand after the others were shown types it face up. Without a note, all have been turned over.
    """
    if was_shown and TURNED not in cells.get(TABLE, {}):
        return written(cells, {}, "")
    before = str(value(values_in(cells), TABLE, TURNED) or "") if was_shown else ""
    players = [player for player in turned_over(hand) if only is None or player in only]
    more = (f"{player}." for player in players if player not in before.split("."))
    return written(cells, {TABLE: {TURNED: "".join([before, *more])}}, "")


def _write(night: Night, draft: Draft, **columns: Any) -> None:
    """Write these columns without the ORM, which takes four times as long: every tap does this."""
    execute(_WRITE, {**values_of_night(night), **{f"new_{name}": new for name, new in columns.items()}})
    for name, new in columns.items():
        set_committed_value(draft, name, new)


@retry_transaction
def reveal(public_id: str, key: str) -> None:
    """Reveal the hands of the round with this key, if it is still being entered."""
    with transaction(rereads=False):
        night = locked(public_id)
        draft = night.draft
        if draft is not None and draft.key == key:
            _turn_over(night, draft, HandInPlay(round_in(night, all_games()[game_at_table(night)], None)))


@retry_transaction
def show(public_id: str, *, is_keepers: bool) -> BeforeRound:
    """Reveal the hands that are in, at once; the scorekeeper may, as soon as nobody bets any more and it is known
    who knocked.

    Returns what is known before the round, like `enter`. Raises Refused.
    """
    if not is_keepers:
        raise Refused(Message("Only the scorekeeper can do that"))
    with transaction(rereads=False, keeps=True):
        night = locked(public_id)
        must_be_open(night)
        before = BeforeRound(night)
        hand = HandInPlay(round_in(night, all_games()[game_at_table(night)], None, before))
        _must_be_over(hand)
        if night.draft is not None:
            must_know_who_knocked(hand)
            _turn_over(night, night.draft, hand)
        return before.read()


def _must_be_over(hand: HandInPlay) -> None:
    """Raise Refused while hands would be revealed to players who have yet to bet, or to decide."""
    must_not_be_betting(hand)
    must_be_decided(hand)


def _turn_over(night: Night, draft: Draft, hand: HandInPlay) -> None:
    if not draft.shown:
        draft.cells, draft.shown = _turned(draft.cells, hand), True
        night.version += 1


def line_saved_with(night: Night, key: str) -> int | None:
    """Return the number of the line that was saved with a form's key, or None."""
    content: dict[str, Any] = execute(_USED, {**values_of_night(night), "key": key}).scalar() or {}
    return content.get("number")


def line_of_round(night: Night, number: int, key: str) -> int:
    """Return the line that a round becomes, which its phone took for line `number`.

    That is the next one, even if other entries such as loans were saved since; if another round was, it stays `number`,
    which is refused. A round that was already saved with this key keeps its line.
    """
    following = next_number(night)
    if number == following:
        return number
    is_overtaken = execute(_FIRST_ROUND, {**values_of_night(night), "number": number}).scalar() is not None
    return line_saved_with(night, key) or (number if is_overtaken else following)


def must_not_be_saved(night: Night, key: str, number: int) -> None:
    """Raise Conflict if the round was saved, under this key or by another phone since this page was opened."""
    used = execute(_USED, {**values_of_night(night), "key": key}).scalar()
    saved = execute(_FIRST_ROUND, {**values_of_night(night), "number": number}).scalar()
    if saved is None and used is not None:
        saved = int(used.get("number", number))
    if saved is not None:
        raise Conflict(Message("Round {number} is saved", number=saved), saved)
