"""Which connection is closed if there are too many, and how many are allowed."""

from __future__ import annotations

import resource
from socket import IPPROTO_TCP, TCP_NODELAY
from types import SimpleNamespace
from typing import Any, cast

import pytest
from uvicorn.config import Config
from uvicorn.server import ServerState

from companion.serve.server import open_files, server
from companion.serve.server.open_files import most_connections
from companion.serve.server.server import Connection
from companion.web.http.network.addresses import network_of


class Transport:
    """A connection's other half; `unsent` bytes wait for the client."""

    def __init__(self, network: str, unsent: int = 0) -> None:
        self.network, self.unsent, self.is_open = network, unsent, True

    def get_extra_info(self, name: str) -> Any:
        return self if name == "socket" else None

    def setsockopt(self, *option: int) -> None:
        self.options = option

    def getpeername(self) -> tuple[str, int]:
        return self.network, 9

    def getsockname(self) -> tuple[str, int]:
        return "127.0.0.1", 8000

    def get_write_buffer_size(self) -> int:
        return self.unsent

    def is_closing(self) -> bool:
        return not self.is_open

    def abort(self) -> None:
        self.is_open = False


class Table:
    """All connections of a server, by what is told of them."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, most: int) -> None:
        monkeypatch.setattr(Connection, "most", most)
        self.now, self.state, self.config = 1000.0, ServerState(), Config(lambda: None, log_config=None)
        self.config.load()

    def come(self, network: str, state: str = "half-open", age: float = 10.0, size: int = 0) -> Transport:
        """Let a client of a network connect; its connection then has a state for some seconds."""
        made, transport = Connection(self.config, self.state, {}, cast(Any, self)), Transport(network)
        made.connection_made(cast(Any, transport))
        made._begun, made._moved = self.now - age, size
        if state != "half-open":
            cycle = SimpleNamespace(more_body=state == "receiving", response_complete=state in ("idle", "sending"))
            made.cycle, transport.unsent = cast(Any, cycle), int(state == "sending")
        return transport

    def time(self) -> float:
        return self.now


def test_the_second_part_of_a_response_does_not_wait_for_the_first(monkeypatch: pytest.MonkeyPatch) -> None:
    assert Table(monkeypatch, 1).come("192.0.2.1").options == (IPPROTO_TCP, TCP_NODELAY, 1)


def closed(*transports: Transport) -> list[bool]:
    return [not one.is_open for one in transports]


def test_the_oldest_unfinished_one_of_a_crowded_network_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    table = Table(monkeypatch, 8)
    elsewhere = table.come("192.0.2.2", age=90)
    idle, old, older, busy = (
        table.come("192.0.2.1", state, age)
        for state, age in (("idle", 50), ("half-open", 20), ("sending", 30), ("busy", 99))
    )
    order = []
    for _ in range(4):
        table.come("192.0.2.1", "busy")
        order.append(closed(older, old, idle, busy, elsewhere).count(True))
    assert closed(older, old, idle, busy, elsewhere) == [True, True, True, False, False]
    assert order == [1, 2, 3, 3]


def test_young_ones_are_spared_and_the_new_one_goes_if_all_others_are_busy(monkeypatch: pytest.MonkeyPatch) -> None:
    table = Table(monkeypatch, 4)
    young, idle = table.come("192.0.2.1", age=1), table.come("192.0.2.1", "idle", 5)
    for _ in range(3):
        table.come("192.0.2.1", "busy")
    assert closed(young, idle) == [False, True]
    table.come("192.0.2.1", "busy")
    assert closed(young) == [True]
    assert closed(table.come("192.0.2.1")) == [True]


def test_the_oldest_of_all_networks_is_closed_if_there_are_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    table = Table(monkeypatch, 3)
    held = [table.come(f"192.0.2.{number}", age=9 - number) for number in range(4)]
    assert closed(*held) == [True, False, False, False]


def test_a_proxy_stands_for_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Connection, "is_behind_proxy", True)
    table = Table(monkeypatch, 3)
    held = [table.come("192.0.2.1", age=age) for age in (9, 8, 7, 6)]
    assert closed(*held) == [True, False, False, False]


def test_the_longest_unfinished_request_of_the_greediest_network_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "_MAX_HELD_BYTES", 10)
    table = Table(monkeypatch, 99)
    phone = table.come("192.0.2.2", "receiving", size=4)
    small, large = (table.come("192.0.2.1", "receiving", size=size) for size in (2, 3))
    table.come("192.0.2.1", "busy", size=1)
    held = (phone, small, large)
    any_one: Any = next(iter(table.state.connections))
    any_one._limit_bodies()
    assert closed(*held) == [False] * 3
    table.come("192.0.2.1", "busy", size=1)
    any_one._limit_bodies()
    assert closed(*held) == [False, False, True]


@pytest.mark.parametrize(
    ("address", "network"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2::9", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("a socket", "a socket"),
    ],
)
def test_network_is_the_address_or_the_64_of_ipv6(address: str, network: str) -> None:
    assert network_of(address) == network


# the soft and the hard limit of open files, the soft one afterwards, and the connections
LIMITS = [
    (1024, 1024, 1024, 384),
    (1024, 4096, 1280, 512),
    (256, resource.RLIM_INFINITY, 1280, 512),
    (resource.RLIM_INFINITY, resource.RLIM_INFINITY, resource.RLIM_INFINITY, 512),
    (20000, 20000, 20000, 512),
    (64, 64, 64, 8),
]


@pytest.mark.parametrize(("soft", "hard", "raised", "most"), LIMITS)
def test_files_limit_the_connections(
    monkeypatch: pytest.MonkeyPatch, soft: int, hard: int, raised: int, most: int
) -> None:
    now = [soft, hard]
    monkeypatch.setattr(open_files.resource, "getrlimit", lambda _which: tuple(now))
    monkeypatch.setattr(open_files.resource, "setrlimit", lambda _which, both: now.__setitem__(slice(None), both))
    assert most_connections() == most
    assert now == [raised, hard]
