"""Two hosts with one database: phones change the host at every request, one host is killed, and nothing may be lost."""

from __future__ import annotations

import asyncio
import gc
from collections import Counter
from collections.abc import Sequence
from contextlib import ExitStack
from random import Random

from flask import Flask
from sqlalchemy import select

from benchmarks.club_servers import Host, app_of, host, new_database, round_form, seat
from benchmarks.phones import Hosts, Measured, Table, counted
from companion.store.audit import audit
from companion.store.models import Line, Night, db

WORKERS = 2  # of each host
TAP_SECONDS = 0.5  # a round takes eleven seconds, so that many are being saved when the host ends


async def play(
    tables: Sequence[Table], hosts: Hosts, killed: Host, seconds: float, rounds: int
) -> tuple[Measured, Measured]:
    """Play before and after one of the hosts is killed; gives what was measured before and after.

    Each part takes at least so many seconds, and until each table has saved so many rounds in it.
    """
    random = Random(7)

    async def part() -> None:
        wanted = [len(table.saved) + rounds for table in tables]
        await asyncio.sleep(seconds)
        while any(len(table.saved) < number for table, number in zip(tables, wanted, strict=True)):
            await asyncio.sleep(0.05)

    playing = [asyncio.create_task(table.sit(random)) for table in tables]
    try:
        before = hosts.measure()
        await part()
        hosts.end()
        await asyncio.to_thread(killed.kill)
        after = hosts.measure()
        await part()
        hosts.end()
    finally:
        for task in playing:
            task.cancel()
        await asyncio.gather(*playing, return_exceptions=True)
    return before, after


def lost(app: Flask, tables: Sequence[Table]) -> list[str]:
    """Tell what a phone was told is saved and is not there, or is there twice."""
    wrong = []
    with app.app_context():
        for table in tables:
            night = db.session.scalars(select(Night).where(Night.public_id == table.seating.night)).one()
            stored = Counter(db.session.scalars(select(Line.number).where(Line.night_id == night.id)))
            wrong += [f"{table.path}: round {number} is lost" for number in table.saved if number not in stored]
            wrong += [f"{table.path}: round {number} is there twice" for number, times in stored.items() if times > 1]
            if len(stored) not in (len(table.saved), len(table.saved) + 1):  # one may have been under way
                wrong.append(f"{table.path}: {len(stored)} rounds, {len(table.saved)} were saved")
            draft = night.draft
            cells = draft.cells if draft is not None and len(stored) == len(table.saved) else {}
            for seat_number, hand in table.tapped.items() if cells else ():
                cell = cells.get(str(table.seating.players[seat_number]), {}).get("hand")
                if cell is None or not str(cell).count(hand):
                    wrong.append(f"{table.path}: the hand {hand} is lost: {cell}")
        wrong += map(str, audit())
        db.session.remove()
    return wrong


def run(tables: int, seconds: float, rounds: int, server: str, name: str) -> tuple[dict[str, object], list[str]]:
    """Play at so many tables; gives what is written as JSON, and the report."""
    database = new_database(server, name)
    with ExitStack() as stack:
        running = [stack.enter_context(host(database, WORKERS)) for _ in range(2)]
        app = stack.enter_context(app_of(database))
        seatings = seat(app, tables)
        form = round_form(app, seatings[0])
        hosts = Hosts([one.port for one in running])
        gc.freeze()

        async def night() -> tuple[list[Table], tuple[Measured, Measured]]:
            made = [Table(seating, form, hosts, TAP_SECONDS) for seating in seatings]
            return made, await play(made, hosts, running[0], seconds, rounds)

        made, measured = asyncio.run(night())
        wrong = lost(app, made)
    lines = ["| | requests | of them made again | tap p99, ms | save p99, ms | errors |", "|---|---|---|---|---|---|"]
    for what, of in zip(("two hosts", "one killed"), measured, strict=True):
        times = (f"{of.quantile(kind, 0.99) or 0:.0f}" for kind in ("tap", "save"))
        lines.append(
            f"| {what} | {sum(of.statuses.values()):,} | {of.retried} | {' | '.join(times)} | {counted(of.errors)} |"
        )
    saved = sum(len(table.saved) for table in made)
    lines += ["", f"{saved} rounds were saved at {tables} tables; lost or wrong: {len(wrong) or 'none'}.", *wrong[:10]]
    errors = [of.errors for of in measured]
    return {"tables": tables, "saved": saved, "wrong": wrong, "errors": errors, "samples": hosts.samples[:5]}, lines
