"""A group's seasons: months whose rounds count together. Closing one names it, and says what decides who won it.

A season has whole months, as the sums of results do: so its table costs no more than a leaderboard, and follows what is
corrected later. The months after the last closed season are the one that is being played.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from sqlalchemy import delete, func, select

from companion.contract.reading.lookalikes import is_label
from companion.engine.messages import Message
from companion.engine.names import name_key

from ..db.database import execute, retry_transaction, transaction
from ..history.results import Span, standings
from ..history.tallies import Summary
from ..log.sent_forms import is_new
from ..models import Group, Season, Tally, db
from ..refusals import Conflict, Refused, Sent
from .deleting import must_stand
from .turns import must_be_written_here

MAX_NAME_LENGTH = 40
BY_NET, BY_WINS = RANKED_BY = ("net", "wins")
_NEXT_MONTH = timedelta(days=31)


@dataclass(frozen=True, slots=True)
class Months:
    """The months of a season, both inclusive ("2026-11").

    The first season begins with the group: `since` is "". Of the one being played, `until` is "".
    """

    since: str
    until: str

    @property
    def span(self) -> Span:
        """The filter for its rounds."""
        return Span(since=self.since, until=self.until)


def month_after(month: str) -> str:
    """Return the month after one: "2026-12" after "2026-11"."""
    return f"{date.fromisoformat(f'{month}-01') + _NEXT_MONTH:%Y-%m}"


def seasons_of(group: Group) -> list[tuple[Season, Months]]:
    """List a group's closed seasons, the newest first."""
    query = select(Season).where(Season.group_id == group.id).order_by(Season.number)
    seasons, since = [], ""
    for season in db.session.scalars(query):
        seasons.append((season, Months(since, season.until)))
        since = month_after(season.until)
    return seasons[::-1]


@dataclass(frozen=True, slots=True)
class OpenSeason:
    """The season being played. It gets its own name when it is closed, and until then is ranked as the one before."""

    number: int
    ranked_by: str


def open_season(seasons: Sequence[tuple[Season, Months]]) -> tuple[OpenSeason, Months]:
    """Return the season being played, given the closed ones, the newest first."""
    if not seasons:
        return OpenSeason(1, BY_NET), Months("", "")
    last, _ = seasons[0]
    return OpenSeason(last.number + 1, last.ranked_by), Months(month_after(last.until), "")


def months_to_close(group: Group, today: str) -> list[str]:
    """List the months with which the season being played may end, the newest first: those with rounds, up to today's.

    `today` is this month.
    """
    _, months = open_season(seasons_of(group))
    of_group = (Tally.group_id == group.id, Tally.month >= months.since, Tally.month <= today)
    query = select(Tally.month).where(*of_group).distinct()
    return sorted(db.session.scalars(query), reverse=True)


def first_month(group: Group) -> str:
    """Return a group's first month with rounds; "" if it has none."""
    return db.session.scalar(select(func.min(Tally.month)).where(Tally.group_id == group.id)) or ""


def ranked(group: Group, months: Months, by: str) -> dict[str, list[tuple[int, Summary]]]:
    """Rank players (ids) by net or rounds won in some months, by currency ("" for chips)."""
    by_currency = standings(group, months.span)
    return {currency: in_order(by_currency[currency].items(), by) for currency in sorted(by_currency)}


def in_order(players: Iterable[tuple[int, Summary]], by: str) -> list[tuple[int, Summary]]:
    """Sort players by what decides a season, the best first."""
    return sorted(players, key=lambda player: (-int(getattr(player[1], by)), player[0]))


def champions(players: list[tuple[int, Summary]], by: str) -> list[int]:
    """Return the players who are first, if they won anything."""
    most = max((int(getattr(sums, by)) for _, sums in players), default=0)
    return [player for player, sums in players if getattr(sums, by) == most > 0]


def must_be_named(name: str, earlier: Iterable[str]) -> None:
    """Raise Refused unless a name is visible, short enough, and another than the earlier ones."""
    if not is_label(name, MAX_NAME_LENGTH):
        raise Refused(Message("A season needs a name of up to {most} characters", most=MAX_NAME_LENGTH))
    if name_key(name.strip()) in map(name_key, earlier):
        raise Refused(Message("There is already a season with this name; choose another one"))


@retry_transaction
def close_season(group: Group, name: str, by: str, until: str, today: str, sent: Sent) -> None:
    """Close the season being played with a month. Raises Refused if it can't end with that, or has no good name."""
    with transaction():
        must_stand(group)
        if not is_new(group.id, sent.key, ["season", name.strip(), by, until]):
            return
        must_be_written_here(group)
        earlier = [season for season, _ in seasons_of(group)]
        must_be_named(name, [season.name for season in earlier])
        if by not in RANKED_BY:
            raise Refused(Message("Choose what decides the season"))
        if until not in months_to_close(group, today):
            raise Refused(Message("A season ends with a month in which you played, after the last one"))
        number = earlier[0].number + 1 if earlier else 1
        db.session.add(Season(group_id=group.id, number=number, name=name.strip(), ranked_by=by, until=until))


@retry_transaction
def reopen_season(group: Group, number: int, sent: Sent) -> None:
    """Go on with the season that was closed last. Raises Conflict if it isn't that any more."""
    with transaction():
        must_stand(group)
        if not is_new(group.id, sent.key, ["season again", number]):
            return
        must_be_written_here(group)
        seasons = seasons_of(group)
        if not seasons or seasons[0][0].number != number:
            raise Conflict(Message("Only the season that was closed last can be reopened"))
        execute(delete(Season).where(Season.group_id == group.id, Season.number == number))
