"""Listens to every statement that reaches the database."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from sqlalchemy import Engine, event

Note = Callable[[str, Any], object]  # given the SQL and the values, as the driver gets them


@contextmanager
def heard(engine: Engine, note: Note) -> Iterator[None]:
    """Call `note` with each statement on this engine; the values are None if it was executed for several sets."""

    def hear(_c: object, _cursor: object, statement: str, given: Any, _context: object, executes_many: bool) -> None:
        note(statement, None if executes_many else given)

    event.listen(engine, "before_cursor_execute", hear)
    try:
        yield
    finally:
        event.remove(engine, "before_cursor_execute", hear)
