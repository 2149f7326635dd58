"""Compares players' names: when two of them count as the same, and which one is meant by a reference.

Case, composition of accents, invisible characters, and the many forms of dashes, quotation marks and dots are ignored:
an iPhone types O’Neil where a computer types O'Neil. Accents do distinguish: Peña isn't Pena.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache
from typing import TypeVar

MAX_NAME_LENGTH = 100
N = TypeVar("N", bound=str)
# Unicode's Default_Ignorable_Code_Point, control characters, and the blank Braille pattern
_INVISIBLE = re.compile(
    "[\\x00-\\x1f\\x7f-\\x9f\\xad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u200b-\\u200f\\u202a-\\u202e"
    "\\u2060-\\u206f\\u2800\\u3164\\ufe00-\\ufe0f\\ufeff\\uffa0\\ufff0-\\ufff8"
    "\\U0001bca0-\\U0001bca3\\U0001d173-\\U0001d17a\\U000e0000-\\U000e0fff]"
)
# in each group, every character is read as the first one; NFKC unifies others, such as the dots of an ellipsis
_PUNCTUATION = {
    # Unicode's Quotation_Mark property
    "'": "'\"\u00ab\u00bb\u2018\u2019\u201a\u201b\u201c\u201d\u201e\u201f\u2039\u203a\u2e42\u300c\u300d\u300e\u300f"
    "\u301d\u301e\u301f\ufe41\ufe42\ufe43\ufe44\uff02\uff07\uff62\uff63"
    # what stands for an apostrophe: accents without a letter, primes, modifier letters, ornaments
    "`\u00b4\u02b9\u02ba\u02bb\u02bc\u02bd\u02be\u02bf\u02c8\u02ca\u02cb\u02dd\u02ee\u02f4\u02f5\u02f6\u0374\u0384\u055a"
    "\u055d\u05f3\u05f4\u07f4\u07f5\u1fbd\u1fbf\u1fef\u1ffd\u1ffe\u2032\u2033\u2034\u2035\u2036\u2037\u2057\u275b\u275c"
    "\u275d\u275e\u275f\u2760\u276e\u276f\ua78b\ua78c\uff40\U0001f676\U0001f677\U0001f678",
    "-": "-\u02d7\u2043\u2212\u2796",  # and all of category Pd
    "\u00b7": "\u00b7\u0387\u2022\u2027\u2219\u22c5\u2e31\u30fb\uff65",
    "~": "~\u02dc\u2053\u223c",
    "/": "/\u2044\u2215",
    ":": ":\u02d0\u02f8\u2236\ua789",
    "*": "*\u204e\u2217",
    "+": "+\u2795",
}
_READ_AS = {char: first for first, chars in _PUNCTUATION.items() for char in chars}
_RUNS = re.compile("(['-])\\1+")  # '' is a quotation mark as well, and -- a dash
_CACHE_SIZE = 4096
_BIDI_CONTROLS = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


def has_control_characters(text: str) -> bool:
    """Return whether text contains control characters, lone surrogates, or marks that change the writing direction."""
    if text.isprintable():
        return False
    return any(unicodedata.category(c) in ("Cc", "Cs") or c in _BIDI_CONTROLS for c in text)


def without_invisible(text: str) -> str:
    """Remove invisible characters."""
    return text if text.isascii() and text.isprintable() else _INVISIBLE.sub("", text)


def plain_name(name: str) -> str:
    """Return a name with one form of each accent, dash, quotation mark, dot and space.

    Only the beginning of an overlong text is used, because composing a long run of accents takes quadratic time.
    """
    # before NFKC, which makes a space with an accent of ´, and after, because it makes a hyphen of a non-breaking one
    text = _with_plain_punctuation(without_invisible(name[: MAX_NAME_LENGTH + 1]))
    text = _with_plain_punctuation(unicodedata.normalize("NFKC", text))
    return " ".join(_RUNS.sub("\\1", text).split())


def _with_plain_punctuation(text: str) -> str:
    return "".join("-" if unicodedata.category(char) == "Pd" else _READ_AS.get(char, char) for char in text)


@lru_cache(_CACHE_SIZE)
def name_key(name: str) -> str:
    """Return the key by which names are compared: two names with the same key are the same name."""
    return unicodedata.normalize("NFKC", plain_name(name).casefold())


def find_name(written: str, names: Iterable[N]) -> N | None:
    """Return the name that is meant: the one written the same way, otherwise the only one that counts as the same."""
    trimmed, known = written.strip(), list(names)
    if trimmed in known:
        return known[known.index(trimmed)]
    if has_control_characters(trimmed):
        return None
    same = [name for name in known if name_key(name) == name_key(trimmed)]
    return same[0] if len(same) == 1 else None
