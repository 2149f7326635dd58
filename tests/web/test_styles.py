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


def test_every_class_is_used() -> None:
    unused = [f"{sheet.name}: .{name}" for sheet in STYLES for name in sorted(classes(sheet)) if not is_used(name)]
    assert not unused
