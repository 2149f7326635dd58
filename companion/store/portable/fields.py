"""One value of an exported group: how it is written, read with distrust, and put into its column.

Rows are spoken of by names of the file's own, never by ids of a database. `IdMaps` translate: by kind ("player",
"account", …) from what a row is called on one side to what it is called on the other, ids as text.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, ClassVar

from companion.config import MOST_BODY_BYTES
from companion.contract.names import folded, name_problem
from companion.engine.messages import quoted
from companion.engine.settlement import POT
from companion.games import all_games

from ..replay import BANK, Document
from .misfits import PLACES, Unfit

IdMaps = dict[str, dict[Any, Any]]
_MOST_CHARACTERS = 2 * MOST_BODY_BYTES
_MOMENT = re.compile(r"2\d{3}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z", re.ASCII)


def must_be_short(given: Any, place: str) -> None:
    """Refuse what no form could have sent: what reads a round may take longer for a long one than its length says."""
    if len(json.dumps(given)) > _MOST_CHARACTERS:
        raise Unfit(place, "it is longer than {most} characters", most=f"{_MOST_CHARACTERS:,}")


@dataclass(frozen=True, kw_only=True)
class Field:
    """A value under `key` of a row of the file; `column` is where the database keeps it ("" where it need not).

    `kind`: the value is what its row is called. `is_unique`: no two rows of a list have the same one.
    """

    key: str
    column: str = ""
    kind: str = ""
    is_unique: bool = False
    is_null: bool = False  # null is taken as well
    is_optional: bool = False  # left out of the file where it is null, as in files of before it was there
    is_self_reference: bool = False  # it speaks of a row of its own list, so it is put when all of them are there

    def write(self, row: Any, at: int, ids: IdMaps) -> Any:
        """Give a stored row's value for the file; `at` counts the rows of its list from 0."""
        value = getattr(row, self.column)
        return None if value is None else self.written(value, ids)

    def written(self, value: Any, ids: IdMaps) -> Any:
        """Translate a column's value for the file."""
        return value

    def read(self, given: Any, place: str, at: int, ids: IdMaps) -> None:
        """Raise Unfit where a value of a file cannot be."""
        if not (given is None and self.is_null):
            self.check(given, f"{place}, {self.key}", ids)

    def check(self, given: Any, place: str, ids: IdMaps) -> None:
        """Raise Unfit where a value of a file cannot be; null is not asked."""

    def put(self, given: Any, ids: IdMaps) -> Any:
        """Translate a value of the file for its column."""
        return given

    def compared(self, given: Any) -> Any:
        """Give the form in which two values are compared, where they must not be the same."""
        return given


@dataclass(frozen=True, kw_only=True)
class Numbered(Field):
    """The place of a row in its list, from 1, with a prefix where there is one."""

    prefix: str = ""

    def write(self, row: Any, at: int, ids: IdMaps) -> Any:
        """Give the number that is stored, or count."""
        return getattr(row, self.column) if self.column else self._expected(at)

    def read(self, given: Any, place: str, at: int, ids: IdMaps) -> None:
        """Take the number that comes next only."""
        if type(given) is bool or given != self._expected(at):
            raise Unfit(f"{place}, {self.key}", "{given} stands where {n} has to", given=quoted(given), n=at + 1)

    def _expected(self, at: int) -> object:
        return f"{self.prefix}{at + 1}" if self.prefix else at + 1


@dataclass(frozen=True, kw_only=True)
class Text(Field):
    """Text of limited length."""

    most: int
    least: int = 0
    pattern: str = ""

    def check(self, given: Any, place: str, ids: IdMaps) -> None:
        """Take text of the pattern, if there is one."""
        if not isinstance(given, str) or not self.least <= len(given) <= self.most:
            text = "{given} is no text of {least} to {most} characters"
            raise Unfit(place, text, given=quoted(given), least=self.least, most=self.most)
        if self.pattern and not re.fullmatch(self.pattern, given, re.ASCII):
            raise Unfit(place, "{given} cannot be", given=quoted(given))


@dataclass(frozen=True, kw_only=True)
class Name(Field):
    """A name as players have it, or with `is_player` False groups."""

    is_player: bool = True

    def check(self, given: Any, place: str, ids: IdMaps) -> None:
        """Take what could have been entered as well."""
        problem = name_problem("name", given, {}, is_stored=True)
        if problem is not None and (self.is_player or not isinstance(given, str) or folded(given) != POT):
            raise Unfit(place, "{problem}", problem=problem.message)
        if given != given.strip():
            raise Unfit(place, "{given} has blanks around it", given=quoted(given))

    def compared(self, given: Any) -> Any:
        """Compare names as groups do."""
        return folded(given)


@dataclass(frozen=True, kw_only=True)
class Whole(Field):
    """A whole number between bounds."""

    least: int
    most: int

    def check(self, given: Any, place: str, ids: IdMaps) -> None:
        """Take whole numbers only; true is none."""
        if type(given) is not int or not self.least <= given <= self.most:
            text = "{given} is no whole number from {least} to {most}"
            raise Unfit(place, text, given=quoted(given), least=self.least, most=self.most)


@dataclass(frozen=True, kw_only=True)
class Flag(Field):
    """True or false."""

    def check(self, given: Any, place: str, ids: IdMaps) -> None:
        """Take nothing that only looks like it."""
        if type(given) is not bool:
            raise Unfit(place, "{given} is neither true nor false", given=quoted(given))


@dataclass(frozen=True, kw_only=True)
class Moment(Field):
    """A time in UTC, to the microsecond, as 2026-11-21T19:30:00.000000Z."""

    def written(self, value: datetime, ids: IdMaps) -> str:
        """Write the time."""
        return value.astimezone(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")

    def check(self, given: Any, place: str, ids: IdMaps) -> None:
        """Take no other way of writing it, so that it is written back the same."""
        try:
            if _MOMENT.fullmatch(given):
                datetime.fromisoformat(given)
                return
        except (TypeError, ValueError):
            pass
        raise Unfit(place, "{given} is no time like 2026-11-21T19:30:00.000000Z", given=quoted(given))

    def put(self, given: Any, ids: IdMaps) -> datetime | None:
        """Read the time."""
        return None if given is None else datetime.fromisoformat(given)


@dataclass(frozen=True, kw_only=True)
class OneOf(Field):
    """One of some words; by themselves the games' keys."""

    words: tuple[str, ...] = ()

    def check(self, given: Any, place: str, ids: IdMaps) -> None:
        """Take these words only."""
        words = self.words or tuple(all_games())
        if not isinstance(given, str) or given not in words:
            raise Unfit(place, "{given} is none of {words}", given=quoted(given), words=words)


@dataclass(frozen=True, kw_only=True)
class Ref(Field):
    """Another row, by what it is called; `of` is the kind that knows it."""

    of: str

    def written(self, value: Any, ids: IdMaps) -> Any:
        """Give what the row is called."""
        return ids[self.of][str(value)]

    def check(self, given: Any, place: str, ids: IdMaps) -> None:
        """Take only rows that are there."""
        if type(given) not in (str, int) or given not in ids[self.of]:
            raise Unfit(place, "there is no {of} {given} here", of=PLACES[self.of], given=quoted(given))

    def put(self, given: Any, ids: IdMaps) -> int | None:
        """Give the row's id."""
        return None if given is None else int(ids[self.of][given])


@dataclass(frozen=True, kw_only=True)
class AccountKey(Field):
    """The key of an account: a player of the kind `of`, the pot or the bank."""

    of: str
    OTHERS: ClassVar[Mapping[str, str]] = {POT: POT, BANK: BANK}

    def written(self, value: Any, ids: IdMaps) -> Any:
        """Give what the player is called."""
        return self.OTHERS.get(value) or ids["player"][value]

    def check(self, given: Any, place: str, ids: IdMaps) -> None:
        """Take players who can have an account here."""
        if not isinstance(given, str) or (given not in ids[self.of] and given not in self.OTHERS):
            raise Unfit(place, "there is no {of} {given} here", of=PLACES[self.of], given=quoted(given))

    def put(self, given: Any, ids: IdMaps) -> Any:
        """Give the player's id."""
        return self.written(given, ids)


@dataclass(frozen=True, kw_only=True)
class Object(Field):
    """An object with some of the given parts."""

    parts: tuple[Field, ...]

    def written(self, value: Document, ids: IdMaps) -> Document:
        """Translate every part."""
        fields = {field.key: field for field in self.parts}
        return {key: fields[key].written(part, ids) for key, part in value.items()}

    def check(self, given: Any, place: str, ids: IdMaps) -> None:
        """Take these parts only."""
        if not isinstance(given, dict):
            raise Unfit(place, "{given} is no object", given=quoted(given))
        must_be_short(given, place)
        fields = {field.key: field for field in self.parts}
        for key, part in given.items():
            if key not in fields:
                raise Unfit(place, "{key} is no part of it", key=quoted(key))
            fields[key].read(part, place, 0, ids)

    def put(self, given: Document, ids: IdMaps) -> Document:
        """Translate every part."""
        fields = {field.key: field for field in self.parts}
        return {key: fields[key].put(part, ids) for key, part in given.items()}
