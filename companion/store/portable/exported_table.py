"""The description of an exported table: its columns, and the tables below it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from .fields import Field, IdMaps, Text, Timestamp


@dataclass(frozen=True, kw_only=True)
class ExportedTable:
    """The rows of a model. In the file they are a list in their owner's row, under `key`, the relationship's name.

    `noun`: what messages call a row. `owner`: the column with the owner's id. `order`: the column that orders the rows
    of one owner. `more`: computes further columns from the file's row and its index. `is_optional`: the file leaves the
    list out if it is empty, as files from before the table existed do. `check`: raises Unfit for what no single field
    can tell; it gets the file's row, the name of its place and the ids.
    """

    key: str
    noun: str
    model: Any
    owner: str
    order: str = "id"
    fields: tuple[Field, ...]
    tables: tuple[ExportedTable, ...] = ()
    more: Callable[[dict[str, Any], int], dict[str, Any]] = lambda _row, _at: {}
    is_optional: bool = False
    check: Callable[[dict[str, Any], str, IdMaps], None] = lambda _row, _place, _ids: None

    @property
    def identity(self) -> Field | None:
        """The field that other rows refer to this row by; None if none do."""
        return next((field for field in self.fields if field.kind), None)


# fields of several tables
PUBLIC_ID = Text("id", column="public_id", least=1, most=16, pattern=r"[A-Za-z0-9_-]+")
SUBMISSION_KEY = Text("key", column="submission_key", most=64, is_unique=True)
DEVICE, AT = Text("device", most=100), Timestamp("at")
CURRENCY = Text("currency", most=3, pattern="[A-Z]{3}", is_null=True)
