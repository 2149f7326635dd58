"""Opens the port to serve on: the requested one, or the first free one."""

from __future__ import annotations

import socket

FIRST_PORT = 8000
EVERYWHERE = "0.0.0.0"
_TRIES = 100


def is_on_all_addresses(host: str) -> bool:
    """Return whether the app is served on all addresses of this computer, and so to phones."""
    return host in ("", EVERYWHERE, "::")


def _set_reuse(opened: socket.socket) -> None:
    """Allow reusing a port that was just released; on Windows, never share one with another program."""
    exclusive = getattr(socket, "SO_EXCLUSIVEADDRUSE", None)
    opened.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR if exclusive is None else exclusive, 1)


def listen(host: str, port: int | None) -> socket.socket:
    """Open the port, or the first free one from 8000 up if `port` is None; raises OSError."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    tries = [port] if port is not None else range(FIRST_PORT, FIRST_PORT + _TRIES)
    refused: OSError | None = None
    for number in tries:
        opened = socket.socket(family, socket.SOCK_STREAM)
        _set_reuse(opened)
        try:
            opened.bind((host, number))
            opened.listen()
        except OSError as error:
            opened.close()
            refused = error
        else:
            return opened
    assert refused is not None
    raise refused


def listen_on_ipv6(opened: socket.socket) -> socket.socket | None:
    """Open the same port for IPv6; None if it isn't open on all IPv4 addresses, or can't be opened for IPv6."""
    host, port = opened.getsockname()[:2]
    if host != EVERYWHERE or not socket.has_ipv6:
        return None
    try:
        second = socket.socket(socket.AF_INET6, socket.SOCK_STREAM)
    except OSError:
        return None
    try:
        _set_reuse(second)
        second.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        second.bind(("::", port))
        second.listen()
    except OSError:
        second.close()
        return None
    return second
