"""Renames the players in a round document. The store uses it to keep players' ids instead of their names.

The shape of an answer says where its players are, so that this works for games that aren't installed, too.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def renamed(document: Mapping[str, Any], names: Mapping[str, str]) -> dict[str, Any]:
    """Return a round document with every player's name replaced by `names[name]`; everything else is unchanged."""
    asked = {key: _answer(value, names) for key, value in document["round"].items()}
    copy = {**document, "players": [names[name] for name in document["players"]], "round": asked}
    if "dealer" in document:
        copy["dealer"] = names[document["dealer"]]
    return copy


def _answer(value: Any, names: Mapping[str, str]) -> Any:
    """Rename the players in one answer: a player, a list of them or of their bets, or something for each of them."""
    if isinstance(value, Mapping):
        return {names[name]: part for name, part in value.items()}
    if isinstance(value, list):
        return [
            {**item, "player": names[item["player"]]} if isinstance(item, Mapping) else names[item] for item in value
        ]
    return names[value] if isinstance(value, str) else value


def is_renamable(document: Mapping[str, Any]) -> bool:
    """Return whether the answers of a round have only players of the round where an answer names players."""
    try:
        renamed(document, {name: name for name in document["players"]})
    except (AttributeError, KeyError, TypeError):
        return False
    return True
