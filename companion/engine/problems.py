"""A problem with an entry: where it is, its code, and a sentence that says how to fix it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from .messages import Message

Code = Literal[
    "unknown-game",
    "unknown-rule",
    "bad-rule-value",
    "unknown-player",
    "duplicate-player",
    "too-few-players",
    "too-many-players",
    "bad-card",
    "duplicate-card",
    "wrong-hand-size",
    "missing-hand",
    "unexpected-hand",
    "missing-field",
    "bad-value",
    "unknown-field",
    "unequal-bets",
    "illegal-bet",
    "invalid-knock",
    "not-an-outright-win",
    "contradiction",
    "bad-request",
]


@dataclass(frozen=True, slots=True)
class Problem:
    """One problem with a round as entered. `field` is its path in the document, such as `round.hands.Beto`.

    `is_open` says that another answer solves it, so that it isn't wrong before everything is entered.
    """

    field: str
    code: Code
    message: Message
    is_open: bool = False
