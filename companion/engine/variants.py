"""A game under non-default house rules: those that can be used, and which options change its deck."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from .game import AnyGame
from .options import Option


def variants(game: AnyGame) -> Iterator[tuple[Option | None, Any]]:
    """Yield (None, the default options), then (option, options) for each change of one choice or toggle.

    Changes that contradict the other defaults are left out.
    """
    default = game.options()
    yield None, default
    for option in game.house_rules:
        values = option.choices if option.kind == "choice" else (False, True) if option.kind == "toggle" else ()
        for value in values:
            changed = game.options(**{option.key: value})
            if value != option.default and not any(game.check_options(changed)):
                yield option, changed


@cache
def options_that_change_the_set(game: AnyGame) -> frozenset[str]:
    """Return the keys of the choices and toggles that, changed alone, change which cards or tiles are used."""
    usual = game.pieces(game.options())
    return frozenset(option.key for option, changed in variants(game) if option and game.pieces(changed) is not usual)


def usable_options(game: AnyGame, values: Mapping[str, object]) -> Any:
    """Return a game's house rules with the values it accepts; its defaults if these contradict each other."""
    accepted = {o.key: values[o.key] for o in game.house_rules if o.key in values and o.accepts(values[o.key])}
    options = game.options(**accepted)
    return game.options() if any(game.check_options(options)) else options
