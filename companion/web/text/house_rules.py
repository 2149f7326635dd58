"""House rules in query strings and in words, in both cases only those that differ from the defaults; and in forms."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any

from flask import Flask

from companion.engine.game import AnyGame
from companion.engine.messages import Message, quoted
from companion.engine.options import Option, differing

from .numbers import whole_typed

_SWITCHES = {"true": True, "false": False}


def read_query(game: AnyGame, query: Mapping[str, str]) -> tuple[Any, list[Message]]:
    """Parse a game's house rules from a query string; returns the options and what is wrong with the values.

    A missing or invalid value is replaced by the default, and so are all values if they contradict each other.
    """
    chosen, problems = {}, []
    for option in game.house_rules:
        text = query.get(option.key)
        if text is None:
            continue
        value = _value(option, text)
        if option.accepts(value):
            chosen[option.key] = value
        else:
            problems.append(_refusal(option, text))
    options = game.options(**chosen)
    against = [problem.message for problem in game.check_options(options)]
    return (game.options(), [*problems, *against]) if against else (options, problems)


def _refusal(option: Option, text: str) -> Message:
    """Explain what is wrong with a value, without the keys of choices, which are for the API only."""
    if option.kind != "choice":
        return option.refusal(text)
    return Message("{value} isn't a choice for {label}", value=quoted(text), label=Message(option.label))


def _value(option: Option, text: str) -> object:
    return _SWITCHES.get(text, text) if option.kind == "toggle" else from_typed(option, text)


def as_query(game: AnyGame, rules: Any) -> dict[str, str]:
    """Return the parameters of a query string for the house rules that differ from the defaults."""
    words = {True: "true", False: "false"}
    changed = differing(game.options, _values(rules))
    return {option.key: words[value] if type(value) is bool else str(value) for option, value in changed}


def changed_rules(game: AnyGame, rules: Any) -> list[tuple[str, Message]]:
    """Return the (label, value) of each house rule that differs from the default."""
    return [(option.label, option.in_words(value)) for option, value in differing(game.options, _values(rules))]


def in_groups(options: Sequence[Option]) -> list[tuple[str, list[Option]]]:
    """Part the options by group, in the order they are declared; those without a group come first, as ""."""
    groups: dict[str, list[Option]] = {"": []}
    for option in options:
        groups.setdefault(option.group, []).append(option)
    return list(groups.items())


def chosen(options: Sequence[Option], typed: Mapping[str, Any]) -> list[tuple[str, Message | str]]:
    """Return the (label, value) of each option whose field isn't at its default; what isn't a value is as typed."""
    read = ((option, typed[option.key], from_typed(option, typed[option.key])) for option in options)
    return [
        (option.label, option.in_words(value) if option.accepts(value) else str(entered))
        for option, entered, value in read
        if value != option.default
    ]


def _values(rules: Any) -> Mapping[str, Any]:
    return dataclasses.asdict(rules) if dataclasses.is_dataclass(rules) else rules  # type: ignore[arg-type]


def as_typed(rules: Mapping[str, Any]) -> dict[str, Any]:
    """Write house rules as the fields hold them: numbers as text."""
    return {key: str(value) if type(value) is int else value for key, value in rules.items()}


def from_typed(option: Option, typed: Any) -> object:
    """Convert a field's value for the document; invalid input stays as typed, for the contract to report."""
    return whole_typed(typed) if option.kind == "integer" else typed


def init_app(app: Flask) -> None:
    app.jinja_env.globals.update(
        changed_rules=changed_rules, chosen_rules=chosen, rules_query=as_query, rules_in_groups=in_groups
    )
