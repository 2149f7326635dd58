"""Short names: the stored name of a phone without one, and the letters on a player's chip."""

from __future__ import annotations

import re
from collections.abc import Collection

from companion.contract.names import rules_name_problem

UNNAMED = "a phone"  # stored for a device without a name
_NUMBERED = re.compile(r"(\d{1,2})\D*$")


def monogram(name: str | None, names: Collection[str | None] = ()) -> str:
    """Return the letters on a player's chip: "A", "An" if another name starts with A too, "P2" for "Player 2"."""
    name = (name or "").strip() or "?"
    letter = name[0].upper()
    number = _NUMBERED.search(name)
    if number:
        return letter + number[1]
    alike = sum(1 for other in names if (other or "").strip()[:1].upper() == letter)
    return letter + name[1:2].lower() if alike > 1 else letter


def rule_set_title(given: str) -> str:
    """Return the name of a set of house rules from a query string; "" if it isn't a valid name."""
    return "" if rules_name_problem("name", given, ()) else given.strip()
