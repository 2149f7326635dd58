"""Reordering seats: rows are moved by arrows, which work without JavaScript, or by dragging."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


def order_of(rows: Iterable[str], known: Sequence[int]) -> list[int]:
    """Return the player ids in the order of a form's rows; players without a row come last."""
    ids = {str(player): player for player in known}
    posted = [ids[given] for given in dict.fromkeys(rows) if given in ids]
    return [*posted, *(player for player in known if player not in posted)]


def moved(order: Sequence[int], player: str, step: int) -> list[int]:
    """Move a player's row up (-1) or down (+1); at the ends it stays."""
    rows = list(order)
    at = next((at for at, one in enumerate(rows) if str(one) == player), None)
    if at is not None:
        rows.insert(min(max(at + step, 0), len(rows) - 1), rows.pop(at))
    return rows
