"""The results of all rounds and their sums, kept along with the log, so that a long history opens like a short one.

The log is the truth: everything here can be made from it again, and the audit does.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from sqlalchemy import ColumnElement, delete, exists, insert, or_, select
from sqlalchemy.orm import joinedload

from .database import begun_anew, transaction
from .models import Change, Duel, Group, Line, Player, PlaySession, Result, Revision, Tally, db
from .tallies import ALL_GAMES, DUEL_KEY, TALLY_KEY, Key, Part, Played, Row, Summary, Sums, Versus, parts_of

_PART = tuple(field.name for field in dataclasses.fields(Part))
_PLAYED = tuple(field.name for field in dataclasses.fields(Played) if field.name != "parts")
_SUMMARY = tuple(field.name for field in dataclasses.fields(Summary))
_VERSUS = tuple(field.name for field in dataclasses.fields(Versus))
_MOST_ROWS = 1_000  # in one statement


def month_of(session: PlaySession) -> str:
    """Tell in which month a session counts, as year and month of its beginning in UTC."""
    return f"{session.opened_at:%Y-%m}"


def played_in(session: PlaySession, lines: Iterable[Line]) -> Iterator[Played]:
    """Yield those lines that count as rounds, with what they came to; raises Unsettled."""
    for line in lines:
        if line.game is not None and line.current is not None and not line.current.voided:
            document = line.current.document
            about = (line.id, session.group_id, session.id, line.number, document["game"])
            yield Played(*about, month_of(session), session.currency or "", parts_of(document))


def record(session: PlaySession, change: Change) -> None:
    """Bring results and sums along with the rounds that a change has written."""
    written = select(Line).join(Line.current).where(Line.session_id == session.id, Revision.change_id == change.id)
    lines = list(db.session.scalars(written.where(Line.game.is_not(None)).order_by(Line.number)))
    if not lines:
        return
    # two sessions of a group share its sums
    db.session.execute(select(Group.id).where(Group.id == session.group_id).with_for_update(key_share=True))
    ids = [line.id for line in lines]
    is_new = _is_newest(session, lines[0]) and not db.session.scalar(select(exists().where(Result.line_id.in_(ids))))
    rounds = list(played_in(session, lines))
    db.session.execute(delete(Result).where(Result.line_id.in_(ids)))
    _insert(Result, [row for played in rounds for row in played.rows()])
    if is_new:
        for played in rounds:
            _add(played)
    else:
        _sum_up(_Scope(session.group_id, month_of(session), session.currency or ""))


def _is_newest(session: PlaySession, line: Line) -> bool:
    """Tell whether no round of the session's month comes after a line."""
    later = or_(Result.session_id > session.id, (Result.session_id == session.id) & (Result.number > line.number))
    scope = _Scope(session.group_id, month_of(session), session.currency or "")
    return not db.session.scalar(select(exists().where(*scope.of(Result), later)))


@dataclass(frozen=True, slots=True)
class _Scope:
    """Some of the sums: those of a month and currency."""

    group_id: int
    month: str
    currency: str

    def of(self, table: type[Result | Tally | Duel]) -> list[ColumnElement[bool]]:
        return [table.group_id == self.group_id, table.month == self.month, table.currency == self.currency]


def _add(played: Played) -> None:
    """Add the newest round of its month to the sums that it changes."""
    scope = _Scope(played.group_id, played.month, played.currency)
    players = [part.player_id for part in played.parts]
    tallies = [*scope.of(Tally), Tally.game.in_((played.game, ALL_GAMES)), Tally.player_id.in_(players)]
    duels = [*scope.of(Duel), Duel.game == played.game, Duel.first_id.in_(players), Duel.second_id.in_(players)]
    sums = stored_sums(tallies, duels)
    sums.add(played)
    _replace(tallies, duels, sums)


def _sum_up(scope: _Scope) -> None:
    """Sum up a month again from its results."""
    _replace(scope.of(Tally), scope.of(Duel), Sums.of(stored_rounds(*scope.of(Result))))


def _replace(tallies: Sequence[ColumnElement[bool]], duels: Sequence[ColumnElement[bool]], sums: Sums) -> None:
    db.session.execute(delete(Tally).where(*tallies))
    db.session.execute(delete(Duel).where(*duels))
    _insert(Tally, sums.tally_rows())
    _insert(Duel, sums.duel_rows())


def _insert(table: type[Any], rows: list[Row]) -> None:
    for at in range(0, len(rows), _MOST_ROWS):
        db.session.execute(insert(table.__table__), rows[at : at + _MOST_ROWS])


@begun_anew
def rebuild(group: Group) -> None:
    """Make the results and sums of a group from its log again; raises Unsettled."""
    with transaction():
        for table in (Result, Tally, Duel):
            db.session.execute(delete(table).where(table.group_id == group.id))
        make(group)


def make(group: Group) -> None:
    """Make the results and sums of a group that has none, inside of a transaction; raises Unsettled."""
    sums = Sums()
    sessions = select(PlaySession).where(PlaySession.group_id == group.id).order_by(PlaySession.id)
    for session in db.session.scalars(sessions).all():
        rounds = list(played_in(session, _lines(session)))
        _insert(Result, [row for played in rounds for row in played.rows()])
        for played in rounds:
            sums.add(played)
    _insert(Tally, sums.tally_rows())
    _insert(Duel, sums.duel_rows())


def _lines(session: PlaySession) -> list[Line]:
    query = select(Line).where(Line.session_id == session.id).order_by(Line.number)
    return list(db.session.scalars(query.options(joinedload(Line.current))))


def rounds_of(session: PlaySession) -> Iterator[Played]:
    """Yield the stored rounds of a session."""
    scope = _Scope(session.group_id, month_of(session), session.currency or "")
    return stored_rounds(*scope.of(Result), Result.session_id == session.id)


def best_of(session: PlaySession) -> tuple[int, Summary] | None:
    """Find the rarest hand of a session: its player's id, and the sum that holds it; None where none was shown."""
    sums = Sums.of(rounds_of(session)).tallies
    best: tuple[int, Summary] | None = None
    for key, summary in sums.items():
        if summary.is_rarer_than(best[1] if best else Summary()):
            best = key[1], summary
    return best


def stored_rounds(*conditions: ColumnElement[bool]) -> Iterator[Played]:
    """Yield stored rounds in the order in which they are summed up."""
    columns = [getattr(Result, name) for name in (*_PLAYED, *_PART)]
    query = select(*columns).where(*conditions).order_by(Result.session_id, Result.number, Result.player_id)
    for _, of_line in groupby(db.session.execute(query), key=lambda row: row.line_id):
        results = list(of_line)
        parts = tuple(Part(*(getattr(row, name) for name in _PART)) for row in results)
        yield Played(**{name: getattr(results[0], name) for name in _PLAYED}, parts=parts)


def stored_sums(tallies: Sequence[ColumnElement[bool]], duels: Sequence[ColumnElement[bool]]) -> Sums:
    """Read stored sums."""
    return Sums(dict(_tallies(*tallies)), dict(_duels(*duels)))


def _tallies(*conditions: ColumnElement[bool]) -> Iterator[tuple[Key, Summary]]:
    columns = [getattr(Tally, name) for name in (*TALLY_KEY, *_SUMMARY)]
    # months one after the other, so that streaks go on from one to the next
    for row in db.session.execute(select(*columns).where(*conditions).order_by(Tally.month)):
        yield tuple(row[: len(TALLY_KEY)]), Summary(*row[len(TALLY_KEY) :])


def _duels(*conditions: ColumnElement[bool]) -> Iterator[tuple[Key, Versus]]:
    columns = [getattr(Duel, name) for name in (*DUEL_KEY, *_VERSUS)]
    for row in db.session.execute(select(*columns).where(*conditions)):
        yield tuple(row[: len(DUEL_KEY)]), Versus(*row[len(DUEL_KEY) :])


@dataclass(frozen=True, slots=True)
class Span:
    """Which rounds are looked at: those of a game (or of all) from one month to another, both included ("2026-11")."""

    game: str = ALL_GAMES
    since: str = ""
    until: str = ""

    def of(self, table: type[Tally | Duel]) -> Iterator[ColumnElement[bool]]:
        """Yield what a row of a table has to fulfil; pairs are stored by game only."""
        if self.game != ALL_GAMES or table is Tally:
            yield table.game == self.game
        yield from self.months(table)

    def months(self, table: type[Tally | Duel]) -> Iterator[ColumnElement[bool]]:
        """Yield what the month of a row has to fulfil."""
        if self.since:
            yield table.month >= self.since
        if self.until:
            yield table.month <= self.until


Standings = dict[str, dict[Any, Summary]]


def standings(group: Group, span: Span) -> Standings:
    """Sum up every player of a group, by currency ("": chips) and the player's id."""
    return _summed("player_id", Tally.group_id == group.id, *span.of(Tally))


def by_game(player: Player, span: Span) -> Standings:
    """Sum up a player, by currency and game; the game of a span does not matter."""
    return _summed("game", *_of(player), Tally.game != ALL_GAMES, *span.months(Tally))


def by_month(player: Player, span: Span) -> Standings:
    """Sum up a player, by currency and month, in their order."""
    return _summed("month", *_of(player), *span.of(Tally))


def _of(player: Player) -> tuple[ColumnElement[bool], ...]:
    return Tally.group_id == player.group_id, Tally.player_id == player.id


def _summed(by: str, *conditions: ColumnElement[bool]) -> Standings:
    found: Standings = {}
    for key, summary in _tallies(*conditions):
        about = dict(zip(TALLY_KEY, key, strict=True))
        sums = found.setdefault(about["currency"], {})
        sums[about[by]] = sums.get(about[by], Summary()) + summary
    return found


def head_to_head(player: Player, span: Span) -> dict[str, dict[int, Versus]]:
    """Compare a player with each who was in the same rounds, by currency and the other's id."""
    found: dict[str, dict[int, Versus]] = {}
    is_in = or_(Duel.first_id == player.id, Duel.second_id == player.id)
    for key, versus in _duels(Duel.group_id == player.group_id, is_in, *span.of(Duel)):
        about = dict(zip(DUEL_KEY, key, strict=True))
        is_first = about["first_id"] == player.id
        other = about["second_id" if is_first else "first_id"]
        sums = found.setdefault(about["currency"], {})
        sums[other] = sums.get(other, Versus()) + (versus if is_first else -versus)
    return found


def lines_of_hands(ids: Iterable[int]) -> dict[int, Line]:
    """Find lines by their id, with what they say and their sessions."""
    query = select(Line).where(Line.id.in_(list(ids)))
    found = db.session.scalars(query.options(joinedload(Line.current), joinedload(Line.session)))
    return {line.id: line for line in found}
