"""The `companion` command: without arguments it serves the app to the phones at the table."""

from __future__ import annotations

import argparse
import contextlib
import ipaddress
import socket
import sys
from collections.abc import Sequence

import segno
import waitress

from . import create_app

FIRST_PORT = 8000
_TRIES = 100


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns the exit status."""
    parser = argparse.ArgumentParser(prog="companion", description=__doc__)
    commands = parser.add_subparsers(dest="command")
    serving = commands.add_parser("serve", help="serve the app (the default)", argument_default=argparse.SUPPRESS)
    for where in (parser, serving):
        where.add_argument("--host", help="address to listen on (default: all)")
        where.add_argument("--port", type=int, help=f"port to listen on (default: {FIRST_PORT} or the next free one)")
    commands.add_parser("audit", help="settle every stored round again and compare")
    chosen = parser.parse_args(arguments)
    if chosen.command == "audit":
        return audit()
    return serve(chosen.host or "0.0.0.0", chosen.port)


def serve(host: str, port: int | None) -> int:
    """Serve until interrupted; returns 1 when no port could be had."""
    try:
        listening = listen(host, port)
    except OSError as error:
        print(f"Cannot listen on {host}: {error.strerror or error}. Choose another --host or --port.", file=sys.stderr)
        return 1
    app = create_app()
    print(welcome(host, listening.getsockname()[1]), flush=True)
    with contextlib.suppress(KeyboardInterrupt):
        waitress.serve(app, sockets=[listening], threads=8, ident=None)
    return 0


def audit() -> int:
    """Print everything in the database that does not fit; returns 1 when there is something."""
    from .store.audit import audit as found

    with create_app().app_context():
        wrong = list(found())
    print("\n".join([*wrong, f"{len(wrong)} wrong." if wrong else "Every round, balance and pot fits."]))
    return 1 if wrong else 0


def listen(host: str, port: int | None) -> socket.socket:
    """Open the port, or without one the first free from 8000 on."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    tries = [port] if port is not None else range(FIRST_PORT, FIRST_PORT + _TRIES)
    refused: OSError | None = None
    for number in tries:
        opened = socket.socket(family, socket.SOCK_STREAM)
        opened.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            opened.bind((host, number))
            opened.listen()
        except (OSError, OverflowError) as error:
            opened.close()
            refused = error if isinstance(error, OSError) else OSError("no such port")
        else:
            return opened
    assert refused is not None
    raise refused


def welcome(host: str, port: int) -> str:
    """Say where the app is to be found, with a QR code for the phones."""
    everywhere = host in ("", "0.0.0.0", "::")
    local = f"http://{'localhost' if everywhere else _in_url(host)}:{port}/"
    phones = network_address() if everywhere else host
    if phones is None or (not everywhere and _is_loopback(host)):
        return f"Companion is at {local} on this computer only: no network for phones was found. Stop with Ctrl+C."
    shared = f"http://{_in_url(phones)}:{port}/"
    code = segno.make(shared, error="l")
    lines = ["Companion for the table", f"  on this computer  {local}", f"  on the phones     {shared}", ""]
    return "\n".join([*lines, _drawn(code), "Stop with Ctrl+C."])


def _in_url(host: str) -> str:
    return f"[{host}]" if ":" in host else host


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _drawn(code: segno.QRCode) -> str:
    """Draw a QR code in half blocks, light on dark terminals and dark on light ones alike."""
    rows = [list(row) for row in code.matrix_iter(border=2)]
    rows += [[0] * len(rows[0])] * (len(rows) % 2)
    blocks = {(0, 0): "█", (0, 1): "▀", (1, 0): "▄", (1, 1): " "}
    pairs = zip(rows[::2], rows[1::2], strict=True)
    return "\n".join("".join(blocks[bool(a), bool(b)] for a, b in zip(*pair, strict=True)) for pair in pairs)


def network_address() -> str | None:
    """Find this computer's address in the local network; None where there is none. Nothing is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # an address for documentation; a datagram socket only looks up the route
        except OSError:
            return None
        address = str(probe.getsockname()[0])
    return None if _is_loopback(address) else address
