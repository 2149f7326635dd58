"""The fewest payments that settle everybody's balance.

Split people into groups that each sum to zero. A group of n needs n - 1 payments, so the most groups give the fewest
payments. For up to `MOST_EXACT` people the best split is found exactly; beyond that, everyone is one group.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

MOST_EXACT = 15
_LEAST_GROUP = 3  # with the pairs taken out


@dataclass(frozen=True, slots=True)
class Payment:
    """Units that one person pays another."""

    payer: str
    payee: str
    amount: int


def fewest_payments(balances: Mapping[str, int]) -> tuple[Payment, ...]:
    """Return the fewest payments that settle balances, which sum to 0 (positive: receives money).

    They are sorted by payer, then payee, in the order of the balances.
    """
    assert sum(balances.values()) == 0
    open_balances = [(name, units) for name, units in balances.items() if units]
    pairs, others = _opposites(open_balances)
    can_split = 2 * _LEAST_GROUP <= len(others) <= MOST_EXACT
    groups = [*pairs, *(_most_groups(others) if can_split else [others])]
    place = {name: at for at, name in enumerate(balances)}
    found = [payment for group in groups for payment in _within(group)]
    return tuple(sorted(found, key=lambda payment: (place[payment.payer], place[payment.payee])))


Balance = tuple[str, int]


def _opposites(balances: Sequence[Balance]) -> tuple[list[list[Balance]], list[Balance]]:
    """Pair up people who owe and are owed the same amount; some optimal grouping always has such pairs."""
    waiting: dict[int, list[Balance]] = {}
    pairs = []
    for balance in balances:
        if waiting.get(-balance[1]):
            pairs.append([waiting[-balance[1]].pop(), balance])
        else:
            waiting.setdefault(balance[1], []).append(balance)
    paired = {name for pair in pairs for name, _ in pair}
    return pairs, [balance for balance in balances if balance[0] not in paired]


def _most_groups(balances: Sequence[Balance]) -> list[list[Balance]]:
    """Split balances that sum to zero into as many groups as possible that each sum to zero.

    A set of people is an integer with one bit per person. Some group contains the first remaining person: try every
    such set that sums to zero, and split the rest the same way.
    """
    by_first: dict[int, list[int]] = {}
    for people in _sum_to_zero([units for _, units in balances]):
        by_first.setdefault(people & -people, []).append(people)

    @cache
    def split(left: int) -> tuple[int, ...]:
        people = left.bit_count()
        best: tuple[int, ...] = (left,)
        for group in by_first[left & -left] if people >= 2 * _LEAST_GROUP else ():
            if group & left == group != left:
                groups = (group, *split(left ^ group))
                if len(groups) > len(best):
                    best = groups
                    if people < (len(best) + 1) * _LEAST_GROUP:
                        break  # they are too few for another group
        return best

    everybody = (1 << len(balances)) - 1
    return [[balance for at, balance in enumerate(balances) if group >> at & 1] for group in split(everybody)]


def _sum_to_zero(units: Sequence[int]) -> Iterator[int]:
    """Yield the sets of people whose units sum to zero, by matching sums of one half of the people with the other
    half's.
    """
    half = len(units) >> 1
    low: dict[int, list[int]] = {}
    for people, total in enumerate(_sums(units[:half])):
        low.setdefault(-total, []).append(people)
    for others, total in enumerate(_sums(units[half:])):
        for people in low.get(total, ()):
            if people or others:
                yield others << half | people


def _sums(units: Sequence[int]) -> list[int]:
    """List the sum of every set of people."""
    sums = [0]
    for amount in units:
        sums += [total + amount for total in sums]
    return sums


def _within(group: Sequence[Balance]) -> list[Payment]:
    """Settle a group with fewer payments than people: the largest debtor repeatedly pays the largest creditor."""
    left = dict(group)
    found = []
    for _ in group[1:]:
        payer, payee = min(left, key=left.__getitem__), max(left, key=left.__getitem__)
        amount = min(-left[payer], left[payee])
        if not amount:
            break
        found.append(Payment(payer, payee, amount))
        left[payer] += amount
        left[payee] -= amount
    return found
