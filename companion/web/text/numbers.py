"""Reads numbers the way people type them: one grammar for every field, in every currency and language.

A number has digits, one decimal mark, and thousands that are separated by the language's mark, a space, an apostrophe
or nothing. The marks of other languages are read too ("12,50" in English), unless the number then has two readings.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from decimal import Decimal
from functools import cache

from babel.core import Locale
from babel.numbers import get_decimal_symbol

from companion.engine.names import without_invisible

from .language import locale

MAX_LENGTH = 60
_MAX_DIGITS = 28  # as many as Decimal calculates with
_OTHER_MARK = {".": ",", ",": "."}
_ALIKE = str.maketrans({"\u2212": "-", "\u2019": "'", "\u066b": ".", "\u066c": ","})  # also the Arabic marks
_SPACES = re.compile(r"\s")  # such as the no-break space that several languages put between thousands
_NUMBER = re.compile(r"([+-]?) ?([0-9.,' ]+)")
_TWO_READINGS = re.compile(r"[1-9][0-9]{0,2}(?P<mark>[.,])[0-9]{3}")
_THREE = 3  # digits between thousands, and decimals that could be meant as well


@dataclass(frozen=True)
class Readings:
    """The two numbers that a text can mean."""

    usual: Decimal
    other: Decimal


def decimal_point(of: Locale | None = None) -> str:
    """Return the language's decimal mark, "." or ","; the other one separates thousands."""
    symbol = get_decimal_symbol(of or locale())
    return symbol if symbol in _OTHER_MARK else "."


@cache
def _grammar(point: str) -> re.Pattern[str]:
    thousands = rf"[1-9][0-9]{{0,2}}(?P<mark>[{_OTHER_MARK[point]} '])[0-9]{{3}}(?:(?P=mark)[0-9]{{3}})*"
    return re.compile(rf"(?P<whole>{thousands}|[0-9]*)(?:[{point}](?P<rest>[0-9]*))?")


def read_number(text: str, decimals: int = 0, point: str | None = None) -> Decimal | Readings | None:
    """Read a number; None if it isn't one. `decimals` are those of its unit, `point` the language's decimal mark.

    Before three digits, that mark separates decimals if the unit has as many, and the other mark separates thousands if
    it hasn't; otherwise the text has two readings.
    """
    point = point or decimal_point()
    written = _NUMBER.fullmatch(_plain(text)) if len(text) <= MAX_LENGTH else None
    if written is None:
        return None
    sign, digits = written.groups()
    usual, other = (_parsed(sign, digits, mark) for mark in (point, _OTHER_MARK[point]))
    unclear = _TWO_READINGS.fullmatch(digits)
    if usual is not None and other is not None and unclear:
        is_usual = (unclear["mark"] == point) == (decimals >= _THREE)
        return usual if is_usual else Readings(usual, other)
    return other if usual is None else usual


def _plain(text: str) -> str:
    """Write digits of other scripts, minus signs, apostrophes and spaces in ASCII; mixed scripts stay as they are."""
    plain = _SPACES.sub(" ", without_invisible(text)).strip().translate(_ALIKE)
    if plain.isascii():
        return plain
    values = {char: unicodedata.decimal(char) for char in plain if char.isdecimal()}
    is_one_script = len({ord(char) - value for char, value in values.items()}) == 1
    return "".join(str(values.get(char, char)) for char in plain) if is_one_script else plain


def _parsed(sign: str, digits: str, point: str) -> Decimal | None:
    """Parse digits with this decimal mark; the other one separates thousands."""
    match = _grammar(point).fullmatch(digits)
    whole, rest = ("", "") if match is None else (re.sub("[^0-9]", "", match["whole"]), match["rest"] or "")
    return Decimal(f"{sign}{whole}.{rest}") if 0 < len(whole + rest) <= _MAX_DIGITS else None


def whole_typed(text: str | None) -> int | str:
    """Read a whole number from a field, without decimals; anything else stays as typed, for the contract to report."""
    text = text or ""
    if text.isascii() and text.isdigit() and len(text) <= _MAX_DIGITS:
        return int(text)  # nearly always, in each tap and poll
    number = read_number(text)
    return int(number) if isinstance(number, Decimal) and not number.as_tuple().exponent else text
