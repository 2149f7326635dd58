"""The fewest payments that bring everybody to their balance.

People split into groups that each sum to zero; a group of n needs n - 1 payments, so the most groups make the fewest
payments. Up to `MOST_EXACT` people the most groups are found exactly; beyond, everyone is one group.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

MOST_EXACT = 15


@dataclass(frozen=True, slots=True)
class Payment:
    """Units that one person hands to another."""

    payer: str
    payee: str
    amount: int


def fewest_payments(balances: Mapping[str, int]) -> tuple[Payment, ...]:
    """Find the fewest payments that settle balances (positive: gets money) which sum to 0.

    They come in the order of the balances, by payer and then by payee.
    """
    assert sum(balances.values()) == 0
    open_balances = [(name, units) for name, units in balances.items() if units]
    pairs, others = _opposites(open_balances)
    groups = [*pairs, *(_most_groups(others) if len(others) <= MOST_EXACT else [others])]
    place = {name: at for at, name in enumerate(balances)}
    found = [payment for group in groups for payment in _within(group)]
    return tuple(sorted(found, key=lambda payment: (place[payment.payer], place[payment.payee])))


Balance = tuple[str, int]


def _opposites(balances: Sequence[Balance]) -> tuple[list[list[Balance]], list[Balance]]:
    """Take out two people who owe and get the same: some best grouping always has them together."""
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
    """Split balances into the most groups that each sum to zero.

    `most[people]` is the most groups that end within a subset, given as bits, when its people are lined up in the
    best order; `last[people]` who stands last in it. Whenever the sum of a prefix is zero a group ends.
    """
    number = len(balances)
    sums = [0]
    for _, units in balances:
        sums += [total + units for total in sums]
    most = [0] * (1 << number)
    last = [0] * (1 << number)
    for people in range(1, 1 << number):
        left = people
        top, who = -1, 0
        while left:
            bit = left & -left
            left ^= bit
            if most[people ^ bit] > top:
                top, who = most[people ^ bit], bit
        most[people] = top + (sums[people] == 0)
        last[people] = who
    groups: list[list[Balance]] = []
    people = (1 << number) - 1
    while people:
        if sums[people] == 0:
            groups.append([])
        bit = last[people]
        groups[-1].append(balances[bit.bit_length() - 1])
        people ^= bit
    return groups


def _within(group: Sequence[Balance]) -> list[Payment]:
    """Settle a group with at most one payment fewer than it has people: the largest debt pays the largest claim."""
    left = dict(group)
    found = []
    while any(left.values()):
        payer, payee = min(left, key=left.__getitem__), max(left, key=left.__getitem__)
        amount = min(-left[payer], left[payee])
        found.append(Payment(payer, payee, amount))
        left[payer] += amount
        left[payee] -= amount
    return found
