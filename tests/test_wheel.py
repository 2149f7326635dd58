"""The built packages contain their pages and work outside the checkout: the wheel, made from the source package."""

from __future__ import annotations

import os
import subprocess
import sys
import tarfile
from pathlib import Path
from zipfile import ZipFile

import pytest

import companion
from companion.pocket.build import SITE

pytestmark = pytest.mark.thorough

CHECKOUT = Path(__file__).parent.parent
SETTLES = """
from companion import create_app
client = create_app().test_client()
for path in ("/", "/settle/knock", "/help/knock", "/static/styles/site.css"):
    assert client.get(path).status_code == 200, path
from companion.camera import network
assert network.weights()
from companion.pocket import build, tools
assert sorted(file.name for file in build.SITE.iterdir()) == FILES and tools._LOCK.exists()
print(create_app().config["INSTANCE"])
""".replace("FILES", repr(sorted(file.name for file in SITE.iterdir())))


def build(folder: Path, kind: str) -> None:
    command = [sys.executable, "-m", "hatchling", "build", "-t", kind, "-d", str(folder.parent / "built")]
    subprocess.run(command, cwd=folder, check=True, capture_output=True)


def test_the_wheel_of_the_source_package_works_without_a_checkout(tmp_path: Path) -> None:
    name = f"table_companion-{companion.__version__}"
    command = [sys.executable, "-m", "hatchling", "build", "-t", "sdist", "-d", str(tmp_path / "built")]
    subprocess.run(command, cwd=CHECKOUT, check=True, capture_output=True)
    with tarfile.open(tmp_path / "built" / f"{name}.tar.gz") as archive:
        archive.extractall(tmp_path, filter="data")
    build(tmp_path / name, "wheel")
    with ZipFile(tmp_path / "built" / f"{name}-py3-none-any.whl") as wheel:
        wheel.extractall(tmp_path / "installed")
    room = tmp_path / "room"
    room.mkdir()
    environment = {**os.environ, "PYTHONPATH": "", "HOME": str(tmp_path / "home"), "XDG_DATA_HOME": ""}

    def run(code: str, *arguments: str) -> str:
        words = [sys.executable, "-P", "-c", f"import sys; sys.path.insert(0, '../installed')\n{code}", *arguments]
        return subprocess.run(words, cwd=room, env=environment, check=True, capture_output=True, text=True).stdout

    instance = tmp_path / "home" / ".local" / "share" / "table-companion"
    assert Path(run(SETTLES).strip()) == instance
    assert (instance / "secret_key").exists()
    assert not list(room.iterdir())
    main = "from companion.serve.command import main; sys.exit(main())"
    assert run(main, "--version") == f"companion {companion.__version__}\n"
    assert run(main, "audit") == "No errors in any round, balance or pot.\n"
    run(main, "backup", "copy.db")
    assert "Restored 0 rounds" in run(main, "restore", "copy.db")
