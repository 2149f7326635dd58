"""Sends a running app the most expensive known requests for every route, as long as the app accepts.

python tests/probes/costly.py [--most 1.0] [--each 0] [--seed 1] [--database postgresql+psycopg://...]

Starts the app on a temporary SQLite database, or the one given, creates a group, and sends every route input that would
take long if any step were worse than linear: hands of whole decks, thousands of fields, names made of accents, nested
JSON. That is some 21,000 requests; with `--each`, each route gets only this many random ones. Prints one line of JSON
with the slowest routes; exits with 0 if no response was a 5xx or took `--most` seconds longer than a normal request to
that route.
"""

from __future__ import annotations

import argparse
import itertools
import json
import os
import random
import re
import secrets
import socket
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from urllib.parse import quote

from malformed import CHECKOUT, COMMAND, FORM, Answer, Group, Request, _forms_on, _pages, _routes, _wait_for

from companion.engine.cards import FRENCH
from companion.games import all_games

MAX_BODY = 65_000  # bytes of a body; the app takes 64 kB
MAX_HEADER = 200_000
MAX_LINE = 60_000
SLOWEST = 12  # routes that are told
ENDS = ["POST groups.renew", "POST session.close", "POST delete_group.delete"]
DECK = "".join(card.text for card in FRENCH.pieces)


def filled(part: str, most: int = MAX_BODY - 5_000) -> str:
    """Repeat a part as often as it fits."""
    return part * (most // len(part.encode()))


TEXTS = {
    "digits": filled("9"),
    "accents": "a" + filled("\u0301\u0316"),
    "ligatures": filled("\ufdfa"),
    "deck": DECK,
    "decks": filled(DECK),
    "decks with gaps": filled(" ".join(card.text for card in FRENCH.pieces) + " "),
    "misspelt deck": filled("AsKs") + "x",
    "no cards": filled("x "),
    "tiles": filled("6-6 "),
    "gaps": filled(" ,"),
    "checks": filled("check;"),
    "raises": ";".join(f"raise {number}" for number in range(2, 6_000, 2)),
    "brackets": filled("[{("),
    "invisible": filled("\u200b"),
    "dots": filled("a."),
}
# these and the documents are made once, because to make them takes longer than the app takes to refuse them
QUOTED = {what: quote(text) for what, text in TEXTS.items()}
REPEATED = [
    "&", "a&", "=&", "player=&", "player=Ana&", "order=1&", "touched=players-0-hand&", "seat=1&", "players-0-cards=zz&",
    "players-0-cards=As&", "do=settle&", "asked-knocker=0&", "currency=EUR&",
]  # fmt: skip
NUMBERED = ["players-{}-name=A&", "players-{}-hand=As&", "players-99999999{}-cards=As&", "name-{}=x&", "x{}&"]
HEADERS = {
    "Cookie": [filled(part, MAX_HEADER) for part in (".eJx", "a=b; ", '"')],
    "Accept-Language": [filled("es;q=0.1,", MAX_HEADER), filled("xx-yy-zz,", MAX_HEADER)],
    "Accept-Encoding": [filled("br;q=0.1,", MAX_HEADER)],
    "Accept": [filled("text/html;level=1;q=0.5,", MAX_HEADER)],
    "If-None-Match": [filled('W/"1-",', MAX_HEADER), filled('"', MAX_HEADER), filled("W/", MAX_HEADER)],
    "If-Modified-Since": [filled("Mon, ", MAX_HEADER)],
    "Range": ["bytes=" + filled("0-1,", MAX_HEADER)],
    "Host": [filled("a.", MAX_HEADER), filled("\u00e9", 100_000), filled("\u00e9.", 100_000)],
    "Referer": ["http://127.0.0.1/" + filled("a/../", MAX_HEADER)],
    "X-Forwarded-For": [filled("1.1.1.1, ", MAX_HEADER)],
    "Content-Type": [f"multipart/form-data; {filled('a=b; ', MAX_HEADER)}", filled("a/b;", MAX_HEADER)],
}
COUNTED_UP = {part: "".join(map(part.format, range(MAX_BODY // len(part) // 2))) for part in NUMBERED}
MULTIPART = "multipart/form-data; boundary=x"


class Form:
    """A form on a page, as a request for each of its buttons; reloaded when it has changed something."""

    def __init__(self, page: str, posts: list[Request]) -> None:
        self.page, self.posts = page, posts
        self.names = list(dict.fromkeys(name for name, _ in posts[0].fields))
        settling = [at for at, post in enumerate(posts) if (b"do", b"settle") in post.fields][:1]
        self.turns = itertools.cycle([button for at in range(len(posts)) for button in (*settling, at)])

    def next(self) -> Request:
        """Return it as sent with the next button; every other time with the one that settles the round, if any."""
        return self.posts[next(self.turns)]

    @property
    def kind(self) -> tuple[object, ...]:
        """What it has in common with forms that do the same, such as one for each player."""
        return *sorted(self.names), *(value for name, value in self.posts[0].fields if name == b"game")

    def reload(self, group: Group, path: str) -> None:
        """Fetch it again, because a form that was sent once is out of date; one that is gone stays as it was."""
        for action, posts in _forms_on(group.keeper, self.page):
            now = Form(self.page, posts)
            if action == path and now.kind == self.kind and len(posts) == len(self.posts):
                self.posts = posts
                return


def bodies(form: Form) -> Iterator[tuple[str, Request]]:
    """Make long form bodies from a form."""
    for name in form.names:
        for what, text in TEXTS.items():
            post = form.next()
            kept = written((key, value) for key, value in post.fields if key != name)
            body = f"{kept}{quote(name)}={text}".encode()[:MAX_BODY]
            yield f"{name.decode()}: {what}", replace(post, body=body, kind=FORM)
    for part in REPEATED:
        post = form.next()
        kept = written(post.fields)
        body = kept + filled(part, MAX_BODY - len(kept))
        yield f"{part} again and again", replace(post, body=body.encode(), kind=FORM)
    for part, many in COUNTED_UP.items():
        post = form.next()
        yield f"{part} counted up", replace(post, body=(written(post.fields) + many)[:MAX_BODY].encode(), kind=FORM)
    part = '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n\r\n'
    for what in (part, "--x\r\n", "\r\n-", "-", f"--x\r\n{'A: b' + chr(13) + chr(10)}" + filled("a: b\r\n", 20_000)):
        yield f"parts {what[:20]!r}", replace(form.posts[0], body=filled(what, MAX_BODY).encode(), kind=MULTIPART)


def written(fields: Iterable[tuple[bytes, bytes]]) -> str:
    """Write a body with a key of its own, because a key sent before only repeats the answer to it."""
    new = {b"key": secrets.token_urlsafe(12).encode()}
    return "".join(f"{quote(name)}={quote(new.get(name, value))}&" for name, value in fields)


@cache
def documents() -> tuple[tuple[str, str], ...]:
    """Return long JSON bodies: some expensive to parse, others rounds with long parts."""
    return tuple(_documents())


def _documents() -> Iterator[tuple[str, str]]:
    for what in ("[", '{"a":', "9", "1.", '"\\ud800', '{"":', "[0,", '"'):
        yield f"{what} again and again", filled(what)
    many = [f"{number:x}" for number in range(6_000)]
    hands = {"Ana": [card.text for card in FRENCH.pieces], "Beto": DECK}
    actions = [
        {"player": "AB"[at % 2], "action": "raise", "amount": 10 * at + 5} for at in range(1_200)
    ]  # the ante is not told, so that they go on until the first is refused
    for key in all_games():
        about = {"game": key, "players": ["Ana", "Beto"], "pot": int("9" * 40), "dealer": "Ana"}
        yield f"{key}: decks", json.dumps({**about, "pot": 0, "round": {"hands": hands}})
        for what, text in TEXTS.items():
            yield f"{key}: hand of {what}", json.dumps({**about, "round": {"hands": {"Ana": text}}}, ensure_ascii=False)
            yield f"{key}: named {what}", json.dumps({**about, "players": ["Ana", text]}, ensure_ascii=False)
        yield f"{key}: hand of no cards", json.dumps({**about, "round": {"hands": {"Ana": ["x"] * 12_000}}})
        yield f"{key}: many cards", json.dumps({**about, "round": {"hands": {"Ana": ["As"] * 10_000}}})
        for name in ("hands", "paid", "dropped", "folded", "bets", "taps"):
            yield f"{key}: {name} of many", json.dumps({**about, "round": {name: dict.fromkeys(many, 0)}})
            yield f"{key}: {name} listed", json.dumps({**about, "round": {name: [{}] * 15_000}})
        yield f"{key}: bets", json.dumps({**about, "players": ["A", "B"], "dealer": "B", "round": {"bets": actions}})
        yield f"{key}: many players", json.dumps({**about, "players": many, "round": {}})
        theirs = {"game": key, "players": many[:2_400], "round": {"hands": dict.fromkeys(many[:2_400], "x")}}
        yield f"{key}: players with hands", json.dumps(theirs)
        yield f"{key}: rules", json.dumps({**about, "rules": dict.fromkeys(many, 0), "round": {}})
        yield f"{key}: unknown keys", json.dumps({**about, **dict.fromkeys(many, 0)})


def requests_to(route: Request, forms: list[Form]) -> Iterator[tuple[str, Request, Form | None]]:
    """Yield requests to a route, each with a label and the form that it came from."""
    for what, request in targets_and_headers(route):
        yield what, request, None
    if route.method != "POST":
        return
    if route.target.startswith(b"/api/"):
        for what, text in documents():
            yield what, replace(route, body=text.encode()[:MAX_BODY], kind="application/json"), None
    unseen = Form("", [replace(route, fields=((b"do", b"settle"), (b"key", b"x")))])
    for form in forms or [unseen]:
        for what, request in bodies(form):
            yield what, request, form


def targets_and_headers(route: Request) -> Iterator[tuple[str, Request]]:
    """Yield requests to a route with a long header or a long target."""
    for name, values in HEADERS.items():
        for at, value in enumerate(values):
            yield f"{name} {at}", replace(route, headers=((name, value),))
    path = route.target.partition(b"?")[0]
    for part in (b"a&", b"player=9&", b"%C3%A9=&", b"currency=EUR&"):
        yield f"?{part.decode()} again and again", replace(route, target=path + b"?" + filled(part.decode()).encode())
    for name in (b"before", b"game", b"since", b"player", b"currency", b"language", b"banker"):
        for what in ("digits", "accents"):
            text = QUOTED[what][:MAX_LINE].rpartition("%" if what == "accents" else "x")[0] or TEXTS[what]
            yield f"?{name.decode()}: {what}", replace(route, target=path + b"?" + name + b"=" + text.encode())
    yield "path of digits", replace(route, target=path.rpartition(b"/")[0] + b"/" + filled("9").encode())
    yield "numbers of digits", replace(route, target=path.replace(b"/1", b"/" + b"9" * 5_000))
    yield "long path", replace(route, target=path + b"/" + filled("a/").encode())


class Probe:
    """A group with its routes and forms; another one if a request has deleted it or taken the phone's access."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.moves = 0
        self.begin()
        self.pages: dict[str, list[str]] = {}  # those with a form for a path
        for page in _pages(self.group, self.routes):
            for action in dict(_forms_on(self.group.keeper, page)):
                self.pages.setdefault(action, []).append(page)

    def begin(self) -> None:
        """Create a group."""
        self.group = Group(self.port, ["Ana", "Caro"])
        self.routes = dict(_routes(self.group))
        self.move()

    def begin_again(self, page: str) -> str:
        """Create another group; returns a page's path in it."""
        old = self.group
        self.begin()
        new = {old.path: self.group.path, old.night: self.group.night, old.plan: self.group.plan}

        def moved(path: str) -> str:
            return re.sub("|".join(map(re.escape, new)), lambda found: new[found[0]], path)

        self.pages = {moved(action): [moved(page) for page in pages] for action, pages in self.pages.items()}
        return moved(page)

    def move(self) -> None:
        """Give the phone a new address, because one address may do only so much in an hour."""
        self.moves += 1
        self.group.keeper.address = f"127.1.{self.moves // 250}.{1 + self.moves % 250}"

    def forms(self, path: str) -> list[Form]:
        """Return the forms posted to a path as they are now, one of each kind; scripts post the form of a round."""
        above, _, script = path.rpartition("/")
        if script in ("live", "draft"):
            above += "/correct" if "/lines/" in above else "/round" if script == "draft" else ""
            return [Form("", [replace(form.posts[0], target=path.encode())]) for form in self.forms(above)]
        found: dict[object, Form] = {}
        for page in self.pages.get(path, []):
            for form in (Form(page, posts) for action, posts in _forms_on(self.group.keeper, page) if action == path):
                found.setdefault(form.kind, form)
        return list(found.values())

    def send(self, name: str, request: Request, form: Form | None) -> Answer:
        """Send a request to a route, and keep its form up to date."""
        answer = self.group.keeper.send(request, is_kept=False)
        if answer.status == 429:
            self.move()
        if form and form.page and answer.status == 303:
            if not self.group.is_open:
                form.page = self.begin_again(form.page)
            form.reload(self.group, self.routes[name].target.decode())
        return answer


def probe(port: int, each: int, seed: int, most: float) -> dict[str, object]:
    """Send everything; returns the slowest response of each route, and what was too slow or an error of the app."""
    chance, told, began = random.Random(seed), [], time.perf_counter()
    slowest: dict[str, tuple[float, str]] = {}
    statuses: Counter[int] = Counter()
    app = Probe(port)
    # what closes the night, renews the links or deletes the group comes last
    for name in [*(name for name in app.routes if name not in ENDS), *ENDS]:
        route = app.routes[name]
        forms = app.forms(route.target.decode()) if route.method == "POST" else []
        many = sum(1 for _ in requests_to(route, forms)) if each else 0
        chosen = set(chance.sample(range(many), min(each, many)))
        usual = app.send(name, forms[0].posts[0] if forms else route, forms[0] if forms else None).seconds
        for at, (what, request, form) in enumerate(requests_to(route, forms)):
            if each and at not in chosen:
                continue
            answer = app.send(name, request, form)
            statuses[answer.status] += 1
            slowest[name] = max(slowest.get(name, (0.0, "")), (round(answer.seconds, 3), what))
            if answer.status >= 500 or answer.seconds - usual > most:
                told.append(f"{name}, {what}: {answer.status} after {answer.seconds:.2f} s")
    order = sorted(slowest, key=lambda name: slowest[name], reverse=True)
    return {
        "probe": "costly",
        "requests": statuses.total(),
        "routes": len(slowest),
        "statuses": dict(sorted(statuses.items())),
        "seconds": round(time.perf_counter() - began),
        "max_ms": round(1000 * max(seconds for seconds, _ in slowest.values())),
        "slowest": {name: slowest[name] for name in order[:SLOWEST]},
        "wrong": told[:20],
        "ok": not told,
    }


def main() -> int:
    """Start the app, send everything, and print the result."""
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--most", type=float, default=1.0)
    asked.add_argument("--each", type=int, default=0)
    asked.add_argument("--seed", type=int, default=1)
    asked.add_argument("--database", default="")
    options = asked.parse_args()
    with tempfile.TemporaryDirectory() as folder, socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
        free.close()
        environment = os.environ | {"COMPANION_INSTANCE": folder, "PYTHONIOENCODING": "utf-8"}
        environment |= {"DATABASE_URL": options.database} if options.database else {}
        with Path(folder, "said.txt").open("wb") as log:
            server = subprocess.Popen([*COMMAND, str(port)], cwd=CHECKOUT, env=environment, stdout=log, stderr=log)
        try:
            _wait_for(port)
            found = probe(port, options.each, options.seed, options.most)
        finally:
            server.terminate()
            server.wait(10)
    print(json.dumps(found))
    return 0 if found["ok"] else 1


if __name__ == "__main__":
    sys.exit(main())
