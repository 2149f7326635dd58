"""Gathers the app and the packages that it needs inside a browser, without what is never loaded there."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Iterator
from importlib.metadata import distribution
from pathlib import Path

from companion.folders import paths

PACKAGE = Path(__file__).resolve().parents[1]
_NOT_THERE = {"h11", "ifaddr", "numpy", "pillow", "uvicorn"}  # for a server, other phones and photographs
_LOCALES = ("en", "en_001", "en_US", "es", "es_419", "es_MX", "root")
_UNUSED = re.compile(
    r"(alembic|sqlalchemy)/testing/|alembic/templates/"
    r"|babel/(locale-data/(?!("
    + "|".join(_LOCALES)
    + r")\.dat)|messages/(frontend|setuptools_frontend|jslexer|extract))"
    r"|click/_(winconsole|termui_impl)|flask/(cli_|testing)|mako/(ext|testing)/|segno/(writers_|cli)"
    r"|sqlalchemy/(dialects/(mssql|mysql|oracle)|ext/mypy|cyextension|connectors/(aioodbc|pyodbc))"
    r"|stdnum/(?!(__init__|exceptions|iban|numdb|util)\.|iso7064/(__init__|mod_97_10)\.)"
    r"|werkzeug/debug/shared"
    r"|.*\.(c|exe|h|pxd|pyi|pyx|so|typed)$|.*/__pycache__/"
)
_UNUSED_OF_OURS = re.compile(
    r"serve/|camera/(weights|__main__)|locks/|pocket/(site/|build|gathering|tools)|.*\.(md|pyc|jinja)$|.*/__pycache__/"
)
_NEVER = (1980, 1, 1, 0, 0, 0)
_REQUIRED = re.compile(r"(?m)^([a-z0-9-]+)==")


def gather(place: Path) -> None:
    """Write a zip file of modules, templates and static files, as Pyodide unpacks them."""
    files = {**dict(_of_packages()), **dict(_ours())}
    with zipfile.ZipFile(place, "w") as archive:
        for name in sorted(files):
            archive.writestr(zipfile.ZipInfo(name, _NEVER), files[name].read_bytes())


def _of_packages() -> Iterator[tuple[str, Path]]:
    names = _REQUIRED.findall((PACKAGE / "locks" / "core.txt").read_text(encoding="utf-8"))
    for name in sorted({*names} - _NOT_THERE):
        for file in distribution(name).files or ():
            path = file.as_posix()
            is_data = ".dist-info/" in path and not path.endswith("/METADATA")
            if not (path.startswith("..") or is_data or _UNUSED.match(path)):
                yield path, Path(str(file.locate()))


def _ours() -> Iterator[tuple[str, Path]]:
    where = paths()
    for prefix, folder in (
        ("companion", PACKAGE),
        ("companion/templates", where.templates),
        ("companion/static", where.static),
    ):
        for file in folder.rglob("*"):
            name = file.relative_to(folder).as_posix()
            if file.is_file() and not _UNUSED_OF_OURS.match(name):
                yield f"{prefix}/{name}", file
