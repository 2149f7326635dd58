"""The fields of an exported row: each says what a file may contain, and converts it from and to the database's value.

In the file, rows refer to each other by names of its own, never by database ids. `Scope.ids` translates these, by the
key of the rows' list: from the file's name to the database id on import, the other way on export; ids are text. While a
file is validated, there are no ids yet, only the rows' positions.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Collection
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from marshmallow import Schema, ValidationError, fields, missing
from marshmallow.experimental.context import Context
from marshmallow.validate import Length, OneOf, Range

from companion.config import MAX_BODY_BYTES
from companion.contract.names import folded, name_problem, rules_name_problem
from companion.engine.messages import Message, quoted
from companion.engine.settlement import POT
from companion.games import all_games

from ..history.tallies import Part
from ..log.replay import BANK
from .misfits import MISSING, NOUNS, UNKNOWN, Misfit

Row = dict[str, Any]
IdMaps = dict[str, dict[Any, Any]]
# the rounds' results for their players, by (night's id in the file, line number); players as numbers in the file
Results = dict[tuple[str, int], tuple[Part, ...]]
Stored = dict[str, dict[int, list[Any]]]  # the database's rows by the key of their list, then by their owner's id
_MAX_CHARACTERS = 2 * MAX_BODY_BYTES
_MAX_OFFSET = 24 * 60 * 60 - 1  # the most that Python takes
_ERRORS = {"unknown": UNKNOWN}
_MOMENT = re.compile(r"(?:19|2\d)\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z", re.ASCII)


@dataclass
class Scope:
    """What a field knows about the rest of the file; `at` is the position of its row in the list."""

    ids: IdMaps = field(default_factory=lambda: defaultdict(dict))
    at: int = 0
    is_valid: bool = False  # the file was validated, and its rows are inserted
    results: Results = field(default_factory=dict)
    stored: Stored = field(default_factory=dict)


def scope() -> Scope:
    """Return the scope that the caller of the schema has entered."""
    found: Scope = Context.get()
    return found


def must_be_short(given: Any) -> None:
    """Refuse what is longer than any form could have sent: reading a round can take more than linear time."""
    if len(json.dumps(given)) > _MAX_CHARACTERS:
        raise Misfit("it is longer than {most} characters", most=f"{_MAX_CHARACTERS:,}")


class Parts(Schema):
    """An object in the file."""

    error_messages = _ERRORS

    def get_attribute(self, obj: Any, attr: str, default: Any) -> Any:
        """Take a column from the database's row, or a part from a document, which may lack it."""
        return obj.get(attr, default) if isinstance(obj, dict) else getattr(obj, attr, default)

    def load(self, data: Any, **options: Any) -> Any:
        """Validate and convert the file's object; nothing else is accepted."""
        if not isinstance(data, dict):
            raise Misfit("{given} isn't an object", given=quoted(data))
        return super().load(data, **options)


class Value(fields.Field[Any]):
    """A value in the file, required unless it has a default. Where marshmallow refuses it, the error is `sentence`."""

    sentence = Message("{given} isn't an object")

    def __init__(self, *, allow_none: bool = False, **options: Any) -> None:
        options |= {"required": "load_default" not in options, "error_messages": {"required": [MISSING]}}
        super().__init__(allow_none=allow_none, **options)

    @property
    def key(self) -> str:
        """The value's key in the file."""
        return self.data_key or str(self.name)

    def serialize(self, attr: str, obj: Any, accessor: Any = None, **kwargs: Any) -> Any:
        """Convert the database's value; one that isn't required is left out if it is null or empty."""
        value = super().serialize(attr, obj, accessor, **kwargs)
        return value if value or self.required else missing

    def deserialize(self, value: Any, attr: Any = None, data: Any = None, **kwargs: Any) -> Any:
        """Validate and convert the file's value; the error has a message that can be translated."""
        try:
            if value is missing or value is None or self.fits(value):
                return super().deserialize(value, attr, data, **kwargs)
        except ValidationError as error:
            if value is missing or isinstance(error.messages, dict) or isinstance(error.messages[0], Message):
                raise
        # also in place of marshmallow's own sentence
        raise Misfit(self.sentence.template, given=quoted(value), **self.sentence.values)

    def restore(self, given: Any) -> Any:
        """Convert the file's value, which was validated before, to the database's."""
        return None if given is None else self._deserialize(given, None, None)

    def fits(self, given: Any) -> bool:
        """Check what marshmallow's own field doesn't; not called for null. Other errors than `sentence` are raised."""
        return True


class Numbered(Value):
    """A row's number in its list, from 1, with an optional prefix."""

    def __init__(self, prefix: str = "") -> None:
        super().__init__(dump_default=self._next)
        self._prefix = prefix

    def _next(self) -> object:
        number = scope().at + 1
        return f"{self._prefix}{number}" if self._prefix else number

    def fits(self, given: Any) -> bool:
        if type(given) is bool or given != self._next():
            raise Misfit("it says {given} instead of {n}", given=quoted(given), n=scope().at + 1)
        return True


class Text(Value, fields.String):
    """Text of limited length; with `among`, only one of these."""

    def __init__(
        self, most: int, least: int = 0, pattern: str = "", among: Collection[str] = (), **options: Any
    ) -> None:
        def must_match(given: str) -> None:
            if not re.fullmatch(pattern or ".*", given, re.ASCII | re.DOTALL) or (among and given not in among):
                raise Misfit("{given} isn't allowed", given=quoted(given))

        super().__init__(validate=[Length(least, most), must_match], **options)
        self.sentence = Message("{given} isn't text of {least} to {most} characters", least=least, most=most)


class TypedField(Text):
    """Text that people typed, which the ledger has by its id; an empty one it has as `empty`."""

    def __init__(self, most: int, *, empty: str | None = "", **options: Any) -> None:
        super().__init__(most, **options)
        self._empty = empty

    def _validate(self, value: Any) -> None:
        if isinstance(value, str):  # not its id, when it is restored
            super()._validate(value)

    def _serialize(self, value: Any, attr: Any, obj: Any, **kwargs: Any) -> Any:
        return scope().ids["typed"][str(value)] if value else ""

    def _deserialize(self, value: Any, attr: Any, data: Any, **kwargs: Any) -> Any:
        text = super()._deserialize(value, attr, data, **kwargs)
        if not scope().is_valid:
            return text
        return int(scope().ids["typed"][text]) if text else self._empty


class Name(Value):
    """The name of a player, a group or a set of house rules that could be entered in the app."""

    sentence = Message("{given} has spaces around it")

    def __init__(self, of: str = "player") -> None:
        super().__init__()
        self._of = of

    def fits(self, given: Any) -> bool:
        is_pot = self._of == "group" and isinstance(given, str) and folded(given) == POT
        if self._of == "rules":
            problem = rules_name_problem(given, (), is_stored=True)
        else:
            problem = None if is_pot else name_problem("name", given, {}, is_stored=True)
        if problem is not None:
            raise Misfit("{problem}", problem=problem.message)
        return bool(given == given.strip())


class Whole(Value, fields.Integer):
    """A whole number between bounds; `true` isn't one."""

    def __init__(self, least: int, most: int, **options: Any) -> None:
        super().__init__(strict=True, validate=Range(least, most), **options)
        self.sentence = Message("{given} isn't a whole number from {least} to {most}", least=least, most=most)


class Offset(Whole):
    """How many seconds a clock is ahead of UTC; files from before it was kept leave it out."""

    def __init__(self) -> None:
        super().__init__(-_MAX_OFFSET, _MAX_OFFSET, load_default=None)

    def serialize(self, attr: str, obj: Any, accessor: Any = None, **kwargs: Any) -> Any:
        """Write it also if it is 0."""
        return getattr(obj, attr)


class Flag(Value):
    """True or false, not 0 or 1."""

    sentence = Message("{given} is neither true nor false")

    def fits(self, given: Any) -> bool:
        return type(given) is bool


class Timestamp(Value, fields.DateTime):
    """A time in UTC, to the microsecond; only in this notation, so that exporting again gives the same text."""

    sentence = Message("{given} isn't a time like 2026-11-21T19:30:00.000000Z")

    def _serialize(self, value: datetime | None, attr: Any, obj: Any, **kwargs: Any) -> Any:
        return value and value.astimezone(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")

    def fits(self, given: Any) -> bool:
        return isinstance(given, str) and bool(_MOMENT.fullmatch(given))


class Word(Value, fields.String):
    """One of some words; by default, the games' keys."""

    def __init__(self, words: tuple[str, ...] = tuple(all_games()), **options: Any) -> None:
        super().__init__(validate=OneOf(words), **options)
        self.sentence = Message("{given} isn't one of {words}", words=words)


class Ref(Value):
    """A reference to a row of another list, `of`."""

    def __init__(self, of: str, **options: Any) -> None:
        super().__init__(**options)
        self._of = of
        self.sentence = Message("there is no {of} {given} here", of=NOUNS[of])

    def fits(self, given: Any) -> bool:
        return type(given) in (str, int) and given in scope().ids[self._of]

    def _serialize(self, value: Any, attr: Any, obj: Any, **kwargs: Any) -> Any:
        return None if value is None else scope().ids[self._of][str(value)]

    def _deserialize(self, value: Any, attr: Any, data: Any, **kwargs: Any) -> Any:
        return int(scope().ids[self._of][value])


class SelfRef(Ref):
    """A reference to a row of its own list; it is checked and restored once all rows of the list are."""

    def fits(self, given: Any) -> bool:
        return True

    def _deserialize(self, value: Any, attr: Any, data: Any, **kwargs: Any) -> Any:
        return None


class AccountKey(Ref):
    """The key of an account: a player in the list `of`, or one of the others, by default the pot and the bank."""

    def __init__(self, of: str, others: tuple[str, ...] = (POT, BANK), **options: Any) -> None:
        super().__init__(of, **options)
        self._others = others

    def fits(self, given: Any) -> bool:
        of = "players" if scope().is_valid else self._of
        return isinstance(given, str) and (given in self._others or given in scope().ids[of])

    def _serialize(self, value: Any, attr: Any, obj: Any, **kwargs: Any) -> Any:
        return value if value in self._others else scope().ids["players"][value]

    def _deserialize(self, value: Any, attr: Any, data: Any, **kwargs: Any) -> Any:
        return self._serialize(value, attr, data) if scope().is_valid else value
