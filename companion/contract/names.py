"""Players' names as people and programs send them: what is refused, and when two are the same."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping

from companion.engine.messages import Message, quoted
from companion.engine.problems import Code, Problem
from companion.engine.settlement import POT

LONGEST_NAME = 100
_BIDI_CONTROLS = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


def has_control_characters(text: str) -> bool:
    """Tell whether text holds control characters, halves of a surrogate pair, or marks that turn lines around."""
    if text.isprintable():
        return False
    return any(unicodedata.category(c) in ("Cc", "Cs") or c in _BIDI_CONTROLS for c in text)


def folded(name: str) -> str:
    """Give the form in which names are compared: whatever their case and however accents are composed.

    Of a text too long for a name only the beginning counts: composing long rows of accents takes the square of their
    number.
    """
    return unicodedata.normalize("NFKC", name[: LONGEST_NAME + 1]).casefold()


def name_problem(field: str, name: object, earlier: Mapping[str, str]) -> Problem | None:
    """Tell what is wrong with a player's name, if anything; `earlier` are the folded names before it."""

    def bad(template: str, code: Code = "bad-value", **values: object) -> Problem:
        return Problem(field, code, Message(template, **values))

    if not isinstance(name, str):
        return bad("A player's name must be text")
    if has_control_characters(name):
        return bad("This name holds characters that cannot be shown; type it again")
    trimmed = name.strip()
    if not trimmed:
        return bad("This player has no name; enter one, or take the player out")
    if len(trimmed) > LONGEST_NAME:
        return bad("This name is longer than {most} characters; shorten it", most=LONGEST_NAME)
    if folded(trimmed) == POT:
        return bad("A player cannot be called {name}, as the pot is; choose another name", name=trimmed)
    if folded(trimmed) in earlier:
        text = "Two players are called “{name}”; give one of them another name"
        return bad(text, "duplicate-player", name=quoted(trimmed))
    return None
