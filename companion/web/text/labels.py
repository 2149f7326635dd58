"""Page texts for values stored as short keys, such as the kind of a change; and the letters on players' chips."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from itertools import count, takewhile
from typing import Any
from unicodedata import category, normalize

from flask import Flask
from markupsafe import Markup, escape

from companion.engine.messages import ENGLISH, Message, Words
from companion.engine.money.settlement import POT
from companion.games import all_games, game_of
from companion.store.log.replay import BANK, CHIP_COUNT, COST, POT_MOVE, REBUY, is_round
from companion.store.models import Change, Line

from .language import say, words

_SOME_DEVICE = Message("a phone")
# what a browser says of its device → what is stored for a device without a name; the first that fits
_KINDS = {
    "iPhone": Message("an iPhone"),
    "iPad": Message("an iPad"),
    "Android": Message("an Android phone"),
    "Macintosh": Message("a Mac"),
    "Windows": Message("a Windows computer"),
    "X11": Message("a Linux computer"),
}
# what is stored for devices without a name
UNNAMED = {str(kind): kind for kind in (_SOME_DEVICE, *_KINDS.values())}
_FLAG_HALF = re.compile("[\U0001f1e6-\U0001f1ff]")  # two letters make the flag of a country
_EMOJI_PART = re.compile("[\u200d\U0001f3fb-\U0001f3ff\U000e0020-\U000e007f]")  # joiners, skin tones, tags of flags
_NUMBERED = re.compile(r"(\d{1,2})\D*$")
MOVEMENTS = {
    "buy-in": Message("buy-in"),
    "side-bet": Message("side bet"),
    "loan": Message("loan"),
    POT_MOVE: Message("into or out of the pot"),
    "split": Message("split of the pot"),
    REBUY: Message("rebuy"),
    CHIP_COUNT: Message("chip count"),
    COST: Message("shared cost"),
}
# a rank or a number begins where no word goes on. The look back comes after its first character, by which `re` finds
# places to try quickly, and only that of a number is tried: from every digit of a long one it would take quadratic time
_SEQUENCE = r"[0-9A-Z](?<!\w.)[0-9A-Z]?(?:-[0-9A-Z]{1,2}\b)+(?:-[^\W\d_]+)?"
_NUMBER = r"[\d½](?<![\w,].)[\d,]*½?"
# odds and counts, which begin with a number in every language
COUNTED = (
    Message("1 in {n}", n=2),
    Message("{n} in 10", n=2),
    *(Message("{points} point", "{points} points", n=n, points=n) for n in (1, 2)),
    Message("{points} deadwood", points=2),
)
_CHANGES = {
    "correction": Message("correction"),
    "undo": Message("undo"),
    "seats": Message("seats"),
    "rules": Message("rules"),
    "note": Message("note"),
    "close": Message("close"),
    "reopen": Message("reopen"),
    "seat-taken": Message("seat taken"),
    "seat-given-up": Message("seat given up"),
    "scorekeeper": Message("scorekeeper"),
    "code": Message("new join code"),
    "buy-in": Message("starting stack"),
    "rebuy": Message("rebuy"),
    "count": Message("chip count"),
    "dealer": Message("who deals"),
    "stakes": Message("stakes"),
    "dealers-choice": Message("dealer's choice"),
    "payments": Message("how to pay"),
}
# what a result shows: what is handed over where chips are on the table, or who pays whom
PAYMENT_KINDS = {"chips": Message("Chips on the table"), "score": Message("Keep score")}
# changes of a line with a phrase of their own instead of "… of round 3": for a round, and for another entry
_TO_A_LINE = {
    "void": ("round {number} voided", "entry {number} voided"),
    "remark": ("note on round {number}", "note on entry {number}"),
}
_ACTIONS = {
    "check": Message("check"),
    "bet": Message("bet"),
    "call": Message("call"),
    "raise": Message("raise"),
    "fold": Message("fold"),
    "all-in": Message("all-in"),
}


def game_played(document: Mapping[str, Any]) -> Message:
    """Return the name of the game of a stored round, with its texts: its own, or what the table called it."""
    called = document.get("called")
    return Message("{game}", game=called) if called else Message(game_of(document["game"]).name)


def init_app(app: Flask) -> None:
    known = {"all_games": all_games, "game_of": game_of, "movements": MOVEMENTS}
    app.jinja_env.globals.update(**known, action_words=action_words, monogram=monogram)
    filters = (unbroken, change_words, line_words, device_words, places, on_podium)
    app.jinja_env.filters.update({written.__name__: written for written in filters})


def pot_and_bank() -> dict[str, str]:
    """Return the names of the two accounts that aren't players, by key."""
    return {POT: say("Pot"), BANK: say("Bank")}


def places(sums: Sequence[int]) -> list[int]:
    """Return the place of each sum, given highest first; equal sums share a place: 1, 2, 2, 4."""
    return [sums.index(units) + 1 for units in sums]


def on_podium(sums: Sequence[int]) -> int:
    """Return how many of these sums, given highest first, stand on the podium: three at most, and equals together."""
    number = min(len(sums), 3)
    while number and len(sums) > number and sums[number] == sums[number - 1]:
        number -= 1
    return number


def action_words(action: str) -> str:
    """Translate a betting action as typed ("bet 4"); unknown actions stay unchanged."""
    kind, _, amount = action.partition(" ")
    known = say(_ACTIONS[kind]) if kind in _ACTIONS else kind
    return f"{known} {amount}".strip()


def unbroken(text: str) -> Markup:
    """Keep rank sequences and rule ids ("A-K-9-5", "KR-5"), odds ("1 in 694") and counts ("2 points") on one line."""
    return Markup(_kept_together(words()).sub(r'<span class="unbroken">\g<0></span>', str(escape(text))))


@cache
def _kept_together(words: Words) -> re.Pattern[str]:
    """Return the pattern for what stays on one line in a language, or in English where a game isn't translated."""
    said = (text.say(language) for text in COUNTED for language in (words, ENGLISH))
    rests = {r"\s".join(_NUMBER if word.isdigit() else re.escape(word) for word in text.split()[1:]) for text in said}
    return re.compile(rf"{_SEQUENCE}|{_NUMBER}\s(?:{'|'.join(sorted(rests))})\b")


def change_words(change: Change, rounds: Mapping[int, int]) -> str:
    """Describe what kind of change it was, and to which line: "loan", "correction of round 3".

    `rounds` maps line numbers to round numbers.
    """
    content = change.content
    number: int | None = content.get("number")
    if change.kind in ("round", "movement"):
        return _entry_words(content["document"], rounds.get(content["number"], 0))
    if number is not None and change.kind in _TO_A_LINE:
        of_round, of_entry = _TO_A_LINE[change.kind]
        return say(of_round if number in rounds else of_entry, number=rounds.get(number, number))
    kind = _CHANGES[change.kind]
    if number is not None and number in rounds:
        return say("{what} of round {number}", what=kind, number=rounds[number])
    return say(kind) if number is None else say("{what} of entry {number}", what=kind, number=number)


def line_words(line: Line, round_number: int) -> str:
    """Name a line by kind, and a round also by its number as the table counts: "round 3", "loan"."""
    return _entry_words(line.current.document, round_number)


def _entry_words(document: Mapping[str, Any], round_number: int) -> str:
    if not is_round(document):
        return say(MOVEMENTS[document["movement"]])
    return say("round {number}", number=round_number)


def device_words(name: str) -> str:
    """Return a device's name, or if it has none its kind in the page's language."""
    return say(UNNAMED[name]) if name in UNNAMED else name


def kind_of_device(user_agent: str) -> str:
    """Return what is stored for a device without a name, according to its browser, such as "an iPhone"."""
    return next((str(kind) for mark, kind in _KINDS.items() if mark in user_agent), str(_SOME_DEVICE))


def monogram(name: str | None, names: Collection[str | None] = ()) -> str:
    """Return what is on a player's chip, which no two of the names share.

    "A"; two letters if another name starts with A too, such as "An", "AL" and "Al" for Ana, Ana Luz and Alba; "P2" for
    "Player 2".
    """
    name = (name or "").strip() or "?"
    first = _letters(name)[0].upper()
    alike = [
        other for other in ((known or "").strip() for known in names) if other and _letters(other)[0].upper() == first
    ]
    if len(alike) < 2 and not _NUMBERED.search(name):
        return first
    taken: set[str] = set()
    for other in takewhile(lambda other: other != name, alike):
        taken.add(next(two for two in _two_letters(other) if two not in taken))
    return next(two for two in _two_letters(name) if two not in taken)


@lru_cache(maxsize=1_000)
def _letters(name: str) -> tuple[str, ...]:
    """Split a name into what a reader takes for a letter: with its accents, and an emoji or flag with all its parts."""
    letters: list[str] = []
    for char in normalize("NFC", name):
        is_flag = bool(letters and _FLAG_HALF.fullmatch(letters[-1]) and _FLAG_HALF.match(char))
        is_part = is_flag or category(char)[0] == "M" or bool(_EMOJI_PART.match(char))
        if letters and (is_part or letters[-1].endswith("\N{ZERO WIDTH JOINER}")):
            letters[-1] += char
        else:
            letters.append(char)
    return tuple(letters)


def _two_letters(name: str) -> Iterator[str]:
    """Yield what may stand on a player's chip, from the most to the least natural, without end."""
    letters, number = _letters(name), _NUMBERED.search(name)
    first = letters[0].upper()
    if number:
        yield first + number[1]
    if letters[1:2] != (" ",):
        yield first + "".join(letters[1:2]).lower()
    yield from (first + _letters(word)[0].upper() for word in name.split()[1:])
    yield from (first + letter.lower() for letter in letters[2:] if letter[0].isalnum())
    yield from (first + str(number) for number in count(2))
