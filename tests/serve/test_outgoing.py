"""Messages to addresses that users chose: none of a private network, no redirect, no second look-up, no long wait."""

from __future__ import annotations

import socket
import ssl
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from receivers import OK, Receiver

from companion.serve.sending import outgoing
from companion.serve.sending.outgoing import NotDelivered, is_public, post

BODY = b'{"type": "test"}'
PUBLIC = ("8.8.8.8", "93.184.216.34", "2606:4700::1111", "64:ff9b::808:808", "::ffff:8.8.8.8")
PRIVATE = (
    *("127.0.0.1", "127.8.9.1", "10.0.0.1", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1", "0.0.0.0"),
    *("224.0.0.1", "240.0.0.1", "255.255.255.255", "192.0.0.8", "192.88.99.1", "198.18.0.1", "192.0.2.1"),
    *("::1", "::", "fe80::1", "fe80::1%eth0", "fc00::1", "fec0::1", "ff02::1", "2001:db8::1", "::127.0.0.1"),
    *("::ffff:10.0.0.1", "64:ff9b::7f00:1", "64:ff9b::a00:1", "64:ff9b:1::1", "2002:7f00:1::", "2001:0:7f00:1::"),
)


@pytest.mark.parametrize(
    ("address", "expected"), [*((one, True) for one in PUBLIC), *((one, False) for one in PRIVATE)]
)
def test_only_addresses_of_the_internet_are_public(address: str, expected: bool) -> None:
    assert is_public(address) is expected


def why(url: str, *, anywhere: bool = True) -> str:
    with pytest.raises(NotDelivered) as refused:
        post(url, {}, BODY, anywhere=anywhere)
    return refused.value.why


@pytest.fixture
def names(monkeypatch: pytest.MonkeyPatch) -> dict[str, list[str]]:
    """Names that lead to addresses, each look-up to the next one; the last stays."""
    known: dict[str, list[str]] = {}

    def found(host: str, port: int, *_family: Any, **_kind: Any) -> list[Any]:
        if host not in known:
            raise socket.gaierror
        addresses = known[host][0] if len(known[host]) == 1 else known[host].pop(0)
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (one, port)) for one in addresses.split()]

    monkeypatch.setattr(socket, "getaddrinfo", found)
    return known


def test_a_message_arrives() -> None:
    with Receiver() as receiver:
        post(receiver.url, {"webhook-id": "7"}, BODY, anywhere=True)
    ((headers, body),) = receiver.got
    assert (headers[":line"], headers["webhook-id"], body) == ("POST /hook?a=1 HTTP/1.1", "7", BODY)
    assert headers["host"] == f"127.0.0.1:{receiver.port}"


def test_private_addresses_need_the_setting(names: dict[str, list[str]]) -> None:
    with Receiver() as receiver:
        for host in ("127.0.0.1", "inside.example", "both.example"):
            names[host] = ["8.8.8.8 127.0.0.1" if host == "both.example" else "127.0.0.1"]
            assert why(f"http://{host}:{receiver.port}/", anywhere=False) == "private"
    assert receiver.got == []
    assert why("http://unknown.example/", anywhere=False) == "name"


def test_the_address_that_was_checked_is_connected_to(
    names: dict[str, list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A name that leads to a public address while it is checked, and to this computer from then on."""
    connected: list[Any] = []

    def connect(address: Any, **_more: Any) -> Any:
        connected.append(address)
        raise ConnectionRefusedError

    monkeypatch.setattr(socket, "create_connection", connect)
    names["rebinds.example"] = ["93.184.216.34 8.8.8.8", "127.0.0.1"]
    assert why("https://rebinds.example/", anywhere=False) == "connection"
    assert connected == [("93.184.216.34", 443), ("8.8.8.8", 443)]
    assert why("https://rebinds.example/", anywhere=False) == "private"


def test_the_next_address_is_tried(names: dict[str, list[str]]) -> None:
    names["two.example"] = ["127.0.0.2 127.0.0.1"]
    with Receiver() as receiver:
        names["127.0.0.1"], names["127.0.0.2"] = ["127.0.0.1"], ["127.0.0.2"]
        post(f"http://two.example:{receiver.port}", {}, BODY, anywhere=True)
    assert receiver.got[0][0]["host"] == f"two.example:{receiver.port}"


BIG = b"HTTP/1.1 200 OK\r\nContent-Length: 10000000\r\n\r\n" + b"x" * 10_000_000
ANSWERS = [
    (b"HTTP/1.1 500 Oh\r\nContent-Length: 0\r\n\r\n", "500"),
    (b"HTTP/1.1 404 Gone\r\n\r\n", "404"),
    (b"hello\r\n\r\n", "answer"),
    (b"HTTP/1.1 200 OK\r\nX: " + b"x" * 10_000, "answer"),
    (b"HTTP/1.1 200 O", "answer"),
    (b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 301 Moved\r\nLocation: http://127.0.0.1:1/\r\n\r\n", "301"),
]


@pytest.mark.parametrize(("answer", "expected"), ANSWERS, ids=range(len(ANSWERS)))
def test_other_answers_are_failures(answer: bytes, expected: str) -> None:
    with Receiver(answer) as receiver:
        assert why(receiver.url) == expected


def test_no_redirect_is_followed() -> None:
    with Receiver() as second:
        with Receiver(f"HTTP/1.1 307 There\r\nLocation: {second.url}\r\nContent-Length: 0\r\n\r\n".encode()) as first:
            assert why(first.url) == "307"
        assert (len(first.got), second.got) == (1, [])


def test_a_long_answer_is_not_read() -> None:
    with Receiver(BIG) as receiver:
        post(receiver.url, {}, BODY, anywhere=True)
    assert receiver.written < len(BIG)


def test_a_receiver_that_hangs_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outgoing, "_SECONDS", 0.2)
    with Receiver(b"") as receiver:
        assert why(receiver.url) == "slow"
        assert why(receiver.url.replace("http:", "https:")) == "slow"
    monkeypatch.setattr(outgoing, "_SECONDS", 0)
    assert why(receiver.url) == "slow"


def test_nobody_listens() -> None:
    with Receiver() as receiver:
        pass
    assert why(receiver.url) == "connection"


@pytest.fixture
def certificate(tmp_path: Path) -> Path:
    from companion.serve.server.certificate import certificate_for

    return certificate_for(tmp_path, ["127.0.0.1", "localhost"]).file


TLS = """
import ssl, socket, sys
context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain(sys.argv[1])
with socket.create_server(("127.0.0.1", 0)) as listening:
    print(listening.getsockname()[1], flush=True)
    while True:
        with listening.accept()[0] as plain:
            try:
                with context.wrap_socket(plain, server_side=True) as channel:
                    channel.recv(65536)
                    channel.sendall(b"HTTP/1.1 204 No Content\\r\\n\\r\\n")
            except OSError:
                pass
"""


def test_a_certificate_is_checked(certificate: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    command = [sys.executable, "-c", TLS, str(certificate)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            url = f"https://127.0.0.1:{int(process.stdout.readline())}/"
            assert why(url) == "tls"
            made: Callable[..., ssl.SSLContext] = ssl.create_default_context
            monkeypatch.setattr(ssl, "create_default_context", lambda: made(cafile=str(certificate)))
            post(url, {}, BODY, anywhere=True)
            assert why(url.replace("127.0.0.1", "localhost.example")) == "name"
        finally:
            process.kill()


def test_an_answer_may_say_wait_first() -> None:
    with Receiver(b"HTTP/1.1 103 Early Hints\r\n\r\n" + OK) as receiver:
        post(receiver.url, {}, BODY, anywhere=True)
