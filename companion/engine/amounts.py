"""An amount of money in a sentence."""

from __future__ import annotations


class Units(int):
    """A number of units. In a sentence it stands for an amount: whoever shows it writes it in the night's currency."""

    __slots__ = ()
