"""Prepared statements, for what phones do all the time: SQLAlchemy compiles each once, then the driver alone runs it.

Run by SQLAlchemy, a statement takes five times as long as SQLite needs for it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Delete, Dialect, Insert, Select, Update
from sqlalchemy.exc import DBAPIError

from ..models import db

Statement = Select[*tuple[Any, ...]] | Insert | Update | Delete
Values = Mapping[str, Any]  # by the name of the parameter or, for an INSERT, of the column
Rows = Sequence[tuple[Any, ...]]
Convert = Callable[[Any], Any]
_CONNECTION = "companion.connection"


@dataclass(frozen=True, slots=True)
class Sql:
    """A statement compiled for one kind of database.

    `names` are all its parameters, of which `constants` have a value in the statement itself. `order` lists the names
    in the order in which the driver wants the values; None if it wants them by name. `to_driver` converts values by
    name, and `from_driver` the columns of a row; it is empty if there is nothing to convert.
    """

    text: str
    constants: Values
    order: Sequence[str] | None
    names: frozenset[str]
    to_driver: Mapping[str, Convert]
    from_driver: Sequence[Convert | None]

    @classmethod
    def of(cls, statement: Statement, dialect: Dialect, columns: Sequence[str] | None) -> Sql:
        """Compile a statement; `columns` are those that an INSERT fills."""
        compiled: Any = statement.compile(dialect=dialect, column_keys=columns)
        kinds = {name: bind.type.dialect_impl(dialect) for name, bind in compiled.binds.items()}
        to_driver = {name: convert for name, kind in kinds.items() if (convert := kind.bind_processor(dialect))}
        columns_found = [column.type.dialect_impl(dialect) for column in statement.exported_columns]
        from_driver = [kind.result_processor(dialect, None) for kind in columns_found]
        constants = {name: value for name, value in compiled.params.items() if value is not None}
        names = frozenset(compiled.params)
        from_driver = from_driver if any(from_driver) else []
        return cls(compiled.string, constants, compiled.positiontup, names, to_driver, from_driver)

    def values(self, given: Values) -> Any:
        """Return the values of all parameters, converted, in the form the driver wants."""
        assert given.keys() <= self.names, given.keys() - self.names
        values = {**self.constants, **given}
        for name, convert in self.to_driver.items():
            values[name] = convert(values[name])
        return values if self.order is None else tuple([values[name] for name in self.order])

    def rows(self, cursor: Any, given: Values) -> Rows:
        """Run the statement with a driver's cursor."""
        cursor.execute(self.text, self.values(given))
        rows: Rows = cursor.fetchall() if cursor.description else ()
        if not self.from_driver:
            return rows
        return [
            tuple(convert(value) if convert else value for convert, value in zip(self.from_driver, row, strict=True))
            for row in rows
        ]


class Prepared:
    """A statement, or a function that makes it for a kind of database, such as "sqlite".

    An INSERT must be given every column but a generated key. Errors are SQLAlchemy's, as with any other statement.
    """

    def __init__(self, statement: Statement | Callable[[str], Statement]) -> None:
        self._statement = statement
        self._compiled: dict[str, Sql] = {}

    def sql(self, columns: Values) -> Sql:
        """Return the statement in SQL; the values of an INSERT tell its columns."""
        dialect = db.engine.dialect
        if dialect.name not in self._compiled:
            statement = self._statement(dialect.name) if callable(self._statement) else self._statement
            keys = [name for name in columns if name in statement.table.c] if isinstance(statement, Insert) else None
            self._compiled[dialect.name] = Sql.of(statement, dialect, keys)
        return self._compiled[dialect.name]

    def rows(self, values: Values) -> Rows:
        """Run it in the current transaction, and return the rows."""
        rows: Rows = _run(self.sql(values), lambda sql, cursor: sql.rows(cursor, values))
        return rows

    def value(self, values: Values) -> Any:
        """Return the first column of the first row; None if there is no row."""
        rows = self.rows(values)
        return rows[0][0] if rows else None

    def many(self, values: Sequence[Values]) -> None:
        """Run it once for each of these, if there are any."""
        if values:
            given = self.sql(values[0])
            _run(given, lambda sql, cursor: cursor.executemany(sql.text, [sql.values(one) for one in values]))


def _connection() -> Connection:
    """Return the current transaction's connection; asking SQLAlchemy takes longer than most statements."""
    night = db.session()
    known: Connection | None = night.info.get(_CONNECTION)
    if known is None or known.closed:  # its transaction has ended
        known = night.info[_CONNECTION] = night.connection()
    return known


def _run(sql: Sql, work: Callable[[Sql, Any], Any]) -> Any:
    connection = _connection()
    try:
        with closing(connection.connection.cursor()) as cursor:
            return work(sql, cursor)
    except connection.dialect.loaded_dbapi.Error as error:
        if connection.dialect.is_disconnect(error, connection.connection.dbapi_connection, None):
            connection.invalidate(error)
        raise as_sqlalchemys(error, connection.dialect, sql.text) from error


def as_sqlalchemys(error: Exception, dialect: Dialect, statement: str = "") -> DBAPIError:
    """Return SQLAlchemy's error for one of the driver's, without the values of the statement."""
    found = DBAPIError.instance(statement, None, error, dialect.loaded_dbapi.Error, True, dialect=dialect)
    assert isinstance(found, DBAPIError)
    return found
