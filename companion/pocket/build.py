"""Writes the folder of static files: what a phone downloads once, each file also compressed."""

from __future__ import annotations

import gzip
import hashlib
import json
import shutil
import subprocess
import tempfile
from functools import cache
from pathlib import Path

from companion.config import require_package
from companion.folders import paths
from companion.web.home.pwa import installed_app
from companion.web.text.language import languages

from .gathering import gather
from .tools import PARTS, Missing, node, unpack_pyodide
from .words import words

SITE = Path(__file__).with_name("site")
_SHELL = (
    "index.html",
    "worker.js",
    "shell.css",
    "shell.js",
    "page.js",
    "first.js",
    "able.js",
    "engine.js",
    "guard.js",
    "storage.js",
)
_ICONS = ("icon-192.png", "icon-512.png", "icon-maskable.png")
_WORTH = 0.95  # a compressed file that is hardly smaller isn't kept


def build(folder: Path, scope: str, effort: int = 11) -> int:
    """Write the site into a new folder, for a host's path such as "/" or "/table/"; returns the bytes of a first visit.

    `effort` is Brotli's, from 0 to 11: the most takes minutes.

    Raises Missing, FileExistsError if the folder isn't empty, and other OSErrors.
    """
    require_package("brotli", "club", "Compressing the files")
    if folder.exists() and any(folder.iterdir()):
        raise FileExistsError(17, "not empty", str(folder))
    with tempfile.TemporaryDirectory() as made:
        site = Path(made, "site")
        pocket = site / "pocket"
        pocket.mkdir(parents=True)
        _make_parts(Path(made), pocket)
        _fill(site, scope, effort)
        fetched = _compress(site, effort)
        shutil.copytree(site, folder, dirs_exist_ok=True)
    return fetched


def _make_parts(work: Path, pocket: Path) -> None:
    """Put Pyodide, the pack of the app and the icons in place."""
    pyodide, app = work / "pyodide", work / "app.zip"
    pyodide.mkdir()
    unpack_pyodide(pyodide)
    gather(app)
    done = subprocess.run(
        [node(), str(SITE / "compile.mjs"), str(pyodide), str(app), str(pocket)], capture_output=True, text=True
    )
    if done.returncode:
        raise Missing(f"Pyodide could not compile the app:\n{(done.stderr or done.stdout).strip()[-2000:]}")
    for name in PARTS:
        shutil.copyfile(pyodide / name, pocket / name)
    lock = json.loads((pyodide / "pyodide-lock.json").read_text(encoding="utf-8"))
    (pocket / "pyodide-lock.json").write_text(json.dumps(lock | {"packages": {}}), encoding="utf-8")
    for name in _ICONS:
        shutil.copyfile(paths().static / "icons" / name, pocket / name)


def _fill(site: Path, scope: str, effort: int) -> None:
    """Write the shell and the workers, which know the build's hash, the path and the files to keep."""
    pocket = site / "pocket"
    manifest = {
        **installed_app(scope),
        "icons": [
            {"src": f"{scope}pocket/{name}", "sizes": "192x192" if "192" in name else "512x512", **_purpose(name)}
            for name in _ICONS
        ],
    }
    (pocket / "app.webmanifest").write_text(json.dumps(manifest), encoding="utf-8")
    sources = {name: (SITE / name).read_text(encoding="utf-8") for name in _SHELL}
    words_of = {code: words(language.words) for code, language in languages().items()}
    made = [*(file.read_bytes() for file in sorted(pocket.iterdir())), *(text.encode() for text in sources.values())]
    hashed = hashlib.sha256(b"".join([*made, json.dumps(words_of).encode(), scope.encode()])).hexdigest()[:12]
    values = {"BUILD": hashed, "SCOPE": scope, "WORDS": json.dumps(words_of)}
    filled = {name: _with(text, values) for name, text in sources.items() if name != "worker.js"}
    for name, text in filled.items():  # the service worker keeps the page with the others
        (pocket / name).write_text(text, encoding="utf-8")
    (site / "index.html").write_text(filled["index.html"], encoding="utf-8")
    files = {
        file.name: (file.stat().st_size, len(_brotli(file.read_bytes(), effort))) for file in sorted(pocket.iterdir())
    }
    worker = _with(sources["worker.js"], {**values, "FILES": json.dumps(files)})
    (site / "worker.js").write_text(worker, encoding="utf-8")


def _with(text: str, values: dict[str, str]) -> str:
    for key, value in values.items():
        text = text.replace(f"__{key}__", value)
    return text


def _purpose(icon: str) -> dict[str, str]:
    return {"purpose": "maskable"} if "maskable" in icon else {}


@cache
def _brotli(read: bytes, effort: int) -> bytes:
    import brotli  # only here: it is an extra

    return bytes(brotli.compress(read, quality=effort, lgwin=24))


def _compress(site: Path, effort: int) -> int:
    """Write each file compressed beside itself; returns the sum of the smallest of each."""
    fetched = 0
    for file in sorted(path for path in site.rglob("*") if path.is_file()):
        read = file.read_bytes()
        sizes = [len(read)]
        for suffix, packed in ((".gz", gzip.compress(read, 9, mtime=0)), (".br", _brotli(read, effort))):
            if len(packed) < len(read) * _WORTH:
                file.with_name(file.name + suffix).write_bytes(packed)
                sizes.append(len(packed))
        fetched += min(sizes)
    return fetched
