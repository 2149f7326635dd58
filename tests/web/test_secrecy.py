"""Of a hand that lies face down, others learn how many cards it has and nothing else, whatever they ask.

Two copies of a night differ in nothing but the cards of Beto's hand, which lies face down; where all decide at once
whether to be in, in that he is out in one of them. Every phone sends the same
requests to both, with the same keys at the same time; the answers must be alike byte for byte, with status and headers.
"""

from __future__ import annotations

import difflib
import json
import re
import secrets
import shutil
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from itertools import count, cycle
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple

import itsdangerous.timed
import pytest
from devices import Device, PlayedNight
from flask.testing import FlaskClient
from programs import token_of
from sample_rounds import ROUNDS, WITH_HANDS

from companion import create_app
from companion.engine.game import AnyGame, seated
from companion.engine.variants import options_that_change_the_set
from companion.games import all_games
from companion.store.log import ledger
from companion.store.models import db
from companion.store.night import settings

_CLOCK = SimpleNamespace(time=lambda: 1_800_000_000)
SHOWN = "the hands were shown"


class Case(NamedTuple):
    """A game with its house rules, and how many cards of Beto's hand are in; None: all.

    `is_out`: in the copy, Beto has no other hand, but is out.
    """

    game: str
    rules: Mapping[str, str] = {}
    cards: int | None = None
    is_out: bool = False


CASES = {
    **{key: Case(key) for key in WITH_HANDS},
    "draw-poker": Case("draw-poker", {"wild": "jokers"}),
    "knock": Case("knock", {}, 2),
    "who is out": Case("guts", is_out=True),
    "a Spanish deck": Case("dompe", {"deck": "spanish-48"}),
}


def some_quick(*names: str) -> list[Any]:
    """Return all cases for a test; `tests/run` tries those that are named, `tests/run --all` the others too."""
    marks = {name: [] if name in names else [pytest.mark.thorough] for name in CASES}
    return [pytest.param(case, id=name, marks=marks[name]) for name, case in CASES.items()]


class Asked(NamedTuple):
    """A request; a POST has fields, or a program's JSON."""

    path: str
    fields: Mapping[str, Any] | None = None
    json: Mapping[str, Any] | None = None
    method: str = "POST"


class Answer(NamedTuple):
    """An answer, whether it showed the hands to everybody, and if it changed anything, the state after it."""

    is_shown: bool
    status: int
    headers: list[tuple[str, str]]
    body: bytes
    state: bytes = b""


def hands_of(game: AnyGame, rules: Mapping[str, str]) -> tuple[list[str], list[str]]:
    """Return two hands without a common card: one with the last card, which may be wild, and of one suit."""
    options = game.options(**rules)
    pieces = [piece.text for piece in game.pieces(options).pieces]
    size = min(game.hand_sizes(seated(game, options, ["Ana", "Beto", "Caro"], "Caro")))
    others = pieces[size - 1 : -1]
    return [pieces[-1], *pieces[: size - 1]], others[:: len(others) // size][:size]


class Twins:
    """Two apps, each with a copy of the same night, and the phones at its table."""

    def __init__(self, folders: list[Path]) -> None:
        shutil.copy(folders[0] / "companion.db", folders[0] / "empty.db")
        self.databases = [folder / "companion.db" for folder in folders]
        self.apps = [create_app({"INSTANCE": folders[0], "TESTING": True})]
        shutil.copy(folders[0] / "secret_key", folders[1])
        self.apps.append(create_app({"INSTANCE": folders[1], "TESTING": True}))
        self.empty = folders[0] / "empty.db"

    def begin(self, case: Case) -> None:
        """Start a night in which Beto's hand lies face down, and nobody else has entered one. Caro keeps score."""
        self.case, self.game = case, all_games()[case.game]
        self._put(0, self.empty.read_bytes())
        self.night = night = PlayedNight(self.apps[0], case.game)
        keeper, viewer, seatless = night.keeper, Device(self.apps[0]), Device(self.apps[0])
        keeper.does(f"{night.night}/me", player=night.players["Caro"])
        viewer.open(night.links()["look"])
        seatless.get(f"/join/{night.code()}")
        program = Device(self.apps[0])
        program.client.environ_base["HTTP_AUTHORIZATION"] = f"Bearer {token_of(night, 'keep')}"
        self.devices = {"keeper": keeper, "ana": night.joined("Ana"), "viewer": viewer, "seatless": seatless}
        self.devices["program"] = program
        rules = {f"rules-{key}": value for key, value in case.rules.items()}
        night.types(keeper, game=case.game, betting="", **rules)
        self.hands = [" ".join(hand[: case.cards]) for hand in hands_of(self.game, case.rules)]
        night.types(night.joined("Beto"), game=case.game, **{"players-1-hand": self.hands[0]})
        self.tokens = {name: device.page("/join").fields["csrf_token"][0] for name, device in self.devices.items()}
        self._copy()

    def _copy(self) -> None:
        """Copy the night, with Beto's other hand in the copy."""
        self._dispose(0)
        data = self.databases[0].read_bytes()
        self._put(1, data)
        with sqlite3.connect(self.databases[1]) as connection:
            (text,) = connection.execute("SELECT cells FROM draft").fetchone()
            other, beto = json.loads(text), self.night.players["Beto"]
            other[beto]["hand"][0] = self.hands[1]
            if self.case.is_out:
                other[beto] = {"out": [True, other[beto]["hand"][1]], "secret": other[beto]["secret"]}
            connection.execute("UPDATE draft SET cells = ?", [json.dumps(other)])
        connection.close()
        self.kept = [data, self.databases[1].read_bytes()]
        assert self.kept[0] != self.kept[1]
        self.clients = {name: [device.client, self._like(device.client)] for name, device in self.devices.items()}

    def _like(self, client: FlaskClient) -> FlaskClient:
        other = self.apps[1].test_client()
        other.environ_base = dict(client.environ_base)
        for cookie in client._cookies.values():
            other.set_cookie(cookie.key, cookie.value)
        return other

    def _dispose(self, at: int) -> None:
        with self.apps[at].app_context():
            db.engine.dispose()

    def _put(self, at: int, data: bytes) -> None:
        self._dispose(at)
        for end in ("-wal", "-shm"):
            self.databases[at].with_name(f"companion.db{end}").unlink(missing_ok=True)
        self.databases[at].write_bytes(data)

    def answer(self, at: int, phone: str, asked: Asked) -> Answer:
        """Ask one of the two apps, and put everything back as it was."""
        client = self.clients[phone][at]
        cookies = dict(client._cookies)
        if asked.json is not None:
            told = client.open(asked.path, method=asked.method, json=asked.json, headers={"If-Match": "*"})
        elif asked.fields is None:
            told = client.get(asked.path)
        else:
            fields = {"csrf_token": self.tokens[phone], "key": f"key of {phone}", **asked.fields}
            told = client.post(asked.path, data=fields)
        headers = [(name, re.sub("Expires=[^;]*", "", value)) for name, value in told.headers]
        answer = Answer(False, told.status_code, headers, told.data)
        journal = self.databases[at].with_name("companion.db-wal")
        if journal.exists() and journal.stat().st_size:
            with self.apps[at].app_context(), db.engine.connect() as connection:
                # a game for two is saved by what completes it: the hands are shown, and the draft is gone
                # a program saves a round without them
                shown = "SELECT max(shown) FROM (SELECT shown FROM draft UNION ALL SELECT id > 0 FROM line)"
                is_shown = asked.json is None and bool(connection.exec_driver_sql(shown).scalar())
            answer = answer._replace(is_shown=is_shown, state=self._state(client, at))
            self._put(at, self.kept[at])
        client._cookies.clear()
        client._cookies.update(cookies)
        return answer

    def _state(self, client: FlaskClient, at: int) -> bytes:
        """Return what a phone learns next; of a program, what the scorekeeper does."""
        asks = self.clients["keeper"][at] if client is self.clients["program"][at] else client
        return asks.get(f"{self.night.night}/state").data

    def difference(self, phone: str, asked: Asked, restart: Callable[[], None]) -> str:
        """Return how the answers to a request differ; "" if they are alike, `SHOWN` if both show the hands."""
        answers = []
        for at in (0, 1):
            restart()
            answers.append(self.answer(at, phone, asked))
        one, other = answers
        if one.is_shown and other.is_shown:
            return SHOWN
        wrong = [f"{a!r} / {b!r}" for a, b in zip(one, other, strict=True) if a != b and not isinstance(a, bytes)]
        for a, b in ((one.body, other.body), (one.state, other.state)):
            wrong += (
                [line for line in difflib.ndiff(*(text.decode().splitlines() for text in (a, b))) if line[0] in "+-"]
                if a != b
                else []
            )
        return f"{phone} {asked}: {' '.join(wrong)}" if wrong else ""


def answers_naming_players(game: AnyGame) -> Iterator[dict[str, str]]:
    """Yield answers to each of a game's questions that name Beto, or Ana."""
    for question in game.questions:
        if question.kind == "player":
            yield from ({f"asked-{question.key}": seat} for seat in "10")
        elif question.kind in ("players", "winners"):
            yield from ({f"players-{seat}-{question.key}": "y"} for seat in "10")
        elif question.kind in ("points", "halves"):
            yield {f"players-1-{question.key}": "5"}


def guesses(twins: Twins) -> Iterator[dict[str, Any]]:
    """Yield what somebody may type to learn about Beto's hand. Another hand always stays unfinished."""
    one, other = twins.hands
    yield {"players-0-hand": one, "players-2-hand": one.split()[0]}
    yield {"players-2-hand": other}
    for answer in answers_naming_players(twins.game):
        yield {**answer, "players-0-hand": one}
    yield {"players-0-hand": f"{one} {other}"}
    yield {"players-0-hand": "Jk Xx 1o 6-6"}
    for rule in twins.game.house_rules:
        if rule.key in options_that_change_the_set(twins.game):
            yield from ({f"rules-{rule.key}": value} for value in rule.choices)


def of_the_round(twins: Twins, phone: str) -> Iterator[Asked]:
    """Yield the requests that read the round being entered, in every game and way."""
    here, case, device = twins.night.night, twins.case.game, twins.devices[phone]
    yield from (Asked(f"{here}/state?game={game}") for game in ("", *all_games(), "chess"))
    yield from (Asked(f"{here}/state?way={way}") for way in ("won_by", "points", "x"))
    if phone not in ("keeper", "ana"):
        return
    typed = list(guesses(twins))
    draft = {"number": "1", "seats": ".".join(twins.night.players.values()), "key": "a phone's key"}
    yield from (Asked(f"{here}/draft", {**draft, "game": case, **fields}) for fields in typed)
    yield from (Asked(f"{here}/draft", {**draft, "game": game, "players-0-hand": "9s"}) for game in all_games())
    table = device.page(here).fields
    known = {name: table[name][0] for name in ("mark", "number", "game")} | {"sure": "yes"}
    for do, name in (("knocks", "Ana"), ("stay", "Beto"), ("drop", "Ana"), ("fold", "Beto"), ("dealer", "Beto")):
        yield Asked(f"{here}/play", {**known, "do": f"{do}-{twins.night.players[name]}"})
    if phone == "keeper":  # it may do most, and its pages take longest
        yield from _with_pages(twins, device, typed)


def _with_pages(twins: Twins, device: Device, typed: list[dict[str, Any]]) -> Iterator[Asked]:
    here, case = twins.night.night, twins.case.game
    another = next(key for key in all_games() if key != case)
    yield from (Asked(f"{here}/round?game={game}") for game in (case, another))
    page = device.page(f"{here}/round").fields
    kept = {name: values for name, values in page.items() if name not in ("csrf_token", "do", "key")}
    buttons = cycle(["settle", "save"])
    for fields in typed:
        yield Asked(f"{here}/round?game={case}", {**kept, **fields, "do": next(buttons)})
    yield Asked(f"{here}/round?game={another}", {**kept, "do": "settle"})
    yield Asked(f"{here}/round", {**kept, "do": "clear-1"})
    yield from (Asked(f"{here}/round/photo", {**kept, "do": do}) for do in ("photo-1", "photo-table"))


def of_every_route(twins: Twins, phone: str) -> Iterator[Asked]:
    """Yield a request to every route, and a form to each that takes one; public ones only of the scorekeeper."""
    night = twins.night
    for rule in twins.apps[0].url_map.iter_rules():
        theirs = "<night>" if phone == "program" else "<public_id>"
        if theirs not in rule.rule and phone != "keeper":
            continue
        whole = night.group if rule.rule.startswith("/g/") else night.night
        parts = {
            "night": night.night.rpartition("/")[2],
            "kind": "no-token",
            "public_id": whole.rpartition("/")[2],
            "int:number": "1",
            "int:position": "0",
            "key": twins.case.game,
            "code": "en",
        }
        path = rule.rule
        for name, value in {**parts, "path:filename": "x", "secret": "x", "what": "group.json"}.items():
            path = path.replace(f"<{name}>", value)
        assert "<" not in path
        if "GET" in (rule.methods or ()):
            yield Asked(path)
        if phone == "program":
            method = next(iter({"POST", "PUT"} & (rule.methods or set())), "")
            known = {key: value for key, value in ROUNDS[twins.case.game].items() if key not in ("stake", "rules")}
            loan = {"movement": "loan", "from": "Ana", "to": "Beto", "amount": 5}
            yield from (Asked(path, None, body, method) for body in (known, loan, {}) if method)
        elif "POST" in (rule.methods or ()):
            yield Asked(path, {"do": "x", "number": "1", "game": twins.case.game})


@pytest.fixture(scope="module")
def twins(new_instance: Callable[[], Path]) -> Twins:
    return Twins([new_instance(), new_instance()])


@pytest.fixture
def restart(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Stop the clock, and return a function after which new keys are the same again."""
    numbers = [count()]
    monkeypatch.setattr(secrets, "token_urlsafe", lambda size=32: f"{next(numbers[0]):0{size * 4 // 3}}")
    monkeypatch.setattr(secrets, "choice", lambda choices: choices[next(numbers[0]) % len(choices)])
    monkeypatch.setattr(itsdangerous.timed, "time", _CLOCK)
    for module in (ledger, settings):  # programs are told when a round was saved and a night closed
        monkeypatch.setattr(module, "now", lambda: datetime.fromtimestamp(_CLOCK.time(), UTC))
    return lambda: numbers.__setitem__(0, count())


@pytest.mark.parametrize("case", some_quick("dompe", "knock-poker", "who is out"))
def test_no_answer_depends_on_the_cards_of_a_hand_face_down(
    twins: Twins, restart: Callable[[], None], case: Case
) -> None:
    twins.begin(case)
    asked = [(phone, one) for phone in twins.devices for one in of_the_round(twins, phone)]
    found = [twins.difference(phone, one, restart) for phone, one in asked]
    assert [text for text in found if text not in ("", SHOWN)] == []
    assert found.count(SHOWN) <= 4  # the scorekeeper says who won outright, while typing or in the form


@pytest.mark.parametrize("case", some_quick())
def test_no_route_depends_on_the_cards_of_a_hand_face_down(
    twins: Twins, restart: Callable[[], None], case: Case
) -> None:
    twins.begin(case)
    asked = [(phone, one) for phone in twins.devices for one in of_every_route(twins, phone)]
    found = [text for phone, one in asked if (text := twins.difference(phone, one, restart))]
    assert [text for text in found if text != SHOWN] == []
    assert len(found) <= 1  # in a game for two the other hand completes the round


def test_once_all_are_shown_the_answers_differ(twins: Twins, restart: Callable[[], None]) -> None:
    twins.begin(CASES["knock"])
    restart()
    seats = ".".join(twins.night.players.values())
    known = {"number": "1", "seats": seats, "key": "x", "asked-knocker": "0"}
    asked = Asked(f"{twins.night.night}/draft", {**known, "do": "show"})
    one, other = (twins.answer(at, "keeper", asked) for at in (0, 1))
    assert one.is_shown
    assert twins.hands[0].encode() in one.body
    assert twins.hands[1].encode() in other.body
