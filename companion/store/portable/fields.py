"""The fields of an exported row: each writes its value, validates it as untrusted input, and restores it.

In the file, rows refer to each other by names of its own, never by database ids. `IdMaps` translate these, by kind
("player", "account", …): from the file's name to the database id on import, the other way on export; ids are text.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cached_property
from typing import Any, ClassVar

from companion.config import MOST_BODY_BYTES
from companion.contract.names import folded, name_problem, rules_name_problem
from companion.engine.messages import quoted
from companion.engine.problems import Problem
from companion.engine.settlement import POT
from companion.games import all_games

from ..replay import BANK, Document
from .misfits import PLACES, Unfit

IdMaps = dict[str, dict[Any, Any]]
_MOST_CHARACTERS = 2 * MOST_BODY_BYTES
_MOMENT = re.compile(r"2\d{3}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z", re.ASCII)


def must_be_object(given: Any, place: str) -> None:
    """Refuse anything but a JSON object."""
    if not isinstance(given, dict):
        raise Unfit(place, "{given} isn't an object", given=quoted(given))


def must_be_short(given: Any, place: str) -> None:
    """Refuse what is longer than any form could have sent: reading a round can take more than linear time."""
    if len(json.dumps(given)) > _MOST_CHARACTERS:
        raise Unfit(place, "it is longer than {most} characters", most=f"{_MOST_CHARACTERS:,}")


@dataclass(kw_only=True)
class Field:
    """A value under `key` in a row of the file, and in `column` of its table, which by default is called the same.

    `kind`: other rows refer to this row by the value, as a row of this kind. `is_unique`: it differs in all rows of a
    list.
    """

    key: str = field(kw_only=False)
    column: str = ""
    kind: str = ""
    is_unique: bool = False
    is_null: bool = False  # null is allowed
    is_optional: bool = False  # the file leaves it out if it is null, as older files do
    is_self_reference: bool = False  # it refers to a row of its own list, so it is restored last
    is_stored: bool = True  # it has a column

    def __post_init__(self) -> None:
        self.column = self.column or self.key

    def write(self, row: Any, at: int, ids: IdMaps) -> Any:
        """Return a stored row's value for the file; `at` is the row's index in its list."""
        value = getattr(row, self.column)
        return None if value is None else self.written(value, ids)

    def written(self, value: Any, ids: IdMaps) -> Any:
        """Convert a column's value for the file."""
        return value

    def read(self, given: Any, place: str, at: int, ids: IdMaps) -> None:
        """Raise Unfit if the file's value is invalid."""
        if not (given is None and self.is_null):
            self.check(given, f"{place}, {self.key}", ids)

    def check(self, given: Any, place: str, ids: IdMaps) -> None:
        """Raise Unfit if the file's value is invalid; not called for null."""

    def put(self, given: Any, ids: IdMaps) -> Any:
        """Convert the file's value for its column."""
        return given

    def compared(self, given: Any) -> Any:
        """Return what a value is compared by, if it must be unique."""
        return given


@dataclass(kw_only=True)
class Numbered(Field):
    """A row's number in its list, from 1, with an optional prefix."""

    prefix: str = ""

    def write(self, row: Any, at: int, ids: IdMaps) -> Any:
        """Return the stored number, or count the rows."""
        return getattr(row, self.column) if self.is_stored else self._expected(at)

    def read(self, given: Any, place: str, at: int, ids: IdMaps) -> None:
        """Accept only the next number."""
        if type(given) is bool or given != self._expected(at):
            raise Unfit(f"{place}, {self.key}", "it says {given} instead of {n}", given=quoted(given), n=at + 1)

    def _expected(self, at: int) -> object:
        return f"{self.prefix}{at + 1}" if self.prefix else at + 1


@dataclass(kw_only=True)
class Text(Field):
    """Text of limited length."""

    most: int
    least: int = 0
    pattern: str = ""

    def check(self, given: Any, place: str, ids: IdMaps) -> None:
        if not isinstance(given, str) or not self.least <= len(given) <= self.most:
            text = "{given} isn't text of {least} to {most} characters"
            raise Unfit(place, text, given=quoted(given), least=self.least, most=self.most)
        if self.pattern and not re.fullmatch(self.pattern, given, re.ASCII):
            raise Unfit(place, "{given} isn't allowed", given=quoted(given))


@dataclass(kw_only=True)
class Name(Field):
    """The name of a player, a group or a set of house rules that could be entered in the app."""

    of: str = "player"

    def _problem(self, given: Any) -> Problem | None:
        if self.of == "rules":
            return rules_name_problem(given, (), is_stored=True)
        is_pot = self.of == "group" and isinstance(given, str) and folded(given) == POT
        return None if is_pot else name_problem("name", given, {}, is_stored=True)

    def check(self, given: Any, place: str, ids: IdMaps) -> None:
        problem = self._problem(given)
        if problem is not None:
            raise Unfit(place, "{problem}", problem=problem.message)
        if given != given.strip():
            raise Unfit(place, "{given} has spaces around it", given=quoted(given))

    def compared(self, given: Any) -> Any:
        return folded(given)


@dataclass(kw_only=True)
class Whole(Field):
    """A whole number between bounds."""

    least: int
    most: int

    def check(self, given: Any, place: str, ids: IdMaps) -> None:
        """Accept whole numbers only; `true` isn't one."""
        if type(given) is not int or not self.least <= given <= self.most:
            text = "{given} isn't a whole number from {least} to {most}"
            raise Unfit(place, text, given=quoted(given), least=self.least, most=self.most)


@dataclass(kw_only=True)
class Flag(Field):
    """True or false, not 0 or 1."""

    def check(self, given: Any, place: str, ids: IdMaps) -> None:
        if type(given) is not bool:
            raise Unfit(place, "{given} is neither true nor false", given=quoted(given))


@dataclass(kw_only=True)
class Timestamp(Field):
    """A time in UTC, to the microsecond, as 2026-11-21T19:30:00.000000Z."""

    def written(self, value: datetime, ids: IdMaps) -> str:
        return value.astimezone(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")

    def check(self, given: Any, place: str, ids: IdMaps) -> None:
        """Accept only this notation, so that exporting again gives the same text."""
        try:
            if _MOMENT.fullmatch(given):
                datetime.fromisoformat(given)
                return
        except (TypeError, ValueError):
            pass
        raise Unfit(place, "{given} isn't a time like 2026-11-21T19:30:00.000000Z", given=quoted(given))

    def put(self, given: Any, ids: IdMaps) -> datetime | None:
        return None if given is None else datetime.fromisoformat(given)


@dataclass(kw_only=True)
class OneOf(Field):
    """One of some words; by default, the games' keys."""

    words: tuple[str, ...] = ()

    def check(self, given: Any, place: str, ids: IdMaps) -> None:
        words = self.words or tuple(all_games())
        if not isinstance(given, str) or given not in words:
            raise Unfit(place, "{given} isn't one of {words}", given=quoted(given), words=words)


@dataclass(kw_only=True)
class Ref(Field):
    """A reference to another row, of the kind `of`."""

    of: str

    def written(self, value: Any, ids: IdMaps) -> Any:
        return ids[self.of][str(value)]

    def check(self, given: Any, place: str, ids: IdMaps) -> None:
        if type(given) not in (str, int) or given not in ids[self.of]:
            raise Unfit(place, "there is no {of} {given} here", of=PLACES[self.of], given=quoted(given))

    def put(self, given: Any, ids: IdMaps) -> int | None:
        return None if given is None else int(ids[self.of][given])


@dataclass(kw_only=True)
class AccountKey(Field):
    """The key of an account: a player of the kind `of`, the pot or the bank."""

    of: str
    OTHERS: ClassVar[Mapping[str, str]] = {POT: POT, BANK: BANK}

    def written(self, value: Any, ids: IdMaps) -> Any:
        return self.OTHERS.get(value) or ids["player"][value]

    def check(self, given: Any, place: str, ids: IdMaps) -> None:
        """Accept players who can have an account here, the pot and the bank."""
        if not isinstance(given, str) or (given not in ids[self.of] and given not in self.OTHERS):
            raise Unfit(place, "there is no {of} {given} here", of=PLACES[self.of], given=quoted(given))

    def put(self, given: Any, ids: IdMaps) -> Any:
        return self.written(given, ids)


@dataclass(kw_only=True)
class Object(Field):
    """An object with some of the given parts."""

    parts: tuple[Field, ...]

    def written(self, value: Document, ids: IdMaps) -> Document:
        return {key: self._fields[key].written(part, ids) for key, part in value.items()}

    def check(self, given: Any, place: str, ids: IdMaps) -> None:
        must_be_object(given, place)
        must_be_short(given, place)
        for key, part in given.items():
            if key not in self._fields:
                raise Unfit(place, "{key} isn't part of it", key=quoted(key))
            self._fields[key].read(part, place, 0, ids)

    def put(self, given: Document, ids: IdMaps) -> Document:
        return {key: self._fields[key].put(part, ids) for key, part in given.items()}

    @cached_property
    def _fields(self) -> dict[str, Field]:
        return {field.key: field for field in self.parts}
