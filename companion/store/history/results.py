"""Reads the stored results of rounds and their sums, which `recording` keeps up to date."""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from sqlalchemy import ColumnElement, Select, bindparam, func, or_, select
from sqlalchemy.orm import joinedload

from companion.games import all_games, game_of

from ..db.database import execute
from ..models import Duel, Group, Line, Night, Player, Result, Tally, TypedText, db
from ..night_key import of_same_group
from .tallies import ALL_GAMES, DUEL_KEY, PLAYED, TALLY_KEY, Key, Part, Played, Summary, Sums, Versus, is_of_named

_PART = tuple(field.name for field in dataclasses.fields(Part))
_SUMMARY = tuple(field.name for field in dataclasses.fields(Summary))
_VERSUS = tuple(field.name for field in dataclasses.fields(Versus))
# sorted by month, because streaks continue from one month to the next
TALLIES = select(*(getattr(Tally, name) for name in (*TALLY_KEY, *_SUMMARY))).order_by(Tally.month)
DUELS = select(*(getattr(Duel, name) for name in (*DUEL_KEY, *_VERSUS)))
IN_ORDER = (Result.night_id, Result.number)
_NETS_EVER = (
    select(Tally.player_id, func.sum(Tally.net))
    .where(Tally.group_id == bindparam("group"), Tally.currency == bindparam("currency"), Tally.game == ALL_GAMES)
    .group_by(Tally.player_id)
)


def scope_of(night: Night) -> dict[str, Any]:
    """Return what a night's rounds are summed by: group, currency ("" for chips), and month ("2026-11")."""
    return {"group_id": night.group_id, "month": night.month, "currency": night.currency or ""}


def within(table: type[Result | Tally | Duel], scope: Mapping[str, Any]) -> list[ColumnElement[bool]]:
    """Return the conditions for a table's rows in a scope."""
    return [getattr(table, name) == value for name, value in scope.items()]


def results_of(night: Night) -> Iterator[Played]:
    """Yield the stored results of a night's rounds."""
    return stored_rounds(*within(Result, scope_of(night)), Result.night_id == night.id)


def best_of(night: Night) -> list[tuple[int, Summary]]:
    """List the players (ids) with a night's rarest hand, each with the sums of the first round that shows it.

    Equally rare hands share it, in the order of the rounds; empty if no hand was shown.
    """
    best: dict[int, Summary] = {}
    rarest = Summary()
    for played in results_of(night):
        for part in played.parts:
            summary = Summary.of(part, played.line_id)
            if summary.is_rarer_than(rarest):
                best, rarest = {part.player_id: summary}, summary
            elif summary.best_of is not None and not rarest.is_rarer_than(summary):
                best.setdefault(part.player_id, summary)
    return list(best.items())


def stored_rounds(*conditions: ColumnElement[bool]) -> Iterator[Played]:
    """Yield stored rounds in the order they are summed up."""
    columns = [getattr(Result, name) for name in (*PLAYED, *_PART)]
    query = select(*columns).where(*conditions).order_by(*IN_ORDER, Result.player_id)
    for _, of_line in groupby(execute(query), key=lambda row: row.line_id):
        results = list(of_line)
        parts = tuple(Part(*(getattr(row, name) for name in _PART)) for row in results)
        yield Played(**{name: getattr(results[0], name) for name in PLAYED}, parts=parts)


def stored_sums(tallies: Select[Any], duels: Select[Any]) -> Sums:
    """Read stored sums with two queries: `TALLIES` and `DUELS`, each with conditions."""
    pairs = {tuple(row[: len(DUEL_KEY)]): Versus(*row[len(DUEL_KEY) :]) for row in execute(duels)}
    return Sums(tallies_in(execute(tallies)), pairs)


def tallies_in(rows: Iterable[Sequence[Any]]) -> dict[Key, Summary]:
    """Return players' stored sums, given the rows of `TALLIES` with conditions."""
    return {tuple(row[: len(TALLY_KEY)]): Summary(*row[len(TALLY_KEY) :]) for row in rows}


@dataclass(frozen=True, slots=True)
class Span:
    """A filter for rounds: one game or all, between two months, both inclusive ("2026-11")."""

    game: str = ALL_GAMES
    since: str = ""
    until: str = ""

    def of(self, table: type[Tally | Duel]) -> Iterator[ColumnElement[bool]]:
        """Yield a table's conditions; duels have no rows for all games together."""
        if self.game != ALL_GAMES or table is Tally:
            yield table.game == self.game
        yield from self.months(table)

    def months(self, table: type[Tally | Duel]) -> Iterator[ColumnElement[bool]]:
        """Yield the conditions on the month."""
        if self.since:
            yield table.month >= self.since
        if self.until:
            yield table.month <= self.until


Standings = dict[str, dict[Any, Summary]]


def standings(group: Group, span: Span) -> Standings:
    """Sum up every player of a group, by currency ("" for chips) and player id."""
    return _summed("player_id", Tally.group_id == group.id, *span.of(Tally))


def nets_ever(group: Group, currency: str) -> dict[int, int]:
    """Return the net of every player of a group over all rounds in a currency ("" for chips), by player id."""
    return {player: int(net) for player, net in execute(_NETS_EVER, {"group": group.id, "currency": currency})}


def players_of(night: Night) -> set[str]:
    """Return the keys of the players who were in a round of a night that counts."""
    query = select(Result.player_id).where(*within(Result, scope_of(night)), Result.night_id == night.id).distinct()
    return {str(player) for player in db.session.scalars(query)}


def rank_players(won: Mapping[str, int], players: Collection[str]) -> list[tuple[str, int]]:
    """Rank players, by key, with what they won in units, highest first: who played a round, or won or lost otherwise.

    Who only sat down has no place among those who played, before anybody who lost.
    """
    played = [(key, units) for key, units in won.items() if key in players or units]
    return sorted(played, key=lambda net: -net[1])


def named_games(group: Group) -> dict[str, str]:
    """Return the names of a group's games that the app doesn't know, by the key under which they are counted.

    That is what its tables have called games without a name, and games that aren't installed here. Sorted by name.
    """
    query = (
        select(Tally.game).where(Tally.group_id == group.id, Tally.game.not_in([ALL_GAMES, *all_games()])).distinct()
    )
    keys = list(db.session.scalars(query))
    ids = {key: int(key.rpartition(".")[2]) for key in keys if is_of_named(key)}
    texts = select(TypedText.id, TypedText.text).where(TypedText.group_id == group.id, TypedText.id.in_(ids.values()))
    called: dict[int, str] = dict(db.session.execute(texts).all()) if ids else {}
    names = {key: called[ids[key]] if key in ids else game_of(key).name for key in keys}
    return dict(sorted(names.items(), key=lambda named: named[1].casefold()))


def by_game(player: Player, span: Span) -> Standings:
    """Sum up a player by currency and game, whatever the span's game."""
    return _summed("game", *_rows_of(player), Tally.game != ALL_GAMES, *span.months(Tally))


def by_month(player: Player, span: Span) -> Standings:
    """Sum up a player by currency and month, in order."""
    return _summed("month", *_rows_of(player), *span.of(Tally))


def _rows_of(player: Player) -> tuple[ColumnElement[bool], ...]:
    return Tally.group_id == player.group_id, Tally.player_id == player.id


def _summed(by: str, *conditions: ColumnElement[bool]) -> Standings:
    by_currency: Standings = {}
    for key, summary in tallies_in(execute(TALLIES.where(*conditions))).items():
        about = dict(zip(TALLY_KEY, key, strict=True))
        sums = by_currency.setdefault(about["currency"], {})
        sums[about[by]] = sums.get(about[by], Summary()) + summary
    return by_currency


def head_to_head(player: Player, span: Span) -> dict[str, dict[int, Versus]]:
    """Compare a player with everyone who was in the same rounds, by currency and the other's id."""
    is_in = or_(Duel.first_id == player.id, Duel.second_id == player.id)
    pair = (Duel.currency, Duel.first_id, Duel.second_id)
    query = select(*pair, *(func.sum(getattr(Duel, name)) for name in _VERSUS)).group_by(*pair)
    rows = db.session.execute(query.where(Duel.group_id == player.group_id, is_in, *span.of(Duel)))
    by_currency: dict[str, dict[int, Versus]] = {}
    for currency, first, second, *sums in rows:
        versus = Versus(*map(int, sums))
        of_currency = by_currency.setdefault(currency, {})
        of_currency[second if first == player.id else first] = versus if first == player.id else -versus
    return by_currency


def lines_of_hands(group_id: int, ids: Iterable[int]) -> dict[int, tuple[Line, str]]:
    """Load lines of a group by id, with their entries; each comes with its night's public id."""
    of_night = of_same_group(Night, Line, Night.id == Line.night_id)
    query = select(Line, Night.public_id).join(Night, of_night)
    query = query.where(Line.group_id == group_id, Line.id.in_(list(ids))).options(joinedload(Line.current))
    return {line.id: (line, night) for line, night in db.session.execute(query)}
