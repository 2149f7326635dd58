"""The schema of an exported table's rows, and of the tables below it."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any, ClassVar

from babel.numbers import list_currencies
from marshmallow import ValidationError, fields, missing, validates_schema

from companion.contract.names import folded
from companion.engine.messages import Message, quoted

from .fields import Parts, Row, Text, TypedField, Value, scope
from .misfits import Misfit


class ExportedTable(Parts):
    """The rows of a model. A field is called like its column, and has a `data_key` if the file calls it differently.

    `owner`: the column with the owner's id. `order`: the column that orders the rows of one owner. `names`: the keys
    whose values differ in all rows of a list; other rows refer to a row by the first of them.
    """

    model: ClassVar[Any]
    owner: ClassVar[str] = ""
    order: ClassVar[str] = "id"
    names: ClassVar[tuple[str, ...]] = ()

    @cached_property
    def columns(self) -> dict[str, Value]:
        """The values with a column."""
        found = self.model.__table__.c
        return {name: field for name, field in self.fields.items() if isinstance(field, Value) and name in found}

    @cached_property
    def identity(self) -> Value | None:
        """The value that other rows refer to a row by."""
        values = (field for field in self.fields.values() if isinstance(field, Value))
        return next((field for field in values if field.key in self.names[:1]), None)

    @cached_property
    def tables(self) -> dict[str, ExportedTable]:
        """The tables below, by the keys of their lists."""
        return {name: field.table for name, field in self.fields.items() if isinstance(field, RowList)}

    def more(self, row: Row) -> Row:
        """Compute further columns from the file's row."""
        return {"folded": folded(row["name"])} if "folded" in self.model.__table__.c else {}


# fields of several tables
PUBLIC_ID = Text(16, least=1, pattern="[A-Za-z0-9_-]+", data_key="id")
SUBMISSION_KEY = Text(64, data_key="key")
DEVICE = Text(100)
DEVICE_ID = TypedField(100, empty=None, data_key="device")
CURRENCY = Text(3, among=list_currencies(), allow_none=True)


def checked(check: Callable[[Row], None]) -> Any:
    """Let a schema check a whole row, once all its values are valid."""
    return validates_schema(lambda _table, _read, row, **_: check(row), pass_original=True)


class RowList(Value, fields.Nested):
    """A list of rows of another table. Reading ends at the first that doesn't fit, so a file can't have endless errors.

    With `load_default`, the file leaves the list out if it is empty, as files from before the table existed do.
    """

    sentence = Message("{given} isn't a list")

    def __init__(self, table: type[ExportedTable], **options: Any) -> None:
        super().__init__(nested=table, **options)

    @property
    def table(self) -> ExportedTable:
        """The table of the rows."""
        found = self.schema
        assert isinstance(found, ExportedTable)
        return found

    def serialize(self, attr: str, obj: Any, accessor: Any = None, **kwargs: Any) -> Any:
        """Write the database's rows of an owner."""
        here, table, rows = scope(), self.table, scope().stored[attr].get(obj.id, [])
        here.ids[attr] = ids = {}
        if table.identity:  # of all rows before the first is written, because it may refer to a later one
            for here.at, row in enumerate(rows):
                ids[str(getattr(row, "id", ""))] = table.identity.serialize(str(table.identity.name), row, getattr)
        written = [table.dump(row) for here.at, row in enumerate(rows)]
        return written if written or self.required else missing

    def fits(self, given: Any) -> bool:
        return isinstance(given, list)

    def _deserialize(self, value: Any, attr: Any, data: Any, partial: Any = None, **kwargs: Any) -> Any:
        here, table = scope(), self.table
        seen: dict[str, dict[Any, int]] = {key: {} for key in table.names}
        here.ids[attr] = next(iter(seen.values()), {})
        for at, row in enumerate(value):
            here.at = at
            try:
                table.load(row)
                for key, earlier in seen.items():
                    name = folded(row[key]) if key == "name" else row[key]
                    if name in earlier:
                        raise Misfit("{key} {given} is used twice", key=key, given=quoted(row[key]))
                    earlier[name] = at
            except ValidationError as error:
                raise ValidationError({at: error.messages}) from None
        return value
