"""Renames the players in a round document. The store uses it to keep players' ids instead of their names."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.engine.entry import Question
from companion.games import all_games


def renamed(document: Mapping[str, Any], names: Mapping[str, str]) -> dict[str, Any]:
    """Return a round document with every player's name replaced by `names[name]`; everything else is unchanged."""
    questions = {question.key: question for question in all_games()[document["game"]].questions}
    asked = {key: _answer(questions.get(key), value, names) for key, value in document["round"].items()}
    found = {**document, "players": [names[name] for name in document["players"]], "round": asked}
    if "dealer" in document:
        found["dealer"] = names[document["dealer"]]
    return found


def _answer(question: Question | None, value: Any, names: Mapping[str, str]) -> Any:
    """Rename the players in one answer. No question means the hands, which are keyed by name."""
    if question is None or question.kind in ("amounts", "counts", "points", "halves"):
        return {names[name]: given for name, given in value.items()}
    if question.kind == "players" or (question.kind == "winners" and value is not None):
        return [names[name] for name in value]
    if question.kind == "bets":
        return [{**action, "player": names[action["player"]]} for action in value]
    if question.kind == "player":
        return None if value is None else names[value]
    return value
