"""Measures a tap, a settlement and a save of one round: calls, SQL statements, milliseconds, bytes of the request.

Run it with `python -m tests.benchmarks.one_round` from the top of the repository; it prints a Markdown table.
"""

from __future__ import annotations

import cProfile
import pstats
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any
from urllib.parse import urlencode

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "web"))

from devices import HANDS, Night
from flask import Flask
from pages import Page
from sqlalchemy import delete
from statements import heard
from werkzeug.test import TestResponse

from companion import create_app
from companion.store.models import Draft, db

REPETITIONS = 40
JSON = {"Accept": "application/json"}
Send = Callable[[], TestResponse]


@dataclass(frozen=True)
class Cost:
    """The cost of one request; `milliseconds` is the median of many, the rest is from one."""

    what: str
    calls: int
    statements: int
    milliseconds: float
    body: int

    def row(self) -> str:
        return f"| {self.what} | {self.calls:,} | {self.statements} | {self.milliseconds:.1f} | {self.body:,} |"


@dataclass(frozen=True)
class Prepared:
    """A request from the scorekeeper's phone, which has the next round's page open."""

    send: Send
    body: int


class Table:
    """A night on which Beto has entered his hand on his own phone, so that it is face down on the scorekeeper's."""

    def __init__(self, app: Flask) -> None:
        self.app, self.night = app, Night(app)
        self.beto, self.keeper = self.night.joined("Beto"), self.night.keeper
        self.turns = count()

    def page(self) -> dict[str, Any]:
        """Open the next round afresh, with hands face down; returns the fields of its form."""
        address = f"{self.night.session}/round"
        with self.app.app_context():
            db.session.execute(delete(Draft))
            db.session.commit()
        turn = next(self.turns)
        number = Page(self.keeper.get(address).text).fields["number"][0]
        self.night.types(self.beto, players_1_hand=HANDS["Beto"], number=number, key=f"draft {turn}")
        return {name: values for name, values in Page(self.keeper.get(address).text).fields.items() if name != "do"}

    def prepared(self, path: str, fields: dict[str, Any], headers: dict[str, str]) -> Prepared:
        def send() -> TestResponse:
            return self.keeper.client.post(self.night.session + path, data=fields, headers=headers)

        return Prepared(send, len(urlencode(fields, doseq=True)))

    def tap(self) -> Prepared:
        """The request for the first cards of a hand, as the page's script sends it."""
        fields, one = self.page(), {"players-0-hand": HANDS["Ana"][:5]}
        known = {name: fields[name] for name in ("key", "number", "game")}
        change = {**known, "seats": ".".join(fields["seat"]), **one}
        return self.prepared("/draft", change, {**JSON, "X-CSRFToken": fields["csrf_token"][0]})

    def whole(self, do: str) -> dict[str, Any]:
        """Everything entered on the scorekeeper's phone; Beto's hand comes from the draft."""
        hands = {"players-0-hand": HANDS["Ana"], "players-2-hand": HANDS["Caro"]}
        return {**self.page(), **hands, "asked-knocker": "0", "do": do}

    def settle(self) -> Prepared:
        return self.prepared("/round", self.whole("settle"), {})

    def save(self) -> Prepared:
        return self.prepared("/round", self.whole("save"), JSON)


def measured(app: Flask, what: str, prepare: Callable[[], Prepared]) -> Cost:
    """Send the same request many times, each freshly prepared."""
    with app.app_context():
        engine = db.engine
    times = []
    for _ in range(REPETITIONS):
        prepared = prepare()
        start = perf_counter()
        answer = prepared.send()
        times.append((perf_counter() - start) * 1000)
        assert answer.status_code in (200, 201, 303), answer.text
    said: list[str] = []
    counted = prepare()
    with heard(engine, lambda statement, _values: said.append(statement)):
        counted.send()
    statements = len(said)
    profile, profiled = cProfile.Profile(), prepare()
    profile.runcall(profiled.send)
    calls: int = pstats.Stats(profile).total_calls  # type: ignore[attr-defined]
    return Cost(what, calls, statements, median(times), profiled.body)


def costs() -> list[Cost]:
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as instance:
        app = create_app({"INSTANCE": instance, "TESTING": True})
        table = Table(app)
        requests = {"a tap": table.tap, "settle": table.settle, "save": table.save}
        found = [measured(app, what, prepare) for what, prepare in requests.items()]
        with app.app_context():
            db.session.remove()
            db.engine.dispose()
    return found


def main() -> None:
    print("| | calls | SQL statements | ms | body bytes |\n|---|---|---|---|---|")
    for cost in costs():
        print(cost.row())


if __name__ == "__main__":
    main()
