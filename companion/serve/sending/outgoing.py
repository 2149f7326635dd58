"""Sends a webhook's message to an address that a user chose, so that neither the app nor its network come to harm.

The name is looked up once, and its addresses are checked: unless the administrator allows it, none may be of this
computer, a private network or reserved. The connection is to the very address that was checked; looking the name up
again could give another one. No redirect is followed. All of it, TLS included, has `_SECONDS`, and of the answer only
the head is read.
"""

from __future__ import annotations

import socket
import ssl
import time
from ipaddress import IPv4Address, IPv4Network, IPv6Network, ip_address
from urllib.parse import urlsplit

import h11

from companion.store.log.deliveries import NO_ANSWER, NO_CONNECTION, NO_NAME, NO_TLS, PRIVATE, SLOW

_SECONDS = 5.0
_MAX_ANSWER = 4096  # bytes that are read at most
_NAT64 = IPv6Network("64:ff9b::/96")  # its addresses contain one of IPv4
_UNICAST = IPv6Network("2000::/3")
_SPECIAL = (IPv4Network("192.0.0.0/24"), IPv4Network("192.88.99.0/24"))  # in part global for Python
_DEFAULT_PORTS = {"http": 80, "https": 443}


class NotDelivered(Exception):  # noqa: N818 - what receivers do, not a bug
    """A message wasn't delivered; `why` is one of the reasons in `deliveries`, or the status of the answer."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


def is_public(text: str) -> bool:
    """Return whether an IP address is of the internet; if it stands for one of IPv4, whether that is."""
    address = ip_address(text.partition("%")[0])
    if isinstance(address, IPv4Address):
        is_special = address.is_multicast or address.is_reserved or any(address in network for network in _SPECIAL)
        return address.is_global and not is_special
    if address.ipv4_mapped is not None:
        return is_public(str(address.ipv4_mapped))
    if address in _NAT64:
        return is_public(str(IPv4Address(int(address) & 0xFFFFFFFF)))
    return address in _UNICAST and address.is_global and address.sixtofour is None


def post(url: str, headers: dict[str, str], body: bytes, *, anywhere: bool) -> None:
    """Post a JSON body; raises NotDelivered unless the answer's status is 2xx. With `anywhere`, any address will do."""
    latest = time.monotonic() + _SECONDS
    parts = urlsplit(url)
    host, port = parts.hostname or "", parts.port or _DEFAULT_PORTS[parts.scheme]
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    try:
        with _connected(_addresses(host, port, anywhere=anywhere), latest) as plain:
            if parts.scheme == "http":
                status = _answer(plain, parts.netloc, path, headers, body, latest)
            else:
                plain.settimeout(_left(latest))
                with ssl.create_default_context().wrap_socket(plain, server_hostname=host) as secured:
                    status = _answer(secured, parts.netloc, path, headers, body, latest)
    except TimeoutError as error:
        raise NotDelivered(SLOW) from error
    except ssl.SSLError as error:
        raise NotDelivered(NO_TLS) from error
    except OSError as error:
        raise NotDelivered(NO_CONNECTION) from error
    if not 200 <= status < 300:
        raise NotDelivered(str(status))


def _addresses(host: str, port: int, *, anywhere: bool) -> list[tuple[str, int]]:
    """Look a name up, and return its addresses; raises NotDelivered if one of them isn't allowed."""
    try:
        resolved = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise NotDelivered(NO_NAME) from error
    addresses = [str(address[0]) for *_, address in resolved]
    if not anywhere and not all(map(is_public, addresses)):
        raise NotDelivered(PRIVATE)
    return [(address, port) for address in dict.fromkeys(addresses)]


def _connected(addresses: list[tuple[str, int]], latest: float) -> socket.socket:
    """Connect to the first of these addresses that takes it."""
    for address in addresses[:-1]:
        try:
            return socket.create_connection(address, timeout=_left(latest))
        except OSError:
            continue
    return socket.create_connection(addresses[-1], timeout=_left(latest))


def _left(latest: float) -> float:
    seconds = latest - time.monotonic()
    if seconds <= 0:
        raise TimeoutError
    return seconds


def _answer(channel: socket.socket, host: str, path: str, headers: dict[str, str], body: bytes, latest: float) -> int:
    """Send the request, and return the status of the answer, whose body is left unread."""
    client = h11.Connection(h11.CLIENT)
    all_headers = {"Host": host, "Content-Length": str(len(body)), "Connection": "close", **headers}
    sent = [
        h11.Request(method="POST", target=path, headers=list(all_headers.items())),
        h11.Data(data=body),
        h11.EndOfMessage(),
    ]
    channel.settimeout(_left(latest))
    channel.sendall(b"".join(client.send(event) or b"" for event in sent))
    read = 0
    while True:
        try:
            event = client.next_event()
        except h11.RemoteProtocolError as error:
            raise NotDelivered(NO_ANSWER) from error
        if isinstance(event, h11.Response):
            return int(event.status_code)
        if event is h11.NEED_DATA:
            if read >= _MAX_ANSWER:
                raise NotDelivered(NO_ANSWER)
            channel.settimeout(_left(latest))
            data = channel.recv(_MAX_ANSWER - read)
            read += len(data)
            client.receive_data(data)
