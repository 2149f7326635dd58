"""Benchmarks who pays whom among twelve players."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from statistics import median

from companion.engine.money.payments import fewest_payments

from .race import Contender, Limit, Race, installed, timed

PLAYERS, STAKES = 12, (1, 1, 3)  # who drops loses one stake, who stays in and loses three


def night(random: Random) -> dict[str, int]:
    """Return the balances after twenty rounds, in each of which everyone else pays a winner."""
    balances = dict.fromkeys((f"P{at}" for at in range(PLAYERS)), 0)
    for _ in range(20):
        winner = random.choice(list(balances))
        for player in balances:
            paid = 0 if player == winner else random.choice(STAKES)
            balances[player] -= paid
            balances[winner] += paid
    return balances


def races(number: int) -> Iterator[Race]:
    """Race over a number of nights."""
    random = Random(number)
    nights = [night(random) for _ in range(number)]
    debts = installed("debts")
    greedy = debts and (lambda balances: debts.settle(list(balances.items())))
    yield Race("payments of twelve", Contender("ours", fewest_payments, nights), Contender("debts", greedy, nights))


def limits(number: int) -> Iterator[Limit]:
    """Settle up this many nights, one at a time."""
    random = Random(number)
    nights = [night(random) for _ in range(number)]

    def times() -> list[float]:
        """Time each night thrice and keep the best: what the machine did in between is not ours."""
        return [min(timed(lambda: fewest_payments(balances)) for _ in range(3)) for balances in nights]  # noqa: B023

    yield Limit("payments of twelve, median", lambda: median(times()), 0.000_1)
    yield Limit(f"payments of twelve, slowest of {number:,}", lambda: max(times()), 0.001)
