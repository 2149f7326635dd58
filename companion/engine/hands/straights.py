"""Finds straights and fills flushes, by the heights of the natural cards held."""

from __future__ import annotations


def straight_top(held: tuple[int, ...], number_of_heights: int, length: int = 5) -> int | None:
    """Return the top of the highest straight with these different ranks, wild cards filling gaps; None without one.

    The ace is the highest rank, but can also be below the lowest; the top is then the straight's highest other card.
    """
    below = {-1 if h == number_of_heights - 1 else h for h in held}
    for top in range(number_of_heights - 1, length - 2, -1):
        if top - min(held) < length and max(held) <= top:
            return top
    return length - 2 if max(below) <= length - 2 else None


def filled(held: tuple[int, ...], wild: int, number_of_heights: int) -> tuple[int, ...]:
    """Fill a flush with the highest ranks that aren't held. Rule: DR-11."""
    free = [height for height in reversed(range(number_of_heights)) if height not in held]
    return tuple(sorted([*held, *free[:wild]], reverse=True))
