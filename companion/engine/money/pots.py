"""Divides money: shares, odd units, side pots. Nothing else in the engine or the games divides amounts."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

MAX_UNITS = 10**12  # in a pot, or paid by a player. Rule: C-1


def share(amount: int, sharers: Sequence[str], *, odd_stays: bool = False) -> dict[str, int]:
    """Split units among sharers, given in turn order. Rule: C-3.

    Each gets the same whole amount. The odd units go one each to the first sharers, or to nobody with `odd_stays`.
    """
    part, odd = divmod(amount, len(sharers))
    extra = 0 if odd_stays else odd
    return {player: part + (at < extra) for at, player in enumerate(sharers)}


def share_by_weight(amount: int, weights: Mapping[str, int], first: str) -> dict[str, int]:
    """Split units in proportion to whole numbers, of which at least one isn't 0. Rule: C-14.

    Parts are rounded down. The odd units go one each to `first`, if they share, then to the others in the order given.
    """
    whole = sum(weights.values())
    parts = {player: amount * weight // whole for player, weight in weights.items()}
    odd = amount - sum(parts.values())
    for player in sorted((player for player in parts if weights[player]), key=lambda player: player != first)[:odd]:
        parts[player] += 1
    return parts


def fill(payments: Sequence[int], parts: Mapping[str, int]) -> Iterator[tuple[int, str, int]]:
    """Fill the sharers' parts from the payments; yields (index of the payment, sharer, amount). Rule: KR-4, KR-5.

    Payments and parts are used in the order given and must have the same sum.
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
    """A part of the pot: its units, who can win it, and whether it just goes back to the only player who paid it.

    `is_unshown`: somebody who could have won it has lost it without showing. Rule: C-15.
    """

    units: int
    players: tuple[str, ...]
    goes_back: bool
    is_unshown: bool = False


def layers(paid: Mapping[str, int], folded: Collection[str], opening: int) -> tuple[Layer, ...]:
    """Split the pot into main and side pots, lowest layer first, at the amounts paid by those who didn't fold.

    A layer contains everyone's payments between two such amounts, folded players' included; the lowest also has the
    opening pot. Players who didn't fold and paid the layer in full can win it. Empty layers are dropped, except the
    lowest if nothing else can be won. Rule: DP-7.
    """
    stayed = [player for player in paid if player not in folded]
    cuts = sorted({paid[player] for player in stayed})
    all_layers = []
    for below, cut in zip((0, *cuts), cuts, strict=False):
        parts = [min(amount, cut) - below for amount in paid.values() if amount > below]
        units = sum(parts) + (opening if cut == cuts[0] else 0)
        may_win = tuple(player for player in stayed if paid[player] >= cut)
        all_layers.append(Layer(units, may_win, goes_back=cut > cuts[0] and len(parts) == 1))
    kept = [layer for layer in all_layers if layer.units]
    if all(layer.goes_back for layer in kept):
        kept.insert(0, all_layers[0])
    return tuple(kept)
