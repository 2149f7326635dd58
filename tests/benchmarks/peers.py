"""The web apps to compare with: the bare one, and ihatemoney, which has a separate environment.

ihatemoney requires older libraries than the app, so they can't share an environment; `install` creates it.
"""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import AbstractContextManager, closing
from datetime import date
from itertools import count
from pathlib import Path

from .serving import Answer, Client, Server, served

HERE = Path(__file__).resolve().parent
IHATEMONEY = HERE.parents[1] / ".venv" / "ihatemoney"
MEMBERS = ("Ana", "Beto", "Caro", "Dani", "Eva")
Request = Callable[[], Answer]


def install() -> None:
    """Create ihatemoney's environment if it is missing; needs the network."""
    if not is_installed():
        subprocess.run([sys.executable, "-m", "venv", IHATEMONEY], check=True)
        subprocess.run([IHATEMONEY / "bin" / "pip", "install", "--quiet", "ihatemoney>=7", "waitress"], check=True)


def is_installed() -> bool:
    """Return whether ihatemoney is installed."""
    return (IHATEMONEY / "bin" / "waitress-serve").exists()


def bare(folder: Path) -> AbstractContextManager[Server]:
    """Serve the bare app with a database in a folder."""
    return served([sys.executable, HERE / "bare.py", "PORT", folder / "bare.db"])


def bare_adds(client: Client) -> Request:
    """Return a function that inserts a round."""
    fields = {"csrf_token": client.token("/"), "payer": 1, "what": "a round", "amount": 25}
    return lambda: _done(client.post("/add", fields))


def bare_notes(client: Client) -> Request:
    """Return a function that makes the smallest possible change."""
    token, numbers = client.token("/"), count()
    return lambda: _done(client.post("/note", {"csrf_token": token, "what": f"round {next(numbers)}"}))


def ihatemoney(folder: Path) -> AbstractContextManager[Server]:
    """Serve ihatemoney with a database in a folder, with its defaults: SQLite's rollback journal, where the app uses
    WAL.
    """
    settings = folder / "ihatemoney.cfg"
    settings.write_text(
        f'SQLALCHEMY_DATABASE_URI = "sqlite:///{folder}/ihatemoney.db"\nSECRET_KEY = "bench"\n'
        "SESSION_COOKIE_SECURE = False\nMAIL_SUPPRESS_SEND = True\nWTF_CSRF_TIME_LIMIT = None\n"
    )
    command = [IHATEMONEY / "bin" / "waitress-serve", "--threads=8", "--listen=127.0.0.1:PORT"]
    return served([*command, "ihatemoney.wsgi:application"], IHATEMONEY_SETTINGS_FILE_PATH=str(settings))


def ihatemoney_adds(client: Client, folder: Path, name: str) -> Request:
    """Create a project with five members, and return a function that adds a bill to it."""
    about = {"name": name, "id": name, "password": name, "contact_email": "a@example.com", "default_currency": "XXX"}
    _done(client.post("/create", about | {"csrf_token": client.token("/create"), "submit": "1"}))
    for member in MEMBERS:
        path = f"/{name}/members/add"
        _done(client.post(path, {"csrf_token": client.token(path), "name": member, "weight": 1}))
    with closing(sqlite3.connect(folder / "ihatemoney.db")) as connection:
        ids = [row[0] for row in connection.execute("SELECT id FROM person WHERE project_id = ?", [name])]
    path = f"/{name}/add"
    bill = {"date": date.today().isoformat(), "what": "a round", "payer": ids[1], "amount": "25", "payed_for": ids}
    bill |= {"original_currency": "XXX", "bill_type": "Expense", "external_link": "", "submit": "Submit"}
    bill["csrf_token"] = client.token(path)
    return lambda: _done(client.post(path, bill))


def _done(answer: Answer) -> Answer:
    assert answer.status in (302, 303), answer.status
    return answer
