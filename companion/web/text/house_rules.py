"""House rules in the address of a page and in words: what a table plays otherwise than usual."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

from flask import Flask

from companion.engine.game import AnyGame
from companion.engine.messages import Message
from companion.engine.options import Option, differing, options_of

from ..http.parsing import whole

_SWITCHES = {"true": True, "false": False}


def read_query(game: AnyGame, query: Mapping[str, str]) -> tuple[Any, list[Message]]:
    """Read a game's house rules out of an address; what is not there is usual.

    A value that cannot be is told, and the usual one taken; so are all of them where they do not go together.
    """
    chosen, problems = {}, []
    for option in options_of(game.options):
        given = query.get(option.key)
        if given is None:
            continue
        value = _value(option, given)
        if option.accepts(value):
            chosen[option.key] = value
        else:
            problems.append(option.refusal(given))
    options = game.options(**chosen)
    against = [problem.message for problem in game.check_options(options)]
    return (game.options(), [*problems, *against]) if against else (options, problems)


def _value(option: Option, given: str) -> object:
    if option.kind == "toggle":
        return _SWITCHES.get(given, given)
    return whole(given) if option.kind == "integer" else given


def as_query(game: AnyGame, rules: Any) -> dict[str, str]:
    """Write house rules for an address: those that are not the usual ones."""
    words = {True: "true", False: "false"}
    told = differing(game.options, _values(rules))
    return {option.key: words[value] if type(value) is bool else str(value) for option, value in told}


def told_rules(game: AnyGame, rules: Any) -> list[tuple[str, Message]]:
    """Say what a table plays otherwise than usual, as labels and values."""
    return [(option.label, option.in_words(value)) for option, value in differing(game.options, _values(rules))]


def _values(rules: Any) -> Mapping[str, Any]:
    return dataclasses.asdict(rules) if dataclasses.is_dataclass(rules) else rules  # type: ignore[arg-type]


def init_app(app: Flask) -> None:
    """Give the templates these words."""
    app.jinja_env.globals["told_rules"] = told_rules
    app.jinja_env.globals["rules_query"] = as_query
