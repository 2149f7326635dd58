"""Decodes an uploaded photograph safely in memory: checks limits first, then applies its orientation."""

from __future__ import annotations

import io
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Literal

from companion.engine.messages import Message

from .picture_file import TooComplex, reduced

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from PIL.Image import Image

MAX_BYTES = 8_000_000
MAX_SIDE, MAX_SIDE_OF_TABLE = 1600, 1920  # pixels on the longer side; reading a hand or a table doesn't need more
MIN_SIDE = 16
# Pillow's names of what undoes an orientation of Exif
_TURNS = ("FLIP_LEFT_RIGHT", "ROTATE_180", "FLIP_TOP_BOTTOM", "TRANSPOSE", "ROTATE_270", "TRANSVERSE", "ROTATE_90")

Code = Literal[
    "not-installed",
    "deck-not-read",
    "too-many-bytes",
    "too-many-pixels",
    "too-complex",
    "not-a-picture",
    "heic",
    "damaged",
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
    """Decode a picture within the limits, reduced to a longest side; else raise PhotoError."""
    import numpy as np
    from PIL import Image

    data = _bytes(source)
    try:
        file = reduced(data)
        if file is None:
            raise _not_a_picture(data)
        with Image.open(io.BytesIO(file.data), formats=[file.form]) as image:
            if image.width * image.height > file.max_pixels:
                raise _too_many_pixels(file.max_pixels)
            if min(image.size) < MIN_SIDE:
                raise PhotoError("not-a-picture", Message("This picture is too small to read. Take a new photo."))
            longest = max(image.size)
            image.draft("RGB", (longest_side, longest_side))  # decode a JPEG directly at the size needed
            small = image if image.mode in ("RGB", "L") else _on_white(image)
            small.thumbnail((longest_side, longest_side), Image.Resampling.BOX)
            turn = file.orientation - 2
            upright = small.transpose(Image.Transpose[_TURNS[turn]]) if turn >= 0 else small
            return Photograph(np.asarray(upright.convert("RGB")), longest / max(upright.size))
    except PhotoError:
        raise
    except TooComplex as error:
        message = Message("This picture is stored in a way that no camera uses. Take a new photo.")
        raise PhotoError("too-complex", message) from error
    except (Image.DecompressionBombError, Image.DecompressionBombWarning) as error:
        raise _too_many_pixels(file.max_pixels if file else 0) from error
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


def _too_many_pixels(most: int) -> PhotoError:
    text = "This picture has more than {n} megapixels. Choose a smaller one, or take a new photo."
    return PhotoError("too-many-pixels", Message(text, n=most // 1_000_000))


def _on_white(image: Image) -> Image:
    from PIL import Image

    layer = image.convert("RGBA")
    paper = Image.new("RGB", layer.size, "white")
    paper.paste(layer, mask=layer.getchannel("A"))
    return paper
