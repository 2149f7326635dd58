"""The error for an invalid file: what is wrong with it, and where."""

from __future__ import annotations

from collections.abc import Sequence

from companion.engine.messages import Message
from companion.engine.problems import Problem

from ...refusals import Refused

THE_FILE, THE_GROUP = Message("the file"), Message("the group")
# the name of one row in messages, by the key of its list
NOUNS = {
    "players": Message("player"),
    "paid_by": Message("way to be paid"),
    "nights": Message("night"),
    "seats": Message("seat"),
    "accounts": Message("account"),
    "changes": Message("change"),
    "lines": Message("line"),
    "revisions": Message("revision"),
    "transfers": Message("transfer"),
    "rule_sets": Message("house rules"),
    "seasons": Message("season"),
    "next_night": Message("planned night"),
    "coming": Message("answer"),
    "plans": Message("plan"),
    "payments": Message("payment"),
    "paid": Message("tick"),
}


class Misfit(Exception):  # noqa: N818 - becomes a refusal
    """A wrong value in the file. `at` is its path below the value that is being read: keys, and positions in lists."""

    def __init__(self, template: str, *at: str | int, **values: object) -> None:
        super().__init__(template)
        self.what, self.at = Message(template, **values), at

    def below(self, *at: str | int) -> Misfit:
        """Say where the value is that was being read."""
        self.at = (*at, *self.at)
        return self


def must_fit(fits: object, template: str, *at: str | int, **values: object) -> None:
    """Raise Misfit unless something fits."""
    if not fits:
        raise Misfit(template, *at, **values)


def must_follow(problems: Sequence[Problem], *at: str | int, names_field: bool = True) -> None:
    """Raise Misfit for the first of the problems that the app has with a round, house rules or a name."""
    for problem in problems:
        raise Misfit("{problem}", *at, *[problem.field] * names_field, problem=problem.message)


class InvalidFile(Refused):
    """The file can't be imported: `what` is wrong, at `place`."""

    def __init__(self, what: Message, place: Message = THE_FILE) -> None:
        text = "{place}: {what}. Nothing was imported; choose a full backup of a group, as it was saved"
        super().__init__(Message(text, place=place, what=what))


def invalid_group(misfit: Misfit) -> InvalidFile:
    """Turn a wrong value into a refusal that names its place, such as "the group, night 1, seat 2, state"."""
    place = THE_GROUP
    for at, key in enumerate(misfit.at):
        part: object = key
        if isinstance(key, int):
            part = Message("{what} {number}", what=NOUNS[str(misfit.at[at - 1])], number=key + 1)
        elif any(isinstance(after, int) for after in misfit.at[at + 1 : at + 2]):
            continue  # the name of a list, which one of its rows follows
        place = Message("{place}, {part}", place=place, part=part)
    return InvalidFile(misfit.what, place)
