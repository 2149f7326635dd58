"""Phones at many tables, in one process: they poll, tap and save as the pages' scripts do (static/scripts/pace.js).

Every request has a connection of its own, as nginx opens one to gunicorn. The phones of a house have the same address,
as behind one router.
"""

from __future__ import annotations

import asyncio
import gzip
import json
import re
import secrets
import time
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import urlencode

NAMES = ("Ana", "Beto", "Caro", "Dani")
HANDS = ("9s 9h 9d 4c 4d", "Ah Kh 8h 5h 3h", "8c 8d Js 7d 4h", "2s 2h 6d Tc Qd")
CARDS = 5
KNOCK = CARDS * len(HANDS)  # the tap that says who knocked
SAVE = KNOCK + 1
READING = 3.0  # seconds that a result is looked at
LATE = 1.0  # seconds; a request that is made later than this was not made when the phone wanted to
PATIENCE = 30.0  # seconds
_SCRIPT = Path(__file__).parents[2] / "static" / "scripts" / "pace.js"
PACE = {
    name: int(number.replace("_", "")) / 1000
    for name, number in re.findall(r"const ([A-Z]+) = ([\d_]+)", _SCRIPT.read_text())
}


def delay(quiet: float, took: float) -> float:
    """Tell how long a page waits before it asks again, in seconds.

    Nothing has happened for `quiet` seconds, and the last answer took some.
    """
    pace = PACE["FAST"] if quiet < PACE["LIVELY"] else PACE["STEADY"] if quiet < PACE["BREAK"] else PACE["SLOW"]
    return max(pace, min((1000 * PACE["SHARE"] - 1) * took, PACE["CLOSED"]))


def counted(errors: Mapping[str, int]) -> str:
    """Write down errors with their numbers, for a column of a report."""
    return ", ".join(f"{number} {what}" for what, number in errors.items()) or "none"


@dataclass
class Measured:
    """What was measured: seconds by kind of request, how many got which status (0: no answer), late requests."""

    seconds: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    statuses: Counter[tuple[str, int]] = field(default_factory=Counter)
    late: int = 0
    retried: int = 0
    unanswered: int = 0  # when measuring ended
    polls_wanted: float = 0.0  # how many polls the pace would make if every answer came at once

    @property
    def errors(self) -> dict[str, int]:
        """Count the answers that no phone should get."""
        wrong = ((kind, status) for kind, status in self.statuses if status not in (200, 201, 204, 304))
        return {f"{kind} {status or 'no answer'}": self.statuses[kind, status] for kind, status in sorted(wrong)}

    def quantile(self, kind: str, share: float) -> float | None:
        """Give a quantile of the times of a kind of request, in milliseconds."""
        times = sorted(self.seconds[kind])
        return 1000 * times[min(int(len(times) * share), len(times) - 1)] if times else None

    def answered(self, *kinds: str) -> int:
        return sum(len(self.seconds[kind]) for kind in kinds)


@dataclass(frozen=True)
class Reply:
    """An answer; status 0 where none came."""

    status: int
    body: bytes = b""
    news: str | None = None  # the address at which to ask whether anything is new

    def json(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.body)
        return found


@dataclass(frozen=True)
class Seating:
    """A table: its night, version and players, and each phone's device, cookie and token, the scorekeeper's first."""

    night: str
    version: int
    players: Sequence[str]
    devices: Sequence[str]
    cookies: Sequence[str]
    tokens: Sequence[str]


class _Exchange(asyncio.Protocol):
    """One request and its answer; the server ends the connection."""

    def __init__(self, request: bytes) -> None:
        self._request, self._parts = request, list[bytes]()
        self.answer: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()

    def connection_made(self, transport: Any) -> None:
        transport.write(self._request)

    def data_received(self, data: bytes) -> None:
        self._parts.append(data)

    def connection_lost(self, _error: Exception | None) -> None:
        if not self.answer.done():
            self.answer.set_result(b"".join(self._parts))


async def exchange(port: int, request: bytes, house: str) -> Reply:
    """Send a request on a new connection from an address of this computer, 127.x.y.z.

    Raises OSError if the server ends it without a whole answer.
    """
    async with asyncio.timeout(PATIENCE):
        protocol = _Exchange(request)
        transport, _ = await asyncio.get_running_loop().create_connection(
            lambda: protocol, "127.0.0.1", port, local_addr=(house, 0)
        )
        try:
            raw = await protocol.answer
        finally:
            transport.close()
    head, _, body = raw.partition(b"\r\n\r\n")
    length = re.search(rb"(?i)\r\ncontent-length: *(\d+)", head)
    if not head.startswith(b"HTTP/1.1 ") or (length and int(length[1]) != len(body)):
        raise ConnectionResetError
    is_packed = b"gzip" in head.lower()
    news = re.search(rb"(?i)\r\ncompanion-news: *(\S+)", head)
    unpacked = gzip.decompress(body) if is_packed and body else body
    return Reply(int(head[9:12]), unpacked, news[1].decode() if news else None)


class Hosts:
    """The hosts that serve the tables. Where there are several, each request goes to the next one; one that does not
    answer is passed over, as a load balancer does.
    """

    def __init__(self, ports: Sequence[int], measured: Measured | None = None, is_https: bool = False) -> None:
        self._ports, self._turn = ports, count()
        self.cookie = "__Host-session" if is_https else "session"
        self.measured = measured or Measured()
        self.samples: list[str] = []  # of wrong answers
        self._waiting: dict[int, tuple[str, float]] = {}  # requests without an answer so far: kind, and when due

    def measure(self) -> Measured:
        """Begin to measure; what was asked before is not counted."""
        self.measured = Measured()
        self._waiting = {}
        return self.measured

    def end(self) -> Measured:
        """End measuring; a request without an answer has taken at least as long as until now."""
        now = asyncio.get_running_loop().time()
        for kind, due in self._waiting.values():
            self.measured.seconds[kind].append(now - due)
            self.measured.unanswered += 1
        return self.measured

    async def ask(
        self, kind: str, due: float, method: str, path: str, headers: Mapping[str, str], body: str, house: str
    ) -> Reply:
        """Make a request that was due at a time of the loop, and write down how long its answer took from then on."""
        loop, measured, waiting = asyncio.get_running_loop(), self.measured, self._waiting
        measured.late += loop.time() - due > LATE
        asked = {**headers, "X-Request-Start": f"t={time.time():.3f}", "Content-Length": str(len(body))}
        lines = [f"{method} {path} HTTP/1.1", *(f"{name}: {value}" for name, value in asked.items())]
        request = "\r\n".join([*lines, "", body]).encode()
        first, reply = next(self._turn), Reply(0)
        waiting[id(request)] = (kind, due)
        for attempt in range(len(self._ports)):
            try:
                reply = await exchange(self._ports[(first + attempt) % len(self._ports)], request, house)
                break
            except (OSError, TimeoutError):
                measured.retried += 1
        del waiting[id(request)]
        kind = "news" if (kind, reply.status) == ("poll", 200) and reply.body else kind
        measured.seconds[kind].append(loop.time() - due)
        measured.statuses[kind, reply.status] += 1
        if reply.status not in (200, 201, 204, 304):
            self.samples.append(f"{kind} {reply.status} {path} {reply.body[:2000].decode(errors='replace')}")
        return reply


class Phone:
    """A phone with the round's page open."""

    def __init__(self, table: Table, seat: int) -> None:
        self.table, self.seat, seating = table, seat, table.seating
        self._headers = {
            "Host": "companion.example.org",
            "X-Forwarded-For": "203.0.113.7",
            "Connection": "close",
            "Accept-Encoding": "gzip",
            "Accept-Language": "en",
            "Referer": "https://companion.example.org/",
            "Cookie": f"{table.hosts.cookie}={seating.cookies[seat]}",
        }
        self._mark = f"{seating.version}-{seating.devices[seat][:6]}-"
        self._news: tuple[str, str | None] = "", None  # the mark of a state, and the address of what is new after it
        self._happened_at = asyncio.get_running_loop().time()
        self._is_sending = False
        self._took = 0.0
        self._saved = 0

    async def get(self, kind: str, path: str, due: float, **headers: str) -> Reply:
        return await self.table.hosts.ask(kind, due, "GET", path, {**self._headers, **headers}, "", self.table.house)

    async def post(self, kind: str, path: str, due: float, fields: Mapping[str, object]) -> Reply:
        headers = {
            **self._headers,
            "Accept": "application/json",
            "Content-Type": "application/x-www-form-urlencoded",
            "X-CSRFToken": self.table.seating.tokens[self.seat],
        }
        body = urlencode(fields, doseq=True)
        return await self.table.hosts.ask(kind, due, "POST", path, headers, body, self.table.house)

    async def follow(self, random: Random) -> None:
        """Ask what is new for as long as the page is there."""
        loop = asyncio.get_running_loop()
        due = loop.time() + random.random() * PACE["FAST"]
        while True:
            await asyncio.sleep(due - loop.time())
            if not self._is_sending:
                reply = await self._ask_state(due)
                self._took = loop.time() - due
                wait = delay(loop.time() - self._happened_at, 0.0)
                self.table.hosts.measured.polls_wanted += (self._took + self._wait(random)) / wait
                if reply.status == 200:
                    await self._told(reply.json())
            due = loop.time() + self._wait(random)

    async def _ask_state(self, due: float) -> Reply:
        """Ask as static/scripts/pace.js does."""
        (of, address), mark = self._news, self._mark
        if address and mark and of == mark:
            reply = await self.get("poll", address, due)
            if reply.status == 204:
                return reply
        reply = await self.get("poll", f"{self.table.path}/state", due, **{"If-None-Match": f'W/"{mark}"'})
        self._news = reply.json()["mark"] if reply.status == 200 else mark, reply.news
        return reply

    def _wait(self, random: Random) -> float:
        quiet = asyncio.get_running_loop().time() - self._happened_at
        return delay(quiet, self._took) * (0.9 + random.random() / 10)

    async def _told(self, told: Mapping[str, Any]) -> None:
        self._mark, self._happened_at = told["mark"], asyncio.get_running_loop().time()
        if told["saved"] > self._saved:
            await self.see_result(told["saved"])

    async def see_result(self, number: int) -> None:
        """Open the result of a round and then the page of the next one, which asks for all that is known."""
        loop, before = asyncio.get_running_loop(), self._saved
        self._saved = number
        await self.get("page", f"{self.table.path}/lines/{number}?since={before}", loop.time())
        await asyncio.sleep(READING)
        await self.get("page", f"{self.table.path}/round", loop.time())
        self._mark, self._happened_at = "", loop.time()

    async def tap(self, due: float, **change: object) -> Reply:
        """Send what was tapped."""
        table = self.table
        fields = {"key": table.key, "number": table.number, "game": "knock-poker"}
        self._is_sending = True
        reply = await self.post(
            "tap", f"{table.path}/draft", due, {**fields, "seats": ".".join(table.seating.players), **change}
        )
        self._is_sending = False
        if reply.status == 200:
            self._mark, self._happened_at = reply.json()["mark"], asyncio.get_running_loop().time()
        return reply


class Table:
    """Four phones in a house that play on and on. `saved` are the rounds of which the scorekeeper was told so."""

    def __init__(
        self,
        seating: Seating,
        form: Mapping[str, object],
        hosts: Hosts,
        seconds: float = 5.0,
        house: str = "127.0.0.1",
    ) -> None:
        self.seating, self.hosts, self.path, self.house = seating, hosts, f"/s/{seating.night}", house
        self._form, self._seconds = form, seconds
        self.phones = [Phone(self, seat) for seat in range(len(HANDS))]
        self.number, self.key = 1, secrets.token_urlsafe(12)
        self.saved: list[int] = []
        self.tapped: dict[int, str] = {}  # the hands that the players' own phones have sent in this round

    async def sit(self, random: Random) -> None:
        """Play for good, from some moment of a round on."""
        async with asyncio.TaskGroup() as tasks:
            for phone in self.phones:
                tasks.create_task(phone.follow(random))
            tasks.create_task(self._play(random))

    async def _play(self, random: Random) -> None:
        loop, step = asyncio.get_running_loop(), random.randrange(SAVE)
        due = loop.time() + random.random() * self._seconds
        while True:
            await asyncio.sleep(due - loop.time())
            if step == SAVE:
                await self._save(due)
            else:
                await self._tap(step, due)
            step, due = (step + 1) % (SAVE + 1), due + self._seconds

    async def _tap(self, step: int, due: float) -> None:
        if step == KNOCK:
            await self.phones[0].tap(due, **{"asked-knocker": "0"})
            return
        seat, cards = step % len(HANDS), step // len(HANDS) + 1
        hand = " ".join(HANDS[seat].split()[:cards])
        if (await self.phones[seat].tap(due, **{f"players-{seat}-hand": hand})).status == 200:
            self.tapped[seat] = hand

    async def _save(self, due: float) -> None:
        """Save the round with the scorekeeper's form, which has the hands of those who have not tapped them."""
        keeper = self.phones[0]
        typed = {f"players-{seat}-hand": hand for seat, hand in enumerate(HANDS) if self.tapped.get(seat) != hand}
        known = {"csrf_token": self.seating.tokens[0], "seat": self.seating.players}
        asked = {"key": self.key, "number": self.number, "asked-knocker": "0", "do": "save"}
        reply = await keeper.post("save", f"{self.path}/round", due, {**self._form, **known, **typed, **asked})
        if reply.status == 201:
            self.saved.append(self.number)
            self.number, self.key, self.tapped = self.number + 1, secrets.token_urlsafe(12), {}
