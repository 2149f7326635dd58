"""Finds a free port for a test's server."""

from __future__ import annotations

import random
import socket
from contextlib import suppress

# below those that systems give to connections that begin here: one of these could be taken before the server has it
_PORTS = range(20_000, 30_000)


def free_port() -> int:
    """Return a port of this computer that nothing listens on now."""
    while True:
        port = random.SystemRandom().choice(_PORTS)
        with suppress(OSError), socket.create_server(("127.0.0.1", port)):
            return port
