"""Decoding a photograph: anything else gets a message, and the picture is turned upright."""

from __future__ import annotations

import io
import random
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from bombs import a_bomb
from PIL import Image

from companion.camera import photograph, picture_file, read_hand
from companion.camera.photograph import PhotoError, decode
from companion.engine.pieces.cards import FRENCH, SPANISH_40, SPANISH_48

SAMPLES = Path(__file__).with_name("samples")
ORIENTATION = 0x0112


def encoded(image: Image.Image, form: str = "JPEG", **options: object) -> bytes:
    file = io.BytesIO()
    image.save(file, form, **options)
    return file.getvalue()


def a_sample() -> bytes:
    return min((SAMPLES / "cards").iterdir()).read_bytes()


SMALL = Image.new("RGB", (64, 48), (30, 110, 60))


def scanned_again(scans: int) -> bytes:
    """Return a progressive JPEG of this many scans: the last one again and again."""
    data = encoded(SMALL, progressive=True)
    last = data.rindex(b"\xff\xda")
    return data[:-2] + data[last:-2] * (scans - data.count(b"\xff\xda")) + data[-2:]


BAD = {
    "no file": (b"", "not-a-picture"),
    "text": (b"Qh Qd Qs 3c 2d", "not-a-picture"),
    "a PDF named .jpg": (b"%PDF-1.7\n1 0 obj\n<<>>\nendobj\n%%EOF\n", "not-a-picture"),
    "a web page": (b"<svg xmlns='http://www.w3.org/2000/svg'/>", "not-a-picture"),
    "HEIC": (b"\x00\x00\x00\x18ftypheic\x00\x00\x00\x00mif1heic", "heic"),
    "only its head": (a_sample()[:300], "damaged"),
    "half a file": (a_sample()[: len(a_sample()) // 2], "damaged"),
    "half a PNG": (encoded(Image.effect_noise((64, 64), 50), "PNG")[:2000], "damaged"),
    "9 MB": (b"\xff\xd8" + bytes(9_000_000), "too-many-bytes"),
    "41 megapixels": (a_bomb(6_404), "too-many-pixels"),
    "100 megapixels": (a_bomb(10_000), "too-many-pixels"),
    "a decompression bomb": (a_bomb(40_000), "too-many-pixels"),
    "17 megapixels in a PNG": (encoded(Image.new("1", (4_100, 4_100)), "PNG"), "too-many-pixels"),
    "17 megapixels in a WebP": (encoded(Image.new("L", (4_100, 4_100)), "WEBP"), "too-many-pixels"),
    "a JPEG of too many scans": (scanned_again(41), "too-complex"),
    "a JPEG of comments": (b"\xff\xd8" + b"\xff\xfe\x00\x02" * 30_000 + b"\xff\xd9", "too-complex"),
    "a JPEG of restarts": (b"\xff\xd8" + b"\xff\xd0" * 30_000 + b"\xff\xd9", "too-complex"),
    "a JPEG of fill bytes": (b"\xff\xd8" + b"\xff" * 7_900_000, "damaged"),
    "a JPEG in arithmetic coding": (encoded(SMALL).replace(b"\xff\xc0", b"\xff\xc9"), "too-complex"),
    "a PNG of chunks": (encoded(SMALL, "PNG")[:33] + b"\x00\x00\x00\x00tEXt0000" * 30_000, "too-complex"),
    "a WebP of chunks": (encoded(SMALL, "WEBP")[:12] + b"note\x00\x00\x00\x00" * 30_000, "too-complex"),
    "a WebP without a picture": (b"RIFF\x04\x00\x00\x00WEBP", "damaged"),
    "a GIF": (encoded(SMALL, "GIF"), "not-a-picture"),
    "a TIFF": (encoded(SMALL, "TIFF"), "not-a-picture"),
    "8 x 8 pixels": (encoded(Image.new("RGB", (8, 8))), "not-a-picture"),
}


@pytest.mark.parametrize("what", BAD)
def test_files_that_are_not_pictures_are_refused_with_a_message(what: str) -> None:
    data, code = BAD[what]
    with pytest.raises(PhotoError) as refused:
        read_hand(data, FRENCH, 5)
    assert refused.value.code == code
    assert str(refused.value.message).endswith((".", "retry."))


def drawn_cat() -> Image.Image:
    """Whiskers on noise: a picture, but not of cards."""
    noise = np.random.default_rng(1).integers(60, 190, (40, 40, 3), dtype=np.uint8)
    fur = Image.fromarray(noise).resize((640, 480), Image.Resampling.BICUBIC)
    for x in (220, 420):
        fur.paste((20, 25, 20), (x - 20, 180, x + 20, 220))
        fur.paste((230, 220, 90), (x - 8, 185, x + 8, 215))
    return fur


@pytest.mark.parametrize(
    "image",
    [
        Image.new("RGB", (640, 480)),
        Image.new("RGB", (640, 480), (30, 110, 60)),
        Image.new("L", (640, 480), 255),
        Image.new("RGB", (2000, 16), "white"),
        drawn_cat(),
    ],
    ids=["black frame", "blank table", "white", "a strip", "a cat"],
)
def test_a_picture_without_cards_reads_nothing(image: Image.Image) -> None:
    assert [r for r in read_hand(encoded(image), FRENCH, 5) if r.confidence >= 0.6] == []


@pytest.mark.parametrize("pieces", [SPANISH_40, SPANISH_48])
def test_spanish_cards_are_refused_before_decoding(pieces: object) -> None:
    with pytest.raises(PhotoError) as refused:
        read_hand(b"", pieces, 5)  # type: ignore[arg-type]
    assert refused.value.code == "deck-not-read"


@pytest.mark.parametrize("source", ["bytes", "path", "file"])
def test_every_kind_of_source_is_read(source: str, tmp_path: Path) -> None:
    data = encoded(Image.new("RGB", (40, 30), "red"))
    path = tmp_path / "photo"
    path.write_bytes(data)
    taken = decode({"bytes": data, "path": path, "file": io.BytesIO(data)}[source])  # type: ignore[arg-type]
    assert taken.pixels.shape == (30, 40, 3)


@pytest.mark.parametrize("turn", range(1, 9))
@pytest.mark.parametrize("form", ["JPEG", "PNG", "WEBP"])
def test_a_picture_is_turned_upright(turn: int, form: str) -> None:
    upright = Image.new("RGB", (60, 40), "white")
    upright.paste((200, 0, 0), (0, 0, 30, 20))
    undo = {2: 0, 3: 3, 4: 1, 5: 5, 6: 2, 7: 6, 8: 4}  # Pillow's numbers for the opposite of each turn
    stored = upright.transpose(Image.Transpose(undo[turn])) if turn > 1 else upright
    exif = Image.Exif()
    exif[ORIENTATION] = turn
    pixels = decode(encoded(stored, form, exif=exif)).pixels
    assert pixels.shape == (40, 60, 3)
    assert pixels[5, 5, 1] < 60 < 200 < pixels[35, 55, 1]


@pytest.mark.parametrize(
    ("mode", "form"),
    [("L", "JPEG"), ("CMYK", "JPEG"), ("P", "PNG"), ("1", "PNG"), ("RGBA", "PNG"), ("LA", "PNG"), ("I;16", "PNG")],
)
def test_every_kind_of_colour_is_read(mode: str, form: str) -> None:
    image = Image.new("L", (40, 30), 200).convert(mode) if mode != "I;16" else Image.new("I;16", (40, 30), 200)
    assert decode(encoded(image, form)).pixels.shape == (30, 40, 3)


def test_a_progressive_picture_has_as_many_scans_as_an_editor_writes() -> None:
    assert decode(scanned_again(picture_file.MAX_SCANS)).pixels.shape == (48, 64, 3)


def exif(entries: int) -> bytes:
    """Return Exif data whose entries all refer to the same bytes, as many as there are."""
    table = b"".join(tag.to_bytes(2) + b"\x00\x07" + (60_000).to_bytes(4) + bytes(4) for tag in range(entries))
    return b"Exif\x00\x00MM\x00*\x00\x00\x00\x08" + entries.to_bytes(2) + table + bytes(4)


# form | options: what decoders would have to work through, though it isn't part of the picture
MORE: list[tuple[str, dict[str, Any]]] = [
    ("JPEG", {"comment": b"x" * 60_000, "icc_profile": b"x" * 900_000, "exif": exif(5_000)}),
    ("PNG", {"icc_profile": b"x" * 900_000, "exif": exif(5_000)}),
    ("PNG", {"save_all": True, "append_images": [SMALL.rotate(turn) for turn in range(10, 60)]}),
    ("WEBP", {"icc_profile": b"x" * 900_000, "exif": exif(5_000)}),
    ("MPO", {"save_all": True, "append_images": [SMALL.rotate(turn) for turn in range(10, 60)]}),
]


@pytest.mark.parametrize(("form", "options"), MORE, ids=["jpeg", "png", "animated", "webp", "many pictures"])
def test_only_what_makes_the_picture_is_decoded(form: str, options: dict[str, Any]) -> None:
    data = encoded(SMALL, form, **options)
    file = picture_file.reduced(data)
    assert file is not None
    assert len(file.data) <= len(encoded(SMALL, file.form)) + 18 < len(data)  # a WebP keeps its header
    assert decode(data).pixels.shape == (48, 64, 3)


@pytest.mark.parametrize("mode", ["RGB", "RGBA"])
@pytest.mark.parametrize("lossless", [True, False])
def test_the_first_picture_of_a_webp_is_read(mode: str, lossless: bool) -> None:
    still = encoded(SMALL.convert(mode), "WEBP", lossless=lossless, exif=exif(3))
    assert abs(int(decode(still).pixels[5, 5, 1]) - 110) < 9


def test_whatever_is_cut_or_changed_is_a_picture_or_refused() -> None:
    chance = random.Random(7)
    whole = [encoded(SMALL, form, exif=exif(9)) for form in ("JPEG", "PNG", "WEBP")]
    whole.append(scanned_again(12))
    for _ in range(400):
        data = bytearray(chance.choice(whole))
        for _ in range(chance.randrange(1, 5)):
            data[chance.randrange(len(data))] = chance.randrange(256)
        with suppress(PhotoError):
            assert max(decode(bytes(data[: chance.randrange(4, len(data) + 1)])).pixels.shape) <= photograph.MAX_SIDE


def test_transparency_becomes_white() -> None:
    assert decode(encoded(Image.new("RGBA", (40, 30), (9, 9, 9, 0)), "PNG")).pixels.min() == 255


def test_a_large_picture_is_reduced_and_knows_its_scale() -> None:
    taken = decode(encoded(Image.new("RGB", (4000, 3000), "white")))
    assert max(taken.pixels.shape) <= photograph.MAX_SIDE
    assert taken.scale == 4000 / max(taken.pixels.shape)
