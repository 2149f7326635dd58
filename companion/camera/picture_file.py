"""Reduces a picture file to the parts that make its pixels, so that decoding it can't cost more than its pixels do.

Decoders work through whatever a file holds: a JPEG may pass over its pixels thousands of times, metadata may unpack or
refer to itself, an animation has many pictures. So the file is rebuilt from what is needed, and refused if it has more
parts than a camera or an editor writes. The orientation is the only metadata that is read.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

MAX_SCANS = 40  # of a progressive JPEG; cameras write 1, editors about 10
_MAX_PARTS = 20_000  # some PNG encoders write a part for every 4 kB
_MAX_PIXELS = {"JPEG": 40_000_000, "PNG": 16_000_000, "WEBP": 16_000_000}  # a JPEG is decoded at a smaller size
_MAX_TAGS = 200  # of the first table of Exif data; cameras write about 15
_ORIENTATION = 0x0112
_JPEG, _PNG = b"\xff\xd8\xff", b"\x89PNG\r\n\x1a\n"
_MARKER, _END_OF_SCAN = re.compile(rb"\xff([^\x00\xff])"), re.compile(rb"\xff[^\x00\xff\xd0-\xd7]")
_SOS, _EOI, _APP1 = 0xDA, 0xD9, 0xE1
_KEPT_MARKERS = {0xC0, 0xC1, 0xC2, 0xC4, 0xDB, 0xDD, 0xE0, 0xEE}  # frames, tables, restarts, and how colours are coded
_OTHER_FRAMES = {0xC3, 0xC5, 0xC6, 0xC7, *range(0xC9, 0xD0)}  # arithmetic, lossless or hierarchical coding
_ALPHA = 0x10  # a flag of a WebP file

Form = Literal["JPEG", "PNG", "WEBP"]


class TooComplex(ValueError):  # noqa: N818 - a refusal shown to the user, not a bug
    """A file with more parts than any camera writes, or coded in a way that none uses."""


@dataclass(frozen=True)
class PictureFile:
    """A file reduced to what makes its pixels; `orientation` is Exif's, from 1 to 8."""

    form: Form
    data: bytes
    orientation: int = 1

    @property
    def max_pixels(self) -> int:
        """How many pixels a file of this kind may have."""
        return _MAX_PIXELS[self.form]


def reduced(data: bytes) -> PictureFile | None:
    """Reduce a file; None if it isn't a JPEG, PNG or WebP file. Raises TooComplex.

    What is damaged is left to the decoder.
    """
    if data.startswith(_JPEG):
        return _jpeg(data)
    if data.startswith(_PNG):
        return _png(data)
    if data.startswith(b"RIFF") and data[8:12] == b"WEBP":
        return _webp(data)
    return None


def _jpeg(data: bytes) -> PictureFile:
    """Keep the first picture: cameras add a second, and depth or light after it."""
    kept, orientation, scans = [data[:2]], 1, 0
    for marker, part, end in _jpeg_parts(data):
        if marker == _SOS:
            scans += 1
            end_of_scan = _END_OF_SCAN.search(data, end)
            kept += [part, data[end : end_of_scan.start() if end_of_scan else len(data)]]
        elif marker in _KEPT_MARKERS:
            kept.append(part)
        elif marker == _APP1 and part[4:10] == b"Exif\x00\x00":
            orientation = _orientation(part[10:])
        if scans > MAX_SCANS or marker in _OTHER_FRAMES:
            raise TooComplex
        if marker == _EOI:
            kept.append(b"\xff\xd9")
            break
    return PictureFile("JPEG", b"".join(kept), orientation)


def _jpeg_parts(data: bytes) -> Iterator[tuple[int, bytes, int]]:
    """Yield the parts with their markers and ends, up to the end of the picture, as libjpeg finds them."""
    at = 2
    for _ in range(_MAX_PARTS):
        # a scan's data has no marker but those that restart it
        match = _MARKER.search(data, at)
        if match is None:
            return
        marker, at = match[1][0], match.end()
        if marker == 0x01 or 0xD0 <= marker <= 0xD9:  # without content
            yield marker, b"", at
            continue
        end = at + max(2, int.from_bytes(data[at : at + 2]))
        yield marker, data[at - 2 : end], end
        at = end
    raise TooComplex


def _png(data: bytes) -> PictureFile:
    """Keep the header, the palette, transparency and the picture; an animation's further pictures go."""
    kept: dict[bytes, list[bytes]] = {name: [] for name in (b"IHDR", b"PLTE", b"tRNS", b"IDAT", b"IEND")}
    orientation, at = 1, len(_PNG)
    for _ in range(_MAX_PARTS):
        length, name = int.from_bytes(data[at : at + 4]), data[at + 4 : at + 8]
        content = data[at + 8 : at + 8 + length]
        if name in kept and (name == b"IDAT" or not kept[name]):
            kept[name].append(content)
        elif name == b"eXIf":
            orientation = _orientation(content)
        at += 12 + length
        if name == b"IEND" or at >= len(data):
            break
    else:
        raise TooComplex
    parts = [_png_part(name, b"".join(contents)) for name, contents in kept.items() if contents]
    return PictureFile("PNG", _PNG + b"".join(parts), orientation)


def _png_part(name: bytes, content: bytes) -> bytes:
    return len(content).to_bytes(4) + name + content + zlib.crc32(name + content).to_bytes(4)


def _webp(data: bytes) -> PictureFile:
    """Keep the picture and its transparency."""
    kept: dict[bytes, bytes] = {}
    orientation, at = 1, 12
    for _ in range(_MAX_PARTS):
        name, length = data[at : at + 4], int.from_bytes(data[at + 4 : at + 8], "little")
        content = data[at + 8 : at + 8 + length]
        if name in (b"VP8X", b"ALPH", b"VP8 ", b"VP8L"):
            kept.setdefault(name, content)
        elif name == b"EXIF":
            orientation = _orientation(content.removeprefix(b"Exif\x00\x00"))
        at += 8 + length + length % 2
        if at >= len(data):
            break
    else:
        raise TooComplex
    if b"VP8X" in kept:
        flags, *sizes = kept[b"VP8X"].ljust(1, b"\x00")
        kept[b"VP8X"] = bytes([flags & _ALPHA, *sizes])
    body = b"WEBP" + b"".join(
        name + len(content).to_bytes(4, "little") + content + b"\x00" * (len(content) % 2)
        for name, content in kept.items()
    )
    return PictureFile("WEBP", b"RIFF" + len(body).to_bytes(4, "little") + body, orientation)


def _orientation(exif: bytes) -> int:
    """Return the orientation from Exif data; 1, upright, if it isn't there."""
    order: Literal["little", "big"] = "little" if exif.startswith(b"II") else "big"

    def number(at: int, size: int) -> int:
        return int.from_bytes(exif[at : at + size], order)

    table = number(4, 4)
    for entry in range(table + 2, table + 2 + 12 * min(number(table, 2), _MAX_TAGS), 12):
        if number(entry, 2) == _ORIENTATION:
            orientation = number(entry + 8, 2)
            return orientation if 1 <= orientation <= 8 else 1
    return 1
