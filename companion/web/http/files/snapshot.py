"""Reads the files that pages are made of, all at start: a process serves those of its own version until it ends.

An upgrade replaces them while the old version runs, and its code can't render the new templates.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path


@cache
def read_all(folder: str) -> Mapping[str, bytes]:
    """Return the content of all files in a folder, by their path within it; read once per process."""
    files = (file for file in sorted(Path(folder).rglob("*")) if "__pycache__" not in file.parts and file.is_file())
    return {file.relative_to(folder).as_posix(): file.read_bytes() for file in files}
