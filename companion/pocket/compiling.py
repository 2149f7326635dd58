"""What Pyodide does while the folder is built: its Python must compile what a phone will load.

It runs in `/app`, where the app and its packages are unpacked, and leaves `/out`: the pack, and a smaller standard
library. Nothing may depend on the clock or on the order of a set, or two builds would differ.
"""

from __future__ import annotations

import json
import py_compile
import sqlite3
import struct
import sys
import zipfile
from contextlib import closing
from pathlib import Path

from .inside import EMPTY, PLATFORM

APP, OUT, MADE = Path("/app"), Path("/out"), Path("/made")
_UNUSED = [
    "_pyrepl/",
    "asyncio/__main__",
    "compression/zstd",
    "ctypes/macholib",
    "curses/",
    "dbm/",
    "doctest",
    "ensurepip/",
    "idlelib/",
    "lib2to3/",
    "multiprocessing/",
    "pdb",
    "profiling/",
    "pydoc",
    "pydoc_data/",
    "sqlite3/__main__",
    "test/",
    "tkinter/",
    "turtle",
    "turtledemo/",
    "unittest/",
    "venv/",
    "wsgiref/",
    "xmlrpc/",
    "zipapp",
]
_NEVER = (1980, 1, 1, 0, 0, 0)


def make_all() -> None:
    """Make the empty database, compile templates and modules, and pack them."""
    OUT.mkdir()
    _make_database_and_templates()
    for file in sorted(APP.rglob("*.py")):
        name = file.relative_to(APP).as_posix()
        # Alembic and the start look for the migrations by their sources' names
        if not name.startswith("companion/migrations/"):
            _compile(file, name, f"{file}c")
            file.unlink()
    for file in [*APP.rglob("__pycache__/*.pyc")]:
        file.unlink()
    _pack(OUT / "app.pack")
    _make_library(OUT / "python_stdlib.zip")


def _make_database_and_templates() -> None:
    from companion import create_app
    from companion.store.models import db

    app = create_app({"INSTANCE": MADE, "PLATFORM": PLATFORM})
    sys.dont_write_bytecode = False
    for name in app.jinja_env.list_templates(extensions=["html", "xml", "svg"]):
        app.jinja_env.get_template(name)
    sys.dont_write_bytecode = True
    with app.app_context():
        db.engine.dispose()
    with closing(sqlite3.connect(MADE / "companion.db", isolation_level=None)) as made:
        made.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        made.execute("PRAGMA journal_mode=DELETE")
        made.execute("VACUUM INTO ?", (str(EMPTY),))


def _compile(source: Path, name: str, target: str) -> None:
    # what others assert costs time and says nothing here; our own documentation is shown on pages
    is_ours = name.startswith("companion/")
    mode = py_compile.PycInvalidationMode.UNCHECKED_HASH
    py_compile.compile(str(source), target, name, doraise=True, optimize=0 if is_ours else 2, invalidation_mode=mode)


def _pack(place: Path) -> None:
    """Write all files one after the other, behind a list of their paths, places and lengths."""
    entries: list[tuple[str, int, int]] = []
    contents, at = [], 0
    for file in sorted(APP.rglob("*")):
        if file.is_file():
            read = file.read_bytes()
            entries.append((file.relative_to(APP).as_posix(), at, len(read)))
            contents.append(read)
            at += len(read)
    head = json.dumps(entries, separators=(",", ":")).encode()
    place.write_bytes(struct.pack("<I", len(head)) + head + b"".join(contents))


def _make_library(place: Path) -> None:
    """Write the standard library without what the app never loads, compiled."""
    library = next(Path("/lib").glob("python3*.zip"))
    source, target = Path("/module.py"), Path("/module.pyc")
    with zipfile.ZipFile(library) as bundled, zipfile.ZipFile(place, "w") as made:
        for name in sorted(bundled.namelist()):
            if name.endswith("/") or name.startswith(tuple(_UNUSED)):
                continue
            read = bundled.read(name)
            if name.endswith(".py"):
                source.write_bytes(read)
                _compile(source, name, str(target))
                name, read = f"{name}c", target.read_bytes()
            # not compressed: what compresses the whole file does it better
            made.writestr(zipfile.ZipInfo(name, _NEVER), read)
