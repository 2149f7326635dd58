"""The text printed at startup: the app's addresses, and a QR code for phones."""

from __future__ import annotations

import sys

import segno

from companion.web.http.network.addresses import in_url, network_addresses
from companion.web.http.network.hosts import is_loopback

from .listening import is_on_all_addresses

_MAX_ADDRESSES = 4


def welcome(host: str, port: int, plain_port: int | None = None) -> str:
    """Return the app's addresses with a QR code for phones.

    With HTTPS on `port`, the QR code leads to `plain_port`, to the page that explains the browser's warning.
    """
    scheme = "https" if plain_port else "http"
    everywhere = is_on_all_addresses(host)
    local = f"{scheme}://{'localhost' if everywhere else in_url(host)}:{port}/"
    phones = network_addresses() if everywhere else [host]
    if not phones or (not everywhere and is_loopback(in_url(host))):
        return f"Companion is at {local} on this computer only: no network for phones was found. Stop with Ctrl+C."
    shared, *others = (f"{scheme}://{in_url(address)}:{port}/" for address in phones[:_MAX_ADDRESSES])
    first = f"http://{in_url(phones[0])}:{plain_port}/" if plain_port else shared
    lines = ["Table Companion", f"  on this computer  {local}", f"  on the phones     {shared}"]
    lines += [f"  or, in another network  {other}" for other in others]
    if plain_port:
        lines.append(f"  what they will be asked, and the QR code  {first}")
    return "\n".join([*lines, "", _draw(segno.make(first, error="l")), "Stop with Ctrl+C."])


def _can_print(text: str) -> bool:
    try:
        text.encode(sys.stdout.encoding or "ascii")
    except UnicodeEncodeError:
        return False
    return True


def _draw(code: segno.QRCode) -> str:
    """Draw a QR code in half blocks; if the console can't print those, with ## for each light module."""
    rows = [list(row) for row in code.matrix_iter(border=2)]
    if not _can_print("█▀▄"):
        return "\n".join("".join("  " if dark else "##" for dark in row) for row in rows)
    rows += [[0] * len(rows[0])] * (len(rows) % 2)
    blocks = {(0, 0): "█", (0, 1): "▀", (1, 0): "▄", (1, 1): " "}
    pairs = zip(rows[::2], rows[1::2], strict=True)
    return "\n".join("".join(blocks[bool(a), bool(b)] for a, b in zip(*pair, strict=True)) for pair in pairs)
