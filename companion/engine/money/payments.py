"""The fewest payments that settle everybody's balance.

Split people into groups that each sum to zero. A group of n needs n - 1 payments, so the most groups give the fewest
payments. First, people who owe and are owed the same amount are paired up. For up to `MAX_EXACT` others the best split
is found exactly; beyond that, they are one group.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from heapq import heapify, heappop, heapreplace
from typing import NamedTuple

MAX_EXACT = 15
_MIN_GROUP = 3  # pairs are found first


class Payment(NamedTuple):
    """Units that one person pays another."""

    payer: str
    payee: str
    amount: int


def fewest_payments(balances: Mapping[str, int]) -> tuple[Payment, ...]:
    """Return the fewest payments that settle balances, which sum to 0 (positive: receives money).

    With more than `MAX_EXACT` people there may be a way with fewer. Payments are sorted by payer, then payee, in the
    order of `balances`.
    """
    assert sum(balances.values()) == 0
    pairs, others = _opposites([(position, units) for position, units in enumerate(balances.values()) if units])
    can_split = 2 * _MIN_GROUP <= len(others) <= MAX_EXACT
    groups = [*pairs, *(_most_groups(others) if can_split else [others])]
    names = list(balances)
    payments = [payment for group in groups for payment in _within(group)]
    payments.sort()
    return tuple(Payment(names[payer], names[payee], amount) for payer, payee, amount in payments)


Balance = tuple[int, int]  # a person's position among all, and their units


def _opposites(balances: Sequence[Balance]) -> tuple[list[list[Balance]], list[Balance]]:
    """Pair up people who owe and are owed the same amount; some optimal grouping always has such pairs."""
    waiting: dict[int, list[Balance]] = {}
    pairs = []
    for balance in balances:
        if waiting.get(-balance[1]):
            pairs.append([waiting[-balance[1]].pop(), balance])
        else:
            waiting.setdefault(balance[1], []).append(balance)
    paired = {position for pair in pairs for position, _ in pair}
    return pairs, [balance for balance in balances if balance[0] not in paired]


def _most_groups(balances: Sequence[Balance]) -> list[list[Balance]]:
    """Split balances that sum to zero into as many groups as possible that each sum to zero.

    A set of people is an integer with one bit per person. Some group contains the first remaining person: try every
    such set that sums to zero, and split the rest the same way.
    """
    everybody = (1 << len(balances)) - 1
    with_first = _sum_to_zero([units for _, units in balances])
    by_first = {1: with_first}
    for people in reversed(with_first[:-1]):  # the last set is everybody
        others = everybody ^ people  # sums to zero as well
        by_first.setdefault(others & -others, []).append(others)

    @cache
    def split(left: int) -> tuple[int, ...]:
        best: tuple[int, ...] = (left,)
        largest = left.bit_count() - _MIN_GROUP  # a larger group leaves too few people to beat the best
        for group in by_first[left & -left] if largest >= _MIN_GROUP else ():
            if group & left == group and group.bit_count() <= largest:
                groups = (group, *split(left ^ group))
                if len(groups) > len(best):
                    best = groups
                    largest = left.bit_count() - len(best) * _MIN_GROUP
        return best

    return [[balance for at, balance in enumerate(balances) if group >> at & 1] for group in split(everybody)]


def _sum_to_zero(units: Sequence[int]) -> list[int]:
    """List the sets of people with the first one whose units sum to zero, in ascending order.

    Meets in the middle: sums of one half of the people are matched with those of the other half.
    """
    half = len(units) >> 1
    low: dict[int, list[int]] = {}
    for people, total in enumerate(_sums(units[0], units[1:half])):
        low.setdefault(-total, []).append(people << 1 | 1)
    high = enumerate(_sums(0, units[half:]))
    return [people << half | others for people, total in high if total in low for others in low[total]]


def _sums(start: int, units: Sequence[int]) -> list[int]:
    """List the sum of every set of people, added to `start`."""
    sums = [start]
    for amount in units:
        sums += [total + amount for total in sums]
    return sums


def _within(group: Sequence[Balance]) -> list[tuple[int, int, int]]:
    """Settle a group with fewer payments than people: the largest debtor repeatedly pays the largest creditor.

    Returns payers, payees and amounts.
    """
    debtors = [(units, position) for position, units in group if units < 0]
    creditors = [(-units, position) for position, units in group if units > 0]
    heapify(debtors)
    heapify(creditors)
    payments = []
    while debtors:
        (owes, payer), (gets, payee) = debtors[0], creditors[0]  # both amounts are negative
        if owes < gets:
            payments.append((payer, payee, -gets))
            heapreplace(debtors, (owes - gets, payer))
            heappop(creditors)
        else:
            payments.append((payer, payee, -owes))
            heappop(debtors)
            if gets < owes:
                heapreplace(creditors, (gets - owes, payee))
            else:
                heappop(creditors)
    return payments
