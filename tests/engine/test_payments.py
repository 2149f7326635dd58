"""The fewest payments, against brute force over all ways to split people into groups."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import permutations
from random import Random

import pytest

from companion.engine.money.payments import Payment, fewest_payments

EXAMPLES = {
    # balances, the number of payments
    "contract": ("200 -75 -50 -75", 3),
    "8 5 -4 -4 -5": ("8 5 -4 -4 -5", 3),
    "nobody owes": ("0 0 0", 0),
    "one pays one": ("5 -5", 1),
    "who is even pays nothing": ("5 0 -5 0", 1),
    "two pairs": ("5 -5 7 -7", 2),
    "two pairs of the same": ("5 5 -5 -5", 2),
    "greedy needs five": ("6 4 -5 -5 3 -3", 4),
    "two groups of three": ("7 -3 -4 11 -5 -6", 4),
    "greedy joins what falls apart": ("9 6 -5 -4 -3 -3", 4),
    "chips against thousands": ("1000001 -1000000 -1", 2),
    "one for all": ("-9 1 2 3 3", 4),
}


def named(text: str) -> dict[str, int]:
    return {"ABCDEFGHIJKLMNOP"[at]: int(units) for at, units in enumerate(text.split())}


def check(balances: Mapping[str, int], payments: Sequence[Payment]) -> None:
    """Everyone gets their balance, nobody pays needlessly, and the order is that of the balances."""
    reached = dict.fromkeys(balances, 0)
    for payment in payments:
        assert payment.amount > 0
        assert payment.payer != payment.payee
        reached[payment.payer] -= payment.amount
        reached[payment.payee] += payment.amount
    assert reached == dict(balances)
    assert all(balances[payment.payer] < 0 < balances[payment.payee] for payment in payments)
    places = list(balances)
    order = [(places.index(payment.payer), places.index(payment.payee)) for payment in payments]
    assert order == sorted(set(order))


def partitions(people: Sequence[int]) -> Iterator[list[list[int]]]:
    """All ways to split people into groups."""
    if not people:
        yield []
        return
    first, *rest = people
    for groups in partitions(rest):
        yield [[first], *groups]
        for at, group in enumerate(groups):
            yield [*groups[:at], [first, *group], *groups[at + 1 :]]


def brute_force(balances: Sequence[int]) -> int:
    """A group of n that sums to zero needs n - 1 payments, so the most groups need the fewest."""
    people = [units for units in balances if units]
    return len(people) - max(len(groups) for groups in partitions(people) if not any(map(sum, groups)))


def greedy(balances: Sequence[int]) -> int:
    """How many payments it takes if the largest debtor always pays the largest creditor."""
    left = list(balances)
    number = 0
    while any(left):
        low, high = left.index(min(left)), left.index(max(left))
        amount = min(-left[low], left[high])
        left[low] += amount
        left[high] -= amount
        number += 1
    return number


def some_balances(random: Random, number: int, most: int) -> dict[str, int]:
    units = [random.randint(-most, most) for _ in range(number - 1)]
    units.append(-sum(units))
    random.shuffle(units)
    return {f"P{at}": amount for at, amount in enumerate(units)}


@pytest.mark.parametrize(("text", "number"), EXAMPLES.values(), ids=EXAMPLES)
def test_example(text: str, number: int) -> None:
    balances = named(text)
    payments = fewest_payments(balances)
    check(balances, payments)
    assert len(payments) == number == brute_force(list(balances.values()))


@pytest.mark.parametrize("number", range(1, 8))
@pytest.mark.parametrize("most", [3, 9, 1000])
def test_never_more_payments_than_a_brute_force_finds(number: int, most: int) -> None:
    random = Random(number * most)
    for _ in range(60 if number < 7 else 40):
        balances = some_balances(random, number, most)
        payments = fewest_payments(balances)
        check(balances, payments)
        assert len(payments) == brute_force(list(balances.values())), balances


@pytest.mark.parametrize("most", [4, 12, 40, 10**12])
def test_never_more_payments_than_greedy_for_twelve(most: int) -> None:
    random = Random(most)
    for _ in range(10):
        balances = some_balances(random, 12, most)
        payments = fewest_payments(balances)
        check(balances, payments)
        assert len(payments) <= greedy(list(balances.values()))


@pytest.mark.parametrize("number", [16, 17, 30])
def test_beyond_max_exact_everyone_is_one_group(number: int) -> None:
    """No amount is another's opposite: 1, 2, 4, ... on one side and their sum on the other."""
    balances = {f"P{at}": 2**at for at in range(number - 1)} | {"all": 1 - 2 ** (number - 1)}
    payments = fewest_payments(balances)
    check(balances, payments)
    assert len(payments) == number - 1


def test_the_largest_pay_the_largest_among_many() -> None:
    """Six groups of three, too many people to be split exactly, of which each is ten times as large as the last."""
    balances = {f"{side}{at}": share * 10**at for at in range(6) for side, share in [("in", 10), ("a", -6), ("b", -4)]}
    payments = fewest_payments(balances)
    check(balances, payments)
    assert len(payments) == 12


def test_pairs_are_found_among_many() -> None:
    """Twenty pairs and a group of three; the largest debtor and the largest creditor are in different groups."""
    balances = {f"{side}{at}": sign * (at + 50) for at in range(20) for side, sign in [("in", 1), ("out", -1)]}
    balances |= {"all": 90, "more": -48, "less": -42}
    payments = fewest_payments(balances)
    check(balances, payments)
    assert greedy(list(balances.values())) > len(payments) <= 20 + 2


def test_the_same_balances_give_the_same_payments_in_the_order_of_the_names() -> None:
    balances = {"A": 8, "B": 5, "C": -4, "D": -4, "E": -5}
    first = fewest_payments(balances)
    for order in permutations(balances):
        turned = {name: balances[name] for name in order}
        found = fewest_payments(turned)
        check(turned, found)
        assert found == fewest_payments(turned)
        assert len(found) == 3
    assert fewest_payments(balances) == first


def test_balances_must_sum_to_zero_and_are_left_alone() -> None:
    balances = {"A": 3, "B": -3}
    fewest_payments(balances)
    assert balances == {"A": 3, "B": -3}
    with pytest.raises(AssertionError):
        fewest_payments({"A": 3, "B": -2})
