"""Imports a large file in a process of its own, so that saves don't have to wait for it.

Threads of one process take turns at computing: beside 10,000 rounds, the slowest saves took three to four times as
long. A process of its own gives way to the server's, and its memory, several times the file's size, goes back to the
system when it ends.
"""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import tempfile
import threading
from collections.abc import Mapping
from contextlib import suppress
from typing import BinaryIO

from flask import Flask, current_app
from sqlalchemy import select

from companion.engine.messages import Message

from ..db.database import prepare
from ..models import Group, db
from ..refusals import Refused
from .group_file import FileLimits
from .importing import import_group

_LARGE = 500_000  # bytes, some 400 rounds; starting a process takes as long as importing these
_LENGTH_BYTES = 8  # of the number before an order
_GIVES_WAY = 5  # of 19; with more, a busy server would hardly let the import finish
_STOPPED = Message("The import was stopped before its end, perhaps for lack of memory. Nothing was imported; try again")
_ENGINE = "SQLALCHEMY_ENGINE_OPTIONS"


def import_beside_others(content: bytes, secret: str, limits: FileLimits) -> tuple[Group, bool]:
    """Import a group while others use the app; like `import_group`, but Refused also if the process ends early."""
    if len(content) < _LARGE:
        return import_group(content, secret, limits)
    database = db.engine.url.render_as_string(hide_password=False)
    settings = {"SQLALCHEMY_DATABASE_URI": database, _ENGINE: current_app.config[_ENGINE]}
    db.session.rollback()  # what was read before the import wouldn't include the new group
    public_id, is_new = _answer(pickle.dumps((settings, content, secret, limits)))
    return db.session.execute(select(Group).where(Group.public_id == public_id)).scalar_one(), is_new


def _answer(order: bytes) -> tuple[str, bool]:
    """Return what `carry_out` answers in a new process, or raise it."""
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-c", f"from {__name__} import main; main()"]
    pipe = subprocess.PIPE
    with tempfile.TemporaryFile() as said:
        with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=said, env=environment) as process:
            assert process.stdin is not None and process.stdout is not None
            with suppress(BrokenPipeError):
                process.stdin.write(len(order).to_bytes(_LENGTH_BYTES) + order)
                process.stdin.flush()
            # the pipe stays open meanwhile: when it closes, the process knows that this one is gone
            answered = process.stdout.read()
            with suppress(BrokenPipeError):
                process.stdin.close()
        if process.returncode:
            said.seek(0)
            text = said.read().decode(errors="replace")
            current_app.logger.error("Import ended with %d. %s", process.returncode, text)
            raise Refused(_STOPPED)
    answer: tuple[str, bool] | Exception = pickle.loads(answered)
    if isinstance(answer, Exception):
        raise answer
    return answer


def main() -> None:
    """Carry out the order on standard input, giving way to the server, and write the answer to standard output.

    Ends with the process that ordered it: otherwise nobody would learn the link of the group.
    """
    with suppress(AttributeError):  # Windows has no such call
        os.nice(_GIVES_WAY)
    orders = sys.stdin.buffer
    order = orders.read(int.from_bytes(orders.read(_LENGTH_BYTES)))
    threading.Thread(target=_end_with, args=(orders,), daemon=True).start()
    sys.stdout.buffer.write(carry_out(order))
    sys.stdout.buffer.flush()
    os._exit(0)  # a usual end would wait for the thread's reading


def _end_with(orders: BinaryIO) -> None:
    orders.read()  # until the other process closes it, at the latest when that ends
    os._exit(1)


def carry_out(order: bytes) -> bytes:
    """Import what another process ordered. Returns the group's id and whether it is new, or the exception, pickled."""
    settings: Mapping[str, object]
    settings, content, secret, limits = pickle.loads(order)
    app = Flask(__name__)
    app.config.from_mapping(settings)
    db.init_app(app)
    with app.app_context():
        prepare(db.engine)
        answer: tuple[str, bool] | Exception
        try:
            group, is_new = import_group(content, secret, limits)
            answer = group.public_id, is_new
        except Exception as error:
            answer = error
        db.session.remove()
        db.engine.dispose()
    return pickle.dumps(answer)
