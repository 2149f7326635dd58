"""The built wheel contains its pages and works outside the checkout."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

import pytest

pytestmark = pytest.mark.thorough

CHECKOUT = Path(__file__).parent.parent
SETTLES = """
from companion import create_app
client = create_app().test_client()
for path in ("/", "/settle/knock", "/help/knock", "/static/styles/site.css"):
    assert client.get(path).status_code == 200, path
from companion.camera import network
assert network.weights()
print(create_app().config["INSTANCE"])
"""


def test_the_wheel_serves_its_pages_and_keeps_its_instance_where_it_runs(tmp_path: Path) -> None:
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    subprocess.run(build, cwd=CHECKOUT, check=True, capture_output=True)
    (wheel,) = tmp_path.glob("*.whl")
    with ZipFile(wheel) as archive:
        archive.extractall(tmp_path / "installed")
    room = tmp_path / "room"
    room.mkdir()
    command = [sys.executable, "-P", "-c", f"import sys; sys.path.insert(0, '../installed'){SETTLES}"]
    done = subprocess.run(command, cwd=room, check=True, capture_output=True, text=True)
    assert Path(done.stdout.strip()) == room / "instance"
    assert (room / "instance" / "secret_key").exists()
