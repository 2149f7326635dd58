"""Keeps the rounds' results and sums up to date with the log, so that a long history opens as fast as a short one.

The log is the source of truth: everything here can be rebuilt from it, and the audit does that. `history` reads it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import cache
from typing import Any

from sqlalchemy import ColumnElement, Insert, bindparam, delete, exists, insert, select, tuple_
from sqlalchemy.orm import joinedload

from ..db.database import dialect_name, execute, execute_many, insert_into, is_sqlite
from ..log.ledger import Written, revision_settled
from ..log.replay import Document, Settled, Unsettled
from ..models import Duel, Group, Line, Night, Result, Tally, db
from ..night_key import of_night
from .results import IN_ORDER, TALLIES, scope_of, stored_rounds, tallies_in, within
from .tallies import ALL_GAMES, DUEL_KEY, TALLY_KEY, Played, Sums, counted_as, parts_of

_SCOPE: dict[str, Any] = {name: bindparam(name) for name in ("group_id", "month", "currency")}


# nights of a group share its sums, so lock the group; SQLite has only one writer anyway
_LOCK = select(Group.id).where(Group.id == bindparam("group_id")).with_for_update(key_share=True)
_PLAYERS = select(Result.player_id).where(Result.group_id == _SCOPE["group_id"], Result.line_id == bindparam("line"))
_TALLIES = TALLIES.where(
    *within(Tally, _SCOPE), Tally.game.in_([bindparam("game"), ALL_GAMES]), Tally.player_id.in_(_PLAYERS)
)
# compared as a pair, which an index finds; "night > … or number > …" reads every result of the month
_AFTER = tuple_(Result.night_id, Result.number) > tuple_(bindparam("night_id"), bindparam("number"))
_IS_ANY_LATER = select(exists().where(*within(Result, _SCOPE), _AFTER))
_PLACES = (
    select(Result.player_id, Result.game, Result.line_id, Result.won)
    .where(*within(Result, _SCOPE), Result.player_id.in_(_PLAYERS))
    .order_by(*IN_ORDER)
)


def played_in(night: Night, lines: Iterable[Line]) -> Iterator[Played]:
    """Yield the results of those lines that count: rounds that aren't voided and can still be settled."""
    for line in lines:
        if line.game is not None and not line.current.voided:
            with suppress(Unsettled):
                yield _played(night, line.id, line.number, line.current.document, revision_settled(line.current))


def _played(night: Night, line_id: int, number: int, document: Document, round: Settled) -> Played:
    game = counted_as(document)
    return Played(line_id, night_id=night.id, number=number, game=game, parts=parts_of(round), **scope_of(night))


def record(night: Night, written: Sequence[Written]) -> None:
    """Update results and sums for the lines a change has written; other movements don't count."""
    rounds = [
        _played(night, line.line_id, line.number, line.document, line.settled)
        for line in written
        if line.game is not None and line.settled is not None
    ]
    changed = [line.line_id for line in written if line.game is not None and not line.is_new]
    if not rounds and not changed:
        return
    if not is_sqlite():
        execute(_LOCK, {"group_id": night.group_id})
    if changed:
        of_night = (*within(Result, scope_of(night)), Result.night_id == night.id)
        _delete(Result, *of_night, Result.line_id.in_(changed))
    execute_many(insert(Result).inline(), [row for played in rounds for row in played.rows()])
    if changed:
        _sum_up(night)
    else:
        for played in rounds:
            _add(played)


def _add(played: Played) -> None:
    """Add a new round to the sums it affects."""
    scope = {"group_id": played.group_id, "month": played.month, "currency": played.currency}
    sums = Sums(tallies_in(execute(_TALLIES, {**scope, "game": played.game, "line": played.line_id}).all()))
    sums.add(played)
    # a newer night may already have rounds after this one
    if execute(_IS_ANY_LATER, {**scope, "night_id": played.night_id, "number": played.number}).scalar():
        sums.recompute_streaks(played, execute(_PLACES, {**scope, "line": played.line_id}).all())
    _insert(sums)


def _insert(sums: Sums) -> None:
    """Insert sums, those of players in place of stored ones; those of pairs are added to them."""
    execute_many(_put_tally(dialect_name()), sums.tally_rows())
    execute_many(_add_duel(dialect_name()), sums.duel_rows())


@cache
def _put_tally(dialect: str) -> Insert:
    """Build the statement that inserts a player's sums, or replaces those with the same key."""
    statement = insert_into(Tally, dialect)
    sums = {column.name: column for column in statement.excluded if column.name not in TALLY_KEY}
    made: Insert = statement.on_conflict_do_update(index_elements=TALLY_KEY, set_=sums)
    return made


@cache
def _add_duel(dialect: str) -> Insert:
    """Build the statement that inserts a pair's sums, or adds to those with the same key."""
    statement = insert_into(Duel, dialect)
    sums = {c.name: getattr(Duel, c.name) + c for c in statement.excluded if c.name not in DUEL_KEY}
    made: Insert = statement.on_conflict_do_update(index_elements=DUEL_KEY, set_=sums)
    return made


def _sum_up(night: Night) -> None:
    """Rebuild the sums of a night's month from its results."""
    scope = scope_of(night)
    for table in (Tally, Duel):
        _delete(table, *within(table, scope))
    _insert(Sums.of(stored_rounds(*within(Result, scope))))


def record_again(night: Night, line_ids: Collection[int]) -> None:
    """Update results and sums for lines of a night that were written from a file."""
    if not is_sqlite():
        execute(_LOCK, {"group_id": night.group_id})
    _delete(Result, *within(Result, scope_of(night)), Result.night_id == night.id, Result.line_id.in_(line_ids))
    lines = select(Line).where(*of_night(Line, night), Line.id.in_(line_ids)).options(joinedload(Line.current))
    rows = [row for played in played_in(night, db.session.scalars(lines)) for row in played.rows()]
    execute_many(insert(Result).inline(), rows)
    _sum_up(night)


def rebuild(group: Group) -> None:
    """Replace a group's results and sums by those that its log makes; the caller's transaction commits them."""
    for table in (Result, Tally, Duel):
        _delete(table, table.group_id == group.id)
    sums = Sums()
    rows: list[dict[str, Any]] = []
    nights = select(Night).where(Night.group_id == group.id).order_by(Night.id)
    for night in db.session.scalars(nights).all():
        lines = select(Line).where(*of_night(Line, night)).order_by(Line.number)
        for played in played_in(night, db.session.scalars(lines.options(joinedload(Line.current)))):
            rows += played.rows()
            sums.add(played)
    execute_many(insert(Result).inline(), rows)
    _insert(sums)


def _delete(table: type[Any], *conditions: ColumnElement[bool]) -> None:
    execute(delete(table).where(*conditions))
