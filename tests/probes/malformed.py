"""Sends malformed, huge, costly, oddly encoded and cross-group requests to every route of a running app.

python tests/probes/malformed.py [--requests 20000] [--seed 1] [--database postgresql+psycopg://...]

Starts the app on a temporary SQLite database, or the one given, creates two groups, and sends requests built from the
addresses and forms of one of them with a few errors added, or as long as the app accepts, with what would take long if
any step were worse than linear. Prints one line of JSON with the slowest routes; exits with 0 if no response was a 5xx,
took over a second or contained a name from the other group, and the server logged no traceback.
"""

from __future__ import annotations

import argparse
import contextlib
import http.client
import itertools
import json
import random
import re
import socket
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from urllib.parse import quote, urlencode

TESTS = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(TESTS), str(TESTS.parent)]

from benchmarks.serving import COMMAND, served  # noqa: E402
from forms import Form, forms_of  # noqa: E402
from werkzeug.routing import Rule  # noqa: E402

from companion import create_app  # noqa: E402
from companion.engine.pieces.cards import FRENCH  # noqa: E402
from companion.games import all_games  # noqa: E402

SECRET_NAME = "Xochiquetzalli"  # of a player of the other group; no request holds it
A_SECOND = 1.0
HAND = "9s 9h 9d 4c 4d"
FORM = "application/x-www-form-urlencoded"
ODD_TEXTS = [
    b"", b" ", b"0", b"-1", b"1e9", b"9" * 25, b"9" * 4000, b"\x00", b"\xff\xfe", b"%", b"%zz", b"%u0041",
    b"\xed\xa0\x80", "\u0663\u00b2".encode(), "\u202e\ufeff\u200b".encode(), "\U0001f0a1".encode() * 50, b"A" * 3000,
    b"nobody", b"NaN", b"../../etc/passwd", b"<script>alert(1)</script>", b"{{7*7}}", b"' OR 1=1 --", b"\t\n", b"[]",
    b"\r\nSet-Cookie: a=b", b"null", "Ana".encode("utf-16"), b"true", b"1970-01-01", b"99999-99-99", b"dompe", b"EUR",
]  # fmt: skip
ODD_AMOUNTS = ["", "\u00b2", "\u0663", "-1", "0", "99", "9" * 30, "1.5", "1e9", " ", "x", "-"]
ODD_BETS = ["check", "bet 4", "bet", "call", "raise 8", "fold", "all-in", "", " ", "bet 4 4", "BET 4"]
ODD_BETS += [f"{action} {amount}" for action in ("bet", "raise", "all-in") for amount in ODD_AMOUNTS]
ODD_BUTTONS = [
    "act-on", "act-off", "act-back", "act-check", "act-call", "act-fold", "act-all-in", "act-bet", "act-raise",
    "act-bet-", "act-raise-", "act-", "remove-", "clear-", "out-", "left-", "in-", "join-", "up-", "down-", "pay-",
    "add", "rules", "settle", "save", "next", "enter", "revoke-",
]  # fmt: skip
ODD_BODIES = [
    b"", b"\x00" * 100, b"\xff" * 1000, b"=&=&=", b"&" * 5000, b"a=" + b"b" * 70_000, b"a=1;b=2&" * 800,
    b"{", b"[" * 5000, b'{"a":' * 2000, b'{"game": NaN, "stake": 1e999}', b'"\\ud800"', b"9" * 6000, b"null",
    b'{"players": [' + b'"A",' * 9000 + b'"B"]}', b"csrf_token=%00&do=%ff",
    b'--x\r\nContent-Disposition: form-data; name="do"\r\n\r\nsettle\r\n',
]  # fmt: skip
ODD_TYPES = [
    "application/json", "text/plain", "multipart/form-data", "multipart/form-data; boundary=x", "\x7f", "a/b;" * 50,
    "application/json; charset=utf-16", f"{FORM}; charset=latin-1", "application/problem+json",
]  # fmt: skip
ODD_HEADERS = [
    ("Cookie", "session=.eJx; session=" + "x" * 3000), ("Cookie", "\xff=\xfe; =;;"), ("Host", "evil.example"),
    ("Accept-Language", "xx-" + "y" * 2000), ("Accept-Language", "es;q=zz,*;q=-1"), ("Host", "a b"),
    ("If-None-Match", 'W/"' + "z" * 2000), ("Range", "bytes=9-1,-5"), ("Accept", "application/json;q=nan"),
    ("Accept-Encoding", "br;q=x,\xff"), ("Referer", "http://["), ("X-Forwarded-For", "::::"), ("Expect", "500"),
    ("X-Forwarded-Host", "evil.example"), ("Content-Length", "-1"), ("Content-Length", "1e3"),
    ("If-Modified-Since", "yesterday"), ("Content-Encoding", "br"),
]  # fmt: skip
ODD_METHODS = ["DELETE", "PUT", "PATCH", "OPTIONS", "TRACE", "BREW", "HEAD", "get"]
MAX_BODY = 65_000  # bytes of a body; the app takes 64 kB
MAX_HEADER = 200_000
SLOWEST = 12  # routes that are told
CARDS = [card.text for card in FRENCH.pieces]
# what is repeated to the end of a field, of a body or of a header
LONG_TEXTS = [
    "9", "a\u0301\u0316", "\ufdfa", "".join(CARDS), " ".join(CARDS), "AsKs", "x ", "6-6 ", " ,", "check;", "raise 2;",
    "[{(", "\u200b", "a.",
]  # fmt: skip
LONG_FIELDS = [
    "&", "a&", "=&", "player=Ana&", "order=1&", "touched=players-0-hand&", "seat=1&", "players-0-cards=zz&",
    "do=settle&", "asked-knocker=0&", "players-{}-name=A&", "players-99999999{}-cards=As&", "name-{}=x&", "x{}&",
]  # fmt: skip
LONG_PARTS = [
    '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n\r\n', "--x\r\n", "\r\n-", "-", "--x\r\nA: b\r\n",
]  # fmt: skip
LONG_JSON = ["[", '{"a":', "9", "1.", '"\\ud800', '{"":', "[0,", '"']
LONG_HEADERS = [
    ("Cookie", ".eJx"), ("Cookie", "a=b; "), ("Accept-Language", "es;q=0.1,"), ("Accept-Encoding", "br;q=0.1,"),
    ("Accept", "text/html;level=1;q=0.5,"), ("If-None-Match", 'W/"1-",'), ("If-Modified-Since", "Mon, "),
    ("Range", "bytes=0-1,"), ("Host", "a."), ("Host", "\u00e9."), ("Referer", "http://127.0.0.1/a/../"),
    ("X-Forwarded-For", "1.1.1.1, "), ("Content-Type", "multipart/form-data; a=b; "), ("Content-Type", "a/b;"),
]  # fmt: skip


def filled(part: str, most: int) -> str:
    """Repeat a part as often as it fits into so many bytes, counted up where it has braces."""
    times = most // len(part.format(99_999).encode()) if "{}" in part else most // len(part.encode())
    return "".join(map(part.format, range(times))) if "{}" in part else part * times


@cache
def long_documents() -> list[bytes]:
    """List long rounds of every game."""
    many = [f"{number:x}" for number in range(6_000)]
    actions = [{"player": "AB"[at % 2], "action": "raise", "amount": 10 * at + 5} for at in range(1_200)]
    told = []
    for key in all_games():
        about = {"game": key, "players": ["Ana", "Beto"], "pot": int("9" * 40), "dealer": "Ana", "round": {}}
        for text in LONG_TEXTS:
            told.append(about | {"round": {"hands": {"Ana": filled(text, MAX_BODY - 999)}}})
            told.append(about | {"players": ["Ana", filled(text, MAX_BODY - 999)]})
        for name in ("hands", "paid", "dropped", "folded", "bets", "taps"):
            told += [about | {"round": {name: part}} for part in (dict.fromkeys(many, 0), [{}] * 15_000)]
        told.append(about | {"round": {"hands": {"Ana": ["As"] * 10_000}}})
        told.append(about | {"players": ["A", "B"], "dealer": "B", "round": {"bets": actions}})
        told.append(about | {"players": many[:2_400], "round": {"hands": dict.fromkeys(many[:2_400], "x")}})
        told += [about | {"players": many}, about | {"rules": dict.fromkeys(many, 0)}, about | dict.fromkeys(many, 0)]
    return [json.dumps(one, ensure_ascii=False).encode()[:MAX_BODY] for one in told]


@dataclass(frozen=True)
class Request:
    """A request, in bytes as sent."""

    method: str
    target: bytes
    fields: tuple[tuple[bytes, bytes], ...] = ()
    body: bytes | None = None
    kind: str = FORM
    headers: tuple[tuple[str, str], ...] = ()

    def wire(self, cookie: str) -> bytes:
        """Serialize the request; headers it sets itself replace the correct ones."""
        body = urlencode(self.fields).encode() if self.body is None else self.body
        usual = {"Host": "127.0.0.1", "Cookie": cookie, "Content-Type": self.kind, "Content-Length": str(len(body))}
        lines = [f"{name}: {value}" for name, value in (usual | dict(self.headers) | {"Connection": "close"}).items()]
        head = self.method.encode() + b" " + self.target + b" HTTP/1.1\r\n"
        return head + "\r\n".join([*lines, "\r\n"]).encode("latin-1") + body


@dataclass
class Answer:
    """A response; status 0 if the connection was closed, which a server may do if the request isn't valid HTTP."""

    status: int
    text: str = ""
    cookies: tuple[str, ...] = ()
    location: str = ""
    seconds: float = 0.0


@dataclass
class Phone:
    """A phone with cookies and an address."""

    port: int
    address: str = "127.0.0.1"
    cookies: dict[str, str] = field(default_factory=dict)

    def send(self, request: Request, *, is_kept: bool = True) -> Answer:
        """Send a request; if it is one of the phone's own, keep the cookies it sets."""
        cookie = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        answer = _exchanged(self.port, self.address, request.wire(cookie))
        for cookie in answer.cookies if is_kept else ():
            name, _, value = cookie.partition(";")[0].partition("=")
            self.cookies[name] = value
        return answer

    def get(self, path: str) -> Answer:
        """Open a page."""
        return self.send(Request("GET", path.encode()))

    def does(self, path: str, button: str, **fields: str | list[str]) -> str:
        """Fill in the form with this button; returns where it leads."""
        forms = reversed(forms_of(self.get(path).text))
        form = next(form for form in forms if button in (form.buttons or [""]))
        form.action = form.action or path
        form.fields |= {name: value if isinstance(value, list) else [value] for name, value in fields.items()}
        form.fields.setdefault("do", [button])
        answer = self.send(_of(form))
        assert answer.status == 303, (path, button, answer.status)
        return answer.location


def _exchanged(port: int, address: str, sent: bytes) -> Answer:
    before = time.perf_counter()
    with socket.create_connection(("127.0.0.1", port), 30, (address, 0)) as connection:
        # refused before all of it was read: the answer is there all the same
        with contextlib.suppress(ConnectionError):
            connection.sendall(sent)
        response = http.client.HTTPResponse(connection, method=sent.partition(b" ")[0].decode())
        try:
            response.begin()
            text = response.read().decode(errors="replace")
        except (ConnectionError, http.client.HTTPException):
            return Answer(0, seconds=time.perf_counter() - before)
        cookies = tuple(response.headers.get_all("Set-Cookie", []))
        location = response.headers.get("Location", "")
        return Answer(response.status, text, cookies, location, time.perf_counter() - before)


def _of(form: Form) -> Request:
    fields = tuple((name.encode(), value.encode()) for name, values in form.fields.items() for value in values)
    return Request("POST", form.action.partition("#")[0].encode(), fields)


class Group:
    """A group with a round, a plan and a waiting draft, and phones with and without access.

    Three groups share an address, because each address may make only 30 an hour, and the requests make some too.
    """

    _made = itertools.count()

    def __init__(self, port: int, names: list[str]) -> None:
        address = f"127.0.0.{1 + next(Group._made) // 3 % 250}"
        self.keeper, self.looker, self.stranger = (Phone(port, address) for _ in range(3))
        self.path = self.keeper.does("/groups/new", "make", name="Table", player=names)
        self.night = self.keeper.does(self.path, "start", game="knock-poker")
        hands = {f"players-{seat}-hand": hand for seat, hand in enumerate((HAND, "8c 8d Js 7d 4h"))}
        saved = hands | {"asked-knocker": "0"}
        self.keeper.does(f"{self.night}/round", "settle", **saved, do="save")
        self.keeper.does(f"{self.night}/settle", "")
        self.plan = re.findall(r"/plans/([\w-]+)", self.keeper.get(f"{self.night}/settle").text)[0]
        links = re.findall(r"/open/[\w-]+", self.keeper.get(f"{self.path}/settings").text)
        self.looker.get(links[-1])
        self.ids = [part.encode() for part in (self.path.rpartition("/")[2], self.night.rpartition("/")[2])]

    @property
    def is_open(self) -> bool:
        """Return whether the scorekeeper still has access; some requests renew links or delete the group."""
        return self.keeper.get(self.night).status == 200 and 'name="do"' in self.keeper.get(self.path).text


@cache
def _rules() -> list[Rule]:
    with tempfile.TemporaryDirectory() as folder:
        return list(create_app({"INSTANCE": Path(folder)}).url_map.iter_rules())


def _routes(group: Group) -> Iterator[tuple[str, Request]]:
    """Yield every route of the app once per method, with existing values for its parameters."""
    for rule in _rules():
        parts = {"public_id": group.ids["/s/" in rule.rule].decode(), "number": "1"}
        if rule.rule.startswith("/plans/"):
            parts["public_id"] = group.plan
        parts |= {"what": "group.json", "filename": "site.css"}
        for game in all_games() if "<key>" in rule.rule else [""]:
            at = {**parts, "key": game}
            path = re.sub(r"<(?:\w+:)?(\w+)>", lambda found, at=at: at.get(found[1], "x"), rule.rule)  # type: ignore[misc]
            for method in sorted((rule.methods or set()) & {"GET", "POST"}):
                yield f"{method} {rule.endpoint} {game}".rstrip(), Request(method, path.encode())


def _forms(group: Group, routes: dict[str, Request]) -> dict[str, list[Request]]:
    """Collect the forms on all pages, by the path they are posted to."""
    found: dict[str, list[Request]] = {}
    for path in _pages(group, routes):
        for action, posts in _forms_on(group.keeper, path):
            found.setdefault(action, []).extend(posts)
    return found


def _pages(group: Group, routes: dict[str, Request]) -> list[str]:
    """List the pages of all routes, and those that enter a round of each game."""
    opened = [request.target.decode() for request in routes.values() if request.method == "GET"]
    return [*opened, *(f"{group.night}/round?game={game}" for game in all_games())]


def _forms_on(phone: Phone, path: str) -> Iterator[tuple[str, list[Request]]]:
    """Yield the forms on a page: the path each is posted to, and a request for each of its buttons."""
    for form in forms_of(phone.get(path).text):
        form.action = form.action or path
        fields = _of(form).fields
        posts = [replace(_of(form), fields=(*fields, (b"do", do.encode()))) for do in form.buttons or [""]]
        yield re.split("[?#]", form.action)[0], posts


class Spoiler:
    """Adds errors to requests, reproducibly for a seed."""

    def __init__(self, seed: int, foreign: list[bytes]) -> None:
        self.random = random.Random(seed)
        self.texts = ODD_TEXTS + foreign

    def spoilt(self, request: Request) -> Request:
        """Make it long, or add one to three errors."""
        if self.random.random() < 0.3:
            return self._long(request)
        ways = [self._field, self._field, self._button, self._path, self._query, self._body, self._kind, self._header]
        ways.append(self._method)
        for way in self.random.choices(ways, k=self.random.randint(1, 3)):
            request = way(request)
        return request

    def _field(self, request: Request) -> Request:
        if not request.fields:
            return self._query(request)
        fields = list(request.fields)
        at = self.random.randrange(len(fields))
        name, value = fields[at]
        odd = self._text()
        ways = [[], [(name, odd)], [(name, value)] * 3, [(name, value), (name, odd)], [(odd, value)]]
        fields[at : at + 1] = self.random.choice(ways)
        return replace(request, fields=tuple(fields))

    def _button(self, request: Request) -> Request:
        """Press a button that may not exist, such as a betting button without bets."""
        button = self.random.choice(ODD_BUTTONS)
        pressed = {b"do": button + self.random.choice(ODD_AMOUNTS) if button.endswith("-") else button}
        if any(name == b"betting" for name, _ in request.fields) and self.random.random() < 0.8:
            bets = [self.random.choice(ODD_BETS) for _ in range(self.random.randint(0, 6))]
            pressed |= {b"betting": "yes", b"bets": ";".join(bets), b"bet_amount": self.random.choice(ODD_AMOUNTS)}
        kept = [(name, value) for name, value in request.fields if name not in pressed]
        return replace(request, fields=(*kept, *((name, text.encode()) for name, text in pressed.items())))

    def _path(self, request: Request) -> Request:
        parts = request.target.split(b"/")
        parts[self.random.randrange(1, len(parts))] = self._quoted()
        return replace(request, target=b"/".join(parts))

    def _query(self, request: Request) -> Request:
        known = [b"before", b"game", b"currency", b"player", b"since", b"banker", b"v"]
        name = self.random.choice([*known, self._quoted()])
        return replace(request, target=request.target.partition(b"?")[0] + b"?" + name + b"=" + self._quoted())

    def _body(self, request: Request) -> Request:
        return replace(request, body=self.random.choice(ODD_BODIES))

    def _kind(self, request: Request) -> Request:
        return replace(request, kind=self.random.choice(ODD_TYPES))

    def _header(self, request: Request) -> Request:
        return replace(request, headers=(*request.headers, self.random.choice(ODD_HEADERS)))

    def _method(self, request: Request) -> Request:
        return replace(request, method=self.random.choice(ODD_METHODS))

    def _long(self, request: Request) -> Request:
        """Make one part of a request as long as the app takes."""
        name, part = self.random.choice(LONG_HEADERS)
        longer = replace(request, headers=((name, filled(part, MAX_HEADER)),))
        path, text = request.target.partition(b"?")[0], self.random.choice(LONG_TEXTS)
        at = self.random.choice([b"before", b"game", b"since", b"player", b"currency", b"language", b"banker"])
        query = quote(filled(text, MAX_BODY // 9)).encode()
        longest = [longer, *(replace(request, target=path + more + query) for more in (b"?" + at + b"=", b"/"))]
        if request.method == "POST":
            longest += [replace(request, body=body) for body in self._long_bodies(request, text)] * 2
            whole = filled(self.random.choice(LONG_PARTS), MAX_BODY).encode()
            longest.append(replace(request, body=whole, kind="multipart/form-data; boundary=x"))
        if request.target.startswith(b"/api/"):
            whole = filled(self.random.choice(LONG_JSON), MAX_BODY).encode()
            document = self.random.choice([whole, *long_documents()])
            longest += [replace(request, body=document, kind="application/json")] * 3
        return self.random.choice(longest)

    def _long_bodies(self, request: Request, text: str) -> Iterator[bytes]:
        """Yield the form with one long field and with a field again and again; a key sent before repeats its answer."""
        new = {b"key": str(self.random.random()).encode()}
        fields = [(name, new.get(name, value)) for name, value in request.fields]
        if fields:
            name = self.random.choice(fields)[0]
            kept = urlencode([one for one in fields if one[0] != name]).encode()
            yield b"%s&%s=%s" % (kept, quote(name).encode(), filled(text, MAX_BODY - len(kept) - 99).encode())
        kept = urlencode(fields).encode() + b"&"
        yield kept + filled(self.random.choice(LONG_FIELDS), MAX_BODY - len(kept)).encode()

    def _text(self) -> bytes:
        return self.random.choice(self.texts)

    def _quoted(self) -> bytes:
        """Return an odd text for a URL, escaped, or raw if it fits on one line."""
        text = self._text()[:2000]
        return text if self.random.random() < 0.2 and not set(text) & set(b" \r\n\t\x00") else quote(text).encode()


def probe(port: int, requests: int, seed: int) -> dict[str, object]:
    """Send this many requests; returns the results, with an example of each kind of failure."""
    other = Group(port, [SECRET_NAME, "Beto"])
    spoiler = Spoiler(seed, other.ids)
    sent: Counter[str] = Counter()
    statuses: Counter[int] = Counter()
    wrong: dict[str, list[str]] = {"5xx": [], "slow": [], "leaked": []}
    slowest: dict[str, float] = {}
    group = None
    for at in range(requests):
        if at % 500 == 0 or (at % 50 == 0 and not group.is_open):
            group = Group(port, ["Ana", "Caro"])
            routes = dict(_routes(group))
            forms = _forms(group, routes)
        name = list(routes)[at % len(routes)]
        base = spoiler.random.choice(forms.get(routes[name].target.decode()) or [routes[name]])
        request = spoiler.spoilt(base if routes[name].method == "POST" else routes[name])
        phone = spoiler.random.choice([group.keeper] * 6 + [group.looker, group.stranger])
        answer = phone.send(request, is_kept=False)
        sent[name] += 1
        statuses[answer.status] += 1
        slowest[name] = max(slowest.get(name, 0.0), round(answer.seconds, 3))
        found = {"5xx": answer.status >= 500, "slow": answer.seconds > A_SECOND, "leaked": SECRET_NAME in answer.text}
        for fault in (fault for fault, is_so in found.items() if is_so):
            wrong[fault].append(f"{name}: {request} -> {answer.status}, {answer.seconds:.2f} s"[:1500])
    return {
        "probe": "malformed",
        "requests": requests,
        "routes": len(sent),
        "statuses": dict(sorted(statuses.items())),
        "slowest": dict(sorted(slowest.items(), key=lambda item: -item[1])[:SLOWEST]),
        **{fault: len(examples) for fault, examples in wrong.items()},
        "wrong_at": Counter(example.partition(":")[0] for examples in wrong.values() for example in examples),
        "examples": [example for examples in wrong.values() for example in examples[:2]],
    }


def main() -> int:
    """Start the app, send everything, and print the result."""
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--requests", type=int, default=20_000)
    asked.add_argument("--seed", type=int, default=1)
    asked.add_argument("--database", default="")
    options = asked.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder, "said.txt")
        settings = {"COMPANION_INSTANCE": folder, "DATABASE_URL": options.database, "PYTHONIOENCODING": "utf-8"}
        with served(COMMAND, "/healthz", log, **settings) as server:
            found = probe(server.port, options.requests, options.seed)
        written = log.read_text(errors="replace")
    found["tracebacks"] = written.count("Traceback")
    found["ok"] = not any(found[fault] for fault in ("5xx", "slow", "leaked", "tracebacks"))
    print(json.dumps(found))
    if found["tracebacks"]:
        print(written[written.index("Traceback") :][:4000], file=sys.stderr)
    return 0 if found["ok"] else 1


if __name__ == "__main__":
    sys.exit(main())
