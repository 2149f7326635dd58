"""Dividing money: shares with odd units either way, payments that fill parts, and the layers of a pot."""

from __future__ import annotations

import re
from collections import Counter
from random import Random

import pytest

from companion.engine.money.pots import fill, layers, share

SHARES = [
    # units, sharers, with the odd units in turn order, with the odd units left
    (10, "A", "A10", "A10"),
    (10, "AB", "A5 B5", "A5 B5"),
    (10, "ABC", "A4 B3 C3", "A3 B3 C3"),
    (11, "ABC", "A4 B4 C3", "A3 B3 C3"),
    (12, "ABC", "A4 B4 C4", "A4 B4 C4"),
    (11, "CBA", "C4 B4 A3", "C3 B3 A3"),
    (2, "ABC", "A1 B1 C0", "A0 B0 C0"),
    (0, "AB", "A0 B0", "A0 B0"),
    (10**12, "ABC", "A333333333334 B333333333333 C333333333333", "A333333333333 B333333333333 C333333333333"),
]


def sums(text: str) -> dict[str, int]:
    return {name: int(units) for name, units in re.findall(r"(\w)(\d+)", text)}


@pytest.mark.parametrize(("units", "sharers", "in_turn", "left"), SHARES, ids=[f"{u} {who}" for u, who, *_ in SHARES])
def test_c_3_share(units: int, sharers: str, in_turn: str, left: str) -> None:
    assert list(share(units, sharers).items()) == list(sums(in_turn).items())
    assert list(share(units, sharers, odd_stays=True).items()) == list(sums(left).items())


def test_c_3_shares_differ_by_one_at_most_and_nothing_is_lost() -> None:
    for units in range(60):
        for number in range(1, 11):
            sharers = "ABCDEFGHIJ"[:number]
            parts = list(share(units, sharers).values())
            assert sum(parts) == units
            assert parts == sorted(parts, reverse=True)
            assert parts[0] - parts[-1] <= 1
            kept = set(share(units, sharers, odd_stays=True).values())
            assert kept == {parts[-1]}


FILLS = [
    # payments in order, parts in order, who gets what of which payment
    ("5 3", "A4 B4", "0A4 0B1 1B3"),
    ("4 4", "A4 B4", "0A4 1B4"),
    ("8", "A3 B3 C2", "0A3 0B3 0C2"),
    ("1 1 1", "A3", "0A1 1A1 2A1"),
    ("0 5", "A5", "1A5"),
    ("5", "A0 B5 C0", "0B5"),
    ("3 0 4", "B6 A1", "0B3 2B3 2A1"),
    ("", "A0", ""),
    ("0", "", ""),
]


@pytest.mark.parametrize(("payments", "parts", "expected"), FILLS, ids=[f"{p} to {parts}" for p, parts, _ in FILLS])
def test_payments_fill_the_parts_in_order(payments: str, parts: str, expected: str) -> None:
    found = fill([int(amount) for amount in payments.split()], sums(parts))
    assert " ".join(f"{number}{player}{amount}" for number, player, amount in found) == expected


def test_payments_and_parts_have_the_same_sum() -> None:
    with pytest.raises(AssertionError):
        list(fill([5], {"A": 4}))


# who paid what ("x": folded), the opening pot, the layers: units and who may win them ("<": goes back)
LAYERS = {
    "all the same": ("A5 B5 C5", 0, "15 ABC"),
    "opening pot": ("A5 B5 C5", 7, "22 ABC"),
    "one all-in": ("A10 B4 C10", 0, "12 ABC, 12 AC"),
    "opening pot is of the lowest layer": ("A10 B4 C10", 100, "112 ABC, 12 AC"),
    "back to the only payer": ("A10 B4", 0, "8 AB, 6 A<"),
    "folded less than all": ("A10 B10 C3x", 0, "23 AB"),
    "folded the same": ("A10 B10 C10x", 0, "30 AB"),
    "folded in two layers": ("A10 B4 C6x D10", 0, "16 ABD, 14 AD"),
    "what a folded player put in does not go back": ("A10 B4 C6x", 0, "12 AB, 8 A"),
    "folded below the lowest cut": ("A10 B4 C2x", 0, "10 AB, 6 A<"),
    "three layers": ("A2 B5 C9 D9", 0, "8 ABCD, 9 BCD, 8 CD"),
    "three layers, the top back": ("A2 B5 C9", 3, "9 ABC, 6 BC, 4 C<"),
    "cuts at those who stayed only": ("A9 B9 C2x D5x", 0, "25 AB"),
    "nobody else paid": ("A0 B5", 0, "0 AB, 5 B<"),
    "nobody else paid, opening pot": ("A0 B5", 3, "3 AB, 5 B<"),
    "lowest layer empty": ("A0 B5 C5", 0, "10 BC"),
    "lowest layer empty, folded money above": ("A0 B5 C2x", 0, "7 B"),
    "nobody paid": ("A0 B0", 0, "0 AB"),
    "nobody paid, opening pot": ("A0 B0", 9, "9 AB"),
    "one left": ("A5 B3x", 2, "10 A"),
    "order of players is kept": ("C5 A9 B9", 0, "15 CAB, 8 AB"),
}


def paid_and_folded(text: str) -> tuple[dict[str, int], list[str]]:
    return sums(text), re.findall(r"(\w)\d+x", text)


@pytest.mark.parametrize(("typed", "opening", "expected"), LAYERS.values(), ids=LAYERS)
def test_dp_7_layers(typed: str, opening: int, expected: str) -> None:
    paid, folded = paid_and_folded(typed)
    found = layers(paid, folded, opening)
    texts = [f"{layer.units} {''.join(layer.players)}{'<' if layer.goes_back else ''}" for layer in found]
    assert ", ".join(texts) == expected


def test_dp_7_each_unit_is_in_the_layer_of_its_amount() -> None:
    """Compares with brute force over every single unit."""
    random = Random(7)
    for _ in range(500):
        names = "ABCDEF"[: random.randint(2, 6)]
        folded = random.sample(names, random.randint(0, len(names) - 2))
        stayed = {name: random.randint(0, 12) for name in names if name not in folded}
        paid = {name: stayed.get(name, random.randint(0, max(stayed.values()))) for name in names}
        opening = random.choice([0, 5])
        expected = Counter({tuple(stayed): opening})
        for unit in range(1, max(paid.values()) + 1):
            may_win = tuple(name for name in stayed if paid[name] >= unit)
            expected[may_win] += sum(paid[name] >= unit for name in names)
        found = layers(paid, folded, opening)
        assert {layer.players: layer.units for layer in found if layer.units} == dict(+expected)
        assert all(len(layer.players) == 1 for layer in found if layer.goes_back)
        assert any(not layer.goes_back for layer in found)
