"""Messages: values, plurals, lists of names, and translation."""

from __future__ import annotations

from gettext import NullTranslations

import pytest

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
    "names: one": (Message("{all}", all=("Ana",)), "Ana", "Ana"),
    "names: two": (Message("{all}", all=("Ana", "Beto")), "Ana and Beto", "Ana y Beto"),
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


def test_equal_messages_have_equal_hashes() -> None:
    assert Message("x {n}", n=1) == Message("x {n}", n=1)
    assert hash(Message("x {n}", n=1)) == hash(Message("x {n}", n=1))


def test_equal_messages_have_equal_hashes_whatever_the_order_of_their_values() -> None:
    one, other = Message("{a} {b}", a=1, b=2), Message("{a} {b}", b=2, a=1)
    assert one == other
    assert hash(one) == hash(other)


@pytest.mark.parametrize(
    "other",
    [Message("y {n}", n=1), Message("x {n}", n=2), Message("x {n}", "xs {n}", n=1), Message("x {n}"), "x 1"],
    ids=["template", "value", "plural", "no value", "text"],
)
def test_different_messages_differ(other: object) -> None:
    assert Message("x {n}", n=1) != other


@pytest.mark.parametrize(
    ("given", "longest", "shown"),
    [
        ("9x", 40, "9x"),
        ("a" * 40, 40, "a" * 40),
        ("a" * 41, 40, "a" * 40 + "…"),
        ("abcdef", 3, "abc…"),
        (7.5, 40, "7.5"),
        (None, 40, "null"),
        ("", 40, '""'),
        (True, 40, "true"),
        ([1], 40, "[…]"),
        ({"a": 1}, 40, "{…}"),
        (10**5000, 40, "…"),
        ("a\x00b\n", 40, "a?b?"),
        ("a\ud800b", 40, "a?b"),
        ("Ñandú ♠", 40, "Ñandú ♠"),
        ("\U0001f469\u200d\U0001f373 \U0001fa77", 40, "\U0001f469\u200d\U0001f373 \U0001fa77"),
        ("a\u200db", 40, "a?b"),
    ],
    ids=[
        "short",
        "just fits",
        "one too many",
        "own length",
        "number",
        "nothing",
        "empty",
        "yes",
        "list",
        "object",
        "huge",
        "control",
        "surrogate",
        "letters",
        "emoji joined and newer than Python 3.11",
        "letters joined",
    ],
)
def test_quoted(given: object, longest: int, shown: str) -> None:
    assert quoted(given, longest) == shown


def test_quoted_shortens_to_40_by_default() -> None:
    assert quoted("b" * 99) == "b" * 40 + "…"


@pytest.mark.parametrize(
    ("names", "english", "spanish"),
    [
        (("Ana", "Beto"), "Ana and Beto", "Ana y Beto"),
        (("Ana", "Inés"), "Ana and Inés", "Ana e Inés"),
        (("Ana", "Beto", "Hilda"), "Ana, Beto and Hilda", "Ana, Beto e Hilda"),
        (("Inés", "Ana"), "Inés and Ana", "Inés y Ana"),
        (("Ana", "Iago"), "Ana and Iago", "Ana y Iago"),
        (("Ana",), "Ana", "Ana"),
    ],
    ids=str,
)
def test_names_are_joined(names: tuple[str, ...], english: str, spanish: str) -> None:
    message = Message("{player} wins", player=names)
    assert message.say() == f"{english} wins"
    assert message.say(Spanish()) == f"Gana {spanish}"
