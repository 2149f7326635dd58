"""Counts the hands of every game's decks in advance: how rare a hand is depends on these counts."""

from __future__ import annotations

from threading import Timer

from companion.contract.catalogue import example_round
from companion.games import all_games

_AFTER = 1.0  # seconds, so that the first pages come first


def count_ahead(after: float = _AFTER) -> Timer:
    """Start counting in the background, for each deck in the games' examples. The counts are cached.

    Otherwise the first round of each game would wait for its count, up to a second on a slow computer, and all other
    requests with it.
    """
    counting = Timer(after, _count)
    counting.daemon = True
    counting.start()
    return counting


def _count() -> None:
    for game in all_games().values():
        for example in game.examples:
            dealt = example_round(game, example)
            game.rarities(dealt.options, game.settle(dealt))
