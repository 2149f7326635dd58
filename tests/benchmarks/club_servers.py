"""The app as a club runs it, gunicorn with four processes on PostgreSQL, and tables at which phones have sat down."""

from __future__ import annotations

import os
import secrets
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import flask
import psycopg
from flask import Flask
from flask_wtf.csrf import generate_csrf
from ports import free_port
from probes.forms import form_with
from waiting import until

from benchmarks.phones import NAMES, Seating
from benchmarks.serving import answers
from companion import create_app
from companion.store.db.database import transaction
from companion.store.groups import groups
from companion.store.models import db

WORKERS = 4
KEY = "6f1d0c9be27a4358b5e0917fd24c86a3"
_GUNICORN = ["-m", "gunicorn", "--config", "python:companion.serve.gunicorn_config", "--no-control-socket"]
_TOP = Path(__file__).parents[2]


@dataclass(frozen=True)
class Database:
    """A database on a PostgreSQL server, and the process that all of the server's others belong to."""

    address: str
    pid: int


@dataclass(frozen=True)
class Host:
    """A running gunicorn: its port, that of its metrics, and its process."""

    port: int
    metrics_port: int
    process: subprocess.Popen[bytes]

    def metrics(self) -> str:
        with urlopen(f"http://127.0.0.1:{self.metrics_port}/metrics", timeout=30) as answer:
            return str(answer.read().decode())

    def kill(self) -> None:
        """End it at once, with all its workers, as a power cut does."""
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()


def new_database(server: str, name: str) -> Database:
    """Create an empty database."""
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f'CREATE DATABASE "{name}"')
        found = connection.execute("SHOW data_directory").fetchone()
    assert found is not None
    pid = int(Path(found[0], "postmaster.pid").read_text().split()[0])
    return Database(server.replace("/postgres?", f"/{name}?"), pid)


@contextmanager
def host(database: Database, workers: int = WORKERS) -> Iterator[Host]:
    """Serve a database, with the settings of HOSTING.md's service; each host has an instance folder of its own."""
    port, metrics_port = free_port(), free_port()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as instance:
        settings = {
            "COMPANION_INSTANCE": instance,
            "DATABASE_URL": database.address,
            "COMPANION_SECRET_KEY": KEY,
            "COMPANION_TRUSTED_PROXIES": "1",
            "COMPANION_LOG": "json",
            "COMPANION_METRICS": f"127.0.0.1:{metrics_port}",
            "PYTHONPATH": str(_TOP),
            "TMPDIR": instance,
        }
        words = [sys.executable, *_GUNICORN, f"--bind=127.0.0.1:{port}", f"--workers={workers}"]
        process = subprocess.Popen(
            [*words, "companion:create_app()"],
            env=os.environ | settings,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        try:
            until(lambda: answers(port, process, "/readyz"))
            yield Host(port, metrics_port, process)
        finally:
            with suppress(ProcessLookupError):
                process.terminate()
            with suppress(subprocess.TimeoutExpired):
                process.wait(timeout=10)
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()


@contextmanager
def app_of(database: Database) -> Iterator[Flask]:
    """Open the database with an app of this process, which signs cookies with the key of the hosts.

    What it writes does not wait for the disk: a thousand tables sit down in half a minute instead of five.
    """
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as instance:
        options = {"connect_args": {"options": "-c synchronous_commit=off"}}
        settings = {"INSTANCE": instance, "SQLALCHEMY_DATABASE_URI": database.address, "SECRET_KEY": KEY}
        settings |= {"SQLALCHEMY_ENGINE_OPTIONS": options}
        app = create_app(settings)
        try:
            yield app
        finally:
            with app.app_context():
                db.engine.dispose()


def seat(app: Flask, tables: int) -> list[Seating]:
    """Start a night at each table and let three phones beside the scorekeeper's take their seats."""
    return [_seating(app) for _ in range(tables)]


def _seating(app: Flask) -> Seating:
    secret = secrets.token_urlsafe(16)
    with app.app_context():
        group = groups.make_group("Friday", NAMES, secret)
        seats = [player.id for player in group.players]
        night = groups.start_night(group, seats, "knock-poker", {}, secret)
        devices = [secrets.token_urlsafe(8) for _ in seats]
        with transaction():
            for place, device in list(zip(night.seats, devices, strict=True))[1:]:
                place.phone, place.phone_name = device, "a phone"
        public_id, code = night.public_id, night.join_code
        held: list[dict[str, Any]] = [
            {"opened": {group.public_id: secret}},
            *({"joined": {public_id: code}} for _ in seats[1:]),
        ]
        version, players = night.version, [str(player) for player in seats]
        db.session.remove()
    signed = [_cookie(app, {**of, "device_id": device}) for of, device in zip(held, devices, strict=True)]
    cookies, tokens = zip(*signed, strict=True)
    return Seating(public_id, version, players, devices, cookies, tokens)


def _cookie(app: Flask, content: dict[str, Any]) -> tuple[str, str]:
    """Sign a phone's cookie as the app does; gives the CSRF token that goes with it, too."""
    signer: Any = app.session_interface.get_signing_serializer(app)  # type: ignore[attr-defined]
    with app.test_request_context():
        flask.session.update(content)
        token = generate_csrf()
        return str(signer.dumps(dict(flask.session))), token


def round_form(app: Flask, seating: Seating) -> dict[str, Sequence[str]]:
    """Read the form of a round that the scorekeeper's phone has open; at every table it has the same fields."""
    client = app.test_client()
    client.set_cookie("session", seating.cookies[0])
    form = form_with(client.get(f"/s/{seating.night}/round").text, "settle")
    return {name: values for name, values in form.fields.items() if name not in ("do", "number", "key", "csrf_token")}
