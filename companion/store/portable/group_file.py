"""Reads and validates the file of a group, which is untrusted input."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any, TypeVar

from companion.engine.messages import Message, quoted

from ..models import Revision
from ..refusals import Refused
from .format.kinds import Results, Row, Scope
from .format.misfits import InvalidFile, Misfit, invalid_group
from .format.table import Table
from .format.tables import GROUP

FORMAT, VERSION = "companion-group", 1
_MAX_DIGITS = 19
_LEVELS_IN_PARTS = 3  # the document, its group, and that group's lists: each night is encoded on its own
_MAX_KEYS = 1_000  # per object; a valid file has about a dozen
_UNSTORABLE = re.compile("[\0\ud800-\udfff]")  # NUL and lone surrogates, which databases reject
_NO_GROUP = Message("This isn't an exported group; choose the file whose name ends in “group.json”")
_BEFORE_JSON = b"\xef\xbb\xbf \t\r\n"  # a mark of UTF-8 and spaces
_MAY_BE_UNSTORABLE = re.compile(rb"\\u(0000|[dD][89a-fA-F])")  # JSON in UTF-8 can only contain them as escapes
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class FileLimits:
    """The largest file a page accepts: `values` limits the memory, `revisions` the settling, `rows` the writing.

    A group with ten thousand rounds reaches two thirds to four fifths of each limit.
    """

    values: int = 1_250_000
    revisions: int = 15_000
    rows: int = 150_000


def in_batches(items: Iterable[T], size: int = 500) -> Iterator[list[T]]:
    """Split items into lists of at most `size`."""
    left = iter(items)
    while some := list(islice(left, size)):
        yield some


def canonical_json(document: Row) -> bytes:
    """Write a group's document as UTF-8 JSON with sorted keys, no spaces, and a final newline."""
    return b"".join(text.encode() for text in _json_parts(document, _LEVELS_IN_PARTS)) + b"\n"


def _json_parts(value: Any, levels: int) -> Iterator[str]:
    """Yield the JSON of a value in parts: while the encoder writes one, it lets no other thread run."""
    if levels and isinstance(value, dict) and value:
        for at, key in enumerate(sorted(value)):
            yield f"{',' if at else '{'}{_json(key)}:"
            yield from _json_parts(value[key], levels - 1)
        yield "}"
    elif levels and isinstance(value, list) and value:
        for at, item in enumerate(value):
            yield "," if at else "["
            yield from _json_parts(item, levels - 1)
        yield "]"
    else:
        yield _json(value)


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False)


@dataclass(frozen=True, slots=True)
class GroupFile:
    """A valid file: its document, what its tables make of the group in it, and the rounds' results."""

    document: Row
    group: Row
    results: Results


def read(content: bytes, limits: FileLimits | None = None) -> GroupFile:
    """Read and validate a file; raises Refused if it is too large or invalid, naming the first invalid place."""
    if limits is not None:  # before parsing, because ten million empty lists would fill the memory
        _must_not_exceed(sum(content.count(mark) for mark in (b"{", b"[", b",")), limits.values, Message("values"))
    try:
        return _read_group(_loaded(content), limits)
    except RecursionError:
        raise InvalidFile(Message("it is nested too deeply")) from None


def _read_group(document: Any, limits: FileLimits | None) -> GroupFile:
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise Refused(_NO_GROUP)
    if type(document.get("version")) is not int or document["version"] > VERSION:
        text = "This file has version {version}, but this app reads version {known}; update the app, then import it"
        raise Refused(Message(text, version=quoted(document.get("version")), known=VERSION))
    if document["version"] != VERSION or set(document) != {"format", "version", "group"}:
        text = "it must have the parts format, version {version} and group"
        raise InvalidFile(Message(text, version=VERSION))
    group, here = document["group"], Scope()
    if limits is not None:
        _must_be_short(group, limits)
    try:
        return GroupFile(document, GROUP.load(group, here), here.results)
    except Misfit as misfit:
        raise invalid_group(misfit) from None


def _must_be_short(group: Any, limits: FileLimits) -> None:
    """Refuse a group that would take minutes to settle and write."""
    tables = Counter(table.model for table in _tables(GROUP, group))
    _must_not_exceed(tables[Revision], limits.revisions, Message("rounds and corrections"))
    _must_not_exceed(tables.total(), limits.rows, Message("rows"))


def _tables(table: Table, row: Any) -> Iterator[Table]:
    """Yield the table of each row below this one, ignoring whatever doesn't have the shape of a group."""
    for key, child in table.tables.items():
        rows = row.get(key) if isinstance(row, dict) else None
        for row_below in rows if isinstance(rows, list) else ():
            yield child
            yield from _tables(child, row_below)


def _must_not_exceed(number: int, most: int, what: Message) -> None:
    if number > most:
        text = (
            "This file has {given} {what}, but this page accepts at most {most}. The person who runs the app can "
            "import it with: companion import FILE"
        )
        raise Refused(Message(text, given=f"{number:,}", what=what, most=f"{most:,}"))


def _loaded(content: bytes) -> Any:
    """Parse JSON; rejects duplicate keys, fractions, very long numbers, and characters that a database can't store."""
    try:
        document = json.loads(
            content.decode("utf-8-sig"),
            object_pairs_hook=_object,
            parse_int=_whole,
            parse_float=_no_number,
            parse_constant=_no_number,
        )
    except ValueError as error:
        if not content.lstrip(_BEFORE_JSON).startswith(b"{"):  # a picture, say
            raise Refused(_NO_GROUP) from None
        raise InvalidFile(Message("it is damaged or cut off ({error})", error=quoted(str(error), 200))) from None
    may_be_odd = _MAY_BE_UNSTORABLE.search(content)  # checking every text takes longer than parsing the file
    odd = next((text for text in _texts(document) if _UNSTORABLE.search(text)), None) if may_be_odd else None
    if odd is not None:
        raise InvalidFile(Message("{text} has a character that isn't allowed", text=quoted(odd)))
    return document


def _texts(document: Any) -> Iterator[str]:
    """Yield all texts of a document, including keys, in no particular order."""
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
    if len(pairs) > _MAX_KEYS:  # a million keys would take more memory than everything else
        raise ValueError(f"an object of {len(pairs)} keys")
    row = dict(pairs)
    if len(row) != len(pairs):
        twice = next(key for key, times in Counter(key for key, _ in pairs).items() if times > 1)
        raise ValueError(f"the key {quoted(twice)} stands twice in an object")
    return row


def _whole(digits: str) -> int:
    if len(digits) > _MAX_DIGITS:
        raise ValueError(f"a number of {len(digits)} digits")
    return int(digits)


def _no_number(text: str) -> Any:
    raise ValueError(f"{quoted(text)} isn't a whole number")
