"""Benchmarks the two requests that take long: correcting an early round, and importing years while others save."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from pathlib import Path
from random import Random
from time import perf_counter

from years import NAMES, random_round

from companion import create_app
from companion.store.groups import groups
from companion.store.log.replay import Document, LineEntry, work_out
from companion.store.models import db
from companion.store.night import play, revising
from companion.store.portable import FileLimits, import_group
from companion.store.refusals import Sent

from .peers import Request
from .serving import Client

_BOUNDARY = "a line that no file of a group has"
Crowd = Callable[[Sequence[Request], int], tuple[list[float], float]]


def correction(folder: Path, rounds: int) -> str:
    """Return the line of a table: the seconds to correct round 1 so that the pot of every later one changes."""
    with create_app({"INSTANCE": folder}).app_context():
        secret, keys = "secret-of-the-corrected-night", count()
        group = groups.make_group("A table", NAMES, secret)
        players = [str(player.id) for player in group.players[:4]]
        night = groups.start_night(group, [int(player) for player in players], "knock", {}, secret).public_id

        def sent() -> Sent:
            return Sent(f"key {next(keys)}", "a phone")

        play.save_round(night, 1, _knock(players, leaves_pot=True), sent())
        for number in range(2, rounds + 1):  # Knock Rummy leaves the pot where it is
            play.save_round(night, number, random_round(Random(number), "knock-rummy", players), sent())
        began = perf_counter()
        revising.correct(night, 1, _knock(players, leaves_pot=False), 1, sent())
        took = perf_counter() - began
        session = play.find_night(night)
        assert session is not None
        last = play.find_line(session, rounds)
        assert last is not None
        assert last.current.number == 2, "the last round has not changed"
        db.session.remove()
        db.engine.dispose()
    return f"| correct round 1 of {rounds:,}, of which all pots change, seconds | {took:.2f} | 0.5 at most |"


def _knock(players: list[str], *, leaves_pot: bool) -> Document:
    rounds = (random_round(Random(seed), "knock", players) for seed in count())
    return next(document for document in rounds if leaves_pot == bool(work_out(LineEntry(1, document), 0).pot_after))


def import_alone(folder: Path, file: bytes, rounds: int) -> str:
    """Return the line of a table: the seconds it takes to import a group's file while nobody else uses the app."""
    with create_app({"INSTANCE": folder}).app_context():
        began = perf_counter()
        import_group(file, "secret-of-the-imported-group", FileLimits())
        took = perf_counter() - began
        db.session.remove()
        db.engine.dispose()
    return f"| import of {rounds:,} rounds, alone, seconds | {took:.1f} | 15 at most |"


def import_beside(client: Client, file: bytes, savers: Sequence[Request], crowd: Crowd) -> list[float]:
    """Import a group's file while others save; returns how many seconds each save took."""
    token = client.token("/groups/import")
    parts = [f'Content-Disposition: form-data; name="csrf_token"\r\n\r\n{token}']
    parts += [f'Content-Disposition: form-data; name="file"; filename="group.json"\r\n\r\n{file.decode()}']
    body = "".join(f"--{_BOUNDARY}\r\n{part}\r\n" for part in parts) + f"--{_BOUNDARY}--\r\n"
    kind = {"Content-Type": f'multipart/form-data; boundary="{_BOUNDARY}"'}
    with ThreadPoolExecutor(1) as pool:
        importing = pool.submit(client.ask, "POST", "/groups/import", body, kind)
        times: list[float] = []
        while not importing.done():
            times += crowd(savers, 1)[0]
        answer = importing.result()
    assert answer.status == 303, answer.text
    return times
