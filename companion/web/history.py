"""The history pages: a group's leaderboard, each player's results, and a night in charts."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from fractions import Fraction
from typing import Any, ClassVar

from flask import Blueprint, abort, render_template, request

from companion.engine.messages import Message
from companion.games import all_games
from companion.store.groups.seasons import Months, open_season, seasons_of
from companion.store.history import results as store
from companion.store.history.results import Span
from companion.store.history.tallies import ALL_GAMES, Summary
from companion.store.models import Group, Season, month_of, now, offset_here
from companion.store.night.reading import NightSums, round_numbers, sums_of

from .access.lookup import account_names, group_or_404, night_or_404
from .ledger_lines.best_hands import best_hands
from .ledger_lines.ending import highlights_of
from .text import charts
from .text.labels import pot_and_bank
from .text.language import dated, say

blueprint = Blueprint("history", __name__)
blueprint.add_app_template_global(charts.spark, "spark")
_MOST_SEASONS = 4  # of the closed ones among the usual periods
_MONTH = re.compile(r"[0-9]{4}-(0[1-9]|1[0-2])")


@dataclass(frozen=True)
class Filter:
    """The filter of a history page, as typed; invalid months are ignored, and reported on the page.

    `seasons` are the group's closed ones, the newest first.
    """

    game: str
    since: str
    until: str
    seasons: Sequence[tuple[Season, Months]] = ()
    problem: ClassVar = Message("This isn't a month; choose one, or write it like 2026-11")

    @classmethod
    def from_query(cls, games: Container[str], group: Group) -> Filter:
        """Read the filter from this page's query string; `games` are those to choose from."""
        game, since, until = (request.args.get(key, "") for key in ("game", "since", "until"))
        return cls(game if game in games else ALL_GAMES, since, until, seasons_of(group))

    @property
    def span(self) -> Span:
        return Span(self.game, *(text if _MONTH.fullmatch(text) else "" for text in (self.since, self.until)))

    @property
    def wrong(self) -> list[str]:
        """The fields with an invalid month."""
        return [key for key in ("since", "until") if (text := getattr(self, key)) and not _MONTH.fullmatch(text)]

    @property
    def periods(self) -> list[tuple[Message, str, str, bool]]:
        """List the usual periods: name, first month, last month, and whether it is the current filter."""
        month = this_month()
        year = month[:4]
        usual = [
            (Message("All time"), "", ""),
            (Message("This year"), f"{year}-01", f"{year}-12"),
            (Message("This month"), month, month),
            (Message("Last month"), last_month(), last_month()),
        ]
        if self.seasons:
            _, months = open_season(self.seasons)
            usual.append((Message("This season"), months.since, months.until))
        for season, months in self.seasons[:_MOST_SEASONS]:
            usual.append((Message("{season}", season=season.name), months.since, months.until))
        return [(name, since, until, (since, until) == (self.since, self.until)) for name, since, until in usual]


def this_month() -> str:
    """Return this month as in a leaderboard's URL, by the clock of this computer: "2026-11"."""
    return month_of(now(), offset_here(now()))


def last_month() -> str:
    """Return the previous month: "2026-10"."""
    return f"{datetime.strptime(this_month(), '%Y-%m') - timedelta(days=1):%Y-%m}"


def _names(group: Group) -> dict[int, str]:
    return {player.id: player.name for player in group.players}


def _games(group: Group) -> dict[str, Message]:
    """Return the names of all games by the key under which they are counted: the app's, then those tables named."""
    own = {key: Message(game.name) for key, game in all_games().items() if not game.is_named}
    return own | {key: Message("{game}", game=called) for key, called in store.named_games(group).items()}


@blueprint.get("/g/<public_id>/leaderboard")
def leaderboard(public_id: str) -> str:
    """Show a group's standings over all its nights or some months, in all games or one."""
    group = group_or_404(public_id, "look")
    games = _games(group)
    asked = Filter.from_query(games, group)
    standings = store.standings(group, asked.span)
    ranked = {
        currency: sorted(players.items(), key=lambda standing: (-standing[1].net, standing[0]))
        for currency, players in sorted(standings.items())
    }
    best = [(player, summary) for players in standings.values() for player, summary in players.items()]
    return render_template(
        "history/leaderboard.html",
        group=group,
        asked=asked,
        games=games,
        names=_names(group),
        ranked=ranked,
        hands=best_hands(group.id, best),
    )


@blueprint.get("/g/<public_id>/players/<int:number>")
def player(public_id: str, number: int) -> str:
    """Show a player's results: overall, by game, by month, and against each other player."""
    group = group_or_404(public_id, "look")
    shown_player = next((player for player in group.players if player.id == number), None) or abort(404)
    games = _games(group)
    asked = Filter.from_query(games, group)
    span = asked.span
    months = store.by_month(shown_player, span)
    totals = {currency: sum(of.values(), Summary()) for currency, of in sorted(months.items())}
    return render_template(
        "history/player.html",
        group=group,
        player=shown_player,
        asked=asked,
        games=games,
        names=_names(group),
        totals=totals,
        months=months,
        curves={currency: _over_months(group, shown_player.name, of) for currency, of in months.items()},
        by_game=store.by_game(shown_player, span) if span.game == ALL_GAMES else {},
        against=store.head_to_head(shown_player, span),
        hands=best_hands(group.id, [(shown_player.id, total) for total in totals.values()]),
    )


@blueprint.app_template_filter()
def rarest_first(players: Iterable[tuple[int, Summary]]) -> list[tuple[int, Summary]]:
    """Sort the players who showed a hand by their best one."""
    shown = [(player, summary) for player, summary in players if summary.best_line_id is not None]
    return sorted(shown, key=lambda item: Fraction(item[1].best_at_least or 0, item[1].best_of or 1))


@blueprint.app_template_filter()
def month_words(month: str) -> str:
    """Write a month, such as 2026-11, in the page's language: "Nov 2026"."""
    return dated(datetime.strptime(month, "%Y-%m"), say("MMM y"))


def _over_months(group: Group, name: str, months: dict[Any, Summary]) -> charts.LineChart:
    """Draw a player's running total, month by month."""
    sums = [0]
    for summary in months.values():
        sums.append(sums[-1] + summary.net)
    return charts.line_chart({name: sums}, ("", month_words(max(months))), group.names.values())


@blueprint.get("/s/<public_id>/pictures")
def pictures(public_id: str) -> str:
    """Show a night in charts, each with its numbers as a table."""
    night = night_or_404(public_id, "look")
    sums, names, rounds = sums_of(night), account_names(night.group), round_numbers(night)
    payments, results, people = sums.payments, sums.results, night.group.names
    curves = {names[key]: curve for key, curve in results.items()}
    return render_template(
        "history/pictures.html",
        night=night,
        names=names,
        sums=sums,
        rounds=rounds,
        results=results,
        payments=payments,
        chart=charts.line_chart(curves, _ends(rounds, sums), people.values()) if sums.lines else None,
        flow=charts.flow(payments, night.names | pot_and_bank(), people) if payments else None,
        highlights=highlights_of(night, sums),
    )


def _ends(rounds: Mapping[int, int], sums: NightSums) -> tuple[str, str]:
    """Return the labels for the start and the end of a night's chart, which may end with another movement."""
    last = rounds.get(sums.lines[-1].number)
    return say("start"), say("round {number}", number=last) if last else say("end")
