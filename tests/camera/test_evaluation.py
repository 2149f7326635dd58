"""The error report of `training/evaluate.py`."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from PIL import Image

HERE = Path(__file__).parent
sys.path.append(str(HERE / "training"))
from drawings import confusions, draw_calibration, pairs  # noqa: E402

PAIRS = [
    ("Kd", "4d", {("K", "4"): 1}),
    ("Kd", "Ks", {("d", "s"): 1}),
    ("Kd Qs", "4d 8s", {("K", "4"): 1, ("Q", "8"): 1}),
    ("2c", "4s", {}),
    ("Jk", "5d", {}),
    ("1-2", "1-3", {("1-2", "1-3"): 1}),
    ("1-2", "3-4", {}),
    ("1-2", "", {}),
]


@pytest.mark.parametrize(("missed", "wrong", "found"), PAIRS, ids=[f"{row[0]} as {row[1]}" for row in PAIRS])
def test_what_was_read_as_what(missed: str, wrong: str, found: dict[tuple[str, str], int]) -> None:
    assert pairs(missed.split(), wrong.split()) == found


def test_confusions_are_a_table() -> None:
    assert confusions({("K", "4"): 1, ("Q", "8"): 12}).splitlines() == [
        "there \\ read     4    8",
        "K                1     ",
        "Q                    12",
    ]


@pytest.mark.thorough
def test_the_diagram_has_a_dot_where_readings_are(tmp_path: Path) -> None:
    draw_calibration({0.0: [10, 5], 0.5: [0, 0]}, tmp_path / "one.png")
    draw_calibration({0.0: [0, 0], 0.5: [10, 5]}, tmp_path / "other.png")
    with Image.open(tmp_path / "one.png") as one, Image.open(tmp_path / "other.png") as other:
        reds = [[x for x in range(picture.width) if _is_red(picture, x)] for picture in (one, other)]
    assert max(reds[0]) < min(reds[1])


def _is_red(picture: Image.Image, x: int) -> bool:
    return any(picture.getpixel((x, y)) == (200, 16, 46) for y in range(picture.height))


@pytest.mark.thorough
def test_the_worst_photographs_are_marked(tmp_path: Path) -> None:
    """A card of the samples is said to be another, so that its photograph is a failure."""
    (tmp_path / "cards").mkdir()
    name = "rendered_001.jpg"
    (tmp_path / "cards" / name).write_bytes((HERE / "samples" / "cards" / name).read_bytes())
    (tmp_path / "cards.json").write_text(f'{{"{name}": {{"cards": ["2c", "3c"], "kind": "apart"}}}}')
    command = [sys.executable, HERE / "training" / "evaluate.py", "--photos", tmp_path, "--only", "cards"]
    done = subprocess.run([*command, "--pictures", tmp_path / "pictures"], capture_output=True, text=True, check=True)
    assert f"{name}: missed ['2c', '3c']" in done.stdout
    assert {path.name for path in (tmp_path / "pictures").iterdir()} == {"cards-calibration.png", "cards-worst-1.png"}
