"""Sentences as templates with values, translated only at the edge.

Holds no sentences itself and doesn't translate: callers pass the catalogue to `say`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from gettext import NullTranslations
from itertools import pairwise
from typing import Protocol


class Words(Protocol):
    """A translation catalogue. This is gettext's interface, so translations from the standard library or Babel fit."""

    def gettext(self, message: str, /) -> str: ...
    def ngettext(self, msgid1: str, msgid2: str, n: int, /) -> str: ...
    def __hash__(self) -> int: ...


_I = re.compile(r"h?[ií](?![aeoáéó])", re.IGNORECASE)
# zero-width joiners, used in Persian and Hindi names and in emoji, and the tag characters that spell flags
_JOINERS = re.compile("[\u200c\u200d\U000e0020-\U000e007f]")
_EMOJI = re.compile("[\U0001f000-\U0001faff]")
_MAX_NUMBER = 10**40
ENGLISH: Words = NullTranslations()


class Units(int):
    """A number of units. In a sentence it stands for an amount: whoever shows it writes it in the night's currency."""

    __slots__ = ()


class Message:
    """A sentence: an English template and named values.

    A value may be another Message, which is translated too, or a tuple of players, which is joined ("Ana, Beto and
    Caro"). A player is a key (`PlayerKey`); where keys aren't names, whoever says the sentence puts the names in. With
    `plural`, the value `n` selects one of the two templates.
    """

    __slots__ = ("plural", "template", "values")

    def __init__(self, template: str, plural: str | None = None, /, **values: object) -> None:
        self.template = template
        self.plural = plural
        self.values: Mapping[str, object] = values

    def say(self, words: Words = ENGLISH) -> str:
        """Return the sentence in the catalogue's language."""
        if self.plural is None:
            template = words.gettext(self.template)
        else:
            n = self.values["n"]
            assert isinstance(n, int)
            template = words.ngettext(self.template, self.plural, n)
        if not self.values:
            return template
        return template.format_map({key: _render(value, words) for key, value in self.values.items()})

    def __str__(self) -> str:
        return self.say()

    def __repr__(self) -> str:
        return f"Message({str(self)!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Message) and (self.template, self.plural, self.values) == (
            other.template,
            other.plural,
            other.values,
        )

    def __hash__(self) -> int:
        return hash((self.template, self.plural, frozenset(self.values.items())))


def _render(value: object, words: Words) -> str:
    if isinstance(value, Message):
        return value.say(words)
    if isinstance(value, tuple):
        *first, last = (_render(item, words) for item in value)
        if not first:
            return last
        # `!s` changes nothing but makes a sentence of its own for translators: in Spanish "e" stands for "y" before "i"
        joined = words.gettext("{first} and {last!s}" if _I.match(last) else "{first} and {last}")
        return joined.format(first=", ".join(first), last=last)
    return str(value)


def quoted(text: object, longest: int = 40) -> str:
    """Return user input for use in a message: shortened, with a ? for each unprintable character."""
    written = _written(text)
    pairs = pairwise(" " + written[:longest])
    shown = "".join(c if c.isprintable() or _is_joiner_or_emoji(c, before) else "?" for before, c in pairs) or '""'
    return shown if len(written) <= longest else shown + "…"


def _is_joiner_or_emoji(char: str, before: str) -> bool:
    """Return whether an unprintable character belongs to a name or emoji, or is an emoji newer than this Python."""
    return (bool(_JOINERS.match(char)) and not before.isascii()) or bool(_EMOJI.match(char))


def _written(value: object) -> str:
    """Write a value the way a person or a JSON document would; lists, objects and huge numbers are abbreviated."""
    if isinstance(value, str):
        return value
    if isinstance(value, list | dict):
        return "[…]" if isinstance(value, list) else "{…}"
    if isinstance(value, int) and abs(value) > _MAX_NUMBER:
        return "…"
    return json.dumps(value, default=str)
