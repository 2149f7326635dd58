"""The error for an invalid file: what is wrong with it, and where."""

from __future__ import annotations

from typing import Any

from marshmallow import ValidationError
from marshmallow.exceptions import SCHEMA

from companion.engine.messages import Message, quoted
from companion.engine.problems import Problem

from ..refusals import Refused

THE_FILE, THE_GROUP = Message("the file"), Message("the group")
# the name of one row in messages, by the key of its list
NOUNS = {
    "players": Message("player"),
    "nights": Message("night"),
    "seats": Message("seat"),
    "accounts": Message("account"),
    "changes": Message("change"),
    "lines": Message("line"),
    "revisions": Message("revision"),
    "transfers": Message("transfer"),
    "rule_sets": Message("house rules"),
    "plans": Message("plan"),
    "payments": Message("payment"),
    "paid": Message("tick"),
}
# marshmallow reports missing and unknown keys itself; the fields report wrong values, see `Value`
MISSING, UNKNOWN = Message("{key} is missing").template, Message("{key} isn't part of it").template


class Misfit(ValidationError):  # noqa: N818 - a refusal shown to the user, not a bug
    """A wrong value in the file. `at` is its path below the value that is being read: keys, and positions in lists."""

    def __init__(self, template: str, *at: str | int, **values: object) -> None:
        errors: Any = [Message(template, **values)]
        for key in reversed(at):
            errors = {key: errors}
        super().__init__(errors)

    @classmethod
    def by(cls, problem: Problem, *at: str | int) -> Misfit:
        """Make the error for a round document that the contract refuses."""
        return cls("{problem}", *at, problem.field, problem=problem.message)


class InvalidFile(Refused):
    """The file can't be imported: `what` is wrong, at `place`."""

    def __init__(self, what: Message, place: Message = THE_FILE) -> None:
        text = "{place}: {what}. Nothing was imported; choose a full backup of a group, as it was saved"
        super().__init__(Message(text, place=place, what=what))


def invalid_file(errors: Any) -> InvalidFile:
    """Turn marshmallow's errors about a file into one refusal, which names the first invalid place.

    `errors` is nested like the file, by keys and positions. Within a row, a missing or unknown key comes first.
    """
    place, key = THE_GROUP, ""
    while isinstance(errors, dict):
        own = [key for key, found in errors.items() if found in ([MISSING], [UNKNOWN])]
        above, key = key, min(own, default=next(iter(errors)))
        errors = errors[key]
        if own:
            return InvalidFile(Message(errors[0], key=quoted(key)), place)
        # these add nothing to the place: marshmallow's key for the whole row (compared by identity, because a file may
        # have a key of the same text), and the name of a list that one of its rows follows
        if key is SCHEMA or (isinstance(errors, dict) and isinstance(next(iter(errors)), int)):
            continue
        part = Message("{what} {number}", what=NOUNS[above], number=key + 1) if isinstance(key, int) else key
        place = Message("{place}, {part}", place=place, part=part)
    return InvalidFile(errors[0], place)
