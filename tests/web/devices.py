"""Phones at a table, over HTTP: each has its own cookies, and fills in what a form would contain."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from html import unescape
from itertools import count
from pathlib import Path
from typing import Any

from flask import Flask
from pages import Page
from werkzeug.test import TestResponse

from companion.games import all_games
from companion.store.models import Night, db

_keys = count(1)
SECRET = "secret-of-the-link-that-keeps-score"
HANDS = {"Ana": "9s 9h 9d 4c 4d", "Beto": "Ah Kh 8h 5h 3h", "Caro": "8c 8d Js 7d 4h"}
# the fields of a whole round: Ana knocks and wins with a full house
WHOLE = {f"players-{seat}-hand": hand for seat, hand in enumerate(HANDS.values())} | {"asked-knocker": "0"}


def _dashed(name: str) -> str:
    """Convert a keyword to a field's name: players_0_hand is players-0-hand; names with dashes are kept."""
    return name if "-" in name else name.replace("_", "-")


def words(html: str) -> str:
    """Return the words of a page, one blank between any two."""
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", html)).split())


def dispose(app: Flask) -> None:
    """Close an app's connections; the last one folds the journal into the file."""
    with app.app_context():
        db.engine.dispose()


def is_written(database: Path) -> bool:
    """Return whether anything was written to a database since it was copied to its place."""
    journal = database.with_name(database.name + "-wal")
    return journal.exists() and journal.stat().st_size > 0


class Device:
    """A phone."""

    def __init__(self, app: Flask) -> None:
        self.client = app.test_client()
        self._token = ""

    def kept(self) -> tuple[dict[str, str], str]:
        """Return what the phone knows: its cookies, and the token of its forms."""
        return {cookie.key: cookie.value for cookie in self.client._cookies.values()}, self._token

    def knows(self, cookies: dict[str, str], token: str) -> None:
        """Give the phone what another has `kept`."""
        for name, value in cookies.items():
            self.client.set_cookie(name, value)
        self._token = token

    def get(self, path: str, **more: Any) -> TestResponse:
        return self.client.get(path, **more)

    def page(self, path: str) -> Page:
        response = self.get(path)
        assert response.status_code == 200, (path, response.status_code)
        return Page(response.text)

    def post(self, path: str, **fields: Any) -> TestResponse:
        """Post a form with a token and a new key; `from_` is sent as `from`."""
        if not self._token:
            self._token = Page(self.client.get("/join").text).fields["csrf_token"][0]
        data = {"csrf_token": self._token, "key": f"key {next(_keys)}", **fields}
        return self.client.post(path, data={name.rstrip("_"): value for name, value in data.items()})

    def does(self, path: str, **fields: Any) -> str:
        """Post a form that must succeed; returns where it leads."""
        response = self.post(path, **fields)
        assert response.status_code == 303, (path, response.status_code, problem(response.text))
        return response.location

    def joins(self, code: str) -> Device:
        """Join a night with its code."""
        self.get(f"/join/{code}")
        return self

    def open(self, secret: str) -> int:
        return self.get(f"/open/{secret}").status_code


def problem(html: str) -> str:
    """Return the problem at the top of a page."""
    found = re.search(r'id="(?:problems|refused)">\s*<h2>(.*?)</h2>', html, re.DOTALL)
    return unescape(found[1]) if found else ""


@dataclass(frozen=True)
class _Kept:
    """What is left of a night that was just started: its database, and what its phones know."""

    database: bytes
    phones: dict[str, tuple[dict[str, str], str]]
    known: tuple[str, dict[str, str], str]


_kept: dict[object, _Kept] = {}
Begin = Callable[["PlayedNight"], object]


class PlayedNight:
    """A group of Ana, Beto and Caro with a night started over the pages; `keeper` is the scorekeeper's phone.

    `begins` is what is done first: a script of `plays`, or a function, which may put more phones into `phones`.

    In the app that tests share, the first night of a kind is played over the pages, and its database is kept. The next
    ones begin with a copy of that if nothing has been written before: it takes a twentieth of the time.
    """

    def __init__(
        self, app: Flask, game: str = "knock-poker", secret: str = SECRET, begins: Begin | str = "", **tonight: Any
    ) -> None:
        self.app, self.secret = app, secret
        self.keeper = Device(app)
        self.phones = {"": self.keeper}
        database = Path(app.instance_path) / "companion.db"
        is_new = app.config.pop("HAS_EMPTY_DATABASE", False) and not is_written(database)
        kind = id(app), game, secret, begins, tuple(tonight.items())
        if is_new and kind in _kept:
            self._begin_with(_kept[kind], database)
            return
        self._start(game, tonight)
        if isinstance(begins, str):
            self.plays(begins)
        else:
            begins(self)
        if is_new:
            dispose(app)
            phones = {name: device.kept() for name, device in self.phones.items()}
            _kept[kind] = _Kept(database.read_bytes(), phones, (self.group, self.players, self.night))

    def _start(self, game: str, tonight: dict[str, Any]) -> None:
        self.group = self.keeper.does("/groups/new", name="Friday", player=list(HANDS), secret=self.secret, do="make")
        self.players = dict(zip(HANDS, self.keeper.page(self.group).fields["order"], strict=True))
        seats = list(self.players.values())
        self.night = self.keeper.does(
            f"{self.group}/tonight", order=seats, player=seats, game=game, do="start", **{"currency": "", **tonight}
        )

    def _begin_with(self, kept: _Kept, database: Path) -> None:
        dispose(self.app)
        database.write_bytes(kept.database)
        for name, known in kept.phones.items():
            self.phones.setdefault(name, Device(self.app)).knows(*known)
        self.group, players, self.night = kept.known
        self.players = dict(players)

    def address(self, path: str) -> str:
        """Return the address of a page of the night, of its "{group}", or of a plan."""
        is_whole = path.startswith(("{group}", self.night, "/plans/"))
        return path.replace("{group}", self.group) if is_whole else self.night + path

    def named(self, fields: dict[str, Any]) -> dict[str, Any]:
        """Put players' keys for names in braces: "left-{Ana}"."""

        def key(given: Any) -> Any:
            if isinstance(given, list):
                return [key(one) for one in given]
            return re.sub(r"{(\w+)}", lambda found: self.players[found[1]], given) if isinstance(given, str) else given

        return {key(name): key(value) for name, value in fields.items()}

    def html(self, path: str = "", by: Any = None) -> str:
        """Return a page of the night as the scorekeeper, or another phone, sees it."""
        return (by or self.keeper).get(self.address(path)).text

    def text(self, path: str = "", by: Any = None) -> str:
        return words(self.html(path, by))

    def page(self, path: str = "", by: Any = None) -> Page:
        return (by or self.keeper).page(self.address(path))

    def post(self, path: str, by: Any = None, **fields: Any) -> TestResponse:
        """Post a form; names in braces stand for players' keys."""
        return (by or self.keeper).post(self.address(path), **self.named(fields))

    def does(self, path: str, by: Any = None, **fields: Any) -> str:
        """Post a form that must succeed; returns where it leads."""
        return (by or self.keeper).does(self.address(path), **self.named(fields))

    def presses(self, do: str, by: Any = None, page: str = "", status: int = 303, **more: Any) -> TestResponse:
        """Press a button of the table that a page of a phone shows."""
        shown = self.page(page, by).fields
        known = {name: shown[name][0] for name in ("mark", "number", "game")} | {"sure": "yes"}
        answer = self.post("/play", by, **{**known, **more}, do=do)
        assert answer.status_code == status, (do, answer.status_code, problem(answer.text))
        return answer

    def told(self, path: str, **fields: Any) -> Page:
        """Post a form that is answered by its page."""
        answer = self.post(path, **fields)
        assert answer.status_code == 200, answer.status_code
        return Page(answer.text)

    def form(self, path: str, by: Any = None, **fields: Any) -> dict[str, Any]:
        """Return the fields of a page's form, with some replaced."""
        found = self.page(path, by).fields
        known = {name: values for name, values in found.items() if name not in ("csrf_token", "key", "do")}
        return known | {_dashed(name): value for name, value in fields.items()}

    def plays(self, script: str) -> PlayedNight:
        """Do as the scorekeeper what a script says: "round, loan 5, void 1, left Caro, close"."""
        for step in filter(None, script.split(", ")):
            match step.split():
                case ["round"]:
                    self.books()
                case ["loan" | "side-bet" as movement, amount, *who]:
                    giver, taker = who or ("Ana", "Beto")
                    self.does("/move", movement=movement, amount=amount, from_=f"{{{giver}}}", to=f"{{{taker}}}")
                case ["fine", amount]:
                    self.does("/move", movement="pot", amount=amount, from_="{Ana}", to="pot")
                case ["void" | "back" as do, line]:
                    self.does(f"/lines/{line}", do=do, seen="1" if do == "void" else "2")
                case ["close"]:
                    self.does("/close", do="leave")
                case ["split" | "reopen" as do]:
                    self.does("/close", do=do)
                case ["rules", game, *changes]:
                    changed = dict(f"rules-{change}".split("=") for change in changes)
                    self.does("/rules", **self.form(f"/rules?game={game}") | changed, do="set")
                case ["stakes", do, *typed]:
                    page = {name: self.form("/rules").get(name, [""]) for name in ("seen", "before")}
                    self.does("/stakes", **page, do=do, stake=" ".join(typed[:1]), game=typed[1] if typed[1:] else "")
                case ["settle"]:
                    self.does("/settle")
                case ["buy-in", amount]:
                    self.does("/buy-in", **{"buy-in": amount})
                case ["rebuy", name, chips]:
                    self.does("/rebuy", player=f"{{{name}}}", chips=chips)
                case ["left" | "out" | "in" | "up" | "down" as do, name]:
                    self.does("/seats", do=f"{do}-{{{name}}}", order=[*self.players.values()])
                case ["new", name]:
                    self.does("/seats", do="new", newcomer=name)
                case _:
                    raise ValueError(step)
        return self

    def plan(self, page: str = "/settle") -> str:
        """Return the address of the plan on a page."""
        (plan,) = {form for form in self.page(page).all("form", "action") if "/plans/" in form}
        return plan

    def guest(self, link: str = "") -> Device:
        """Return a phone that opened a link, or joined with the code and hasn't chosen a player."""
        device = Device(self.app)
        if not link:
            return device.joins(self._known_code())
        assert device.open(self.links()[link]) == 303
        return device

    def code(self) -> str:
        found = re.search(r'class="join-code">(\w+)<', self.keeper.get(f"{self.night}/people").text)
        assert found is not None
        return found[1]

    def _known_code(self) -> str:
        """Return the code without opening the page that shows it, which takes longer than joining."""
        with self.app.app_context():
            found = db.session.scalar(
                db.select(Night.join_code).where(Night.public_id == self.night.removeprefix("/s/"))
            )
        assert found is not None
        return found

    def links(self) -> dict[str, str]:
        """Return each link's secret, from the group's page."""
        found = re.findall(r"<code>[^<]*/open/([^<]+)</code>", self.keeper.get(f"{self.group}/settings").text)
        return dict(zip(("keep", "play", "look"), found, strict=True))

    def joined(self, name: str) -> Device:
        """Return the phone of a player who joined with the code."""
        device = Device(self.app)
        assert device.get(f"/join/{self._known_code()}").location == f"{self.night}/me"
        device.does(f"{self.night}/me", player=self.players[name])
        return device

    def state(self, device: Device) -> dict[str, Any]:
        found: dict[str, Any] = device.get(f"{self.night}/state").get_json()
        return found

    def types(self, device: Device, **fields: Any) -> dict[str, Any]:
        """Send what was typed; fields are keywords with _ for -: `players_0_hand`."""
        answer = self.sends(device, **fields)
        assert answer.status_code == 200, answer.text
        found: dict[str, Any] = answer.get_json()
        return found

    def sends(self, device: Device, **fields: Any) -> TestResponse:
        most = all_games()[fields.get("game", "knock-poker")].seats[1]
        seats = list(self.players.values())[:most]
        known = {"number": "1", "game": "knock-poker", "seat": seats, "key": "the draft's key"}
        typed = {_dashed(name): value for name, value in fields.items() if name not in (*known, "do")}
        rest = {name: value for name, value in fields.items() if name in (*known, "do")}
        names = {f"players-{seat}-name": name for seat, name in enumerate(HANDS)}
        return device.post(f"{self.night}/draft", **{**names, **known, **rest}, **typed, touched=list(typed))

    def round_fields(self, device: Device, **fields: Any) -> dict[str, Any]:
        """Return the fields of the next round's form, with some replaced."""
        page = device.page(f"{self.night}/round").fields
        known = {name: values for name, values in page.items() if name not in ("csrf_token", "do")}
        return known | {_dashed(name): value for name, value in fields.items()}

    def books(self, **fields: Any) -> str:
        """Save a round: by default Ana knocks and wins with a full house. Returns its URL."""
        whole = self.round_fields(self.keeper, **{**WHOLE, **{_dashed(name): value for name, value in fields.items()}})
        return self.keeper.does(f"{self.night}/round", **whole, do="save")
