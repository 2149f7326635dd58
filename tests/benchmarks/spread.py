"""Partitions the tables by group, and counts how many partitions each statement of a page, save or audit touches.

`.venv/bin/python -m tests.benchmarks.spread` prints a Markdown table. The tables whose unique constraints all have the
group's id are partitioned by its hash; those that find a group in the first place stay whole.
"""

from __future__ import annotations

import sys
import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import psycopg
from sqlalchemy import MetaData, PrimaryKeyConstraint, Table, UniqueConstraint, create_engine
from statements import heard
from years import make_years

from benchmarks.club import Club, Settings, Size, opened, postgresql
from benchmarks.scale import Phone
from companion import create_app
from companion.store.audit import audit
from companion.store.models import db

PARTITIONS = 4
GROUPS = 6
SIZE = Size(1, 40)  # what the phone's group has played
_WHOLE = "whole"  # the schema in which the tables are before they are partitioned


def partitioned() -> list[Table]:
    """List the tables that can be partitioned by group: each key and unique constraint has the group's id."""
    kinds = PrimaryKeyConstraint, UniqueConstraint
    return [
        table
        for table in db.metadata.sorted_tables
        if "group_id" in table.c
        and all("group_id" in key.columns for key in table.constraints if isinstance(key, kinds))
        and all("group_id" in index.columns for index in table.indexes if index.unique)
    ]


def spread(address: str) -> None:
    """Partition the tables of a database, with their rows."""
    tables, engine = partitioned(), create_engine(address)
    copied = MetaData(naming_convention=db.metadata.naming_convention)
    for table in db.metadata.sorted_tables:
        copy = table.to_metadata(copied)
        if table in tables:
            copy.dialect_options["postgresql"]["partition_by"] = "HASH (group_id)"
    with engine.begin() as connection:
        run = connection.exec_driver_sql
        run("SET LOCAL session_replication_role = replica")
        run(f"CREATE SCHEMA {_WHOLE}")
        for table in tables:
            run(f'ALTER TABLE "{table.name}" SET SCHEMA {_WHOLE}')
        copied.create_all(connection, [copied.tables[table.name] for table in tables], checkfirst=False)
        for table in tables:
            for number in range(PARTITIONS):
                place = f"FOR VALUES WITH (MODULUS {PARTITIONS}, REMAINDER {number})"
                run(f'CREATE TABLE "{table.name}_p{number}" PARTITION OF "{table.name}" {place}')
            columns = ", ".join(f'"{column.name}"' for column in table.columns)
            run(f'INSERT INTO "{table.name}" ({columns}) SELECT {columns} FROM {_WHOLE}."{table.name}"')
            if "id" in table.c:
                run(f"SELECT setval(pg_get_serial_sequence('{table.name}', 'id'), max(id)) FROM \"{table.name}\"")
        run(f"DROP SCHEMA {_WHOLE} CASCADE")
        run("ANALYZE")
    engine.dispose()


@dataclass
class Touched:
    """How many statements about partitioned tables a request has, and in how many partitions the widest one reads."""

    statements: int = 0
    partitions: int = 0
    widest: str = ""  # the first statement that looks into several
    said: list[tuple[str, Any]] = field(default_factory=list)


def explain(address: str, touched: Touched) -> None:
    """Let PostgreSQL execute the statements again, each undone, and count the partitions that it looks into."""
    names = {f"{table.name}_p{number}": table.name for table in partitioned() for number in range(PARTITIONS)}
    with psycopg.connect(address) as connection:
        for statement, values in touched.said:
            is_read = statement.lstrip().upper().startswith(("SELECT", "UPDATE", "DELETE", "WITH"))
            how = "ANALYZE, FORMAT JSON" if is_read else "FORMAT JSON"
            try:
                (plan,) = connection.execute(f"EXPLAIN ({how}) {statement}", values).fetchone()  # type: ignore[misc]
            except psycopg.errors.SyntaxError:  # a BEGIN, or a setting
                continue
            finally:
                connection.rollback()
            found: dict[str, set[str]] = defaultdict(set)
            for relation in _relations(plan[0]["Plan"]):
                if relation in names:
                    found[names[relation]].add(relation)
            if not found:
                continue
            touched.statements += 1
            most = max(map(len, found.values()))
            touched.partitions = max(touched.partitions, most)
            if most > 1 and not touched.widest:
                touched.widest = " ".join(statement.split())[:100]


def _relations(plan: Mapping[str, Any]) -> Iterator[str]:
    """Yield the tables that a plan has looked into, or for a statement that wasn't executed would look into."""
    if plan.get("Actual Loops", 1):
        if "Relation Name" in plan:
            yield str(plan["Relation Name"])
        for below in plan.get("Plans", ()):
            yield from _relations(below)


def touched_by(settings: Settings) -> dict[str, Touched]:
    """Ask for every page, save, correct, export and audit; returns what each of them touches."""
    phone = Phone(Club("postgresql", SIZE, settings), 0)
    app = create_app(settings)
    asked: dict[str, Callable[[], object]] = {**phone.requests}
    found: dict[str, Touched] = {}

    def audits() -> None:
        with app.app_context():
            list(audit())
            db.session.remove()

    engines = []
    for one in (phone._app, app):
        with one.app_context():
            engines.append(db.engine)
    for name, ask in {**asked, "audit": audits}.items():
        touched = found[name] = Touched()
        with ExitStack() as listening:
            for engine in engines:
                listening.enter_context(heard(engine, lambda said, values, of=touched: of.said.append((said, values))))
            ask()
        explain(str(settings["SQLALCHEMY_DATABASE_URI"]), touched)
    phone.close()
    for engine in engines:
        engine.dispose()
    return found


def table(server: str, folder: Path) -> Iterator[str]:
    """Yield the lines of the table, measured in a new database of a server."""
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f'CREATE DATABASE "{folder.name}"')
    address = server.replace("/postgres?", f"/{folder.name}?")
    settings: Settings = {"INSTANCE": folder, "SQLALCHEMY_DATABASE_URI": address}
    with opened(settings):
        make_years(Club("postgresql", SIZE, settings).secret(0), 2, SIZE.rounds)
        for number in range(1, GROUPS):
            make_years(f"secret-of-group-{number}", 2, SIZE.rounds, seed=number)
    spread(address)
    yield f"| request | statements about {len(partitioned())} partitioned tables | partitions of the widest | which |"
    yield "|---|---|---|---|"
    for name, touched in touched_by(settings).items():
        yield f"| {name} | {touched.statements} | {touched.partitions} | {touched.widest} |"


def main() -> None:
    """Print the table, measured on a PostgreSQL of its own."""
    with tempfile.TemporaryDirectory() as place, postgresql(Path(place) / "server") as server:
        folder = Path(place) / "spread"
        folder.mkdir()
        for line in table(server, folder):
            print(line)


if __name__ == "__main__":
    main()
