"""Decompression bombs: pictures that would fill the memory if they were unpacked."""

from __future__ import annotations

import io
import struct
import zlib

from PIL import Image


def a_bomb(side: int) -> bytes:
    """Return a PNG whose head says that it is this wide and high; what is refused for that is never unpacked.

    The rest is that of a picture of one pixel, because packing a real one takes seconds.
    """
    file = io.BytesIO()
    Image.new("1", (1, 1)).save(file, "PNG")
    before, rest = file.getvalue().split(b"IHDR", 1)
    head = b"IHDR" + struct.pack(">II", side, side) + rest[8:13]
    return before + head + struct.pack(">I", zlib.crc32(head)) + rest[17:]
