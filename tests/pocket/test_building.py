"""The command that builds the folder: what it refuses, what it packs, and that the parts come from the right hands."""

from __future__ import annotations

import base64
import hashlib
import io
import json
import re
import subprocess
import sys
import tarfile
from collections.abc import Callable
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest
from pocket_host import SCOPE

from companion.pocket import build as building
from companion.pocket import tools
from companion.pocket.gathering import gather
from companion.serve.command import main

pytestmark = pytest.mark.thorough

Said = Callable[[], tuple[str, str]]


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return where a package in place of Pyodide is fetched to; nothing is there yet."""
    made = tmp_path / "fetched.tgz"
    with tarfile.open(made, "w:gz") as archive:
        for name in tools._NEEDED:
            content = b'{"packages": {"numpy": {}}}' if name.endswith("lock.json") else b"x" * 1000
            entry = tarfile.TarInfo(f"package/{name}")
            entry.size = len(content)
            archive.addfile(entry, io.BytesIO(content))
    lock = tmp_path / "pyodide.json"
    hashed = base64.b64encode(hashlib.sha512(made.read_bytes()).digest()).decode()
    lock.write_text(json.dumps({"package": "pyodide", "version": "1", "integrity": f"sha512-{hashed}"}))
    monkeypatch.setattr(tools, "_LOCK", lock)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return made


@pytest.fixture
def programs(package: Path, monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """Put programs in place of Node and npm; returns what they were asked."""
    asked: list[list[str]] = []

    def run(command: list[str], **given: Any) -> subprocess.CompletedProcess[str]:
        asked.append([Path(command[0]).name, *command[1:]])
        if command[1] == "pack":
            (Path(given["cwd"]) / "pyodide-1.tgz").write_bytes(package.read_bytes())
        else:
            for name in ("app.pack", "python_stdlib.zip"):
                Path(command[-1], name).write_bytes(b"y" * 1000)
        return subprocess.CompletedProcess(command, 0, "", "")

    monkeypatch.setattr(subprocess, "run", run)
    monkeypatch.setattr(tools.shutil, "which", lambda name, **_given: f"/bin/{name}")
    return asked


def test_the_command_fetches_once_and_writes_each_file_compressed(
    programs: list[list[str]], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for folder in ("a", "b"):
        assert main(["pocket", str(tmp_path / folder), "--scope", SCOPE]) == 0
        assert "A first visit to /pocket/ fetches 0.0 MB" in capsys.readouterr().out
    assert [program[:2] for program in programs if program[1] == "pack"] == [["npm", "pack"]]
    files = {path.relative_to(tmp_path / "a").as_posix() for path in (tmp_path / "a").rglob("*") if path.is_file()}
    assert {"index.html", "worker.js", "pocket/engine.js", "pocket/app.pack.br", "pocket/app.pack.gz"} <= files
    assert "pocket/icon-192.png.gz" not in files  # hardly smaller
    assert json.loads((tmp_path / "a" / "pocket" / "pyodide-lock.json").read_text()) == {"packages": {}}
    for name in ("index.html", "worker.js", "pocket/shell.js", "pocket/engine.js"):
        text = (tmp_path / "a" / name).read_text()
        assert "__" not in text.replace("__proto__", ""), name
        assert text == (tmp_path / "b" / name).read_text()


def test_what_can_t_be_built_is_said(
    programs: list[list[str]],
    package: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def refuses(said: str, *arguments: str) -> None:
        folder = tmp_path / "new"
        assert main(["pocket", str(folder), *arguments]) == 1
        assert said in capsys.readouterr().err
        assert not folder.exists()

    for scope in ("table/", "/table", "/a b/", "/../"):
        refuses("isn't a path on a host", "--scope", scope)
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "mine").touch()
    assert main(["pocket", str(tmp_path / "full")]) == 1
    assert "full exists already" in capsys.readouterr().err
    fails = subprocess.CompletedProcess([], 1, "", "npm warn\nnpm error no network")
    with monkeypatch.context() as patch:
        patch.setattr(subprocess, "run", lambda *_given, **_named: fails)
        refuses("npm could not fetch pyodide@1: npm error no network")
    whole = package.read_bytes()
    package.write_bytes(whole + b"x")
    refuses("isn't the pyodide@1 of companion/locks/pyodide.json")
    package.write_bytes(whole)
    assert main(["pocket", str(tmp_path / "ready")]) == 0
    with monkeypatch.context() as patch:
        patch.setattr(subprocess, "run", lambda *_given, **_named: fails)
        refuses("Pyodide could not compile the app:\nnpm warn\nnpm error no network")
    for missing, said in (("node", "Node builds the folder"), ("npm", "npm fetches pyodide@1")):
        (tmp_path / "cache" / "table-companion" / "pyodide-1.tgz").unlink(missing_ok=True)
        with monkeypatch.context() as patch:
            patch.setattr(tools.shutil, "which", lambda name, gone=missing, **_given: None if name == gone else name)
            refuses(said)


def test_the_pack_has_the_app_without_what_phones_never_load(tmp_path: Path) -> None:
    for name in ("a.zip", "b.zip"):
        gather(tmp_path / name)
    assert (tmp_path / "a.zip").read_bytes() == (tmp_path / "b.zip").read_bytes()
    names = ZipFile(tmp_path / "a.zip").namelist()
    for wanted in (
        "companion/__init__.py",
        "companion/pocket/inside.py",
        "companion/templates/home.html",
        "companion/static/styles/site.css",
        "companion/translations/es_MX/LC_MESSAGES/messages.po",
        "flask/app.py",
        "babel/locale-data/es_MX.dat",
    ):
        assert wanted in names
    never = ("companion/serve/", "companion/camera/weights", "companion/pocket/site/", "numpy/", "PIL/", "uvicorn/")
    assert [name for name in names if name.startswith(never) or name.endswith((".so", ".pyc"))] == []


def test_an_iban_is_checked_with_the_few_modules_that_are_packed(tmp_path: Path) -> None:
    gather(tmp_path / "a.zip")
    with ZipFile(tmp_path / "a.zip") as archive:
        names = [name for name in archive.namelist() if name.startswith("stdnum/")]
        for name in names:
            archive.extract(name, tmp_path / "there")
    assert len(names) == 8
    code = f"import sys; sys.path[:0] = [{str(tmp_path / 'there')!r}]; from stdnum import iban; print(iban.__file__)"
    code += "; print(iban.is_valid('DE89370400440532013000', check_country=False))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == [str(tmp_path / "there" / "stdnum" / "iban.py"), "True"]


def test_the_site_never_names_another_host() -> None:
    for file in building.SITE.iterdir():
        assert re.findall(r"\w+://", file.read_text()) == []
