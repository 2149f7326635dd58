"""The one place that divides money: shares, odd units, side pots."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

MOST_UNITS = 10**12  # a pot, or what somebody paid. Rule: C-1


def share(amount: int, sharers: Sequence[str], *, odd_stays: bool = False) -> dict[str, int]:
    """Split units among sharers given in turn order.

    Each gets the whole part; the odd units go one each to the first of them, or with `odd_stays` to nobody, so that
    they are left over. Rule: C-3.
    """
    part, odd = divmod(amount, len(sharers))
    extra = 0 if odd_stays else odd
    return {player: part + (at < extra) for at, player in enumerate(sharers)}


def fill(payments: Sequence[int], parts: Mapping[str, int]) -> Iterator[tuple[int, str, int]]:
    """Let payments fill the sharers' parts, one after the other; yields (number of the payment, sharer, amount).

    Both in the order given; the payments and the parts have the same sum. Rule: KR-4, KR-5.
    """
    assert sum(payments) == sum(parts.values())
    waiting = deque((player, part) for player, part in parts.items() if part)
    for number, amount in enumerate(payments):
        while amount:
            player, part = waiting.popleft()
            paid = min(amount, part)
            yield number, player, paid
            amount -= paid
            if part > paid:
                waiting.appendleft((player, part - paid))


@dataclass(frozen=True, slots=True)
class Layer:
    """A part of the pot: its units, who may win it, and whether it only goes back to the one who paid it."""

    units: int
    players: tuple[str, ...]
    goes_back: bool


def layers(paid: Mapping[str, int], folded: Collection[str], opening: int) -> tuple[Layer, ...]:
    """Cut the pot at the amounts of those who did not fold, the lowest layer first; it has the opening pot as well.

    A layer holds what everybody put into it, those who folded included; those who did not fold and paid into it in
    full may win it. Empty layers are left out, but the lowest stays where nothing else can be won. Rule: DP-7.
    """
    stayed = [player for player in paid if player not in folded]
    cuts = sorted({paid[player] for player in stayed})
    found = []
    for below, cut in zip((0, *cuts), cuts, strict=False):
        parts = [min(amount, cut) - below for amount in paid.values() if amount > below]
        units = sum(parts) + (opening if cut == cuts[0] else 0)
        may_win = tuple(player for player in stayed if paid[player] >= cut)
        found.append(Layer(units, may_win, goes_back=cut > cuts[0] and len(parts) == 1))
    kept = [layer for layer in found if layer.units]
    if all(layer.goes_back for layer in kept):
        kept.insert(0, found[0])
    return tuple(kept)
