"""Text as people and programs send it: what is refused in a name, whatever the document."""

from __future__ import annotations

import unicodedata

LONGEST_NAME = 100
_BIDI_CONTROLS = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


def has_control_characters(text: str) -> bool:
    """Tell whether text holds control characters, halves of a surrogate pair, or marks that turn lines around."""
    return any(unicodedata.category(c) in ("Cc", "Cs") or c in _BIDI_CONTROLS for c in text)


def folded(name: str) -> str:
    """Give the form in which names are compared: whatever their case and however accents are composed."""
    return unicodedata.normalize("NFKC", name).casefold()
