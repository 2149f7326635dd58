"""A file of a group, read with distrust: whoever sends it may have written anything into it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from companion.engine.messages import Message, quoted

from ..refusals import Refused
from .fields import Shelves, Unfit
from .tables import GROUP, Table

FORMAT, VERSION = "companion-group", 1
_MOST_DIGITS = 19
_NO_TEXT = re.compile("[\0\ud800-\udfff]")  # NUL, and halves of a surrogate pair
Row = dict[str, Any]


def canonical(document: Row) -> bytes:
    """Write a group's document: keys sorted, nothing between, UTF-8, a line end at the end."""
    text = json.dumps(document, ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False)
    return text.encode() + b"\n"


def read(content: bytes) -> Row:
    """Read a file; raises Refused with the first place at which something does not fit."""
    document = _loaded(content)
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise Refused(Message("This is no exported group; choose the JSON file that Export gave"))
    if type(document.get("version")) is not int or document["version"] > VERSION:
        text = "This file is of version {version}, this app reads version {known}; update the app, then import it"
        raise Refused(Message(text, version=quoted(document.get("version")), known=VERSION))
    if document["version"] != VERSION or set(document) != {"format", "version", "group"}:
        raise Unfit("the file", "it has the parts format, version {version} and group", version=VERSION)
    _row(GROUP, document["group"], "the group")
    _read(GROUP, document["group"], "the group", 0, {})
    return document


def _loaded(content: bytes) -> Any:
    """Load JSON that every database can keep: no key twice, no fraction, no number or text beyond the usual."""
    try:
        document = json.loads(
            content.decode("utf-8-sig"),
            object_pairs_hook=_object,
            parse_int=_whole,
            parse_float=_no_number,
            parse_constant=_no_number,
        )
    except RecursionError:
        raise Unfit("the file", "it is nested too deeply") from None
    except ValueError as error:
        raise Unfit("the file", "it is no JSON in UTF-8 ({error})", error=quoted(str(error), 200)) from None
    odd = next((text for text in _texts(document) if _NO_TEXT.search(text)), None)
    if odd is not None:
        raise Unfit("the file", "{text} holds a character that no text has", text=quoted(odd))
    return document


def _texts(document: Any) -> Iterator[str]:
    """Go through all texts of a document, keys too, in no order."""
    left = [document]
    while left:
        value = left.pop()
        if isinstance(value, str):
            yield value
        elif isinstance(value, dict):
            left.extend(value)
            left.extend(value.values())
        elif isinstance(value, list):
            left.extend(value)


def _object(pairs: list[tuple[str, Any]]) -> Row:
    found = dict(pairs)
    if len(found) != len(pairs):
        twice = next(key for at, (key, _) in enumerate(pairs) if key in dict(pairs[:at]))
        raise ValueError(f"the key {quoted(twice)} stands twice in an object")
    return found


def _whole(digits: str) -> int:
    if len(digits) > _MOST_DIGITS:
        raise ValueError(f"a number of {len(digits)} digits")
    return int(digits)


def _no_number(text: str) -> Any:
    raise ValueError(f"{quoted(text)} is no whole number")


def _row(table: Table, row: Any, place: str) -> None:
    """Take an object with all the keys of a table's row, and no other."""
    if not isinstance(row, dict):
        raise Unfit(place, "{given} is no object", given=quoted(row))
    known = {field.key for field in table.fields} | {child.key for child in table.tables}
    for key in sorted(known ^ set(row)):
        text = "{key} is missing" if key in known else "{key} is no part of it"
        raise Unfit(place, text, key=quoted(key))


def _read(table: Table, row: Row, place: str, at: int, shelves: Shelves) -> None:
    for field in table.fields:
        if not field.shelf:
            field.read(row[field.key], place, at, shelves)
    inside = {**shelves, **{child.shelf.shelf: {} for child in table.tables if child.shelf}}
    for child in table.tables:
        rows = list(_named(child, row[child.key], place, inside))
        for number, (one, where) in enumerate(rows):
            _read(child, one, where, number, inside)
    table.check(row, place, inside)


def _named(table: Table, rows: Any, place: str, shelves: Shelves) -> Iterator[tuple[Row, str]]:
    """Go through a list of rows, put what each is called on its shelf, and refuse what may not be twice."""
    if not isinstance(rows, list):
        raise Unfit(f"{place}, {table.key}", "{given} is no list", given=quoted(rows))
    seen: set[tuple[str, Any]] = set()
    for at, row in enumerate(rows):
        where = f"{place}, {table.noun} {at + 1}"
        _row(table, row, where)
        for field in table.fields:
            if not (field.shelf or field.is_unique):
                continue
            field.read(row[field.key], where, at, shelves)
            value = (field.key, field.compared(row[field.key]))
            if value in seen:
                raise Unfit(where, "{key} {given} is there already", key=field.key, given=quoted(row[field.key]))
            seen.add(value)
            if field.shelf:
                shelves[field.shelf][row[field.key]] = row[field.key]
        yield row, where
