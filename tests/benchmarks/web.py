"""Benchmarks the app's pages over HTTP against the bare app and ihatemoney, each in its own process."""

from __future__ import annotations

import http.client
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import count, cycle
from pathlib import Path
from random import Random
from statistics import median
from time import perf_counter
from urllib.parse import urlencode

from probes.forms import form_with
from sqlalchemy.exc import SQLAlchemyError
from years import GAMES, NAMES, make_years, random_round

from companion import create_app
from companion.store.groups import groups
from companion.store.models import db
from companion.store.portable import export_group

from . import long_waits, peers
from .peers import Request
from .polls import asks, polls, states
from .race import no_collection
from .serving import COMMAND, Answer, Client, Server, served

SECRET = "secret-of-the-link-of-the-benchmark"
CLIENTS = 8
HANDS = ("9s 9h 9d 4c 4d", "8c 8d Js 7d 4h", "Ah Kh 8h 5h 3h", "Ks Qd 9c 7h 2s", "Qh Jh Th 6c 2d")
_MAX_BYTES_OF_A_TAP = 300
_keys = count()


@dataclass(frozen=True)
class Pace:
    """One of our requests against a peer's, and the ratio it may take; without a request, the peer is missing."""

    what: str
    ours: Request
    name: str
    peer: Request | None
    at_most: float


@dataclass(frozen=True)
class Ours:
    """The app with a history: its group, that group's last night, and new nights, each of a separate group."""

    server: Server
    group: str
    night: str
    nights: list[str]
    file: bytes  # the group's export

    def client(self, secret: str = SECRET) -> Client:
        client = self.server.client()
        assert client.get(f"/open/{secret}").status == 303
        return client

    def saves(self, table: int) -> Request:
        """Return a function that saves the next round of a new night with its form."""
        return saves(self.client_of(table), self.nights[table])

    def client_of(self, table: int) -> Client:
        """Return a phone that has opened one of the new nights."""
        return self.client(f"{SECRET}-{table}")


def ours(stack: ExitStack, folder: Path, nights: int, rounds: int) -> Ours:
    """Create a history in a folder, and serve it."""
    app = create_app({"INSTANCE": folder})
    with app.app_context():
        group = make_years(SECRET, nights, rounds, seed=rounds)
        night = groups.last_night(group)
        assert night is not None
        found = f"/g/{group.public_id}", f"/s/{night.public_id}"
        file = export_group(group.public_id)
        nights = [_new_night(f"{SECRET}-{at}") for at in range(CLIENTS + 2)]
        db.session.remove()
        db.engine.dispose()
    return Ours(stack.enter_context(served(COMMAND, COMPANION_INSTANCE=str(folder))), *found, nights, file)


def _new_night(secret: str) -> str:
    group = groups.make_group("A table", NAMES, secret)
    night = groups.start_night(group, [player.id for player in group.players[:5]], "knock-poker", {}, secret)
    return f"/s/{night.public_id}"


def saves(client: Client, night: str) -> Request:
    form = form_with(client.get(f"{night}/round").text, "settle")
    fields: dict[str, object] = {**form.fields, **dict(zip(form.named("-hand"), HANDS, strict=True))}
    fields |= {"asked-knocker": "0", "do": "save"}
    numbers = count(1)

    def save() -> Answer:
        answer = client.post(form.action, {**fields, "number": next(numbers), "key": f"key {next(_keys)}"})
        assert answer.status == 303, answer.status
        return answer

    return save


def taps(client: Client, night: str) -> Request:
    """Return a function that enters a hand of the next round, always another one."""
    fields = form_with(client.get(f"{night}/round").text, "settle").fields
    change = {name: fields[name] for name in ("key", "number", "game")} | {"seats": ".".join(fields["seat"])}
    headers = {"Accept": "application/json", "X-CSRFToken": fields["csrf_token"][0]}
    headers["Content-Type"] = "application/x-www-form-urlencoded"
    hands = cycle(HANDS)

    def tap() -> Answer:
        body = urlencode({**change, "players-0-hand": next(hands)}, doseq=True)
        assert len(body) < _MAX_BYTES_OF_A_TAP, body
        answer = client.ask("POST", f"{night}/draft", body, headers)
        assert answer.status == 200, answer.text
        return answer

    return tap


def settles(client: Client, game: str) -> Request:
    """Return a function that settles a round over the API, with five players or as many as the game allows."""
    players = ["Ana", "Beto", "Caro", "Dani", "Eva"][: 4 if game == "domino-poker" else 5]
    body = json.dumps(random_round(Random(game), game, players))

    def settle() -> Answer:
        answer = client.ask("POST", "/api/settle", body, {"Content-Type": "application/json"})
        assert answer.status == 200, answer.text
        return answer

    return settle


def paces(short: Ours, long: Ours, bare: Server, other: Request | None) -> Iterator[Pace]:
    """Pair our requests with the peers'; `other` is how ihatemoney adds a bill."""
    few, many, peer = short.client(), long.client(), bare.client()
    lists, home, save = asks(peer, "/list"), asks(peer, "/"), short.saves(CLIENTS)
    yield Pace("save a round", save, "bare insert", peers.bare_adds(peer), 1.9)
    yield Pace("save a round", save, "ihatemoney's add", other, 0.4)
    tap = taps(short.client_of(CLIENTS + 1), short.nights[CLIENTS + 1])
    yield Pace("a tap, of less than 300 bytes", tap, "bare smallest write", peers.bare_notes(peer), 1.5)
    pages = {"group": ("group", ""), "night": ("night", ""), "settle up a night": ("night", "/settle")}
    pages["settle up a group"] = ("group", "/settle")
    for what, (place, rest) in pages.items():
        page = asks(few, getattr(short, place) + rest)
        yield Pace(what, page, "bare list of twenty", lists, 2.5)
        yield Pace(f"{what}, long history", asks(many, getattr(long, place) + rest), "ours, short history", page, 1.2)
    yield Pace("poll that finds nothing new", polls(few, short.night), "bare smallest page", home, 1.1)
    yield Pace("state that finds nothing new", states(few, short.night), "bare smallest page", home, 1.1)
    for game in GAMES:
        yield Pace(f"POST /api/settle, {game}", settles(few, game), "bare echo", settles(peer, game), 3)


def compare(paces: Sequence[Pace], number: int, repetitions: int) -> Iterator[str]:
    """Send each request this often, in turn, and yield the lines of a Markdown table; times in milliseconds."""
    random = Random(repetitions)
    found: dict[int, list[tuple[float, float]]] = {id(pace): [] for pace in paces}
    for pace in paces:  # to warm up
        _ = [request() for request in (pace.ours, pace.peer) if request for _ in range(3)]
    for _ in range(repetitions):
        for pace in random.sample(paces, len(paces)):
            if pace.peer:
                found[id(pace)].append(_medians(pace.ours, pace.peer, number))
    yield "| what | ours, ms | peer | its ms | times as long (lowest to highest) | at most |"
    yield "|---|---|---|---|---|---|"
    for pace in paces:
        yield _line(pace, found[id(pace)])


def _medians(one: Request, other: Request, number: int) -> tuple[float, float]:
    times: tuple[list[float], list[float]] = [], []
    with no_collection():
        for _ in range(number):
            times[0].append(one().seconds)
            times[1].append(other().seconds)
    return 1000 * median(times[0]), 1000 * median(times[1])


def _line(pace: Pace, found: Sequence[tuple[float, float]]) -> str:
    if not found:
        return f"| {pace.what} | | {pace.name} | not installed | | {pace.at_most:g} |"
    mine, theirs = (median(side) for side in zip(*found, strict=True))
    told = _told([one / other for one, other in found], pace.at_most)
    return f"| {pace.what} | {mine:.2f} | {pace.name} | {theirs:.2f} | {told} | {pace.at_most:g} |"


def _told(found: Sequence[float], at_most: float | None = None, at_least: float = 0) -> str:
    middle = median(found)
    missed = " (missed)" if (at_most is not None and middle > at_most) or middle < at_least else ""
    return f"{middle:.2f} ({min(found):.2f} to {max(found):.2f}){missed}"


def crowd(requests: Sequence[Request], number: int) -> tuple[list[float], float]:
    """Let clients send requests concurrently; returns all times, and how many responses there were per second."""

    def ask(request: Request) -> list[float]:
        return [request().seconds for _ in range(number)]

    with no_collection(), ThreadPoolExecutor(len(requests)) as pool:
        began = perf_counter()
        times = [seconds for of_one in pool.map(ask, requests) for seconds in of_one]
        took = perf_counter() - began
    return times, len(times) / took


def slowest(times: Sequence[float]) -> float:
    """Return the 99th percentile."""
    return sorted(times)[len(times) * 99 // 100]


def crowds(ours: Sequence[Request], others: Sequence[Request], number: int, repetitions: int) -> Iterator[str]:
    """Let eight phones save at once, each in its own night, and yield lines of a table; any error ends it."""
    waits, ratios = [], []
    for _ in range(repetitions):
        alone, _ = crowd(ours[:1], number)
        times, rate = crowd(ours, number)
        waits.append(slowest(times) / median(alone))
        if others:
            ratios.append(rate / crowd(others, number)[1])
    told = _told(ratios, at_least=3) if ratios else "not installed"
    yield f"| eight save at once, 99th percentile, times one save alone; no error | {_told(waits, 7)} | 7 at most |"
    yield f"| eight save at once, times the rate of ihatemoney | {told} | 3 at least |"


def tables(number: int, repetitions: int, long: tuple[int, int], folder: Path) -> Iterator[str]:
    """Yield the lines of two tables; `long` is how many nights and rounds the long history has.

    What can't be measured, for example because a server answers too late, is a line as well; the others follow.
    """
    with ExitStack() as stack:
        for name in ("short", "long"):
            (folder / name).mkdir()
        few, many = ours(stack, folder / "short", 1, 10), ours(stack, folder / "long", *long)
        bare = stack.enter_context(peers.bare(folder))
        other = stack.enter_context(peers.ihatemoney(folder)) if peers.is_installed() else None
        bills = [peers.ihatemoney_adds(other.client(), folder, f"project{at}") for at in range(CLIENTS + 1) if other]
        rounds = [few.saves(table) for table in range(CLIENTS)]
        paced = paces(few, many, bare, bills[-1] if bills else None)
        yield from whatever("pages", lambda: compare(list(paced), number, repetitions))
        yield from ("", "| what | (lowest to highest) | to keep |", "|---|---|---|")
        yield from whatever("eight save at once", lambda: crowds(rounds, bills[:CLIENTS], number, repetitions))
        for what, server in (("short", few.server), ("long", many.server)):
            yield f"| memory with a {what} history, MB | {_told([server.megabytes()], 90)} | 90 at most |"
        yield from whatever("correction", lambda: [long_waits.correction(folder / "corrected", min(500, long[1]))])
        yield from whatever("import", lambda: [long_waits.import_alone(folder / "imported", many.file, long[1])])
        yield from whatever("saves beside an import", lambda: [_beside(few, many, rounds, min(repetitions, 5))])
        yield from whatever("starts", lambda: _starts(folder, min(repetitions, 5)))


def whatever(what: str, measure: Callable[[], Iterable[str]]) -> Iterator[str]:
    """Yield the lines of what is measured, and if that ends early, a line that tells why."""
    try:
        yield from measure()
    except (OSError, http.client.HTTPException, SQLAlchemyError, AssertionError) as error:
        yield f"| {what}: not measured | {type(error).__name__} {str(error)[:80]} | |"


def _beside(few: Ours, many: Ours, rounds: Sequence[Request], repetitions: int) -> str:
    alone = [seconds for _ in range(repetitions) for seconds in crowd(rounds, 10)[0]]
    beside = long_waits.import_beside(few.server.client(), many.file, rounds, crowd)
    times = f"{slowest(beside) / slowest(alone):.1f}"
    return f"| eight save beside an import, 99th percentile, times theirs without it | {times} | 3 at most |"


def _starts(folder: Path, repetitions: int) -> Iterator[str]:
    at_start: list[float] = []
    started = [(_start(folder / "short", at_start), _bare_start(folder)) for _ in range(repetitions)]
    yield f"| start to first answer, seconds | {_told([own for own, _ in started], 0.8)} | 0.8 at most |"
    times = _told([own / other for own, other in started], 1.5)
    yield f"| start to first answer, times as long as the bare app | {times} | 1.5 at most |"
    yield f"| memory at the first answer, MB | {_told(at_start, 75)} | 75 at most |"


def _start(folder: Path, memory: list[float]) -> float:
    """Return how many seconds a start takes until the first answer, and note the memory used by then in megabytes."""
    with served(COMMAND, COMPANION_INSTANCE=str(folder)) as server:
        memory.append(server.megabytes())
        return server.started


def _bare_start(folder: Path) -> float:
    with peers.bare(folder) as server:
        return server.started
