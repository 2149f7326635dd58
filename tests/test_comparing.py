"""Pictures compared with those that were accepted: what counts as changed, and where it is framed."""

from __future__ import annotations

from pathlib import Path

from comparing import boxes_of, compared
from PIL import Image, ImageDraw


def page(*marks: tuple[int, int, int, int], size: tuple[int, int] = (100, 200)) -> Image.Image:
    drawn = Image.new("RGB", size, "white")
    for mark in marks:
        ImageDraw.Draw(drawn).rectangle(mark, fill="black")
    return drawn


def test_equal_pictures_have_no_boxes() -> None:
    assert boxes_of(page((10, 10, 20, 20)), page((10, 10, 20, 20))) == []
    slightly = page()
    slightly.putpixel((5, 5), (245, 245, 245))
    assert boxes_of(page(), slightly) == []


def test_distant_changes_have_separate_boxes() -> None:
    found = boxes_of(page(), page((2, 2, 4, 4), (20, 2, 25, 4), (90, 190, 95, 195)))
    assert sorted(found) == [(0, 0, 32, 16), (80, 176, 96, 200)]


def test_a_longer_page_has_changed_at_its_end() -> None:
    assert boxes_of(page(), page(size=(100, 240))) == [(0, 192, 100, 240)]


def test_folders_are_compared_by_name(tmp_path: Path) -> None:
    accepted, today, shown = (tmp_path / name for name in ("accepted", "today", "changed"))
    for folder in (accepted, today):
        folder.mkdir()
        page().save(folder / "same.png")
    page().save(accepted / "other.png")
    page((2, 2, 4, 4)).save(today / "other.png")
    page().save(today / "new.png")
    found = {one.name: (one.what, one.boxes) for one in compared(accepted, today, shown)}
    assert found == {"new": ("new", ()), "other": ("1 boxes", ((0, 0, 16, 16),))}
    (drawn,) = shown.iterdir()
    with Image.open(drawn) as picture:
        assert picture.size == (216, 200)
