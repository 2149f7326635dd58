"""Listens to every statement that reaches the database: those of SQLAlchemy, and the prepared ones it doesn't see."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

from sqlalchemy import Engine, event

from companion.store.db.prepared import Prepared, Values
from companion.store.models import db

Note = Callable[[str, Any], object]  # given the SQL and the values, as the driver gets them


@contextmanager
def heard(engine: Engine, note: Note) -> Iterator[None]:
    """Call `note` with each statement on this engine: SQLAlchemy's, and the prepared ones."""

    def hear(_c: object, _cursor: object, statement: str, given: Any, _context: object, executes_many: bool) -> None:
        note(statement, None if executes_many else given)

    rows, many = Prepared.rows, Prepared.many

    def hear_rows(prepared: Prepared, values: Values) -> Any:
        sql = prepared.sql(values)
        if db.engine is engine:
            note(sql.text, sql.values(values))
        return rows(prepared, values)

    def hear_many(prepared: Prepared, values: Any) -> None:
        if values and db.engine is engine:
            note(prepared.sql(values[0]).text, None)
        many(prepared, values)

    event.listen(engine, "before_cursor_execute", hear)
    try:
        with patch.multiple(Prepared, rows=hear_rows, many=hear_many):
            yield
    finally:
        event.remove(engine, "before_cursor_execute", hear)
