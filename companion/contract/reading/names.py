"""Names of players and of saved house rules: which are rejected, and when two count as the same."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence

from companion.engine.messages import Message, quoted
from companion.engine.money.settlement import POT
from companion.engine.names import MAX_NAME_LENGTH, has_control_characters, name_key, without_invisible
from companion.engine.problems import Code, Problem

from .lookalikes import is_visible, look_alike, mixes_alphabets

MAX_RULES_NAME_LENGTH = 40  # of a set of house rules, so that it fits on a button


def folded(name: str) -> str:
    """Return the form of a name that is unique in the database.

    It tells more names apart than `name_key`, by which new ones are compared: groups from before may have two names
    that differ only in their punctuation.
    """
    return unicodedata.normalize("NFKC", without_invisible(name[: MAX_NAME_LENGTH + 1])).casefold().strip()


def name_problem(field: str, name: object, earlier: Mapping[str, str], *, is_stored: bool = False) -> Problem | None:
    """Return what is wrong with a player's name, or None. `earlier` are the names before it, by `key_of`.

    Names already stored may predate today's stricter checks; they only have to differ from the earlier ones, character
    by character.
    """

    def bad(template: str, code: Code = "bad-value", **values: object) -> Problem:
        return Problem(field, code, Message(template, **values))

    if not isinstance(name, str):
        return bad("A player's name must be text")
    if has_control_characters(name):
        return bad("This name has characters that can't be displayed; type it again")
    trimmed = name.strip()
    if not trimmed:
        return bad("This player has no name; enter one, or remove the player")
    if len(trimmed) > MAX_NAME_LENGTH:
        return bad("This name is longer than {most} characters; shorten it", most=MAX_NAME_LENGTH)
    if not is_stored and not is_visible(trimmed):
        return bad("This name is invisible; enter one with visible characters")
    if name_key(trimmed) == POT:
        return bad("{name} is the name of the pot; choose another name for this player", name=trimmed)
    taken = earlier.get(key_of(trimmed, is_stored=is_stored))
    if taken is not None and (is_stored or folded(taken) == folded(trimmed)):
        text = "Two players are called “{name}”; give one of them another name"
        return bad(text, "duplicate-player", name=quoted(trimmed))
    return None if is_stored else _confusion(field, trimmed, earlier.values())


def name_problems(names: Sequence[object], *, is_stored: bool = False) -> Iterator[Problem]:
    """Yield what is wrong with the names of a round's players, at `players.0` and so on; see `name_problem`."""
    earlier: dict[str, str] = {}
    for at, name in enumerate(names):
        problem = name_problem(f"players.{at}", name, earlier, is_stored=is_stored)
        if problem is not None:
            yield problem
        else:
            assert isinstance(name, str)
            earlier[key_of(name.strip(), is_stored=is_stored)] = name.strip()


def key_of(name: str, *, is_stored: bool = False) -> str:
    """Return the key that must be unique among a round's players: `name_key`, or a stored name itself."""
    return name if is_stored else name_key(name)


def _confusion(field: str, name: str, earlier: Iterable[str]) -> Problem | None:
    """Return the problem with a name that could be mistaken for an earlier one, or None."""
    taken = next((other for other in earlier if look_alike(name, other)), None)
    if taken is not None:
        text = "“{name}” looks just like “{other}”; give one of them another name"
        return Problem(field, "duplicate-player", Message(text, name=quoted(name), other=quoted(taken)))
    if mixes_alphabets(name):
        text = "“{name}” has letters of different alphabets in one word; type each word in one alphabet"
        return Problem(field, "bad-value", Message(text, name=quoted(name)))
    return None


def rules_name_problem(name: object, earlier: Iterable[str], *, is_stored: bool = False) -> Problem | None:
    """Return what is wrong with the name of a set of house rules, or None; `earlier` are the names in the same game.

    A stored name may predate today's stricter checks; it only has to be a name, and differ from the earlier ones.
    """

    def bad(template: str, code: Code = "bad-value", **values: object) -> Problem:
        return Problem("name", code, Message(template, **values))

    if not isinstance(name, str) or has_control_characters(name):
        return bad("This name has characters that can't be displayed; type it again")
    trimmed = name.strip()
    if not is_visible(trimmed):
        return bad("These house rules need a name, such as “Tuesday rules”")
    if len(trimmed) > MAX_RULES_NAME_LENGTH:
        return bad("This name is longer than {most} characters; shorten it", most=MAX_RULES_NAME_LENGTH)
    taken = list(earlier)
    if name_key(trimmed) in map(name_key, taken):
        text = "There are already house rules called “{name}”; choose another name"
        return bad(text, "duplicate-player", name=quoted(trimmed))
    return None if is_stored else _confusion("name", trimmed, taken)
