"""A demo group: nights with all games' examples, booked by the same functions as real ones."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import timedelta
from itertools import count
from typing import Any

from companion.contract.catalogue import example_document, example_round
from companion.contract.naming import renamed
from companion.engine.game import EXAMPLE_PLAYERS, AnyGame
from companion.games import all_games

from ..groups.groups import make_group, start_night
from ..groups.links import hashed
from ..models import Group, now
from ..money import settle_up
from ..refusals import Sent
from . import play, revising
from . import settings as night_changes

_DAYS_BETWEEN = 30  # so that the history has several months
_BUY_IN = 100
Example = Mapping[str, Any]


def make_demo(name: str, secret: str, device: str) -> Group:
    """Create the demo that a secret opens. The same secret again returns the same demo, completing it if necessary.

    Each night has one example of every game. The last night is open and played with stacks, with one corrected and one
    voided round, and with a pot if an example leaves one. The others are closed and settled up.
    """
    group = make_group(name, EXAMPLE_PLAYERS, secret, is_demo=True)
    nights = list(_nights())
    for number, rounds in enumerate(nights):
        is_last = number == len(nights) - 1
        days = _DAYS_BETWEEN * (len(nights) - 1 - number)
        night = _Night(group, f"{_mark(secret)}-{number}", device, rounds[0][0], days)
        for at, (game, example) in enumerate(rounds):
            night.books(game, example, wrong_before=game.examples[0] if is_last and not at else None)
        if is_last:
            night.voids(2)
        else:
            night.ends(all_paid=number == 0)
    return group


def _nights() -> Iterator[list[tuple[AnyGame, Example]]]:
    """Distribute the games' examples over nights; within a night, rounds that leave a pot come last."""
    games = all_games().values()
    for number in range(max(len(game.examples) for game in games)):
        rounds = [(game, game.examples[number]) for game in games if number < len(game.examples)]
        yield sorted(rounds, key=lambda round: _leaves_pot(*round))


def _leaves_pot(game: AnyGame, example: Example) -> bool:
    return game.settle(example_round(game, example)).pot_closing > 0


def _mark(secret: str) -> str:
    return hashed(f"demo:{secret}")[:32]


class _Night:
    """A night being played. Keys of changes derive from the demo's secret, so that repeating them has no effect."""

    def __init__(self, group: Group, key: str, device: str, first: AnyGame, days_ago: int) -> None:
        self._group, self._device = group, device
        self._keys = (f"{key}-{number}" for number in count())
        self._players = {player.name: str(player.id) for player in group.players}
        self._lines = 0
        began = now() - timedelta(days=days_ago)
        seats = [player.id for player in group.players]
        buy_in = None if days_ago else _BUY_IN
        form_key = next(self._keys)
        self._night = start_night(group, seats, first.key, {}, form_key, opened_at=began, buy_in=buy_in)
        self._id = self._night.public_id

    def _sent(self) -> Sent:
        return Sent(next(self._keys), self._device)

    def books(self, game: AnyGame, example: Example, wrong_before: Example | None) -> None:
        """Book a round. If `wrong_before` is given, book that first, then correct it."""
        self._lines += 1
        document = self._dealt(game, example)
        first = document if wrong_before is None else self._dealt(game, wrong_before)
        play.save_round(self._id, self._lines, first, self._sent())
        if wrong_before is not None:
            revising.correct(self._id, self._lines, document, 1, self._sent())

    def _dealt(self, game: AnyGame, example: Example) -> dict[str, Any]:
        document = example_document(game, example)
        dealer = document["players"][self._lines % len(document["players"])]
        return renamed({**document, "dealer": dealer}, self._players)

    def voids(self, number: int) -> None:
        """Void a line that hasn't been changed before."""
        line = play.find_line(self._night, number)
        assert line is not None
        revising.correct(self._id, number, line.current.document, 1, self._sent(), voided=True)

    def ends(self, *, all_paid: bool) -> None:
        """Close the night, splitting the pot, and settle up, paying either everything or just the first payment."""
        night_changes.close(self._id, True, self._sent())
        plan = settle_up.make_plan(self._group, self._night, None, None, self._sent())
        for payment in plan.payments if all_paid else plan.payments[:1]:
            settle_up.pay(plan.public_id, payment.position, payment.amount, self._sent())
