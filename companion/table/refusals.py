"""Why something can't be done at the table or in the night."""

from __future__ import annotations

from collections.abc import Sequence

from companion.engine.messages import Message
from companion.engine.problems import Problem


class Refused(Exception):  # noqa: N818 - a refusal shown to the user, not a bug
    """A change that is refused; `message` says why and what to do. `line` is the line that is in the way."""

    def __init__(self, message: Message, line: int | None = None, problems: Sequence[Problem] = ()) -> None:
        super().__init__(str(message))
        self.message = message
        self.line = line
        self.problems = tuple(problems)


class Conflict(Refused):
    """Somebody else was first; or with `is_sent_before`, the key was used for something else."""

    def __init__(self, message: Message, line: int | None = None, *, is_sent_before: bool = False) -> None:
        super().__init__(message, line)
        self.is_sent_before = is_sent_before
