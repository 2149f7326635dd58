"""Finds a free port for a test's server."""

from __future__ import annotations

import socket


def free_port() -> int:
    """Return a port of this computer that nothing listens on now."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        return int(free.getsockname()[1])
