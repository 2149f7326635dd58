"""A server that can be killed, phones that save rounds with the app's own form, and what is in the database afterwards.

Shared by crash.py, powerloss.py and race.py. Each round has a key of its own, under which it is stored.
"""

from __future__ import annotations

import http.client
import json
import os
import signal
import sqlite3
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from threading import Thread
from time import time
from typing import Any, NamedTuple

TESTS = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(TESTS), str(TESTS.parent)]

from benchmarks.serving import COMMAND, Answer, Client, answers  # noqa: E402
from forms import form_with  # noqa: E402
from ports import free_port  # noqa: E402
from sqlalchemy import select  # noqa: E402
from waiting import until  # noqa: E402

from companion import create_app  # noqa: E402
from companion.store.audit import audit  # noqa: E402
from companion.store.groups import groups  # noqa: E402
from companion.store.models import Change, Line, Revision, db  # noqa: E402

HANDS = ("9s 9h 9d 4c 4d", "8c 8d Js 7d 4h")


class Stored(NamedTuple):
    """A round in the database: the key it was first saved under, its revision, and the ante by which it is told."""

    key: str
    number: int
    revision: int
    ante: int


@dataclass
class Database:
    """An instance's database, opened in this process."""

    folder: Path
    address: str = ""  # of PostgreSQL

    def __post_init__(self) -> None:
        settings = {"SQLALCHEMY_DATABASE_URI": self.address} if self.address else {}
        self.app = create_app({"INSTANCE": self.folder, "SQLALCHEMY_DATABASE_URI": self.uri, **settings})

    @property
    def uri(self) -> str:
        """The address that SQLAlchemy takes."""
        return self.address or f"sqlite:///{self.folder}/companion.db"

    def close(self) -> None:
        """Close the connections: the next one finds the database as it is on the disk."""
        with self.app.app_context():
            db.session.remove()
            db.engine.dispose()

    def nights(self, secrets: Sequence[str]) -> list[str]:
        """Start a night of two players for each secret; returns their paths."""
        with self.app.app_context():
            made = [groups.make_group("A table", ["Ana", "Beto"], secret) for secret in secrets]
            found = [
                groups.start_night(group, [player.id for player in group.players], "knock-poker", {}, secret)
                for group, secret in zip(made, secrets, strict=True)
            ]
            paths = [f"/s/{night.public_id}" for night in found]
        self.close()
        return paths

    def rounds(self) -> list[Stored]:
        """List what is stored."""
        first = select(Change.submission_key, Line).join(Revision, Revision.change_id == Change.id)
        first = first.join(Line, Line.id == Revision.line_id).where(Revision.number == 1)
        with self.app.app_context():
            rows = [(key, line.number, line.current) for key, line in db.session.execute(first)]
            found = [Stored(key, number, now.number, now.document["rules"]["ante"]) for key, number, now in rows]
        self.close()
        return found

    def wrong(self) -> list[str]:
        """Return what the audit and SQLite's own check say."""
        with self.app.app_context():
            found = list(map(str, audit()))
        self.close()
        if not self.address:
            with sqlite3.connect(self.folder / "companion.db") as connection:
                found += [row for (row,) in connection.execute("PRAGMA integrity_check") if row != "ok"]
            connection.close()
        return found

    def compare(self, phones: Sequence[Phone]) -> dict[str, list[str]]:
        """Tell which saved rounds are lost, which are there twice, which nobody sent, and what is wrong."""
        stored = Counter(one.key for one in self.rounds())
        known = {key for phone in phones for key in (*phone.saved, phone.under_way)}
        return {
            "lost": [key for phone in phones for key in phone.saved if not stored[key]],
            "doubled": [key for key, times in stored.items() if times > 1],
            "unknown": [key for key in stored if key not in known],
            "wrong": self.wrong(),
        }


class Server:
    """The app in a process group of its own, so that all of it can be killed; `around` is a command that runs it."""

    def __init__(self, database: Database, around: Sequence[str] = ()) -> None:
        self.port = free_port()
        self._command = [*around, *(word.replace("PORT", str(self.port)) for word in COMMAND)]
        self._settings = {"COMPANION_INSTANCE": str(database.folder), "DATABASE_URL": database.uri}
        self._log = database.folder / "server.log"

    def start(self) -> None:
        """Start it, and wait until it answers."""
        with self._log.open("ab") as log:
            more = {"cwd": TESTS.parent, "env": os.environ | self._settings, "start_new_session": True}
            self._process: subprocess.Popen[bytes] = subprocess.Popen(self._command, stdout=log, stderr=log, **more)
        until(lambda: answers(self.port, self._process, "/healthz"))

    def kill(self) -> None:
        """End it at once, with all that belongs to it."""
        with suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()


@dataclass
class Phone:
    """A phone that opened its night's form once, and sends it again and again, over all restarts of the server."""

    name: str
    port: int
    secret: str
    night: str
    saved: list[str] = field(default_factory=list)  # keys of rounds, as the server acknowledged them
    saved_at: list[float] = field(default_factory=list)
    under_way: str = ""  # the one that was sent and not acknowledged; it is sent again after a restart
    refused: list[str] = field(default_factory=list)  # answers that no phone should get

    def open(self) -> None:
        """Open the night's link and the form of its round."""
        self._client = Client(self.port)
        assert self._client.get(f"/open/{self.secret}").status == 303
        self._form = form_with(self._client.get(f"{self.night}/round").text, "settle")
        self.number = int(self._form.fields["number"][0])

    def get(self, path: str) -> str:
        """Return a page of the night."""
        return self._client.get(f"{self.night}{path}").text

    def sends(self, key: str, number: int, ante: int = 1) -> Answer:
        """Send the form of a round."""
        fields = self._form.fields | dict(zip(self._form.named("-hand"), ([hand] for hand in HANDS), strict=True))
        more = {"asked-knocker": "0", "rules-ante": str(ante), "do": "save", "key": key, "number": str(number)}
        return self._client.post(self._form.action, fields | more)

    def corrects(self, number: int, seen: str, ante: int) -> Answer:
        """Correct a round, based on the revision seen."""
        form = form_with(self.get(f"/lines/{number}/correct"), "settle")
        return self._client.post(form.action, form.fields | {"seen": seen, "rules-ante": str(ante), "do": "save"})

    def play(self, rounds: int) -> None:
        """Save rounds until there are so many, or until the server is gone; begins with the one that was cut."""
        while len(self.saved) < rounds and not self.refused:
            key = self.under_way = f"{self.name}-{self.number}"
            try:
                answer = self.sends(key, self.number)
            except (OSError, http.client.HTTPException):
                self._client.close()
                return
            if answer.status == 303:
                self.saved_at.append(time())
                self.saved.append(key)
                self.number += 1
                self.under_way = ""
            else:
                self.refused.append(f"{key}: {answer.status}")


def seated(database: Database, port: int, number: int) -> list[Phone]:
    """Seat so many phones, each at a table of its own."""
    secrets = [f"secret-of-the-table-of-the-probe-{at}" for at in range(number)]
    nights = zip(secrets, database.nights(secrets), strict=True)
    return [Phone(f"phone{at}", port, secret, night) for at, (secret, night) in enumerate(nights)]


def start(phones: Sequence[Phone], rounds: int) -> list[Thread]:
    """Let phones play, each in a thread."""
    threads = [Thread(target=phone.play, args=(rounds,), daemon=True) for phone in phones]
    for thread in threads:
        thread.start()
    return threads


def finish(probe: str, is_good: bool, **figures: Any) -> int:
    """Print the one line of JSON; returns the exit status. Of what was found, the number and the first few are told."""
    told = {name: {"number": len(of), "first": of[:3]} if isinstance(of, list) else of for name, of in figures.items()}
    print(json.dumps({"probe": probe, "ok": is_good, **told}), flush=True)
    return 0 if is_good else 1
