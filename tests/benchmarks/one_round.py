"""Measures a tap, a settlement and a save of one round: calls, SQL statements, milliseconds, bytes of the request.

Run it with `python -m tests.benchmarks.one_round` from the top of the repository; it prints a Markdown table.
"""

from __future__ import annotations

import cProfile
import pstats
import sys
import tempfile
from collections.abc import Callable
from itertools import count
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any
from urllib.parse import urlencode

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "web"))

from devices import HANDS, PlayedNight
from flask import Flask
from pages import Page
from sqlalchemy import delete
from statements import heard
from werkzeug.test import TestResponse

from companion import create_app
from companion.store.models import Draft, db

REPETITIONS = 40
JSON = {"Accept": "application/json"}
Asked = tuple[str, dict[str, Any], dict[str, str]]  # the path, the fields and the headers of a request


class Table:
    """A night on which Beto has entered his hand on his own phone, so that it is face down on the scorekeeper's."""

    def __init__(self, app: Flask) -> None:
        self.app, self.night = app, PlayedNight(app)
        self.beto, self.keeper = self.night.joined("Beto"), self.night.keeper
        self.turns = count()

    def page(self) -> dict[str, Any]:
        """Open the next round afresh, with hands face down; returns the fields of its form."""
        address = f"{self.night.night}/round"
        with self.app.app_context():
            db.session.execute(delete(Draft))
            db.session.commit()
        turn = next(self.turns)
        number = Page(self.keeper.get(address).text).fields["number"][0]
        self.night.types(self.beto, players_1_hand=HANDS["Beto"], number=number, key=f"draft {turn}")
        return {name: values for name, values in Page(self.keeper.get(address).text).fields.items() if name != "do"}

    def tap(self) -> Asked:
        """The request for the first cards of a hand, as the page's script sends it."""
        fields, one = self.page(), {"players-0-hand": HANDS["Ana"][:5]}
        known = {name: fields[name] for name in ("key", "number", "game")}
        change = {**known, "seats": ".".join(fields["seat"]), **one}
        return "/draft", change, {**JSON, "X-CSRFToken": fields["csrf_token"][0]}

    def whole(self, do: str, headers: dict[str, str]) -> Asked:
        """Everything entered on the scorekeeper's phone; Beto's hand comes from the draft."""
        hands = {"players-0-hand": HANDS["Ana"], "players-2-hand": HANDS["Caro"]}
        return "/round", {**self.page(), **hands, "asked-knocker": "0", "do": do}, headers

    def measured(self, what: str, prepare: Callable[[], Asked]) -> str:
        """Send the same request many times, each freshly prepared; returns a row of the table."""

        def send(asked: Asked) -> TestResponse:
            path, fields, headers = asked
            answer = self.keeper.client.post(self.night.night + path, data=fields, headers=headers)
            assert answer.status_code in (200, 201, 303), answer.text
            return answer

        with self.app.app_context():
            engine = db.engine
        times, said = list[float](), list[str]()
        for _ in range(REPETITIONS):
            asked, began = prepare(), perf_counter()
            send(asked)
            times.append((perf_counter() - began) * 1000)
        asked = prepare()
        with heard(engine, lambda statement, _values: said.append(statement)):
            send(asked)
        profile, asked = cProfile.Profile(), prepare()
        profile.runcall(send, asked)
        calls: int = pstats.Stats(profile).total_calls  # type: ignore[attr-defined]
        size = len(urlencode(asked[1], doseq=True))
        return f"| {what} | {calls:,} | {len(said)} | {median(times):.1f} | {size:,} |"


def main() -> None:
    print("| | calls | SQL statements | ms | body bytes |\n|---|---|---|---|---|")
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as instance:
        app = create_app({"INSTANCE": instance, "TESTING": True})
        table = Table(app)
        print(table.measured("a tap", table.tap))
        print(table.measured("settle", lambda: table.whole("settle", {})))
        print(table.measured("save", lambda: table.whole("save", JSON)))
        with app.app_context():
            db.session.remove()
            db.engine.dispose()


if __name__ == "__main__":
    main()
