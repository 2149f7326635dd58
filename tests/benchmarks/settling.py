"""Who pays whom among twelve, a round as a document, and the same over HTTP beside an app that only echoes JSON."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from random import Random
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

from flask import Flask, jsonify, request
from sample_rounds import ROUNDS
from werkzeug.test import EnvironBuilder, run_wsgi_app

from companion import create_app
from companion.engine.payments import fewest_payments

from .race import Contender, Limit, Race, installed, timed

PLAYERS, STAKES = 12, (1, 1, 3)  # who drops loses one stake, who stays in and loses three
START = """
from companion import create_app
app = create_app({"INSTANCE": %r})
assert app.test_client().post("/api/settle", json=%r).status_code == 200
"""


def night(random: Random) -> dict[str, int]:
    """Give the balances after a night of twenty rounds, in each of which all the others pay a winner."""
    balances = dict.fromkeys((f"P{at}" for at in range(PLAYERS)), 0)
    for _ in range(20):
        winner = random.choice(list(balances))
        for player in balances:
            paid = 0 if player == winner else random.choice(STAKES)
            balances[player] -= paid
            balances[winner] += paid
    return balances


def races(number: int, folder: str) -> Iterator[Race]:
    """Race over a number of nights, and of documents of each game; the app's instance is in the folder."""
    random = Random(number)
    nights = [night(random) for _ in range(number)]
    debts = installed("debts")
    greedy = debts and (lambda balances: debts.settle(list(balances.items())))
    yield Race("payments of twelve", Contender("ours", fewest_payments, nights), Contender("debts", greedy, nights))
    app = create_app({"INSTANCE": folder})
    for key, document in ROUNDS.items():
        bodies = [json.dumps(document)] * number
        ours = Contender("ours", lambda body: posted(app, body), bodies)
        yield Race(f"POST /api/settle without a server, {key}", ours, echo_of(bodies), 0.33)


def echo_of(bodies: list[str]) -> Contender[Any]:
    """Make the smallest app that takes JSON and gives JSON."""
    app = Flask("echo")

    @app.post("/api/settle")
    def echo() -> Any:
        return jsonify(request.get_json())

    return Contender("a bare app's echo", lambda body: posted(app, body), bodies)


def posted(app: Flask, body: str) -> bytes:
    """Post a body to an app, without a server."""
    environ = EnvironBuilder("/api/settle", method="POST", data=body, content_type="application/json").get_environ()
    chunks, status, _ = run_wsgi_app(app, environ)
    assert status == "200 OK", status
    return b"".join(chunks)


def limits(number: int) -> Iterator[Limit]:
    """Settle up after so many nights, one by one; and start until the first answer."""
    random = Random(number)
    nights = [night(random) for _ in range(number)]

    def times() -> list[float]:
        """Time each night thrice and keep the best: what the machine did in between is not ours."""
        return [min(timed(lambda: fewest_payments(balances)) for _ in range(3)) for balances in nights]  # noqa: B023

    yield Limit("payments of twelve, median", lambda: median(times()), 0.000_1)
    yield Limit(f"payments of twelve, slowest of {number:,}", lambda: max(times()), 0.001)
    yield Limit("start to first answer", start, 0.8)


def start() -> float:
    """Start Python and the app in an empty folder until a round is settled."""
    with TemporaryDirectory() as folder:
        code = START % (folder, next(iter(ROUNDS.values())))
        began = perf_counter()
        subprocess.run([sys.executable, "-c", code], check=True)
        return perf_counter() - began
