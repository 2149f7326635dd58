"""The games with their house rules as a document, from which clients can build a form; and the games' examples."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.engine.game import EXAMPLE_PLAYERS, AnyGame, AnyRound
from companion.engine.options import Option
from companion.games import all_games

from .reading.round_document import read_round


def games_document() -> dict[str, object]:
    """List every game; its categories of hands go from high to low."""
    return {"games": [game_document(game) for game in all_games().values()]}


def example_document(game: AnyGame, example: Mapping[str, Any]) -> dict[str, Any]:
    """Build the whole round document of one of a game's examples; the dealer is left out."""
    players = list(EXAMPLE_PLAYERS[: game.seats[1]])
    document = {"rules": game.usual_rules, "stake": 1, "players": players, "round": dict(example)}
    return {"game": game.key, **({"called": game.example_name} if game.is_named else {}), **document}


def example_round(game: AnyGame, example: Mapping[str, Any]) -> AnyRound:
    """Return one of a game's examples as a round; all examples are valid."""
    entered = read_round(example_document(game, example))
    assert entered.round is not None
    return entered.round


def game_document(game: AnyGame) -> dict[str, object]:
    """Describe a game: its name, seats, house rules, and categories of hands."""
    return {
        "key": game.key,
        "name": game.name,
        "summary": game.summary,
        "direction": game.direction,
        "seats": {"minimum": game.seats[0], "maximum": game.seats[1]},
        "options": [_option(option) for option in game.house_rules],
        "categories": [
            {"key": category.key, "name": str(category.name), "example": category.example}
            for category in game.categories
        ],
    }


def _option(option: Option) -> dict[str, object]:
    """Write an option; for kinds without bounds or choices these are null or empty."""
    return {
        "key": option.key,
        "type": option.kind,
        "default": option.default,
        "choices": [{"value": value, "label": label} for value, label in option.choices.items()],
        "minimum": option.minimum,
        "maximum": option.maximum,
        "label": option.label,
        "help": option.help,
        "rule": option.rule,
    }
