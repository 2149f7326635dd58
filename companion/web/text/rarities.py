"""Describes how rare the shown hands of a settlement are."""

from __future__ import annotations

from typing import Any

from companion.engine.game import AnyGame
from companion.engine.messages import Message
from companion.engine.settlement import Settlement


def rarities(game: AnyGame | None, options: Any, settlement: Settlement | None) -> dict[str, Message]:
    """Describe how rare each shown hand is, by the player's name; empty if the game doesn't count hands."""
    if game is None or settlement is None:
        return {}
    return {player: rarity.words for player, rarity in game.rarities(options, settlement).items()}
