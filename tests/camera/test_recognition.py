"""Recognition on rendered hands and tables, with packs that training never used."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

import companion
from companion.camera import PhotoError, can_read, read_hand
from companion.camera.readings import Detection
from companion.engine.pieces.cards import FRENCH, FRENCH_WITH_JOKER, SPANISH_40, SPANISH_48
from companion.engine.pieces.dominoes import DOMINOES
from companion.engine.pieces.sets import PieceSet

pytestmark = pytest.mark.thorough

SAMPLES = Path(__file__).with_name("samples")
SETS: dict[str, PieceSet[Any]] = {"cards": FRENCH_WITH_JOKER, "dominoes": DOMINOES}
RIGHT = {"cards": 0.82, "dominoes": 0.8}  # a little below what is measured


def samples(what: str) -> dict[Path, set[str]]:
    pieces = SETS[what]
    entries = json.loads((SAMPLES / f"{what}.json").read_text())
    return {
        SAMPLES / what / name: {pieces.spellings[label].text for label in entry.get("cards") or entry["tiles"]}
        for name, entry in entries.items()
    }


@pytest.fixture(scope="module", params=list(SETS))
def read(request: pytest.FixtureRequest) -> tuple[str, list[tuple[Path, set[str], list[Detection]]]]:
    what = request.param
    hands = samples(what)
    return what, [(file, there, read_hand(file, SETS[what], len(there))) for file, there in hands.items()]


Read = tuple[str, list[tuple[Path, set[str], list[Detection]]]]


def test_most_pieces_are_recognized(read: Read) -> None:
    what, hands = read
    right = sum(len(there & {r.piece.text for r in readings[: len(there)]}) for _, there, readings in hands)
    assert right / sum(len(there) for _, there, _ in hands) >= RIGHT[what]


def test_confident_readings_are_right(read: Read) -> None:
    _, hands = read
    sure = [r.piece.text in there for _, there, readings in hands for r in readings if r.confidence >= 0.9]
    assert len(sure) > 4
    assert sum(sure) / len(sure) >= 0.97


@pytest.mark.parametrize("read", ["cards"], indirect=True)
def test_jokers_are_read_next_to_german_and_french_letters(read: Read) -> None:
    _, hands = read
    found = [r.piece.text for file, _, readings in hands if file.name.startswith("joker") for r in readings]
    assert found.count("Jk") >= 3


def test_readings_are_in_order_each_piece_once_and_in_the_picture(read: Read) -> None:
    _, hands = read
    for file, _, readings in hands:
        assert [r.confidence for r in readings] == sorted((r.confidence for r in readings), reverse=True)
        assert all(0 <= r.confidence <= 1 for r in readings)
        assert len({r.piece for r in readings}) == len(readings)
        with Image.open(file) as image:
            for r in readings:
                x, y, w, h = r.box
                assert 0 <= x < x + w <= image.width
                assert 0 <= y < y + h <= image.height


def test_a_picture_on_its_side_reads_the_same() -> None:
    file, there = next(iter(samples("cards").items()))
    with Image.open(file) as image:
        upright = [r.piece for r in read_hand(file, FRENCH, len(there))][: len(there)]
        data = io.BytesIO()
        exif = Image.Exif()
        exif[0x0112] = 6
        image.transpose(Image.Transpose.ROTATE_90).save(data, "JPEG", quality=95, exif=exif)
    turned = [r.piece for r in read_hand(data.getvalue(), FRENCH, len(there))][: len(there)]
    assert len(set(upright) & set(turned)) >= len(there) - 1


def test_cards_behind_a_reflection_are_read() -> None:
    """A reflection leaves little between ink and paper, and tints both; the second look evens that out again."""
    right = there = 0
    for file, cards in list(samples("cards").items())[:4]:
        dulled = Image.merge(
            "RGB",
            [
                band.point([round(0.3 * level + light) for level in range(256)])
                for band, light in zip(Image.open(file).convert("RGB").split(), (150, 140, 120), strict=True)
            ],
        )
        picture = io.BytesIO()
        dulled.save(picture, "JPEG", quality=92)
        found = {reading.piece.text for reading in read_hand(picture.getvalue(), FRENCH_WITH_JOKER, len(cards))}
        right, there = right + len(cards & found), there + len(cards)
    assert right / there >= 0.45, f"{right} of {there}"  # 12 of 22; without that, 7


def test_a_set_without_a_joker_has_none_among_its_readings() -> None:
    for file in [file for file in samples("cards") if file.name.startswith("joker")]:
        assert all(r.piece in FRENCH.pieces for r in read_hand(file, FRENCH, 5))


def test_which_sets_can_be_read() -> None:
    assert [can_read(pieces) for pieces in (FRENCH, FRENCH_WITH_JOKER, DOMINOES)] == [True] * 3
    assert not any(can_read(pieces) for pieces in (SPANISH_40, SPANISH_48))


def run(*arguments: str, **environment: str) -> str:
    done = subprocess.run(
        [sys.executable, *arguments],
        check=True,
        capture_output=True,
        text=True,
        cwd=Path(companion.__file__).parent.parent,
        env={**os.environ, **environment},
    )
    return done.stdout


def test_numpy_and_pillow_are_not_loaded_before_a_photograph(tmp_path: Path) -> None:
    code = """
import sys
from pathlib import Path
from companion import create_app, camera
create_app({"INSTANCE": Path(sys.argv[1])}).test_client().get("/")
print([name for name in ("numpy", "PIL") if name in sys.modules])
"""
    assert run("-c", code, str(tmp_path)).strip() == "[]"


def test_without_numpy_a_message_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "companion.camera.recognition", None)
    with pytest.raises(PhotoError) as refused:
        read_hand(b"", FRENCH, 5)
    assert refused.value.code == "not-installed"


def test_command_prints_a_line_for_each_file(tmp_path: Path) -> None:
    file, there = next(iter(samples("cards").items()))
    lost, broken = tmp_path / "lost.jpg", tmp_path / "broken.jpg"
    broken.write_bytes(b"%PDF")
    names = [str(file), str(lost), str(broken)]
    lines = run("-m", "companion.camera", *names, "--pieces", "french", "--size", str(len(there))).splitlines()
    first, second, third = map(json.loads, lines)
    assert [first["file"], second["file"], third["file"]] == names
    assert set(first) == {"file", "pieces"}
    assert {"piece", "confidence", "box"} == set(first["pieces"][0])
    assert second["pieces"] == third["pieces"] == []
    assert "No such file" in second["error"]
    assert "isn't a picture" in third["error"]


def test_command_prints_the_hands_of_a_table() -> None:
    file, there = next(iter(samples("cards").items()))
    (line,) = run("-m", "companion.camera", str(file), "--table", str(len(there))).splitlines()
    shown = json.loads(line)
    assert set(shown) == {"file", "groups"}
    assert all(set(group) == {"pieces", "box"} for group in shown["groups"])
    assert there & {piece["piece"] for group in shown["groups"] for piece in group["pieces"]}


def test_command_says_which_pack_it_cannot_read() -> None:
    (line,) = run("-m", "companion.camera", "any.jpg", "--pieces", "spanish", "--size", "5").splitlines()
    assert "can't be read" in json.loads(line)["error"]
