"""The error for an invalid file: what is wrong with it, and where."""

from __future__ import annotations

from companion.engine.messages import Message
from companion.engine.problems import Problem

from ..refusals import Refused


class Unfit(Refused):
    """The file is invalid; the message names the first invalid place."""

    def __init__(self, place: str, template: str, **values: object) -> None:
        text = "{place}: {what}. Nothing was imported; choose a full backup of a group, as it was saved"
        super().__init__(Message(text, place=_in_words(place), what=Message(template, **values)))

    @classmethod
    def by(cls, problem: Problem, place: str) -> Unfit:
        """Return the error for a document in the file that the contract refuses."""
        return cls(f"{place}, {problem.field}", "{problem}", problem=problem.message)


# names for the parts of a place; the file's own keys aren't translated
PLACES = {
    message.template: message
    for message in (
        Message("the file"),
        Message("the group"),
        Message("player"),
        Message("session"),
        Message("seat"),
        Message("account"),
        Message("change"),
        Message("line"),
        Message("revision"),
        Message("transfer"),
        Message("house rules"),
        Message("plan"),
        Message("payment"),
        Message("tick"),
    )
}


def _in_words(place: str) -> Message:
    """Return a place ("the group, session 3, line 1, amount") as a message that can be translated."""
    first, *rest = place.split(", ")
    words = PLACES[first]
    for part in rest:
        words = Message("{place}, {part}", place=words, part=_part(part))
    return words


def _part(text: str) -> Message | str:
    noun, _, number = text.rpartition(" ")
    if noun in PLACES and number.isdecimal():
        return Message("{what} {number}", what=PLACES[noun], number=number)
    return text
