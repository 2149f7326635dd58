"""Decodes an uploaded photograph safely in memory: checks size limits first, then applies its orientation."""

from __future__ import annotations

import io
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Literal

from companion.engine.messages import Message

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from PIL.Image import Image

MAX_BYTES = 8_000_000
MAX_PIXELS = 40_000_000
MAX_SIDE, MAX_SIDE_OF_TABLE = 1600, 1920  # pixels on the longer side; reading a hand or a table doesn't need more
MIN_SIDE = 16
FORMATS = ("JPEG", "PNG", "WEBP", "HEIF", "AVIF", "MPO")

Code = Literal[
    "not-installed", "deck-not-read", "too-many-bytes", "too-many-pixels", "not-a-picture", "heic", "damaged"
]


class PhotoError(ValueError):
    """A photograph that can't be read at all. `message` says why and what to do; `code` is for programs."""

    def __init__(self, code: Code, message: Message) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


@dataclass(frozen=True)
class Photograph:
    """Upright RGB pixels. One of them corresponds to `scale` pixels of the file."""

    pixels: NDArray[np.uint8]
    scale: float


def decode(source: bytes | Path | BinaryIO, longest_side: int = MAX_SIDE) -> Photograph:
    """Decode a picture of at most MAX_BYTES and MAX_PIXELS, reduced to a longest side; else raise PhotoError."""
    import numpy as np
    from PIL import Image, ImageOps, UnidentifiedImageError

    data = _bytes(source)
    try:
        with Image.open(io.BytesIO(data), formats=_known_formats()) as image:
            if image.width * image.height > MAX_PIXELS:
                raise _too_many_pixels()
            if min(image.size) < MIN_SIDE:
                raise PhotoError("not-a-picture", Message("This picture is too small to read. Take a new photo."))
            longest = max(image.size)
            image.draft("RGB", (longest_side, longest_side))  # decode a JPEG directly at the size needed
            small = image if image.mode in ("RGB", "L") else _on_white(image)
            small.thumbnail((longest_side, longest_side), Image.Resampling.BOX)
            upright = ImageOps.exif_transpose(small).convert("RGB")
            return Photograph(np.asarray(upright), longest / max(upright.size))
    except PhotoError:
        raise
    except UnidentifiedImageError as error:
        raise _not_a_picture(data) from error
    except (Image.DecompressionBombError, Image.DecompressionBombWarning) as error:
        raise _too_many_pixels() from error
    except Exception as error:  # with damaged or hostile bytes, decoders raise almost anything
        message = Message("This picture is damaged or incomplete. Take a new photo, or choose another file.")
        raise PhotoError("damaged", message) from error


def _bytes(source: bytes | Path | BinaryIO) -> bytes:
    if isinstance(source, Path):
        with source.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    else:
        data = source if isinstance(source, bytes) else source.read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        raise PhotoError("too-many-bytes", Message("This picture is larger than 8 MB. Choose a smaller one."))
    return data


def _not_a_picture(data: bytes) -> PhotoError:
    if data[4:8] == b"ftyp" and data[8:12] in (b"heic", b"heix", b"hevc", b"mif1", b"msf1"):
        message = Message(
            "HEIC pictures can't be read here. Set the phone's camera to JPEG (most compatible) and retry."
        )
        return PhotoError("heic", message)
    message = Message("This file isn't a picture that can be read. Take a photo, or choose a JPEG, PNG or WebP file.")
    return PhotoError("not-a-picture", message)


def _too_many_pixels() -> PhotoError:
    message = Message("This picture has more than 40 megapixels. Choose a smaller one, or take a new photo.")
    return PhotoError("too-many-pixels", message)


def _known_formats() -> list[str]:
    """Return the formats that this build of Pillow can open."""
    from PIL import Image

    Image.init()
    return [name for name in FORMATS if name in Image.OPEN]


def _on_white(image: Image) -> Image:
    from PIL import Image

    exif = image.getexif()
    layer = image.convert("RGBA")
    paper = Image.new("RGB", layer.size, "white")
    paper.paste(layer, mask=layer.getchannel("A"))
    paper.info["exif"] = exif.tobytes()
    return paper
