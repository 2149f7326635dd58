"""Messages: values, plurals, lists of names, and translation."""

from __future__ import annotations

from gettext import NullTranslations

import pytest
from tables import each_row

from companion.engine.messages import Message, quoted

SENTENCES = {
    "{player} wins": "Gana {player}",
    "{first} and {last}": "{first} y {last}",
    "{first} and {last!s}": "{first} e {last!s}",
    "three {ranks}": "tres {ranks}",
    "aces": "ases",
    "{n} card": "{n} carta",
    "{n} cards": "{n} cartas",
}


class Spanish(NullTranslations):
    """A catalogue with a few sentences; everything else stays English."""

    def gettext(self, message: str) -> str:
        return SENTENCES.get(message, message)

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return self.gettext(msgid1 if n == 1 else msgid2)


CASES = {
    "plain": (Message("no hand"), "no hand", "no hand"),
    "one name": (Message("{player} wins", player="Ana"), "Ana wins", "Gana Ana"),
    "number": (Message("{units} in the pot", units=25), "25 in the pot", "25 in the pot"),
    "message in a message": (Message("three {ranks}", ranks=Message("aces")), "three aces", "tres ases"),
    "names: three": (Message("{all}", all=("Ana", "Beto", "Caro")), "Ana, Beto and Caro", "Ana, Beto y Caro"),
    "names: messages": (Message("{all}", all=(Message("aces"), "Beto")), "aces and Beto", "ases y Beto"),
    "plural: one": (Message("{n} card", "{n} cards", n=1), "1 card", "1 carta"),
    "plural: none": (Message("{n} card", "{n} cards", n=0), "0 cards", "0 cartas"),
    "plural: many": (Message("{n} card", "{n} cards", n=5), "5 cards", "5 cartas"),
    "braces in a name": (Message("{player} wins", player="{n} %s"), "{n} %s wins", "Gana {n} %s"),
    "braces in names": (Message("{all}", all=("{x}", "{y}")), "{x} and {y}", "{x} y {y}"),
}


@pytest.mark.parametrize(("message", "english", "spanish"), CASES.values(), ids=CASES)
def test_said(message: Message, english: str, spanish: str) -> None:
    assert str(message) == message.say() == english
    assert message.say(Spanish()) == spanish
    assert english in repr(message)


def test_equal_messages_have_equal_hashes_whatever_the_order_of_their_values() -> None:
    one, other = Message("{a} {b}", a=1, b=2), Message("{a} {b}", b=2, a=1)
    assert (one, hash(one)) == (other, hash(other))


@pytest.mark.parametrize(
    "other",
    [Message("y {n}", n=1), Message("x {n}", n=2), Message("x {n}", "xs {n}", n=1), Message("x {n}"), "x 1"],
    ids=["template", "value", "plural", "no value", "text"],
)
def test_different_messages_differ(other: object) -> None:
    assert Message("x {n}", n=1) != other


QUOTED: dict[str, tuple[object, str]] = {
    "short": ("9x", "9x"),
    "just fits": ("a" * 40, "a" * 40),
    "one too many": ("a" * 41, "a" * 40 + "…"),
    "number": (7.5, "7.5"),
    "nothing": (None, "null"),
    "empty": ("", '""'),
    "yes": (True, "true"),
    "list": ([1], "[…]"),
    "object": ({"a": 1}, "{…}"),
    "huge": (10**5000, "…"),
    "control": ("a\x00b\n", "a?b?"),
    "surrogate": ("a\ud800b", "a?b"),
    "letters": ("Ñandú ♠", "Ñandú ♠"),
    "emoji joined and newer than Python 3.11": ("\U0001f469\u200d\U0001f373 \U0001fa77",) * 2,
    "letters joined": ("a\u200db", "a?b"),
}


@pytest.mark.parametrize(("given", "shown"), QUOTED.values(), ids=QUOTED)
def test_quoted(given: object, shown: str) -> None:
    assert quoted(given) == shown


def test_quoted_up_to_another_length() -> None:
    assert quoted("abcdef", 3) == "abc…"


JOINED = """
Ana, Beto | Ana and Beto | Ana y Beto
Ana, Inés | Ana and Inés | Ana e Inés
Ana, Beto, Hilda | Ana, Beto and Hilda | Ana, Beto e Hilda
Inés, Ana | Inés and Ana | Inés y Ana
Ana, Iago | Ana and Iago | Ana y Iago
Ana | Ana | Ana
"""


@each_row(JOINED)
def test_names_are_joined(row: tuple[str, ...]) -> None:
    names, english, spanish = row
    message = Message("{player} wins", player=tuple(names.split(", ")))
    assert message.say() == f"{english} wins"
    assert message.say(Spanish()) == f"Gana {spanish}"
