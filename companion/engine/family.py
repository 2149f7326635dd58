"""The families under which menus list the games."""

from __future__ import annotations

from enum import Enum


class Family(Enum):
    """A family of games, by its heading; in the order of menus."""

    POKER = "Poker"
    RUMMY = "Rummy"
    POINTS = "Points"
    DOMINOES = "Dominoes"
    OTHER = "Other games"
