"""Sends a running app the most expensive known requests for every route, as long as the app accepts.

python tests/probes/costly.py [--most 1.0] [--each 0] [--seed 1] [--database postgresql+psycopg://...]

Starts the app on a temporary SQLite database, or the one given, creates a group, and sends every route input that would
take long if any step were worse than linear: hands of whole decks, thousands of fields, names made of accents, nested
JSON. With `--each`, every route gets this many random ones instead of all. Prints one line of JSON with the slowest
routes; exits with 0 if no response was a 5xx or took `--most` seconds longer than a normal request to that route.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from urllib.parse import quote

from malformed import CHECKOUT, COMMAND, FORM, Group, Request, _forms, _routes, _wait_for

from companion.engine.cards import FRENCH
from companion.games import all_games

LONGEST = 65_000  # bytes of a body; the app takes 64 kB
LONGEST_HEADER = 200_000
LONGEST_LINE = 60_000
SLOWEST = 12  # routes that are told
DECK = "".join(card.text for card in FRENCH.pieces)


def filled(part: str, most: int = LONGEST - 5_000) -> str:
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
    "Cookie": [filled(part, LONGEST_HEADER) for part in (".eJx", "a=b; ", '"')],
    "Accept-Language": [filled("es;q=0.1,", LONGEST_HEADER), filled("xx-yy-zz,", LONGEST_HEADER)],
    "Accept-Encoding": [filled("br;q=0.1,", LONGEST_HEADER)],
    "Accept": [filled("text/html;level=1;q=0.5,", LONGEST_HEADER)],
    "If-None-Match": [filled('W/"1-",', LONGEST_HEADER), filled('"', LONGEST_HEADER), filled("W/", LONGEST_HEADER)],
    "If-Modified-Since": [filled("Mon, ", LONGEST_HEADER)],
    "Range": ["bytes=" + filled("0-1,", LONGEST_HEADER)],
    "Host": [filled("a.", LONGEST_HEADER), filled("\u00e9", 100_000), filled("\u00e9.", 100_000)],
    "Referer": ["http://127.0.0.1/" + filled("a/../", LONGEST_HEADER)],
    "X-Forwarded-For": [filled("1.1.1.1, ", LONGEST_HEADER)],
    "Content-Type": [f"multipart/form-data; {filled('a=b; ', LONGEST_HEADER)}", filled("a/b;", LONGEST_HEADER)],
}
COUNTED_UP = {part: "".join(map(part.format, range(LONGEST // len(part) // 2))) for part in NUMBERED}
MULTIPART = "multipart/form-data; boundary=x"


def bodies(request: Request) -> Iterator[tuple[str, Request]]:
    """Make long form bodies from a valid one."""
    for name in dict.fromkeys(name for name, _ in request.fields):
        kept = "".join(f"{quote(key)}={quote(value)}&" for key, value in request.fields if key != name)
        for what, text in TEXTS.items():
            yield f"{name.decode()}: {what}", replace(request, body=f"{kept}{quote(name)}={text}".encode()[:LONGEST])
    written = "".join(f"{quote(key)}={quote(value)}&" for key, value in request.fields)
    room = LONGEST - len(written)
    for part in REPEATED:
        yield f"{part} again and again", replace(request, body=(written + filled(part, room)).encode())
    for part, many in COUNTED_UP.items():
        yield f"{part} counted up", replace(request, body=(written + many)[:LONGEST].encode())
    part = '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n\r\n'
    for what in (part, "--x\r\n", "\r\n-", "-", f"--x\r\n{'A: b' + chr(13) + chr(10)}" + filled("a: b\r\n", 20_000)):
        yield f"parts {what[:20]!r}", replace(request, body=filled(what, LONGEST).encode(), kind=MULTIPART)


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


def requests_to(route: Request, forms: list[Request]) -> Iterator[tuple[str, Request]]:
    """Yield requests to a route, each with a label."""
    for name, values in HEADERS.items():
        for at, value in enumerate(values):
            yield f"{name} {at}", replace(route, headers=((name, value),))
    path = route.target.partition(b"?")[0]
    for part in (b"a&", b"player=9&", b"%C3%A9=&", b"currency=EUR&"):
        yield f"?{part.decode()} again and again", replace(route, target=path + b"?" + filled(part.decode()).encode())
    for name in (b"before", b"game", b"since", b"player", b"currency", b"language", b"banker"):
        for what in ("digits", "accents"):
            text = QUOTED[what][:LONGEST_LINE].rpartition("%" if what == "accents" else "x")[0] or TEXTS[what]
            yield f"?{name.decode()}: {what}", replace(route, target=path + b"?" + name + b"=" + text.encode())
    yield "path of digits", replace(route, target=path.rpartition(b"/")[0] + b"/" + filled("9").encode())
    yield "numbers of digits", replace(route, target=path.replace(b"/1", b"/" + b"9" * 5_000))
    yield "long path", replace(route, target=path + b"/" + filled("a/").encode())
    if route.method != "POST":
        return
    if route.target.startswith(b"/api/"):
        for what, text in documents():
            yield what, replace(route, body=text.encode()[:LONGEST], kind="application/json")
    for form in forms or [replace(route, fields=((b"do", b"settle"), (b"key", b"x")))]:
        yield from bodies(replace(form, kind=FORM))


def probe(port: int, each: int, seed: int, most: float) -> dict[str, object]:
    """Send everything; returns the slowest response of each route, and what was too slow or an error of the app."""
    chance, told = random.Random(seed), []
    group = Group(port, ["Ana", "Caro"])
    routes = dict(_routes(group))
    forms = _forms(group, routes)
    slowest: dict[str, tuple[float, str]] = {}
    sent = 0
    for name, route in routes.items():
        posted = forms.get(route.target.decode(), []) if route.method == "POST" else []
        known = list(requests_to(route, posted))
        usual = group.keeper.send((posted or [route])[0], is_kept=False).seconds
        for what, request in chance.sample(known, min(each, len(known))) if each else known:
            if not group.is_open:
                group = Group(port, ["Ana", "Caro"])
                request = _moved(request, routes[name], dict(_routes(group))[name])
            answer = group.keeper.send(request, is_kept=False)
            sent += 1
            slowest[name] = max(slowest.get(name, (0.0, "")), (round(answer.seconds, 3), what))
            if answer.status >= 500 or answer.seconds - usual > most:
                told.append(f"{name}, {what}: {answer.status} after {answer.seconds:.2f} s")
    order = sorted(slowest, key=lambda name: slowest[name], reverse=True)
    return {
        "probe": "costly",
        "requests": sent,
        "routes": len(slowest),
        "max_ms": round(1000 * max(seconds for seconds, _ in slowest.values())),
        "slowest": {name: slowest[name] for name in order[:SLOWEST]},
        "wrong": told[:20],
        "ok": not told,
    }


def _moved(request: Request, before: Request, now: Request) -> Request:
    """Redirect a request for a deleted group to another group."""
    return replace(request, target=request.target.replace(before.target, now.target))


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
