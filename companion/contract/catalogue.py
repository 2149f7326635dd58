"""The games and their house rules as a document, for clients that build a form from it."""

from __future__ import annotations

from companion.engine.game import AnyGame
from companion.engine.messages import ENGLISH, Words
from companion.engine.options import Option, options_of
from companion.games import all_games


def games_document(words: Words = ENGLISH) -> dict[str, object]:
    """List every game; its categories of hands go from high to low."""
    return {"games": [_game(game, words) for game in all_games().values()]}


def _game(game: AnyGame, words: Words) -> dict[str, object]:
    return {
        "key": game.key,
        "name": words.gettext(game.name),
        "summary": words.gettext(game.summary),
        "direction": game.direction,
        "seats": {"minimum": game.seats[0], "maximum": game.seats[1]},
        "options": [_option(option, words) for option in options_of(game.options)],
        "categories": [
            {"key": category.key, "name": category.name.say(words), "example": category.example}
            for category in game.categories
        ],
    }


def _option(option: Option, words: Words) -> dict[str, object]:
    """Write an option; for kinds without bounds or choices these are null or empty."""
    return {
        "key": option.key,
        "type": option.kind,
        "default": option.default,
        "choices": [{"value": value, "label": words.gettext(label)} for value, label in option.choices.items()],
        "minimum": option.minimum,
        "maximum": option.maximum,
        "label": words.gettext(option.label),
        "help": words.gettext(option.help),
        "rule": option.rule,
    }
