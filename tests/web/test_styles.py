"""Every class in the style sheets is used by a template, a script or a view."""

from __future__ import annotations

import re
from pathlib import Path

import companion

ROOT = Path(companion.__file__).resolve().parent.parent
STYLES = sorted((ROOT / "static").rglob("*.css"))
USERS = [
    *(ROOT / "templates").rglob("*.*ml"),
    *(ROOT / "templates").rglob("*.svg"),
    *(ROOT / "static").rglob("*.js"),
    *(ROOT / "companion" / "web").rglob("*.py"),
]
USED = "\n".join(path.read_text(encoding="utf-8") for path in USERS)
WORDS = frozenset(re.findall(r"[a-z][\w-]*", USED)) | {"qrline"}  # segno puts it on a QR code's path


def classes(sheet: Path) -> set[str]:
    """Return the classes in a sheet's selectors."""
    without_comments = re.sub(r"/\*.*?\*/", "", sheet.read_text(encoding="utf-8"), flags=re.DOTALL)
    selectors = re.sub(r"\{[^{}]*\}", "{}", without_comments)
    return set(re.findall(r"\.([a-z][\w-]*)", selectors))


def is_used(name: str) -> bool:
    """Return whether a class is written somewhere, or put together from a prefix and a value, as in mark-{{ n }}."""
    prefix = re.escape(name.rpartition("-")[0])
    return name in WORDS or bool(prefix and re.search(rf"\b{prefix}-(\{{\{{|\$\{{|\"|'| ~)", USED))


# what a browser animates without styling and painting the page for each frame, and what changes once
CHEAP = {"opacity", "rotate", "transform", "translate", "scale", "visibility", "pointer-events"}


def test_animations_leave_the_page_alone() -> None:
    """A bar that ran out by its background's size had a slow phone paint the page sixty times before the next tap."""
    frames = [
        (path.name, name, body)
        for path in STYLES
        for name, body in re.findall(r"@keyframes ([\w-]+) \{((?:[^{}]*\{[^{}]*\})*)", path.read_text(encoding="utf-8"))
    ]
    assert {"beat", "breathe"} <= {name for _, name, _ in frames}
    dear = [(*one[:2], rule) for one in frames for rule in re.findall(r"([\w-]+): ", one[2]) if rule not in CHEAP]
    assert dear == []


def test_a_phone_of_apple_does_not_zoom_in_on_a_list() -> None:
    """Safari zooms in on a field with text below 16 px; on a phone only, it has callouts."""
    form = (ROOT / "static" / "styles" / "components" / "form.css").read_text(encoding="utf-8")
    lists = re.search(r"^  select \{.*$", form, flags=re.MULTILINE)
    assert lists is not None
    assert re.findall(r"(.{43}) \{ font-size", lists[0]) == ["@supports not (-webkit-touch-callout: none)"]
    assert lists[0].count("font-size") == 1


def test_every_class_is_used() -> None:
    unused = [f"{sheet.name}: .{name}" for sheet in STYLES for name in sorted(classes(sheet)) if not is_used(name)]
    assert not unused
