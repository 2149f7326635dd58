"""The error for an invalid file: what is wrong with it, and where."""

from __future__ import annotations

from typing import Any

from marshmallow import ValidationError
from marshmallow.exceptions import SCHEMA

from companion.engine.messages import Message, quoted
from companion.engine.problems import Problem

from ..refusals import Refused

THE_FILE, THE_GROUP = Message("the file"), Message("the group")
# what a row is called, by the key of its list
NOUNS = {
    "players": Message("player"),
    "sessions": Message("session"),
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
# marshmallow's own errors about a key; those about a value are told by the field, see `Value`
MISSING, UNKNOWN = Message("{key} is missing").template, Message("{key} isn't part of it").template


class Misfit(ValidationError):  # noqa: N818 - a refusal shown to the user, not a bug
    """A value that doesn't fit; `at` leads to it from the value being read, as keys and positions."""

    def __init__(self, template: str, *at: str | int, **values: object) -> None:
        errors: Any = [Message(template, **values)]
        for key in reversed(at):
            errors = {key: errors}
        super().__init__(errors)

    @classmethod
    def by(cls, problem: Problem, *at: str | int) -> Misfit:
        """Return the error for a document that the contract refuses."""
        return cls("{problem}", *at, problem.field, problem=problem.message)


class Unfit(Refused):
    """The file is invalid; the message names the first invalid place."""

    def __init__(self, what: Message, place: Message = THE_FILE) -> None:
        text = "{place}: {what}. Nothing was imported; choose a full backup of a group, as it was saved"
        super().__init__(Message(text, place=place, what=what))


def first_misfit(errors: Any) -> Unfit:
    """Return the first of a group's errors: of each row, a missing or unknown key before any value."""
    place, key = THE_GROUP, ""
    while isinstance(errors, dict):
        own = [key for key, found in errors.items() if found in ([MISSING], [UNKNOWN])]
        above, key = key, min(own, default=next(iter(errors)))
        errors = errors[key]
        if own:
            return Unfit(Message(errors[0], key=quoted(key)), place)
        # marshmallow's key for the whole row, unlike the same text in a file; or a list, if one of its rows follows
        if key is SCHEMA or (isinstance(errors, dict) and isinstance(next(iter(errors)), int)):
            continue
        part = Message("{what} {number}", what=NOUNS[above], number=key + 1) if isinstance(key, int) else key
        place = Message("{place}, {part}", place=place, part=part)
    return Unfit(errors[0], place)
