"""Which connection is closed if there are too many, and how many are allowed."""

from __future__ import annotations

import resource
from dataclasses import dataclass
from time import monotonic as clock  # the one that connections go by

import pytest

from companion.serve import connections
from companion.serve.connections import Bodies, Connections, State, most_connections
from companion.web.http.addresses import network_of


@dataclass(eq=False)
class One:
    """A connection from an attacker or a phone."""

    network: str
    state: State = State.HALF_OPEN
    age: float = 10.0

    @property
    def quiet_since(self) -> float:
        return clock() - self.age


def full(most: int, per_network: int, *held: One) -> Connections[One]:
    made: Connections[One] = Connections(most, per_network)
    for one in held:
        assert made.add(one) is None
    return made


def test_oldest_half_open_one_of_the_same_network_is_closed() -> None:
    idle, old, older = One("a", State.IDLE, 50), One("a", age=20), One("a", age=30)
    elsewhere = One("b", age=90)
    made = full(9, 3, idle, old, older, elsewhere)
    assert [made.add(One("a", age=0)) for _ in range(4)] == [older, old, idle, None]
    assert made.add(One("b", age=0)) is None


def test_recently_active_connections_are_closed_last() -> None:
    request, stuck, answered = One("a", age=0.1), One("a", State.SENDING, 15), One("a", State.IDLE, 1)
    made = full(3, 3, request, stuck, answered)
    new = One("a", age=0)
    assert made.add(new) is stuck
    assert made.add(One("a", age=0)) is request  # older than the other two
    assert made.add(One("a", age=0)) is new


def test_requests_that_are_answered_stay_and_the_new_one_is_closed() -> None:
    made = full(2, 2, One("a", State.BUSY), One("a", State.BUSY))
    new, other = One("a"), One("b")
    assert made.add(new) is new
    assert made.add(other) is other
    assert made.make_room() is None


def test_the_most_crowded_network_loses_a_connection() -> None:
    phone = One("phone", age=100)
    crowd = [One("crowd", age=age) for age in (5, 7, 6)]
    made = full(4, 4, phone, *crowd)
    assert made.add(One("new")) is crowd[1]
    assert made.make_room() is crowd[2]


def test_closed_connections_are_not_counted() -> None:
    first, second = One("a"), One("a")
    made = full(1, 1, first)
    made.remove(first)
    made.remove(first)
    assert made.add(second) is None
    assert made.add(first) is second
    assert Connections[One](1, 1).make_room() is None


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
    monkeypatch.setattr(connections.resource, "getrlimit", lambda _which: tuple(now))
    monkeypatch.setattr(connections.resource, "setrlimit", lambda _which, both: now.__setitem__(slice(None), both))
    assert most_connections() == most
    assert now == [raised, hard]


def test_the_longest_unfinished_request_of_the_greediest_network_is_closed() -> None:
    made: Bodies[One] = Bodies(10)
    phone, small, large, answered = One("b"), One("a"), One("a"), One("a", State.BUSY)
    assert [made.hold(phone, 4), made.hold(small, 1), made.hold(answered, 3)] == [None] * 3
    assert made.hold(large, 2) is None
    assert made.hold(large, 3) is large
    assert made.hold(small, 3) is None
    assert made.hold(small, 4) is small
    assert made.hold(answered, 7) is phone
    assert made.hold(answered, 11) is None  # nobody is left who could give way
    assert made.hold(answered, 0) is None
    assert made.hold(phone, 10) is None
