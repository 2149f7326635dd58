"""Shared costs in words: who paid how much, for what and for whom."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..text.language import say
from ..text.money import PAGES, units


def cost_amount(cost: Mapping[str, Any]) -> str:
    """Return what a cost came to, in its own currency or the page's."""
    return units(cost["amount"], cost.get("currency", PAGES))


def sharers(cost: Mapping[str, Any], names: Mapping[str, str]) -> tuple[str, ...]:
    """Return who shares a cost; with unequal shares "Ana ×2", "Beto ×1"."""
    weights = dict(cost["shares"])
    is_equal = len(set(weights.values())) == 1
    return tuple(names[key] if is_equal else f"{names[key]} ×{weight}" for key, weight in weights.items())


def cost_words(cost: Mapping[str, Any], names: Mapping[str, str]) -> str:
    """Return the sentence of a cost: "Ana paid 36 (Pizza) for Ana, Beto and Caro"."""
    values = {"player": names[cost["by"]], "amount": cost_amount(cost), "sharers": sharers(cost, names)}
    if cost["note"]:
        return say("{player} paid {amount} ({what}) for {sharers}", what=cost["note"], **values)
    return say("{player} paid {amount} for {sharers}", **values)
