"""A table of the file: how its rows are read and written, with those of the tables below it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from companion.contract.reading.names import folded
from companion.engine.messages import quoted

from .kinds import MISSING, UNKNOWN, Kind, Row, Scope, must_be_object
from .misfits import Misfit, must_fit

Stored = dict[str, dict[int, list[Any]]]  # the database's rows by the key of their list, then by their owner's id


def _nothing(row: Row, here: Scope) -> None:
    pass


def _no_more(row: Row) -> Row:
    return {}


@dataclass(frozen=True)
class Table:
    """The rows of a model: the kinds of their values and the tables below, by their keys in the file.

    `owner`: the column with the owner's id. `order`: the column that orders the rows of one owner. `names`: the keys
    whose values differ in all rows of a list; other rows refer to a row by the first of them. `check` refuses a whole
    row, once all its values are valid. `more` computes further columns. A list that `is_optional` isn't written if it
    is empty, as in files from before the table existed.
    """

    model: Any
    owner: str
    fields: Mapping[str, Kind]
    tables: Mapping[str, Table] = field(default_factory=dict)
    order: str = "id"
    names: tuple[str, ...] = ()
    check: Callable[[Row, Scope], None] = _nothing
    more: Callable[[Row], Row] = _no_more
    is_optional: bool = False

    @cached_property
    def columns(self) -> dict[str, tuple[str, Kind]]:
        """The keys and kinds of the values with a column, by column."""
        known = self.model.__table__.c
        return {kind.column or key: (key, kind) for key, kind in self.fields.items() if (kind.column or key) in known}

    @cached_property
    def needed(self) -> set[str]:
        """The keys that no row may lack."""
        parts: dict[str, Kind | Table] = {**self.fields, **self.tables}
        return {key for key, part in parts.items() if not part.is_optional}

    def load(self, row: Any, here: Scope) -> Row:
        """Check a row of the file and all below it; returns it with what its kinds make of its values."""
        must_be_object(row)
        lacking, unknown = self.needed - row.keys(), row.keys() - self.fields.keys() - self.tables.keys()
        first = min(lacking | unknown, default=None)
        must_fit(first is None, MISSING if first in lacking else UNKNOWN, key=quoted(first))
        values: Row = {}
        for key, kind in self.fields.items():
            try:
                values[key] = kind.read(row[key], here) if key in row else None
            except Misfit as misfit:
                raise misfit.below(key) from None
        for key, table in self.tables.items():
            values[key] = table.load_list(key, row.get(key, []), here)
        self.check(values, here)
        return values

    def load_list(self, key: str, rows: Any, here: Scope) -> list[Row]:
        """Check a list of rows, up to the first that doesn't fit."""
        must_fit(isinstance(rows, list), "{given} isn't a list", key, given=quoted(rows))
        seen: dict[str, dict[Any, int]] = {name: {} for name in self.names}
        here.ids[key] = next(iter(seen.values()), {})
        loaded = []
        for at, row in enumerate(rows):
            here.at = at
            try:
                loaded.append(self.load(row, here))
                for name, earlier in seen.items():
                    value = folded(row[name]) if name == "name" else row[name]
                    must_fit(value not in earlier, "{key} {given} is used twice", key=name, given=quoted(row[name]))
                    earlier[value] = at
            except Misfit as misfit:
                raise misfit.below(key, at) from None
        return loaded

    def dump(self, row: Any, here: Scope, stored: Stored) -> Row:
        """Write a row of the database, and those below it."""
        values: Row = {}
        for key, kind in self.fields.items():
            value = kind.dump(getattr(row, kind.column or key, None), here)
            if value or not kind.is_left_out:
                values[key] = value
        for key, table in self.tables.items():
            rows = stored[key].get(row.id, [])
            here.ids[key] = {}
            if table.names:  # of all rows before the first is written, because it may refer to a later one
                name, kind = table.names[0], table.fields[table.names[0]]
                for here.at, child in enumerate(rows):
                    of_row = kind.dump(getattr(child, kind.column or name, None), here)
                    here.ids[key][str(getattr(child, "id", ""))] = of_row
            written = []
            for at, child in enumerate(rows):
                here.at = at
                written.append(table.dump(child, here, stored))
            if written or not table.is_optional:
                values[key] = written
        return values
