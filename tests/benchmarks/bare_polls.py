"""The least that a poll can cost: Flask answering a line of JSON, under gunicorn as the app is. Takes a `BARE_PORT`."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from pathlib import Path

from flask import Flask, Response, jsonify
from ports import free_port
from waiting import until

from benchmarks.phones import exchange
from benchmarks.processes import usage
from benchmarks.serving import answers

POLLS = 2_000
_TOP = Path(__file__).parents[2]

app = Flask(__name__)


@app.get("/poll")
def poll() -> Response:
    """Answer what any poll would."""
    return jsonify(version=1)


async def _ask(port: int, polls: int) -> None:
    request = b"GET /poll HTTP/1.1\r\nHost: companion.example.org\r\nConnection: close\r\n\r\n"
    for _ in range(polls // 4):
        replies = await asyncio.gather(*(exchange(port, request, "127.0.0.1") for _ in range(4)))
        assert all(reply.status == 200 for reply in replies)


def seconds_of_a_poll(workers: int, polls: int = POLLS) -> float:
    """Return the processor seconds of such a poll, in which four phones ask at once."""
    port = free_port()
    words = ["-m", "gunicorn", "--worker-class=gthread", "--threads=8", "--preload", "--no-control-socket"]
    process = subprocess.Popen(
        [sys.executable, *words, f"--bind=127.0.0.1:{port}", f"--workers={workers}", "benchmarks.bare_polls:app"],
        env=os.environ | {"PYTHONPATH": f"{_TOP}:{_TOP / 'tests'}"},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        until(lambda: answers(port, process, "/poll"))
        asyncio.run(_ask(port, polls // 10))  # each worker's first answers load what it needs
        before = usage(process.pid).seconds
        asyncio.run(_ask(port, polls))
        return (usage(process.pid).seconds - before) / polls
    finally:
        process.terminate()
        process.wait()
