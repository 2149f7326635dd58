"""Counts every game's hands before the first round asks how rare its hands are."""

from __future__ import annotations

from threading import Timer

from companion.contract.catalogue import example_round
from companion.games import all_games

_AFTER = 1.0  # seconds: the first pages come before


def count_ahead(after: float = _AFTER) -> Timer:
    """Start to count, in the background, the hands of each deck that the games' examples are dealt from.

    The counts are kept. Without this the first round of each game would wait for them, a second in all on a slow
    computer, and everybody else with it.
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
