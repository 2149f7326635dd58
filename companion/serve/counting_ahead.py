"""Does in advance what the first use would wait for: loads modules, and counts the hands of every game's decks."""

from __future__ import annotations

from importlib import import_module
from threading import Timer

from companion.contract.catalogue import example_round
from companion.games import all_games

_LAZY = ("companion.store.portable",)
_AFTER = 1.0  # seconds, so that the first pages come first


def count_ahead(after: float = _AFTER) -> Timer:
    """Load modules and count in the background, for each deck in the games' examples. The counts are cached.

    How rare a hand is depends on these counts. Otherwise the first round of each game would wait for its count, up to a
    second on a slow computer, and all other requests with it.
    """
    counting = Timer(after, _count)
    counting.daemon = True
    counting.start()
    return counting


def load_lazy_modules() -> None:
    """Load the app's modules that are imported with their first use; an upgrade may have replaced them by then."""
    for name in _LAZY:
        import_module(name)


def _count() -> None:
    load_lazy_modules()
    for game in all_games().values():
        for example in game.examples:
            dealt = example_round(game, example)
            game.rarities(dealt.options, game.settle(dealt))
