"""A group's past nights, as its page lists them: searched for, each with who won what, and who is ahead in all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import ClassVar

from flask import request

from companion.engine.messages import Message
from companion.engine.money.settlement import POT
from companion.store.groups.groups import Wanted, nights_of
from companion.store.history.results import nets_ever, rank_players
from companion.store.models import Group, Night
from companion.store.night.won import curves_of, won_in

from ..http.requests.parsing import page_before, row_number
from ..text.labels import pot_and_bank

_PAGE = 10


@dataclass
class Search:
    """The search terms as typed; invalid ones are ignored, and reported on the page."""

    player: str = ""
    game: str = ""
    since: str = ""
    until: str = ""
    problem: ClassVar = Message("This isn't a day; choose one, or write it like 2026-11-21")

    @classmethod
    def from_query(cls) -> Search:
        return cls(**{key: request.args.get(key, "") for key in ("player", "game", "since", "until")})

    @property
    def is_open(self) -> bool:
        return any((self.player, self.game, self.since, self.until))

    def wanted(self) -> Wanted:
        player = row_number(self.player)
        return Wanted(player, self.game or None, _day(self.since), _day(self.until))

    @property
    def wrong(self) -> list[str]:
        """The fields with an invalid day."""
        return [key for key in ("since", "until") if (text := getattr(self, key)) and _day(text) is None]


def _day(text: str) -> date | None:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None


@dataclass(frozen=True)
class ListedNight:
    """A night in the list.

    `nets` are what was won and lost, as (name, units) pairs, highest first, with the pot at the end unless it is empty;
    none if nothing was won yet. `winners` are the account keys of those who won most; `curve` is the sum of the only
    winner's rounds, 0 at first, then after each.
    """

    night: Night
    nets: list[tuple[str, int]]
    winners: list[str]
    curve: list[int]


def nights_on_page(group: Group, search: Search) -> tuple[list[ListedNight], int | None]:
    """Return the newest nights that are searched for, and where older ones begin; None if there are none."""
    nights = nights_of(group, page_before(), _PAGE + 1, search.wanted())
    return _listed(group, nights[:_PAGE]), nights[_PAGE - 1].id if len(nights) > _PAGE else None


def _listed(group: Group, nights: Sequence[Night]) -> list[ListedNight]:
    people, pot = group.names, pot_and_bank()[POT]
    won = won_in({night.id: group.id for night in nights})
    ranked = {
        night.id: sorted(((key, n) for key, n in won[night.id].items() if key in people), key=lambda net: -net[1])
        for night in nights
    }
    winners = {night: [key for key, n in nets if n == nets[0][1] > 0] for night, nets in ranked.items()}
    curves = curves_of({night: int(winners[night.id][0]) for night in nights if len(winners[night.id]) == 1})
    listed = []
    for night in nights:
        nets = [(people[key], units) for key, units in ranked[night.id]]
        left = won[night.id].get(POT, 0)
        best = winners[night.id]
        standings = [*nets, (pot, left)] if left else nets if best else []
        listed.append(ListedNight(night, standings, best, curves.get(night.id, [])))
    return listed


def podium(group: Group, last: Night | None) -> list[tuple[str, int]]:
    """Return all players over all rounds in the newest night's currency, with their nets in units, highest first.

    Empty if there are fewer than three.
    """
    if last is None:
        return []
    nets = nets_ever(group, last.currency or "")
    order = rank_players({str(player): net for player, net in nets.items()}, [*map(str, nets)])
    return order if len(order) > 2 else []
